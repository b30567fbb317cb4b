#include "core/answers/explain/explain_tensor.h"

#include "core/answers/explain/explain_network.h"
#include "core/costs/kernels/layer.h"
#include "core/costs/kernels/tensor.h"
#include "core/values/plan/share.h"

namespace plimsoll {

namespace {

const StageTime& busiest(const StepParts& p) { return p.stages[p.step.busiest_stage]; }

Term exchanged(const Scenario& s, const Span& span, Bytes payload, Collective what, const std::string& label) {
    return explain_transfer(s, span, payload, what, coding_of(s, Traffic::tensor), label);
}

Term exposed_share(const Scenario& s) {
    return given("Exposed share", s.stack.tensor_exposed, "", source_of(s.stack.sources, "/tensor_exposed"));
}

Term line_micro_batch(const StepParts& p) {
    const Scenario& s = p.scenario;
    const double exposed_one = tensor_all_reduce(s).time * s.stack.tensor_exposed / second;
    const double count = exposed_one > 0 ? busiest(p).micro.tensor_parallel / second / exposed_one : 0;
    return product("One micro-batch", "s",
        {derived("All-reduces", count, "", "per layer two forward, two backward, two more when recomputed; one extra gather pair per layer under sequence parallelism; one at each end"),
         exchanged(s, tensor_span(s), tensor_payload(s), Collective::all_reduce, "One all-reduce of the activation")});
}

Term gathers(const Scenario& s, const Gemm& g) {
    const GridPayload p = grid_payload(s, g);
    return sum(g.label, "s", {exchanged(s, row_span(s), p.inputs, Collective::all_gather, "Blocks of the input along a row"),
                              exchanged(s, column_span(s), p.weights, Collective::all_gather, "Blocks of the weights down a column")});
}

Term layer_gathers(const Scenario& s) {
    std::vector<Term> terms;
    for (const Gemm& g : layer_gemms(s)) terms.push_back(gathers(s, g));
    return sum("Gathers of one layer", "s", std::move(terms));
}

Term depth_reductions(const Scenario& s) {
    std::vector<Term> terms;
    for (const Gemm& g : layer_gemms(s))
        terms.push_back(exchanged(s, depth_span(s), grid_payload(s, g).block, Collective::all_reduce, std::string("Weight gradients over the depth: ") + g.label));
    return sum("Over the depth", "s", std::move(terms));
}

Term grid_ends(const Scenario& s, int stage) {
    std::vector<Term> terms;
    if (first_stage(stage))
        terms.push_back(exchanged(s, column_span(s), grid_embedding_payload(s), Collective::all_reduce, "Embedding, added up down a column"));
    if (last_stage(s, stage)) {
        const Gemm head = head_gemms(s)[0];
        terms.push_back(product("LM head, three passes", "s", {counted("Passes", GridTime::gathering_passes), gathers(s, head)}));
        terms.push_back(exchanged(s, depth_span(s), grid_payload(s, head).block, Collective::all_reduce, "LM head, weight gradient over the depth"));
    }
    if (terms.empty()) terms.push_back(derived("The busiest stage holds neither end", 0, "s", "pipeline layout"));
    return sum("Ends", "s", std::move(terms));
}

Term grid_micro_batch(const StepParts& p) {
    const Scenario& s = p.scenario;
    const int stage = p.step.busiest_stage;
    const double layers = layers_of_stage(s, stage), exposed = s.stack.tensor_exposed;
    Term gathered = layer_gathers(s), reduced = depth_reductions(s), ends = grid_ends(s, stage);
    // Forward, both gradients, and what is recomputed: all gather alike.
    const double one = exposed > 0 ? busiest(p).micro.tensor_parallel / second / exposed : 0;
    const double passes = gathered.value > 0 ? ((one - ends.value) / layers - reduced.value) / gathered.value : 0;
    return sum("One micro-batch", "s",
        {product("Layers", "s", {counted("Layers on the stage", layers),
             sum("One layer", "s", {product("Passes", "s", {counted("Forward, two gradients, recomputed ones", passes), std::move(gathered)}),
                                    std::move(reduced)}, "SUMMA: Xu et al. 2021, Wang et al. 2021")}),
         std::move(ends)});
}

}  // namespace

Term explain_tensor(const StepParts& p) {
    const Scenario& s = p.scenario;
    return product("Tensor-parallel wait", "s", {counted("Micro-batches per step", micro_batches(s)), exposed_share(s),
                                                 s.layout.on_grid() ? grid_micro_batch(p) : line_micro_batch(p)});
}

}  // namespace plimsoll
