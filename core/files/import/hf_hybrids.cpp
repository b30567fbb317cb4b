// Configurations whose layers are of several kinds: which layer is of which, and the sizes of mixers with a state.
#include "core/files/import/hf_families.h"

#include "core/values/basics/phrase.h"
#include "core/values/plan/layer.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace plimsoll::files {
namespace {

constexpr std::size_t most_layers = 10000;

// What mixes the tokens of every layer, as configurations say it.
enum class LayerWord { attention, window, state, feed, experts };

struct WordOf {
    std::string_view text;
    LayerWord word;
};
constexpr WordOf layer_words[] = {
    {"attention", LayerWord::attention},        {"full_attention", LayerWord::attention},
    {"sliding_attention", LayerWord::window},   {"linear_attention", LayerWord::state},
    {"mamba", LayerWord::state},                {"mamba2", LayerWord::state},
    {"mlp", LayerWord::feed},                   {"moe", LayerWord::experts},
};

using LayerList = std::vector<LayerWord>;

std::optional<LayerList> listed_words(const Reader& at) {
    if (!at.array(most_layers)) return std::nullopt;
    LayerList all;
    for (const Reader& layer : at.elements()) {
        const std::string text = layer.text().value_or("");
        const auto known = std::ranges::find(layer_words, std::string_view(text), &WordOf::text);
        if (known == std::end(layer_words)) return refuse_blocks(layer, text), std::nullopt;
        all.push_back(known->word);
    }
    return all;
}

// Numbers of layers, counted from `first`, that are `word`; the others have a state.
LayerList with_numbers(const Reader& at, int layers, int first, LayerWord word) {
    LayerList all(std::size_t(layers), LayerWord::state);
    if (!at.array(most_layers)) return all;
    for (const Reader& number : at.elements())
        if (const auto i = number.whole({double(first), double(layers - 1 + first)}))
            all[std::size_t(*i - first)] = word;
    return all;
}

// By any of the lists and numbers that model types have for it.
LayerList words_of_layers(const HfConfig& c, const Model& m) {
    const Reader& root = c.root();
    for (const char* key : {"layer_types", "layers_block_type"})
        if (const auto at = root.member(key))
            if (auto all = listed_words(*at)) return *all;
    if (const auto at = root.member("attn_layer_indices"))
        return with_numbers(*at, m.layers, 0, LayerWord::attention);
    LayerList all(std::size_t(m.layers), LayerWord::state);
    if (const auto at = root.member("attn_type_list"); at && at->array(most_layers)) {   // MiniMax: 1 is softmax
        std::size_t i = 0;
        for (const Reader& type : at->elements())
            if (i < all.size() && type.whole({0, 1}).value_or(0) == 1) all[i++] = LayerWord::attention;
            else ++i;
        return all;
    }
    const int every = std::max(1, c.whole({"full_attention_interval", "attn_layer_period"}, 4));
    for (int i = every - 1; i < m.layers; i += every) all[std::size_t(i)] = LayerWord::attention;
    return all;
}

// The letter of a kind; in small where other layers of the model have experts and this one has none.
char letter_of(LayerWord word, Mixer state, bool small) {
    constexpr char states[] = {'A', 'M', 'G', 'K', 'L'};
    const char c = word == LayerWord::state ? states[int(state)] : word == LayerWord::window ? 'W' : 'A';
    return small ? char(c - 'A' + 'a') : c;
}

// Whole layers: a mixer by the list, and behind it experts or a dense block by the model's own rule.
void take_layers(const HfConfig& c, Model& m, const LayerList& words, Mixer state, const Recurrence& sizes) {
    if (int(words.size()) != m.layers)
        return c.root().error("num_hidden_layers", phrase("found {1}, expected the {2} layers of the list", m.layers,
                                                          int(words.size())));
    const int window = c.whole({"sliding_window"}, 0);
    const Layers plain(m);   // which layers have experts
    for (int i = 0; i < m.layers; ++i) {
        const LayerWord word = words[std::size_t(i)];
        if (word == LayerWord::feed || word == LayerWord::experts)
            return c.root().error("layers_block_type", phrase("a feed-forward block alone is not known of this type"));
        LayerKind kind;
        kind.feed = plain[plain.of_layer(i)].feed;
        kind.letter = letter_of(word, state, has_experts(m) && kind.feed == Feed::dense);
        if (word == LayerWord::state) kind.mixer = state, kind.recurrence = sizes;
        if (word == LayerWord::window) kind.window = window;
        m.pattern += kind.letter;
        if (std::ranges::find(m.kinds, kind.letter, &LayerKind::letter) == m.kinds.end()) m.kinds.push_back(kind);
    }
    m.sources["/pattern"] = {SourceKind::vendor, "config.json: the list of its layers"};
}

Recurrence mamba_sizes(const HfConfig& c, const Model& m) {
    Recurrence r;
    r.heads = c.whole({"mamba_n_heads", "mamba_num_heads", "num_heads"});
    const int inner = c.whole({"mamba_d_ssm"}, std::max(1, c.whole({"mamba_expand", "expand"}, 2)) * m.hidden);
    const auto width = c.root().member("mamba_d_head");   // or "auto"
    const int even = inner / std::max(1, r.heads);
    r.head_dim = width && width->is_text() ? even : c.whole({"mamba_d_head", "mamba_head_dim", "head_dim"}, even);
    r.key_dim = c.whole({"mamba_d_state", "ssm_state_size", "state_size"});
    r.key_heads = c.whole({"mamba_n_groups", "n_groups"}, 1);
    r.conv = c.whole({"mamba_d_conv", "conv_kernel"}, 4);
    return r;
}

Recurrence delta_sizes(const HfConfig& c) {
    Recurrence r;
    r.heads = c.whole({"linear_num_value_heads"});
    r.head_dim = c.whole({"linear_value_head_dim"});
    r.key_heads = c.whole({"linear_num_key_heads"});
    r.key_dim = c.whole({"linear_key_head_dim"});
    r.conv = c.whole({"linear_conv_kernel_dim"}, 4);
    return r;
}

void rms_and_swiglu(const HfConfig& c, Model& m) {
    m.ffn = c.whole({"intermediate_size"});
    m.norm = Norm::rms_norm;
    m.activation = Activation::swiglu;
    const bool bias = c.flag("attention_bias", false);
    m.qkv_bias = bias;
    m.out_bias = bias;
    m.mlp_bias = c.flag("mlp_bias", false);
    m.dropout = false;
}

void experts_of(const HfConfig& c, Model& m) {
    Experts& e = m.experts;
    e.count = c.whole({"num_experts", "num_local_experts", "n_routed_experts"}, 0);
    if (e.count == 0) return;
    e.top_k = c.whole({"num_experts_per_tok", "num_experts_per_token"});
    e.ffn = c.whole({"moe_intermediate_size", "intermediate_size"});
    e.dense_layers = c.whole({"first_k_dense_replace"}, 0);
    e.every = std::max(1, c.whole({"decoder_sparse_step", "moe_layer_freq"}, 1));
}

void shared_experts(Model& m, int count, int width) {
    if (count < 1 || width < 1) return;
    m.experts.shared = count;
    m.experts.shared_ffn = width;
}

}  // namespace

