#include "core/values/plan/codec.h"

namespace plimsoll {

namespace {

constexpr double index_bytes = 4;  // of one value top-k sends
constexpr double aggressive = 0.25, mild = 0.5;  // of a value's bits

constexpr Codec Compression::*entries[] = {&Compression::gradients, &Compression::weights, &Compression::tensor,
                                           &Compression::pipeline};
static_assert(sizeof entries / sizeof *entries == traffics, "every kind of traffic has an entry");

Codec zfp(Codec c, double bytes, double share) {
    c.kind = CodecKind::zfp;
    c.rate = 8 * bytes * share;
    return c;
}

Codec lossless(Codec c) {
    c.kind = CodecKind::lossless;
    return c;
}

}  // namespace

CodecSpeed CodecSpeeds::of(CodecKind k) const {
    switch (k) {
        case CodecKind::none: return {};
        case CodecKind::lossless: return lossless;
        case CodecKind::zfp: return zfp;
        case CodecKind::fp8: return fp8;
        case CodecKind::top_k: return top_k;
    }
    return {};
}

double compression_ratio(const Codec& c, double bytes) {
    switch (c.kind) {
        case CodecKind::none: return 1;
        case CodecKind::lossless: return c.ratio;
        case CodecKind::zfp: return 8 * bytes / c.rate;
        case CodecKind::fp8: return bytes;
        case CodecKind::top_k: return bytes / (c.density * (bytes + index_bytes));
    }
    return 1;
}

const Codec& entry(const Compression& c, Traffic t) { return c.*entries[int(t)]; }
Codec& entry(Compression& c, Traffic t) { return c.*entries[int(t)]; }

bool coded(const Compression& c, Traffic t) {
    return c.scheme != Scheme::custom || entry(c, t).kind != CodecKind::none;
}

Codec effective(const Compression& c, Traffic t, double bytes) {
    const Codec& own = entry(c, t);
    const bool gradients = t == Traffic::gradients;
    switch (c.scheme) {
        case Scheme::custom: return own;
        case Scheme::naive: return zfp(own, bytes, aggressive);
        case Scheme::mzhybrid: return gradients ? zfp(own, bytes, aggressive) : lossless(own);
        case Scheme::zhybrid: return zfp(own, bytes, gradients ? aggressive : mild);
    }
    return own;
}

}  // namespace plimsoll
