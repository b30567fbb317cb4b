#pragma once
// Answers as JSON, for scripts. Keys are stable: they may be added to, never renamed.

#include "core/answers/plan/estimate.h"
#include "core/answers/explain/explain.h"

#include <string>

namespace plimsoll {

std::string to_json(const Scenario&, const Outcome&);  // see README, "estimate --json"
std::string to_json(const Term&);

}  // namespace plimsoll
