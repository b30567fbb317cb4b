#include "core/answers/explain/explain_layers.h"

#include "core/answers/explain/explain_kernels.h"
#include "core/values/plan/placement.h"
#include "core/costs/offload/swap.h"

namespace plimsoll {

Term micro_term(const StepParts& p) { return counted("Micro-batches per step", micro_batches(p.scenario)); }

Term at_speed(const StepParts& p, int stage, Term work) {
    const double speed = stage_speed(p.scenario, stage);
    if (speed == 1) return work;
    const int cluster = cluster_of_stage(p.scenario, stage);
    const std::string at = cluster == no_cluster ? "/clusters" : "/clusters/" + std::to_string(cluster) + "/speed";
    std::string label = work.label + ", at the cluster's speed";
    return quotient(std::move(label), "s", std::move(work), machine_value(p.scenario, "Speed of its devices", speed, "", at));
}

namespace {

// What one layer takes, times the layers of the stage; kinds of layers apart where there are two.
template <class One>
Term per_layer(const StepParts& p, const LayerMix& layers, const std::string& label, const std::string& where, One one) {
    const auto here = [&](Block block) { return at_speed(p, p.step.busiest_stage, one(block)); };
    if (layers.experts == 0)
        return product(label, "s", {micro_term(p), counted("Layers " + where, layers.dense), here(Block::dense)});
    if (layers.dense == 0)
        return product(label, "s", {micro_term(p), counted("Layers " + where, layers.experts), here(Block::experts)});
    return product(label, "s", {micro_term(p), sum("Layers of the stage", "s",
        {product("Dense layers", "s", {counted("Dense layers " + where, layers.dense), here(Block::dense)}),
         product("Layers with experts", "s", {counted("Layers with experts " + where, layers.experts), here(Block::experts)})})});
}

template <class One>
Term per_layer(const StepParts& p, const std::string& label, One one) {
    return per_layer(p, blocks_of_stage(p.scenario, p.step.busiest_stage), label, "on the stage", one);
}

Term layer_gemms_term(const Scenario& s, Block block) {
    std::vector<Term> terms;
    const Gemms gemms = layer_gemms(s, block);
    for (const Gemm& g : gemms) terms.push_back(gemm_term(s, g, "forward", s.recipe.precision));
    for (const Gemm& g : gemms) {
        terms.push_back(gemm_term(s, data_gradient(g), "data gradient", s.recipe.precision));
        terms.push_back(gemm_term(s, weight_gradient(g), "weight gradient", s.recipe.precision));
    }
    return sum("Products of one layer", "s", std::move(terms));
}

Term attention_term(const Scenario& s, const AttentionTime& t, const std::string& pass) {
    const bool flash = s.stack.attention == Attention::flash;
    std::vector<Term> parts{derived("Products", t.compute / second, "s",
        flash ? "fused kernel: half of 4 s² d per head (causal), times the density of sparse attention, at the device's fused-attention rate; backward 2.5 times the work"
              : "scores and values as batched products over the heads; of sparse attention the share that is computed")};
    if (!flash) parts.push_back(derived("Softmax, mask and dropout traffic", t.memory / second, "s",
        "s² elements per head, read and written per operator, times the device's softmax factor"));
    if (t.merge > Seconds{})
        parts.push_back(derived("Adding up the blocks of the ring", t.merge / second, "s",
            "(c-1) 3/4 (element + 8 bytes) of output, or of the gradients of queries, keys and values, over streamed bandwidth"));
    parts.push_back(derived("Shortest kernels", t.floor / second, "s", "one per kernel; per block in a ring"));
    return sum("Attention core, " + pass, "s", std::move(parts));
}

std::vector<Term> repeated_parts(const Scenario& s, const LayerTime& layer, const RepeatedWork& again) {
    switch (again.what) {
        case Repeats::tokens:
            return {product("Tokens whose activations were not sent", "s",
                {derived("Share", again.share, "", "1 - share of activations sent"),
                 derived("Forward pass of one layer without attention", again.of.device() / second, "s", "as in Layer GEMMs and Elementwise")})};
        case Repeats::layer:
            return {derived("Products, forward again", again.of.gemm / second, "s",
                            again.of.gemm == layer.forward.gemm ? "as in Layer GEMMs" : "as in Layer GEMMs, without the one that ends the layer: its result is not needed"),
                    derived("Attention, forward again", again.of.attention / second, "s", "as in Attention"),
                    derived("Elementwise, forward again", again.of.elementwise / second, "s", "as in Elementwise")};
        case Repeats::share:
            return {product("Share of a layer's forward pass", "s",
                {stack_value(s, "Selective share", again.share, "", "selective_share"),
                 derived("Forward pass of one layer", again.of.device() / second, "s", "as in Layer GEMMs, Attention and Elementwise")})};
        case Repeats::attention:
            return {derived("Attention core, forward again", again.of.attention / second, "s", "selective recomputation, Korthikanti et al. 2022")};
        case Repeats::nothing: break;
    }
    return {derived("Nothing: the fused kernel repeats its scores anyway", 0, "s", "layout and stack")};
}

Term repeated_layer(const StepParts& p, Block block) {
    const LayerTime& layer = p.layers.of(block);
    return sum("One layer", "s", repeated_parts(p.scenario, layer, repeated_work(p.scenario, layer, p.swap)));
}

}  // namespace

Term explain_gemms(const StepParts& p) {
    return per_layer(p, "Layer GEMMs", [&](Block b) { return layer_gemms_term(p.scenario, b); });
}

Term explain_attention(const StepParts& p) {
    const Scenario& s = p.scenario;
    const Rates r = rates_of(s);
    return per_layer(p, "Attention", [&](Block) {
        return sum("One layer", "s", {attention_term(s, attention_forward(s, r), "forward"), attention_term(s, attention_backward(s, r), "backward")});
    });
}

Term explain_elementwise(const StepParts& p) {
    const Scenario& s = p.scenario;
    return per_layer(p, "Elementwise", [&](Block block) {
        const char* what = block == Block::dense
            ? "reads and writes of norms, residuals, dropout, activation function; times the stack's elementwise factor"
            : "norms, residuals, activation function, router scores, permuting token copies there and back; times the stack's elementwise factor";
        const auto pass = [&](const char* name, const Elementwise& e) {
            return sum(name, "s", {streamed(s, "Memory traffic", e.bytes, what), floor_of(s, e.kernels)});
        };
        return sum("One layer", "s", {pass("Forward", elementwise_forward(s, block)), pass("Backward", elementwise_backward(s, block))});
    });
}

Term explain_recompute(const StepParts& p) {
    const Scenario& s = p.scenario;
    const int stage = p.step.busiest_stage;
    const LayerMix layers = repeating_layers(s, p.swap, stage, blocks_of_stage(s, stage));
    if (layers.total() == 0) return derived("Recompute", 0, "s", "nothing is recomputed on the busiest stage: layout and stack");
    const char* where = s.layout.recomputes_some() ? "that recompute, the first of each chunk" : "on the stage";
    return per_layer(p, layers, "Recompute", where, [&](Block b) { return repeated_layer(p, b); });
}

}  // namespace plimsoll
