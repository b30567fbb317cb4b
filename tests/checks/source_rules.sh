#!/usr/bin/env bash
# No line of code is longer than 120 columns, CMake files and scripts included; no answer is taken unasked; every source
# is in a target.
set -u
cd "$(dirname "$0")/../.." || exit 1
broken=0

# The job scripts that tests compare with are data: their lines are as long as a batch system needs them.
code=(-name '*.h' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' -o -name '*.py' -o -name '*.sh'
      -o -name CMakeLists.txt -o -name '*.cmake')
scripts=(-path '.ci/*' ! -name '*.*' -o -path 'packaging/*' ! -name '*.*')
sources() {
    find CMakeLists.txt .ci app core engine packaging resources tests views -path tests/core/files/jobs -prune \
        -o -type f \( "${code[@]}" -o "${scripts[@]}" \) -print0
}

hits=$(sources | LC_ALL=C.UTF-8 xargs -0 grep -nHE '^.{121,}$')
[ -z "$hits" ] || { printf 'lines above 120 columns:\n%s\n' "$hits"; broken=1; }

# An answer that may be a refusal is asked before it is taken, and so never taken straight from the function that gives
# it. Those functions are the ones that headers declare so. Where it was asked elsewhere the line says where: // asked:
answers=$(grep -rhoE '(Expected<.*>|Outcome) [a-z_]+\(' --include='*.h' core views app engine \
    | grep -oE '[a-z_]+\($' | tr -d '(' | sort -u | paste -sd '|')
called="(\w+::)*($answers)\("
nested='([^()]|\(([^()]|\([^()]*\))*\))*'
taken="(^|[=(,{?:]|\breturn)\s*\*$called" member="(?<![\w>.])$called$nested\)(->|\.(value|error)\(\))"
hits=$(grep -rnP --include='*.cpp' --include='*.h' "$taken|$member" core views app engine \
    | grep -vE ':[[:space:]]*//|// asked: ')
[ -z "$hits" ] || { printf 'answers that nobody asked whether they were given:\n%s\n' "$hits"; broken=1; }

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
