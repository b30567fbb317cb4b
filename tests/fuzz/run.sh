#!/usr/bin/env bash
# Fuzzes the file readers: tests/fuzz/run.sh [SECONDS], 20 unless given.
# Fails on a crash, a sanitizer finding or a file that does not read as written.
set -eu
seconds=${1:-20}
cd "$(dirname "$0")/../.."
build=build/fuzz
jobs=${JOBS:-2}

cmake -S . -B $build -G Ninja -DCMAKE_CXX_COMPILER="${CXX:-clang++-14}" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DPLIMSOLL_GUI=OFF -DPLIMSOLL_TESTS=OFF -DPLIMSOLL_FUZZ=ON >$build.log 2>&1 || { cat $build.log; exit 1; }
cmake --build $build --target fuzz_readers -j "$jobs" >$build.log 2>&1 || { cat $build.log; exit 1; }

# Seeds: presets behind the byte that selects their reader, and a scenario that
# uses the presets the target itself knows.
seeds=$build/seeds corpus=$build/corpus
rm -rf $seeds
mkdir -p $seeds $corpus
seed() {  # BYTE FOLDER
    local n=0 file
    for file in presets/"$2"/*.json; do
        [ -f "$file" ] && [ $n -lt 12 ] || continue
        { printf '%s' "$1"; cat "$file"; } >"$seeds/$2-$(basename "$file")"
        n=$((n + 1))
    done
}
# ASCII digits: '0' is 48, a multiple of four, so they select readers 0 to 3.
seed 0 machines
seed 1 models
seed 2 stacks
seed 3 scenarios
for file in presets/scenarios/*.json; do
    [ -f "$file" ] || continue
    { printf 3; sed -E 's/"(model|machine|stack)": "[^"]*"/"\1": {"preset": "\1"}/' "$file"; } >"$seeds/own-$(basename "$file")"
done

status=0
./$build/bin/fuzz_readers $corpus $seeds -max_total_time="$seconds" -max_len=20000 -timeout=10 -rss_limit_mb=2048 \
    -artifact_prefix=$build/ -print_final_stats=1 >$build.log 2>&1 || status=$?
grep -E 'number_of_executed_units|broken promise|ERROR|runtime error|Test unit written' $build.log || true
[ $status -eq 0 ] || { tail -n 60 $build.log; exit 1; }
