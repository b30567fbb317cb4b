#pragma once
// The numbers people quote: whole-run time, node-hours, MFU, energy. All of
// them are arithmetic on one Estimate, kept in one place so that tiles, command
// line, charts and explanations cannot disagree.

#include "core/answers/plan/estimate.h"
#include "core/costs/campaign/resilience.h"

#include <string_view>

namespace plimsoll {

struct Headline {
    Seconds step;
    FlopRate per_device;       // model FLOP per second and device: what papers call TFLOP/s per GPU
    FlopRate hardware_per_device;  // recomputation counted
    // Of the peak in the recipe's format, all scores counted (FlopConvention::full). Model FLOP are those of tokens
    // that count; what pads rows is work of the hardware.
    double mfu = 0, hfu = 0;
    TokenRate tokens_per_second;   // that count: of documents
    TokenRate worked_tokens_per_second;   // with those that pad rows
    double counted = 1;        // the share of these that counts
    double steps = 0;          // tokens / (batch x tokens of a sequence that count), rounded up
    Seconds run;               // steps x step, no failures, no queue
    // With failures, as everything below; everything above is without.
    Resilience resilience;
    Seconds wall;              // run / goodput, no queue; infinite when there is no progress
    // Of the wall time: sites charge the time nodes are held, whatever becomes of it. Infinite as the wall time is.
    double node_hours = 0, device_hours = 0;
    double accounting_units = 0;  // what the site charges, in its own unit
    Joules device_energy, facility_energy;
    Watts device_power;        // average per device
    Watts facility_power;      // average of the plan, PUE included
    double failures = 0;       // expected in that time
    double checkpoints = 0;    // written in the run
};

Headline headline(const Scenario&, const Estimate&);

// MFU and rate where the model's work is counted so; and what is counted, in words.
struct CountedRate {
    FlopRate per_device;
    double mfu = 0;
};
CountedRate rate_by(FlopConvention, const Scenario&, const Estimate&);
std::string_view words_of(FlopConvention);

}  // namespace plimsoll
