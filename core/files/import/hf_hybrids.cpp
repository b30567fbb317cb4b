// Configurations whose layers are of several kinds: which layer is of which, and the sizes of mixers with a state.
#include "core/files/import/hf_families.h"

#include "core/values/basics/phrase.h"
#include "core/values/plan/layer.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace plimsoll::files {
namespace {


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

// A list of ones and noughts.
LayerList with_ones(const Reader& at, LayerWord one, LayerWord nought) {
    LayerList all;
    if (!at.array(most_layers)) return all;
    for (const Reader& number : at.elements()) all.push_back(number.whole({0, 1}).value_or(0) == 1 ? one : nought);
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
    if (const auto at = root.member("attn_type_list")) return with_ones(*at, LayerWord::attention, LayerWord::state);
    if (const auto at = root.member("hybrid_layer_pattern"))
        return with_ones(*at, LayerWord::window, LayerWord::attention);
    LayerList all(std::size_t(m.layers), LayerWord::state);
    const int every = std::max(1, c.whole({"full_attention_interval", "attn_layer_period", "layer_group_size"}, 4));
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
    m.ffn = c.whole({"intermediate_size", "moe_intermediate_size"});   // the second where every layer has experts
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
    e.top_k = c.whole({"num_experts_per_tok", "num_experts_per_token", "top_k_experts"});
    e.ffn = c.whole({"moe_intermediate_size", "intermediate_size"});
    e.dense_layers = c.whole({"first_k_dense_replace"}, 0);
    if (const auto listed = c.root().member("moe_layer_freq"); listed && listed->json().is_array()) {
        const LayerList with = with_ones(*listed, LayerWord::experts, LayerWord::feed);
        const auto first = std::ranges::find(with, LayerWord::experts);
        e.dense_layers = int(first - with.begin());
        if (std::find(first, with.end(), LayerWord::feed) != with.end())
            listed->error(phrase("expected noughts before ones: layers with experts follow those without"));
        return;
    }
    e.every = std::max(1, c.whole({"decoder_sparse_step", "moe_layer_freq"}, 1));
}

void shared_experts(Model& m, int count, int width) {
    if (count < 1 || width < 1) return;
    m.experts.shared = count;
    m.experts.shared_ffn = width;
}

// Of linear attention over the heads of the other layers.
Recurrence as_wide_as_attention(const Model& m) {
    Recurrence r;
    r.heads = r.key_heads = m.heads;
    r.head_dim = r.key_dim = m.head_dim;
    r.conv = 0;
    return r;
}

// Layers with a window have heads of their own.
void set_windowed(Model& m, int heads, int kv_heads, int head_dim) {
    for (LayerKind& kind : m.kinds)
        if (kind.window > 0) kind.heads = heads, kind.kv_heads = kv_heads, kind.head_dim = head_dim;
}

double windowed_layers(const Model& m) {
    return double(std::ranges::count_if(m.pattern, [&](char letter) {
        const auto kind = std::ranges::find(m.kinds, letter, &LayerKind::letter);
        return kind != m.kinds.end() && kind->window > 0;
    }));
}

}  // namespace

void latent_attention(const HfConfig& c, Model& m) {
    LatentAttention& l = m.latent;
    l.kv_rank = c.whole({"kv_lora_rank"});
    l.q_rank = c.whole({"q_lora_rank"}, 0);
    l.rope_dim = c.whole({"qk_rope_head_dim"});
    l.nope_dim = c.whole({"qk_nope_head_dim"});
    l.value_dim = c.whole({"v_head_dim"});
    m.head_dim = l.nope_dim + l.rope_dim;
    m.kv_heads = m.heads;
}

