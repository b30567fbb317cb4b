// What settings of trainers for pre-training mean that write down the model themselves: LLM Foundry, OLMo, OLMo-core,
// nanotron and MaxText.
#include "core/files/import/setting_rows.h"

#include "core/values/basics/text.h"

#include <algorithm>
#include <cctype>

namespace plimsoll::files {

namespace {

// "20000ba", "1e11T", "2ep", "10000": batches, tokens, epochs, steps. OLMo-core says the unit beside it.
bool duration(PlanDraft& d, const Setting& s) {
    const auto unit =
        std::ranges::find_if(s.value, [](unsigned char c) { return std::isalpha(c) && c != 'e' && c != 'E'; });
    auto begin = unit;
    if (begin != s.value.end() && *begin == 'p' && begin != s.value.begin()) --begin;   // "2ep"
    const std::string word(begin, s.value.end());
    Setting number = s;
    number.value = std::string(s.value.begin(), begin);
    if (word.empty() || word == "ba") return take_number(d.steps, number);
    if (word == "T" || word == "tok") return take_number(d.tokens, number);
    return word == "ep" && take_number(d.epochs, number);
}

// "two_in_three": of so many layers so many, as OLMo says it.
double share_of_layers(const std::string& word) {
    constexpr std::pair<std::string_view, double> numbers[] = {{"one", 1}, {"two", 2}, {"three", 3}, {"four", 4},
                                                               {"eight", 8}};
    const auto number = [&](std::string_view name) {
        const auto* found = std::ranges::find(numbers, name, &std::pair<std::string_view, double>::first);
        return found == std::end(numbers) ? 0.0 : found->second;
    };
    const auto in = word.find("_in_");
    const double all = in == word.npos ? 0 : number(word.substr(in + 4));
    return all > 0 ? number(word.substr(0, in)) / all : 0;
}

bool recomputes_layers(PlanDraft& d, const Setting& s) {
    const std::string word = lower_case(s.value);
    if (is_nothing(s.value) || flag_of(s.value) == false) return true;
    if (d.recomputed_share = share_of_layers(word); d.recomputed_share > 0) d.layout.recompute = Recompute::full;
    else if (word == "fine_grained" || word.find("selected") != word.npos) d.layout.recompute = Recompute::selective;
    else if (flag_of(s.value) || word == "whole_layer" || word == "full") d.layout.recompute = Recompute::full;
    else return false;
    return true;
}

bool biases_unless(PlanDraft& d, const Setting& s, bool when_on) {
    bool on = false;
    if (!take_flag(on, s)) return false;
    d.model.qkv_bias = d.model.out_bias = d.model.mlp_bias = on == when_on;
    return true;
}

bool norm_name(PlanDraft& d, const Setting& s) {
    const std::string word = lower_case(s.value);
    if (word.find("rms") != word.npos) d.model.norm = Norm::rms_norm;
    else if (word.find("layer") != word.npos || word == "default" || word == "low_precision")
        d.model.norm = Norm::layer_norm;
    else return false;
    return true;
}

bool ratio(PlanDraft& d, const Setting& s) {
    const auto times = number_of(s.value);
    if (times && *times > 0 && *times <= 1000) d.ffn_ratio = *times;
    return d.ffn_ratio > 0;
}

constexpr SettingRow llm_foundry_table[] = {
    {"model.attn_config.attn_uses_sequence_id", "documents", FLAG(documents_apart)},
    {"model.d_model", "model.hidden", WHOLE(model.hidden, 1)},
    {"model.n_heads", "model.heads", WHOLE(model.heads, 1)},
    {"model.n_layers", "model.layers", WHOLE(model.layers, 1)},
    {"model.expansion_ratio", "model.ffn", ratio},
    {"model.vocab_size", "model.vocabulary", WHOLE(model.vocabulary, 1)},
    {"model.pretrained_model_name_or_path", "model", TEXT(model_name)},
    {"model.max_seq_len", "model.sequence_length", WHOLE(model.sequence_length, 1)},
    {"model.no_bias", "model.mlp_bias", [](PlanDraft& d, const Setting& s) { return biases_unless(d, s, false); }},
    {"model.norm_type", "model.norm", norm_name},
    {"model.tie_word_embeddings", "model.tied_embeddings", FLAG(model.tied_embeddings)},
    {"model.learned_pos_emb", "model.positions",
     [](PlanDraft& d, const Setting& s) {
         if (!flag_said(s) && d.model.positions == Positions::learned) d.model.positions = Positions::none;
         return flag_of(s.value).has_value();
     }},
    {"attn_config.alibi", "model.positions", IF_ON(d.model.positions = Positions::alibi)},
    {"attn_config.rope", "model.positions", IF_ON(d.model.positions = Positions::rotary)},
    {"attn_config.attn_impl", "stack.attention", take_attention},
    {"attn_config.kv_n_heads", "model.kv_heads", WHOLE(model.kv_heads, 1)},
    {"attn_config.attn_pdrop", "model.dropout", take_dropout},
    {"model.resid_pdrop", "model.dropout", take_dropout},
    {"model.emb_pdrop", "model.dropout", take_dropout},
    {"ffn_config.ffn_hidden_size", "model.ffn", WHOLE(model.ffn, 1)},
    {"ffn_config.ffn_type", "model.experts.count",   // others are experts, in words of their own
     [](PlanDraft& d, const Setting& s) {
         d.gated = s.value.find("glu") != s.value.npos;
         return s.value == "mptmlp" || s.value == "mptglu";
     }},
    {"max_seq_len", "recipe.sequence_length", WHOLE(recipe.sequence_length, 1)},
    {"global_train_batch_size", "recipe.global_batch_sequences", WHOLE(recipe.global_batch_sequences, 1)},
    {"device_train_microbatch_size", "layout.micro_batch", WHOLE(layout.micro_batch, 1)},
    {"device_train_batch_size", "layout.data_parallel", WHOLE(local_batch, 1)},
    {"max_duration", "recipe.tokens", duration},
    {"precision", "recipe.precision", take_precision},
    {"fsdp_config.sharding_strategy", "layout.zero_stage", take_sharding},
    {"fsdp_config.activation_checkpointing", "layout.recompute", recomputes_layers},
    {"fsdp_config.mixed_precision", "recipe.bytes_per_parameter",
     [](PlanDraft& d, const Setting& s) {
         const std::string word = lower_case(s.value);
         d.pure_16_bits = word == "pure";
         return word == "pure" || word == "default";
     }},
    {"optimizer.name", "recipe.optimizer", take_optimizer},
    {"compile_config", "stack", [](PlanDraft& d, const Setting&) { return d.compiled = true; }},
};

constexpr SettingRow olmo_table[] = {
    {"model.d_model", "model.hidden", WHOLE(model.hidden, 1)},
    {"model.n_heads", "model.heads", WHOLE(model.heads, 1)},
    {"model.n_kv_heads", "model.kv_heads", WHOLE(model.kv_heads, 1)},
    {"model.multi_query_attention", "model.kv_heads", IF_ON(d.model.kv_heads = 1)},
    {"model.n_layers", "model.layers", WHOLE(model.layers, 1)},
    {"model.mlp_ratio", "model.ffn", ratio},
    {"model.mlp_hidden_size", "model.ffn",
     [](PlanDraft& d, const Setting& s) { return take_whole(d.ffn_of_both, s); }},
    {"model.activation_type", "model.activation", take_activation},
    {"model.vocab_size", "model.vocabulary", WHOLE(model.vocabulary, 1)},
    {"model.embedding_size", "model.vocabulary", WHOLE(model.vocabulary, 1)},
    {"model.max_sequence_length", "recipe.sequence_length",
     [](PlanDraft& d, const Setting& s) {
         return take_whole(d.recipe.sequence_length, s) && take_whole(d.model.sequence_length, s);
     }},
    {"model.rope", "model.positions", IF_ON(d.model.positions = Positions::rotary)},
    {"model.alibi", "model.positions", IF_ON(d.model.positions = Positions::alibi)},
    {"model.weight_tying", "model.tied_embeddings", FLAG(model.tied_embeddings)},
    {"model.include_bias", "model.mlp_bias", [](PlanDraft& d, const Setting& s) { return biases_unless(d, s, true); }},
    {"model.layer_norm_type", "model.norm", norm_name},
    {"model.block_type", "model.experts.count",   // others are experts and state spaces
     [](PlanDraft&, const Setting& s) { return s.value == "sequential" || s.value == "llama"; }},
    {"model.attention_layer_norm", "model.qk_norm_width",
     [](PlanDraft& d, const Setting& s) {
         if (flag_said(s)) d.said.insert("queries and keys are normed");
         return flag_of(s.value).has_value();
     }},
    {"model.attention_dropout", "model.dropout", take_dropout},
    {"model.residual_dropout", "model.dropout", take_dropout},
    {"model.embedding_dropout", "model.dropout", take_dropout},
    {"model.flash_attention", "stack.attention",
     [](PlanDraft& d, const Setting& s) {
         d.unfused_attention = false;   // off: PyTorch's own fused attention
         return flag_of(s.value).has_value();
     }},
    {"global_train_batch_size", "recipe.global_batch_sequences", WHOLE(recipe.global_batch_sequences, 1)},
    {"device_train_microbatch_size", "layout.micro_batch", WHOLE(layout.micro_batch, 1)},
    {"max_duration", "recipe.tokens", duration},
    {"precision", "recipe.precision", take_precision},
    {"distributed_strategy", "layout.zero_stage",
     [](PlanDraft& d, const Setting& s) {
         if (s.value != "fsdp") d.layout.zero_stage = 0;
         return s.value == "fsdp" || s.value == "ddp" || s.value == "single";
     }},
    {"fsdp.sharding_strategy", "layout.zero_stage", take_sharding},
    {"fsdp.precision", "recipe.bytes_per_parameter",
     [](PlanDraft& d, const Setting& s) {
         d.pure_16_bits = s.value == "pure";
         return s.value == "pure" || s.value == "mixed";
     }},
    {"activation_checkpointing", "layout.recompute", recomputes_layers},
    {"optimizer.name", "recipe.optimizer", take_optimizer},
    {"compile", "stack", FLAG(compiled)},
    {"compile.mode", "stack", [](PlanDraft& d, const Setting&) { return d.compiled = true; }},
};

// ---- OLMo-core: files that it saves of a run, overrides of a command, and its scripts in Python

// "2 * 1024 * 2048", "4_194_304".
std::optional<double> product_of(std::string_view text) {
    double product = 1;
    for (std::size_t from = 0; from <= text.size();) {
        auto to = text.find('*', from);
        if (to != text.npos && to + 1 < text.size() && text[to + 1] == '*') to = text.find('*', to + 2);
        const auto factor = number_of(text.substr(from, to == text.npos ? to : to - from));
        if (!factor) return std::nullopt;
        product *= *factor;
        if (to == text.npos) break;
        from = to + 1;
    }
    return product > 0 && product <= 1e15 ? std::optional(product) : std::nullopt;
}

bool tokens_of_a_batch(double& field, const Setting& s) {
    const auto tokens = product_of(s.value);
    if (tokens) field = *tokens;
    return tokens.has_value();
}

// Value and unit come in either order.
bool length_in_its_unit(PlanDraft& d) {
    d.tokens = d.length_unit == "tokens" ? d.length : std::nullopt;
    d.epochs = d.length_unit == "epochs" ? d.length : std::nullopt;
    d.steps = d.length_unit == "steps" ? d.length : std::nullopt;
    return d.length_unit.empty() || !d.length || d.tokens || d.epochs || d.steps;
}

bool value_of_length(PlanDraft& d, const Setting& s) { return take_number(d.length, s) && length_in_its_unit(d); }

bool unit_of_length(PlanDraft& d, const Setting& s) { return d.length_unit = s.value, length_in_its_unit(d); }

constexpr SettingRow olmo_core_table[] = {
    {"dataset.generate_doc_lengths", "documents", FLAG(documents_apart)},
    {"model.d_model", "model.hidden", WHOLE(model.hidden, 1)},
    {"model.n_layers", "model.layers", WHOLE(model.layers, 1)},
    {"model.vocab_size", "model.vocabulary", WHOLE(model.vocabulary, 1)},
    {"model.block.attention.n_heads", "model.heads", WHOLE(model.heads, 1)},
    {"model.block.attention.n_kv_heads", "model.kv_heads", WHOLE(model.kv_heads, 1)},
    {"model.block.feed_forward.hidden_size", "model.ffn", WHOLE(model.ffn, 1)},
    {"model.block.sequence_mixer.n_heads", "model.heads", WHOLE(model.heads, 1)},
    {"model.block.sequence_mixer.n_kv_heads", "model.kv_heads", WHOLE(model.kv_heads, 1)},
    {"feed_forward_moe.num_experts", "model.experts.count", WHOLE(model.experts.count, 0)},
    {"feed_forward_moe.hidden_size", "model.experts.expert_ffn", WHOLE(model.experts.ffn, 1)},
    {"feed_forward_moe.router.top_k", "model.experts.top_k", WHOLE(model.experts.top_k, 1)},
    {"data_loader.global_batch_size", "recipe.global_batch_sequences",
     [](PlanDraft& d, const Setting& s) { return tokens_of_a_batch(d.batch_tokens, s); }},
    {"train_module.rank_microbatch_size", "layout.micro_batch",
     [](PlanDraft& d, const Setting& s) { return tokens_of_a_batch(d.micro_tokens, s); }},
    {"train_module.max_sequence_length", "recipe.sequence_length", WHOLE(recipe.sequence_length, 1)},
    {"dataset.sequence_length", "recipe.sequence_length", WHOLE(recipe.sequence_length, 1)},
    {"trainer.max_duration.value", "recipe.tokens", value_of_length},
    {"trainer.max_duration.unit", "recipe.tokens", unit_of_length},
    {"train_module.dp_config.name", "layout.zero_stage",
     [](PlanDraft& d, const Setting& s) {
         d.layout.zero_stage = s.value == "ddp" ? 0 : 3;
         d.shards_a_node = s.value == "hsdp";
         return s.value == "fsdp" || s.value == "hsdp" || s.value == "ddp";
     }},
    {"train_module.dp_config.param_dtype", "recipe.precision", take_precision},
    {"train_module.dp_config.shard_degree", "layout.shard_group", WHOLE(shards, 1)},
    {"train_module.dp_config.num_replicas", "layout.shard_group", WHOLE(replicas, 1)},
    {"train_module.tp_config.degree", "layout.tensor_parallel", WHOLE(layout.tensor_parallel, 1)},
    {"train_module.pp_config.degree", "layout.pipeline_parallel", WHOLE(layout.pipeline_parallel, 1)},
    {"train_module.cp_config.degree", "layout.context_parallel", WHOLE(layout.context_parallel, 1)},
    {"train_module.ep_config.degree", "layout.expert_parallel", WHOLE(layout.expert_parallel, 1)},
    {"train_module.ac_config.mode", "layout.recompute", recomputes_layers},
    {"train_module.compile_model", "stack", FLAG(compiled)},
    {"train_module.optim._class_", "recipe.optimizer", take_optimizer},
};

// ---- nanotron

bool tensor_mode(PlanDraft& d, const Setting& s) {
    d.layout.sequence_parallel = lower_case(s.value) == "reduce_scatter";
    return d.layout.sequence_parallel || lower_case(s.value) == "all_reduce";
}

bool pipeline_engine(PlanDraft& d, const Setting& s) {
    const std::string word = lower_case(s.value);
    d.layout.schedule = word == "afab" ? Schedule::gpipe : Schedule::one_f_one_b;
    return word == "afab" || word == "1f1b";
}

constexpr SettingRow nanotron_table[] = {
    {"model_config.num_hidden_layers", "model.layers", WHOLE(model.layers, 1)},
    {"model_config.hidden_size", "model.hidden", WHOLE(model.hidden, 1)},
    {"model_config.intermediate_size", "model.ffn", WHOLE(model.ffn, 1)},
    {"model_config.num_attention_heads", "model.heads", WHOLE(model.heads, 1)},
    {"model_config.num_key_value_heads", "model.kv_heads", WHOLE(model.kv_heads, 1)},
    {"model_config.vocab_size", "model.vocabulary", WHOLE(model.vocabulary, 1)},
    {"model_config.max_position_embeddings", "model.sequence_length", WHOLE(model.sequence_length, 1)},
    {"model_config.tie_word_embeddings", "model.tied_embeddings", FLAG(model.tied_embeddings)},
    {"model_config.hidden_act", "model.activation",
     [](PlanDraft& d, const Setting& s) { return d.gated = true, take_activation(d, s); }},
    {"model_config.attention_bias", "model.qkv_bias", FLAG(model.qkv_bias)},
    {"moe_config.num_experts", "model.experts.count", WHOLE(model.experts.count, 0)},
    {"moe_config.top_k", "model.experts.top_k", WHOLE(model.experts.top_k, 1)},
    {"moe_config.num_experts_per_token", "model.experts.top_k", WHOLE(model.experts.top_k, 1)},
    {"moe_config.moe_intermediate_size", "model.experts.expert_ffn", WHOLE(model.experts.ffn, 1)},
    {"moe_config.shared_expert_intermediate_size", "model.experts.shared_ffn",
     [](PlanDraft& d, const Setting& s) { return take_whole(d.model.experts.shared_ffn, s, 0); }},
    {"moe_config.layers", "model.experts.every", [](PlanDraft&, const Setting& s) { return s.value == "[-1]"; }},
    {"model.dtype", "recipe.precision", take_precision},
    {"model.make_vocab_size_divisible_by", "model.vocabulary_padding", WHOLE(model.vocabulary_padding, 1)},
    {"parallelism.dp", "layout.data_parallel", WHOLE(data_ranks, 1)},
    {"parallelism.tp", "layout.tensor_parallel", WHOLE(layout.tensor_parallel, 1)},
    {"parallelism.pp", "layout.pipeline_parallel", WHOLE(layout.pipeline_parallel, 1)},
    {"parallelism.context_parallel_size", "layout.context_parallel", WHOLE(layout.context_parallel, 1)},
    {"parallelism.expert_parallel_size", "layout.expert_parallel", WHOLE(layout.expert_parallel, 1)},
    {"parallelism.tp_mode", "layout.sequence_parallel", tensor_mode},
    {"parallelism.pp_engine", "layout.schedule", pipeline_engine},
    {"parallelism.recompute_layer", "layout.recompute", recomputes_layers},
    {"tokens.sequence_length", "recipe.sequence_length", WHOLE(recipe.sequence_length, 1)},
    {"tokens.micro_batch_size", "layout.micro_batch", WHOLE(layout.micro_batch, 1)},
    {"tokens.batch_accumulation_per_replica", "layout.data_parallel", WHOLE(accumulated, 1)},
    {"tokens.train_steps", "recipe.tokens", NUMBER(steps)},
    {"optimizer.zero_stage", "layout.zero_stage", WHOLE(layout.zero_stage, 0)},
    {"optimizer.accumulate_grad_in_fp32", "recipe.bytes_per_parameter",
     [](PlanDraft& d, const Setting& s) { return d.sums_in_fp32 = flag_said(s), flag_of(s.value).has_value(); }},
};

// ---- MaxText

// Degrees inside a slice and across slices multiply; -1 takes what is left.
bool times(int& field, const Setting& s) {
    int degree = 1;
    if (s.value == "-1") return true;
    if (!take_whole(degree, s) || 1LL * field * degree > (1 << 24)) return false;
    field *= degree;
    return true;
}

bool fsdp_degree(PlanDraft& d, const Setting& s) {
    if (s.value != "1") d.layout.zero_stage = 3;
    d.shards = std::max(1, d.shards);
    return times(d.shards, s);
}

#define TIMES(field) [](PlanDraft& d, const Setting& s) { return times(d.field, s); }

bool remat(PlanDraft& d, const Setting& s) {
    const std::string word = lower_case(s.value);
    if (word == "full") d.layout.recompute = Recompute::full;
    else if (word == "none" || word == "minimal_with_context") d.layout.recompute = Recompute::none;
    else if (word.starts_with("minimal") || word.starts_with("save_")) d.layout.recompute = Recompute::selective;
    else return false;
    return true;
}

constexpr SettingRow maxtext_table[] = {
    {"model_name", "model",
     [](PlanDraft& d, const Setting& s) {
         d.model_name = s.value == "default" ? "" : s.value.substr(0, s.value.find(".yaml"));   // as Primus has it
         return true;
     }},
    {"base_emb_dim", "model.hidden", WHOLE(model.hidden, 1)},
    {"base_num_query_heads", "model.heads", WHOLE(model.heads, 1)},
    {"base_num_kv_heads", "model.kv_heads", WHOLE(model.kv_heads, 1)},
    {"base_mlp_dim", "model.ffn", WHOLE(model.ffn, 1)},
    {"base_num_decoder_layers", "model.layers", WHOLE(model.layers, 1)},
    {"head_dim", "model.head_dim", WHOLE(model.head_dim, 1)},
    {"vocab_size", "model.vocabulary", WHOLE(model.vocabulary, 1)},
    {"global_parameter_scale", "model.hidden", [](PlanDraft&, const Setting& s) { return s.value == "1"; }},
    {"logits_via_embedding", "model.tied_embeddings", FLAG(model.tied_embeddings)},
    {"num_experts", "model.experts.count",
     [](PlanDraft& d, const Setting& s) { return s.value == "1" || take_whole(d.model.experts.count, s, 0); }},
    {"num_experts_per_tok", "model.experts.top_k", WHOLE(model.experts.top_k, 1)},
    {"base_moe_mlp_dim", "model.experts.expert_ffn", WHOLE(model.experts.ffn, 1)},
    {"decoder_block", "model.experts.count",
     [](PlanDraft&, const Setting& s) {
         for (const char* known : {"llama2", "llama3", "mistral", "mixtral", "gemma", "default"})
             if (s.value == known) return true;
         return false;
     }},
    {"per_device_batch_size", "layout.micro_batch",
     [](PlanDraft& d, const Setting& s) {
         const auto each = number_of(s.value);
         if (each && *each > 0 && *each <= 1e6) d.batch_of_device = *each;
         return d.batch_of_device > 0;
     }},
    {"gradient_accumulation_steps", "layout.data_parallel", WHOLE(accumulated, 1)},
    {"max_target_length", "recipe.sequence_length", WHOLE(recipe.sequence_length, 1)},
    {"steps", "recipe.tokens", NUMBER(steps)},
    {"ici_tensor_parallelism", "layout.tensor_parallel", TIMES(layout.tensor_parallel)},
    {"dcn_tensor_parallelism", "layout.tensor_parallel", TIMES(layout.tensor_parallel)},
    {"ici_pipeline_parallelism", "layout.pipeline_parallel", TIMES(layout.pipeline_parallel)},
    {"dcn_pipeline_parallelism", "layout.pipeline_parallel", TIMES(layout.pipeline_parallel)},
    {"ici_context_parallelism", "layout.context_parallel", TIMES(layout.context_parallel)},
    {"ici_expert_parallelism", "layout.expert_parallel", TIMES(layout.expert_parallel)},
    {"ici_sequence_parallelism", "layout.context_parallel", TIMES(layout.context_parallel)},
    {"dcn_sequence_parallelism", "layout.context_parallel", TIMES(layout.context_parallel)},
    {"ici_fsdp_parallelism", "layout.zero_stage", fsdp_degree},
    {"dcn_fsdp_parallelism", "layout.zero_stage", fsdp_degree},
    {"ici_data_parallelism", "layout.shard_group", TIMES(replicas)},
    {"dcn_data_parallelism", "layout.shard_group", TIMES(replicas)},
    {"remat_policy", "layout.recompute", remat},
    {"dtype", "recipe.precision", take_precision},
    {"quantization", "recipe.precision",
     [](PlanDraft& d, const Setting& s) {
         if (s.value.find("fp8") != s.value.npos) d.recipe.precision = Precision::fp8;
         return s.value.empty() || d.recipe.precision == Precision::fp8;
     }},
    {"attention", "stack.attention", take_attention},
};

#undef TIMES

// ---- What anybody may state beside a file that leaves it out

constexpr SettingRow spoken_table[] = {
    {"num_layers", "model.layers", WHOLE(model.layers, 1)},
    {"hidden_size", "model.hidden", WHOLE(model.hidden, 1)},
    {"num_attention_heads", "model.heads", WHOLE(model.heads, 1)},
    {"num_query_groups", "model.kv_heads", WHOLE(model.kv_heads, 1)},
    {"ffn_hidden_size", "model.ffn", WHOLE(model.ffn, 1)},
    {"vocab_size", "model.vocabulary", WHOLE(model.vocabulary, 1)},
    {"seq_length", "recipe.sequence_length", WHOLE(recipe.sequence_length, 1)},
    {"global_batch_size", "recipe.global_batch_sequences", WHOLE(recipe.global_batch_sequences, 1)},
    {"micro_batch_size", "layout.micro_batch", WHOLE(layout.micro_batch, 1)},
    {"train_tokens", "recipe.tokens", NUMBER(tokens)},
};

}  // namespace

std::span<const SettingRow> llm_foundry_rows() { return llm_foundry_table; }
std::span<const SettingRow> olmo_rows() { return olmo_table; }
std::span<const SettingRow> olmo_core_rows() { return olmo_core_table; }
std::span<const SettingRow> nanotron_rows() { return nanotron_table; }
std::span<const SettingRow> maxtext_rows() { return maxtext_table; }
std::span<const SettingRow> spoken_rows() { return spoken_table; }

}  // namespace plimsoll::files
