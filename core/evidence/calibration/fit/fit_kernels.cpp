// Constants of one device: matrix products, attention, memory, the optimizer.
#include "core/evidence/calibration/fit/workbench.h"
#include "core/evidence/fitting/least_squares.h"
#include "core/costs/kernels/layer.h"
#include "core/costs/kernels/products.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::fitting {

namespace {

using Values = std::span<const double>;

// The product of a point in the form training uses it.
Gemm product_of(const BenchPoint& p) {
    const Gemm forward{"", "", p.number("m"), p.number("n"), p.number("k")};
    if (p.word("form") == "input_gradient") return data_gradient(forward);
    return p.word("form") == "weight_gradient" ? weight_gradient(forward) : forward;
}

// Parameters of the fit and where they live in the preset. `least_prior`: for a constant that is zero in the base.
struct DeviceConstant {
    const char* pointer;
    double Efficiency::*field;
    double width, least_prior, most;
};
constexpr double no_limit = 1e9;

std::vector<CurveParameter> priors(std::span<const DeviceConstant> constants, const Efficiency& e) {
    std::vector<CurveParameter> all;
    for (const DeviceConstant& c : constants) all.push_back({std::max(e.*c.field, c.least_prior), c.width, 0, c.most});
    return all;
}

void keep(Workbench& w, std::span<const DeviceConstant> constants, const CurveFit& fit, const char* experiment) {
    Efficiency& e = w.so_far.machine.device.efficiency;
    for (std::size_t i = 0; i < constants.size(); ++i) {
        const double before = e.*constants[i].field;
        e.*constants[i].field = rounded(fit.values[i]);
        w.note(constants[i].pointer, experiment, before, rounded(fit.values[i]), rounded(fit.low[i]),
               rounded(fit.high[i]));
    }
}

// An attention kernel of the engine's own says nothing of others on the device: its rates are the software's, as scales
// of the device's. How short sequences and narrow heads slow it are numbers of a processor, where no other kernel is
// known; of a GPU they are the preset's or those that a library's kernel showed (fit_library.cpp), and the engine's own
// go with its runs alone.
struct Scale {
    const char* pointer;
    double DeviceKernels::*scale;
    double Efficiency::*rate;
};
constexpr Scale attention_scales[] = {
    {"stack/flash_forward_scale", &DeviceKernels::flash_forward_scale, &Efficiency::flash_forward},
    {"stack/flash_backward_scale", &DeviceKernels::flash_backward_scale, &Efficiency::flash_backward},
};

}  // namespace

Scenario in_bursts(Scenario s) {
    Efficiency& e = s.machine.device.efficiency;
    e.sustained = e.sustained_fp8 = e.sustained_attention = 1;
    e.reference_power = {};
    s.stack.kernels.attention_kernel = AttentionKernel::generic;
    return s;
}

std::vector<const BenchPoint*> attention_points(Workbench& w, const Measurements& m, std::string_view kind) {
    constexpr std::pair<const char*, int> limits[] = {{"batch", 1 << 20}, {"tokens", 1 << 24}, {"heads", 1 << 16},
                                                      {"head_size", 1 << 12}};
    auto points = w.usable(m, kind);
    std::erase_if(points, [&](const BenchPoint* p) {
        return (p->word("pass") != "forward" && p->word("pass") != "backward")
            || std::any_of(std::begin(limits), std::end(limits), [&](const auto& limit) {
                   return p->count(limit.first) < 1 || p->count(limit.first) > limit.second;
               });
    });
    return points;
}

Seconds attention_time(Scenario s, const BenchPoint& p) {
    s.model.heads = s.model.kv_heads = p.count("heads");
    s.model.head_dim = p.count("head_size");
    s.model.hidden = s.model.heads * s.model.head_dim;
    s.layout.micro_batch = p.count("batch");
    s.recipe.sequence_length = p.count("tokens");
    const Rates r = rates_of(s);
    const bool backward = p.word("pass") == "backward";
    return (backward ? attention_backward(s, dense_layer, r) : attention_forward(s, dense_layer, r)).total();
}

std::vector<double> attention_seconds(const Scenario& s, const std::vector<const BenchPoint*>& points) {
    std::vector<double> t;
    for (const BenchPoint* p : points) t.push_back(attention_time(s, *p) / second);
    return t;
}

std::vector<double> seconds_of(const std::vector<const BenchPoint*>& points) {
    std::vector<double> t;
    for (const BenchPoint* p : points) t.push_back(p->best() / second);
    return t;
}

void show_attention(Experiment& shown, const std::vector<const BenchPoint*>& points,
                    const std::vector<double>& fitted) {
    shown.points.clear();
    for (std::size_t i = 0; i < points.size(); ++i) {
        const BenchPoint& p = *points[i];
        const std::string label = std::string(p.word("pass")) + ", " + std::to_string(p.count("batch")) + " x "
                                + std::to_string(p.count("tokens")) + " tokens, " + std::to_string(p.count("heads"))
                                + " heads of " + std::to_string(p.count("head_size"));
        shown.points.push_back(point_of(p, label, p.flop, fitted[i]));
    }
}

