#!/usr/bin/env bash
# No line of code is longer than 120 columns in the folders named here; every source is in a target.
#   source_rules.sh --others    also counts the long lines of every other folder
set -u
cd "$(dirname "$0")/../.." || exit 1
broken=0

# Clean folders, without the folders below them. A folder joins the list when its last long line is gone.
clean=(
    app app/commands app/commands/calibrate app/instruments app/window
    core/answers/campaign core/answers/curves core/answers/explain core/answers/plan
    core/costs/campaign core/costs/kernels core/costs/memory core/costs/network core/costs/offload core/costs/pipeline
    core/answers/replan core/answers/search core/answers/strategies core/papers
    core/files/import core/files/presets core/files/results core/files/text
    core/values/basics core/values/knobs core/values/plan
    tests tests/core/answers tests/core/costs tests/core/evidence tests/core/files tests/core/papers
    tests/core/values tests/fuzz tests/presets tests/slurm tests/views
)
code=(-name '*.h' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' -o -name '*.py' -o -name '*.sh')

long_lines() { find "$1" -maxdepth 1 -type f \( "${code[@]}" \) -exec grep -nHE '^.{121,}$' {} +; }

export LC_ALL=C.UTF-8
for folder in "${clean[@]}"; do
    hits=$(long_lines "$folder")
    [ -z "$hits" ] || { printf 'lines above 120 columns:\n%s\n' "$hits"; broken=1; }
done
if [ "${1:-}" = --others ]; then
    find app core engine tests views packaging -type d | sort | while read -r folder; do
        count=$(long_lines "$folder" | wc -l)
        [ "$count" -eq 0 ] || printf '%5d %s\n' "$count" "$folder"
    done
fi

# Sources come into targets by globbing: a folder that no pattern reaches would be compiled by nobody.
reached() {
    case $1 in
        core/*) return 0 ;;
        views/*/*/*) return 1 ;;
        views/*/* | app/main.cpp | app/*/*.cpp) return 0 ;;
        engine/*.cpp | engine/*.cu) return 0 ;;
        *) return 1 ;;
    esac
}
while read -r source; do
    reached "$source" || { echo "$source is in no target"; broken=1; }
done < <(find app core engine views -name '*.cpp' -o -name '*.cu')

[ $broken -eq 0 ] && echo "The sources keep the rules."
exit $broken
