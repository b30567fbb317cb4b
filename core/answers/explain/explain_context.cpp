#include "core/answers/explain/explain_context.h"

#include "core/costs/kernels/context.h"
#include "core/values/plan/share.h"

namespace plimsoll {

namespace {

Term ring_step_term(const std::string& label, const RingStep& step, const char* payload) {
    return sum(label, "s",
        {derived("Latency", step.latency / second, "s", "of the outermost level of the ring; nothing hides it"),
         difference("Transfer beyond the block's attention", "s",
                    derived("Transfer", step.transfer / second, "s", std::string(payload) + " over the achieved rate of the outermost level"),
                    derived("Hidden behind the attention of a block", step.hidden() / second, "s", "at most 1/c of the attention core"))});
}

Term ring_pass(const char* label, int steps, const RingStep& step, const char* payload) {
    return product(label, "s", {counted("Ring steps", steps), ring_step_term("One step", step, payload)});
}

// Forward and backward pass of one layer.
std::pair<Term, Term> ring_terms(const StepParts& p) {
    const LayerTime& t = p.layers.of(unhidden_block(p.scenario));   // attention is the same in layers of either kind
    const RingPasses ring = ring_passes(p.scenario, t.forward.attention, t.backward.attention);
    Term forward = ring_pass("Keys and values round the ring", ring.steps, ring.forward, "2 b s/c kv elements");
    Term backward = sum("Keys, values and their gradients round the ring", "s",
        {ring_pass("Ring, backward", ring.steps, ring.backward, "4 b s/c kv elements"),
         ring_step_term("Gradients come home", ring.home, "2 b s/c kv elements")});
    return {std::move(forward), std::move(backward)};
}

Term exchanges(const UlyssesPass& pass, const char* label) {
    const auto all = [&](const char* what, Seconds one) {
        return product(what, "s", {counted("Exchanges", pass.exchanges), derived("All-to-all", one / second, "s",
            "(c-1)/c of b s/c width elements to the other ranks, the slowest level counts")});
    };
    return sum(label, "s", {all("Queries and output", pass.queries), all("Keys and values", pass.keys)});
}

std::pair<Term, Term> ulysses_terms(const StepParts& p) {
    const UlyssesPass pass = ulysses_pass(p.scenario);
    return {exchanges(pass, "Forward"), exchanges(pass, "Backward")};
}

}  // namespace

Term explain_context(const StepParts& p) {
    const Scenario& s = p.scenario;
    const std::string label = "Context-parallel wait";
    if (s.layout.context_parallel == 1) return derived(label, 0, "s", "no ranks share a sequence");
    const bool ring = s.layout.context_mode == ContextMode::ring;
    auto [forward, backward] = ring ? ring_terms(p) : ulysses_terms(p);
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