void read_further_tokens(const HfConfig& c, Model& m) {
    constexpr const char* usual = "num_nextn_predict_layers";
    m.further.depths = std::min(16, c.whole({usual, "mtp_num_hidden_layers", "mtp_num_layers"}, 0));
    if (m.further.depths == 0) return m.further = {}, void();
    c.root().warning(usual, phrase("a module that predicts further tokens is part of the model, on the stage of the "
                                   "loss; a run without it has 0 further tokens"));
}

void bamba(const HfConfig& c, Model& m) {
    rms_and_swiglu(c, m);
    take_layers(c, m, words_of_layers(c, m), Mixer::mamba2, mamba_sizes(c, m));
}

// Without experts the shared block is the layer's own.
void granite_hybrid(const HfConfig& c, Model& m) {
    rms_and_swiglu(c, m);
    experts_of(c, m);
    const int shared = c.whole({"shared_intermediate_size"}, 0);
    if (has_experts(m)) shared_experts(m, 1, shared);
    else if (shared > 0) m.ffn = shared;
    m.tied_embeddings = c.flag("tie_word_embeddings", true);
    if (c.text({"position_embedding_type"}, "rope") != "rope") m.positions = Positions::none;
    take_layers(c, m, words_of_layers(c, m), Mixer::mamba2, mamba_sizes(c, m));
}

// Attention and Mamba-2 side by side in every layer.
void falcon_h1(const HfConfig& c, Model& m) {
    rms_and_swiglu(c, m);
    LayerKind kind{.letter = 'H', .beside = Mixer::mamba2, .recurrence = mamba_sizes(c, m)};
    kind.recurrence.gated_norm = c.flag("mamba_rms_norm", false);
    m.kinds = {kind};
    m.pattern = std::string(std::size_t(m.layers), kind.letter);
}

