#!/usr/bin/env bash
# walk.sh TESTS_VIEWS [FOLDER]: the walk through the window (tests/views/tst_walk.cpp) on a real X server. Pictures of
# its steps go to FOLDER, or where PLIMSOLL_WALK says; without either none are kept.
set -u
cd "$(dirname "$0")/../.." || exit 1

home=$(mktemp -d)   # no settings of the person who runs the tests
trap 'rm -rf "$home"' EXIT
[ $# -lt 2 ] || export PLIMSOLL_WALK=$2
env -u WAYLAND_DISPLAY -u QT_QPA_PLATFORM HOME="$home" PLIMSOLL_PRESETS="$PWD/presets" \
    XDG_CONFIG_HOME="$home" XDG_DATA_HOME="$home" XDG_STATE_HOME="$home" XDG_RUNTIME_DIR="$home" \
    tests/checks/on_x.sh 1600x1000 timeout 900 "$1" tst_walk
