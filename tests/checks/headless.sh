#!/usr/bin/env bash
# The command line without Qt: builds, and answers every shipped scenario in JSON. Its commands are those of the
# release build, object for object, so that a compiler cache has nothing left to compile but main().
set -eu
cd "$(dirname "$0")/../.."

cmake --preset headless
cmake --build --preset headless
export plimsoll=build/headless/bin/plimsoll
if ldd $plimsoll | grep -i libqt; then
    echo "the headless build links Qt"
    exit 1
fi

# answers_in_json ARGUMENT...: fails for an error and for what is no JSON.
answers_in_json() {
    local json
    json=$("$plimsoll" "$@" --json) && python3 -m json.tool <<<"$json" >/dev/null && echo "$*"
}
export -f answers_in_json
printf '%s\0' presets/scenarios/*.json | xargs -0 -n 1 -P "$(nproc)" bash -c 'answers_in_json estimate "$1"' answers_in_json
for kind in '' machines models stacks scenarios runs; do
    # shellcheck disable=SC2086
    answers_in_json presets $kind
done
answers_in_json validate
set -- presets/scenarios/*.json
[ -e "$1" ]
echo "$# scenarios answered"
