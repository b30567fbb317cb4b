#pragma once
// Fingerprints of evidence: whether a text is still the one that a prediction or a preset was made from.
//
//   Fingerprint f;
//   f.add(first).add(second);
//   f.text();                            // "sha256:9f86d081884c7d65..."
//   f.matches(recorded);                 // also where `recorded` is of the older form
//
// SHA-256 (FIPS 180-4): nobody can find another text with the same fingerprint. Logs and presets from before have
// FNV-1a, 16 hexadecimal digits, which finds accidents alone; they are still recognised.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace plimsoll {

// FNV-1a, 64 bits (Fowler, Noll, Vo): finds accidents, not intent.
//
//   std::uint64_t h = fnv1a(first);  h = fnv1a(second, h);   hex16(h) == "85944171f73967e8"

inline constexpr std::uint64_t fnv1a_start = 0xcbf29ce484222325;
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t hash = fnv1a_start) {
    for (const unsigned char byte : text) hash = (hash ^ byte) * 0x100000001b3;
    return hash;
}

// CRC-32 of IEEE 802.3, as zlib and Python's binascii compute it: to draw rows of a table by a rule that names no row.
//
//   crc32("123456789") == 0xcbf43926
constexpr std::uint32_t crc32(std::string_view text) {
    std::uint32_t rest = 0xffffffff;
    for (const unsigned char byte : text) {
        rest ^= byte;
        for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ (rest & 1 ? 0xedb88320u : 0u);
    }
    return ~rest;
}

inline std::string hex16(std::uint64_t value) {
    std::string text(16, '0');
    for (int i = 15; i >= 0; --i, value >>= 4) text[std::size_t(i)] = "0123456789abcdef"[value & 15];
    return text;
}

class Sha256 {
public:
    Sha256& add(std::string_view bytes);
    std::string hex() const;             // 64 digits: of all bytes so far; more may follow

private:
    void take_block(const unsigned char* bytes);

    std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<unsigned char, 64> block_{};
    std::uint64_t length_ = 0;           // bytes
};

class Fingerprint {
public:
    Fingerprint& add(std::string_view bytes);
    std::string text() const;                        // "sha256:" and 64 digits
    bool matches(std::string_view recorded) const;   // in either form

private:
    Sha256 sha256_;
    std::uint64_t fnv_ = fnv1a_start;
};

std::string fingerprint_of(std::string_view text);

// Whether a recorded fingerprint is of the older form, which a deliberate change can keep.
bool is_checksum(std::string_view recorded);

}  // namespace plimsoll
