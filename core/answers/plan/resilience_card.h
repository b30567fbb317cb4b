#pragma once
// Failures, checkpoints and the job chain as rows for people: window and command line.

#include "core/answers/plan/card_row.h"
#include "core/answers/plan/headline.h"

#include <string>
#include <vector>

namespace plimsoll {

std::vector<CardRow> resilience_card(const Scenario&, const Headline&);

// "Failures take 6 % of the time" or why there is no progress.
std::string resilience_verdict(const Resilience&);

}  // namespace plimsoll
