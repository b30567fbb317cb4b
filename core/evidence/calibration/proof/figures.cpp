#include "core/evidence/calibration/proof/figures.h"

#include "core/answers/curves/figures.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace plimsoll {

// ---- A trial: its loss and its steps

Figure run_loss(std::span<const EngineStep> steps, std::optional<double> floor) {
    Figure f{"run-loss",
             "Loss",
             {"Step", ""},
             {"Loss", "nats per token"},
             {},
             {},
             0,
             "Mean cross-entropy of a token, as the run goes on."};
    Series loss{"loss", "Loss", Mark::line, {}, {}, {}};
    for (const EngineStep& step : steps) {
        if (!step.loss) continue;
        loss.x.push_back(step.step);
        loss.y.push_back(*step.loss);
    }
    if (loss.x.empty()) return f;
    f.series.push_back(std::move(loss));
    if (floor) f.series.push_back({"floor", "Entropy of the data", Mark::limit, {}, {*floor}, {}});
    return f;
}

Figure run_steps(std::span<const EngineStep> steps, const Estimate& predicted) {
    const auto shown = steps.last(std::min<std::size_t>(steps.size(), most_step_bars));
    Seconds longest = predicted.step.total();
    for (const EngineStep& step : shown) longest = max(longest, step.wall);
    const auto unit = readable(longest, step_units);
    Figure f{"run-steps", "Time of a step", {"Step", ""}, {"Time", unit.name}, {"predicted"}, {}, 0, {}};
    for (const EngineStep& step : shown) f.categories.push_back(std::to_string(step.step));
    for (const auto& part : step_parts) {
        Series bars{std::string(part.id),
                    std::string(part.label),
                    Mark::stacked_bar,
                    {0},
                    {predicted.step.*part.value / unit.size},
                    {}};
        for (const EngineStep& step : shown) {
            bars.x.push_back(double(bars.x.size()));
            bars.y.push_back(step.parts.mean.*part.value / unit.size);
        }
        f.series.push_back(std::move(bars));
    }
    f.caption = "Measured steps, mean over the ranks, beside the estimate made before the run.";
    return f;
}

std::vector<PartRow> compare_parts(const StepTime& measured, const StepTime& predicted) {
    std::vector<PartRow> rows;
    for (const auto& part : step_parts)
        if (const Seconds m = measured.*part.value, p = predicted.*part.value; max(m, p) > Seconds{})
            rows.push_back({std::string(part.label), m, p});
    return rows;
}

// ---- A bench: its points as they arrive

namespace {

// Times need no place on the axis where there is no size: such a bench is drawn over the order of its points.
enum class Over { flop, bytes, order };
Over axis_of(std::span<const BenchPoint> points) {
    const auto all = [&](auto&& has) { return std::all_of(points.begin(), points.end(), has); };
    if (all([](const BenchPoint& p) { return p.flop > 0; })) return Over::flop;
    return all([](const BenchPoint& p) { return p.bytes > Bytes{}; }) ? Over::bytes : Over::order;
}

Axis axis(Over over) {
    if (over == Over::order) return {"Point", "", false};
    return over == Over::flop ? Axis{"Work", "FLOP", true} : Axis{"Size", "bytes", true};
}

}  // namespace

Figure bench_figure(const std::string& title, std::span<const BenchPoint> points) {
    const Over over = axis_of(points);
    Figure f{"bench-points",
             title,
             axis(over),
             {"Time", "ms", true},
             {},
             {},
             0,
             "Median time of one call, as measured; nothing is fitted yet."};
    Series calm{"measured", "Measured", Mark::point, {}, {}, {}},
        disturbed{"contended", "Disturbed", Mark::point, {}, {}, {}};
    int number = 0;
    for (const BenchPoint& p : points) {
        ++number;
        Series& s = p.contended() ? disturbed : calm;
        s.x.push_back(over == Over::order ? number : over == Over::flop ? p.flop : p.bytes / byte);
        s.y.push_back(p.median / millisecond);
        s.names.push_back(label_of(p));
    }
    for (Series* s : {&calm, &disturbed})
        if (!s->x.empty()) f.series.push_back(std::move(*s));
    return f;
}

// ---- A proof: layouts that were predicted and then measured

