#include "core/costs/kernels/kernel.h"

namespace plimsoll {

GemmRate gemm_rate_of(const Scenario& s, Precision precision) {
    const Device& device = s.machine.device;
    const Efficiency& e = device.efficiency;
    // fp8 is priced from the 16-bit rate: published fp8 runs gain less than the ratio of peaks.
    if (precision == Precision::fp8) return {device.bf16, e.gemm_ceiling, s.stack.gemm_factor, e.fp8_gain};
    return {device.peak(matrix_format(precision)), e.gemm_ceiling, s.stack.gemm_factor};
}

Precision head_precision(const Scenario& s) {
    return s.recipe.precision == Precision::fp8 ? Precision::bf16 : s.recipe.precision;
}

namespace {

Rates rates_for(const Scenario& s, Precision precision) {
    const Device& device = s.machine.device;
    const Efficiency& e = device.efficiency;
    const bool fp8 = precision == Precision::fp8;
    const GemmRate gemm = gemm_rate_of(s, precision);
    const FlopRate base = gemm.peak;
    const double half = fp8 ? e.fp8_half_factor : 1;
    Rates r;
    r.gemm = gemm.rate();
    r.half_depth = e.gemm_half_depth * half;
    r.half_area = e.gemm_half_area * half;
    r.half_rows = e.gemm_half_rows * half;
    r.flash_forward = base * s.stack.gemm_factor * e.flash_forward * s.stack.flash_forward_scale;
    r.flash_backward = base * s.stack.gemm_factor * e.flash_backward * s.stack.flash_backward_scale;
    r.memory = device.bandwidth * e.stream_fraction;
    r.floor = e.kernel_floor;
    r.element = activation_bytes(precision);
    return r;
}

}  // namespace

Rates rates_of(const Scenario& s) { return rates_for(s, s.recipe.precision); }

Rates head_rates_of(const Scenario& s) { return rates_for(s, head_precision(s)); }

Rates fp32_rates_of(const Scenario& s) { return rates_for(s, Precision::fp32); }

double shape_penalty(const Gemm& g, const Rates& r) {
    return (1 + r.half_depth * g.steps / g.k) * (1 + r.half_area / (g.m * g.n * g.batch)) * (1 + r.half_rows / g.m);
}

Bytes traffic_of(const Gemm& g, const Rates& r) {
    return r.element * (g.m * g.k + g.k * g.n + (2 * g.steps - 1) * g.m * g.n) * g.batch * byte;
}

KernelTime time_of(const Gemm& g, const Rates& r) {
    return {flop_of(g) / (r.gemm * g.rate) * shape_penalty(g, r), traffic_of(g, r) / r.memory, g.steps * r.floor};
}

}  // namespace plimsoll
