#pragma once
// Step time behind a published rate: each source counts FLOP in its own way.

#include "core/answers/published/published_row.h"
#include "core/values/plan/scenario.h"

#include <optional>

namespace plimsoll {

// FLOP of one token under a source's rule; `nominal` is the parameter count it states.
double flop_per_token(FlopRule, const Model&, int sequence_length, double nominal);

// Seconds of one step from the row's first of: step time, tokens/s, TFLOP/s.
struct PublishedTime {
    const char* quantity = "";   // key of the measured value
    double value = 0;            // as published
    double seconds = 0;          // of one step of the filled plan
};
std::optional<PublishedTime> published_time(const PublishedRow&, const Scenario&, FlopRule);

}  // namespace plimsoll
