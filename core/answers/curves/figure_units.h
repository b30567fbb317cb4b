#pragma once
// A figure in the units that its reader wishes for.
//
//   figure = in_shown_units(figure, machine, HourOf::device);
//
// Figures are made in GiB, in days, hours or minutes, and in node-hours; values, edges and the mark of the plan are
// scaled with the axis. With the usual units nothing changes.

#include "core/answers/campaign/hours.h"
#include "core/answers/curves/figures.h"

namespace plimsoll {

Figure in_shown_units(Figure);
// Also node-hours as hours of something else, where the machine knows how many of them a node-hour is.
Figure in_shown_units(Figure, const Machine&, HourOf);

// "Node-hours", "Device-hours", "MI250X-hours", "GPU-hour" (what the site charges).
std::string hours_label(HourOf, const Machine&);

}  // namespace plimsoll
