#pragma once
// A band in words and around a number.
//
//   say_spread(b.time_spread)    "Two thirds of comparable published runs lie within 6 % of the prediction. Nearest: 38 runs ..."
//   say_beyond(b)                "no published run on A64FX was checked; ..."; empty inside what was checked

#include "core/evidence/published/band.h"

#include <string>

namespace plimsoll {

std::string say_spread(const Spread&);
std::string say_beyond(const Band&);

// value / (1 + band) to value (1 + band).
template <class Quantity>
struct Range {
    Quantity low, high;
};
template <class Quantity>
Range<Quantity> range_around(Quantity value, double band) {
    return {value / (1 + band), value * (1 + band)};
}

}  // namespace plimsoll