namespace {

constexpr double guide = 10;   // per cent, shaded around agreement

using Rows = std::vector<const ProofRow*>;

Rows rows_that_ran(const Calibration& c) {
    Rows rows;
    for (const ProofRow& r : c.proof)
        if (r.has_run() && r.predicted > Seconds{}) rows.push_back(&r);
    return rows;
}

// The row's name as in the table, and what sets it apart from a fair run that no fit has seen.
std::string name_of(const ProofRow& r) {
    std::string name = r.label.empty() ? r.id : r.label;
    if (!r.held_out) name += " (fitted)";
    else if (!r.fair) name += " (not counted)";
    else if (r.contended) name += " (disturbed)";
    return name;
}

// Two bars a layout: predicted, then measured.
Figure parts_figure(const Calibration& c, const Rows& rows) {
    Seconds longest;
    for (const ProofRow* r : rows) longest = max(longest, max(r->predicted, r->measured));
    const auto unit = readable(longest, step_units);
    Figure f{"calibration-parts",
             "Predicted and measured step",
             {"Layout", ""},
             {"Time of a step", unit.name},
             {},
             {},
             0,
             {}};
    for (const ProofRow* r : rows) {
        f.categories.push_back(
            std::string(r->id).append(", predicted"));  // what else there is to a row, the chart of errors says
        f.categories.push_back(std::string(r->id).append(", measured"));
    }
    for (const auto& part : step_parts) {
        Series bars{std::string(part.id), std::string(part.label), Mark::stacked_bar, {}, {}, {}};
        bool any = false;
        for (const ProofRow* r : rows)
            for (const StepTime* step : {&r->predicted_parts, &r->measured_parts}) {
                bars.x.push_back(double(bars.x.size()));
                bars.y.push_back(step->*part.value / unit.size);
                any |= step->*part.value > Seconds{};
            }
        if (any) f.series.push_back(std::move(bars));
    }
    f.caption = std::string(
                    "Time of one step by its parts: as predicted, for layouts held back before they ran, and as "
                    "measured, mean over the ranks. ")
                    .append(proof_sentence(c))
                    .append(" ");
    return f;
}

Series proof_points(const char* id, const char* label) { return {id, label, Mark::point, {}, {}, {}}; }

void add(Series& s, const std::string& name, double x, double y) {
    s.x.push_back(x);
    s.y.push_back(y);
    s.names.push_back(name);
}

// The interval is that of the measured median: a longer step makes the same prediction too fast.
void add_error(Series& s, const ProofRow& r, double at) {
    const bool told = r.measured_low > Seconds{} && r.measured_low <= r.measured && r.measured <= r.measured_high;
    add(s, r.label, at, 100 * r.error());
    s.low.push_back(100 * (r.predicted / (told ? r.measured_high : r.measured) - 1));
    s.high.push_back(100 * (r.predicted / (told ? r.measured_low : r.measured) - 1));
}

Figure errors_figure(const Calibration& c, const Rows& rows) {
    Figure f{"calibration-errors", "Errors of the prediction", {"Layout", ""}, {"Error", "%"}, {}, {}, 0, {}};
    Series time = proof_points("time", "Step time"), memory = proof_points("memory", "Memory"),
           apart = proof_points("apart", "Does not count");
    for (const ProofRow* r : rows) {
        const double at = double(f.categories.size());
        f.categories.push_back(name_of(*r));
        add_error(r->counts() ? time : apart, *r, at);
        if (r->memory_measured > Bytes{} && r->memory_predicted > Bytes{})
            add(memory, r->label, at, 100 * r->memory_error());
    }
    for (Series* s : {&time, &memory, &apart})
        if (!s->x.empty()) f.series.push_back(std::move(*s));
    const double first = -0.5, last = double(f.categories.size()) - 0.5;
    f.series.push_back({"near", "Within 10 %", Mark::band, {first, last}, {-guide, -guide}, {}, {guide, guide}});
    f.caption = std::string(
                    "Predicted over measured, positive is predicted too slow or too large; bars are what the measured "
                    "step's 95 % interval makes of it. ")
                    .append(proof_sentence(c))
                    .append(" Layouts the fit saw, with more ranks than devices, or disturbed do not count. ");
    return f;
}

}  // namespace

std::vector<Figure> proof_figures(const Calibration& c) {
    const Rows rows = rows_that_ran(c);
    if (rows.empty()) return {};
    return {parts_figure(c, rows), errors_figure(c, rows)};
}

}  // namespace plimsoll
