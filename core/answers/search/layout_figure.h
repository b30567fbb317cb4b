#pragma once
// Layouts as points of step time and memory: those a search kept, those nothing
// beats, the border they form, and where the plan and the rule of thumb lie.

#include "core/answers/curves/figures.h"
#include "core/answers/search/study.h"

namespace plimsoll {

// Points are named by say_layout().
Figure layout_figure(const Study&, const Scenario& present);

}  // namespace plimsoll
