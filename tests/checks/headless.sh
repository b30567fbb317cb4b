#!/usr/bin/env bash
# headless.sh PLIMSOLL_HEADLESS: the command line without Qt is configured where there is no Qt, links none of it, and
# answers every shipped scenario in JSON. The program comes from the release build, whose commands know no Qt.
set -eu
plimsoll=$(realpath "$1")
cd "$(dirname "$0")/../.."
export plimsoll

cmake --preset headless -DCMAKE_DISABLE_FIND_PACKAGE_Qt6=ON
if ldd "$plimsoll" | grep -i libqt; then
    echo "the command line links Qt"
    exit 1
fi

# answers_in_json ARGUMENT...: fails for an error and for what is no JSON.
answers_in_json() {
    local json
    json=$("$plimsoll" "$@" --json) && python3 -m json.tool <<<"$json" >/dev/null && echo "$*"
}
export -f answers_in_json
printf '%s\0' presets/scenarios/*.json |
    xargs -0 -n 1 -P "$(nproc)" bash -c 'answers_in_json estimate "$1"' answers_in_json
for kind in '' machines models stacks scenarios runs; do
    # shellcheck disable=SC2086
    answers_in_json presets $kind
done
answers_in_json validate
set -- presets/scenarios/*.json
[ -e "$1" ]
echo "$# scenarios answered"
