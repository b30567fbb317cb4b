#pragma once
// bf16 on the host: the upper half of a float. Kernels compute; this converts.

#include <cstdint>
#include <cstring>

namespace plimsoll::engine {

struct bf16 {
    std::uint16_t bits;
};
inline float widened(bf16 x) {
    const std::uint32_t bits = std::uint32_t(x.bits) << 16;
    float f;
    std::memcpy(&f, &bits, sizeof f);
    return f;
}
inline bf16 narrowed(float f) {  // to nearest, ties to even; not for NaN
    std::uint32_t bits;
    std::memcpy(&bits, &f, sizeof bits);
    return {std::uint16_t((bits + 0x7fff + ((bits >> 16) & 1)) >> 16)};
}

// A double stored as T, and back.
template <class T> T stored(double x) { return T(x); }
template <> inline bf16 stored<bf16>(double x) { return narrowed(float(x)); }
template <class T> double value(T x) { return double(x); }
template <> inline double value(bf16 x) { return widened(x); }

}  // namespace plimsoll::engine
