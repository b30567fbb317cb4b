#include "core/values/basics/fingerprint.h"

#include <algorithm>
#include <bit>

namespace plimsoll {

namespace {

constexpr std::string_view sha256_prefix = "sha256:";

// FIPS 180-4, section 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> round_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

using std::rotr;

// Section 6.2.2, step 1.
std::array<std::uint32_t, 64> message_schedule(const unsigned char* bytes) {
    std::array<std::uint32_t, 64> w;
    for (std::size_t t = 0; t < 16; ++t, bytes += 4)
        w[t] = std::uint32_t(bytes[0]) << 24 | std::uint32_t(bytes[1]) << 16 | std::uint32_t(bytes[2]) << 8 | bytes[3];
    for (std::size_t t = 16; t < 64; ++t) {
        const std::uint32_t before = w[t - 15], late = w[t - 2];
        const std::uint32_t sigma0 = rotr(before, 7) ^ rotr(before, 18) ^ before >> 3;
        const std::uint32_t sigma1 = rotr(late, 17) ^ rotr(late, 19) ^ late >> 10;
        w[t] = sigma1 + w[t - 7] + sigma0 + w[t - 16];
    }
    return w;
}

}  // namespace

void Sha256::take_block(const unsigned char* bytes) {
    const auto w = message_schedule(bytes);
    auto [a, b, c, d, e, f, g, h] = state_;
    for (std::size_t t = 0; t < 64; ++t) {
        const std::uint32_t sum1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25);
        const std::uint32_t choice = (e & f) ^ (~e & g);
        const std::uint32_t t1 = h + sum1 + choice + round_constants[t] + w[t];
        const std::uint32_t sum0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22);
        const std::uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + sum0 + majority;
    }
    const std::uint32_t sums[] = {a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < 8; ++i) state_[i] += sums[i];
}

Sha256& Sha256::add(std::string_view bytes) {
    while (!bytes.empty()) {
        const std::size_t used = length_ % block_.size();
        const std::size_t taken = std::min(bytes.size(), block_.size() - used);
        std::copy_n(bytes.begin(), taken, block_.begin() + long(used));
        length_ += taken;
        bytes.remove_prefix(taken);
        if (length_ % block_.size() == 0) take_block(block_.data());
    }
    return *this;
}

std::string Sha256::hex() const {
    Sha256 rest = *this;
    const std::uint64_t bits = 8 * length_;
    rest.add(std::string_view("\x80", 1));
    while (rest.length_ % block_.size() != block_.size() - 8) rest.add(std::string_view("\0", 1));
    std::string length(8, '\0');
    for (std::size_t i = 0; i < 8; ++i) length[i] = char(bits >> (56 - 8 * i));
    rest.add(length);
    std::string text;
    for (const std::uint32_t word : rest.state_)
        for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[word >> shift & 15];
    return text;
}

Fingerprint& Fingerprint::add(std::string_view bytes) {
    sha256_.add(bytes);
    fnv_ = fnv1a(bytes, fnv_);
    return *this;
}

std::string Fingerprint::text() const { return std::string(sha256_prefix) + sha256_.hex(); }

bool Fingerprint::matches(std::string_view recorded) const {
    return is_checksum(recorded) ? recorded == hex16(fnv_) : recorded == text();
}

std::string fingerprint_of(std::string_view text) { return Fingerprint().add(text).text(); }

bool is_checksum(std::string_view recorded) { return !recorded.starts_with(sha256_prefix); }

}  // namespace plimsoll
