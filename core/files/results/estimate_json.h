#pragma once
// Answers as JSON, for scripts. Keys are stable: they may be added to, never renamed.

#include "core/answers/plan/estimate.h"
#include "core/evidence/published/band.h"
#include "core/answers/explain/explain.h"

#include <string>

namespace plimsoll {

// See README, "estimate --json". Without a band its key is null.
std::string to_json(const Scenario&, const Outcome&, const Band* band = nullptr);
std::string to_json(const Term&);

}  // namespace plimsoll
