#include "core/evidence/operators/operator_price.h"

#include "core/costs/kernels/layer.h"
#include "core/values/basics/names.h"

#include <algorithm>
#include <span>

namespace plimsoll {

namespace {

Scenario plan_on(const Machine& machine) {
    Scenario s;
    s.machine = machine;
    s.machine.sources = {};
    s.stack.kernels.attention = Attention::flash;
    s.stack.kernels.gemm_factor = s.stack.kernels.flash_forward_scale = s.stack.kernels.flash_backward_scale = 1;
    s.layout.micro_batch = 1;
    return s;
}

Machine at_burst(Machine m) {
    Efficiency& e = m.device.efficiency;
    e.sustained = e.sustained_fp8 = e.sustained_attention = 1;
    return m;
}

// What reading the 16-bit input, finding its scales and writing it as fp8 moves an element, and the kernels this adds.
// Least squares over the fp8 products of TensorRT-LLM (a tensor; a block) and SGLang (a row) in presets/operators, on
// six devices each: 6.4 to 7.8, 4.2 to 4.5 and 2.9 to 3.8 bytes at the streamed bandwidth. What DeepGEMM's scales of
// blocks take on Blackwell: 2.5 to 3 bytes and 10 to 13 us on three devices.
struct ConversionCost {
    double bytes;
    int kernels;
};
constexpr ConversionCost conversion_costs[] = {{0, 0}, {7, 4}, {4.3, 1}, {3, 0}, {2.7, 4}, {0, 0}};

Seconds price(Scenario& s, const MeasuredProduct& p) {
    s.recipe.precision = p.format;
    s.recipe.fp8_recipe = scales_of(p.conversion);
    const Rates rates = rates_of(s);
    const Gemm g{"", "", p.m, p.n, p.k};
    const ConversionCost& conversion = conversion_costs[int(p.conversion)];
    return time_of(g, rates).total() + conversion.bytes * p.m * p.k * byte / rates.memory
         + conversion.kernels * rates.floor;
}

Seconds price(Scenario& s, const MeasuredAttention& a) {
    s.recipe.precision = Precision::bf16;
    s.recipe.sequence_length = a.sequence;
    s.layout.micro_batch = a.batch;
    s.model.heads = a.heads;
    s.model.kv_heads = a.kv_heads;
    s.model.head_dim = a.key_dim;
    // Widths of keys and values differ in latent attention only.
    s.model.latent = {};
    if (a.key_dim != a.value_dim) s.model.latent = {.kv_rank = 1, .value_dim = a.value_dim};
    s.stack.kernels.attention_kernel = a.kernel;
    const Rates rates = rates_of(s);
    Seconds t;
    if (a.pass != MeasuredPass::backward) t += attention_forward(s, dense_layer, rates).total();
    if (a.pass != MeasuredPass::forward) t += attention_backward(s, dense_layer, rates).total();
    return t;
}

// The first product of a layer whose experts have this weight and these rows.
Gemm grouped_product(Scenario& s, const MeasuredGrouped& g) {
    s.model.activation = Activation::gelu;
    s.model.hidden = g.k;
    s.model.experts = {};
    s.model.experts.count = g.experts;
    s.model.experts.ffn = g.n;
    s.layout.micro_batch = 1;
    s.recipe.sequence_length = g.rows;
    for (const Gemm& each : layer_gemms(s, expert_layer))
        if (std::string_view(each.id) == "experts_in") return each;
    return {};
}

Seconds price(Scenario& s, const MeasuredGrouped& g) {
    s.recipe.precision = g.format;
    s.recipe.fp8_recipe = Fp8Recipe::blockwise;   // as all published ones in fp8 have them
    const Gemm forward = grouped_product(s, g);
    const Gemm product = g.pass == GroupedPass::forward         ? forward
                       : g.pass == GroupedPass::data_gradient ? data_gradient(forward)
                                                              : weight_gradient(forward);
    s.model.experts = {};
    return time_of(product, rates_of(s)).total();
}

Group group_of(const Machine& m, const MeasuredCollective& c) {
    return {c.ranks, c.ranks <= c.ranks_per_node ? 1 : std::max(1, m.devices_per_node / c.ranks_per_node)};
}

Seconds price(const Scenario& s, const MeasuredCollective& c) {
    Span span = span_of(s.machine, group_of(s.machine, c));
    // As tokens reach their experts (costs/kernels/exchange.h).
    if (c.operation == MeasuredOperation::all_to_all)
        for (Hop& hop : std::span(span.hop).first(std::size_t(span.hops))) hop.rate = hop.exchange * hop.rate;
    const Bytes payload = c.bytes * byte;
    switch (c.operation) {
        case MeasuredOperation::all_reduce: return all_reduce(span, payload).time;
        case MeasuredOperation::all_gather: return all_gather(span, payload).time;
        case MeasuredOperation::reduce_scatter: return reduce_scatter(span, payload).time;
        case MeasuredOperation::all_to_all: return all_to_all(span, payload).time;
        case MeasuredOperation::p2p: return point_to_point(span, payload).time;
    }
    return {};
}

Seconds price(Scenario& s, const MeasuredStream& stream) {
    s.recipe.precision = Precision::bf16;
    const Rates rates = rates_of(s);
    return stream.bytes * byte / rates.memory + rates.floor;
}

}  // namespace

OperatorPrices::OperatorPrices(const Machine& m) : burst_(plan_on(at_burst(m))), long_run_(plan_on(m)) {}

Seconds OperatorPrices::operator()(const OperatorRow& row) {
    const Seconds burst = std::visit([&](const auto& work) { return price(burst_, work); }, row.work);
    const Seconds kept = std::visit([&](const auto& work) { return price(long_run_, work); }, row.work);
    return burst + (kept - burst) * (burst / (burst + settling));
}

std::string unpriced(const OperatorRow& row, const Machine& m) {
    const auto no_peak = [&](Precision format) -> std::string {
        if (m.device.peak(matrix_format(format)) > FlopRate{}) return {};
        return m.device.name + " has no " + std::string(name_of(format)) + " peak";
    };
    if (const auto* p = std::get_if<MeasuredProduct>(&row.work)) return no_peak(p->format);
    if (const auto* g = std::get_if<MeasuredGrouped>(&row.work)) return no_peak(g->format);
    if (std::holds_alternative<MeasuredAttention>(row.work)) return no_peak(Precision::bf16);
    if (const auto* c = std::get_if<MeasuredCollective>(&row.work)) {
        const long long devices = 1LL * c->ranks * (c->ranks <= c->ranks_per_node ? 1 : group_of(m, *c).stride);
        if (devices > m.devices())
            return std::to_string(c->ranks) + " ranks on " + std::to_string(m.devices()) + " devices";
        if (c->ranks_per_node > m.devices_per_node)
            return std::to_string(c->ranks_per_node) + " ranks in a node of " + std::to_string(m.devices_per_node);
    }
    return {};
}

}  // namespace plimsoll
