#include "core/files/import/hf_families.h"

#include <algorithm>

namespace plimsoll::files {

namespace {

constexpr NumberRange side{1, 1 << 24};  // of anything counted, vocabularies included

}  // namespace

std::optional<Reader> HfConfig::find(std::initializer_list<const char*> keys) const {
    for (const char* key : keys)
        if (auto at = root_.member(key)) return at;
    return std::nullopt;
}

int HfConfig::whole(std::initializer_list<const char*> keys) const {
    if (const auto at = find(keys)) return at->whole(side).value_or(1);
    std::string names;
    for (const char* key : keys) names += (names.empty() ? "" : " or ") + std::string(key);
    root_.missing(*keys.begin(), a_whole_number(side) + (keys.size() > 1 ? " (" + names + ")" : ""));
    return 1;
}

int HfConfig::whole(std::initializer_list<const char*> keys, int otherwise) const {
    const auto at = find(keys);
    return at ? at->whole({0, side.high}).value_or(otherwise) : otherwise;
}

double HfConfig::number(const char* key, double otherwise) const {
    const auto at = root_.member(key);
    return at ? at->number({-1e15, 1e15}).value_or(otherwise) : otherwise;
}

bool HfConfig::flag(const char* key, bool otherwise) const {
    const auto at = root_.member(key);
    return at ? at->flag().value_or(otherwise) : otherwise;
}

std::string HfConfig::text(std::initializer_list<const char*> keys, const std::string& otherwise) const {
    const auto at = find(keys);
    return at ? at->text().value_or(otherwise) : otherwise;
}

namespace {

void set_biases(Model& m, bool qkv, bool out, bool mlp) {
    m.qkv_bias = qkv;
    m.out_bias = out;
    m.mlp_bias = mlp;
}

bool is_gelu(const std::string& name) { return name.find("gelu") != name.npos; }

// Plain feed-forward pair: GPT and its descendants.
void plain(const HfConfig& c, Model& m, const char* default_act) {
    const std::string act = c.text({"activation_function", "hidden_act", "activation"}, default_act);
    m.activation = act == "relu2" ? Activation::squared_relu : act == "relu" ? Activation::relu : Activation::gelu;
    m.norm = Norm::layer_norm;
}

void learned_positions(Model& m, int rows) {
    m.positions = Positions::learned;
    m.position_rows = rows;
}

void gpt2(const HfConfig& c, Model& m) {
    plain(c, m, "gelu_new");
    m.ffn = c.whole({"n_inner"}, 4 * m.hidden);
    m.tied_embeddings = c.flag("tie_word_embeddings", true);
    learned_positions(m, m.sequence_length);
    m.dropout = c.number("resid_pdrop", 0.1) > 0;
}

void gptj(const HfConfig& c, Model& m) {
    plain(c, m, "gelu_new");
    m.ffn = c.whole({"n_inner"}, 4 * m.hidden);
    set_biases(m, false, false, true);
    m.norms_per_layer = 1;
    m.parallel_blocks = true;
    m.extra_parameters = m.vocabulary;  // bias of the head
    m.dropout = c.number("resid_pdrop", 0) > 0;
}

void gpt_neox(const HfConfig& c, Model& m) {
    plain(c, m, "gelu");
    m.ffn = c.whole({"intermediate_size"});
    const bool attention = c.flag("attention_bias", true);
    set_biases(m, attention, attention, true);
    m.parallel_blocks = c.flag("use_parallel_residual", true);
    m.dropout = c.number("hidden_dropout", 0) > 0;
}

void opt(const HfConfig& c, Model& m) {
    plain(c, m, "relu");
    m.ffn = c.whole({"ffn_dim"});
    m.tied_embeddings = c.flag("tie_word_embeddings", true);
    const bool bias = c.flag("enable_bias", true);
    set_biases(m, bias, bias, bias);
    learned_positions(m, m.sequence_length + 2);  // two rows for padding
    m.final_norm = c.flag("do_layer_norm_before", true);
    // A narrower embedding with projections in and out.
    if (const double narrow = c.whole({"word_embed_proj_dim"}, m.hidden); narrow != m.hidden)
        m.extra_parameters = 2 * narrow * m.hidden - double(m.vocabulary) * (m.hidden - narrow);
    m.dropout = c.number("dropout", 0.1) > 0;
}

void bloom(const HfConfig& c, Model& m) {
    plain(c, m, "gelu");
    m.ffn = 4 * m.hidden;
    m.tied_embeddings = c.flag("tie_word_embeddings", true);
    m.positions = Positions::alibi;
    m.embedding_norm = true;
    m.dropout = c.number("hidden_dropout", 0) > 0;
}

void falcon(const HfConfig& c, Model& m) {
    plain(c, m, "gelu");
    m.ffn = c.whole({"ffn_hidden_size"}, 4 * m.hidden);
    m.tied_embeddings = c.flag("tie_word_embeddings", true);
    const bool bias = c.flag("bias", false), grouped = c.flag("new_decoder_architecture", false);
    set_biases(m, bias, bias, bias);
    if (grouped) m.kv_heads = c.whole({"num_kv_heads", "n_head_kv"}, m.heads);
    else m.kv_heads = c.flag("multi_query", true) ? 1 : m.heads;
    if (grouped) m.norms_per_layer = c.whole({"num_ln_in_parallel_attn"}, 2);
    else m.norms_per_layer = c.flag("parallel_attn", true) ? 1 : 2;
    m.parallel_blocks = grouped || c.flag("parallel_attn", true);
    m.positions = c.flag("alibi", false) ? Positions::alibi : Positions::rotary;
    m.dropout = c.number("hidden_dropout", 0) > 0;
}

void phi(const HfConfig& c, Model& m) {
    plain(c, m, "gelu_new");
    m.ffn = c.whole({"intermediate_size"});
    m.norms_per_layer = 1;
    m.parallel_blocks = true;
    m.extra_parameters = m.vocabulary;  // bias of the head
    if (c.flag("qk_layernorm", false)) m.qk_norm_width = m.head_dim;
    m.dropout = c.number("resid_pdrop", 0) > 0;
}

// Gated feed-forward, rotary positions, RMS norms: LLaMA and its descendants.
void llama(const HfConfig& c, Model& m) {
    m.ffn = c.whole({"intermediate_size"});
    m.norm = Norm::rms_norm;
    m.activation =
        is_gelu(c.text({"hidden_activation", "hidden_act"}, "silu")) ? Activation::geglu : Activation::swiglu;
    const bool attention = c.flag("attention_bias", false);
    set_biases(m, attention, attention, c.flag("mlp_bias", false));
    m.dropout = false;
}

void mistral(const HfConfig& c, Model& m) {
    llama(c, m);
    read_window(c, m, {.tokens = 4096});
}

void phi3(const HfConfig& c, Model& m) {
    llama(c, m);
    read_window(c, m);
}

// A window only where it is switched on, and then from a layer on.
void late_windows(const HfConfig& c, Model& m) {
    if (!c.flag("use_sliding_window", false)) return;
    read_window(c, m);
    if (!c.has("layer_types")) m.window.layers -= std::min(m.window.layers, c.whole({"max_window_layers"}, 28));
    if (m.window.layers == 0) m.window = {};
}

void qwen2(const HfConfig& c, Model& m) {
    llama(c, m);
    set_biases(m, true, false, false);
    late_windows(c, m);
}

void qwen3(const HfConfig& c, Model& m) {
    llama(c, m);
    m.qk_norm_width = m.head_dim;
    late_windows(c, m);
}

void gemma(const HfConfig& c, Model& m) {
    llama(c, m);
    m.activation = Activation::geglu;
    m.tied_embeddings = c.flag("tie_word_embeddings", true);
}

void gemma2(const HfConfig& c, Model& m) {
    gemma(c, m);
    m.norms_per_layer = 4;
    read_window(c, m, {.tokens = 4096, .full_every = 2});
}

void gemma3(const HfConfig& c, Model& m) {
    gemma(c, m);
    m.norms_per_layer = 4;
    m.qk_norm_width = m.head_dim;
    read_window(c, m, {.tokens = 4096, .full_every = 6});
}

// Queries and keys are normed over all heads: the mean of the two widths.
void olmo2(const HfConfig& c, Model& m) {
    llama(c, m);
    m.qk_norm_width = int(std::min(1LL << 24, (1LL * m.heads + m.kv_heads) * m.head_dim / 2));
}

void olmo3(const HfConfig& c, Model& m) {
    olmo2(c, m);
    read_window(c, m, {.tokens = 4096, .full_every = 4});
}

// Ungated feed-forward blocks with a learned activation function, xIELU: two numbers a layer.
void apertus(const HfConfig& c, Model& m) {
    llama(c, m);
    m.activation = Activation::gelu;
    m.qk_norm_width = m.head_dim;
    m.extra_parameters = 2.0 * m.layers;
}

void nemotron(const HfConfig& c, Model& m) {
    plain(c, m, "relu2");
    m.ffn = c.whole({"intermediate_size"});
    const bool attention = c.flag("attention_bias", false);
    set_biases(m, attention, attention, c.flag("mlp_bias", false));
    m.dropout = c.number("hidden_dropout", 0) > 0;
}

void mixtral(const HfConfig& c, Model& m) {
    llama(c, m);
    m.experts.count = c.whole({"num_local_experts"});
    m.experts.top_k = c.whole({"num_experts_per_tok"}, 2);
    m.experts.ffn = m.ffn;
}

void routed(const HfConfig& c, Model& m) {
    m.experts.count = c.whole({"num_experts", "n_routed_experts", "num_local_experts"});
    m.experts.top_k = c.whole({"num_experts_per_tok", "experts_per_token"});
    m.experts.ffn = c.whole({"moe_intermediate_size", "intermediate_size"});
}

void qwen2_moe(const HfConfig& c, Model& m) {
    qwen2(c, m);
    routed(c, m);
    m.experts.shared = 1;
    m.experts.shared_ffn = c.whole({"shared_expert_intermediate_size"});
    m.experts.every = std::max(1, c.whole({"decoder_sparse_step"}, 1));
    m.extra_parameters = double(expert_layers(m)) * m.hidden;  // gate of the shared expert
}

void qwen3_moe(const HfConfig& c, Model& m) {
    qwen3(c, m);
    routed(c, m);
    m.experts.every = std::max(1, c.whole({"decoder_sparse_step"}, 1));
}

void gpt_oss(const HfConfig& c, Model& m) {
    llama(c, m);
    routed(c, m);
    set_biases(m, true, true, true);
    m.experts.router_bias = true;
    m.extra_parameters = double(m.layers) * m.heads;  // attention sinks
    read_window(c, m, {.tokens = 128, .full_every = 2});
}

// Layers with experts between layers with a wider plain block; chunks of attention but in every fourth layer.
void llama4(const HfConfig& c, Model& m) {
    llama(c, m);
    m.experts.ffn = m.ffn;
    m.ffn = c.whole({"intermediate_size_mlp"});
    m.experts.count = c.whole({"num_local_experts"});
    m.experts.top_k = c.whole({"num_experts_per_tok"}, 1);
    m.experts.shared = 1;
    m.experts.shared_ffn = m.experts.ffn;
    m.experts.every = std::max(1, c.whole({"interleave_moe_layer_step"}, 1));
    read_window(c, m, {.tokens = 8192, .full_every = 4, .chunks = true});
}

void deepseek(const HfConfig& c, Model& m) {
    llama(c, m);
    routed(c, m);
    Experts& e = m.experts;
    e.shared = c.whole({"n_shared_experts"}, 0);
    e.shared_ffn = e.shared > 0 ? e.ffn : 0;
    e.dense_layers = c.whole({"first_k_dense_replace"}, 0);
    e.every = std::max(1, c.whole({"moe_layer_freq"}, 1));
    const int groups = c.whole({"n_group"}, 1), visited = c.whole({"topk_group"}, groups);
    e.node_limit = visited < groups ? visited : 0;
    e.router_bias = c.text({"topk_method"}, m.family == "DeepSeek-V3" ? "noaux_tc" : "") == "noaux_tc";
    LatentAttention& l = m.latent;
    l.kv_rank = c.whole({"kv_lora_rank"});
    l.q_rank = c.whole({"q_lora_rank"}, 0);
    l.rope_dim = c.whole({"qk_rope_head_dim"});
    l.nope_dim = c.whole({"qk_nope_head_dim"});
    l.value_dim = c.whole({"v_head_dim"});
    m.head_dim = l.nope_dim + l.rope_dim;
    m.kv_heads = m.heads;
}

constexpr HfFamily families[] = {
    {"apertus", "Apertus", apertus},
    {"bloom", "BLOOM", bloom},
    {"deepseek_v2", "DeepSeek-V2", deepseek},
    {"deepseek_v3", "DeepSeek-V3", deepseek},
    {"falcon", "Falcon", falcon},
    {"gemma", "Gemma", gemma},
    {"gemma2", "Gemma 2", gemma2},
    {"gemma3_text", "Gemma 3", gemma3},
    {"gpt2", "GPT-2", gpt2},
    {"gpt_neox", "GPT-NeoX", gpt_neox},
    {"gpt_oss", "GPT-OSS", gpt_oss},
    {"gptj", "GPT-J", gptj},
    {"kimi_k2", "DeepSeek-V3", deepseek},
    {"llama", "LLaMA", llama},
    {"llama4_text", "Llama 4", llama4},
    {"mistral", "Mistral", mistral},
    {"mixtral", "Mixtral", mixtral},
    {"nemotron", "Nemotron", nemotron},
    {"olmo2", "OLMo 2", olmo2},
    {"olmo3", "OLMo 3", olmo3},
    {"opt", "OPT", opt},
    {"phi", "Phi", phi},
    {"phi3", "Phi-3", phi3},
    {"qwen2", "Qwen2", qwen2},
    {"qwen2_moe", "Qwen2 MoE", qwen2_moe},
    {"qwen3", "Qwen3", qwen3},
    {"qwen3_moe", "Qwen3 MoE", qwen3_moe},
};

}  // namespace

std::span<const HfFamily> hf_families() { return families; }

void read_shared_keys(const HfConfig& c, Model& m) {
    m.layers = c.whole({"num_hidden_layers", "n_layer"});
    m.hidden = c.whole({"hidden_size", "n_embd", "n_embed"});
    m.heads = c.whole({"num_attention_heads", "n_head"});
    m.vocabulary = c.whole({"vocab_size"});
    m.sequence_length = c.whole({"max_position_embeddings", "n_positions", "n_ctx", "seq_length"}, 2048);
    m.kv_heads = c.whole({"num_key_value_heads"}, m.heads);
    m.head_dim = c.whole({"head_dim"}, m.hidden / std::max(1, m.heads));
    m.positions = Positions::rotary;
    m.tied_embeddings = c.flag("tie_word_embeddings", false);
    m.vocabulary_padding = 1;
}

}  // namespace plimsoll::files
