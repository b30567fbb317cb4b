#!/usr/bin/env bash
# Who may include what: app -> views -> core <- engine, and inside core
# evidence, papers -> answers -> costs -> values; files stands beside them. Libraries
# stay where they belong, and no file names a directory of somebody's machine.
set -u
cd "$(dirname "$0")/../.." || exit 1
broken=0

# rule SENTENCE PATTERN FOLDER...: no C++ file below the folders, the one named $except
# left out, may match.
rule() {
    local sentence=$1 pattern=$2 hits folder
    local -a folders=()
    for folder in "${@:3}"; do [ -d "$folder" ] && folders+=("$folder"); done
    [ ${#folders[@]} -gt 0 ] || return 0
    hits=$(grep -rnE --include='*.h' --include='*.cpp' --include='*.cu' --exclude-dir="${except:-}" \
        "^[[:space:]]*#[[:space:]]*include[[:space:]]*$pattern" "${folders[@]}")
    [ -z "$hits" ] || { printf '%s:\n%s\n' "$sentence" "$hits"; broken=1; }
}

qt='<(Qt[A-Za-z0-9]*/|Q[A-Z]|q[a-z]*\.h>)'
rule "core and engine know no Qt" "$qt" core engine
rule "core stands alone" '"(app|views|engine|tests)/' core
rule "engine builds on core only" '"(app|views|tests)/' engine
rule "views build on core only" '"(app|engine|tests)/' views
rule "app starts things and is included by nobody" '"app/' core engine views
rule "values come first" '"core/(costs|answers|evidence|papers|files)/' core/values
rule "costs build on values only" '"core/(answers|evidence|papers|files)/' core/costs
rule "an answer does not depend on what the numbers are worth" '"core/evidence/' core/answers core/papers
rule "an answer does not depend on the exhibits of single papers" '"core/papers/' core/answers
rule "answers, evidence and papers read no files" '"core/files/' core/answers core/evidence core/papers
rule "JSON stays in core/files" '<nlohmann/' core/values core/costs core/answers core/evidence core/papers views app
except=charts rule "charts alone draw with QCustomPlot" '[<"]qcustomplot\.h' core engine app views
rule "commands know no window" "$qt" app/commands
rule "commands know no window" '"(views|app/window|app/instruments)/' app/commands
rule "spreadsheets are written in core/files" '<xlsxwriter' core/values core/costs core/answers core/evidence \
    core/papers engine app views
rule "command lines are read by programs" '<CLI/' core views

# no_circles FOLDER...: below the folders neither folders nor subjects (x.h and x.cpp as one) include each other in a
# circle.
no_circles() {
    local arrows loops level
    arrows=$(grep -rE --include='*.h' --include='*.cpp' --include='*.cu' --include='*.cuh' \
        '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$@" |
        sed -E 's/^([^:]+)\.(h|cpp|cuh?):[^"]*"([^"]+)\.(h|cuh)".*/\1 \3/')
    for level in folders subjects; do
        loops=$(printf '%s\n' "$arrows" | awk -v level="$level" -v within="$*" '
            BEGIN { count = split(within, roots, " ") }
            function inside(path, i) {
                for (i = 1; i <= count; ++i) if (index(path, roots[i] "/") == 1) return 1
                return 0
            }
            inside($2) {
                if (level == "folders") { sub("/[^/]*$", "", $1); sub("/[^/]*$", "", $2) }
                if ($1 != $2) print $1, $2
            }' | tsort 2>&1 >/dev/null | sed -n 's/^tsort: \([^-]\)/  \1/p' | awk '!seen[$0]++')
        [ -z "$loops" ] || { printf 'no circles between %s:\n%s\n' "$level" "$loops"; broken=1; }
    done
}

no_circles core/answers
no_circles core/files
no_circles core/costs
no_circles engine

# Paths of one machine. Not git's list when there is no git: then every file.
files() {
    git ls-files -z --cached --others --exclude-standard 2>/dev/null ||
        find . \( -name build -o -name .git \) -prune -o -type f -print0
}
hits=$(files | xargs -0 grep -nIE "(^|[[:space:]\"'=(:,])/(work|home|root|Users)/[A-Za-z0-9]" 2>/dev/null)
[ -z "$hits" ] || { printf '%s:\n%s\n' "no file names a directory of one machine" "$hits"; broken=1; }

[ $broken -eq 0 ] && echo "All includes point the right way."
exit $broken
