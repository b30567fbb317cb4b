#pragma once
// Numbers with no more digits than they are worth.
//
//   rounded(1234.5, 3) == 1230

#include <charconv>

namespace plimsoll {

// To so many significant decimal digits.
inline double rounded(double v, int digits) {
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, v, std::chars_format::general, digits).ptr;
    double out = v;
    std::from_chars(text, end, out);
    return out;
}

}  // namespace plimsoll
