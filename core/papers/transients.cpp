#include "core/papers/transients.h"

#include "core/costs/kernels/layer.h"
#include "core/costs/memory/memory.h"

namespace plimsoll {

namespace {

// Widths on one tensor rank, as bytes of all tokens of a micro-batch.
struct Sizes {
    Bytes residual, gathered, qkv, attention, ffn, activated;
};
Sizes sizes_of(const Scenario& s) {
    const Model& m = s.model;
    const double t = s.layout.tensor_parallel;
    const Bytes one = tokens_per_micro_batch(s) * activation_bytes(s.recipe.precision) * byte;
    return {layer_input(s), one * m.hidden, one * (qkv_width(m) / t), one * (attention_width(m) / t),
            one * (m.ffn * (gated(m.activation) ? 2.0 : 1.0) / t), one * (m.ffn / t)};
}

std::vector<MemoryBlock> blocks_of(const std::vector<Transient>& all) {
    std::vector<MemoryBlock> blocks;
    for (const Transient& t : all) blocks.push_back(t.block);
    return blocks;
}

constexpr long most_nodes = 200000;

BlockPlacement placed(const std::vector<Transient>& all, bool& exact) {
    const std::vector<MemoryBlock> blocks = blocks_of(all);
    if (auto best = place_exact(blocks, most_nodes)) return *best;
    exact = false;
    return place_best_fit(blocks);
}

}  // namespace

// Steps: norm, qkv product, attention, projection, residual, norm, first product, activation, second product, residual.
std::vector<Transient> forward_transients(const Scenario& s) {
    const Sizes b = sizes_of(s);
    std::vector<Transient> all{{"projection output", {b.gathered, 3, 5}}, {"second product's output", {b.gathered, 8, 10}},
                               {"fused query, key, value before splitting", {b.qkv, 1, 3}}};
    if (s.layout.sequence_parallel) {
        all.push_back({"gathered attention input", {b.gathered, 1, 2}});
        all.push_back({"gathered feed-forward input", {b.gathered, 6, 7}});
    }
    return all;
}

// The same operators backwards; a gradient lives from the operator that makes it to the one that takes it.
std::vector<Transient> backward_transients(const Scenario& s) {
    const Sizes b = sizes_of(s);
    std::vector<Transient> all{{"gradient of the output", {b.residual, 0, 10}},
                               {"gradient of the activated width", {b.activated, 1, 3}},
                               {"gradient of the first product", {b.ffn, 2, 4}},
                               {"gradient of the feed-forward input", {b.gathered, 3, 5}},
                               {"gradient of the residual stream", {b.residual, 4, 10}},
                               {"gradient of the attention output", {b.attention, 6, 8}},
                               {"gradient of query, key, value", {b.qkv, 7, 9}},
                               {"gradient of the attention input", {b.gathered, 8, 10}}};
    if (s.layout.sequence_parallel) {
        all.push_back({"gathered gradient of the output", {b.gathered, 0, 2}});
        all.push_back({"gathered feed-forward input", {b.gathered, 3, 4}});
        all.push_back({"gathered attention input", {b.gathered, 8, 9}});
    }
    return all;
}

TransientPlan plan_transients(const Scenario& s) {
    TransientPlan plan;
    plan.exact = true;
    plan.forward = placed(forward_transients(s), plan.exact);
    plan.backward = placed(backward_transients(s), plan.exact);
    // Second level: layer passes in order with the loss between them; each hands the residual stream on.
    std::vector<MemoryBlock> blocks;
    const int layers = s.model.layers;
    const Bytes stream = layer_input(s);
    const Bytes logits = stage_logits(s, s.layout.pipeline_parallel - 1);
    for (int i = 0; i <= 2 * layers; ++i) {
        blocks.push_back({i < layers ? plan.forward.peak : i == layers ? logits : plan.backward.peak, i, i + 1});
        blocks.push_back({stream, i, i + 2});
    }
    plan.peak = place_best_fit(blocks).peak;
    plan.bound = most_alive(blocks);
    return plan;
}

}  // namespace plimsoll
