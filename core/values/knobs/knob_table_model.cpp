// Rows of the knob table: the model's shape.

#include "core/values/knobs/knob_rows.h"
#include "core/values/plan/schedules.h"

namespace plimsoll::rows {

namespace {

// What usually follows from hidden and heads keeps following from them: the head
// dimension while it is hidden / heads, key-value heads while every head has its own.
struct Ties {
    bool head_dim, kv_heads;
    explicit Ties(const Model& m) : head_dim(m.head_dim * m.heads == m.hidden), kv_heads(m.kv_heads == m.heads) {}
    void restore(Model& m) const {
        if (head_dim && m.heads > 0 && m.hidden % m.heads == 0) m.head_dim = m.hidden / m.heads;
        if (kv_heads) m.kv_heads = m.heads;
    }
};

template <int Model::*Field>
void set_tied(Scenario& s, double v) {
    const Ties ties(s.model);
    s.model.*Field = static_cast<int>(v);
    ties.restore(s.model);
}


void add_widths(Table& t) {
    t.push_back(count<model, &Model::layers>(
        "model.layers", "Layers", "", all_of(ranges::layers, by_factors),
        "Transformer layers, L. Megatron: --num-layers"));
    t.push_back(keeping(count<model, &Model::hidden>(
        "model.hidden", "Hidden size", "", all_of(ranges::stream, by_factors),
        "Width of the residual stream, h; the head dimension follows. Megatron: --hidden-size"),
        set_tied<&Model::hidden>));
    t.push_back(keeping(count<model, &Model::heads>(
        "model.heads", "Attention heads", "", {1, 8192, by_factors, ranges::heads},
        "Query heads, a; head dimension and key-value heads follow. Megatron: --num-attention-heads"),
        set_tied<&Model::heads>));
    t.push_back(count<model, &Model::kv_heads>("model.kv_heads", "Key-value heads", "",
        {1, 8192, by_factors, ranges::heads},
                                               "As many as heads for multi-head, fewer for grouped, 1 for multi-query "
                                               "attention. Megatron: --num-query-groups"));
    t.push_back(count<model, &Model::head_dim>(
        "model.head_dim", "Head dimension", "", {1, 65536, by_factors, ranges::stream},
        "Width of one head. Megatron: --kv-channels"));
    t.push_back(count<model, &Model::ffn>(
        "model.ffn", "Feed-forward width", "", all_of(ranges::width, by_factors),
        "Of each branch when gated; 4 h in the GPT family. Megatron: --ffn-hidden-size"));
    t.push_back(count<model, &Model::vocabulary>(
        "model.vocabulary", "Vocabulary", "entries", {1, 1e7, by_factors, ranges::vocabulary},
        "Token types as published, V, before padding. Megatron: --vocab-size"));
    t.push_back(count<model, &Model::vocabulary_padding>(
        "model.vocabulary_padding", "Vocabulary padding", "", all_of(ranges::vocabulary_padding, by_factors),
        "The vocabulary is padded to a multiple of this times t. Megatron: --make-vocab-size-divisible-by"));
    t.push_back(count<model, &Model::sequence_length>(
        "model.sequence_length", "Native context", "tokens", all_of(ranges::sequence, by_factors),
        "Context the model was published with; a plan's own length is the recipe's"));
    t.push_back(count<model, &Model::position_rows>(
        "model.position_rows", "Position table rows", "", all_of(ranges::positions),
        "Rows of a learned position table. Megatron: --max-position-embeddings"));
}

std::string_view without_narrow_modules(const Scenario& s) {
    return s.model.further.depths > 0 ? without_fp8(s) : "one token ahead";
}
std::string_view without_window(const Scenario& s) { return s.model.window.tokens > 0 ? "" : "no window"; }

std::string_view without_further(const Scenario& s) {
    return s.model.further.depths > 0 ? "" : "one token ahead";
}

void add_parts(Table& t) {
    t.push_back(choice<Activation, model, &Model::activation>(
        "model.activation", "Activation",
        "swiglu and geglu are gated: three matrices instead of two. Megatron: --swiglu"));
    t.push_back(choice<Positions, model, &Model::positions>(
        "model.positions", "Positions", "How positions enter. Megatron: --position-embedding-type"));
    t.push_back(choice<Norm, model, &Model::norm>("model.norm", "Norm", "Megatron: --normalization"));
    t.push_back(count<model, &Model::norms_per_layer>(
        "model.norms_per_layer", "Norms per layer", "", {0, 8, {}, ranges::norms}, "Two in most families"));
    t.push_back(flag<model, &Model::tied_embeddings>(
        "model.tied_embeddings", "Tied embeddings",
        "Input embedding and LM head are one table. Megatron: off is --untie-embeddings-and-output-weights"));
    t.push_back(flag<model, &Model::qkv_bias>("model.qkv_bias", "QKV bias", "Megatron: --add-qkv-bias"));
    t.push_back(flag<model, &Model::out_bias>(
        "model.out_bias", "Attention output bias", "Megatron: off is --disable-bias-linear"));
    t.push_back(flag<model, &Model::mlp_bias>(
        "model.mlp_bias", "Feed-forward bias", "Megatron: off is --disable-bias-linear"));
    t.push_back(flag<model, &Model::final_norm>("model.final_norm", "Final norm", "A norm after the last layer"));
    t.push_back(flag<model, &Model::embedding_norm>(
        "model.embedding_norm", "Embedding norm", "A norm after the embedding, as in BLOOM"));
    t.push_back(count<model, &Model::qk_norm_width>(
        "model.qk_norm_width", "Query-key norm width", "elements", {0, 1 << 20, {}, ranges::width_or_none},
        "Elements of one query or key norm; 0 without. Megatron: --qk-layernorm"));
    t.push_back(
        real<one, model, &Model::attention_density>("model.attention_density", "Attention density", "",
            all_of(ranges::attention_density, by_factors),
                                                    "Share of the score matrix a sparse layer computes, against the "
                                                    "same layer dense. DeepSpeed: sparse_attention"));
    t.push_back(real<one, model, &Model::sparse_layers>(
        "model.sparse_layers", "Sparse layers", "", all_of(ranges::share),
        "Share of the layers whose attention is sparse: one half where dense and sparse alternate. "
        "DeepSpeed: sparse_attention"));
    t.push_back(count<model, &Model::window, &AttentionWindow::tokens>(
        "model.window.tokens", "Attention window", "tokens", all_of(ranges::positions),
        "Tokens a query sees in a layer with a window; 0 without windows. Hugging Face: sliding_window"));
    t.push_back(idle_if(without_window, count<model, &Model::window, &AttentionWindow::layers>(
        "model.window.layers", "Layers with a window", "layers", all_of(ranges::some_layers),
        "Layers that attend to the window; the others to everything. Hugging Face: layer_types")));
    t.push_back(idle_if(without_window, flag<model, &Model::window, &AttentionWindow::chunks>(
        "model.window.chunks", "Windows are chunks",
        "A query sees its own chunk instead of the last tokens, as in Llama 4. Hugging Face: attention_chunk_size")));
    t.push_back(flag<model, &Model::attention_gate>(
        "model.attention_gate", "Gate of attention's output",
        "A product as wide as attention's output scales it, as in Qwen3-Next. Megatron: --attention-output-gate"));
    t.push_back(count<model, &Model::further, &FurtherTokens::depths>(
        "model.further_tokens.depths", "Further tokens", "tokens", all_of(ranges::further_tokens),
        "Tokens beyond the next one that modules behind the last layer predict, with a loss each. "
        "Megatron: --mtp-num-layers"));
    t.push_back(idle_if(without_further, flag<model, &Model::further, &FurtherTokens::repeated>(
        "model.further_tokens.repeated", "One module for all further tokens",
        "Every further token passes the same module again. Megatron: --mtp-use-repeated-layer")));
    t.push_back(idle_if(without_fp8, count<model, &Model::wide, &WideLayers::first>(
        "model.layers_in_16_bits.first", "First layers in 16 bits", "layers", all_of(ranges::some_layers),
        "So many of the first layers keep products in 16 bits. Megatron: --num-layers-at-start-in-bf16")));
    t.push_back(idle_if(without_fp8, count<model, &Model::wide, &WideLayers::last>(
        "model.layers_in_16_bits.last", "Last layers in 16 bits", "layers", all_of(ranges::some_layers),
        "So many of the last layers keep products in 16 bits. Megatron: --num-layers-at-end-in-bf16")));
    t.push_back(idle_if(without_narrow_modules, flag<model, &Model::wide, &WideLayers::further>(
        "model.layers_in_16_bits.further", "Further tokens in 16 bits",
        "Modules that predict further tokens keep products in 16 bits")));
    t.push_back(flag<model, &Model::parallel_blocks>(
        "model.parallel_blocks", "Parallel blocks",
        "Attention and feed-forward block both start from the layer's input, so tensor ranks add up once a pass: "
        "GPT-J, GPT-NeoX, PaLM, Falcon"));
    t.push_back(flag<model, &Model::dropout>(
        "model.dropout", "Dropout", "Masks are kept for the backward pass. Megatron: --hidden-dropout above 0"));
}

}  // namespace

void add_model(Table& t) {
    under("Shape", t, add_widths);
    under("Parts", t, add_parts);
}

// Rows of the knob table: mixture of experts, in the model and in the software, and latent attention.

namespace {

constexpr auto experts = &Model::experts;
constexpr auto latent = &Model::latent;
constexpr auto software = &Stack::experts;

template <auto Field>
Knob of_experts(const char* id, const char* label, const char* unit, Range range, const char* help) {
    return count<model, experts, Field>(id, label, unit, range, help);
}

template <int LatentAttention::*Field>
Knob of_latent(const char* id, const char* label, const char* help) {
    return count<model, latent, Field>(id, label, "", all_of(ranges::latent_width, by_factors), help);
}

std::string_view without_projection(const Scenario& s) {
    if (s.model.experts.count == 0) return without_experts(s);
    return s.model.experts.order == ExpertOrder::dcca ? "" : "expert order is cdac";
}
std::string_view without_shared(const Scenario& s) {
    if (s.model.experts.count == 0) return without_experts(s);
    return s.model.experts.shared > 0 ? "" : "no shared experts";
}
std::string_view without_imbalance(const Scenario& s) {
    if (s.model.experts.count == 0) return without_experts(s);
    return s.model.experts.capacity == 0 || !s.model.experts.pads ? "" : "capped by the capacity";
}
std::string_view without_capacity(const Scenario& s) {
    if (s.model.experts.count == 0) return without_experts(s);
    return s.model.experts.capacity > 0 ? "" : "no capacity";
}
std::string_view without_nodes(const Scenario& s) {
    if (s.model.experts.count == 0) return without_experts(s);
    return s.stack.experts.dispatch != Dispatch::per_expert ? "" : "copies go to experts";
}
std::string_view without_latent(const Scenario& s) {
    return s.model.latent.kv_rank > 0 ? "" : "attention is not latent";
}

void add_mixture(Table& t) {
    t.push_back(of_experts<&Experts::count>("model.experts.count", "Experts", "per layer",
        all_of(ranges::experts, by_factors),
                                            "Routed experts of one layer, E, in place of its feed-forward block; 0 is "
                                            "a dense model. Megatron: --num-experts"));
    const std::size_t rest = t.size();
    t.push_back(of_experts<&Experts::top_k>("model.experts.top_k", "Experts per token", "",
        {1, 1024, by_factors, ranges::chosen_experts},
                                            "Routed experts a token visits, k. Megatron: --moe-router-topk"));
    t.push_back(of_experts<&Experts::ffn>(
        "model.experts.expert_ffn", "Expert width", "", all_of(ranges::width, by_factors),
        "Inner width of one routed expert, of each branch when gated. Megatron: --moe-ffn-hidden-size"));
    t.push_back(of_experts<&Experts::shared>(
        "model.experts.shared", "Shared experts", "", all_of(ranges::shared_experts),
        "Experts every token passes (DeepSeekMoE)"));
    t.push_back(idle_if(without_shared, of_experts<&Experts::shared_ffn>(
        "model.experts.shared_ffn", "Shared expert width", "", all_of(ranges::width_or_none, by_factors),
        "Inner width of one shared expert. Megatron: --moe-shared-expert-intermediate-size is all of them")));
    t.push_back(of_experts<&Experts::dense_layers>(
        "model.experts.dense_layers", "First dense layers", "", all_of(ranges::some_layers),
        "Layers at the start that keep the dense feed-forward block. Hugging Face: first_k_dense_replace"));
    t.push_back(of_experts<&Experts::every>(
        "model.experts.every", "Experts every", "layers", all_of(ranges::layers),
        "Of the other layers every n-th has experts. Megatron: --moe-layer-freq"));
    t.push_back(idle_if(without_nodes, of_experts<&Experts::node_limit>(
                                           "model.experts.node_limit", "Nodes per token", "", all_of(ranges::experts),
                                           "Most nodes the experts of one token may lie on (device-limited routing); 0 "
                                           "is no limit. Megatron: --moe-router-group-topk")));
    idle_from(t, rest, without_experts);
}

void add_balance(Table& t) {
    const std::size_t first = t.size();
    t.push_back(real<one, model, experts, &Experts::capacity>(
        "model.experts.capacity", "Capacity factor", "", {0, 64, {}, ranges::capacity},
        "Tokens an expert takes over the mean, those beyond it are dropped; 0 takes all that come (dropless). "
        "Megatron: --moe-expert-capacity-factor"));
    t.push_back(idle_if(without_capacity, flag<model, experts, &Experts::pads>(
        "model.experts.pads", "Pads to capacity",
        "Experts are padded up to the capacity; off: they work on as many tokens as come, up to it. Megatron: "
        "--moe-pad-expert-input-to-capacity")));
    t.push_back(real<one, model, experts, &Experts::rank_capacity>(
        "model.experts.rank_capacity", "Rank capacity", "", {0, 64, {}, ranges::capacity},
        "Room in memory for a rank's tokens over the mean, taken whatever comes; 0: for those of the busiest rank. "
        "Megatron: --moe-expert-rank-capacity-factor"));
    t.push_back(idle_if(without_imbalance, real<one, model, experts, &Experts::imbalance>(
                                               "model.experts.imbalance", "Imbalance", "",
                                               {1, 64, {}, ranges::imbalance},
                                               "Tokens of the busiest rank over the mean: everyone waits for it. 1 as "
                                               "benchmarks force it; 1.1 to 1.3 as trained, an estimate: state your "
                                               "own. A capacity that is padded takes its place")));
    t.push_back(flag<model, experts, &Experts::router_bias>(
        "model.experts.router_bias", "Router bias",
        "One learned number per expert. Megatron: --moe-router-enable-expert-bias"));
    t.push_back(choice<ExpertOrder, model, experts, &Experts::order>(
        "model.experts.order", "Expert order",
        "cdac exchanges tokens at full width and projects in every expert (DeepSeekMoE); dcca projects before and "
        "after "
        "the exchange with two matrices all experts share (BigMac)"));
    t.push_back(idle_if(without_projection, real<one, model, experts, &Experts::ratio>(
        "model.experts.ratio", "Exchange width ratio", "", all_of(ranges::exchange_ratio),
        "Width of an exchanged token over that of the residual stream, r, in the dcca order")));
    idle_from(t, first, without_experts);
}

void add_latent(Table& t) {
    t.push_back(of_latent<&LatentAttention::kv_rank>(
        "model.latent.kv_rank", "Key-value rank",
        "Latent width of keys and values in latent attention; 0 is without. Megatron: --kv-lora-rank"));
    const std::size_t rest = t.size();
    t.push_back(of_latent<&LatentAttention::q_rank>(
        "model.latent.q_rank", "Query rank",
        "Latent width of queries; 0 projects them in one step. Megatron: --q-lora-rank"));
    t.push_back(of_latent<&LatentAttention::rope_dim>(
        "model.latent.rope_dim", "Rotary head dimension",
        "Part of a query's head dimension that carries positions. Megatron: --qk-pos-emb-head-dim"));
    t.push_back(of_latent<&LatentAttention::nope_dim>(
        "model.latent.nope_dim", "Plain head dimension",
        "Part of a query's head dimension without positions. Megatron: --qk-head-dim"));
    t.push_back(of_latent<&LatentAttention::value_dim>(
        "model.latent.value_dim", "Value head dimension", "Of latent attention. Megatron: --v-head-dim"));
    idle_from(t, rest, without_latent);
}

std::string_view without_hidden_exchange(const Scenario& s) {
    const bool hides = s.stack.experts.exchange_exposed < 1 || schedule_kind(s.layout.schedule).pairs;
    return hides ? without_experts(s) : "nothing hides the exchange";
}

std::string_view without_host_exchange(const Scenario& s) {
    if (s.stack.experts.graph == Graph::whole_step) return "the whole step is one CUDA graph";
    return without_hidden_exchange(s);
}

std::string_view without_pairs(const Scenario& s) {
    return schedule_kind(s.layout.schedule).pairs ? without_experts(s) : "passes do not run in pairs";
}

std::string_view without_latent_experts(const Scenario& s) {
    return has_latent_attention(s.model) ? without_experts(s) : without_latent(s);
}

std::string_view without_router_graph(const Scenario& s) {
    return s.stack.experts.graph == Graph::router ? without_experts(s) : "no graph of the router alone";
}
std::string_view without_attention_graph(const Scenario& s) {
    return s.stack.experts.graph == Graph::attention_router ? without_experts(s) : "no graph of attention and router";
}

std::string_view with_several_experts(const Scenario& s) {
    if (s.model.experts.count == 0) return without_experts(s);
    return s.model.experts.count == s.layout.expert_parallel ? "" : "a rank holds several experts";
}

void add_software(Table& t) {
    const std::size_t first = t.size();
    t.push_back(choice<Dispatch, stack, software, &ExpertStack::dispatch>(
        "stack.experts.dispatch", "Token dispatch",
        "per_expert sends a copy of a token to each of its experts, per_node one to each node that then hands it on to "
        "each, per_rank one to each node and rank. Megatron: --moe-token-dispatcher-type alltoall, or flex with DeepEP "
        "or HybridEP"));
    t.push_back(real<one, stack, software, &ExpertStack::exchange_efficiency>(
        "stack.experts.exchange_efficiency", "All-to-all efficiency", "", {0.001, 1},
        "Share of the network the expert all-to-all reaches"));
    t.push_back(real<one, stack, software, &ExpertStack::exchange_exposed>(
        "stack.experts.exchange_exposed", "All-to-all exposure", "", {0, 1},
        "Share of the expert all-to-all nothing hides"));
    t.push_back(idle_if(without_pairs, real<one, stack, software, &ExpertStack::paired_exposed>(
        "stack.experts.paired_exposed", "All-to-all exposure in pairs", "", {0, 1},
        "Of the exposed all-to-all, what is left of a forward and a backward pass side by side, as the combined "
        "schedule has them; 1: the software has no such schedule")));
    t.push_back(idle_if(without_hidden_exchange, real<one, stack, software, &ExpertStack::exchange_units>(
        "stack.experts.exchange_units", "Units the exchange takes", "", {0, 0.9},
        "Share of the device's multiprocessors that the kernels of the all-to-all take, so that what runs beside it is "
        "slower: 20 of 132 for DeepEP on H100. Megatron: --moe-deepep-num-sms, --moe-hybridep-num-sms")));
    t.push_back(real<microsecond, stack, software, &ExpertStack::exchange_start>(
        "stack.experts.exchange_start_us", "All-to-all start", "us", {0, 1e5},
        "Of each exchange, besides the network's latency: layout of the tokens, notifying, waiting"));
    t.push_back(real<one, stack, software, &ExpertStack::grouped_gemm_factor>(
        "stack.experts.grouped_gemm_factor", "Grouped GEMM factor", "", {0.01, 2},
        "On the device's rate of grouped products. Megatron: --moe-grouped-gemm"));
    t.push_back(idle_if(with_several_experts, flag<stack, software, &ExpertStack::groups_one_expert>(
        "stack.experts.groups_one_expert", "Groups one expert",
        "One expert a rank is a grouped product, too; off: an ordinary one")));
    t.push_back(real<one, stack, software, &ExpertStack::row_traffic>(
        "stack.experts.row_traffic", "Row traffic", "", {0, 100},
        "On the bytes that rows of experts move besides products: permuting there and back, activation function"));
    t.push_back(real<millisecond, stack, software, &ExpertStack::host_experts>(
        "stack.experts.host_experts_ms", "Host time, experts", "ms", {0, 60000},
        "Extra per layer with experts and forward pass, twice this backward"));
    t.push_back(idle_if(without_latent_experts, real<millisecond, stack, software, &ExpertStack::host_latent>(
        "stack.experts.host_latent_ms", "Host time, latent attention", "ms", {0, 60000},
        "More of it where the layer's attention is latent, per forward pass, twice this backward")));
    t.push_back(idle_if(without_host_exchange, real<millisecond, stack, software, &ExpertStack::host_exchange>(
        "stack.experts.host_exchange_ms", "Host time, overlapped exchange", "ms", {0, 60000},
        "More of it where a part of the all-to-all runs beside other work")));
    t.push_back(choice<Graph, stack, software, &ExpertStack::graph>(
        "stack.experts.graph", "CUDA graph",
        "What of a layer with experts the host issues in one go: nothing, the router, attention and router, or the "
        "whole step. Megatron: --cuda-graph-scope"));
    t.push_back(idle_if(without_router_graph, real<one, stack, software, &ExpertStack::router_graph_leaves>(
        "stack.experts.router_graph_leaves", "Left by a graph of the router", "", {0, 2},
        "Share of the host time of experts that a CUDA graph of the router leaves")));
    t.push_back(idle_if(without_attention_graph, real<one, stack, software, &ExpertStack::attention_graph_leaves>(
        "stack.experts.attention_graph_leaves", "Left by a graph of attention and router", "", {0, 2},
        "Share of the host time of experts that a CUDA graph of attention and router leaves")));
    idle_from(t, first, without_experts);
}

}  // namespace

void add_experts(Table& t) {
    under("Mixture of experts", t, [](Table& table) {
        add_mixture(table);
        add_balance(table);
    });
    under("Latent attention", t, add_latent);
}

void add_expert_stack(Table& t) { under("Mixture of experts", t, add_software); }

}  // namespace plimsoll::rows
