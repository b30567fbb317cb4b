#pragma once
// The largest models of every strategy as JSON: an array, in their order.

#include "core/answers/search/largest.h"

#include <string>

namespace plimsoll {

std::string to_json(const std::vector<LargestModel>&);

}  // namespace plimsoll