namespace {

// A weight gradient is added to sums of fp32, which are read and written for it. With few tokens that is much of its
// time, and none of the product's: the form has the result written once, as a value of the recipe's.
bool mostly_adds(const BenchPoint& p, const Rates& r) {
    constexpr double most = 0.25, sums = 8;   // of the time; bytes read and written of an element
    const Seconds adding = (sums - r.element) * p.number("n") * p.number("k") * byte / r.memory;
    return p.word("form") == "weight_gradient" && adding > most * p.best();
}

}  // namespace

void fit_products(Workbench& w, const Measurements& m) {
    auto points = w.usable(m, "gemm");
    const Rates before = rates_of(in_bursts(w.scenario()));
    std::erase_if(points, [&](const BenchPoint* p) { return mostly_adds(*p, before); });
    if (points.size() < 4) return;
    static constexpr DeviceConstant constants[] = {
        {"/device/efficiency/gemm_ceiling", &Efficiency::gemm_ceiling, 0.4, 0.01, 1},
        {"/device/efficiency/gemm_half_depth", &Efficiency::gemm_half_depth, 1, 0.5, no_limit},
        {"/device/efficiency/gemm_half_area", &Efficiency::gemm_half_area, 1, 100, no_limit},
        {"/device/efficiency/gemm_half_rows", &Efficiency::gemm_half_rows, 1.5, 2, no_limit},
    };
    Efficiency& e = w.so_far.machine.device.efficiency;
    auto parameters = priors(constants, e);
    const double floor_us = std::max(0.1, e.kernel_floor / microsecond);
    parameters.push_back({floor_us, 1});
    Scenario s = in_bursts(w.scenario());
    const auto curve = [&](Values v) {
        for (std::size_t i = 0; i < std::size(constants); ++i) s.machine.device.efficiency.*constants[i].field = v[i];
        s.machine.device.efficiency.kernel_floor = v.back() * microsecond;
        const Rates r = rates_of(s);
        std::vector<double> t;
        for (const BenchPoint* p : points) t.push_back(time_of(product_of(*p), r).total() / second);
        return t;
    };
    const CurveFit fit = fit_curve(seconds_of(points), parameters, curve);
    keep(w, constants, fit, "gemm");
    w.leave_open({"/device/efficiency/gemm_ceiling", "/device/efficiency/gemm_half_depth",
                  "/device/efficiency/gemm_half_area", "/device/efficiency/gemm_half_rows",
                  "/device/efficiency/kernel_floor_us"},
                 fit);
    w.note("/device/efficiency/kernel_floor_us", "gemm", e.kernel_floor / microsecond, rounded(fit.values.back()),
           rounded(fit.low.back()), rounded(fit.high.back()));
    e.kernel_floor = rounded(fit.values.back()) * microsecond;
    Experiment shown{"gemm", "Matrix products", "FLOP", {}, 0};
    for (std::size_t i = 0; i < points.size(); ++i)
        shown.points.push_back(point_of(*points[i], label_of(*points[i]), points[i]->flop, fit.curve[i]));
    w.note(std::move(shown));
}

namespace {

// On a GPU a miss counts by the time that it is of. A step is made of the long kernels, and a short one leaves parts of
// the device idle in ways that the form does not have.
std::vector<double> shares_of(const std::vector<double>& seconds) {
    const double most = *std::max_element(seconds.begin(), seconds.end());
    std::vector<double> shares;
    for (const double t : seconds) shares.push_back(t / most);
    return shares;
}

void keep_attention(Workbench& w, const CurveFit& fit) {
    for (std::size_t i = 0; i < std::size(attention_scales); ++i) {
        const Scale& each = attention_scales[i];
        const double rate = w.so_far.machine.device.efficiency.*each.rate, before = w.so_far.stack.kernels.*each.scale;
        w.so_far.stack.kernels.*each.scale = rounded(fit.values[i] / rate);
        w.note(each.pointer, "attention", before, rounded(fit.values[i] / rate), rounded(fit.low[i] / rate),
               rounded(fit.high[i] / rate));
    }
}

}  // namespace

