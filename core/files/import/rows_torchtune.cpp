// What settings of torchtune's YAML mean. Every recipe goes on from weights that are there.
#include "core/files/import/setting_rows.h"

#include "core/files/import/setting_names.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"

namespace plimsoll::files {

namespace {

// "torchtune.models.llama3_1.qlora_llama3_1_8b": a builder, whose name says what is trained.
bool model_component(PlanDraft& d, const Setting& s) {
    const std::string name = leaf_of(s.value);
    const bool quantised = name.starts_with("qlora_");
    d.adapters = quantised || name.starts_with("lora_");
    if (quantised) d.frozen_bits = 4, d.frozen_by = s.value;
    d.model_name = name.substr(*d.adapters ? name.find('_') + 1 : 0);
    d.from_weights = true;
    return s.value.starts_with("torchtune.models.");
}

bool quantised_base(PlanDraft& d, const Setting& s) {
    if (flag_said(s)) d.frozen_bits = 4, d.frozen_by = s.key;
    return flag_of(s.value).has_value();
}

// Matrices of attention by name, those of the feed-forward block all together.
bool attention_matrices(PlanDraft& d, const Setting& s) {
    const AdaptedMatrices before = d.method.adapted;
    const bool known = take_adapted(d, s);
    AdaptedMatrices& a = d.method.adapted;
    a.gate = before.gate, a.up = before.up, a.down = before.down;
    return known;
}
bool block_matrices(PlanDraft& d, const Setting& s) {
    AdaptedMatrices& a = d.method.adapted;
    a.gate = a.up = a.down = flag_said(s);
    return flag_of(s.value).has_value();
}

// Weights, gradients and moments have it, without any that are wider.
bool type_of_all(PlanDraft& d, const Setting& s) {
    d.all_in_16_bits = s.value == "bf16";
    return (d.all_in_16_bits || s.value == "fp32") && take_precision(d, s);
}

bool optimizer_component(PlanDraft& d, const Setting& s) {
    Setting leaf = s;
    leaf.value = leaf_of(s.value);
    const bool on_host = leaf.value == "CPUOffloadOptimizer";
    if (on_host) d.layout.offload.optimizer = Tier::host, d.recipe.optimizer = Optimizer::adam;
    return on_host || take_optimizer(d, leaf);
}

bool loss_component(PlanDraft& d, const Setting& s) {
    const bool in_pieces =
        s.value.find("ChunkedOutput") != s.value.npos || s.value.find("LinearCrossEntropy") != s.value.npos;
    if (d.loss_chunks == 0) d.loss_chunks = in_pieces ? 8 : 1;
    return in_pieces || s.value.find("CrossEntropyLoss") != s.value.npos || s.value.find("rlhf.loss.") != s.value.npos;
}

bool reshards_after_forward(PlanDraft& d, const Setting& s) {
    d.layout.zero_stage = flag_said(s) ? 3 : 2;
    return flag_of(s.value).has_value();
}

constexpr SettingRow torchtune_table[] = {
    {"model._component_", "model", model_component},
    {"model.lora_attn_modules", "method.adapted.q_proj", attention_matrices},
    {"model.apply_lora_to_mlp", "method.adapted.gate_proj", block_matrices},
    {"model.apply_lora_to_output", "method.adapted.q_proj", take_adapted_head},
    {"model.lora_rank", "method.rank", WHOLE(method.rank, 1)},
    {"model.lora_dropout", "method.adapter_dropout", take_adapter_dropout},
    {"model.use_dora", "method.magnitudes", take_dora},
    {"model.quantize_base", "method.frozen", quantised_base},
    {"tokenizer.max_seq_len", "recipe.sequence_length", WHOLE(recipe.sequence_length, 1)},
    {"dataset.packed", "recipe.rows", take_packed},
    {"batch_size", "layout.micro_batch", WHOLE(layout.micro_batch, 1)},
    {"gradient_accumulation_steps", "layout.data_parallel", WHOLE(accumulated, 1)},
    {"epochs", "recipe.tokens", NUMBER(epochs)},
    {"max_steps_per_epoch", "recipe.tokens", NUMBER(steps_of_epoch)},
    {"dtype", "recipe.precision", type_of_all},
    {"optimizer._component_", "recipe.optimizer", optimizer_component},
    {"optimizer_in_bwd", "recipe.updates_in_backward", FLAG(recipe.updates_in_backward)},
    {"loss._component_", "stack.loss_chunks", loss_component},
    {"loss.num_output_chunks", "stack.loss_chunks", WHOLE(loss_chunks, 1)},
    {"compile", "stack", FLAG(compiled)},
    {"enable_activation_checkpointing", "layout.recompute", IF_ON(d.layout.recompute = Recompute::full)},
    {"enable_activation_offloading", "layout.offload.activations", take_offloaded_activations},
    {"fsdp_cpu_offload", "layout.offload.weights",
     IF_ON(d.layout.offload.weights = d.layout.offload.gradients = d.layout.offload.optimizer = Tier::host)},
    {"fsdp_reshard_after_forward", "layout.zero_stage", reshards_after_forward},
    {"tensor_parallel_dim", "layout.tensor_parallel", WHOLE(layout.tensor_parallel, 1)},
    {"context_parallel_dim", "layout.context_parallel", WHOLE(layout.context_parallel, 1)},
    {"data_parallel_shard_dim", "layout.shard_group", WHOLE_OR_REST(shards)},
    {"data_parallel_replicate_dim", "layout.shard_group", WHOLE_OR_REST(replicas)},
};

}  // namespace

std::span<const SettingRow> torchtune_rows() { return torchtune_table; }

}  // namespace plimsoll::files
