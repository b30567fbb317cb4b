#include "core/costs/optimizer/curvature.h"

#include "core/costs/kernels/products.h"
#include "core/costs/kernels/data_parallel.h"
#include "core/values/plan/placement.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

Blocks blocks_of(double rows, int block_size) {
    const double size = block_size > 0 ? std::min<double>(block_size, rows) : rows;
    const double whole = std::floor(rows / size);
    return {size, whole, rows - whole * size};
}

Curvature operator+(const Curvature& a, const Curvature& b) {
    return {a.parameters + b.parameters, a.elements + b.elements, a.packed + b.packed,
            a.statistics_flop + b.statistics_flop, a.inverse_flop + b.inverse_flop, a.apply_flop + b.apply_flop};
}

Curvature operator*(double n, const Curvature& c) {
    return {n * c.parameters,      n * c.elements,     n * c.packed,
            n * c.statistics_flop, n * c.inverse_flop, n * c.apply_flop};
}

namespace {

constexpr double cholesky_inverse = 1;     // FLOP over n^3
constexpr double inverse_fourth_root = 11;
constexpr double qr = 8.0 / 3;
constexpr double power_iteration = 2;

Curvature larger(const Curvature& a, const Curvature& b) {
    return {std::max(a.parameters, b.parameters), std::max(a.elements, b.elements), std::max(a.packed, b.packed),
            std::max(a.statistics_flop, b.statistics_flop), std::max(a.inverse_flop, b.inverse_flop),
            std::max(a.apply_flop, b.apply_flop)};
}

// Sides that are too wide have neither factor nor basis.
Curvature soap_of(const OptimizerOptions& o, double d_in, double d_out) {
    const auto counts = [&](double side) { return o.soap_widest == 0 || side <= o.soap_widest ? side : 0; };
    const double in = counts(d_in), out = counts(d_out);
    const double products = 2 * (in * in * d_out + out * out * d_in), cubes = in * in * in + out * out * out;
    Curvature c;
    c.parameters = d_in * d_out;
    c.elements = in * in + out * out;
    c.statistics_flop = products + power_iteration * cubes / o.soap_interval;
    c.inverse_flop = qr * cubes;
    c.apply_flop = 2 * products * (1 + 1.0 / o.soap_interval);
    return c;
}

}  // namespace

int statistics_interval(const Recipe& r) {
    return r.optimizer == Optimizer::soap ? 1 : r.optimizer_options.update_interval;
}

int inversion_interval(const Recipe& r) {
    return r.optimizer == Optimizer::soap ? r.optimizer_options.soap_interval : r.optimizer_options.inverse_interval;
}

Curvature curvature_of(const Recipe& r, double d_in, double d_out) {
    if (r.optimizer == Optimizer::soap) return soap_of(r.optimizer_options, d_in, d_out);
    const int k = r.optimizer_options.block_size;
    const Blocks in = blocks_of(d_in, k), out = blocks_of(d_out, k);
    const bool tiles = r.optimizer == Optimizer::shampoo;
    // Every tile has a pair of factors of its own.
    const double ins = tiles ? out.count() : 1, outs = tiles ? in.count() : 1;
    Curvature c;
    c.parameters = d_in * d_out;
    c.elements = ins * in.squares() + outs * out.squares();
    c.packed = (c.elements + ins * d_in + outs * d_out) / 2;
    c.apply_flop = 2 * (in.squares() * d_out + out.squares() * d_in);
    c.statistics_flop = tiles ? c.apply_flop : 0;  // G G^T and G^T G: products of the same shapes
    c.inverse_flop = (tiles ? inverse_fourth_root : cholesky_inverse) * (ins * in.cubes() + outs * out.cubes());
    return c;
}

Curvature largest_piece_of(const Recipe& r, double d_in, double d_out) {
    if (r.optimizer != Optimizer::shampoo) return curvature_of(r, d_in, d_out);
    const int k = r.optimizer_options.block_size;
    return curvature_of(r, blocks_of(d_in, k).size, blocks_of(d_out, k).size);
}

namespace {

Curvature curvature_of_all(const Recipe& r, const Gemms& matrices) {
    Curvature sum;
    for (const Gemm& g : matrices) sum = sum + g.batch * curvature_of(r, g.k, g.n);
    return sum;
}

}  // namespace

Curvature layer_curvature(const Work& s, const LayerKind& kind) {
    return curvature_of_all(s.recipe, layer_gemms(s, kind));
}

Curvature stage_curvature(const Work& s, int stage) {
    const Layers& layers = s.layers;
    const LayerCounts counts = blocks_of_stage(s, stage);
    Curvature sum;
    for (Kind k = 0; k < layers.kinds(); ++k)
        sum = sum + sum_held(s, layers[k], counts[k], [&](const Gemms& g) { return curvature_of_all(s.recipe, g); });
    return sum;
}

int curvature_owners(const Work& s) {
    return s.layout.zero_stage == 0 ? int(s.layout.weight_replicas()) : s.layout.shards();
}

