#pragma once
// From where to where a number goes.

namespace plimsoll {

struct NumberRange {
    double low, high;  // inclusive
};

}  // namespace plimsoll
