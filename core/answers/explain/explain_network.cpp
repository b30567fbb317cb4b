#include "core/answers/explain/explain_network.h"

namespace plimsoll {

namespace {

const char* name_of(Algorithm a) {
    switch (a) {
        case Algorithm::none: return "nothing to do";
        case Algorithm::ring: return "one ring through all members";
        case Algorithm::nested_rings: return "rings nested level by level";
        case Algorithm::tree: return "tree";
        case Algorithm::pairwise: return "every rank to every other";
    }
    return "";
}

std::string levels_of(const Machine& machine, const Span& span) {
    std::string text;
    for (int i = 0; i < span.hops; ++i)
        text += (i ? " x " : "") + std::to_string(span.hop[i].fan) + " over " + machine.levels[span.hop[i].level].name;
    return text;
}

Term level_rate(const Machine& machine, const Hop& hop) {
    const std::string at = "/levels/" + std::to_string(hop.level);
    const Level& level = machine.levels[hop.level];
    return product("Achieved rate of " + level.name, "B/s",
        {given("Share of one device", level.bandwidth / (byte / second), "B/s", source_of(machine.sources, at + "/bandwidth_GBps")),
         given("Achieved fraction", level.efficiency, "", source_of(machine.sources, at + "/efficiency"))});
}

}  // namespace

Term explain_transfer(const Machine& machine, const Span& span, Bytes payload, int passes, const std::string& label) {
    const Transfer t = passes == 2 ? all_reduce(span, payload) : all_gather(span, payload);
    if (span.hops == 0) return derived(label, 0, "s", "a group of one has nothing to exchange");
    std::vector<Term> parts{derived("Latency", t.latency / second, "s", "steps x latency of each level; " + levels_of(machine, span))};
    if (t.algorithm == Algorithm::nested_rings)
        for (int i = 0; i < span.hops; ++i) {
            const Hop& hop = span.hop[i];
            const double wire = passes * (hop.fan - 1.0) / hop.fan * (payload / byte) / hop.inside;
            parts.push_back(quotient("Transfer over " + machine.levels[hop.level].name, "s",
                derived("Bytes sent", wire, "B", "passes x (fan-1)/fan x payload / members inside"), level_rate(machine, hop)));
        }
    else {
        // The slowest link of the group, with the shares of the members that enter it together.
        const Hop* slow = &span.hop[0];
        for (int i = 1; i < span.hops; ++i)
            if (span.hop[i].rate * span.hop[i].inside < slow->rate * slow->inside) slow = &span.hop[i];
        const double share = t.algorithm == Algorithm::tree ? 1 : (span.size - 1.0) / span.size;
        parts.push_back(quotient("Transfer", "s",
            derived("Bytes sent", passes * share * (payload / byte), "B", t.algorithm == Algorithm::tree ? "passes x payload" : "passes x (n-1)/n x payload"),
            product("Rate of the slowest level", "B/s", {counted("Members entering it together", slow->inside), level_rate(machine, *slow)})));
    }
    return sum(label, "s", std::move(parts), std::string(name_of(t.algorithm)) + " was cheapest for " + std::to_string(span.size) + " ranks: " + levels_of(machine, span));
}

Term explain_sharded(const Scenario& s, Bytes payload, const std::string& label) {
    if (layer_gather_time(s) <= Seconds{}) return derived(label, 0, "s", "weights are not sharded");
    return quotient(label, "s", explain_transfer(s.machine, shard_span(s), payload, 1, "One layer's weights"),
                    given("Achieved share of the network", s.stack.sharded_efficiency, "", source_of(s.stack.sources, "/sharded_efficiency")));
}

Term explain_gradients(const StepParts& p) {
    const Scenario& s = p.scenario;
    const double count = p.step.heaviest_parameters;
    const Bytes gradients = state_bytes(s.recipe).gradients * count * byte;
    const std::string label = "Gradient reduction the step waits for";
    if (s.layout.weight_replicas() == 1) return derived(label, 0, "s", "one replica has nothing to reduce");
    const double reduce = p.step.gradients.reduce / second, hidden = reduce - p.step.gradients.exposed / second;
    if (s.layout.zero_stage == 0)
        return difference(label, "s", explain_transfer(s.machine, data_span(s), gradients, 2, "All-reduce of the stage's gradients"),
                          derived("Hidden behind the backward pass", hidden, "s", "overlap share of the stack x one micro-batch's backward pass; the last bucket never hides"));
    if (s.layout.zero_stage == 1 && s.layout.shards() == s.layout.weight_replicas()) {
        const Bytes weights = state_bytes(s.recipe).weights * count * byte;
        return difference(label, "s",
            sum("Reduce-scatter and all-gather", "s",
                {explain_transfer(s.machine, shard_span(s), gradients, 1, "Reduce-scatter of the stage's gradients"),
                 explain_transfer(s.machine, shard_span(s), weights, 1, "All-gather of the updated weights")}),
            derived("Hidden behind the backward pass", hidden, "s", "overlap share of the stack x one micro-batch's backward pass; the last bucket never hides"));
    }
    return difference(label, "s", derived("All reductions and gathers of a step", reduce, "s", "ZeRO volumes, Rajbhandari et al. 2020, section 7"),
                      derived("Hidden behind the backward pass", hidden, "s", "overlap share of the stack, per micro-batch"));
}

}  // namespace plimsoll
