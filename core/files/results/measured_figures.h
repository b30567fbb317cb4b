#pragma once
// What the steps of a log and short runs of one's own measured, as figures.
//
//   log_figure(log);                                   // every step by its number, and which of them count
//   probe_figure(reading, &record->evidence);          // measured beside predicted over layers, and on to the plan's
//
// Titles and names are English wherever they are made: charts put them into words.

#include "core/answers/curves/figures.h"
#include "core/files/results/probe_results.h"

namespace plimsoll {

// Empty where the log prints no step. Of very many steps that count a point is the mean of several.
Figure log_figure(const TrainingLog&);

// The line continues what was measured to the depth of the plan, on the devices of the deepest probe; before anything
// was, what is predicted. With evidence in the range in which two plans in three lie. Empty where there is no probe.
Figure probe_figure(const ProbeReading&, const Evidence* = nullptr);

}  // namespace plimsoll
