// What a library's fused attention reaches on the device: the device's own numbers, by which software is priced that
// calls such kernels. The engine's own kernel is fitted against them afterwards, as its software's.
#include "core/costs/kernels/layer.h"
#include "core/evidence/calibration/fit/workbench.h"
#include "core/evidence/calibration/proof/record.h"
#include "core/values/basics/foreign_text.h"
#include "core/values/basics/names.h"

#include <algorithm>
#include <functional>

namespace plimsoll::fitting {

namespace {

constexpr std::size_t least_of_a_pass = 3, longest_library_name = 100;

// What PyTorch calls its back ends. Its `math` writes the scores to memory and is no fused kernel.
struct LibraryKernel {
    std::string_view word;
    AttentionKernel kernel;
};
constexpr LibraryKernel library_kernels[] = {{"flash", AttentionKernel::flash_2},
                                             {"cudnn", AttentionKernel::cudnn_torch},
                                             {"efficient", AttentionKernel::generic}};

using LibraryPoints = std::vector<const BenchPoint*>;

bool has_both_passes(const LibraryPoints& points) {
    const auto backward = std::size_t(std::count_if(
        points.begin(), points.end(), [](const BenchPoint* p) { return p->word("pass") == "backward"; }));
    return backward >= least_of_a_pass && points.size() - backward >= least_of_a_pass;
}

// The plan's device with a kernel that has no losses of its own: nothing is faster.
Scenario at_the_peak(Scenario s) {
    Efficiency& e = s.machine.device.efficiency;
    e.flash_forward = e.flash_backward = 1;
    e.flash_half_sequence = e.flash_half_head = 0;
    e.kernel_floor = {};
    return s;
}

// Points of the kernel that the library chose most often, without those that the device cannot have reached.
LibraryPoints chosen_points(Workbench& w, const Measurements& m, const Scenario& s, LibraryKernel& chosen) {
    LibraryPoints best;
    std::size_t too_fast = 0;
    const Scenario peak = at_the_peak(s);
    LibraryPoints all = attention_points(w, m, "library_attention");
    const bool measured = !all.empty();
    std::erase_if(all, [&](const BenchPoint* p) {
        const bool beyond = p->best() < attention_time(peak, *p);
        too_fast += beyond;
        return beyond || p->has("starved");
    });
    for (const LibraryKernel& each : library_kernels) {
        LibraryPoints of_it;
        std::copy_if(all.begin(), all.end(), std::back_inserter(of_it),
                     [&](const BenchPoint* p) { return p->word("kernel") == each.word; });
        if (of_it.size() <= best.size()) continue;
        best = std::move(of_it);
        chosen = each;
    }
    if (measured && !has_both_passes(best))
        w.so_far.cautions.push_back("Too few times of a library's attention can be used, so the device keeps the "
                                    "preset's: kernels that are not fused and a device that waited for Python do not "
                                    "count");
    if (too_fast)
        w.so_far.cautions.push_back(std::to_string(too_fast)
                                    + " of the times of a library's attention lie beyond the device's peak: they were "
                                      "left out of the fit");
    return best;
}

// A number of the device's and the limits of its fit.
struct DeviceNumber {
    std::string pointer;
    std::function<double&(Efficiency&)> of;
    double width, least, most;
};

void fit_numbers(Workbench& w, const LibraryPoints& points, Scenario s, const std::vector<DeviceNumber>& numbers,
                 Experiment& shown) {
    std::vector<CurveParameter> parameters;
    for (const DeviceNumber& n : numbers)
        parameters.push_back({std::max(n.of(s.machine.device.efficiency), n.least), n.width, 0, n.most});
    const CurveFit fit = fit_curve(seconds_of(points), parameters, [&](std::span<const double> v) {
        for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i].of(s.machine.device.efficiency) = v[i];
        return attention_seconds(s, points);
    });
    // They leave nothing open that a prediction of the engine's runs hangs on: its kernel is measured by itself.
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        double& value = numbers[i].of(w.so_far.machine.device.efficiency);
        w.note(numbers[i].pointer, shown.id, value, rounded(fit.values[i]), rounded(fit.low[i]), rounded(fit.high[i]));
        value = rounded(fit.values[i]);
    }
    show_attention(shown, points, fit.curve);
}

}  // namespace

void fit_library_attention(Workbench& w, const Measurements& m) {
    if (device_kind(w.plan.machine) == DeviceKind::processor) return;   // the engine's own kernel is its attention
    constexpr double unbounded = 1e9;
    Scenario s = in_bursts(w.scenario());
    s.stack = Stack{};   // somebody else's
    s.stack.kernels.attention = Attention::flash;
    LibraryKernel chosen{};
    const LibraryPoints points = chosen_points(w, m, s, chosen);
    if (!has_both_passes(points)) return;
    const std::string_view named = points.front()->word("library");
    const std::string library =
        !named.empty() && named.size() <= longest_library_name && is_line(named) ? scrubbed(named) : "a library";
    Experiment shown{std::string(library_attention_id),
                     "Attention of " + library + " (" + std::string(chosen.word) + ")", "FLOP", {}, 0};
    const std::string at = "/device/efficiency/";
    fit_numbers(w, points, s,
                {{at + "flash_forward", [](Efficiency& e) -> double& { return e.flash_forward; }, 0.5, 0.01, 1},
                 {at + "flash_backward", [](Efficiency& e) -> double& { return e.flash_backward; }, 0.5, 0.01, 1},
                 {at + "flash_half_sequence", [](Efficiency& e) -> double& { return e.flash_half_sequence; }, 1, 2,
                  unbounded},
                 {at + "flash_half_head", [](Efficiency& e) -> double& { return e.flash_half_head; }, 1, 1, unbounded}},
                shown);
    // Where the preset has numbers of this very kernel, they are what software that names it is priced by.
    s.stack.kernels.attention_kernel = chosen.kernel;
    if (measured_attention(s)) {
        const auto number = [&](const char* key, double FusedAttention::*field, double width, double least,
                                double most) {
            return DeviceNumber{at + "attention/" + std::string(name_of(chosen.kernel)) + "/" + key,
                                [k = std::size_t(chosen.kernel), field](Efficiency& e) -> double& {
                                    return e.attention[k].*field;
                                },
                                width, least, most};
        };
        fit_numbers(w, points, s,
                    {number("forward", &FusedAttention::forward, 0.5, 0.01, 1),
                     number("backward", &FusedAttention::backward, 0.5, 0.01, 1),
                     number("half_forward", &FusedAttention::half_forward, 1, 2, unbounded),
                     number("half_backward", &FusedAttention::half_backward, 1, 2, unbounded)},
                    shown);
    }
    w.note(std::move(shown));
}

}  // namespace plimsoll::fitting
