#pragma once
// What a measured number is called, for tables and reports.
//
//   constant_name("/levels/1/large_from_MB");   // "Network: size of large messages (level 2)"

#include <string>

namespace plimsoll {

// Of a pointer as in MeasuredConstant; the pointer itself where it has no name. Levels count from the innermost, 1.
std::string constant_name(const std::string& pointer);

}  // namespace plimsoll