void fit_attention(Workbench& w, const Measurements& m) {
    const auto points = attention_points(w, m, "attention");
    if (points.size() < 3 || w.so_far.stack.kernels.attention != Attention::flash) return;
    static constexpr DeviceConstant halves[] = {
        {"/device/efficiency/flash_half_sequence", &Efficiency::flash_half_sequence, 1, 2, no_limit},
        {"/device/efficiency/flash_half_head", &Efficiency::flash_half_head, 1, 1, no_limit},
    };
    static const std::vector<std::string> own_halves{"own/flash_half_sequence", "own/flash_half_head"};
    const bool processor = device_kind(w.plan.machine) == DeviceKind::processor;
    const Efficiency& device = w.so_far.machine.device.efficiency;
    std::vector<CurveParameter> parameters;
    for (const Scale& each : attention_scales)
        parameters.push_back({std::max(device.*each.rate * (w.so_far.stack.kernels.*each.scale), 0.01), 0.5, 0, 1});
    for (const CurveParameter& p : priors(halves, w.plan.machine.device.efficiency)) parameters.push_back(p);
    Scenario s = in_bursts(w.scenario());
    const auto curve = [&](Values v) {
        for (std::size_t i = 0; i < std::size(attention_scales); ++i)
            s.stack.kernels.*attention_scales[i].scale = v[i] / (device.*attention_scales[i].rate);
        for (std::size_t i = 0; i < std::size(halves); ++i)
            s.machine.device.efficiency.*halves[i].field = v[std::size(attention_scales) + i];
        return attention_seconds(s, points);
    };
    const std::vector<double> measured = seconds_of(points);
    CurveFit fit = fit_curve(measured, parameters, curve,
                             processor ? std::vector<double>{} : shares_of(measured));
    keep_attention(w, fit);
    std::vector<std::string> pointers;
    for (const Scale& each : attention_scales) pointers.emplace_back(each.pointer);
    for (std::size_t i = 0; i < std::size(halves); ++i)
        pointers.emplace_back(processor ? halves[i].pointer : own_halves[i]);
    w.leave_open(pointers, fit);
    if (!processor) {
        w.so_far.own_half_sequence = rounded(fit.values[2]);
        w.so_far.own_half_head = rounded(fit.values[3]);
    } else {
        for (auto* values : {&fit.values, &fit.low, &fit.high})
            values->erase(values->begin(), values->begin() + std::ptrdiff_t(std::size(attention_scales)));
        keep(w, halves, fit, "attention");
    }
    Experiment shown{"attention", "Attention", "FLOP", {}, 0};
    show_attention(shown, points, fit.curve);
    w.note(std::move(shown));
}

namespace {

constexpr double beyond_caches = 0.5;   // working sets of half the largest one

void fit_stream(Workbench& w, const Measurements& m) {
    const auto points = largest(
        w.usable(m, "stream"), [](const BenchPoint& p) { return p.number("working_set_B"); }, beyond_caches);
    if (points.empty()) return;
    const Rate r = rate_of(points, [](const BenchPoint& p) { return p.bytes / byte; });
    Device& d = w.so_far.machine.device;
    const double nominal = d.bandwidth / (byte / second), before = d.efficiency.stream_fraction;
    constexpr double giga = 1e9;
    if (r.value <= nominal) {
        d.efficiency.stream_fraction = rounded(r.value / nominal);
        w.note("/device/efficiency/stream_fraction", "stream", before, rounded(r.value / nominal),
               rounded(r.low / nominal), rounded(r.high / nominal));
        w.leave_open("/device/efficiency/stream_fraction", r.low, r.high);
    } else {   // more than the vendor or another computer's measurement says
        d.bandwidth = rounded(r.value / giga) * gigabyte / second;
        d.efficiency.stream_fraction = 1;
        w.note("/device/bandwidth_GBps", "stream", nominal / giga, rounded(r.value / giga), rounded(r.low / giga),
               rounded(r.high / giga));
        w.leave_open("/device/bandwidth_GBps", r.low, r.high);
    }
    Experiment shown{"stream", "Memory stream", "working set, bytes", {}, 0};
    const double rate = d.bandwidth * d.efficiency.stream_fraction / (byte / second);
    for (const BenchPoint* p : points)
        shown.points.push_back(point_of(*p, "add", p->number("working_set_B"), p->bytes / byte / rate));
    w.note(std::move(shown));
}

// Bytes per parameter that the streamed bandwidth would have to move for the time it takes.
void fit_optimizer(Workbench& w, const Measurements& m) {
    const auto points = largest(
        w.usable(m, "adamw"), [](const BenchPoint& p) { return p.number("parameters"); }, beyond_caches);
    if (points.empty()) return;
    const double memory = rates_of(w.scenario()).memory / (byte / second);
    const Rate r = rate_of(points, [](const BenchPoint& p) { return p.number("parameters"); });
    const double before = w.so_far.stack.updates.optimizer_bytes;
    w.so_far.stack.updates.optimizer_bytes = rounded(memory / r.value);
    w.note("stack/optimizer_bytes", "adamw", before, rounded(memory / r.value), rounded(memory / r.high),
           rounded(memory / r.low));
    w.leave_open("stack/optimizer_bytes", r.low, r.high);
    Experiment shown{"adamw", "Optimizer", "parameters", {}, 0};
    for (const BenchPoint* p : points)
        shown.points.push_back(point_of(*p, "AdamW", p->number("parameters"), p->number("parameters") / r.value));
    w.note(std::move(shown));
}

}  // namespace

void fit_memory(Workbench& w, const Measurements& m) {
    fit_stream(w, m);
    fit_optimizer(w, m);
}

}  // namespace plimsoll::fitting
