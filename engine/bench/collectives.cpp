#include "engine/bench/collectives.h"

#include "engine/bench/suites.h"

namespace plimsoll::engine {

// Gradients go over the data ranks, long after they were written; activations over the others, just computed.
template <class Real, class Wide> std::vector<Point> collective_points(const Bench<Real, Wide>& b) {
    std::vector<Point> points;
    const BenchCache cache = b.options.bench_cache;
    for (const Dimension& d : dimensions(b.grid, b.options)) {
        const bool gradients = d.group == b.grid.data.get(), cold = cache == BenchCache::cold || (cache == BenchCache::as_trained && gradients);
        for (const Verb verb : {Verb::all_reduce, Verb::reduce_scatter, Verb::all_gather, Verb::broadcast})
            for (const double bytes : message_sizes(b.options.bench_own && verb == Verb::broadcast ? 0 : b.options.bench_bytes)) {
                const double spread = cold ? 2 * b.last_cache : 0;
                points.push_back(gradients ? collective_point<Wide>(b.kernels, *d.group, d.name, verb, bytes, spread)
                                           : collective_point<Real>(b.kernels, *d.group, d.name, verb, bytes, spread));
            }
    }
    return points;
}
PLIMSOLL_POINTS(collective_points);

}  // namespace plimsoll::engine
