#include "core/papers/transients.h"

#include "core/costs/kernels/layer.h"
#include "core/costs/memory/memory.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace plimsoll {

Bytes most_alive(std::span<const MemoryBlock> blocks) {
    Bytes most;
    for (const MemoryBlock& at : blocks) {  // the sum only rises where a block is born
        Bytes alive;
        for (const MemoryBlock& b : blocks)
            if (b.born <= at.born && at.born < b.freed) alive += b.size;
        most = max(most, alive);
    }
    return most;
}

namespace {

struct Occupied { Bytes from, to; };

// What blocks placed before keep from this one, from the bottom up.
std::vector<Occupied> neighbours(std::span<const MemoryBlock> blocks, const std::vector<Bytes>& offset,
                                 const std::vector<bool>& placed, std::size_t i) {
    std::vector<Occupied> taken;
    for (std::size_t j = 0; j < blocks.size(); ++j)
        if (placed[j] && live_together(blocks[i], blocks[j])) taken.push_back({offset[j], offset[j] + blocks[j].size});
    std::ranges::sort(taken, {}, &Occupied::from);
    return taken;
}

// The tightest gap of at least `size`; above everything where there is none.
Bytes tightest(const std::vector<Occupied>& taken, Bytes size) {
    Bytes best, top, spare = std::numeric_limits<double>::infinity() * byte;
    bool found = false;
    for (const Occupied& o : taken) {
        const Bytes gap = o.from - top;
        if (gap >= size && gap - size < spare) {
            best = top;
            spare = gap - size;
            found = true;
        }
        top = max(top, o.to);
    }
    return found ? best : top;
}

}  // namespace

BlockPlacement place_best_fit(std::span<const MemoryBlock> blocks) {
    std::vector<std::size_t> order(blocks.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return blocks[a].size > blocks[b].size; });
    BlockPlacement p{std::vector<Bytes>(blocks.size()), {}};
    std::vector<bool> placed(blocks.size(), false);
    for (const std::size_t i : order) {
        p.offset[i] = tightest(neighbours(blocks, p.offset, placed, i), blocks[i].size);
        p.peak = max(p.peak, p.offset[i] + blocks[i].size);
        placed[i] = true;
    }
    return p;
}

namespace {

// Some optimal placement can be built in ascending offsets, each block resting on the
// highest of those before it that live at the same time: every block of a placement may
// fall until it does.
class ExactPlacement {
public:
    ExactPlacement(std::span<const MemoryBlock> blocks, long most_nodes)
        : blocks_(blocks), nodes_(most_nodes), bound_(most_alive(blocks)), best_(place_best_fit(blocks)),
          now_{std::vector<Bytes>(blocks.size()), {}}, placed_(blocks.size(), false) {}

    std::optional<BlockPlacement> run() {
        descend(0, {});
        if (nodes_ < 0 && best_.peak > bound_) return std::nullopt;
        return best_;
    }

private:
    Bytes resting(std::size_t i) const {
        Bytes top;
        for (std::size_t j = 0; j < blocks_.size(); ++j)
            if (placed_[j] && live_together(blocks_[i], blocks_[j])) top = max(top, now_.offset[j] + blocks_[j].size);
        return top;
    }
    void descend(std::size_t count, Bytes lowest) {
        if (best_.peak <= bound_ || --nodes_ < 0) return;
        if (count == blocks_.size()) {
            best_ = now_;  // only better ones get here
            return;
        }
        const Bytes peak = now_.peak;
        for (std::size_t i = 0; i < blocks_.size(); ++i) {
            if (placed_[i]) continue;
            const Bytes at = resting(i), top = max(peak, at + blocks_[i].size);
            if (at < lowest || top >= best_.peak) continue;
            placed_[i] = true;
            now_.offset[i] = at;
            now_.peak = top;
            descend(count + 1, at);
            placed_[i] = false;
        }
        now_.peak = peak;
    }

    std::span<const MemoryBlock> blocks_;
    long nodes_;
    Bytes bound_;
    BlockPlacement best_, now_;
    std::vector<bool> placed_;
};

}  // namespace

std::optional<BlockPlacement> place_exact(std::span<const MemoryBlock> blocks, long most_nodes) {
    return ExactPlacement(blocks, most_nodes).run();
}

namespace {

// Widths on one tensor rank, as bytes of all tokens of a micro-batch.
struct Sizes {
    Bytes residual, gathered, qkv, attention, ffn, activated;
};
Sizes sizes_of(const Scenario& s) {
    const Model& m = s.model;
    const double t = s.layout.tensor_parallel;
    const Bytes one = tokens_per_micro_batch(s) * activation_bytes(s.recipe.precision) * byte;
    const AttentionSizes a = attention_of(m);
    return {layer_input(s), one * m.hidden, one * (a.all() / t), one * (a.values() / t),
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
    std::vector<Transient> all{{"projection output", {b.gathered, 3, 5}},
                               {"second product's output", {b.gathered, 8, 10}},
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
