#include "core/costs/kernels/exchange.h"

#include "core/costs/kernels/products.h"
#include "core/values/plan/placement.h"
#include "core/values/plan/share.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

namespace {

int slices(const Scenario& s) { return s.layout.expert_tensor_parallel; }

bool inside_node(const Scenario& s, const Hop& hop) { return hop.inside * slices(s) < s.machine.devices_per_node; }

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

Span expert_span(const Scenario& s) {
    return span_of(s.machine, {s.layout.expert_parallel, slices(s), s.layout.devices}, network_of_layers(s));
}

Span expert_slice_span(const Scenario& s) {
    return span_of(s.machine, {slices(s), 1, s.layout.devices, 1}, network_of_layers(s));
}

Bytes routed_payload(const Scenario& s) {
    const double element = activation_bytes(s.recipe.precision);
    return own_tokens(s) * expert_load(s.model.experts) * exchange_width(s.model) * element * byte;
}

double copies_across(const Scenario& s, const Span& span, int i) {
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

ExchangeLevel exchange_level(const Scenario& s, const Span& span, int i) {
    const double copies = copies_across(s, span, i);
    const Bytes bytes = copies * routed_payload(s);
    const Hop& hop = span.hop[i];
    return {copies, bytes, hop.exchange * rate_at(hop, bytes) * s.stack.experts.exchange_efficiency};
}

Bytes slices_payload(const Scenario& s) { return s.model.experts.top_k * slices(s) * routed_payload(s); }

namespace {

// Messages to every member; handed on, to one member of every domain.
Seconds exchange_latency(const Scenario& s, const Span& span) {
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

ExchangeTime expert_exchange(const Scenario& s) {
    const Span span = expert_span(s);
    ExchangeTime t;
    t.latency = exchange_latency(s, span);
    for (int i = 0; i < span.hops; ++i) t.transfer = max(t.transfer, exchange_level(s, span, i).time());
    if (slices(s) > 1) t.slices = all_gather(expert_slice_span(s), slices_payload(s)).time;
    return t;
}

Seconds exposed_exchange(const Scenario& s) { return s.stack.experts.exchange_exposed * expert_exchange(s).total(); }

ExchangeVolume exchange_volume_parts(const Scenario& s) {
    const Experts& e = s.model.experts;
    ExchangeVolume v;
    const Layers layers(s.model);
    v.passes = 2 * layers.with_experts();
    if (s.layout.recompute == Recompute::full) v.repeated_passes = layers.with_experts(recomputed_layers(s));
    v.tokens = double(s.recipe.global_batch_sequences) * s.recipe.sequence_length;
    v.copies = e.top_k;
    v.load = e.capacity > 0 ? e.capacity : 1;   // imbalance moves tokens between ranks, it adds none
    v.ranks = s.layout.expert_parallel;
    v.width = exchange_width(s.model);
    v.element = activation_bytes(s.recipe.precision);
    return v;
}

Bytes exchange_volume(const Scenario& s) { return has_experts(s.model) ? exchange_volume_parts(s).total() : Bytes{}; }

}  // namespace plimsoll
