#!/usr/bin/env bash
# Fuzzes the file readers: tests/fuzz/run.sh FUZZ_READERS [SECONDS], 20 seconds unless given.
# Fails on a crash, a sanitizer finding or a file that does not read as written.
#
#   cmake --preset asan && cmake --build --preset asan --target fuzz_readers
#   tests/fuzz/run.sh build/asan/bin/fuzz_readers
set -eu
program=$(realpath "$1")
seconds=${2:-20}
cd "$(dirname "$0")/../.."
build=build/fuzz
mkdir -p $build

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
# ASCII digits: '2' is 50, a multiple of five, so 2 to 6 select readers 0 to 4.
seed 2 machines
seed 3 models
seed 4 stacks
seed 5 scenarios
printf '%s' >"$seeds/config-llama" \
    '6{"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4,' \
    ' "intermediate_size": 256, "vocab_size": 100}'
printf '%s' >"$seeds/config-deepseek" \
    '6{"model_type": "deepseek_v3", "num_hidden_layers": 4, "hidden_size": 64, "num_attention_heads": 4,' \
    ' "intermediate_size": 256, "vocab_size": 100, "n_routed_experts": 8, "num_experts_per_tok": 2,' \
    ' "moe_intermediate_size": 32, "kv_lora_rank": 16, "qk_rope_head_dim": 8, "qk_nope_head_dim": 8, "v_head_dim": 16}'
printf '%s' >"$seeds/shapes" \
    '6{"l.0.attn.q_proj.weight": [64, 64], "l.0.attn.o_proj.weight": [64, 64],' \
    ' "l.0.mlp.up_proj.weight": {"shape": [256, 64]}, "l.0.mlp.down_proj.weight": [64, 256],' \
    ' "l.0.norm.weight": [64], "embed_tokens.weight": [1000, 64]}'
for file in presets/scenarios/*.json; do
    [ -f "$file" ] || continue
    { printf 5; sed -E 's/"(model|machine|stack)": "[^"]*"/"\1": {"preset": "\1"}/' "$file"; } \
        >"$seeds/own-$(basename "$file")"
done

status=0
"$program" $corpus $seeds -max_total_time="$seconds" -max_len=20000 -timeout=10 -rss_limit_mb=2048 \
    -artifact_prefix=$build/ -print_final_stats=1 >$build.log 2>&1 || status=$?
grep -E 'number_of_executed_units|broken promise|ERROR|runtime error|Test unit written' $build.log || true
[ $status -eq 0 ] || { tail -n 60 $build.log; exit 1; }
