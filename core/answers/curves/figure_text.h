#pragma once
// Captions: what a figure shows and under which assumptions.

#include "core/answers/curves/figures.h"

#include <string>

namespace plimsoll {

std::string caption_of(const Figure&, const Scenario&, const Estimate&);

}  // namespace plimsoll
