#!/usr/bin/env bash
# Fuzzes the file readers: tests/fuzz/run.sh FUZZ_READERS [SECONDS [SEED]], 20 seconds unless given.
# Fails on a crash, a sanitizer finding or a file that does not read as written.
# With a seed other than 0 the same program tries the same files in the same order, so that a check of a change tells of
# that change; without one every run tries others.
#
#   cmake --preset asan && cmake --build --preset asan --target fuzz_readers
#   tests/fuzz/run.sh build/asan/bin/fuzz_readers
set -eu
program=$(realpath "$1")
seconds=${2:-20} seed_of_run=${3:-0}
cd "$(dirname "$0")/../.."
build=build/fuzz
mkdir -p $build

# Seeds: presets behind the byte that selects their reader, and a scenario that
# uses the presets the target itself knows.
seeds=$build/seeds corpus=$build/corpus
rm -rf $seeds
[ "$seed_of_run" = 0 ] || rm -rf $corpus  # of earlier runs
mkdir -p $seeds $corpus
seed() {  # LETTER FOLDER [SUFFIX]
    local n=0 file
    for file in presets/"$2"/*"${3:-.json}"; do
        [ -f "$file" ] && [ $n -lt 12 ] || continue
        { printf '%s' "$1"; head -c 19000 "$file"; } >"$seeds/$2-$(basename "$file")"
        n=$((n + 1))
    done
}
# The letters of readers.h.
seed a machines
seed b models
seed c stacks
seed d scenarios
seed h operators .csv
for file in presets/published_runs/*.json; do
    { printf f; head -n 200 "$file" | head -c 18000; } >"$seeds/$(basename "$file")"
done
printf '%s' >"$seeds/config-llama" \
    'e{"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4,' \
    ' "intermediate_size": 256, "vocab_size": 100}'
printf '%s' >"$seeds/config-deepseek" \
    'e{"model_type": "deepseek_v3", "num_hidden_layers": 4, "hidden_size": 64, "num_attention_heads": 4,' \
    ' "intermediate_size": 256, "vocab_size": 100, "n_routed_experts": 8, "num_experts_per_tok": 2,' \
    ' "moe_intermediate_size": 32, "kv_lora_rank": 16, "qk_rope_head_dim": 8, "qk_nope_head_dim": 8, "v_head_dim": 16}'
printf '%s' >"$seeds/shapes" \
    'e{"l.0.attn.q_proj.weight": [64, 64], "l.0.attn.o_proj.weight": [64, 64],' \
    ' "l.0.mlp.up_proj.weight": {"shape": [256, 64]}, "l.0.mlp.down_proj.weight": [64, 256],' \
    ' "l.0.norm.weight": [64], "embed_tokens.weight": [1000, 64]}'
printf '%s' >"$seeds/fit" \
    'g{"schema": "plimsoll/fit", "version": 1, "id": "f", "title": "t", "rows": ["r"], "constants": [' \
    '{"knob": "stack.host_layer_ms", "of": ["stack"], "prior": 0.75, "width": 0.25, "reason": "why"}]}'
printf '%s' >"$seeds/left-out" \
    'i{"schema": "plimsoll/left-out", "version": 1, "id": "left_out", "recipe": "shipped", "note": "n",' \
    ' "columns": ["source", "id", "quantity", "experts", "shipped", "left_out"],' \
    ' "rows": [["a", "a/b", "time", false, 0.01, 0.02]]}'
printf '%s' >"$seeds/space" \
    'k{"schema": "plimsoll/space", "version": 1, "name": "ours", "from": "common", "tensor_parallel": [4, 8],' \
    ' "zero_stage": [1], "schedule": ["1f1b", "interleaved"]}'
head -c 19000 tests/calibrations/quiet.jsonl | sed '1s/^/n/' >"$seeds/log-quiet"
printf 'ostep_s,gemm\n12.41,7.9\n12.39,7.9\n' >"$seeds/steps"
{
    printf 'y----- arguments -----\n  num_layers .......... 4\n  hidden_size ... 64\n'
    printf ' iteration %d/ 9 | elapsed time per iteration (ms): 9.5 | global batch size: 8 |\n' 1 2 3 4
    printf 'Config(a=B(tp=2, pp=1), tokens=T(sequence_length=64, micro_batch_size=2))\n'
    printf ' 80%%|# | 4/5 [0:3<0:8, 1.2it/s]\n'
} >"$seeds/training-log"
printf 'pJobID|Elapsed|NNodes|ConsumedEnergyRaw\n4711|00:02:00|2|7200\n' >"$seeds/sacct"
{ printf q; head -c 19000 tests/data/galvatron/llama2-7b-8gpu.json; } >"$seeds/profile"
printf 'rlayout.tensor_parallel=8' >"$seeds/setting-degree"
printf 'rrecipe.tokens=1.4T' >"$seeds/setting-tokens"
printf 'smodel:\n  num_layers: &n 4\n  hidden_size: 64\n  num_attention_heads: *n\ntrain:\n  train_iters: 10\n' \
    >"$seeds/yaml"
printf 't[model]\nname = "llama3"\n[training]\nseq_len = 64\nsteps = 9\n[parallelism]\ntensor_parallel_degree = 2\n' \
    >"$seeds/toml"
printf 'uT=${1:-2}\nA=(--num-layers 4 "--hidden-size 64")\nrun ${A[@]} --num-attention-heads $((T * 2))\n' \
    >"$seeds/arguments"
printf 'vdef r(n: int = 2):\n    cfg.model.num_layers = 4\n    cfg.x = f("a", seq_length=64)\n' >"$seeds/python"
printf 'w{"train_batch_size": 8, "zero_optimization": {"stage": 2}, "bf16": {"enabled": true}}' >"$seeds/deepspeed"
for file in presets/scenarios/*.json; do
    [ -f "$file" ] || continue
    { printf d; sed -E 's/"(model|machine|stack)": "[^"]*"/"\1": {"preset": "\1"}/' "$file"; } \
        >"$seeds/own-$(basename "$file")"
done

status=0
"$program" $corpus $seeds -max_total_time="$seconds" -seed="$seed_of_run" \
    -max_len=20000 -timeout=10 -rss_limit_mb=2048 \
    -artifact_prefix=$build/ -print_final_stats=1 >$build.log 2>&1 || status=$?
grep -E 'number_of_executed_units|broken promise|ERROR|runtime error|Test unit written' $build.log || true
[ $status -eq 0 ] || { tail -n 60 $build.log; exit 1; }