// A mixer or a feed-forward block alone is a layer.
void nemotron_h(const HfConfig& c, Model& m) {
    rms_and_swiglu(c, m);
    m.activation = Activation::squared_relu;
    m.positions = Positions::none;
    std::string pattern = c.text({"hybrid_override_pattern"}, "");
    if (pattern.empty())
        for (const LayerWord w : words_of_layers(c, m)) pattern += "*WM-E"[int(w)];
    experts_of(c, m);
    const bool routed = pattern.find('E') != pattern.npos;
    if (!routed) m.experts = {};
    shared_experts(m, routed ? c.whole({"n_shared_experts"}, 0) : 0,
                   c.whole({"moe_shared_expert_intermediate_size"}, 0));
    m.experts.latent_width = routed ? c.whole({"moe_latent_size"}, 0) : 0;
    m.experts.router_bias = routed;
    m.layers = int(pattern.size());
    m.pattern = std::move(pattern);
    for (const char letter : std::string_view("M*-E")) {
        if (m.pattern.find(letter) == std::string::npos) continue;
        LayerKind kind{.letter = letter, .feed = Feed::none};
        if (letter == 'M') kind.mixer = Mixer::mamba2, kind.recurrence = mamba_sizes(c, m);
        if (letter == '-' || letter == 'E') kind.mixer = Mixer::none;
        if (letter == '-') kind.feed = Feed::dense;
        if (letter == 'E') kind.feed = Feed::experts;
        m.kinds.push_back(kind);
    }
    m.further.pattern = c.text({"mtp_hybrid_override_pattern"}, "*E");
    const int depths = c.whole({"num_nextn_predict_layers", "mtp_num_layers"}, 0);
    m.further.repeated = c.flag("mtp_use_repeated_layer", depths > 1);
}

void qwen3_next(const HfConfig& c, Model& m) {
    rms_and_swiglu(c, m);
    m.qk_norm_width = m.head_dim;
    m.attention_gate = c.flag("attn_output_gate", true);
    experts_of(c, m);
    if (has_experts(m)) shared_experts(m, 1, c.whole({"shared_expert_intermediate_size"}, 0));
    m.experts.shared_gate = m.experts.shared > 0;
    take_layers(c, m, words_of_layers(c, m), Mixer::gated_delta, delta_sizes(c));
    m.further.pattern = "A";
}

void olmo_hybrid(const HfConfig& c, Model& m) {
    rms_and_swiglu(c, m);
    m.qk_norm_width = int(std::min(1LL << 24, (1LL * m.heads + m.kv_heads) * m.head_dim / 2));
    take_layers(c, m, words_of_layers(c, m), Mixer::gated_delta, delta_sizes(c));
}

// Lists of layers count from 1.
void kimi_linear(const HfConfig& c, Model& m) {
    rms_and_swiglu(c, m);
    experts_of(c, m);
    shared_experts(m, c.whole({"num_shared_experts", "n_shared_experts"}, 0), m.experts.ffn);
    m.experts.router_bias = has_experts(m);
    LatentAttention& l = m.latent;
    l.kv_rank = c.whole({"kv_lora_rank"});
    l.q_rank = c.whole({"q_lora_rank"}, 0);
    l.rope_dim = c.whole({"qk_rope_head_dim"});
    l.nope_dim = c.whole({"qk_nope_head_dim"});
    l.value_dim = c.whole({"v_head_dim"});
    m.head_dim = l.nope_dim + l.rope_dim;
    m.kv_heads = m.heads;
    m.positions = Positions::none;
    const auto at = c.root().member("linear_attn_config");
    if (!at || !at->object()) return c.root().missing("linear_attn_config", phrase("an object"));
    const HfConfig inside(*at);
    Recurrence r;
    r.heads = r.key_heads = inside.whole({"num_heads"});
    r.head_dim = r.key_dim = inside.whole({"head_dim"});
    r.conv = inside.whole({"short_conv_kernel_size"}, 4);
    const auto full = at->member("full_attn_layers");
    if (!full) return at->missing("full_attn_layers", phrase("a list of layers"));
    take_layers(c, m, with_numbers(*full, m.layers, 1, LayerWord::attention), Mixer::kimi_delta, r);
}

void minimax(const HfConfig& c, Model& m) {
    rms_and_swiglu(c, m);
    experts_of(c, m);
    Recurrence r;
    r.heads = r.key_heads = m.heads;
    r.head_dim = r.key_dim = m.head_dim;
    r.conv = 0;
    take_layers(c, m, words_of_layers(c, m), Mixer::lightning, r);
}

}  // namespace plimsoll::files
