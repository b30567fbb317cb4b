#pragma once
// The benches there are, and the points of each on a given layout and model.
//
//   for (const Suite& suite : suites) ... suite.name, suite.about
//   std::vector<Point> points = gemm_points(bench);

#include "core/values/basics/expected.h"
#include "engine/bench/measure.h"
#include "engine/comm/grid.h"
#include "engine/kernels/kernels.h"
#include "engine/model/parameters.h"

namespace plimsoll::engine {

// One point of a bench: what is measured, its size, and how to get ready for it.
// Points take memory only while they are measured.
//
//   Point{"gemm", {{"m", m}, {"n", n}, {"k", k}}, bytes, flop, [&] { return rotating(bench, fields, run); }}
struct Point {
    std::string kind;
    nlohmann::ordered_json parameters;
    double bytes, flop;              // read and written, or sent; 0: not counted
    std::function<Expected<Work, std::string>()> prepare;  // the message: why it cannot be measured
};

// What every bench works with. `ranks` talks in host memory, the grid's other groups in the device's.
template <class Real, class Wide> struct Bench {
    const Options& options;
    const Shape& shape;
    Kernels<Real, Wide>& kernels;
    Grid& grid;
    Comm& ranks;
    double second_cache, last_cache;  // bytes
    double memory;                    // bytes one point may take
};

// The dimensions of a layout that have someone to talk to and are asked for; with several such, all ranks too where
// they share host memory.
struct Dimension {
    const char* name;
    Comm* group;
};
inline std::vector<Dimension> dimensions(const Grid& grid, const Options& o) {
    std::vector<Dimension> found;
    for (const Dimension d :
         {Dimension{"tensor", grid.tensor.get()}, {"data", grid.data.get()}, {"pipeline", grid.pipeline.get()}})
        if (d.group->size() > 1 && (o.bench_dimension.empty() || o.bench_dimension == d.name)) found.push_back(d);
    if (found.size() > 1 && o.device == Platform::cpu) found.push_back({"all", grid.world.get()});
    return found;
}

// The line without type, run and seq: PROTOCOL.md, `bench`.
nlohmann::ordered_json line_of(const Point&, const Work&, const Timing&);

struct Suite {
    const char *name, *about;
};
inline constexpr Suite suites[] = {
    {"gemm",
     "products of the model's own shapes (QKV, out, up, down, head; tensor shares 1, 2, 4; two token counts) and "
     "cubes, in the three forms training uses"},
    {"attention", "forward and backward, 256 to 2048 tokens, heads of 64 and 128"},
    {"stream", "y = x + z over working sets from a quarter of the second-level cache to eight times the last"},
    {"adamw", "the optimizer at three sizes"},
    {"collectives",
     "all-reduce, reduce-scatter, all-gather and broadcast over each dimension of the layout, 1 KiB to --bench-size; "
     "results are checked"},
    {"p2p", "messages between pipeline stages: ping-pong of pairs, and all stages at once; results are checked"},
    {"hostlink", "copies between host and device memory"},
    {"storage", "writing with fsync and reading back in --storage-directory, by all ranks and by one"},
    {"overlap", "a product, a collective, and both at once"},
    {"power",
     "watts at rest, streaming, multiplying and adding up messages, five seconds each; at once over where no counter "
     "can be read"},  // from here on: no points of the engine's own
    {"library",
     "PyTorch's fused attention at the model's shapes, by the Python that PLIMSOLL_PYTHON names, else python3; on one "
     "rank, and not part of all"},
};

// One definition a file, for the three pairs of Real and Wide kernels know.
template <class Real, class Wide> std::vector<Point> gemm_points(const Bench<Real, Wide>&);
template <class Real, class Wide> std::vector<Point> attention_points(const Bench<Real, Wide>&);
template <class Real, class Wide> std::vector<Point> stream_points(const Bench<Real, Wide>&);
template <class Real, class Wide> std::vector<Point> adamw_points(const Bench<Real, Wide>&);
template <class Real, class Wide> std::vector<Point> collective_points(const Bench<Real, Wide>&);
template <class Real, class Wide> std::vector<Point> message_points(const Bench<Real, Wide>&);
template <class Real, class Wide> std::vector<Point> host_link_points(const Bench<Real, Wide>&);
template <class Real, class Wide> std::vector<Point> storage_points(const Bench<Real, Wide>&);
template <class Real, class Wide> std::vector<Point> overlap_points(const Bench<Real, Wide>&);

#define PLIMSOLL_POINTS(function)                                                     \
    template std::vector<Point> function(const Bench<double, double>&);               \
    template std::vector<Point> function(const Bench<float, float>&);                 \
    template std::vector<Point> function(const Bench<bf16, float>&)

// A point of attention by its shape alone: nothing to run.
Point attention_line(const char* kind, const AttentionShape&, bool backward);
// What a library's attention is measured at: the shapes of the suite with --bench-own, and one with heads of another
// width, all heads with keys of their own.
std::vector<AttentionShape> library_shapes(const Options&);

// 1 KiB, 4 KiB ... up to `most` bytes.
inline std::vector<double> message_sizes(double most) {
    std::vector<double> sizes;
    for (double s = 1024; s <= most; s *= 4) sizes.push_back(s);
    return sizes;
}

}  // namespace plimsoll::engine
