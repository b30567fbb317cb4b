#include "core/answers/explain/explain_context.h"

#include "core/costs/kernels/context.h"
#include "core/costs/pipeline/share.h"

namespace plimsoll {

namespace {

Term ring_step_term(const std::string& label, const RingStep& step, const char* payload) {
    return sum(label, "s",
        {derived("Latency", step.latency / second, "s", "of the outermost level of the ring; nothing hides it"),
         difference("Transfer beyond the block's attention", "s",
                    derived("Transfer", step.transfer / second, "s", std::string(payload) + " over the achieved rate of the outermost level"),
                    derived("Hidden behind the attention of a block", step.hidden() / second, "s", "at most 1/c of the attention core"))});
}

Term ring_pass(const Scenario& s, const char* label, int blocks, Seconds attention, const char* payload) {
    return product(label, "s", {counted("Ring steps", s.layout.context_parallel - 1),
                                ring_step_term("One step", ring_step(s, blocks, attention), payload)});
}

// Forward and backward pass of one layer.
std::pair<Term, Term> ring_terms(const Scenario& s) {
    const LayerTime t = layer_time(s);
    Term forward = ring_pass(s, "Keys and values round the ring", 1, t.forward.attention, "2 b s/c kv elements");
    Term backward = sum("Keys, values and their gradients round the ring", "s",
        {ring_pass(s, "Ring, backward", 2, t.backward.attention, "4 b s/c kv elements"),
         ring_step_term("Gradients come home", ring_step(s, 1, {}), "2 b s/c kv elements")});
    return {std::move(forward), std::move(backward)};
}

Term exchanges(const Scenario& s, const char* label) {
    const auto two = [&](const char* what, int width) {
        return product(what, "s", {counted("Exchanges", 2), derived("All-to-all", ulysses_exchange(s, width) / second, "s",
            "(c-1)/c of b s/c width elements to the other ranks, the slowest level counts")});
    };
    return sum(label, "s", {two("Queries and output", attention_width(s.model)), two("Keys and values", kv_width(s.model))});
}

}  // namespace

Term explain_context(const StepParts& p) {
    const Scenario& s = p.scenario;
    const std::string label = "Context-parallel wait";
    if (s.layout.context_parallel == 1) return derived(label, 0, "s", "no ranks share a sequence");
    const bool ring = s.layout.context_mode == ContextMode::ring;
    auto [forward, backward] = ring ? ring_terms(s) : std::pair{exchanges(s, "Forward"), exchanges(s, "Backward")};
    const int layers = layers_of_stage(s, p.step.busiest_stage);
    const double one = p.stages[p.step.busiest_stage].micro.context_parallel / second / layers;
    // Recomputed layers exchange again, or the share of them a selective policy repeats.
    const double passes = forward.value > 0 ? (one - backward.value) / forward.value : 1;
    Term repeated = product("Forward passes", "s", {counted("Passes, recomputed ones included", passes), std::move(forward)});
    return product(label, "s",
        {counted("Micro-batches per step", micro_batches(s)), counted("Layers on the stage", layers),
         sum("One layer", "s", {std::move(repeated), std::move(backward)}, ring ? "Liu et al. 2023" : "Jacobs et al. 2023")});
}

}  // namespace plimsoll