// GLM-5.2 lists which layers have one.
void indexers(const HfConfig& c, Model& m) {
    m.indexer = {c.whole({"index_n_heads"}), c.whole({"index_head_dim"}), c.whole({"index_topk"})};
    const auto types = c.root().member("indexer_types");
    if (!types || !types->array(most_layers)) return;
    std::vector<bool> shared;
    for (const Reader& type : types->elements()) shared.push_back(type.text().value_or("") == "shared");
    if (int(shared.size()) != m.layers || std::ranges::find(shared, true) == shared.end()) return;
    const Layers plain(m);
    for (int i = 0; i < m.layers; ++i) {
        LayerKind kind{.feed = plain[plain.of_layer(i)].feed};
        kind.letter = kind.feed == Feed::dense ? 'D' : 'E';
        if (shared[std::size_t(i)]) kind.letter = char(kind.letter - 'A' + 'a'), kind.index = Index::borrowed;
        m.pattern += kind.letter;
        if (std::ranges::find(m.kinds, kind.letter, &LayerKind::letter) == m.kinds.end()) m.kinds.push_back(kind);
    }
    m.further.pattern = "E";   // a module has an indexer of its own
    m.sources["/pattern"] = {SourceKind::vendor, "config.json: the list of its indexers"};
}

void read_further_tokens(const HfConfig& c, Model& m) {
    constexpr const char* usual = "num_nextn_predict_layers";
    m.further.depths = std::min(16, c.whole({usual, "mtp_num_hidden_layers", "mtp_num_layers", "num_mtp_modules"}, 0));
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
    m.experts.latent_width = c.whole({"routed_expert_hidden_size"}, 0);
    m.experts.latent_norm = m.experts.latent_width > 0 && c.flag("latent_moe_use_norm", false);
    m.attention_gate = c.flag("mla_use_output_gate", false);
    latent_attention(c, m);
    m.positions = Positions::none;
    const auto at = c.root().member("linear_attn_config");
    if (!at || !at->object()) return c.root().missing("linear_attn_config", phrase("an object"));
    const HfConfig inside(*at);
    Recurrence r;
    r.heads = r.key_heads = inside.whole({"num_heads"});
    r.head_dim = r.key_dim = inside.whole({"head_dim"});
    r.conv = inside.whole({"short_conv_kernel_size"}, 4);
    r.full_gate = inside.flag("use_full_rank_gate", false);
    const auto full = at->member("full_attn_layers");
    if (!full) return at->missing("full_attn_layers", phrase("a list of layers"));
    take_layers(c, m, with_numbers(*full, m.layers, 1, LayerWord::attention), Mixer::kimi_delta, r);
}

void minimax(const HfConfig& c, Model& m) {
    rms_and_swiglu(c, m);
    experts_of(c, m);
    take_layers(c, m, words_of_layers(c, m), Mixer::lightning, as_wide_as_attention(m));
}

// Every group ends with a layer that attends, and so do all layers that fill no group. Where queries and keys are
// normed, those of the linear layers are too.
void bailing_linear(const HfConfig& c, Model& m) {
    bailing(c, m);
    LayerList words = words_of_layers(c, m);
    const int group = std::max(1, c.whole({"layer_group_size"}, 4));
    std::fill(words.end() - std::ptrdiff_t(words.size()) % group, words.end(), LayerWord::attention);
    take_layers(c, m, words, Mixer::lightning, as_wide_as_attention(m));
    m.extra_parameters = 2.0 * m.qk_norm_width * std::ranges::count(words, LayerWord::state);
}

