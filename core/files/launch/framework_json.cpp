// A plan as DeepSpeed's configuration and as the arguments of PyTorch's FSDP.
#include "core/files/launch/framework_flags.h"

#include "core/files/text/part.h"

namespace plimsoll::files {

namespace {

// Both wrap a model in plain data parallelism.
void need_data_parallelism_alone(const Scenario& s, const std::string& who, Sentences& cannot) {
    const Layout& l = s.layout;
    if (l.tensor_parallel > 1) cannot.push_back(who + " does not split matrices by itself. Nearest: tensor parallel 1.");
    if (l.pipeline_parallel > 1) cannot.push_back(who + " has no stages by itself. Nearest: pipeline parallel 1.");
    if (l.context_parallel > 1) cannot.push_back(who + " does not split sequences by itself. Nearest: context parallel 1.");
    if (l.expert_parallel > 1) cannot.push_back(who + " does not spread experts by itself. Nearest: expert parallel 1.");
}

void need_known_optimizer(const Scenario& s, const std::string& who, Sentences& cannot) {
    if (preconditions(s.recipe.optimizer)) cannot.push_back(who + " shards no factors of K-FAC or Shampoo. Nearest: adam, adam-8bit, sgd.");
}

const char* optimizer_class(Optimizer o) {
    switch (o) {
        case Optimizer::sgd: return "SGD";
        case Optimizer::adam_8bit: return "Adam8bit";
        case Optimizer::adafactor: return "Adafactor";
        default: return "AdamW";
    }
}

}  // namespace

Sentences beyond_deepspeed(const Scenario& s) {
    Sentences cannot;
    need_data_parallelism_alone(s, "DeepSpeed's configuration", cannot);
    need_known_optimizer(s, "DeepSpeed", cannot);
    if (s.layout.recomputes_some())
        cannot.push_back("DeepSpeed's configuration does not say which layers are recomputed; the model does. Nearest: recomputed layers 0.");
    if (s.recipe.optimizer == Optimizer::adafactor && s.layout.zero_stage > 0)
        cannot.push_back("ZeRO flattens matrices, so Adafactor finds no rows. Nearest: ZeRO stage 0, or adam.");
    return cannot;
}

std::string deepspeed_json(const Scenario& s) {
    const Layout& l = s.layout;
    const Recipe& r = s.recipe;
    OrderedJson zero{{"stage", l.zero_stage}, {"overlap_comm", s.stack.gradient_overlap > 0 || l.zero_stage == 3}};
    // Elements, not bytes; 16-bit gradients.
    if (s.stack.bucket > Bytes{}) zero["reduce_bucket_size"] = (long long)(s.stack.bucket / byte / state_bytes(r).gradients);
    if (l.zero_stage == 3) zero["stage3_gather_16bit_weights_on_model_save"] = true;
    if (l.zero_stage == 3 && l.shard_group > 0) zero["mics_shard_size"] = l.shard_group;
    OrderedJson root{{"train_batch_size", r.global_batch_sequences},
                     {"train_micro_batch_size_per_gpu", l.micro_batch},
                     {"gradient_accumulation_steps", micro_batches(s)},
                     {"zero_optimization", zero}};
    if (r.precision == Precision::bf16) root["bf16"] = {{"enabled", true}};
    if (r.precision == Precision::fp16) root["fp16"] = {{"enabled", true}, {"loss_scale", 0}, {"initial_scale_power", 16}};
    if (r.bytes_per_parameter == 18) root["data_types"] = {{"grad_accum_dtype", "fp32"}};
    if (l.recompute == Recompute::full) root["activation_checkpointing"] = {{"partition_activations", false}};
    if (r.optimizer == Optimizer::adam) root["optimizer"] = {{"type", "AdamW"}};
    return text_of(root);
}

Sentences beyond_fsdp(const Scenario& s) {
    Sentences cannot;
    need_data_parallelism_alone(s, "FSDP", cannot);
    need_known_optimizer(s, "FSDP", cannot);
    if (s.layout.zero_stage == 1) cannot.push_back("FSDP shards gradients with the optimizer's state. Nearest: ZeRO stage 0, 2, 3.");
    if (s.layout.recompute == Recompute::selective && s.stack.selective_share <= 0 && s.stack.attention != Attention::flash)
        cannot.push_back("FSDP's checkpoint wrapper takes whole layers. Nearest: full recompute, or none with fused attention.");
    return cannot;
}

std::string fsdp_json(const Scenario& s) {
    const Layout& l = s.layout;
    const bool hybrid = l.shard_group > 0 && l.shard_group < l.data_parallel;
    const char* strategy = l.zero_stage == 0 ? "NO_SHARD"
                         : l.zero_stage == 2 ? (hybrid ? "_HYBRID_SHARD_ZERO2" : "SHARD_GRAD_OP") : hybrid ? "HYBRID_SHARD" : "FULL_SHARD";
    const char* type = s.recipe.precision == Precision::fp16 ? "float16" : s.recipe.precision == Precision::fp32 ? "float32" : "bfloat16";
    const char* reduce = state_bytes(s.recipe).gradients > 2 ? "float32" : type;
    OrderedJson root{{"sharding_strategy", strategy},
                     {"device_mesh", hybrid ? OrderedJson{l.data_parallel / l.shard_group, l.shard_group} : OrderedJson{l.data_parallel}},
                     {"mixed_precision", {{"param_dtype", type}, {"reduce_dtype", reduce}, {"buffer_dtype", type}}},
                     {"backward_prefetch", "BACKWARD_PRE"},
                     {"limit_all_gathers", true},
                     {"use_orig_params", true},
                     {"activation_checkpointing", l.recompute != Recompute::none},
                     {"micro_batch_size", l.micro_batch},
                     {"gradient_accumulation_steps", micro_batches(s)},
                     {"sequence_length", s.recipe.sequence_length},
                     {"optimizer", optimizer_class(s.recipe.optimizer)},
                     {"steps", training_steps(s)},
                     {"save_interval", save_interval(s)}};
    if (l.recomputes_some()) root["activation_checkpointing_layers"] = l.recompute_layers;  // what check_fn wraps
    return text_of(root);
}

}  // namespace plimsoll::files
