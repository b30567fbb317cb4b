#pragma once
// Host memory and drives as rows for people: what they hold, whether that fits,
// the rates a device needs of them, how long drives last.

#include "core/answers/plan/card_row.h"
#include "core/answers/plan/estimate.h"

#include <vector>

namespace plimsoll {

std::vector<CardRow> tier_card(const Scenario&, const Estimate&);

// "Host memory is short by 120 GiB per node" for what does not fit below the devices; empty where all does.
std::string say_tier_shortage(const Estimate&);

}  // namespace plimsoll
