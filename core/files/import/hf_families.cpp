#include "core/files/import/hf_families.h"

#include <algorithm>

namespace plimsoll::files {

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

// The block of two matrices with the square of ReLU between them.
void arcee(const HfConfig& c, Model& m) {
    llama(c, m);
    if (c.text({"hidden_act"}, "relu2") == "relu2") m.activation = Activation::squared_relu;
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
    m.experts.count = c.whole({"num_experts", "n_routed_experts", "num_local_experts", "moe_num_experts"});
    m.experts.top_k = c.whole({"num_experts_per_tok", "experts_per_token", "moe_k", "moe_topk"});
    m.experts.ffn = c.whole({"moe_intermediate_size", "intermediate_size"});
}

// Beside shared experts, and after layers that have none.
void routed_and_shared(const HfConfig& c, Model& m) {
    routed(c, m);
    Experts& e = m.experts;
    e.shared = c.whole({"n_shared_experts", "num_shared_experts", "moe_num_shared_experts"}, 0);
    e.shared_ffn = e.shared > 0 ? e.ffn : 0;
    e.dense_layers = c.whole({"first_k_dense_replace", "moe_layer_start_index", "num_dense_layers"}, 0);
    e.every = std::max(1, c.whole({"moe_layer_freq", "moe_layer_interval"}, 1));
}

void qwen2_moe(const HfConfig& c, Model& m) {
    qwen2(c, m);
    routed(c, m);
    m.experts.shared = 1;
    m.experts.shared_ffn = c.whole({"shared_expert_intermediate_size"});
    m.experts.every = std::max(1, c.whole({"decoder_sparse_step"}, 1));
    m.extra_parameters = double(Layers(m).with_experts()) * m.hidden;  // gate of the shared expert
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

// Tokens choose among groups of experts, which training lays on nodes.
void limit_nodes(const HfConfig& c, Model& m) {
    const int groups = c.whole({"n_group"}, 1), visited = c.whole({"topk_group"}, groups);
    m.experts.node_limit = visited < groups ? visited : 0;
}

void deepseek(const HfConfig& c, Model& m) {
    llama(c, m);
    routed_and_shared(c, m);
    limit_nodes(c, m);
    m.experts.router_bias = c.text({"topk_method"}, m.family == "DeepSeek-V2" ? "" : "noaux_tc") == "noaux_tc";
    latent_attention(c, m);
}

void sparse_deepseek(const HfConfig& c, Model& m) {
    deepseek(c, m);
    m.experts.router_bias = true;
    indexers(c, m);
}

// Layer norms without weights.
void olmo(const HfConfig& c, Model& m) {
    llama(c, m);
    m.norm = Norm::layer_norm;
    m.norms_per_layer = 0;
    m.final_norm = false;
}

void exaone4(const HfConfig& c, Model& m) {
    llama(c, m);
    m.qk_norm_width = m.head_dim;
    read_window(c, m, {.tokens = 0, .full_every = 4});
}

void seed_oss(const HfConfig& c, Model& m) {
    llama(c, m);
    set_biases(m, c.flag("attention_bias", true), c.flag("attention_out_bias", false), c.flag("mlp_bias", false));
}

void internlm2(const HfConfig& c, Model& m) {
    llama(c, m);
    const bool bias = c.flag("bias", false);
    set_biases(m, bias, bias, false);
}

// The larger of the two has no rotary positions, which its config.json tells by its depth alone.
void baichuan(const HfConfig& c, Model& m) {
    llama(c, m);
    if (m.layers == 40) m.positions = Positions::alibi;
}

void ernie(const HfConfig& c, Model& m) {
    llama(c, m);
    const bool bias = c.flag("use_bias", false);
    set_biases(m, bias, bias, bias);
    m.tied_embeddings = c.flag("tie_word_embeddings", true);
}

void ernie_moe(const HfConfig& c, Model& m) {
    ernie(c, m);
    routed_and_shared(c, m);
    m.experts.router_bias = c.flag("moe_use_aux_free", true);
}

// One expert is none. The shared block is as wide as the model's own.
void hunyuan(const HfConfig& c, Model& m) {
    llama(c, m);
    if (c.flag("use_qk_norm", true)) m.qk_norm_width = m.head_dim;
    if (c.whole({"num_experts"}, 1) > 1) {
        routed(c, m);
        m.experts.shared = c.flag("use_mixed_mlp_moe", true) ? c.whole({"num_shared_expert"}, 1) : 0;
        m.experts.shared_ffn = m.experts.shared > 0 ? m.ffn : 0;
    }
    if (c.flag("use_cla", false)) borrow_keys_in_turn(m, c.whole({"cla_share_factor"}, 1));
}

void minimax_m2(const HfConfig& c, Model& m) {
    olmo2(c, m);
    routed(c, m);
    m.experts.router_bias = c.flag("use_routing_bias", true);
}

void dots(const HfConfig& c, Model& m) {
    llama(c, m);
    routed_and_shared(c, m);
    m.qk_norm_width = m.head_dim;
    m.experts.router_bias = c.text({"scoring_func"}, "sigmoid") == "sigmoid";
}

// A gate behind attention and norms around both blocks.
void afmoe(const HfConfig& c, Model& m) {
    dots(c, m);
    m.norms_per_layer = 4;
    m.attention_gate = true;
    read_window(c, m, {.tokens = 2048, .full_every = 4});
}

void granite_moe(const HfConfig& c, Model& m) {
    mixtral(c, m);
    m.tied_embeddings = c.flag("tie_word_embeddings", true);
}

// The norms of queries and keys are over all heads.
void olmoe(const HfConfig& c, Model& m) {
    olmo2(c, m);
    routed(c, m);
}

void glm(const HfConfig& c, Model& m) {
    llama(c, m);
    set_biases(m, c.flag("attention_bias", true), false, false);
    if (c.text({"model_type"}, "") == "glm4") m.norms_per_layer = 4;
}

void glm4_moe(const HfConfig& c, Model& m) {
    llama(c, m);
    routed_and_shared(c, m);
    set_biases(m, c.flag("attention_bias", false), false, false);
    if (c.flag("use_qk_norm", false)) m.qk_norm_width = m.head_dim;
    m.experts.router_bias = true;
}

}  // namespace

void bailing(const HfConfig& c, Model& m) {
    llama(c, m);
    routed_and_shared(c, m);
    limit_nodes(c, m);
    const bool bias = c.flag("use_bias", false);
    set_biases(m, bias || c.flag("use_qkv_bias", false), bias, bias);
    if (c.flag("use_qk_norm", false)) m.qk_norm_width = m.head_dim;
    m.experts.router_bias = c.flag("moe_router_enable_expert_bias", false);
}

namespace {

// Before it had attention of a latent: experts beside shared ones.
void deepseek_v1(const HfConfig& c, Model& m) {
    llama(c, m);
    if (c.has("n_routed_experts")) routed_and_shared(c, m);
}

void chatglm(const HfConfig& c, Model& m) {
    m.ffn = c.whole({"ffn_hidden_size"});
    m.norm = c.flag("rmsnorm", true) ? Norm::rms_norm : Norm::layer_norm;
    m.activation = Activation::swiglu;
    m.head_dim = c.whole({"kv_channels"}, m.head_dim);
    m.kv_heads = c.flag("multi_query_attention", false) ? c.whole({"multi_query_group_num"}) : m.heads;
    const bool linear = c.flag("add_bias_linear", false);
    set_biases(m, linear || c.flag("add_qkv_bias", false), linear, linear);
    m.dropout = false;
}

// Its width counts both halves of the gated block.
void qwen(const HfConfig& c, Model& m) {
    llama(c, m);
    m.ffn = std::max(1, m.ffn / 2);
    const bool bias = !c.flag("no_bias", true);
    set_biases(m, true, bias, bias);
}

void starcoder2(const HfConfig& c, Model& m) {
    plain(c, m, "gelu_pytorch_tanh");
    m.ffn = c.whole({"intermediate_size"});
    const bool bias = c.flag("use_bias", true);
    set_biases(m, bias, bias, bias);
    m.tied_embeddings = c.flag("tie_word_embeddings", true);
    m.dropout = c.number("residual_dropout", 0.1) > 0;
    read_window(c, m);
}

void gpt_bigcode(const HfConfig& c, Model& m) {
    gpt2(c, m);
    if (c.flag("multi_query", true)) m.kv_heads = 1;
}

void mpt(const HfConfig& c, Model& m) {
    plain(c, m, "gelu");
    m.ffn = int(std::clamp(c.number("expansion_ratio", 4) * m.hidden, 1.0, double(1 << 24)));
    m.tied_embeddings = c.flag("tie_word_embeddings", true);
    const bool bias = !c.flag("no_bias", false);
    set_biases(m, bias, bias, bias);
    if (!bias) m.norm = Norm::rms_norm;   // norms have no biases either: they count and cost as RMS norms do
    bool alibi = false, rotary = false;
    if (const auto attention = c.root().member("attn_config"); attention && attention->object()) {
        const HfConfig inside(*attention);
        alibi = inside.flag("alibi", false);
        rotary = inside.flag("rope", false);
        m.kv_heads = inside.text({"attn_type"}, "") == "multiquery_attention" ? 1
                                                                             : inside.whole({"kv_n_heads"}, m.heads);
    }
    if (alibi) m.positions = Positions::alibi;
    else if (!rotary) learned_positions(m, m.sequence_length);
    m.dropout = false;
}

void stablelm(const HfConfig& c, Model& m) {
    llama(c, m);
    m.norm = Norm::layer_norm;
    set_biases(m, c.flag("use_qkv_bias", false), false, false);
    m.parallel_blocks = c.flag("use_parallel_residual", false);
    if (m.parallel_blocks) m.norms_per_layer = 1;
    if (c.flag("qk_layernorm", false)) m.qk_norm_width = m.head_dim;
}

// One norm before both blocks, without biases: it counts and costs as an RMS norm does.
void cohere(const HfConfig& c, Model& m) {
    llama(c, m);
    m.norms_per_layer = 1;
    m.parallel_blocks = true;
    m.tied_embeddings = c.flag("tie_word_embeddings", true);
    if (c.flag("use_qk_norm", false)) m.qk_norm_width = m.head_dim;
}

void cohere2(const HfConfig& c, Model& m) {
    cohere(c, m);
    read_window(c, m, {.tokens = 4096, .full_every = 4});
}

void read_as_llama(const HfConfig& c, Model& m) {
    llama(c, m);
    read_window(c, m);
}

constexpr HfFamily families[] = {
    {"afmoe", "Trinity", afmoe},
    {"apertus", "Apertus", apertus},
    {"arcee", "Arcee", arcee},
    {"baichuan", "Baichuan", baichuan},
    {"bailing_moe", "Ling", bailing},
    {"bailing_moe_linear", "Ling", bailing_linear},
    {"bailing_moe_v2", "Ling", bailing},
    {"bamba", "Bamba", bamba},
    {"bloom", "BLOOM", bloom},
    {"chatglm", "GLM", chatglm},
    {"cohere", "Cohere", cohere},
    {"cohere2", "Cohere 2", cohere2},
    {"deepseek", "DeepSeek", deepseek_v1},
    {"deepseek_v2", "DeepSeek-V2", deepseek},
    {"deepseek_v3", "DeepSeek-V3", deepseek},
    {"deepseek_v32", "DeepSeek-V3", sparse_deepseek},
    {"dots1", "dots.llm1", dots},
    {"ernie4_5", "ERNIE 4.5", ernie},
    {"ernie4_5_moe", "ERNIE 4.5 MoE", ernie_moe},
    {"exaone", "EXAONE", llama},
    {"exaone4", "EXAONE 4", exaone4},
    {"exaone4_5_text", "EXAONE 4", exaone4},
    {"falcon", "Falcon", falcon},
    {"falcon_h1", "Falcon-H1", falcon_h1},
    {"gemma", "Gemma", gemma},
    {"gemma2", "Gemma 2", gemma2},
    {"gemma3_text", "Gemma 3", gemma3},
    {"gemma4_text", "Gemma 4", gemma4},
    {"glm", "GLM", glm},
    {"glm4", "GLM-4", glm},
    {"glm4_moe", "GLM-4.5", glm4_moe},
    {"glm4_moe_lite", "GLM-4.7", deepseek},
    {"glm_moe_dsa", "GLM-5", sparse_deepseek},
    {"gpt2", "GPT-2", gpt2},
    {"gpt_bigcode", "StarCoder", gpt_bigcode},
    {"gpt_neox", "GPT-NeoX", gpt_neox},
    {"gpt_oss", "GPT-OSS", gpt_oss},
    {"gptj", "GPT-J", gptj},
    {"granite", "Granite", llama},
    {"granitemoe", "Granite MoE", granite_moe},
    {"granitemoehybrid", "Granite 4", granite_hybrid},
    {"hunyuan", "Hunyuan", hunyuan},
    {"hunyuan_v1_dense", "Hunyuan", hunyuan},
    {"hunyuan_v1_moe", "Hunyuan", hunyuan},
    {"hy_v3", "Hunyuan", dots},
    {"internlm2", "InternLM2", internlm2},
    {"kimi_k2", "DeepSeek-V3", deepseek},
    {"kimi_linear", "Kimi Linear", kimi_linear},
    {"llama", "LLaMA", llama},
    {"llama4_text", "Llama 4", llama4},
    {"mimo", "MiMo", qwen2},
    {"mimo_v2_flash", "MiMo", mimo_v2},
    {"minimax", "MiniMax", minimax},
    {"minimax_m1", "MiniMax", minimax},
    {"minimax_m2", "MiniMax", minimax_m2},
    {"minimax_text_01", "MiniMax", minimax},
    {"ministral3", "Ministral 3", phi3},
    {"mistral", "Mistral", mistral},
    {"mistral4", "Mistral 4", deepseek},
    {"mixtral", "Mixtral", mixtral},
    {"mpt", "MPT", mpt},
    {"nemotron", "Nemotron", nemotron},
    {"nemotron_h", "Nemotron", nemotron_h},
    {"olmo", "OLMo", olmo},
    {"olmo2", "OLMo 2", olmo2},
    {"olmo3", "OLMo 3", olmo3},
    {"olmo_hybrid", "OLMo 3", olmo_hybrid},
    {"olmoe", "OLMoE", olmoe},
    {"opt", "OPT", opt},
    {"phi", "Phi", phi},
    {"phi3", "Phi-3", phi3},
    {"qwen", "Qwen", qwen},
    {"qwen2", "Qwen2", qwen2},
    {"qwen2_5_vl_text", "Qwen2", qwen2},
    {"qwen2_moe", "Qwen2 MoE", qwen2_moe},
    {"qwen2_vl_text", "Qwen2", qwen2},
    {"qwen3", "Qwen3", qwen3},
    {"qwen3_5_moe_text", "Qwen3.5", qwen3_next},
    {"qwen3_5_text", "Qwen3.5", qwen3_next},
    {"qwen3_moe", "Qwen3 MoE", qwen3_moe},
    {"qwen3_next", "Qwen3-Next", qwen3_next},
    {"qwen3_vl_moe_text", "Qwen3 MoE", qwen3_moe},
    {"qwen3_vl_text", "Qwen3", qwen3},
    {"seed_oss", "Seed-OSS", seed_oss},
    {"smollm3", "SmolLM3", llama},
    {"solar_open", "Solar Open", glm4_moe},
    {"stablelm", "StableLM", stablelm},
    {"starcoder2", "StarCoder2", starcoder2},
    {"zamba2", "Zamba2", zamba2},
};

}  // namespace

constexpr HfFamily llama_by_its_keys{"", "LLaMA by its keys", read_as_llama};

std::span<const HfFamily> hf_families() { return families; }
const HfFamily& llama_by_keys() { return llama_by_its_keys; }

}  // namespace plimsoll::files
