#pragma once
// Prices of strategies from Plimsoll's own cost model: every strategy becomes a plan of its own, and what the functions
// behind estimate() say of that plan at its depth and at twice its depth gives the layer (the difference) and the ends
// (what is left at depth none). A plan of one strategy for all layers, as many on every stage, therefore costs what
// estimate() says.
//
//   if (const auto why = not_priced(plan); !why.empty()) return why;
//   PriceList prices = own_prices(plan);     // shape, machine, recipe, software and schedule of the plan
//
// Strategies that check() refuses (heads, batch, what the software combines with pipelines) have no price.

#include "core/answers/strategies/strategy.h"
#include "core/values/plan/scenario.h"

#include <string>

namespace plimsoll {

PriceList own_prices(const Scenario&);

// Why layers of the plan cannot be priced apart, as a sentence; empty when they can.
std::string not_priced(const Scenario&);

// The plan with one strategy for all of its layers.
Scenario with_strategy(const Scenario&, const PipelineTask&, const LayerStrategy&);

}  // namespace plimsoll
