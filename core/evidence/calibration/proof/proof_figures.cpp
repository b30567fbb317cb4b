#include "core/evidence/calibration/proof/evidence.h"

#include "core/answers/curves/figure_units.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace plimsoll {

namespace {

constexpr double guide = 10;   // per cent, shaded around agreement

using Rows = std::vector<const ProofRow*>;

Rows rows_that_ran(const Calibration& c) {
    Rows rows;
    for (const ProofRow& r : c.proof)
        if (r.has_run() && r.predicted > Seconds{}) rows.push_back(&r);
    return rows;
}

std::string per_cent(double share) {
    const long tenths = std::lround(1000 * share);
    std::string text = std::to_string(tenths / 10);
    if (tenths % 10) text.append(".").append(std::to_string(tenths % 10));
    return text.append(" %");
}

// What a row is besides a fair run that was held back.
std::string name_of(const ProofRow& r) {
    std::string name = r.id;
    if (!r.held_out) name += " (fitted)";
    else if (!r.fair) name += " (not fair)";
    else if (r.contended) name += " (disturbed)";
    return name;
}

// Two bars a layout: predicted, then measured.
Figure parts_figure(const Calibration& c, const Rows& rows) {
    Seconds longest;
    for (const ProofRow* r : rows) longest = max(longest, max(r->predicted, r->measured));
    const auto unit = readable(longest, step_units);
    Figure f{"calibration-parts", "Predicted and measured step", {"Layout", ""}, {"Time of a step", unit.name}, {}, {}, 0, {}};
    for (const ProofRow* r : rows) {
        f.categories.push_back(std::string(r->id).append(", predicted"));   // what else there is to a row, the chart of errors says
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
    f.caption = std::string("Time of one step by its parts: as predicted, for layouts held back before they ran, and as measured, mean over the ranks. ")
                    .append(proof_sentence(c)).append(" ");
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
    Series time = proof_points("time", "Step time"), memory = proof_points("memory", "Memory"), apart = proof_points("apart", "Does not count");
    for (const ProofRow* r : rows) {
        const double at = double(f.categories.size());
        f.categories.push_back(name_of(*r));
        add_error(r->counts() ? time : apart, *r, at);
        if (r->memory_measured > Bytes{} && r->memory_predicted > Bytes{}) add(memory, r->label, at, 100 * r->memory_error());
    }
    for (Series* s : {&time, &memory, &apart})
        if (!s->x.empty()) f.series.push_back(std::move(*s));
    const double first = -0.5, last = double(f.categories.size()) - 0.5;
    f.series.push_back({"near", "Within 10 %", Mark::band, {first, last}, {-guide, -guide}, {}, {guide, guide}});
    f.caption = std::string("Predicted over measured, positive is predicted too slow or too large; bars are what the measured step's 95 % interval makes of it. ").append(proof_sentence(c))
                    .append(" Layouts the fit saw, with more ranks than devices, or disturbed do not count. ");
    return f;
}

}  // namespace

std::string proof_sentence(const Calibration& c) {
    const ProofScore s = score_of(c);
    if (!s.rows) return "No run was held back to test the prediction.";
    std::string text = std::to_string(s.rows).append(s.rows == 1 ? " run" : " runs")
                           .append(" held back on this machine: mean error of the step time ").append(per_cent(s.time));
    if (s.memory > 0) text.append(", of memory ").append(per_cent(s.memory));
    return text.append(".");
}

std::vector<Figure> proof_figures(const Calibration& c) {
    const Rows rows = rows_that_ran(c);
    if (rows.empty()) return {};
    return {parts_figure(c, rows), errors_figure(c, rows)};
}

}  // namespace plimsoll
