#include "core/files/presets/plan_fields.h"

namespace plimsoll::files {
namespace {

constexpr auto traffic_codec_fields = std::tuple{
    choice("kind", &Codec::kind),
    pure("rate", &Codec::rate, {1, 32}),
    pure("ratio", &Codec::ratio, {0.5, 100}),
    pure("density", &Codec::density, {1e-6, 1}),
};
static_assert(members_in(traffic_codec_fields) == members_of<Codec>, "every member has a row");

constexpr auto compression_fields = std::tuple{
    choice("scheme", &Compression::scheme),
    nested("gradients", &Compression::gradients, traffic_codec_fields),
    nested("weights", &Compression::weights, traffic_codec_fields),
    nested("tensor", &Compression::tensor, traffic_codec_fields),
    nested("pipeline", &Compression::pipeline, traffic_codec_fields),
    choice("encoding", &Compression::encoding),
    flag("error_feedback", &Compression::error_feedback),
    pure("safe_ratio", &Compression::safe_ratio, {1, 1000}),
};
static_assert(members_in(compression_fields) == members_of<Compression>, "every member has a row");

}  // namespace

void read_compression(const Reader& root, Compression& c) {
    if (const auto at = root.member("compression")) read_fields(compression_fields, *at, c);
}

OrderedJson write_compression(const Compression& c) { return write_fields(compression_fields, c); }

}  // namespace plimsoll::files
