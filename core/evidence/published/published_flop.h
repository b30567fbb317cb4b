#pragma once
// Step time behind a published rate: each source counts FLOP in its own way.

#include "core/evidence/published/published_row.h"
#include "core/values/plan/scenario.h"

#include <vector>

namespace plimsoll {

// FLOP of one token under a source's rule; `nominal` is the parameter count it states.
double flop_per_token(FlopRule, const Model&, int sequence_length, double nominal);

// Seconds of one step behind a quantity of the row.
struct PublishedTime {
    const char* quantity = "";   // key of the measured value
    double value = 0;            // as published
    double seconds = 0;          // of one step of the filled plan
    bool rate = false;           // more is faster
};

// All the row allows, the best witness first: step time, tokens/s, TFLOP/s, MFU,
// HFU, then hours and days of the whole run, which hold restarts and checkpoints too.
std::vector<PublishedTime> published_times(const PublishedRow&, const Scenario&, FlopRule);

}  // namespace plimsoll
