#pragma once
// Scored rows as CSV: "." decimals, errors as signed fractions of time or memory.

#include "core/evidence/published/score.h"

#include <string>

namespace plimsoll {

std::string csv_header();                             // source,id,quantity,published,predicted,error,excluded,...
std::string to_csv(const std::vector<ScoredRow>&);    // one line a row, without the header

}  // namespace plimsoll
