#include "core/answers/explain/explain_exchange.h"

#include "core/answers/explain/explain_kernels.h"
#include "core/answers/explain/explain_network.h"
#include "core/costs/kernels/exchange.h"

namespace plimsoll {

namespace {

const char* copies_formula(const Scenario& s) {
    return s.stack.experts.dispatch == Dispatch::per_node
        ? "between nodes one for each node visited, G (1 - (1 - 1/G)^k) (G-1)/G expected; inside a node one per expert"
        : "one per expert that lies beyond this level";
}

Term over_level(const Scenario& s, const Span& span, int i) {
    const Hop& hop = span.hop[i];
    const ExchangeLevel level = exchange_level(s, span, i);
    return quotient("Over " + network_name(s.machine, hop), "s",
        product("Bytes of the busiest rank", "B",
                {derived("Own tokens once", routed_payload(s) / byte, "B", "tokens x width of an exchanged token x bytes, times capacity or imbalance"),
                 derived("Copies of a token", level.copies, "", copies_formula(s))}),
        product("Achieved rate", "B/s",
                {explain_rate(s.machine, hop, level.bytes),
                 stack_value(s, "All-to-all efficiency", s.stack.experts.exchange_efficiency, "", "experts/exchange_efficiency")}));
}

Term one_exchange(const Scenario& s) {
    const Span span = expert_span(s);
    const ExchangeTime t = expert_exchange(s);
    std::vector<Term> parts{derived("Latency", t.latency / second, "s", "messages x latency of each level")};
    std::vector<Term> levels;
    for (int i = 0; i < span.hops; ++i) levels.push_back(over_level(s, span, i));
    if (!levels.empty()) parts.push_back(maximum("Slowest level", "s", std::move(levels)));
    if (s.layout.expert_tensor_parallel > 1)
        parts.push_back(explain_transfer(s, expert_slice_span(s), slices_payload(s), Collective::all_gather, {}, "Tokens to all slices of an expert"));
    return sum("One all-to-all", "s", std::move(parts), "dispatch or combine, among " + std::to_string(span.size) + " ranks");
}

}  // namespace

Term explain_exchange(const StepParts& p) {
    const Scenario& s = p.scenario;
    const LayerMix blocks = blocks_of_stage(s, p.step.busiest_stage);
    if (blocks.experts == 0) return derived("Expert all-to-all", 0, "s", "no layer of the busiest stage has experts");
    const double one = exposed_exchange(s) / second, all = p.stages[p.step.busiest_stage].micro.expert_exchange / second;
    return product("Expert all-to-all", "s",
        {counted("Micro-batches per step", micro_batches(s)), counted("Layers with experts on the stage", blocks.experts),
         derived("All-to-alls per layer", one > 0 ? all / one / blocks.experts : 0, "", "dispatch and combine, forward and backward; again where the forward pass is recomputed"),
         stack_value(s, "Exposed share", s.stack.experts.exchange_exposed, "", "experts/exchange_exposed"), one_exchange(s)});
}

Term explain_exchange_volume(const Scenario& s) {
    const Model& m = s.model;
    if (!has_experts(m)) return derived("Expert all-to-all per step", 0, "B", "a dense model");
    const ExchangeVolume v = exchange_volume_parts(s);
    return product("Expert all-to-all per step", "B",
        {counted("All-to-alls per pass of a layer: dispatch and combine", exchanges_per_pass),
         sum("Passes of layers with experts", "", {counted("Forward and backward", v.passes), counted("Recomputed", v.repeated_passes)}),
         counted("Tokens per step", v.tokens),
         given("Experts per token", v.copies, "", source_of(m.sources, "/experts")),
         derived("Capacity factor", v.load, "", "1 without a capacity"),
         derived("Share that leaves its rank", v.leaving(), "", "(e-1)/e"),
         derived("Width of an exchanged token", v.width, "", "h, or r h in BigMac's order"),
         derived("Bytes per element", v.element, "B", "precision recipe")},
        "8 B s L h k (e-1)/e in 16 bit (BigMac, 2502.16927); one copy per expert, however sent");
}

}  // namespace plimsoll
