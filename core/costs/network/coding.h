#pragma once
// A codec as a collective sees it: messages shrink by a ratio, and each byte of
// payload that is sent costs its sender and its receiver time.
//
//   T(S) = S / encode + latency + (S / ratio) / rate + S / decode
//
// It gains where 1 - 1/ratio of the time on the wire is more than the codec's:
//   (1/rate)(1 - 1/ratio) > 1/encode + 1/decode     (Xu et al. 2024; gains())

#include "core/values/plan/scenario.h"

namespace plimsoll {

struct Coding {
    using TimePerByte = decltype(second / byte);
    CodecKind kind = CodecKind::none;
    double ratio = 1;             // payload over message
    TimePerByte encode, decode;   // zero without a codec, and so is all that follows
    Seconds call;                 // shortest kernel, of each encoding and decoding
    bool once = false;            // sums are encoded once rather than at every hop
};

// What one device encodes and decodes in a collective, in payload, and in how many calls.
struct CodecWork {
    Bytes encoded, decoded;
    double calls = 0;
};
inline Seconds time_of(const CodecWork& w, const Coding& c) {
    return w.encoded * c.encode + w.decoded * c.decode + w.calls * c.call;
}

// No codec: {}.
Coding coding_of(const Scenario&, Traffic);

// Whether a large message over a link of this rate takes less time encoded.
bool gains(const Coding&, ByteRate);

}  // namespace plimsoll
