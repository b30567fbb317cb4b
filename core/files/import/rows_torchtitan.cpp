// What settings of torchtitan mean, in the schemas since 2024: until the end of that year the degrees stood among those
// of training, and those of pipeline and context parallelism among the experimental ones.
#include "core/files/import/setting_rows.h"

#include "core/values/basics/text.h"

namespace plimsoll::files {

namespace {

using Draft = PlanDraft;

bool titan_precision(Draft& d, const Setting& s) {
    if (s.value == "bfloat16") { if (d.recipe.precision != Precision::fp8) d.recipe.precision = Precision::bf16; }
    else if (s.value == "float16") d.recipe.precision = Precision::fp16;
    else if (s.value == "float32") d.recipe.precision = Precision::fp32;
    else return false;
    return true;
}

bool converters(Draft& d, const Setting& s) {
    if (s.value.find("float8") != s.value.npos || s.value.find("mx") != s.value.npos)
        d.recipe.precision = Precision::fp8;
    if (s.value.find("mx") != s.value.npos) d.recipe.fp8_recipe = Fp8Recipe::mxfp8;
    return d.recipe.precision == Precision::fp8 || s.value.empty() || s.value == "[]";
}

bool titan_recipe(Draft& d, const Setting& s) {
    if (s.value == "tensorwise") d.recipe.fp8_recipe = Fp8Recipe::tensorwise;
    else if (s.value == "rowwise") d.recipe.fp8_recipe = Fp8Recipe::rowwise;
    else return false;
    return true;
}

bool titan_mx_recipe(Draft& d, const Setting& s) {   // "mxfp8_cublas", "mxfp8_emulated"
    const bool known = s.value.starts_with("mxfp8");
    if (known) d.recipe.fp8_recipe = Fp8Recipe::mxfp8;
    return known;
}

bool titan_schedule(Draft& d, const Setting& s) {
    const std::string word = lower_case(s.value);
    if (word == "1f1b") d.layout.schedule = Schedule::one_f_one_b;
    else if (word == "gpipe") d.layout.schedule = Schedule::gpipe;
    else if (word == "interleaved1f1b") d.layout.schedule = Schedule::interleaved;
    else if (word == "zbvzerobubble") d.layout.schedule = Schedule::zb_v;
    else if (word == "dualpipev") d.layout.schedule = Schedule::dualpipe_v;
    else return false;
    return true;
}

bool checkpointing(Draft& d, const Setting& s) {
    if (s.value == "none") d.layout.recompute = Recompute::none;
    else if (s.value == "selective") d.layout.recompute = Recompute::selective;
    else if (s.value == "full") d.layout.recompute = Recompute::full;
    else return false;
    return true;
}

bool resharding(Draft& d, const Setting& s) {
    if (s.value == "default") return true;
    d.reshards = s.value == "always";
    return s.value == "always" || s.value == "never";
}

// -1: as many as there are left.
bool degree_or_rest(int& field, const Setting& s) {
    if (s.value == "-1") return field = 0, true;
    return take_whole(field, s);
}

// Keys and values of other ranks: gathered first, or passed round by exchanges.
bool rotation(Draft& d, const Setting& s) {
    if (s.value != "allgather" && s.value != "alltoall") return false;
    d.layout.context_mode = s.value == "alltoall" ? ContextMode::ring : ContextMode::all_gather;
    return true;
}

// Attention over whole sequences, or over documents one by one.
bool mask(Draft& d, const Setting& s) {
    d.documents_apart = s.value == "block_causal";
    return d.documents_apart || s.value == "causal";
}

// "8B_flex", "8B_varlen": the shape of "8B" with a kernel that keeps documents apart (torchtitan/models/llama3).
bool flavour(Draft& d, const Setting& s) {
    d.model_flavor = s.value;
    for (const std::string_view kernel : {"_flex_attn", "_varlen_attn", "_flex", "_varlen"}) {
        if (!s.value.ends_with(kernel)) continue;
        d.model_flavor.resize(s.value.size() - kernel.size());
        d.documents_apart = true;
        break;
    }
    return true;
}

constexpr SettingRow torchtitan_table[] = {
    {"model.name", "model", [](Draft& d, const Setting& s) { return d.model_name = s.value, true; }},
    {"model.flavor", "model", flavour},
    {"model.attn_mask_type", "documents", mask},   // until the middle of 2025
    {"attn_mask_type", "documents", mask},
    {"model.converters", "recipe.precision", converters},
    {"training.local_batch_size", "layout.micro_batch", WHOLE(local_batch, 1)},
    {"training.batch_size", "layout.micro_batch", WHOLE(local_batch, 1)},
    {"training.global_batch_size", "recipe.global_batch_sequences",
     [](Draft& d, const Setting& s) { return s.value == "-1" || take_whole(d.recipe.global_batch_sequences, s); }},
    {"training.seq_len", "recipe.sequence_length", WHOLE(recipe.sequence_length, 1)},
    {"training.steps", "recipe.tokens", NUMBER(steps)},
    {"training.mixed_precision_param", "recipe.precision", titan_precision},
    {"training.dtype", "recipe.bytes_per_parameter",   // every state is in it, without fp32 weights
     [](Draft& d, const Setting& s) {
         d.all_in_16_bits = s.value == "bfloat16";
         return titan_precision(d, s);
     }},
    // Until December 2024.
    {"training.data_parallel_degree", "layout.shard_group",
     [](Draft& d, const Setting& s) { return degree_or_rest(d.shards, s); }},
    {"training.data_parallel_replicate_degree", "layout.shard_group", WHOLE(replicas, 1)},
    {"training.data_parallel_shard_degree", "layout.shard_group",
     [](Draft& d, const Setting& s) { return degree_or_rest(d.shards, s); }},
    {"training.tensor_parallel_degree", "layout.tensor_parallel", WHOLE(layout.tensor_parallel, 1)},
    {"training.pipeline_parallel_degree", "layout.pipeline_parallel", WHOLE(layout.pipeline_parallel, 1)},
    {"experimental.pipeline_parallel_degree", "layout.pipeline_parallel", WHOLE(layout.pipeline_parallel, 1)},
    {"experimental.context_parallel_degree", "layout.context_parallel", WHOLE(layout.context_parallel, 1)},
    {"experimental.pipeline_parallel_schedule", "layout.schedule", titan_schedule},
    {"experimental.pipeline_parallel_microbatches", "layout.micro_batch", WHOLE(micro_batches, 1)},
    {"experimental.enable_async_tensor_parallel", "stack", FLAG(asynchronous)},
    {"float8.enable_float8_linear", "recipe.precision", IF_ON(d.recipe.precision = Precision::fp8)},
    // Since.
    {"training.compile", "stack", [](Draft& d, const Setting& s) { return take_flag(d.compiled, s); }},
    {"compile.enable", "stack", [](Draft& d, const Setting& s) { return take_flag(d.compiled, s); }},
    {"parallelism.data_parallel_replicate_degree", "layout.shard_group", WHOLE(replicas, 1)},
    {"parallelism.data_parallel_shard_degree", "layout.shard_group",
     [](Draft& d, const Setting& s) { return degree_or_rest(d.shards, s); }},
    {"parallelism.fsdp_reshard_after_forward", "layout.zero_stage", resharding},
    {"parallelism.tensor_parallel_degree", "layout.tensor_parallel", WHOLE(layout.tensor_parallel, 1)},
    {"parallelism.pipeline_parallel_degree", "layout.pipeline_parallel", WHOLE(layout.pipeline_parallel, 1)},
    {"parallelism.context_parallel_degree", "layout.context_parallel", WHOLE(layout.context_parallel, 1)},
    {"parallelism.context_parallel_rotate_method", "layout.context_mode", rotation},
    {"experimental.context_parallel_rotate_method", "layout.context_mode", rotation},
    {"parallelism.expert_parallel_degree", "layout.expert_parallel", WHOLE(layout.expert_parallel, 1)},
    {"parallelism.expert_tensor_parallel_degree", "layout.expert_tensor_parallel",
     WHOLE(layout.expert_tensor_parallel, 1)},
    {"parallelism.pipeline_parallel_schedule", "layout.schedule", titan_schedule},
    {"parallelism.pipeline_parallel_microbatch_size", "layout.micro_batch", WHOLE(layout.micro_batch, 1)},
    {"parallelism.pipeline_parallel_layers_per_stage", "layout.virtual_stages", WHOLE(layers_per_chunk, 1)},
    {"activation_checkpoint.mode", "layout.recompute", checkpointing},
    {"activation_checkpoint.selective_ac_option", "layout.recompute",
     [](Draft&, const Setting& s) { return s.value == "op"; }},
    {"optimizer.name", "recipe.optimizer", take_optimizer},
    {"optimizer.implementation", "recipe.bytes_per_parameter",
     [](Draft& d, const Setting& s) {
         d.bf16_moments = s.value == "fused_opt_states_bf16";
         return d.bf16_moments || s.value == "fused" || s.value == "foreach" || s.value == "for-loop";
     }},
    {"parallelism.enable_async_tensor_parallel", "stack", FLAG(asynchronous)},
    {"float8.recipe_name", "recipe.fp8_recipe", titan_recipe},
    {"quantize.linear.float8.recipe_name", "recipe.fp8_recipe", titan_recipe},
    {"mx.recipe_name", "recipe.fp8_recipe", titan_mx_recipe},
    {"quantize.linear.mx.recipe_name", "recipe.fp8_recipe", titan_mx_recipe},
};

}  // namespace

std::span<const SettingRow> torchtitan_rows() { return torchtitan_table; }

}  // namespace plimsoll::files
