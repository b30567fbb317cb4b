#pragma once
// How few bytes a message of numbers can be made, and what that costs: three codecs
// whose size depends on the count alone, so that all ranks agree on it unasked.
//
//   codec        bytes of n values of s bytes     error of a value x, a: largest |x| of its block
//   fp8          n + s for each 128               at most max(2^-4 |x|, 2^-10 a / 448)
//   fixed:BITS   n BITS / 8 + s for each 64       at most a / (2^BITS - 2): half a step
//   topk:SHARE   (s + 4) ceil(SHARE n)            0 for the largest, x for all others
//
// fp8 is E4M3 of the OCP 8-bit format (Micikevicius et al. 2022) on values scaled so that
// a becomes 448, its largest number. fixed is block fixed point: whole multiples of a step,
// at a fixed rate as ZFP's (Lindstrom 2014) but without its transform. topk keeps value and
// index of the largest (Stich et al. 2018); among equals the earlier. A block with a
// number that is not finite comes back without a finite one, a block below 2^-110 (floats)
// as zeros. Encoding and decoding are deterministic.
//
//   const auto codecs = codecs_of("data=topk:0.01,tensor=fp8");     // or the message why not
//   std::vector<std::byte> bytes(encoded_bytes<float>(codecs->data, n));
//   encode(codecs->data, x, n, bytes.data());  ...  decode(codecs->data, bytes.data(), n, y);

#include "core/values/basics/expected.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace plimsoll::engine {

struct MessageCodec {
    enum class Kind : std::uint8_t { none, fp8, fixed, topk };
    Kind kind = Kind::none;
    int bits = 8;       // fixed
    double share = 1;   // topk
    explicit operator bool() const { return kind != Kind::none; }
    std::string text() const;  // as on the command line
};

// One for each dimension of a layout that communicates.
struct Codecs {
    MessageCodec data, tensor, pipeline;
};
// From "DIMENSION=CODEC,..."; the message says what would work.
Expected<Codecs, std::string> codecs_of(const std::string& text);

// For float and double.
template <class T> std::size_t encoded_bytes(const MessageCodec&, std::size_t count);
template <class T> void encode(const MessageCodec&, const T* x, std::size_t count, std::byte* out);
template <class T> void decode(const MessageCodec&, const std::byte* in, std::size_t count, T* x);

}  // namespace plimsoll::engine
