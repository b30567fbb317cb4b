#pragma once
// Compressed communication: which codec each kind of traffic passes through.
//
//   s.compression.scheme = Scheme::zhybrid;                 // a named table
//   s.compression.gradients = {.kind = CodecKind::zfp, .rate = 8};  // or one's own, scheme custom
//   compression_ratio(codec_of(s, Traffic::gradients), 4)   // 4: fp32 values in 8 bits
//
// The named schemes are those of Xu et al. 2024 (arXiv 2409.02423). The paper
// gives rates for fp32; here they are shares of a value's bits, so that they
// mean the same for 16-bit payloads: aggressive a quarter, mild a half.

namespace plimsoll {

enum class CodecKind {
    none,
    lossless,  // MPC and the like: how far it gets depends on the data
    zfp,       // fixed rate: so many bits a value
    fp8,       // cast with a scale per block
    top_k,     // the largest values and their indices
};

// Traffic that has a codec of its own.
enum class Traffic {
    gradients,  // reduction over data-parallel ranks, whole or scattered
    weights,    // ZeRO gathers
    tensor,     // activations inside a layer
    pipeline,   // activations between stages
};
inline constexpr int traffics = 4;

struct Codec {
    CodecKind kind = CodecKind::none;
    double rate = 16;       // zfp: bits a value takes
    double ratio = 1.25;    // lossless: payload over message, as measured on the data
    double density = 0.01;  // top-k: share of the values that is sent
    friend bool operator==(const Codec&, const Codec&) = default;
};

enum class Scheme {
    custom,    // the table below
    naive,     // zfp at the aggressive rate everywhere
    mzhybrid,  // lossless for model-parallel traffic, aggressive zfp for gradients
    zhybrid,   // mild zfp for model-parallel traffic, aggressive zfp for gradients
};

// When a collective encodes.
enum class Encoding {
    every_hop,  // each message of a ring or tree: sums are encoded anew n - 1 times
    once,       // exchange encoded shares, add them up, gather the encoded sums (Tang et al. 2021, 1-bit Adam)
};

struct Compression {
    Scheme scheme = Scheme::custom;
    Codec gradients, weights, tensor, pipeline;
    Encoding encoding = Encoding::every_hop;
    bool error_feedback = true;  // top-k keeps what it did not send and adds it next time
    // Lossy codecs that shrink weights or activations by more than this are warned of.
    // 2, half the bits, kept the loss of GPT-NeoX-20B (Xu et al. 2024).
    double safe_ratio = 2;
    friend bool operator==(const Compression&, const Compression&) = default;
};

// How fast a device runs codecs, in payload bytes over its memory bandwidth.
// Estimates: a cast reads twice (scale first) and writes half; zfp and selection
// are bound by arithmetic; MPC takes several passes.
struct CodecSpeed {
    double encode = 0, decode = 0;
    friend bool operator==(const CodecSpeed&, const CodecSpeed&) = default;
};
struct CodecSpeeds {
    CodecSpeed lossless{0.06, 0.08};
    CodecSpeed zfp{0.2, 0.25};
    CodecSpeed fp8{0.32, 0.5};
    CodecSpeed top_k{0.1, 0.5};
    friend bool operator==(const CodecSpeeds&, const CodecSpeeds&) = default;
    CodecSpeed of(CodecKind) const;  // zero for none
};

constexpr bool lossy(CodecKind k) { return k != CodecKind::none && k != CodecKind::lossless; }

// Payload bytes over message bytes for values of `bytes` each; below 1 where the codec adds bytes.
double compression_ratio(const Codec&, double bytes);

// The table's entry, as it stands and by the scheme, for values of `bytes` each.
const Codec& entry(const Compression&, Traffic);
Codec& entry(Compression&, Traffic);
Codec effective(const Compression&, Traffic, double bytes);
bool coded(const Compression&, Traffic);   // whether it passes through any

}  // namespace plimsoll
