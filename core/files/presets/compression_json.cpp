#include "core/files/presets/plan_fields.h"

namespace plimsoll::files {
namespace {

constexpr auto traffic_codec_fields = std::tuple{
    choice("kind", &Codec::kind).about("What the payload passes through"),
    pure("rate", &Codec::rate, {1, 32}).about("zfp: bits a value takes"),
    pure("ratio", &Codec::ratio, {0.5, 100}).about("lossless: payload over message, as measured"),
    pure("density", &Codec::density, {1e-6, 1}).about("top-k: share of the values that is sent"),
};
static_assert(members_in(traffic_codec_fields) == members_of<Codec>, "every member has a row");

constexpr auto compression_fields = std::tuple{
    choice("scheme", &Compression::scheme).about("A named table (Xu et al. 2024), or custom: the table below"),
    nested("gradients", &Compression::gradients, traffic_codec_fields).about("Gradients between data-parallel ranks"),
    nested("weights", &Compression::weights, traffic_codec_fields).about("Weights that ZeRO gathers"),
    nested("tensor", &Compression::tensor, traffic_codec_fields).about("Activations between tensor-parallel ranks"),
    nested("pipeline", &Compression::pipeline, traffic_codec_fields).about("Activations between pipeline stages"),
    choice("encoding", &Compression::encoding).about("When a collective encodes"),
    flag("error_feedback", &Compression::error_feedback).about("top-k keeps what it did not send for the next step"),
    pure("safe_ratio", &Compression::safe_ratio, {1, 1000})
        .about("Lossy codecs that shrink weights or activations by more are warned of"),
};
static_assert(members_in(compression_fields) == members_of<Compression>, "every member has a row");

}  // namespace

void read_compression(const Reader& root, Compression& c) {
    if (const auto at = root.member("compression")) read_fields(compression_fields, *at, c);
}

OrderedJson compression_schema() { return object_schema(compression_fields); }

OrderedJson write_compression(const Compression& c) { return write_fields(compression_fields, c); }

}  // namespace plimsoll::files
