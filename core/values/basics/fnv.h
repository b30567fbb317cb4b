#pragma once
// FNV-1a, 64 bits (Fowler, Noll, Vo): a fingerprint of text, not a secret.
//
//   std::uint64_t h = fnv1a(first);  h = fnv1a(second, h);   hex16(h) == "85944171f73967e8"

#include <cstdint>
#include <string>
#include <string_view>

namespace plimsoll {

inline constexpr std::uint64_t fnv1a_start = 0xcbf29ce484222325;
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t hash = fnv1a_start) {
    for (const unsigned char byte : text) hash = (hash ^ byte) * 0x100000001b3;
    return hash;
}
inline std::string hex16(std::uint64_t value) {
    std::string text(16, '0');
    for (int i = 15; i >= 0; --i, value >>= 4) text[std::size_t(i)] = "0123456789abcdef"[value & 15];
    return text;
}

}  // namespace plimsoll
