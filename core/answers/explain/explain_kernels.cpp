#include "core/answers/explain/explain_kernels.h"

#include <cstdio>

namespace plimsoll {

Term machine_value(const Scenario& s, const std::string& label, double value, const std::string& unit, const std::string& pointer) {
    return given(label, value, unit, source_of(s.machine.sources, pointer));
}
Term stack_value(const Scenario& s, const std::string& label, double value, const std::string& unit, const std::string& key) {
    return given(label, value, unit, source_of(s.stack.sources, "/" + key));
}

namespace {

const char* format_key(Precision p) {
    switch (p) {
        case Precision::fp32: return "fp32";
        case Precision::fp16: return "fp16";
        case Precision::bf16: return "bf16";
        case Precision::fp8: return "bf16";  // priced from the 16-bit rate
    }
    return "fp32";
}

Term gemm_rate(const Scenario& s, Precision precision) {
    const GemmRate r = gemm_rate_of(s, precision);
    std::vector<Term> factors{
        machine_value(s, "Peak rate", r.peak / (flop / second), "FLOP/s", std::string("/device/peak_TFLOPS/") + format_key(precision)),
        machine_value(s, "Ceiling of large products", r.ceiling, "", "/device/efficiency/gemm_ceiling"),
        stack_value(s, "Stack's GEMM factor", r.stack, "", "gemm_factor")};
    if (precision == Precision::fp8) factors.push_back(machine_value(s, "Gain of fp8", r.fp8_gain, "", "/device/efficiency/fp8_gain"));
    return product("Rate of an infinitely large product", "FLOP/s", factors);
}

Term memory_rate(const Scenario& s) {
    const Device& d = s.machine.device;
    return product("Streamed memory bandwidth", "B/s",
                   {machine_value(s, "Memory bandwidth", d.bandwidth / (byte / second), "B/s", "/device/bandwidth_GBps"),
                    machine_value(s, "Streamed fraction", d.efficiency.stream_fraction, "", "/device/efficiency/stream_fraction")});
}

}  // namespace

Term floor_of(const Scenario& s, double kernels) {
    return product("Shortest kernels", "s",
                   {counted("Kernels", kernels),
                    machine_value(s, "Shortest kernel", s.machine.device.efficiency.kernel_floor / second, "s", "/device/efficiency/kernel_floor_us")});
}

Term streamed(const Scenario& s, const std::string& label, Bytes traffic, const std::string& formula) {
    return quotient(label, "s", derived("Bytes moved", traffic / byte, "B", formula), memory_rate(s));
}

Term gemm_term(const Scenario& s, const Gemm& g, const std::string& pass, Precision precision) {
    const Rates r = precision == s.recipe.precision ? rates_of(s) : head_rates_of(s);
    char shape[80];
    std::snprintf(shape, sizeof shape, "m %.0f, n %.0f, k %.0f", g.m, g.n, g.k);
    const char* flops = g.batch == 1 ? "2 m n k; " : "2 m n k for each local expert; ";
    Term rate = gemm_rate(s, precision);
    if (g.rate != 1)
        rate = product("Rate of grouped products", "FLOP/s",
                       {std::move(rate), stack_value(s, "Grouped GEMM factor", g.rate, "", "experts/grouped_gemm_factor")});
    Term compute = quotient("Arithmetic", "s",
        product("Work at the ceiling", "FLOP",
                {derived("FLOP", flop_of(g) / flop, "FLOP", flops + std::string(shape)),
                 derived("Shape penalty", shape_penalty(g, r), "", g.steps > 1 ? "(1 + k0 q/k)(1 + A0/(m n))(1 + m0/m), constants of the device: a grid adds up its result in q steps" : "(1 + k0/k)(1 + A0/(m n))(1 + m0/m), constants of the device")}),
        std::move(rate));
    Term memory = streamed(s, "Memory traffic", traffic_of(g, r), "operands and result once");
    return sum(std::string(g.label) + ", " + pass, "s",
               {maximum("Slower of arithmetic and memory", "s", {std::move(compute), std::move(memory)}), floor_of(s, g.steps)});
}

}  // namespace plimsoll
