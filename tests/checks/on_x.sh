#!/usr/bin/env bash
# on_x.sh WIDTHxHEIGHT COMMAND...: the command with an X server of its own, whose exit code it passes on; 77 where Xvfb
# is not installed. The server chooses its number and says when it is ready, and it leaves no files behind that could
# not be removed: xvfb-run fails for such a reason after a command that did what it should.
set -u
command -v Xvfb >/dev/null || { echo "Xvfb is not installed"; exit 77; }
screen=$1
shift
exec {number}< <(exec Xvfb -displayfd 1 -screen 0 "${screen}x24" -nolisten tcp -noreset 2>/dev/null)
server=$!
trap 'kill "$server" && wait "$server"' EXIT
read -r -t 60 -u "$number" display || { echo "Xvfb did not start"; exit 1; }
DISPLAY=:$display "$@"
