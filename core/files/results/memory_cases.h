#pragma once
// Verdicts on memory beside what became of the plans (core/evidence/published/memory_cases.h), as JSON.

#include "core/evidence/published/memory_cases.h"

namespace plimsoll {

// {"cases": [{"id", "source", "ran", "share", "verdict", "unpriced"}],
//  "sources": [{"source", "ran": {"fits", "may_not_fit", "does_not_fit"}, "out_of_memory": {...}, "unpriced"}],
//  "over_rows", "over_sources": {"ran": {"right", "undecided", "wrong"}, "out_of_memory": {...}}}
std::string to_json(const JudgedCases&);

}  // namespace plimsoll
