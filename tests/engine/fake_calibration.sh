#!/usr/bin/env bash
# Stands in for plimsoll-engine --calibrate: says what the log $FAKE_CALIBRATION says, line by line, to stdout and to
# OUT.part, which becomes OUT at a clean end. How it behaves is $FAKE_ENGINE, from the second step of $FAKE_STALL (an
# experiment; "dp2" without) on:
#
#   run        (default) goes on to the end
#   silent     says nothing more; ends cleanly when stdin is closed
#   stubborn   the same, but neither stdin nor SIGTERM ends it, only the end of whoever started it
#   watchdog   says where the ranks are, an error of rank 1, exit code 70
#   killed     says where the ranks are; the launcher's words on rank 1, exit code 137
#   refuses    a usage error before the first line
#
# $FAKE_ENGINE_STARTED, a file, gets its process id and arguments.
set -u
mode=${FAKE_ENGINE:-run} stall=${FAKE_STALL:-dp2} out=
[ -z "${FAKE_ENGINE_STARTED:-}" ] || printf '%s\n%s\n' "$$" "$*" >"$FAKE_ENGINE_STARTED"
while [ $# -gt 0 ]; do
    [ "$1" != --out ] || out=$2
    shift
done
[ "$mode" != refuses ] || { echo "The following argument was not expected: --calibrate" >&2; exit 2; }
[ "$mode" != stubborn ] || trap '' TERM
count=0 at= steps=0
: >"$out.part"
say() { printf '%s\n' "$1"; printf '%s\n' "$1" >>"$out.part"; count=$((count + 1)); }
head_of() { printf '{"type":"%s","run":"c","seq":%d,"t_s":99' "$1" "$count"; }
beat() {
    local waits='{"rank":0,"pass":"backward","phase":"data_parallel","changes":9}'
    local works='{"rank":1,"pass":"backward","phase":"gemm","changes":9}'
    say "$(head_of beat),\"ranks\":[$waits,$works]}"
}
cancelled() {
    say "$(head_of run),\"experiment\":\"$at\",\"status\":\"cancelled\",\"steps\":$steps}"
    say "$(head_of summary),\"status\":\"cancelled\",\"steps\":$steps}"
    mv "$out.part" "$out"
    exit 75
}
stop_here() {
    case $mode in
    silent) while read -r _; do :; done; cancelled ;;
    stubborn) while grep -q "^PPid:.*\b$PPID\$" /proc/$$/status; do sleep 0.1; done; exit 75 ;;
    watchdog) beat
        local text='rank 1 made no progress for 30 s: in the all_reduce of data ranks, call 12'
        printf '{"type":"error","run":"c","code":"timeout","rank":1,"text":"%s","exit_code":70,"fatal":true}\n' \
            "$text" >&2
        exit 70 ;;
    killed) beat
        echo 'mpirun noticed that process rank 1 with PID 0 on node x exited on signal 9 (Killed).' >&2
        exit 137 ;;
    esac
}
exec 3<"$FAKE_CALIBRATION"
while IFS= read -r -u 3 line; do
    case $line in
    '{"type":"experiment"'*) at=${line#*\"id\":\"} at=${at%%\"*} steps=0 ;;
    '{"type":"step"'*) steps=$((steps + 1)) ;;
    esac
    say "$line"
    if [ "$at" = "$stall" ] && [ $steps -eq 2 ]; then stop_here; fi
done
mv "$out.part" "$out"