Curvature largest_piece(const Work& s) {
    const Layers& layers = s.layers;
    Curvature largest;
    for (Kind k = 0; k < layers.kinds(); ++k)
        for (const Gemm& g : layer_gemms(s, layers[k])) largest = larger(largest, largest_piece_of(s.recipe, g.k, g.n));
    return largest;
}

Curvature CurvatureShare::busiest() const { return larger(1.0 / owners * stage, largest); }

CurvatureShare curvature_share(const Work& s, int stage) {
    return {stage_curvature(s, stage), largest_piece(s), curvature_owners(s)};
}

Curvature owned_curvature(const Work& s, int stage) { return curvature_share(s, stage).busiest(); }

Bytes unreduced_statistics(const Work& s, int stage) {
    if (s.recipe.optimizer != Optimizer::kfac) return {};
    if (s.micro_batches > 1) return matrix_element_bytes * stage_curvature(s, stage).elements * byte;
    const Layers& layers = s.layers;
    double most = 0;
    for (Kind k = 0; k < layers.kinds(); ++k) most = std::max(most, layer_curvature(s, layers[k]).elements);
    return matrix_element_bytes * most * byte;
}

Seconds layer_statistics_time(const Work& s, const LayerKind& kind) {
    if (s.recipe.optimizer != Optimizer::kfac) return {};
    const Rates r = head_rates_of(s);
    const double tok = s.tokens;
    Seconds sum;
    for (const Gemm& g : layer_gemms(s, kind)) {
        for (const double rows : {g.k, g.n}) {
            const Blocks b = blocks_of(rows, s.recipe.optimizer_options.block_size);
            sum += time_of({g.id, g.label, b.size, b.size, tok, b.whole * g.batch}, r).total();
            if (b.rest > 0) sum += time_of({g.id, g.label, b.rest, b.rest, tok, g.batch}, r).total();
        }
    }
    return sum;
}

Seconds stage_statistics_time(const Work& s, int stage) {
    const Layers& layers = s.layers;
    const LayerCounts counts = blocks_of_stage(s, stage);
    Seconds sum;
    for (Kind k = 0; k < layers.kinds(); ++k) sum += counts[k] * layer_statistics_time(s, layers[k]);
    return sum;
}

namespace {

// Onto the owners; with several sharded copies, then across them.
Seconds reduce_onto_owners(const Work& s, Bytes payload, int stage) {
    const int owners = curvature_owners(s);
    if (owners == s.layout.weight_replicas()) return reduce_scatter(data_span(s, stage), payload).time;
    return reduce_scatter(shard_span(s, stage), payload).time
         + all_reduce(replica_span(s, stage), payload / owners).time;
}

}  // namespace

Bytes factor_payload(const Work& s, int stage) {
    if (s.recipe.optimizer != Optimizer::kfac) return {};
    return matrix_element_bytes * stage_curvature(s, stage).packed * byte;
}

Bytes direction_payload(const Work& s, int stage) {
    if (s.layout.zero_stage > 0) return {};
    return s.states.weights * stage_curvature(s, stage).parameters * byte;
}

FlopRate inverse_rate(const Work& s) {
    return fp32_rates_of(s).gemm * s.recipe.optimizer_options.inverse_rate_share;
}

FlopRate application_rate(const Work& s) {
    const bool whole = s.recipe.optimizer == Optimizer::soap;
    const double h = s.model.hidden, block = blocks_of(h, whole ? 0 : s.recipe.optimizer_options.block_size).size;
    const Rates r = fp32_rates_of(s);
    return r.gemm / shape_penalty({"", "", block, h, block}, r);
}

namespace {

PreconditionerTime curvature_time(const Work& s, int stage) {
    const Curvature owned = owned_curvature(s, stage);
    const FlopRate products = application_rate(s);
    const double speed = s.speed(stage);
    PreconditionerTime t;
    t.statistics = (s.micro_batches * stage_statistics_time(s, stage) + owned.statistics_flop * flop / products)
                 / statistics_interval(s.recipe) / speed;
    t.inverses = owned.inverse_flop * flop / inverse_rate(s) / inversion_interval(s.recipe) / speed;
    t.application = owned.apply_flop * flop / products / speed;
    if (s.layout.weight_replicas() == 1) return t;
    if (const Bytes factors = factor_payload(s, stage); factors > Bytes{})
        t.factor_reduction = reduce_onto_owners(s, factors, stage) / statistics_interval(s.recipe);
    if (const Bytes directions = direction_payload(s, stage); directions > Bytes{})
        t.direction_gather = all_gather(data_span(s, stage), directions).time;
    return t;
}

// Inverses are taken again; SOAP's eigenvectors go on from the last ones, and both moments are in their basis.
double curvature_elements(const Work& s, int stage) {
    return (s.recipe.optimizer == Optimizer::soap ? 2 : 1) * stage_curvature(s, stage).elements;
}

// Factors with their inverses or eigenvectors on the busiest owner, and what is added up locally.
Bytes curvature_bytes(const Work& s, int stage) {
    return 2 * matrix_element_bytes * owned_curvature(s, stage).elements * byte + unreduced_statistics(s, stage);
}

}  // namespace

const OptimizerRule curvature_rule{.elements = curvature_elements, .factors = curvature_bytes, .work = curvature_time};

}  // namespace plimsoll
