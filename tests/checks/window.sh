#!/usr/bin/env bash
# window.sh PLIMSOLL: the planner stays open on a real X server, says nothing
# on standard error, and goes when asked.
set -u
cd "$(dirname "$0")/../.." || exit 1

home=$(mktemp -d)   # no settings of the person who runs the tests
trap 'rm -rf "$home"' EXIT
env -u WAYLAND_DISPLAY -u QT_QPA_PLATFORM HOME="$home" \
    XDG_CONFIG_HOME="$home" XDG_DATA_HOME="$home" XDG_STATE_HOME="$home" \
    tests/checks/on_x.sh 1400x900 timeout 8 "$1" presets/scenarios/gpt-neox-20b-a100.json 2>"$home/said"
code=$?
cat "$home/said"
[ $code -ne 77 ] || exit 77
[ $code -eq 124 ] || { echo "left by itself with exit code $code"; exit 1; }
[ ! -s "$home/said" ]
