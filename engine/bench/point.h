#pragma once
// One point of a bench: what is measured, its size, and how to get ready for it.
// Points take memory only while they are measured.
//
//   Point{"gemm", {{"m", m}, {"n", n}, {"k", k}}, bytes, flop, [&] { return rotating(bench, fields, run); }}

#include "core/values/basics/expected.h"
#include "engine/bench/measure.h"
#include "engine/comm/grid.h"
#include "engine/kernels/kernels.h"
#include "engine/model/shape.h"

namespace plimsoll::engine {

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

// The dimensions of a layout that have someone to talk to and are asked for; with several such, all ranks too where they share host memory.
struct Dimension {
    const char* name;
    Comm* group;
};
inline std::vector<Dimension> dimensions(const Grid& grid, const Options& o) {
    std::vector<Dimension> found;
    for (const Dimension d : {Dimension{"tensor", grid.tensor.get()}, {"data", grid.data.get()}, {"pipeline", grid.pipeline.get()}})
        if (d.group->size() > 1 && (o.bench_dimension.empty() || o.bench_dimension == d.name)) found.push_back(d);
    if (found.size() > 1 && o.device == Device::cpu) found.push_back({"all", grid.world.get()});
    return found;
}

// The line without type, run and seq: PROTOCOL.md, `bench`.
nlohmann::ordered_json line_of(const Point&, const Work&, const Timing&);

}  // namespace plimsoll::engine
