// A plan as torchtitan's TOML and as Megatron-Bridge's YAML.

#include "core/files/launch/framework_flags.h"

#include "core/files/launch/launch.h"
#include "core/files/settings/settings.h"
#include "core/values/basics/phrase.h"
#include "core/values/plan/schedules.h"
#include "core/values/plan/share.h"

#include <algorithm>
#include <map>

namespace plimsoll::files {

namespace {

// ---- torchtitan: shapes as its models define them (torchtitan/models/*/__init__.py, 0.2).
struct TitanModel {
    const char *name, *flavor;
    int layers, hidden, heads, kv_heads, ffn;
};
constexpr TitanModel titan_models[] = {
    {"llama3", "8B", 32, 4096, 32, 8, 14336},
    {"llama3", "70B", 80, 8192, 64, 8, 28672},
    {"llama3", "405B", 126, 16384, 128, 8, 53248},
    {"qwen3", "0.6B", 28, 1024, 16, 8, 3072},
    {"qwen3", "1.7B", 28, 2048, 16, 8, 6144},
    {"qwen3", "4B", 36, 2560, 32, 8, 9728},
    {"qwen3", "8B", 36, 4096, 32, 8, 12288},
    {"qwen3", "14B", 40, 5120, 40, 8, 17408},
    {"qwen3", "32B", 64, 5120, 64, 8, 25600},
    {"deepseek_v3", "16B", 27, 2048, 16, 16, 10944},
    {"deepseek_v3", "236B", 60, 5120, 128, 128, 12288},
    {"deepseek_v3", "671B", 61, 7168, 128, 128, 18432},
    {"llama4", "17bx16e", 48, 5120, 40, 8, 16384},
};

// Of any number of layers: what is cut becomes a flavor of its own.
const TitanModel* titan_model(const Model& m) {
    for (const TitanModel& t : titan_models)
        if (t.hidden == m.hidden && t.heads == m.heads && t.kv_heads == m.kv_heads
            && t.ffn == m.ffn
            && (m.experts.count > 0)
                   == (std::string_view(t.name) == "deepseek_v3" || std::string_view(t.name) == "llama4"))
            return &t;
    return nullptr;
}

// "8B", or "8B-4-layers"; empty: none of torchtitan's models.
std::string titan_flavor(const Model& m) {
    const TitanModel* t = titan_model(m);
    if (!t) return {};
    return t->layers == m.layers ? t->flavor : std::string(t->flavor) + "-" + std::to_string(m.layers) + "-layers";
}

// Ranks that share one sharded copy without those of a sequence, which torchtitan counts apart.
int titan_shards(const Layout& l) {
    if (l.zero_stage == 0) return 1;
    return l.shard_group > 0 ? l.shard_group / l.context_parallel : l.data_parallel;
}

}  // namespace

Sentences beyond_torchtitan(const Scenario& s) {
    const Layout& l = s.layout;
    Sentences cannot;
    const auto demand = [&](bool can, std::string_view why, const auto&... places) {
        if (!can) cannot.push_back(phrase(why, places...));
    };
    demand(titan_model(s.model),
           "torchtitan's files name a model that its code defines: Llama 3 (8B, 70B, 405B), Qwen3, DeepSeek-V3 and "
           "Llama 4 Scout. This one it has not.");
    demand(l.zero_stage != 1,
           "torchtitan shards gradients with the optimizer's state (FSDP2). Nearest: ZeRO stage 0, 2, 3.");
    demand(l.zero_stage > 0 || l.weight_replicas() == 1 || l.context_parallel == 1,
           "torchtitan shards over the ranks of a sequence. Nearest: ZeRO stage 2, 3, or context parallel 1.");
    demand(l.shard_group == 0 || l.shard_group % l.context_parallel == 0,
           "torchtitan's shards span whole sequences. Nearest: shard group a multiple of context parallel {1}.",
           l.context_parallel);
    demand(l.tensor_parallel == 1 || l.sequence_parallel,
           "torchtitan's tensor parallelism splits the sequence as well. Nearest: sequence parallel.");
    demand(!l.on_grid(), "{1} splits matrices in one dimension. Nearest: tensor mode 1d.",
           title_of(Framework::torchtitan));
    demand(l.context_parallel == 1 || l.context_mode == ContextMode::ring
               || l.context_mode == ContextMode::all_gather,
           "torchtitan gathers keys and values or passes them round a ring. Nearest: context mode all_gather, ring.");
    demand(schedule_kind(l.schedule).needs <= ScheduleSet::v && !schedule_kind(l.schedule).pairs
               && l.micro_batch_group == 0,
           "torchtitan has GPipe, 1F1B, Interleaved1F1B, ZBVZeroBubble and DualPipeV. Nearest: 1f1b, zb-v.");
    demand(!recomputes_by_module(s), "torchtitan recomputes no list of modules. Nearest: core_attn alone.");
    demand(!l.recomputes_some(), "torchtitan recomputes in every layer. Nearest: recomputed layers 0.");
    demand(l.pipeline_parallel == 1 || s.model.layers % (l.pipeline_parallel * l.virtual_stages) == 0,
           "torchtitan's layers per stage are equal here. Nearest: stages that divide the {1} layers.",
           s.model.layers);
    demand(!l.offload.any(), "torchtitan's file asks for no offloading here. Nearest: everything on the device.");
    demand(s.recipe.precision != Precision::fp16, "torchtitan scales no loss. Nearest: bf16.");
    const Fp8Recipe scales = s.recipe.fp8_recipe;
    demand(s.recipe.precision != Precision::fp8 || scales == Fp8Recipe::tensorwise || scales == Fp8Recipe::rowwise
               || scales == Fp8Recipe::mxfp8,
           "torchtitan's float8 has one scale a tensor or a row, or MX's. Nearest: fp8 recipe tensorwise, rowwise, "
           "mxfp8.");
    demand(!s.model.wide.any(), "torchtitan's file names no layers that keep 16 bits. Nearest: 0 of them.");
    demand(s.recipe.optimizer == Optimizer::adam, "torchtitan's file knows Adam and AdamW. Nearest: adam.");
    const StateFormat& states = s.recipe.state_format;
    demand(states.same_formats(StateFormat::fp32_moments) || states.same_formats(StateFormat::all_16bit)
               || states.same_formats(StateFormat::master_weights),
           "torchtitan keeps 16 bytes per parameter, 12 with moments in bf16, or 8 all in 16 bits. Nearest: 8, 12, "
           "16.");
    demand(l.secondary_shard <= 1,
           "torchtitan gathers weights again among all ranks, or keeps them. Nearest: secondary shard 0, 1.");
    return cannot;
}

std::string torchtitan_flavor(const Scenario& s) {
    const TitanModel* model = titan_model(s.model);
    if (!model || model->layers == s.model.layers) return {};
    const std::string dense = s.model.experts.dense_layers > 0
                                  ? ", n_dense_layers=" + std::to_string(s.model.experts.dense_layers)
                                  : std::string();
    return std::string("from dataclasses import replace\n\n"
                       "from torchtitan.protocols.train_spec import get_train_spec\n\n"
                       "sizes = get_train_spec(\"")
         + model->name + "\").model_args\nsizes[\"" + titan_flavor(s.model) + "\"] = replace(sizes[\"" + model->flavor
         + "\"], n_layers=" + std::to_string(s.model.layers) + dense + ")\n";
}

std::string torchtitan_toml(const Scenario& s, bool timed) {
    const Layout& l = s.layout;
    const Recipe& r = s.recipe;
    const TitanModel* model = titan_model(s.model);
    const auto n = [](long long value) { return std::to_string(value); };
    const auto quoted = [](const std::string& word) { return "\"" + word + "\""; };
    const bool pipeline = l.pipeline_parallel > 1;
    const int shards = titan_shards(l);
    std::string t;
    const auto group = [&](const char* name) { t += (t.empty() ? "[" : "\n[") + std::string(name) + "]\n"; };
    const auto add = [&](const char* key, const std::string& value) { t += std::string(key) + " = " + value + "\n"; };
    group("model");
    add("name", quoted(model ? model->name : ""));
    add("flavor", quoted(titan_flavor(s.model)));
    const bool mx = r.fp8_recipe == Fp8Recipe::mxfp8;
    if (r.precision == Precision::fp8) add("converters", mx ? "[\"mx\"]" : "[\"float8\"]");
    group("training");
    add("local_batch_size", n(pipeline ? 1LL * l.micro_batch * micro_batches(s) : l.micro_batch));
    add("global_batch_size", n(r.global_batch_sequences));
    add("seq_len", n(r.sequence_length));
    add("steps", n(training_steps(s)));
    if (r.state_format.same_formats(StateFormat::all_16bit) && r.precision != Precision::fp32)
        add("dtype", quoted("bfloat16"));
    add("mixed_precision_param", quoted(r.precision == Precision::fp32 ? "float32" : "bfloat16"));
    add("mixed_precision_reduce", quoted("float32"));
    group("parallelism");
    add("data_parallel_replicate_degree", n(l.data_parallel / std::max(1, shards)));
    add("data_parallel_shard_degree", n(shards));
    const bool reshards = l.zero_stage == 3 && l.secondary_shard == 0;
    if (l.zero_stage > 0) add("fsdp_reshard_after_forward", quoted(reshards ? "always" : "never"));
    add("tensor_parallel_degree", n(l.tensor_parallel));
    add("context_parallel_degree", n(l.context_parallel));
    if (l.context_parallel > 1)
        add("context_parallel_rotate_method", quoted(l.context_mode == ContextMode::ring ? "alltoall" : "allgather"));
    add("pipeline_parallel_degree", n(l.pipeline_parallel));
    if (pipeline) {
        add("pipeline_parallel_schedule", quoted(l.schedule == Schedule::gpipe         ? "GPipe"
                                                 : l.schedule == Schedule::interleaved ? "Interleaved1F1B"
                                                 : l.schedule == Schedule::zb_v        ? "ZBVZeroBubble"
                                                 : l.schedule == Schedule::dualpipe_v  ? "DualPipeV"
                                                                                       : "1F1B"));
        add("pipeline_parallel_microbatch_size", n(l.micro_batch));
        add("pipeline_parallel_layers_per_stage", n(s.model.layers / (l.pipeline_parallel * l.virtual_stages)));
        add("pipeline_parallel_first_stage_less_layers", "0");
        add("pipeline_parallel_last_stage_less_layers", "0");
    }
    if (has_experts(s.model)) {
        add("expert_parallel_degree", n(l.expert_parallel));
        add("expert_tensor_parallel_degree", n(l.expert_tensor_parallel));
    }
    group("activation_checkpoint");
    add("mode", quoted(l.recompute == Recompute::full        ? "full"
                       : l.recompute == Recompute::selective ? "selective"
                                                             : "none"));
    if (l.recompute == Recompute::selective) add("selective_ac_option", quoted("op"));
    group("compile");
    add("enable", s.stack.memory.eager_layers ? "false" : "true");
    if (r.precision == Precision::fp8) {
        group(mx ? "quantize.linear.mx" : "quantize.linear.float8");
        add("recipe_name", quoted(mx                                     ? "mxfp8_cublas"
                                  : r.fp8_recipe == Fp8Recipe::rowwise ? "rowwise"
                                                                       : "tensorwise"));
    }
    group("optimizer");
    add("name", quoted("AdamW"));
    if (r.state_format.same_formats(StateFormat::master_weights) && r.precision != Precision::fp32)
        add("implementation", quoted("fused_opt_states_bf16"));
    group("checkpoint");
    add("enable", timed ? "false" : "true");
    if (!timed) add("interval", n(save_interval(s)));
    if (timed) {
        group("metrics");
        add("log_freq", "1");
    }
    if (!torchtitan_flavor(s).empty()) {
        group("experimental");
        add("custom_import", quoted(std::string(titan_flavor_module)));
    }
    return t;
}

// ---- Megatron-Bridge

namespace {

// Where a switch of Megatron-LM stands in Bridge's configuration, what it means there, and what its absence means: a
// recipe may have set the opposite. Those of mixed_precision are written where no recipe has the plan's formats, over
// one that has all of them off.
struct BridgeRow {
    const char *flag, *group, *key;
    const char *on = nullptr, *off = nullptr;  // for switches; null: the flag's own value, or nothing
};
constexpr const char *formats_group = "mixed_precision", *data_group = "dataset";
constexpr BridgeRow bridge_rows[] = {
    {"--bf16", formats_group, "bf16", "true"},
    {"--fp8-format", formats_group, "fp8"},
    {"--fp8-recipe", formats_group, "fp8_recipe"},
    {"--fp4-format", formats_group, "fp4"},
    {"--fp4-recipe", formats_group, "fp4_recipe"},
    {"--fp8-param-gather", formats_group, "fp8_param_gather", "true"},
    {"--fp4-param-gather", formats_group, "fp4_param_gather", "true"},
    {"--reuse-grad-buf-for-mxfp8-param-ag", formats_group, "reuse_grad_buf_for_mxfp8_param_ag", "true"},
    {"--first-last-layers-bf16", formats_group, "first_last_layers_bf16", "true"},
    {"--num-layers-at-start-in-bf16", formats_group, "num_layers_at_start_in_bf16"},
    {"--num-layers-at-end-in-bf16", formats_group, "num_layers_at_end_in_bf16"},
    {"--num-layers", "model", "num_layers"},
    {"--hidden-size", "model", "hidden_size"},
    {"--ffn-hidden-size", "model", "ffn_hidden_size"},
    {"--num-attention-heads", "model", "num_attention_heads"},
    {"--kv-channels", "model", "kv_channels"},
    {"--num-query-groups", "model", "num_query_groups"},
    {"--seq-length", "model", "seq_length"},
    {"--max-position-embeddings", "model", "max_position_embeddings"},
    {"--vocab-size", "model", "vocab_size"},
    {"--make-vocab-size-divisible-by", "model", "make_vocab_size_divisible_by"},
    {"--position-embedding-type", "model", "position_embedding_type"},
    {"--untie-embeddings-and-output-weights", "model", "share_embeddings_and_output_weights", "false", "true"},
    {"--normalization", "model", "normalization", nullptr, "LayerNorm"},
    {"--swiglu", "model", "gated_linear_unit", "true", "false"},
    {"--disable-bias-linear", "model", "add_bias_linear", "false", "true"},
    {"--add-qkv-bias", "model", "add_qkv_bias", "true", "false"},
    {"--qk-layernorm", "model", "qk_layernorm", "true", "false"},
    {"--attention-dropout", "model", "attention_dropout", nullptr, "0.1"},
    {"--hidden-dropout", "model", "hidden_dropout", nullptr, "0.1"},
    {"--num-experts", "model", "num_moe_experts"},
    {"--moe-router-topk", "model", "moe_router_topk"},
    {"--moe-ffn-hidden-size", "model", "moe_ffn_hidden_size"},
    {"--moe-shared-expert-intermediate-size", "model", "moe_shared_expert_intermediate_size"},
    {"--moe-layer-freq", "model", "moe_layer_freq"},
    {"--moe-expert-capacity-factor", "model", "moe_expert_capacity_factor"},
    {"--moe-pad-expert-input-to-capacity", "model", "moe_pad_expert_input_to_capacity", "true", "false"},
    {"--moe-expert-rank-capacity-factor", "model", "moe_expert_rank_capacity_factor"},
    {"--moe-router-enable-expert-bias", "model", "moe_router_enable_expert_bias", "true", nullptr},
    {"--moe-token-dispatcher-type", "model", "moe_token_dispatcher_type"},
    {"--moe-grouped-gemm", "model", "moe_grouped_gemm", "true", nullptr},
    {"--expert-model-parallel-size", "model", "expert_model_parallel_size"},
    {"--expert-tensor-parallel-size", "model", "expert_tensor_parallel_size"},
    {"--multi-latent-attention", "model", "multi_latent_attention", "true", nullptr},
    {"--q-lora-rank", "model", "q_lora_rank"},
    {"--kv-lora-rank", "model", "kv_lora_rank"},
    {"--qk-head-dim", "model", "qk_head_dim"},
    {"--qk-pos-emb-head-dim", "model", "qk_pos_emb_head_dim"},
    {"--v-head-dim", "model", "v_head_dim"},
    {"--tensor-model-parallel-size", "model", "tensor_model_parallel_size"},
    {"--pipeline-model-parallel-size", "model", "pipeline_model_parallel_size"},
    {"--num-virtual-stages-per-pipeline-rank", "model", "virtual_pipeline_model_parallel_size", nullptr, "null"},
    {"--pipeline-model-parallel-layout", "model", "pipeline_model_parallel_layout", nullptr, "null"},
    {"--microbatch-group-size-per-virtual-pipeline-stage", "model", "microbatch_group_size_per_vp_stage", nullptr,
     "null"},
    {"--overlap-moe-expert-parallel-comm", "comm_overlap", "overlap_moe_expert_parallel_comm", "true", nullptr},
    {"--context-parallel-size", "model", "context_parallel_size", nullptr, "1"},
    {"--cp-comm-type", "model", "cp_comm_type"},
    {"--hierarchical-context-parallel-sizes", "model", "hierarchical_context_parallel_sizes", nullptr, "null"},
    {"--sequence-parallel", "model", "sequence_parallel", "true", "false"},
    {"--account-for-embedding-in-pipeline-split", "model", "account_for_embedding_in_pipeline_split", "true", "false"},
    {"--account-for-loss-in-pipeline-split", "model", "account_for_loss_in_pipeline_split", "true", "false"},
    {"--decoder-first-pipeline-num-layers", "model", "num_layers_in_first_pipeline_stage", nullptr, "null"},
    {"--decoder-last-pipeline-num-layers", "model", "num_layers_in_last_pipeline_stage", nullptr, "null"},
    {"--recompute-granularity", "model", "recompute_granularity", nullptr, "null"},
    {"--recompute-modules", "model", "recompute_modules", nullptr, "null"},
    {"--recompute-method", "model", "recompute_method", nullptr, "null"},
    {"--recompute-num-layers", "model", "recompute_num_layers", nullptr, "null"},
    {"--fine-grained-activation-offloading", "model", "fine_grained_activation_offloading", "true", "false"},
    {"--offload-modules", "model", "offload_modules", nullptr, "null"},
    {"--activation-offload-fraction", "model", "activation_offload_fraction", nullptr, "1.0"},
    {"--attention-backend", "model", "attention_backend"},
    {"--train-iters", "train", "train_iters"},
    {"--global-batch-size", "train", "global_batch_size"},
    {"--micro-batch-size", "train", "micro_batch_size"},
    {"--optimizer", "optimizer", "optimizer"},
    {"--optimizer-cpu-offload", "optimizer", "optimizer_cpu_offload", "true", nullptr},
    {"--optimizer-offload-fraction", "optimizer", "optimizer_offload_fraction"},
    {"--overlap-cpu-optimizer-d2h-h2d", "optimizer", "overlap_cpu_optimizer_d2h_h2d", "true", nullptr},
    {"--use-distributed-optimizer", "ddp", "use_distributed_optimizer", "true", "false"},
    {"--num-distributed-optimizer-instances", "ddp", "num_distributed_optimizer_instances"},
    {"--overlap-grad-reduce", "ddp", "overlap_grad_reduce", "true", "false"},
    {"--overlap-param-gather", "ddp", "overlap_param_gather", "true", "false"},
    {"--accumulate-allreduce-grads-in-fp32", "ddp", "grad_reduce_in_fp32", "true", "false"},
    {"--reset-position-ids", data_group, "reset_position_ids", "true", nullptr},
    {"--reset-attention-mask", data_group, "reset_attention_mask", "true", nullptr},
    {"--save-interval", "checkpoint", "save_interval"},
};
// The format of products is one word in Bridge, and whether heads are grouped follows from their number. It asks for no
// precision-aware optimizer where CPUs update.
constexpr std::string_view said_otherwise[] = {"--fp16", "--grad-reduce-in-bf16", "--group-query-attention",
                                               "--squared-relu", "--use-precision-aware-optimizer"};

const char* bridge_precision(const Recipe& r) {
    if (r.precision == Precision::fp16) return "fp16_mixed";
    if (r.precision != Precision::fp8) return "bf16_mixed";
    switch (r.fp8_recipe) {
        case Fp8Recipe::nvfp4:
            return "bf16_with_nvfp4_mixed";
        case Fp8Recipe::mxfp8:
            return "bf16_with_mxfp8_mixed";
        case Fp8Recipe::blockwise:
            return "bf16_with_fp8_subchannel_scaling_mixed";
        case Fp8Recipe::tensorwise:
            return "bf16_with_fp8_current_scaling_mixed";
        default:
            return "bf16_with_fp8_delayed_scaling_mixed";
    }
}

// Its recipes keep converted weights alone but for blocks, and with scales of whole tensors the first and last layer in
// 16 bits (training/mixed_precision.py).
bool as_bridge_recipes(const Scenario& s) {
    const Recipe& r = s.recipe;
    if (r.precision != Precision::fp8) return true;
    const int ends = r.fp8_recipe == Fp8Recipe::tensorwise ? 1 : 0;
    return r.converted_weights_alone == (r.fp8_recipe != Fp8Recipe::blockwise) && r.gathers_into_gradients
        && s.model.wide == WideLayers{ends, ends, false};
}

std::string as_list(const std::vector<int>& values) {
    std::string text = "[";
    for (const int v : values) text += (text.size() > 1 ? ", " : "") + std::to_string(v);
    return text + "]";
}

}  // namespace

Sentences beyond_bridge(const Scenario& s) {
    Sentences cannot = beyond_megatron(s, title_of(Framework::bridge));
    if (s.recipe.precision == Precision::fp32)
        cannot.push_back(phrase("Megatron-Bridge's recipes train in mixed precision. Nearest: bf16."));
    if (s.model.activation == Activation::squared_relu)
        cannot.push_back(
            phrase("Megatron-Bridge takes an activation function of its own from the recipe, not from a file."));
    for (const std::string& why : beyond_bridge_tuning(s)) cannot.push_back(why);
    for (const Argument& a : megatron_flags(s))
        if (std::ranges::none_of(bridge_rows, [&](const BridgeRow& row) { return a.name == row.flag; })
            && std::ranges::find(said_otherwise, a.name) == std::end(said_otherwise))
            cannot.push_back(phrase("Megatron-Bridge's configuration has no word for {1}.", a.name));
    return cannot;
}

namespace {

// "[moe_act, layernorm]" of words with a space between them.
std::string yaml_list(const std::string& words) {
    std::string list = "[";
    for (const char c : words) list += c == ' ' ? ", " : std::string(1, c);
    return list + ']';
}

}  // namespace

std::string bridge_yaml(const Scenario& s) {
    std::map<std::string, std::string> flags;
    for (const Argument& a : megatron_flags(s)) flags[a.name] = a.several ? yaml_list(a.value) : a.value;
    std::string text = comment_line("Over a recipe of the model's family, whose activation function it keeps.");
    const bool as_recipe = as_bridge_recipes(s), tunes_weights = tunes(s.method);
    if (as_recipe) text += "mixed_precision: " + std::string(bridge_precision(s.recipe)) + "\n";
    else
        text += comment_line("Its mixed_precision has to be the object of get_mixed_precision_config(\"bf16_mixed\"): "
                             "no recipe has the plan's number formats.");
    std::string group;
    for (const BridgeRow& row : bridge_rows) {
        // A recipe's word says its formats, and rows of examples are said with the data.
        if ((as_recipe && row.group == formats_group) || (tunes_weights && row.group == data_group)) continue;
        const auto found = flags.find(row.flag);
        std::string value = found == flags.end() ? (row.off ? row.off : "") : row.on ? row.on : found->second;
        if (std::string_view(row.key) == "num_query_groups" && value.empty()) value = std::to_string(s.model.heads);
        if (value.empty()) continue;
        if (const auto layers = list_of(value)) value = as_list(*layers);   // Megatron-LM calculates, YAML does not
        if (group != row.group) text += (group = row.group) + ":\n";
        text += "  " + std::string(row.key) + ": " + value + "\n";
    }
    if (!tunes_weights) return text;
    if (group != "checkpoint") text += "checkpoint:\n";
    return text + "  pretrained_checkpoint: FILL_IN\n" + bridge_data(s) + bridge_adapters(s);
}

}  // namespace plimsoll::files
