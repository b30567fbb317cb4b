#pragma once
// The figure "checkpoint-tradeoff": time lost against the checkpoint interval.

#include "core/answers/curves/figures.h"

namespace plimsoll {

// Around Young's interval and the plan's, both of which are points of the curves.
Figure checkpoint_tradeoff(const Scenario&);
std::string checkpoint_caption(const Scenario&);  // what it shows, without the plan

}  // namespace plimsoll
