#pragma once
// The band of a plan on its figures: shading around the modelled time, and a
// word on it in the captions of what follows from the time.

#include "core/answers/curves/figures.h"
#include "core/evidence/published/band.h"

namespace plimsoll {

// The band is the present plan's; along the node axis stack, device and format stay the same.
void shade(std::vector<Figure>&, const Band&);

}  // namespace plimsoll
