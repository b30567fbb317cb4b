#pragma once
// How tests compare numbers that are computed in two ways.

#include "core/values/basics/units.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

// Equal but for rounding: within a share of the larger one.
inline bool near(double a, double b, double tolerance = 1e-9) {
    return a == b || std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

// By which share what was found misses what is expected.
inline double off(double found, double expected) { return std::abs(found / expected - 1); }

inline constexpr ByteRate GBps = gigabyte / second;

inline double milliseconds(Seconds t) { return t / millisecond; }

}  // namespace plimsoll
