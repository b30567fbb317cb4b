// Rows of the knob table: mixture of experts, in the model and in the software, and latent attention.
#include "core/values/knobs/knob_rows.h"

namespace plimsoll::rows {
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
    return count<model, latent, Field>(id, label, "", {0, 65536, true}, help);
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
    return s.model.experts.capacity == 0 ? "" : "capped by the capacity";
}
std::string_view without_nodes(const Scenario& s) {
    if (s.model.experts.count == 0) return without_experts(s);
    return s.stack.experts.dispatch == Dispatch::per_node ? "" : "copies go to experts";
}
std::string_view without_latent(const Scenario& s) { return s.model.latent.kv_rank > 0 ? "" : "attention is not latent"; }

void add_mixture(Table& t) {
    t.push_back(of_experts<&Experts::count>(
        "model.experts.count", "Experts", "per layer", {0, 65536, true},
        "Routed experts of one layer, E, in place of its feed-forward block; 0 is a dense model. Megatron: --num-experts"));
    const std::size_t rest = t.size();
    t.push_back(of_experts<&Experts::top_k>(
        "model.experts.top_k", "Experts per token", "", {1, 1024, true}, "Routed experts a token visits, k. Megatron: --moe-router-topk"));
    t.push_back(of_experts<&Experts::ffn>(
        "model.experts.expert_ffn", "Expert width", "", {1, 1 << 22, true},
        "Inner width of one routed expert, of each branch when gated. Megatron: --moe-ffn-hidden-size"));
    t.push_back(of_experts<&Experts::shared>(
        "model.experts.shared", "Shared experts", "", {0, 1024}, "Experts every token passes (DeepSeekMoE)"));
    t.push_back(idle_if(without_shared, of_experts<&Experts::shared_ffn>(
        "model.experts.shared_ffn", "Shared expert width", "", {0, 1 << 22, true},
        "Inner width of one shared expert. Megatron: --moe-shared-expert-intermediate-size is all of them")));
    t.push_back(of_experts<&Experts::dense_layers>(
        "model.experts.dense_layers", "First dense layers", "", {0, 10000},
        "Layers at the start that keep the dense feed-forward block. Hugging Face: first_k_dense_replace"));
    t.push_back(of_experts<&Experts::every>(
        "model.experts.every", "Experts every", "layers", {1, 10000},
        "Of the other layers every n-th has experts. Megatron: --moe-layer-freq"));
    t.push_back(idle_if(without_nodes, of_experts<&Experts::node_limit>(
        "model.experts.node_limit", "Nodes per token", "", {0, 65536},
        "Most nodes the experts of one token may lie on (device-limited routing); 0 is no limit. Megatron: --moe-router-group-topk")));
    idle_from(t, rest, without_experts);
}

void add_balance(Table& t) {
    const std::size_t first = t.size();
    t.push_back(real<one, model, experts, &Experts::capacity>(
        "model.experts.capacity", "Capacity factor", "", {0, 64},
        "Tokens an expert takes over the mean, padded up to it; 0 takes all that come (dropless). "
        "Megatron: --moe-expert-capacity-factor with --moe-pad-expert-input-to-capacity"));
    t.push_back(idle_if(without_imbalance, real<one, model, experts, &Experts::imbalance>(
        "model.experts.imbalance", "Imbalance", "", {1, 64},
        "Tokens of the busiest rank over the mean: everyone waits for it. 1 is force-balanced; a capacity factor takes its place")));
    t.push_back(flag<model, experts, &Experts::router_bias>(
        "model.experts.router_bias", "Router bias", "One learned number per expert. Megatron: --moe-router-enable-expert-bias"));
    t.push_back(choice<ExpertOrder, model, experts, &Experts::order>(
        "model.experts.order", "Expert order",
        "cdac exchanges tokens at full width and projects in every expert (DeepSeekMoE); dcca projects before and after "
        "the exchange with two matrices all experts share (BigMac)"));
    t.push_back(idle_if(without_projection, real<one, model, experts, &Experts::ratio>(
        "model.experts.ratio", "Exchange width ratio", "", {0.001, 1},
        "Width of an exchanged token over that of the residual stream, r, in the dcca order")));
    idle_from(t, first, without_experts);
}

void add_latent(Table& t) {
    t.push_back(of_latent<&LatentAttention::kv_rank>(
        "model.latent.kv_rank", "Key-value rank",
        "Latent width of keys and values in latent attention; 0 is without. Megatron: --kv-lora-rank"));
    const std::size_t rest = t.size();
    t.push_back(of_latent<&LatentAttention::q_rank>(
        "model.latent.q_rank", "Query rank", "Latent width of queries; 0 projects them in one step. Megatron: --q-lora-rank"));
    t.push_back(of_latent<&LatentAttention::rope_dim>(
        "model.latent.rope_dim", "Rotary head dimension",
        "Part of a query's head dimension that carries positions. Megatron: --qk-pos-emb-head-dim"));
    t.push_back(of_latent<&LatentAttention::nope_dim>(
        "model.latent.nope_dim", "Plain head dimension", "Part of a query's head dimension without positions. Megatron: --qk-head-dim"));
    t.push_back(of_latent<&LatentAttention::value_dim>(
        "model.latent.value_dim", "Value head dimension", "Of latent attention. Megatron: --v-head-dim"));
    idle_from(t, rest, without_latent);
}

void add_software(Table& t) {
    const std::size_t first = t.size();
    t.push_back(choice<Dispatch, stack, software, &ExpertStack::dispatch>(
        "stack.experts.dispatch", "Token dispatch",
        "per_expert sends a copy of a token to each of its experts, per_node one to each node that then hands it on. "
        "Megatron: --moe-token-dispatcher-type alltoall, or flex with DeepEP"));
    t.push_back(real<one, stack, software, &ExpertStack::exchange_efficiency>(
        "stack.experts.exchange_efficiency", "All-to-all efficiency", "", {0.001, 1}, "Share of the network the expert all-to-all reaches"));
    t.push_back(real<one, stack, software, &ExpertStack::exchange_exposed>(
        "stack.experts.exchange_exposed", "All-to-all exposure", "", {0, 1},
        "Share of the expert all-to-all nothing hides. Megatron: below 1 with --overlap-moe-expert-parallel-comm"));
    t.push_back(real<one, stack, software, &ExpertStack::grouped_gemm_factor>(
        "stack.experts.grouped_gemm_factor", "Grouped GEMM factor", "", {0.01, 2},
        "On the GEMM rate, where a device holds more than one expert: their products run as a group. Megatron: --moe-grouped-gemm"));
    t.push_back(real<millisecond, stack, software, &ExpertStack::host_experts>(
        "stack.experts.host_experts_ms", "Host time, experts", "ms", {0, 60000},
        "Extra per layer with experts and forward pass, twice this backward"));
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
