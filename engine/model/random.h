#pragma once
// Random numbers by counter: number i of stream s under a seed, without a state.
// A rank that holds part of a tensor draws just that part, so every layout starts
// from the same model and nothing is broadcast.
//
// Philox 4x32-10: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3"
// (SC 2011), section 3.3 and the constants of its reference code.
//
//   normals(seed, stream_of("h.0.q.weight"), row * columns, values);    // a row of a tensor

#include "core/values/basics/fingerprint.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>
#include <string_view>

namespace plimsoll::engine {

inline std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = std::uint64_t(0xD2511F53) * counter[0], b = std::uint64_t(0xCD9E8D57) * counter[2];
        counter = {std::uint32_t(b >> 32) ^ counter[1] ^ key[0], std::uint32_t(b),
                   std::uint32_t(a >> 32) ^ counter[3] ^ key[1], std::uint32_t(a)};
        key = {key[0] + 0x9E3779B9, key[1] + 0xBB67AE85};
    }
    return counter;
}

inline std::array<std::uint32_t, 4> random_bits(std::uint64_t seed, std::uint64_t stream, std::uint64_t i) {
    return philox({std::uint32_t(i), std::uint32_t(i >> 32), std::uint32_t(stream), std::uint32_t(stream >> 32)},
                  {std::uint32_t(seed), std::uint32_t(seed >> 32)});
}

// In [0, 1), 53 bits.
inline double uniform(std::uint64_t seed, std::uint64_t stream, std::uint64_t i) {
    const auto r = random_bits(seed, stream, i);
    return double((std::uint64_t(r[0]) << 32 | r[1]) >> 11) * 0x1p-53;
}

// Mean 0, deviation 1: numbers `first` and on (Box and Muller 1958; numbers 2j and 2j + 1 come from one draw).
inline void normals(std::uint64_t seed, std::uint64_t stream, std::uint64_t first, std::span<double> out) {
    for (std::uint64_t i = first, end = first + out.size(); i < end;) {
        const auto r = random_bits(seed, stream, i / 2);
        const double u = (double((std::uint64_t(r[0]) << 32 | r[1]) >> 11) + 0.5) * 0x1p-53;
        const double angle = 2 * std::numbers::pi * double((std::uint64_t(r[2]) << 32 | r[3]) >> 11) * 0x1p-53;
        const double radius = std::sqrt(-2 * std::log(u));
        if (i % 2 == 0) out[i++ - first] = radius * std::cos(angle);
        if (i < end) out[i++ - first] = radius * std::sin(angle);
    }
}
inline double normal(std::uint64_t seed, std::uint64_t stream, std::uint64_t i) {
    double x;
    normals(seed, stream, i, {&x, 1});
    return x;
}

// A tensor's stream follows from its name, whatever else the model has.
constexpr std::uint64_t stream_of(std::string_view name) { return fnv1a(name); }

}  // namespace plimsoll::engine
