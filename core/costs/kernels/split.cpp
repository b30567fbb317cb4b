#include "core/costs/kernels/split.h"

namespace plimsoll {

namespace {

Gemm on_grid(const Layout& l, Gemm g) {
    const int side = l.grid_side();
    g.m /= side * l.grid_depth();
    g.n /= side;
    g.steps = side;
    return g;
}

}  // namespace

Gemm column_split(const Layout& l, Gemm g) {
    if (l.on_grid()) return on_grid(l, g);
    g.n /= l.tensor_parallel;
    return g;
}

Gemm row_split(const Layout& l, Gemm g) {
    if (l.on_grid()) return on_grid(l, g);
    g.k /= l.tensor_parallel;
    return g;
}

Gemm data_gradient(const Gemm& g) { return {g.id, g.label, g.m, g.k / g.steps, g.n * g.steps, g.batch, g.steps, g.rate}; }

Gemm weight_gradient(const Gemm& g) { return {g.id, g.label, g.k / g.steps, g.n, g.m * g.steps, g.batch, g.steps, g.rate}; }

}  // namespace plimsoll
