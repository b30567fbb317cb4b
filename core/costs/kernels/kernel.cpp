#include "core/costs/kernels/kernel.h"

#include "core/values/plan/number_formats.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plimsoll {

ProductSurface fp8_surface(const Scenario& s) {
    const Efficiency& e = s.machine.device.efficiency;
    const ProductSurface& own = e.fp8_scaled[std::size_t(s.recipe.fp8_recipe)];
    return own.known() ? own : ProductSurface{e.fp8_ceiling, e.fp8_half_depth, e.fp8_half_area};
}

GemmRate gemm_rate_of(const Scenario& s, Precision precision) {
    const Device& device = s.machine.device;
    const Efficiency& e = device.efficiency;
    const bool own = precision == s.recipe.precision;
    const FlopRate peak = device.peak(own ? matrix_format(s.recipe) : matrix_format(precision));
    if (precision == Precision::fp32) return {peak, e.gemm_ceiling, s.stack.kernels.gemm_factor};
    const double power = power_share(s.machine);
    if (precision == Precision::fp8)
        return {peak, fp8_surface(s).ceiling, s.stack.kernels.gemm_factor, e.sustained_fp8, power};
    return {peak, e.gemm_ceiling, s.stack.kernels.gemm_factor, e.sustained, power};
}

double power_share(const Machine& m) {
    const Efficiency& e = m.device.efficiency;
    const Watts most = m.power.device_max;   // nothing: not stated, which limits nothing
    if (e.reference_power <= Watts{} || most <= Watts{} || most >= e.reference_power) return 1;
    return std::pow(most / e.reference_power, e.power_exponent);
}

Precision head_precision(const Scenario& s) {
    return s.recipe.precision == Precision::fp8 ? Precision::bf16 : s.recipe.precision;
}

namespace {

// Published rates of fused kernels by head width, (d/128)^exponent below 128: heads of 64 reach 0.88 of what heads of
// 128 do with FlashAttention 2 (A100 and H100, figures of its repository), 0.81 with Triton, 0.74 with cuDNN and 0.71
// with FlashAttention 3 (H100, the same figures and openxla/tokamax), 0.57 with splash (TPU v5p, v6e, the same), 0.41
// with aiter (MI355X, HazyResearch/HipKittens). cuDNN behind PyTorch as cuDNN.
double head_width_share(AttentionKernel kernel, int head_dim) {
    constexpr double measured_width = 128;
    constexpr std::array<double, attention_kernels> exponents{0.35, 0.31, 0.19, 0.49, 0.44, 0.44, 1.27, 0.82};
    if (head_dim >= measured_width) return 1;
    return std::pow(head_dim / measured_width, exponents[std::size_t(kernel)]);
}

// What the power limit leaves of a kernel that reaches `share` of the peak: the units draw power in proportion to
// what they do, so a kernel at half the rate of large products loses half of what it would at all of it.
double kept(const Efficiency& e, double lost, double share) {
    return 1 - lost * std::min(1.0, share / e.gemm_ceiling);
}

FlashRates flash_rates(const Scenario& s, Precision precision, const GemmRate& gemm, int head_dim) {
    FlashRates r;
    const Device& device = s.machine.device;
    const Efficiency& e = device.efficiency;
    // The core stays in 16 bit under fp8 recipes.
    const FlopRate peak = precision == Precision::fp8 ? device.bf16 : gemm.peak;
    const FusedAttention* kernel = precision == Precision::fp32 ? nullptr : measured_attention(s);
    if (!kernel) {
        const FlopRate base = peak * s.stack.kernels.gemm_factor / (1 + e.flash_half_head / head_dim);
        r.flash_forward = base * e.flash_forward * s.stack.kernels.flash_forward_scale;
        r.flash_backward = base * e.flash_backward * s.stack.kernels.flash_backward_scale;
        r.flash_half_forward = r.flash_half_backward = e.flash_half_sequence;
        return r;
    }
    const double width = head_width_share(called_kernel(s), head_dim);
    const FlopRate base = peak * width;
    const double lost = 1 - gemm.power * e.sustained_attention;
    r.flash_forward = base * kernel->forward * kept(e, lost, kernel->forward);
    r.flash_backward = base * kernel->backward * kept(e, lost, kernel->backward);
    // Of c ranks in a ring each works on blocks of s/c tokens.
    const double blocks = s.layout.ring_ranks();
    r.flash_half_forward = blocks * kernel->half_forward;
    r.flash_half_backward = blocks * kernel->half_backward;
    return r;
}

Rates rates_for(const Scenario& s, Precision precision) {
    const Device& device = s.machine.device;
    const Efficiency& e = device.efficiency;
    const bool fp8 = precision == Precision::fp8;
    const GemmRate gemm = gemm_rate_of(s, precision);
    Rates r;
    static_cast<FlashRates&>(r) = flash_rates(s, precision, gemm, s.model.head_dim);
    r.gemm = gemm.rate();
    const ProductSurface surface =
        fp8 ? fp8_surface(s) : ProductSurface{e.gemm_ceiling, e.gemm_half_depth, e.gemm_half_area};
    r.half_depth = surface.half_depth;
    r.half_area = surface.half_area;
    r.half_rows = e.gemm_half_rows;
    r.grouped = r.gemm * (fp8 ? e.grouped_gemm_fp8 : e.grouped_gemm);
    r.grouped_half_rows = e.grouped_half_rows;
    r.grouped_half_width = e.grouped_half_width;
    r.grouped_weight_gradient = e.grouped_weight_gradient;
    r.memory = device.bandwidth * e.stream_fraction;
    r.floor = e.kernel_floor;
    r.element = activation_bytes(precision);
    // What 8 bits carry of scales is less than a product's traffic is known to.
    const NumberRecipe& recipe = number_recipe(s.recipe.fp8_recipe, device);
    r.operand = !fp8 ? r.element : recipe.value < 1 ? recipe.weight() : 1;
    return r;
}

}  // namespace

Rates rates_of(const Scenario& s) { return rates_for(s, s.recipe.precision); }

FlashRates flash_rates_of(const Scenario& s, int head_dim) {
    return flash_rates(s, s.recipe.precision, gemm_rate_of(s, s.recipe.precision), head_dim);
}

Rates head_rates_of(const Scenario& s) { return rates_for(s, head_precision(s)); }

Rates fp32_rates_of(const Scenario& s) { return rates_for(s, Precision::fp32); }

double shape_penalty(const Gemm& g, const Rates& r) {
    if (g.grouped) {
        const double rows = g.of_weights ? g.k : g.m, width = std::min(g.n, g.of_weights ? g.m : g.k);
        return (1 + r.grouped_half_rows / rows) * (1 + r.grouped_half_width / width);
    }
    return (1 + r.half_depth * g.steps / g.k) * (1 + r.half_area / (g.m * g.n * g.batch)) * (1 + r.half_rows / g.m);
}

double grouped_share(const Gemm& g, const Rates& r) { return g.of_weights ? r.grouped_weight_gradient : 1; }

Bytes traffic_of(const Gemm& g, const Rates& r) {
    return (r.operand * (g.m * g.k + g.k * g.n) + r.element * (2 * g.steps - 1) * g.m * g.n) * g.batch * byte;
}

KernelTime time_of(const Gemm& g, const Rates& r) {
    const FlopRate rate = g.grouped ? r.grouped * grouped_share(g, r) : r.gemm;
    return {flop_of(g) / (rate * g.rate) * shape_penalty(g, r), traffic_of(g, r) / r.memory, g.steps * r.floor};
}

}  // namespace plimsoll
