# A calibration from its plan to a preset, and one that is ended before its time. Sourced by run.sh, with a cluster
# that is up.
# Nothing is asserted on how good or how fast it is: builds and other tests share this computer.

export XDG_DATA_HOME=$work/data
export PLIMSOLL_PRESETS=${PLIMSOLL_PRESETS:+$PLIMSOLL_PRESETS:$work/presets}   # the last one takes what is saved
calibration=(gpt2-124m-laptop --set machine=cpu-2core --script slurm --nodes 1 --ranks-per-node 2 --engine "$engine")

# The scenario's own plan, all of its runs, in half the time: points of benches are a tenth as long and visited once,
# layouts train three steps. Too short to be a measurement, enough for every line a calibration has.
"$plimsoll" calibrate "${calibration[@]}" --budget 120 --out "$work/plan" >/dev/null ||
    fail "there is no plan of a calibration"
sed -Ez -e 's/("--bench-seconds",\s*)"[0-9.e-]+"/\1"0.002"/g; s/("--bench-visits",\s*)"2"/\1"1"/g' \
    -e 's/("--steps",\s*)"[0-9]+"/\1"3"/g; s/("steps":\s*)[0-9]+/\13/g' "$work/plan/plan.json" >"$work/short.json"
cmp -s "$work/plan/plan.json" "$work/short.json" && fail "the plan could not be shortened"
runs=$(grep -c '"role"' "$work/short.json")

# ---- To its end
folder=$work/job-3
job=$("$plimsoll" calibrate "${calibration[@]}" --plan-file "$work/short.json" --out "$folder" --submit | submitted)
[ -n "$job" ] || fail "no calibration was submitted"
until_true 400 "calibration $job does not end" ended "$job"
wait_for "$job" done || fail "calibration $job: $(state "$job")"
"$engine" --check "$folder/result.jsonl" || fail "the calibration does not pass its check"
[ "$(grep -c '"type":"experiment"' "$folder/result.jsonl")" = "$runs" ] ||
    fail "not all of the $runs runs of the plan were begun"
code=0
"$plimsoll" calibrate --import "$folder/result.jsonl" --save --json >"$work/result.json" 2>"$work/import.txt" || code=$?
[ $code -le 1 ] || fail "the result cannot be read: $(cat "$work/import.txt")"
python3 - "$work/result.json" "$work/short.json" <<'END' || fail "the result is not that of its plan"
import json, sys
result, plan = (json.load(open(name)) for name in sys.argv[1:])
held = {run["id"] for run in plan["runs"] if run["role"] == "held_out" and not run.get("repeats")}  # visits count once
proof = {row["id"]: row for row in result["proof"]}
assert held and held <= set(proof), (held, set(proof))
for each in held:
    row = proof[each]
    assert row["held_out"] and row["predicted"]["s"] > 0 and row["measured"]["s"] > 0, row
    assert row["memory_measured_B"] > 0, row
assert result["prediction_hash"] and result["based_on"] == "cpu-2core", result
constants = {c["pointer"] for c in result["constants"]}
assert {"/device/efficiency/gemm_ceiling", "/levels/0/latency_us"} <= constants, constants
END
# A computer that others use gives no preset, and that is said; a quiet one gives one that is then there.
if preset=$(sed -n 's/^Saved as machine preset \([^ ]*\).*/\1/p' "$work/import.txt" | sed 's/\.$//') &&
    [ -n "$preset" ]; then
    [ $code -eq 0 ] || fail "a preset was saved, and the exit code is $code"
    "$plimsoll" presets machines | grep -q "$preset" || fail "the preset $preset is not found again"
else
    grep -q '^plimsoll: no preset was written: ' "$work/import.txt" ||
        fail "neither saved nor refused: $(cat "$work/import.txt")"
    [ $code -eq 1 ] || fail "no preset was written, and the exit code is $code"
fi

# ---- Ended softly: what is complete is kept, and said
folder=$work/job-4
job=$("$plimsoll" calibrate "${calibration[@]}" --plan-file "$work/short.json" --out "$folder" --submit | submitted)
[ -n "$job" ] || fail "no second calibration was submitted"
one_complete() { grep -q '"type":"run"' "$folder/result.jsonl.part" 2>/dev/null; }
until_true 200 "calibration $job completes no run" one_complete
: >"$folder/stop"
until_true 120 "calibration $job does not stop" ended "$job"
wait_for "$job" done && fail "a calibration that was stopped is told as done"
"$engine" --check "$folder/result.jsonl" | tee "$work/check.txt"
grep -q cancelled "$work/check.txt" || fail "the log of the stopped calibration is not a whole, partial one"
"$plimsoll" calibrate --import "$folder/result.jsonl" >"$work/partial.txt" 2>"$work/import.txt" ||
    fail "a partial result cannot be read: $(cat "$work/import.txt")"
grep -qE "^plimsoll: [1-9][0-9]* of $runs runs complete, cancelled" "$work/import.txt" ||
    fail "what is kept is not said: $(cat "$work/import.txt")"
grep -q 'no preset was written' "$work/import.txt" ||
    fail "a partial calibration became a preset: $(cat "$work/import.txt")"
grep -q 'gemm_ceiling' "$work/partial.txt" || fail "what was measured before the stop is not shown"