// Mamba-2 layers, and in front of some of them one of a few transformer layers in turn, whose weights are used again:
// both are layers here. Zyphra's own configurations have other names for the same sizes.
void zamba2(const HfConfig& c, Model& m) {
    if (c.flag("add_bias_linear", false))
        return c.root().error("add_bias_linear", phrase("biases of Mamba-2's projections are not modelled"));
    m.ffn = c.whole({"intermediate_size", "ffn_hidden_size"}, 4 * m.hidden);
    m.norm = Norm::rms_norm;
    m.activation = c.text({"hidden_act"}, "gelu") == "silu" ? Activation::swiglu : Activation::geglu;
    m.qkv_bias = m.out_bias = m.mlp_bias = m.dropout = false;
    m.tied_embeddings = c.flag("tie_word_embeddings", true);
    m.head_dim = 2 * m.hidden / std::max(1, m.heads);
    if (!c.flag("use_mem_rope", false)) m.positions = Positions::none;
    Recurrence r;
    const int inner = std::max(1, c.whole({"mamba_expand", "expansion_factor"}, 2)) * m.hidden;
    r.head_dim = c.whole({"mamba_headdim"}, 64);
    r.heads = c.whole({"n_mamba_heads"}, inner / std::max(1, r.head_dim));
    r.head_dim = inner / std::max(1, r.heads);
    r.key_heads = c.whole({"mamba_ngroups"}, 1);
    r.key_dim = c.whole({"mamba_d_state", "state_size"}, 64);
    r.conv = c.whole({"mamba_d_conv", "conv_dimension"}, 4);
    constexpr int most_blocks = 12;   // letters before that of Mamba-2
    const int blocks = c.whole({"num_mem_blocks"}, 1);
    if (blocks < 1 || blocks > most_blocks)
        return c.root().error("num_mem_blocks", phrase("found {1}, expected 1 to {2}", blocks, most_blocks));
    const auto list = c.root().member("layers_block_type");
    if (!list) return c.root().missing("layers_block_type", phrase("a list of layers"));
    if (!list->array(most_layers)) return;
    LayerKind shared{.shared = {.on = true, .reads_embedding = true, .projects_back = true}};
    shared.shared.adapter_rank = c.whole({"adapter_rank", "lora_rank"}, 128);
    shared.shared.adapts_attention =
        c.flag("use_shared_attention_adapter", c.flag("use_shared_attention_lora", false));
    int uses = 0, layers = 0;
    m.kinds = {{.letter = 'M', .feed = Feed::none, .mixer = Mixer::mamba2, .recurrence = r}};
    for (const Reader& layer : list->elements()) {
        const std::string word = layer.text().value_or("");
        const bool hybrid = word == "hybrid" || word == "g";
        if (!hybrid && word != "mamba" && word != "linear_attention" && word != "m")
            return refuse_blocks(layer, word);
        if (hybrid) {
            shared.letter = char('A' + uses % blocks);
            if (uses++ < blocks) m.kinds.push_back(shared);
            m.pattern += shared.letter;
        }
        m.pattern += 'M';
        ++layers;
    }
    if (layers != m.layers)
        return c.root().error("num_hidden_layers",
                              phrase("found {1}, expected the {2} layers of the list", m.layers, layers));
    m.layers = int(m.pattern.size());
    m.sources["/pattern"] = {SourceKind::vendor, "config.json: the list of its layers"};
}

// Values are narrower than queries and keys: their mean is stored, with which weights and work come out the same.
void mimo_v2(const HfConfig& c, Model& m) {
    rms_and_swiglu(c, m);
    experts_of(c, m);
    m.experts.router_bias = has_experts(m);
    m.head_dim = (m.head_dim + c.whole({"v_head_dim"}, m.head_dim)) / 2;
    take_layers(c, m, words_of_layers(c, m), Mixer::lightning, {});
    const int heads = c.whole({"swa_num_attention_heads"}, m.heads);
    set_windowed(m, heads, c.whole({"swa_num_key_value_heads"}, m.kv_heads), 0);
    if (c.flag("add_swa_attention_sink_bias", false)) m.extra_parameters = heads * windowed_layers(m);
}

namespace {

// The last layers read the keys of the last layer before them of their own kind; their dense blocks may be wider.
void borrow_keys(const HfConfig& c, Model& m, int borrowers, int ffn) {
    if (borrowers == 0) return;
    const std::size_t first = std::size_t(m.layers - std::min(borrowers, m.layers));
    const std::vector<LayerKind> before = m.kinds;
    const auto add = [&](LayerKind kind, std::size_t layer, char letter) {
        kind.letter = m.pattern[layer] = letter;
        if (std::ranges::find(m.kinds, letter, &LayerKind::letter) == m.kinds.end()) m.kinds.push_back(kind);
    };
    for (const LayerKind& kind : before) {
        const std::size_t used = m.pattern.find(kind.letter, first);
        if (used == std::string::npos) continue;
        const std::size_t lender = first == 0 ? std::string::npos : m.pattern.rfind(kind.letter, first - 1);
        if (lender == std::string::npos)
            return c.root().error("num_kv_shared_layers", phrase("no layer before the last {1} lends to layer {2}",
                                                                 borrowers, int(used) + 1));
        LayerKind borrower = kind, lends = kind;
        borrower.keys = Keys::borrowed;
        if (ffn > 0) borrower.ffn = ffn;
        lends.keys = Keys::lent;
        // A full or a windowed layer, in small without experts among layers with experts.
        const bool full = kind.letter == 'A' || kind.letter == 'a';
        const char small = kind.letter >= 'a' ? 'a' - 'A' : 0;
        for (std::size_t i = first; i < m.pattern.size(); ++i)
            if (m.pattern[i] == kind.letter) add(borrower, i, char((full ? 'B' : 'V') + small));
        add(lends, lender, char((full ? 'L' : 'U') + small));
    }
    std::erase_if(m.kinds, [&](const LayerKind& k) { return m.pattern.find(k.letter) == std::string::npos; });
}

}  // namespace

