#include "engine/bench/collectives.h"

#include "engine/bench/suites.h"

namespace plimsoll::engine {

// Gradients go over the data ranks, activations over the others.
template <class Real, class Wide> std::vector<Point> collective_points(const Bench<Real, Wide>& b) {
    std::vector<Point> points;
    for (const Dimension& d : dimensions(b.grid, b.options.device))
        for (const Verb verb : {Verb::all_reduce, Verb::reduce_scatter, Verb::all_gather, Verb::broadcast})
            for (const double bytes : message_sizes(b.options.bench_bytes))
                points.push_back(d.group == b.grid.data.get() ? collective_point<Wide>(b.kernels, *d.group, d.name, verb, bytes)
                                                              : collective_point<Real>(b.kernels, *d.group, d.name, verb, bytes));
    return points;
}
PLIMSOLL_POINTS(collective_points);

}  // namespace plimsoll::engine
