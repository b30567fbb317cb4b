#pragma once
// A per-layer search as JSON: counts, the best plan in runs of equal layers, and the best with one strategy for all.

#include "core/answers/strategies/per_layer.h"

#include <string>

namespace plimsoll {

std::string to_json(const PerLayer&, const StrategySpace&);

}  // namespace plimsoll
