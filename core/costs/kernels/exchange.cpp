#include "core/costs/kernels/exchange.h"

#include "core/costs/kernels/products.h"
#include "core/values/plan/placement.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

namespace {

int slices(const Work& s) { return s.layout.expert_tensor_parallel; }

bool inside_node(const Work& s, const Hop& hop) { return hop.inside * slices(s) < s.machine.devices_per_node; }

// Of equal domains, those a token's experts lie in, expected over even choices.
double domains_with_experts(const Experts& e, double domains) {
    return domains * (1 - std::pow(1 - 1 / domains, e.top_k));
}

// Other domains of the hop among them.
double domains_visited(const Experts& e, double domains) {
    const double visited = domains_with_experts(e, domains);
    const double most = e.node_limit > 0 ? std::min<double>(visited, e.node_limit) : visited;
    return most * (domains - 1) / domains;
}

}  // namespace

Span expert_span(const Work& s) { return s.expert_ranks(); }

Span expert_slice_span(const Work& s) { return s.expert_slices(); }

Bytes routed_payload(const Work& s) {
    const double element = s.element;
    return s.own_tokens * expert_load(s.model.experts) * exchange_width(s.model) * element * byte;
}

double copies_across(const Work& s, const Span& span, int i) {
    const Experts& e = s.model.experts;
    const Hop& hop = span.hop[i];
    if (s.stack.experts.dispatch != Dispatch::per_expert) {
        if (!inside_node(s, hop)) return domains_visited(e, double(span.size) / hop.inside);
        const bool per_rank = s.stack.experts.dispatch == Dispatch::per_rank;
        const double copies = per_rank ? domains_with_experts(e, span.size) : e.top_k;
        return copies * (hop.fan - 1.0) / hop.fan;   // handed on from where the node's copy arrived
    }
    const double reached = std::min<double>(double(hop.inside) * hop.fan, span.size);
    return e.top_k * (reached - hop.inside) / span.size;
}

ExchangeLevel exchange_level(const Work& s, const Span& span, int i) {
    const double copies = copies_across(s, span, i);
    const Bytes bytes = copies * routed_payload(s);
    const Hop& hop = span.hop[i];
    return {copies, bytes, hop.exchange * rate_at(hop, bytes) * s.stack.experts.exchange_efficiency};
}

Bytes slices_payload(const Work& s) { return s.model.experts.top_k * slices(s) * routed_payload(s); }

namespace {

// Messages to every member; handed on, to one member of every domain.
Seconds exchange_latency(const Work& s, const Span& span) {
    if (span.hops == 0) return {};
    Seconds sum = s.stack.experts.exchange_start;
    for (int i = 0; i < span.hops; ++i) {
        const Hop& hop = span.hop[i];
        const double others = hop.fan - 1.0;
        sum += others * (s.stack.experts.dispatch == Dispatch::per_expert ? hop.inside : 1) * hop.latency;
    }
    return sum;
}

}  // namespace

ExchangeTime expert_exchange(const Work& s) {
    const Span& span = s.expert_ranks();
    ExchangeTime t;
    t.latency = exchange_latency(s, span);
    for (int i = 0; i < span.hops; ++i) t.transfer = max(t.transfer, exchange_level(s, span, i).time());
    if (slices(s) > 1) t.slices = all_gather(s.expert_slices(), slices_payload(s)).time;
    return t;
}

double exchange_slows(const Work& s) {
    const ExpertStack& e = s.stack.experts;
    return std::max(0.0, 1 - e.exchange_exposed) * (e.exchange_units / (1 - e.exchange_units));
}

Seconds exposed_exchange(const Work& s) {
    return (s.stack.experts.exchange_exposed + exchange_slows(s)) * expert_exchange(s).total();
}

ExchangeVolume exchange_volume_parts(const Work& s) {
    const Experts& e = s.model.experts;
    ExchangeVolume v;
    const Layers& layers = s.layers;
    v.passes = 2 * layers.with_experts();
    const bool again = s.layout.recompute == Recompute::full || (s.by_module && s.layout.recompute_modules.moe);
    if (again) v.repeated_passes = layers.with_experts(recomputed_layers(s));
    v.tokens = double(s.recipe.global_batch_sequences) * s.row.tokens;
    v.copies = e.top_k;
    v.load = exchanged_load(e);
    v.ranks = s.layout.expert_parallel;
    v.width = exchange_width(s.model);
    v.element = s.element;
    return v;
}

Bytes exchange_volume(const Work& s) { return has_experts(s.model) ? exchange_volume_parts(s).total() : Bytes{}; }

}  // namespace plimsoll
