#include "core/papers/block_plan.h"

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
std::vector<Occupied> neighbours(std::span<const MemoryBlock> blocks, const std::vector<Bytes>& offset, const std::vector<bool>& placed, std::size_t i) {
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
        if (gap >= size && gap - size < spare) best = top, spare = gap - size, found = true;
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
class Search {
public:
    Search(std::span<const MemoryBlock> blocks, long most_nodes)
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

std::optional<BlockPlacement> place_exact(std::span<const MemoryBlock> blocks, long most_nodes) { return Search(blocks, most_nodes).run(); }

}  // namespace plimsoll
