#!/usr/bin/env bash
# The LaTeX of three packs, which pdflatex has to take. Needs pdflatex with booktabs (texlive-latex-recommended); ends
# with 77 where there is none.
#
#   latex.sh PLIMSOLL
set -u
plimsoll=$1
command -v pdflatex > /dev/null && command -v kpsewhich > /dev/null && [ -n "$(kpsewhich booktabs.sty)" ] || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
broken=0

# compile NAME PROGRAMME PLAN ARGUMENT...: writes the pack and compiles its report twice, for the tables' widths.
compile() {
    local name=$1
    shift
    "$plimsoll" propose "$@" --no-figures --out "$work/$name" > "$work/$name.log" 2>&1 || {
        cat "$work/$name.log"
        broken=1
        return
    }
    for _ in 1 2; do
        (cd "$work/$name" && pdflatex -interaction=nonstopmode -halt-on-error report.tex > pdflatex.out 2>&1) || {
            printf '%s:\n' "$name"
            grep -A4 '^!' "$work/$name/pdflatex.out"
            broken=1
            return
        }
    done
}

printf 'nodes,step_s,machine,date,job\n16,540,lumi,2026-10-01,a_1\n32,275,lumi,2026-10-02,b&2\n' > "$work/runs.csv"
compile access access-maximize 175b-frontier --units-per-node-hour 30
compile eurohpc eurohpc 13b-lumi-fsdp --measured "$work/runs.csv"
# A name with everything that means something to TeX.
sed '0,/"name": "[^"]*"/s//"name": "名前 [x] 100 % #1 ~ ^ \\\\ { $ _ \&"/' \
    "$(dirname "$0")/../../presets/scenarios/13b-fugaku.json" > "$work/named.json"
compile hpci hpci "$work/named.json"
exit $broken
