#pragma once
// Units by the names people type: "GiB", "TB/s", "kW", "ms", "TFLOPS".

#include <optional>
#include <string_view>

namespace plimsoll {

struct NamedUnit {
    char dimension;  // 'B' bytes, 'R' bytes per second, 'F' FLOP per second, 's' seconds, 'W' watts
    double factor;   // in the dimension's base unit
};

// Case counts first (Mb/s is bits, MB/s bytes), then "gib" is taken for GiB.
// "B" alone is a byte; where a count is meant the caller reads it as billion.
std::optional<NamedUnit> find_unit(std::string_view name);

}  // namespace plimsoll
