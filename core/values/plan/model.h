#pragma once
// The shape of a decoder-only transformer, and what follows from the shape
// alone: parameter counts and model FLOP.
//
//   parameters(gpt3_175b) == 174'604'234'752   // exact, from the shape
//
// Models whose layers are of several kinds are read and counted; estimate() refuses their plans as yet.

#include "core/values/basics/source.h"
#include "core/values/basics/units.h"
#include "core/values/plan/documents.h"
#include "core/values/plan/method.h"

#include <compare>
#include <string>
#include <vector>

namespace plimsoll {

// Multi-head latent attention (DeepSeek-V2, 2405.04434): queries, keys and
// values are projected down to a latent vector and up again per head; a part of
// each query and key carries the rotary positions. Off while `kv_rank` is zero.
//
// Head dimension of queries and keys: nope_dim + rope_dim (the model's head_dim).
struct LatentAttention {
    int kv_rank = 0;      // latent width of keys and values; 0: no latent attention
    int q_rank = 0;       // latent width of queries; 0: projected in one step
    int rope_dim = 0;     // per head, with rotary positions; the key's is shared by all heads
    int nope_dim = 0;     // per head, without
    int value_dim = 0;    // per head
    friend bool operator==(const LatentAttention&, const LatentAttention&) = default;
};

// ---- Experts

// The mixture of experts in place of a layer's feed-forward block, as the model
// card states it. Off while `count` is zero.
//
//   Experts e;  e.count = 64;  e.top_k = 8;  e.ffn = 512;   // DeepSeekMoE style
//   e.order = ExpertOrder::dcca;  e.ratio = 0.25;           // the same, BigMac's order
//
// A router sends every token to `top_k` of `count` experts of width `ffn`;
// shared experts see every token. The first `dense_layers` layers keep the
// model's own feed-forward block, and after them every layer whose number
// (from 0) `every` does not divide (Megatron's --moe-layer-freq).

// Where the widths change. CDAC: tokens travel at the width of the residual
// stream and every expert projects down and up (DeepSeekMoE, Dai et al. 2024).
// DCCA: two projections all experts share stand before and after the exchange,
// so that tokens travel at `ratio` of that width (BigMac, 2502.16927); experts
// then work on the narrow tokens with an inner width of ffn / ratio, so they
// hold and compute as much as before.
enum class ExpertOrder { cdac, dcca };

struct Experts {
    int count = 0;           // routed experts of one layer, E; 0: a dense model
    int top_k = 1;           // of which a token visits k
    int ffn = 1;             // inner width of one (of each branch when gated)
    int shared = 0;          // shared experts
    int shared_ffn = 0;      // inner width of one of them
    int dense_layers = 0;    // first layers without experts
    int every = 1;           // of the rest, every n-th layer has experts
    int node_limit = 0;      // outer network domains a token may visit; 0: no limit
    double capacity = 0;     // tokens an expert takes at most, over the mean; 0: as many as come
    bool pads = true;        // up to the capacity (Switch); off: an expert works on as many as come, up to it
    double imbalance = 1;    // tokens of the busiest rank over the mean
    double rank_capacity = 0;   // room in memory for the tokens of a rank, over the mean; 0: for those that come
    double ratio = 0.25;     // DCCA: width of an exchanged token over that of the residual stream
    // Width that two projections which all experts share bring tokens to before the exchange, and back after it; 0:
    // none. Unlike in the DCCA order the inner width stays (Nemotron 3 Super, Megatron's --moe-latent-size).
    int latent_width = 0;
    bool latent_norm = false;   // a norm of that width
    bool shared_gate = false;   // shared experts pass a gate of `hidden` weights (Qwen)
    bool router_bias = false;
    ExpertOrder order = ExpertOrder::cdac;
    friend bool operator==(const Experts&, const Experts&) = default;
};

// Tokens the slowest expert works on, over the mean; those that memory has room for; and those that all ranks exchange:
// imbalance moves tokens between ranks and adds none, padding does, and what is beyond a capacity is dropped.
inline double expert_load(const Experts& e) {
    if (e.capacity == 0) return e.imbalance;
    return e.pads || e.capacity < e.imbalance ? e.capacity : e.imbalance;
}
inline double expert_room(const Experts& e) { return e.rank_capacity > 0 ? e.rank_capacity : expert_load(e); }
inline double exchanged_load(const Experts& e) {
    if (e.capacity == 0) return 1;
    return e.pads || e.capacity < 1 ? e.capacity : 1;
}

// ---- Windows

// Layers whose queries see only the tokens near them: the last `tokens` (Mistral, Gemma, GPT-OSS), or those of their
// own chunk of so many (Llama 4). Off while `tokens` or `layers` is zero.
struct AttentionWindow {
    int tokens = 0;
    int layers = 0;        // how many of the model's layers
    bool chunks = false;
    friend bool operator==(const AttentionWindow&, const AttentionWindow&) = default;
};

// ---- Keys that an indexer chooses

// DeepSeek sparse attention (DeepSeek-V3.2, 2512.02556; GLM-5): narrow heads in front of latent attention, with queries
// from the queries' latent and one key for all of them, score every key before a query, and attention sees the `top_k`
// best. It works on the latent vectors: a head scores kv_rank + rope_dim elements of a key and adds up kv_rank
// (Megatron-Core, experimental_attention_variant/absorbed_mla.py). Off while `heads` is zero.
struct Indexer {
    int heads = 0;
    int head_dim = 0;
    int top_k = 0;
    friend bool operator==(const Indexer&, const Indexer&) = default;
    double width() const { return double(heads) * head_dim; }
};
// Whose choice a layer's attention sees: its own indexer's, that of the last layer before it that has one (GLM-5.2), or
// nobody's.
enum class Index { own, borrowed, none };

// Attention over one key head, which is also its value, and over entries that stand for several tokens, with an output
// projection in groups (DeepSeek-V4, transformers models/deepseek_v4). It is counted; plans with it are refused.
struct CompressedAttention {
    int q_rank = 0;        // latent width of queries
    int out_groups = 1;    // heads of a group share a projection to out_rank
    int out_rank = 0;
    friend bool operator==(const CompressedAttention&, const CompressedAttention&) = default;
};

// ---- Kinds of layers
//
// A model whose layers are of several kinds states a table of them and a pattern, a letter a layer:
//
//   m.kinds = {{.letter = 'M', .feed = Feed::none, .mixer = Mixer::mamba2, .recurrence = {64, 64, 8, 128}},
//              {.letter = '*', .feed = Feed::none},
//              {.letter = 'E', .feed = Feed::experts, .mixer = Mixer::none}};
//   m.pattern = "MEMEM*E";     // Nemotron 3: a mixer or a feed-forward block alone is a layer
//
// Without a pattern, layers are of up to four kinds: with experts or without, with the model's window or without
// (layer.h).

// What mixes tokens. Those behind attention pass on a state from token to token in place of all keys and values.
enum class Mixer {
    attention,
    mamba2,        // Dao and Gu 2024, 2405.21060
    gated_delta,   // Gated DeltaNet (Yang et al. 2024, 2412.06464): Qwen3-Next, OLMo hybrid
    kimi_delta,    // the same with a decay of every channel (Kimi Linear, 2510.26692)
    lightning,     // linear attention with a fixed decay (MiniMax-01, 2501.08313)
    compressed,    // attention over compressed keys (DeepSeek-V4)
    none,          // a feed-forward block alone
};
constexpr bool passes_state(Mixer m) {
    return m != Mixer::attention && m != Mixer::compressed && m != Mixer::none;
}
enum class Feed { dense, experts, none };    // what stands behind it

// Sizes of a mixer with a state. Every head has a state of key_dim x head_dim.
struct Recurrence {
    int heads = 0;        // of values; Mamba-2: heads
    int head_dim = 0;     // of a value
    int key_heads = 0;    // heads that share keys and queries; Mamba-2: groups
    int key_dim = 0;      // of a key; Mamba-2: the state's size, N
    int conv = 4;         // tokens the short convolution sees; 0: none
    bool gated_norm = true;   // Mamba-2: a norm behind the gate (Falcon-H1 has none)
    bool full_gate = false;   // kimi_delta: the output gate is one matrix instead of two of low rank (Kimi K3)
    friend auto operator<=>(const Recurrence&, const Recurrence&) = default;
    int width() const { return heads * head_dim; }
    int key_width() const { return key_heads * key_dim; }
};

// Whose keys and values attention reads: its own, of which those that are lent are read by later layers, too; or those
// of the last layer before it that lends and sees as many tokens (Gemma 3n and 4). A borrower projects queries alone.
enum class Keys { own, lent, borrowed };

// Weights that all layers of a kind hold together, once, and work with in every layer (Zamba2, 2411.15242). The rest is
// each layer's own.
struct SharedWeights {
    bool on = false;
    int adapter_rank = 0;            // beside the feed-forward block's first product two of this width; 0: none
    bool adapts_attention = false;   // and beside queries, keys and values each
    bool reads_embedding = false;    // attention starts from stream and embedding beside each other, 2 h
    bool projects_back = false;      // a product of h x h behind the layer
    friend auto operator<=>(const SharedWeights&, const SharedWeights&) = default;
};

// Sizes that are 0 are the model's.
constexpr int most_kinds = 16;
struct LayerKind {
    char letter = 0;
    Feed feed = Feed::dense;
    Mixer mixer = Mixer::attention;
    Mixer beside = Mixer::none;    // a second mixer that starts from the same norm (Falcon-H1)
    int window = 0;                // tokens that attention sees; 0: all
    bool chunks = false;           // those of the query's own chunk
    int heads = 0, kv_heads = 0, head_dim = 0;   // of attention
    int ffn = 0;                   // of a dense feed-forward block
    Index index = Index::own;      // where the model has an indexer
    int compression = 0;           // tokens that one key of compressed attention stands for; 0: the window alone
    Recurrence recurrence{};       // of a mixer with a state
    Keys keys = Keys::own;
    bool keys_are_values = false;  // one projection makes both (Gemma 4)
    SharedWeights shared{};
    bool in_16_bits = false;       // products keep 16 bits where the recipe has fewer
    friend auto operator<=>(const LayerKind&, const LayerKind&) = default;

