#pragma once
// What every part of a training step works with: the device's arithmetic, the
// groups, the clock, the memory. One per rank.

#include "engine/comm/grid.h"
#include "engine/comm/timed.h"
#include "engine/kernels/kernels.h"
#include "engine/model/parameters.h"
#include "engine/train/arena.h"

#include <functional>

namespace plimsoll::engine {

template <class Real, class Wide> struct Context {
    Kernels<Real, Wide>& kernels;
    PhaseClock& clock;
    Arena& arena;
    Place at;
    TimedComm &tensor, &data, &shards, &pipeline, &ends;  // data and shards: one group, two accounts
    Comm& world;
    const Options& options;
    const Shape& shape;
    std::function<void()> between{};  // called between two operations where something is under way meanwhile

    // Rows of one micro-batch, and how many of them this rank's norms and residuals see (sequence parallel: a share).
    int rows() const { return options.layout.micro_batch * shape.sequence; }
    int local_rows() const { return options.layout.sequence_parallel ? rows() / options.layout.tensor : rows(); }
    int first_row() const { return options.layout.sequence_parallel ? at.tensor * local_rows() : 0; }
    bool shards_rows() const { return options.layout.sequence_parallel && options.layout.tensor > 1; }

    template <class F> void in(Phase phase, F f) const {
        {
            Scope scope(clock, phase);
            f();
        }
        if (between) between();
    }

    // The rows of all tensor ranks: `local` itself unless they are split.
    const Real* gathered(const Real* local, Frame& frame) const {
        if (!shards_rows()) return local;
        Real* all = frame.take<Real>(std::size_t(rows()) * std::size_t(shape.width));
        tensor.all_gather(local, all, std::size_t(local_rows()) * std::size_t(shape.width), type_of<Real>);
        return all;
    }
    // The sum over tensor ranks of partial rows [rows, C]; of this rank's rows alone when they are split.
    Real* reduced(Real* partial, Frame& frame) const {
        if (tensor.size() == 1) return partial;
        if (!shards_rows()) {
            tensor.all_reduce(partial, std::size_t(rows()) * std::size_t(shape.width), type_of<Real>);
            return partial;
        }
        const std::size_t count = std::size_t(local_rows()) * std::size_t(shape.width);
        Real* mine = frame.take<Real>(count);
        tensor.reduce_scatter(partial, mine, count, type_of<Real>);
        return mine;
    }
};

}  // namespace plimsoll::engine
