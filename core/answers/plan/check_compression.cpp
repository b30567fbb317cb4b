#include "core/answers/plan/check_compression.h"

#include "core/values/basics/names.h"

#include <string>

namespace plimsoll {

namespace {

std::string knob_of(Traffic t, const char* field) {
    return std::string("compression.").append(name_of(t)).append(".").append(field);
}

void range(std::vector<Obstacle>& found, Traffic t, const char* field, double value, double low, double high) {
    if (!(value >= low) || value > high) found.push_back({Reason::out_of_range, knob_of(t, field), value, "", 0, {low, high}});
}

}  // namespace

void check_compression(const Scenario& s, std::vector<Obstacle>& found) {
    const Compression& c = s.compression;
    for (int i = 0; i < traffics; ++i) {
        const Traffic t{i};
        const Codec codec = codec_of(s, t);
        if (codec.kind == CodecKind::zfp) range(found, t, "rate", codec.rate, 1, 8 * value_bytes(s, t));
        if (codec.kind == CodecKind::lossless) range(found, t, "ratio", codec.ratio, 0.5, 100);
        if (codec.kind == CodecKind::top_k) range(found, t, "density", codec.density, 1e-6, 1);
        const bool sums = t == Traffic::gradients || t == Traffic::tensor;
        // Sums of sparse messages fill up on their way through a ring: there is no ratio to price.
        if (sums && codec.kind == CodecKind::top_k && c.encoding == Encoding::every_hop)
            found.push_back({Reason::incompatible, "compression.encoding", double(c.encoding), knob_of(t, "kind"),
                             double(codec.kind), {double(Encoding::once)}});
    }
}

}  // namespace plimsoll