    bool mixes() const { return mixer != Mixer::none; }
    bool feeds() const { return feed != Feed::none; }
    bool has(Mixer m) const { return mixer == m || (m != Mixer::none && beside == m); }
    bool attends() const { return has(Mixer::attention); }
    bool recurs() const { return passes_state(mixer) || passes_state(beside); }
    int blocks() const { return int(mixes()) + int(feeds()); }   // each with a norm before and an addition after it
};

// A module behind the last layer that predicts further tokens (DeepSeek-V3, 2412.19437, section 2.2). Each depth has
// two norms, a product of 2 h x h, the layers of `pattern`, a norm, and passes the head once more.
struct FurtherTokens {
    int depths = 0;            // 0: no module
    std::string pattern;       // of one depth; empty: the kind of the last layer
    bool repeated = false;     // all depths share one module's weights (Nemotron 3 Super)
    friend bool operator==(const FurtherTokens&, const FurtherTokens&) = default;
};

// Layers whose products keep 16 bits where the recipe's have fewer: the first and the last so many of the model, and
// those of the modules for further tokens (Megatron-Core: num_layers_at_start_in_bf16, num_layers_at_end_in_bf16).
struct WideLayers {
    int first = 0, last = 0;
    bool further = false;
    bool any() const { return first > 0 || last > 0 || further; }
    friend bool operator==(const WideLayers&, const WideLayers&) = default;
};

// ---- The model

enum class Activation { gelu, relu, squared_relu, swiglu, geglu };
enum class Positions { learned, rotary, alibi, none };
enum class Norm { layer_norm, rms_norm };

struct Model {
    std::string id, name, family, as_of, note;
    int layers = 1;
    int hidden = 1;           // width of the residual stream
    int heads = 1;            // query heads
    int kv_heads = 1;         // heads for multi-head, 1 for multi-query
    int head_dim = 1;
    int ffn = 1;              // feed-forward width (of each branch when gated)
    int vocabulary = 1;       // as published, before padding
    int sequence_length = 2048;  // native context, the default of a recipe
    int position_rows = 0;    // rows of a learned position table
    int norms_per_layer = 2;
    Activation activation = Activation::gelu;
    Positions positions = Positions::learned;
    Norm norm = Norm::layer_norm;
    bool tied_embeddings = true;
    bool qkv_bias = true, out_bias = true, mlp_bias = true;
    bool final_norm = true, embedding_norm = false;
    int qk_norm_width = 0;    // elements of one query or key norm; 0 without
    Experts experts;          // in place of feed-forward blocks; none in a dense model
    LatentAttention latent;   // in place of the query, key and value projections
    // Of `sparse_layers` of the layers, the share of the score matrix that is computed, against the
    // same layer dense; 1 for a dense model. mGPT and GPT-3 alternate dense and sparse layers.
    double attention_density = 1, sparse_layers = 1;
    AttentionWindow window;   // of some layers; the others see everything
    bool attention_gate = false;    // attention's output passes a gate of its own projection (Qwen3-Next)
    bool attention_sinks = false;   // a learned number a head beside the scores (GPT-OSS)
    Indexer indexer;                // of layers whose attention sees chosen keys
    CompressedAttention compressed;
    // Width of an embedding that every layer has of its own (Gemma 3n and 4): a table of layers x width a token, and at
    // the end of a layer a gate, a projection and a norm. It is counted; plans with it are refused. 0: none.
    int per_layer_embedding = 0;
    int streams = 1;                // of the residual, which every block mixes (hyper-connections, 2512.24880)
    std::vector<LayerKind> kinds;   // of which `pattern` names one a layer; at most `most_kinds`
    std::string pattern;            // repeated, or cut, where there are more or fewer layers; empty: without kinds
    FurtherTokens further;
    WideLayers wide;                // products in 16 bits beside others in fewer
    // Attention and feed-forward block both start from the layer's input and are added up at its end (GPT-J, PaLM).
    bool parallel_blocks = false;
    bool dropout = true;      // trained with dropout: masks are kept for the backward pass
    // The embedding is padded up to a multiple of this times tensor_parallel
    // (Megatron's make-vocab-size-divisible-by); 1 leaves it alone.
    int vocabulary_padding = 128;
    double extra_parameters = 0;      // small published extras outside the formula
    double published_parameters = 0;  // label, for comparison; 0 when unknown
    double training_tokens = 0;       // published token count; 0 when unknown
    Sources sources;
    friend bool operator==(const Model&, const Model&) = default;
};

bool gated(Activation);  // three feed-forward matrices rather than two
inline bool has_experts(const Model& m) { return m.experts.count > 0; }
inline bool has_latent_attention(const Model& m) { return m.latent.kv_rank > 0; }
inline bool has_indexer(const Model& m) { return m.indexer.heads > 0; }
// Attention of such a layer sees the keys an indexer chose; and the layer's own indexer chose them.
inline bool sees_chosen_keys(const Model& m, const LayerKind& k) {
    return has_indexer(m) && k.index != Index::none && k.attends();
}
inline bool chooses_keys(const Model& m, const LayerKind& k) {
    return sees_chosen_keys(m, k) && k.index == Index::own;
}

// Attention of one kind of layers, with the sizes that the model leaves to it.
struct AttentionSizes {
    int heads, kv_heads, head_dim;
    int value_dim;     // of one head's value
    bool latent;
    int score_dim, sum_dim;   // of one head, that the core's two products run over: wider where they see latent vectors
    Keys whose = Keys::own;   // keys and values
    bool keys_are_values = false;
    int input = 0;            // width that queries, keys and values are projected from
    // Widths over all heads: queries, values (what the output projection takes in), keys.
    int queries() const { return heads * head_dim; }
    int values() const { return heads * value_dim; }
    int keys() const { return kv_heads * head_dim; }
    // Of queries, keys and values together, as the attention core reads them.
    int all() const { return queries() + keys() + (latent ? values() : keys()); }
    // Keys and values that the layer makes itself, and what their projection puts out.
    int own_keys() const { return whose == Keys::borrowed ? 0 : all() - queries(); }
    int projected_keys() const { return keys_are_values ? own_keys() / 2 : own_keys(); }
    // Mean of the two products' widths, scores and values: 4 s x this are their FLOP per token.
    double core() const { return (heads * score_dim + heads * sum_dim) / 2.0; }
};
inline AttentionSizes attention_of(const Model& m, const LayerKind& k = {}) {
    const bool latent = has_latent_attention(m);
    const int dim = k.head_dim > 0 ? k.head_dim : m.head_dim;
    const int value = latent ? m.latent.value_dim : dim;
    const bool chosen = latent && sees_chosen_keys(m, k);
    return {k.heads > 0 ? k.heads : m.heads, k.kv_heads > 0 ? k.kv_heads : m.kv_heads, dim, value, latent,
            chosen ? m.latent.kv_rank + m.latent.rope_dim : dim, chosen ? m.latent.kv_rank : value,
            k.keys, k.keys_are_values, k.shared.reads_embedding ? 2 * m.hidden : m.hidden};
}
inline bool has_pattern(const Model& m) { return !m.pattern.empty() && !m.kinds.empty(); }
// The embedding goes along with the stream, since some layer reads it.
bool carries_embedding(const Model&);
inline int ffn_of(const Model& m, const LayerKind& k) { return k.ffn > 0 ? k.ffn : m.ffn; }
bool has_window(const Model&);
bool has_recurrence(const Model&);      // some layer passes on a state
// Share of all score matrices that sparse patterns leave, the mean of all layers. layer.h: of a kind of layers.
inline double pattern_density(const Model& m) { return 1 - m.sparse_layers * (1 - m.attention_density); }
// Whether some layer leaves out scores: a sparse pattern, keys that were not chosen, a window shorter than the
// sequence, or those between documents.
bool leaves_out_scores(const Model&, const Sequence&);
// Width of a token between the ranks that hold the experts: h, the latent width, or r h in BigMac's order.
double exchange_width(const Model&);
// Vocabulary after padding for `tensor_parallel` shards.
int padded_vocabulary(const Model&, int tensor_parallel);

// Exact parameter count of the published model (no padding). For the GPT family
// this is 12 L h^2 (1 + 13/(12h) + (V+s)/(12Lh)) (Narayanan et al. 2021, Eq. 2).
double parameters(const Model&);
double active_parameters(const Model&);     // those one token passes: k of the routed experts
double embedding_parameters(const Model&, int vocabulary);  // one V x h table

// What is counted as a model's work. All of them count what windows, chosen keys and documents leave, the head once
// more for every further token, of experts those that a token passes, and neither routers nor embedding.
enum class FlopConvention {
    full,       // all scores, masked or not (Narayanan et al. 2021, PaLM's MFU)
    causal,     // the half of them that a causal mask leaves
    // As causal, and as Megatron counts (training.py, num_floating_point_operations; Megatron-Bridge, flop_utils.py):
    // Mamba-2 as wide as 2 h whatever its heads say, the delta rule with its convolution and keys as wide as values,
    // and in patterns of half layers no product that joins a further token's embedding.
    megatron,
};

// Model FLOP of one training step (forward + backward, nothing recomputed): 3 x forward, forward per token = 2 x matrix
// weights + 4 s x attention width per layer (half of it where masked scores do not count) + 2 h V for the head; mixers
// with a state as recurrence_flop() says. With the GPT shape and full scores this is 72 B s L h^2 (1 + s/6h + V/12Lh)
// (Narayanan et al. 2021).
// Frozen products have no weight gradient: 2 x forward. Adapters count like other weights, a reference model 1 x
// forward.
Flop model_flop(const Model&, double sequences, const Sequence&, int vocabulary,
                FlopConvention = FlopConvention::full, const Method& = {});
// Attention core alone (scores and values, an indexer's scores), forward, of all layers: what sparse layers skip is not
// counted.
Flop attention_core_flop(const Model&, double sequences, const Sequence&);
// What the states of such a layer take, forward, besides its projections: Mamba-2 7 N d a token, d its width
// (Megatron's count, num_floating_point_operations); delta rules 8 products of key and value width a head, the same;
// lightning attention (4 d + 2 C) d a head with chunks of C = 256 (2501.08313).
Flop recurrence_flop(const LayerKind&, double tokens);

}  // namespace plimsoll
