// What settings of Megatron-LM, NeMo, Megatron-Bridge and Primus mean: they share their names.
#include "core/files/import/setting_rows.h"

#include "core/values/basics/names.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/ranges.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>

namespace plimsoll::files {

namespace {

using Draft = PlanDraft;

bool positions(Draft& d, const Setting& s) {
    const std::string word = lower_case(s.value);
    if (word == "rope" || word == "rotary" || word == "yarn" || word == "mrope") d.model.positions = Positions::rotary;
    else if (word == "learned_absolute" || word == "learned") d.model.positions = Positions::learned;
    else if (word == "alibi") d.model.positions = Positions::alibi;
    else if (word == "none") d.model.positions = Positions::none;
    else return false;
    return true;
}

// What a run prints of a setting that nobody set.
bool unset(const Setting& s) { return s.value.empty() || s.value == "None" || s.value == "null"; }

// Of the half layers that Megatron's hybrids know.
bool hybrid_pattern(Draft& d, const Setting& s) {
    if (unset(s)) return true;
    const std::string known = "M*+G-E";
    const std::string main = s.value.substr(0, s.value.find('/'));
    const auto read = pattern_by_stage(main);
    const auto knows = [&](std::string_view letters) {
        return !letters.empty() && letters.find_first_not_of(known) == letters.npos;
    };
    if (!read || !knows(read->pattern)) return false;
    for (std::size_t at = s.value.find('/'); at != s.value.npos; at = s.value.find('/', at + 1))
        if (!knows(std::string_view(s.value).substr(at + 1, s.value.find('/', at + 1) - at - 1))) return false;
    d.hybrid_pattern = s.value;
    d.model.layers = int(read->pattern.size());
    d.layout.stages = read->stages;
    return true;
}

bool norm(Draft& d, const Setting& s) {
    const std::string word = lower_case(s.value);
    if (word == "rmsnorm" || word == "rms_norm") d.model.norm = Norm::rms_norm;
    else if (word == "layernorm" || word == "layernorm1p" || word == "layer_norm") d.model.norm = Norm::layer_norm;
    else return false;
    return true;
}

bool switched(bool& field, const Setting& s, bool on_means) {
    bool value = false;
    if (!take_flag(value, s)) return false;
    field = value ? on_means : !on_means;
    return true;
}

bool activation_if(Draft& d, const Setting& s, Activation a) {
    bool on = false;
    if (!take_flag(on, s)) return false;
    if (on) d.model.activation = a;
    return true;
}

bool biases(Draft& d, const Setting& s, bool on_means) {
    bool on = false;
    if (!switched(on, s, on_means)) return false;
    d.model.qkv_bias = d.model.out_bias = d.model.mlp_bias = on;
    return true;
}

bool recompute(Draft& d, const Setting& s) {
    const std::string word = lower_case(s.value);
    if (word == "full") d.layout.recompute = Recompute::full;
    else if (word == "selective") d.layout.recompute = Recompute::selective;
    else return false;
    return true;
}

bool turn(Draft& d, const Setting& s) { return unset(s) || take_whole(d.layout.micro_batch_group, s, 1); }

// Modules by name, in whatever brackets, beside those already listed; null is `usual`. Those that no plan knows are
// told as not understood.
template <class Modules, class Rows>
bool take_modules(Modules& listed, const Modules& usual, const Rows& rows, const Setting& s) {
    bool all_known = true;
    std::string word;
    for (const char c : s.value + ' ') {
        if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
            word += c;
            continue;
        }
        if (word.empty()) continue;
        const auto row = std::ranges::find(rows, word, [](const auto& r) { return r.name; });
        if (row != std::end(rows)) listed.*row->listed = true;
        else if (word != "null" && word != "None") all_known = false;
        else listed = usual;
        word.clear();
    }
    return all_known;
}

bool recompute_modules(Draft& d, const Setting& s) {
    d.layout.recompute_modules = {.core_attn = false};
    return take_modules(d.layout.recompute_modules, {}, module_rows, s);
}

bool offload_modules(Draft& d, const Setting& s) {
    d.layout.offload.modules = {};
    return take_modules(d.layout.offload.modules, {}, sent_module_rows, s);
}

// Megatron sends all that is listed unless it is told a fraction.
bool offload_by_module(Draft& d, const Setting& s) {
    d.layout.offload.activations = flag_said(s) ? Tier::host : Tier::device;
    d.layout.offload.solve_share = !flag_said(s);
    return flag_of(s.value).has_value() || s.value.empty();
}

bool recompute_method(Draft& d, const Setting& s) {
    if (s.value == "uniform") d.layout.recompute_layers = 0;
    return s.value == "uniform" || s.value == "block";
}

bool precision_if(Draft& d, const Setting& s, Precision p) {
    bool on = false;
    if (!take_flag(on, s)) return false;
    if (on && d.recipe.precision != Precision::fp8) d.recipe.precision = p;
    return true;
}

bool fp8(Draft& d, const Setting& s) {
    const std::string word = lower_case(s.value);
    if (word != "hybrid" && word != "e4m3" && !flag_of(word)) return false;
    if (flag_of(word).value_or(true)) d.recipe.precision = Precision::fp8;
    return true;
}

bool fp4(Draft& d, const Setting& s) {
    const std::string word = lower_case(s.value);
    if (word != "e2m1" && !flag_of(word)) return false;
    if (!flag_of(word).value_or(true)) return true;
    d.recipe.precision = Precision::fp8;
    d.recipe.fp8_recipe = Fp8Recipe::nvfp4;
    return true;
}

bool fp8_recipe(Draft& d, const Setting& s) {
    const auto recipe = from_name<Fp8Recipe>(lower_case(s.value));
    if (recipe) d.recipe.fp8_recipe = *recipe;
    return recipe.has_value();
}

// --fp8-param-gather and --fp4-param-gather; Bridge writes false where its recipe says true.
bool weights_alone(Draft& d, const Setting& s) { return take_flag(d.recipe.converted_weights_alone, s); }

// What Bridge's recipes say beside the format (training/mixed_precision.py); single settings after it say otherwise.
bool bridge_recipe(Draft& d, const Setting& s) {
    if (!take_precision(d, s)) return false;
    const std::string word = lower_case(s.value);
    const auto has = [&](const char* part) { return word.find(part) != std::string::npos; };
    if (!has("_with_") || d.recipe.precision != Precision::fp8) return true;
    d.recipe.converted_weights_alone = !has("subchannel");
    d.reuses_gradients = has("mxfp8");
    d.wide_ends = has("current_scaling") || has("nemotron_3_super");
    d.wide_first = has("current_scaling") ? 1 : 0;
    d.wide_last = has("nemotron_3_super") ? 14 : d.wide_first;
    return true;
}

bool zero_if(Draft& d, const Setting& s, int stage) {
    bool on = false;
    if (!take_flag(on, s)) return false;
    if (on) d.layout.zero_stage = std::max(d.layout.zero_stage, stage);
    return true;
}

bool sharding_strategy(Draft& d, const Setting& s) {
    if (s.value == "no_shard") return true;
    const int stage = s.value == "optim" ? 1 : s.value == "optim_grads" ? 2 : s.value == "optim_grads_params" ? 3 : 0;
    d.fsdp_stage = stage;
    return stage > 0;
}

bool context_exchange(Draft& d, const Setting& s) {
    if (s.value == "p2p") d.layout.context_mode = ContextMode::ring;
    else if (s.value == "a2a") d.layout.context_mode = ContextMode::ulysses;
    else if (s.value == "all_gather") d.layout.context_mode = ContextMode::all_gather;
    else if (s.value == "a2a+p2p") d.layout.context_mode = ContextMode::ulysses_ring;
    else return false;
    return true;
}

// "2 4" or [2, 4]: ranks that exchange heads, and groups of them in a ring.
bool hierarchy(Draft& d, const Setting& s) {
    if (unset(s)) return true;
    int sizes[2] = {}, count = 0;
    for (std::size_t at = 0; at < s.value.size(); ++at) {
        if (s.value[at] < '0' || s.value[at] > '9') continue;
        const std::size_t end = std::min(s.value.size(), s.value.find_first_not_of("0123456789", at));
        const auto size = whole_of(s.value.substr(at, end - at));
        if (count == 2 || !size || *size < 1 || *size > ranges::degree.high) return false;
        sizes[count++] = int(*size);
        at = end;
    }
    if (count < 2) return false;
    d.layout.ulysses_ranks = sizes[0];
    return true;
}

bool fp32_sums(Draft& d, const Setting& s) {
    bool on = false;
    if (!take_flag(on, s)) return false;
    d.sums_in_fp32 = on;
    return true;
}
bool sums_in_16(Draft& d, const Setting& s) { return take_flag(d.tells_16_bits, s); }

// "bf16", "torch.bfloat16".
bool moment_format(MomentFormat& format, const Setting& s) {
    const std::string word = lower_case(s.value);
    const auto has = [&](const char* part) { return word.find(part) != word.npos; };
    if (has("bf16") || has("bfloat16")) format = MomentFormat::bf16;
    else if (has("fp16") || has("float16")) format = MomentFormat::fp16;
    else if (has("fp8") || has("uint8")) format = MomentFormat::fp8;
    else if (has("fp32") || has("float32")) format = MomentFormat::fp32;
    else return false;
    return true;
}

bool main_gradients(Draft& d, const Setting& s) {
    MomentFormat format{};
    if (!moment_format(format, s) || format == MomentFormat::fp8) return false;
    d.tells_16_bits = d.tells_16_bits || format != MomentFormat::fp32;
    return true;
}

bool main_weights(Draft& d, const Setting& s) {
    MomentFormat format{};
    if (!moment_format(format, s)) return false;
    d.master = format == MomentFormat::fp16 ? MasterFormat::fp16 : MasterFormat::fp32;
    return format == MomentFormat::fp16 || format == MomentFormat::fp32;
}

bool capacity(Draft& d, const Setting& s) {
    const auto factor = number_of(s.value);
    if (factor) d.model.experts.capacity = *factor;
    return factor.has_value() && *factor >= 0 && *factor <= 1000;
}

bool rank_capacity(Draft& d, const Setting& s) {
    if (unset(s)) return true;
    const auto factor = number_of(s.value);
    if (factor) d.model.experts.rank_capacity = *factor;
    return factor.has_value() && *factor >= 0 && *factor <= 1000;
}

// Where the tokenizer says the vocabulary.
bool padded_vocabulary(Draft& d, const Setting& s) {
    return d.said.contains("model.vocabulary") || take_whole(d.model.vocabulary, s);
}

bool model_name(Draft& d, const Setting& s) {
    d.model_name = s.value;
    return true;
}

// Only where something is asked for that keeps states elsewhere.
bool nothing_offloaded(Draft&, const Setting& s) { return !flag_said(s); }

// Bridge packs sequences into one of so many tokens (packed_sequence_specs, later offline_packing_specs); -1 and 0: it
// does not.
bool packed_sequences(Draft& d, const Setting& s) {
    const auto tokens = number_of(s.value);
    d.documents_apart = tokens && *tokens > 0;
    return tokens.has_value();
}

// {"mode": "distribution", "type": "lognormal", "mean_seq_len": 4096, "lognormal_sigma": 1.1, ...}, from between the
// shortest and the longest. A list of lengths in another file is not read.
bool lengths_of_documents(Draft& d, const Setting& s) {
    const auto number = [&](std::string_view key) -> std::optional<double> {
        const auto at = s.value.find(key);
        if (at == s.value.npos) return std::nullopt;
        const auto begin = s.value.find_first_of("0123456789", at + key.size());
        if (begin == s.value.npos) return std::nullopt;
        return number_of(s.value.substr(begin, s.value.find_first_not_of("0123456789.", begin) - begin));
    };
    const auto mean = number("mean_seq_len");
    d.documents_apart = true;
    if (!mean || *mean < ranges::document.low || *mean > ranges::document.high) return false;
    d.recipe.document_length = *mean;
    const double sigma = number("lognormal_sigma").value_or(0);
    d.recipe.document_variation = std::min(ranges::variation.high, std::sqrt(std::expm1(sigma * sigma)));
    return true;
}

constexpr SettingRow rows[] = {
    {"num_layers", "model.layers", WHOLE(model.layers, 1)},
    {"num_hidden_layers", "model.layers", WHOLE(model.layers, 1)},
    {"hidden_size", "model.hidden", WHOLE(model.hidden, 1)},
    {"ffn_hidden_size", "model.ffn", WHOLE(model.ffn, 1)},
    {"num_attention_heads", "model.heads", WHOLE(model.heads, 1)},
    {"kv_channels", "model.head_dim", WHOLE(model.head_dim, 1)},
    {"group_query_attention", "model.kv_heads", FLAG(grouped_queries)},
    {"num_query_groups", "model.kv_heads", WHOLE(model.kv_heads, 1)},
    {"num_key_value_heads", "model.kv_heads", WHOLE(model.kv_heads, 1)},   // Megatron-DeepSpeed's
    {"max_position_embeddings", "model.sequence_length", WHOLE(model.sequence_length, 1)},
    {"vocab_size", "model.vocabulary", WHOLE(model.vocabulary, 1)},
    {"padded_vocab_size", "model.vocabulary", padded_vocabulary},   // what logs print
    {"pad_vocab_size_to", "model.vocabulary", padded_vocabulary},
    {"make_vocab_size_divisible_by", "model.vocabulary_padding", WHOLE(model.vocabulary_padding, 1)},
    {"position_embedding_type", "model.positions", positions},
    {"use_rotary_position_embeddings", "model.positions",
     [](Draft& d, const Setting& s) {
         if (flag_said(s)) d.model.positions = Positions::rotary;
         return true;
     }},
    {"no_position_embedding", "model.positions",
     [](Draft& d, const Setting& s) {
         if (flag_said(s) && d.model.positions == Positions::learned) d.model.positions = Positions::none;
         return true;
     }},
    {"untie_embeddings_and_output_weights", "model.tied_embeddings",
     [](Draft& d, const Setting& s) { return switched(d.model.tied_embeddings, s, false); }},
    {"share_embeddings_and_output_weights", "model.tied_embeddings", FLAG(model.tied_embeddings)},
    {"normalization", "model.norm", norm},
    {"swiglu", "model.activation", [](Draft& d, const Setting& s) { return activation_if(d, s, Activation::swiglu); }},
    {"squared_relu", "model.activation",
     [](Draft& d, const Setting& s) { return activation_if(d, s, Activation::squared_relu); }},
    {"gated_linear_unit", "model.activation", FLAG(gated)},
    {"activation_func", "model.activation", take_activation},
    {"activation", "model.activation", take_activation},
    {"disable_bias_linear", "model.mlp_bias", [](Draft& d, const Setting& s) { return biases(d, s, false); }},
    {"add_bias_linear", "model.mlp_bias", [](Draft& d, const Setting& s) { return biases(d, s, true); }},
    {"bias", "model.mlp_bias", [](Draft& d, const Setting& s) { return biases(d, s, true); }},
    {"add_qkv_bias", "model.qkv_bias",
     [](Draft& d, const Setting& s) {
         if (flag_said(s)) d.said.insert("queries, keys and values have biases");
         return true;
     }},
    {"qk_layernorm", "model.qk_norm_width",
     [](Draft& d, const Setting& s) {
         if (flag_said(s)) d.said.insert("queries and keys are normed");
         return true;
     }},
    {"attention_dropout", "model.dropout", take_dropout},
    {"hidden_dropout", "model.dropout", take_dropout},
    {"ffn_dropout", "model.dropout", take_dropout},

    {"num_experts", "model.experts.count", WHOLE(model.experts.count, 0)},
    {"num_moe_experts", "model.experts.count", WHOLE(model.experts.count, 0)},
    {"moe_router_topk", "model.experts.top_k", WHOLE(model.experts.top_k, 1)},
    {"topk", "model.experts.top_k", WHOLE(model.experts.top_k, 1)},
    {"moe_ffn_hidden_size", "model.experts.expert_ffn", WHOLE(model.experts.ffn, 1)},
    {"moe_shared_expert_intermediate_size", "model.experts.shared_ffn",
     [](Draft& d, const Setting& s) { return take_whole(d.model.experts.shared_ffn, s, 0); }},
    {"moe_layer_freq", "model.experts.every",
     [](Draft& d, const Setting& s) {
         d.expert_layers = s.value;
         return list_of(s.value).has_value() || whole_of(s.value).has_value();
     }},
    {"expert_interval", "model.experts.every", WHOLE(model.experts.every, 1)},   // Megatron-DeepSpeed's
    {"moe_expert_capacity_factor", "model.experts.capacity",
     [](Draft& d, const Setting& s) {
         if (!d.said.contains("model.experts.pads")) d.model.experts.pads = false;
         return capacity(d, s);
     }},
    {"moe_train_capacity_factor", "model.experts.capacity", capacity},   // Megatron-DeepSpeed's
    {"moe_pad_expert_input_to_capacity", "model.experts.pads", FLAG(model.experts.pads)},
    {"moe_expert_rank_capacity_factor", "model.experts.rank_capacity", rank_capacity},
    {"moe_router_enable_expert_bias", "model.experts.router_bias", FLAG(model.experts.router_bias)},
    {"hybrid_layer_pattern", "model.kinds", hybrid_pattern},
    {"hybrid_override_pattern", "model.kinds", hybrid_pattern},
    {"mamba_num_heads", "model.kinds",
     [](Draft& d, const Setting& s) { return unset(s) || take_whole(d.mamba.heads, s, 1); }},
    {"mamba_head_dim", "model.kinds", WHOLE(mamba.head_dim, 1)},
    {"mamba_num_groups", "model.kinds", WHOLE(mamba.key_heads, 1)},
    {"mamba_state_dim", "model.kinds", WHOLE(mamba.key_dim, 1)},
    {"linear_num_value_heads", "model.kinds", WHOLE(delta.heads, 1)},
    {"linear_value_head_dim", "model.kinds", WHOLE(delta.head_dim, 1)},
    {"linear_num_key_heads", "model.kinds", WHOLE(delta.key_heads, 1)},
    {"linear_key_head_dim", "model.kinds", WHOLE(delta.key_dim, 1)},
    {"linear_conv_kernel_dim", "model.kinds", WHOLE(delta.conv, 1)},
    {"mtp_num_layers", "model.further_tokens.depths",
     [](Draft& d, const Setting& s) { return unset(s) || take_whole(d.model.further.depths, s, 0); }},
    {"mtp_use_repeated_layer", "model.further_tokens.repeated", FLAG(model.further.repeated)},
    {"attention_output_gate", "model.attention_gate", FLAG(model.attention_gate)},
    {"multi_latent_attention", "model.latent.kv_rank",
     [](Draft& d, const Setting& s) {
         if (flag_said(s)) d.said.insert("latent attention");
         return true;
     }},
    {"q_lora_rank", "model.latent.q_rank", WHOLE(model.latent.q_rank, 0)},
    {"kv_lora_rank", "model.latent.kv_rank", WHOLE(model.latent.kv_rank, 1)},
    {"qk_head_dim", "model.latent.nope_dim", WHOLE(model.latent.nope_dim, 1)},
    {"qk_pos_emb_head_dim", "model.latent.rope_dim", WHOLE(model.latent.rope_dim, 0)},
    {"v_head_dim", "model.latent.value_dim", WHOLE(model.latent.value_dim, 1)},

    {"tensor_model_parallel_size", "layout.tensor_parallel", WHOLE(layout.tensor_parallel, 1)},
    {"pipeline_model_parallel_size", "layout.pipeline_parallel", WHOLE(layout.pipeline_parallel, 1)},
    {"tensor_parallelism", "layout.tensor_parallel", WHOLE(layout.tensor_parallel, 1)},
    {"pipeline_parallelism", "layout.pipeline_parallel", WHOLE(layout.pipeline_parallel, 1)},
    {"context_parallelism", "layout.context_parallel", WHOLE(layout.context_parallel, 1)},
    {"virtual_pipeline_parallelism", "layout.virtual_stages", WHOLE(layout.virtual_stages, 1)},
    {"sequence_parallelism", "layout.sequence_parallel", FLAG(layout.sequence_parallel)},
    {"context_parallel_size", "layout.context_parallel", WHOLE(layout.context_parallel, 1)},
    {"reset_attention_mask", "documents", FLAG(documents_apart)},
    {"dataloader_inter_document_masking", "documents", FLAG(documents_apart)},
    {"inter_document_masking", "documents", FLAG(documents_apart)},
    {"packed_sequence_size", "documents", packed_sequences},
    {"enable_offline_packing", "recipe.rows", take_packed},
    {"pad_to_max_length", "recipe.rows", FLAG(pads_to_length)},
    {"sft_mock_dataset_config_json", "recipe.document_length", lengths_of_documents},
    {"varlen_mock_dataset_config_json", "recipe.document_length", lengths_of_documents},
    {"cp_comm_type", "layout.context_mode", context_exchange},
    {"hierarchical_context_parallel_sizes", "layout.ulysses_ranks", hierarchy},
    {"ds_sequence_parallel_size", "layout.context_parallel",   // Megatron-DeepSpeed's, by Ulysses
     [](Draft& d, const Setting& s) {
         d.layout.context_mode = ContextMode::ulysses;
         return take_whole(d.layout.context_parallel, s);
     }},
    {"moe_expert_parallel_size", "layout.expert_parallel", WHOLE(layout.expert_parallel, 1)},
    {"expert_model_parallel_size", "layout.expert_parallel", WHOLE(layout.expert_parallel, 1)},
    {"expert_tensor_parallel_size", "layout.expert_tensor_parallel", WHOLE(layout.expert_tensor_parallel, 1)},
    {"sequence_parallel", "layout.sequence_parallel", FLAG(layout.sequence_parallel)},
    {"num_virtual_stages_per_pipeline_rank", "layout.virtual_stages", WHOLE(layout.virtual_stages, 1)},
    {"virtual_pipeline_model_parallel_size", "layout.virtual_stages", WHOLE(layout.virtual_stages, 1)},
    {"num_layers_per_virtual_pipeline_stage", "layout.virtual_stages", WHOLE(layers_per_chunk, 1)},
    {"microbatch_group_size_per_virtual_pipeline_stage", "layout.micro_batch_group", turn},
    {"microbatch_group_size_per_vp_stage", "layout.micro_batch_group", turn},
    {"overlap_moe_expert_parallel_comm", "layout.schedule",
     [](Draft& d, const Setting& s) {
         if (flag_said(s)) d.layout.schedule = Schedule::combined;
         return true;
     }},
    {"decoder_first_pipeline_num_layers", "layout.stage_split", WHOLE(first_stage_layers, 0)},
    {"num_layers_in_first_pipeline_stage", "layout.stage_split", WHOLE(first_stage_layers, 0)},
    {"decoder_last_pipeline_num_layers", "layout.stage_split", WHOLE(last_stage_layers, 0)},
    {"num_layers_in_last_pipeline_stage", "layout.stage_split", WHOLE(last_stage_layers, 0)},
    {"pipeline_model_parallel_layout", "layout.stage_split",
     [](Draft& d, const Setting& s) {
         if (unset(s)) return true;
         const auto list = read_stage_list(s.value);
         if (list) d.layout.stages = *list;
         return bool(list);
     }},
    {"account_for_embedding_in_pipeline_split", "layout.stage_split", [](Draft&, const Setting&) { return true; }},
    {"account_for_loss_in_pipeline_split", "layout.stage_split", [](Draft&, const Setting&) { return true; }},
    {"recompute_granularity", "layout.recompute", recompute},
    {"activations_checkpoint_granularity", "layout.recompute", recompute},
    {"recompute_activations", "layout.recompute",
     [](Draft& d, const Setting& s) {
         if (flag_said(s)) d.layout.recompute = Recompute::selective;
         return true;
     }},
    {"checkpoint_activations", "layout.recompute",
     [](Draft& d, const Setting& s) {
         if (flag_said(s)) d.layout.recompute = Recompute::full;
         return true;
     }},
    {"recompute_modules", "layout.recompute_modules", recompute_modules},
    {"recompute_num_layers", "layout.recompute_layers", WHOLE(layout.recompute_layers, 0)},
    {"activations_checkpoint_num_layers", "layout.recompute_layers", WHOLE(layout.recompute_layers, 0)},
    {"recompute_method", "layout.recompute_layers", recompute_method},
    {"activations_checkpoint_method", "layout.recompute_layers", recompute_method},
    {"use_distributed_optimizer", "layout.zero_stage", [](Draft& d, const Setting& s) { return zero_if(d, s, 1); }},
    {"use_torch_fsdp2", "layout.zero_stage", [](Draft& d, const Setting& s) { return zero_if(d, s, 3); }},
    {"use_megatron_fsdp", "layout.zero_stage",
     [](Draft& d, const Setting& s) { return (d.megatron_fsdp = flag_said(s)), true; }},
    {"zero_stage", "layout.zero_stage",
     [](Draft& d, const Setting& s) { return take_whole(d.layout.zero_stage, s, 0) && d.layout.zero_stage <= 3; }},
    {"data_parallel_sharding_strategy", "layout.zero_stage", sharding_strategy},
    {"fsdp", "layout.zero_stage", [](Draft& d, const Setting& s) { return zero_if(d, s, 3); }},   // NeMo 1
    {"fsdp_sharding_strategy", "layout.zero_stage", [](Draft&, const Setting& s) { return s.value == "full"; }},
    {"num_distributed_optimizer_instances", "layout.shard_group", WHOLE(optimizer_copies, 1)},
    {"micro_batch_size", "layout.micro_batch", WHOLE(layout.micro_batch, 1)},
    {"optimizer_cpu_offload", "layout.offload.optimizer_state",
     [](Draft& d, const Setting& s) {
         if (flag_said(s)) d.layout.offload.optimizer = Tier::host;
         return flag_of(s.value).has_value() || s.value.empty();
     }},
    {"optimizer_offload_fraction", "layout.offload.optimizer_share",
     [](Draft& d, const Setting& s) {
         const auto share = number_of(s.value);
         if (!share || *share < 0 || *share > 1) return false;
         d.layout.offload.optimizer_share = *share;
         return true;
     }},
    {"muon_num_ns_steps", "recipe.optimizer_options.muon_iterations",
     WHOLE(recipe.optimizer_options.muon_iterations, 1)},
    {"muon_tp_mode", "recipe.optimizer_options.muon_tensor",
     [](Draft& d, const Setting& s) {
         const auto mode = from_name<MuonTensor>(s.value);
         if (mode) d.recipe.optimizer_options.muon_tensor = *mode;
         return mode.has_value();
     }},
    {"fine_grained_activation_offloading", "layout.offload.activations", offload_by_module},
    {"offload_modules", "layout.offload.activations", offload_modules},
    {"activation_offload_fraction", "layout.offload.activation_share",
     [](Draft& d, const Setting& s) {
         const auto share = number_of(s.value);
         if (!share || *share < 0 || *share > 1) return false;
         d.layout.offload.activation_share = *share;
         return true;
     }},
    {"overlap_cpu_optimizer_d2h_h2d", "stack.moves_in_turn", nothing_offloaded},
    {"cpu_offloading", "layout.offload.activations", nothing_offloaded},

    {"global_batch_size", "recipe.global_batch_sequences", WHOLE(recipe.global_batch_sequences, 1)},
    {"seq_length", "recipe.sequence_length", WHOLE(recipe.sequence_length, 1)},
    {"seq_len", "recipe.sequence_length", WHOLE(recipe.sequence_length, 1)},
    {"encoder_seq_length", "recipe.sequence_length", WHOLE(recipe.sequence_length, 1)},
    {"sequence_length", "recipe.sequence_length", WHOLE(recipe.sequence_length, 1)},
    {"train_iters", "recipe.tokens", NUMBER(steps)},
    {"max_steps", "recipe.tokens", NUMBER(steps)},
    {"train_samples", "recipe.tokens", NUMBER(samples)},
    {"train_tokens", "recipe.tokens", NUMBER(tokens)},
    {"bf16", "recipe.precision", [](Draft& d, const Setting& s) { return precision_if(d, s, Precision::bf16); }},
    {"fp16", "recipe.precision", [](Draft& d, const Setting& s) { return precision_if(d, s, Precision::fp16); }},
    {"fp8", "recipe.precision", fp8},
    {"fp8_format", "recipe.precision", fp8},
    {"fp8_recipe", "recipe.fp8_recipe", fp8_recipe},
    {"fp4", "recipe.fp8_recipe", fp4},
    {"fp4_format", "recipe.fp8_recipe", fp4},
    {"fp4_recipe", "recipe.fp8_recipe", fp8_recipe},
    {"fp8_param_gather", "recipe.converted_weights_alone", weights_alone},
    {"fp4_param_gather", "recipe.converted_weights_alone", weights_alone},
    {"reuse_grad_buf_for_mxfp8_param_ag", "recipe.gathers_into_gradients", FLAG(reuses_gradients)},
    {"first_last_layers_bf16", "model.layers_in_16_bits.first", FLAG(wide_ends)},
    {"num_layers_at_start_in_bf16", "model.layers_in_16_bits.first", WHOLE(wide_first, 0)},
    {"num_layers_at_end_in_bf16", "model.layers_in_16_bits.last", WHOLE(wide_last, 0)},
    {"precision", "recipe.precision", take_precision},
    {"mixed_precision", "recipe.precision", bridge_recipe},
    {"optimizer", "recipe.optimizer", take_optimizer},
    {"optim.name", "recipe.optimizer", take_optimizer},
    {"accumulate_allreduce_grads_in_fp32", "recipe.bytes_per_parameter", fp32_sums},
    {"grad_reduce_in_fp32", "recipe.bytes_per_parameter", fp32_sums},
    {"grad_reduce_in_bf16", "recipe.bytes_per_parameter", sums_in_16},
    {"use_precision_aware_optimizer", "recipe.bytes_per_parameter", FLAG(precision_aware)},
    {"main_grads_dtype", "recipe.bytes_per_parameter.gradient_format", main_gradients},
    {"main_params_dtype", "recipe.bytes_per_parameter.master_format", main_weights},
    {"exp_avg_dtype", "recipe.bytes_per_parameter.first_moment",
     [](Draft& d, const Setting& s) { return moment_format(d.first_moment, s); }},
    {"exp_avg_sq_dtype", "recipe.bytes_per_parameter.second_moment",
     [](Draft& d, const Setting& s) { return moment_format(d.second_moment, s); }},
    {"grad_sync_dtype", "recipe.bytes_per_parameter",
     [](Draft& d, const Setting& s) { return d.tells_16_bits = s.value == "bf16" || s.value == "fp16", true; }},

    {"attention_backend", "stack.attention", take_attention},
    {"transformer_impl", "stack",
     [](Draft& d, const Setting& s) {
         d.switches.local_layers = s.value == "local";
         return s.value == "local" || s.value == "transformer_engine" || s.value == "inference_optimized";
     }},
    {"use_flash_attn", "stack.attention", FLAG(switches.fused_attention)},
    {"use_flash_attn_v1", "stack.attention", FLAG(switches.fused_attention)},
    {"use_flash_attn_v2", "stack.attention", FLAG(switches.fused_attention)},
    {"use_flash_attn_triton", "stack.attention", FLAG(switches.fused_attention)},
    {"overlap_grad_reduce", "stack", FLAG(switches.overlaps_gradients)},
    {"overlap_param_gather", "stack", FLAG(switches.overlaps_gathers)},
    {"tp_comm_overlap", "stack", FLAG(switches.overlaps_tensor)},
    {"overlap_grad_sync", "stack", FLAG(switches.overlaps_gradients)},   // NeMo 1's words
    {"overlap_param_sync", "stack", FLAG(switches.overlaps_gathers)},
    {"ub_tp_comm_overlap", "stack", FLAG(switches.overlaps_tensor)},
    {"hf_path", "model", model_name},
    {"model", "model", model_name},
};


}  // namespace

std::span<const SettingRow> megatron_rows() { return rows; }

}  // namespace plimsoll::files
