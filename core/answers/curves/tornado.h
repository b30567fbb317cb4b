#pragma once
// What an answer hangs on: one number of a plan with one input at the lower and the upper end of what it may be.
//
//   for (const TornadoBar& b : tornado(plan, TornadoOf::time)) ...      // the widest first
//   b.at_low == *tornado_value(b.low, TornadoOf::time)                  // each bar is two estimates
//
// An input that a calibration measured goes from end to end of its interval, a market price over its range, and what
// has no interval from 0.80 to 1.25 of what the preset says.

#include "core/answers/campaign/money.h"
#include "core/answers/curves/figures.h"

#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

enum class TornadoOf { time, node_hours, energy, cost };
std::string_view name_of_tornado(TornadoOf);                   // "time", "node-hours", ...
std::optional<TornadoOf> tornado_named(std::string_view);
std::string_view unit_of_tornado(TornadoOf);                   // "days", "node-hours", "MWh", "" (the price's own)

struct TornadoBar {
    std::string knob, what;      // the knob is empty for the price
    double value = 0, low_value = 0, high_value = 0;
    std::string ends;            // where its ends come from
    Scenario low, high;
    double at_low = 0, at_high = 0;
    double width() const { return at_low < at_high ? at_high - at_low : at_low - at_high; }
};

// In the unit above. Nothing where the plan cannot be computed, the run does not end or no price is known.
std::optional<double> tornado_value(const Scenario&, TornadoOf);
// Inputs that change nothing are left out.
std::vector<TornadoBar> tornado(const Scenario&, TornadoOf);
Figure tornado_figure(const Scenario&, TornadoOf, const std::vector<TornadoBar>&);
// The number over one of the inputs, from half to twice what the plan has. Without series for a price.
Figure tornado_curve(const Scenario&, TornadoOf, const TornadoBar&);

}  // namespace plimsoll
