#!/usr/bin/env bash
# The command line without Qt: builds, and answers every shipped scenario in JSON.
set -eu
cd "$(dirname "$0")/../.."

cmake --preset headless
cmake --build --preset headless
plimsoll=build/headless/bin/plimsoll
if ldd $plimsoll | grep -i libqt; then
    echo "the headless build links Qt"
    exit 1
fi

count=0
for scenario in presets/scenarios/*.json; do
    echo "$scenario"
    $plimsoll estimate "$scenario" --json | python3 -m json.tool >/dev/null
    count=$((count + 1))
done
[ $count -gt 0 ]
for kind in '' machines models stacks scenarios runs; do
    # shellcheck disable=SC2086
    $plimsoll presets $kind --json | python3 -m json.tool >/dev/null
done
$plimsoll validate --json | python3 -m json.tool >/dev/null
echo "$count scenarios answered"