// A reader has a norm of the keys of its own.
void borrow_keys_in_turn(Model& m, int each) {
    if (each < 2) return;
    const Layers plain(m);
    for (int i = 0; i < m.layers; ++i) {
        LayerKind kind{.feed = plain[plain.of_layer(i)].feed};
        kind.keys = i % each == 0 ? Keys::lent : Keys::borrowed;
        kind.letter = kind.keys == Keys::lent ? 'L' : 'B';
        if (has_experts(m) && kind.feed == Feed::dense) kind.letter = char(kind.letter - 'A' + 'a');
        m.pattern += kind.letter;
        m.extra_parameters += kind.keys == Keys::borrowed ? m.qk_norm_width : 0;
        if (std::ranges::find(m.kinds, kind.letter, &LayerKind::letter) == m.kinds.end()) m.kinds.push_back(kind);
    }
    m.sources["/pattern"] = {SourceKind::vendor, "config.json: cla_share_factor"};
}

namespace {

double layers_that(const Model& m, auto is) {
    const Layers layers(m);
    double sum = 0;
    for (int i = 0; i < m.layers; ++i) sum += is(layers[layers.of_layer(i)]);
    return sum;
}

}  // namespace

// Layers without a window have wider and fewer key heads, which are their values too where the configuration says so.
// Experts stand beside the dense block, which is a shared expert then, with three more norms and two scales a router.
void gemma4(const HfConfig& c, Model& m) {
    rms_and_swiglu(c, m);
    m.activation = Activation::geglu;
    m.tied_embeddings = c.flag("tie_word_embeddings", true);
    m.norms_per_layer = 4;
    m.qk_norm_width = m.head_dim;
    experts_of(c, m);
    shared_experts(m, has_experts(m) ? 1 : 0, m.ffn);
    const int dim = m.head_dim, keys = m.kv_heads;
    const bool one = c.flag("attention_k_eq_v", false);   // keys are values
    m.head_dim = c.whole({"global_head_dim"}, dim);
    if (one) m.kv_heads = c.whole({"num_global_key_value_heads"}, keys);
    take_layers(c, m, words_of_layers(c, m), Mixer::lightning, {});
    set_windowed(m, m.heads, keys, dim);
    for (LayerKind& kind : m.kinds) kind.keys_are_values = one && kind.window == 0;
    borrow_keys(c, m, c.whole({"num_kv_shared_layers"}, 0), c.flag("use_double_wide_mlp", false) ? 2 * m.ffn : 0);
    m.per_layer_embedding = c.whole({"hidden_size_per_layer_input"}, 0);
    if (c.root().findings().errors() > 0) return;
    // Norms of queries, and of the keys that a layer makes itself.
    const double normed = layers_that(m, [](const LayerKind& k) {
        return k.window > 0 ? 0 : k.keys == Keys::borrowed ? 1 : 2;
    });
    m.extra_parameters = normed * (m.head_dim - dim);
    if (m.per_layer_embedding > 0)
        m.extra_parameters += (c.whole({"vocab_size_per_layer_input"}, m.vocabulary) - 1.0 * m.vocabulary) * m.layers
                            * m.per_layer_embedding;
    if (has_experts(m)) m.extra_parameters += m.layers * (4.0 * m.hidden + m.experts.count);
}

}  // namespace plimsoll::files
