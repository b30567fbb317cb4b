// Rows of the knob table: codecs, per kind of traffic.
#include "core/values/knobs/knob_rows.h"

#include <algorithm>
#include <string>

namespace plimsoll::rows {
namespace {

constexpr auto compression = &Scenario::compression;

// The table takes over what the scheme stands for, to be changed from there.
Compression& own_table(Scenario& s) {
    Compression& c = s.compression;
    Compression table = c;
    for (int i = 0; i < traffics; ++i) entry(table, Traffic(i)) = codec_of(s, Traffic(i));
    table.scheme = Scheme::custom;
    return c = table;
}

void set_scheme(Scenario& s, double v) {
    if (const auto scheme = static_cast<Scheme>(static_cast<int>(v)); scheme != Scheme::custom)
        s.compression.scheme = scheme;
    else own_table(s);
}

template <Traffic Of, auto Field>
double get_codec(const Scenario& s) { return static_cast<double>(codec_of(s, Of).*Field); }

template <Traffic Of, auto Field>
void set_codec(Scenario& s, double v) {
    using Value = std::remove_cvref_t<decltype(std::declval<Codec>().*Field)>;
    if (v == get_codec<Of, Field>(s)) return;  // a scheme stays one
    entry(own_table(s), Of).*Field = static_cast<Value>(v);
}

constexpr const char* heading(Traffic t) {
    switch (t) {
        case Traffic::gradients: return "Gradients";
        case Traffic::weights: return "Gathered weights";
        case Traffic::tensor: return "Tensor-parallel activations";
        case Traffic::pipeline: return "Activations between stages";
    }
    return "";
}

// Label and help begin with the traffic: search and obstacles show a row without its heading.
template <Traffic Of, auto Field>
Knob codec_row(const char* label, const char* field, const char* unit, KnobKind kind, Range range, const char* help) {
    const std::string id = "compression." + std::string(name_of(Of)) + '.' + field;
    const std::string text = std::string(heading(Of)) + ", " + label;
    Knob k = row(id.c_str(), text.c_str(), unit, kind, range, (text + help).c_str());
    k.get = get_codec<Of, Field>;
    k.set = set_codec<Of, Field>;
    return k;
}

bool any_codec(const Scenario& s, CodecKind kind) {
    for (int i = 0; i < traffics; ++i)
        if (codec_of(s, Traffic(i)).kind == kind) return true;
    return false;
}

std::string_view without_codecs(const Scenario& s) {
    for (int i = 0; i < traffics; ++i)
        if (codec_of(s, Traffic(i)).kind != CodecKind::none) return "";
    return "nothing is compressed";
}

std::string_view without_residual(const Scenario& s) {
    return codec_of(s, Traffic::gradients).kind == CodecKind::top_k ? "" : "gradients are not top-k";
}

// Why this traffic does not exist in the plan.
template <Traffic Of>
std::string_view no_traffic(const Scenario& s) {
    const Layout& l = s.layout;
    if constexpr (Of == Traffic::gradients)
        return l.weight_replicas() > 1 || (l.pipeline_parallel > 1 && s.model.tied_embeddings) ? "" : "one replica";
    const bool of_experts = s.model.experts.count > 0 && l.expert_shards() > 1;
    if constexpr (Of == Traffic::weights) return l.shards() > 1 || of_experts ? "" : "nothing is sharded";
    if constexpr (Of == Traffic::tensor) return without_tensor(s);
    return without_pipeline(s);
}

template <Traffic Of, CodecKind Needed>
std::string_view without_kind(const Scenario& s) {
    if (const auto reason = no_traffic<Of>(s); !reason.empty()) return reason;
    return codec_of(s, Of).kind == Needed ? "" : "for another codec";
}

template <CodecKind Kind>
std::string_view without_any(const Scenario& s) { return any_codec(s, Kind) ? "" : "codec not in use"; }

template <Traffic Of>
void add_codec(Table& t) {
    Knob kind = codec_row<Of, &Codec::kind>("codec", "kind", "", KnobKind::choice, {0, 0},
        ": none, lossless (MPC), zfp at a fixed rate, fp8 with a scale per block, or top-k, the largest values only");
    for (const auto& name : names_of<CodecKind>()) kind.choices.emplace_back(name);
    kind.high = static_cast<double>(kind.choices.size()) - 1;
    t.push_back(idle_if(no_traffic<Of>, kind));
    t.push_back(idle_if(without_kind<Of, CodecKind::zfp>, codec_row<Of, &Codec::rate>(
        "zfp rate", "rate", "bits per value", KnobKind::real, {1, 32},
        ": bits a value takes; it shrinks by k = bits of a value / rate. MVAPICH: MPIR_CVAR_ZFP_RATE")));
    t.push_back(idle_if(without_kind<Of, CodecKind::lossless>,
                        codec_row<Of, &Codec::ratio>("lossless ratio", "ratio", "", KnobKind::real, {0.5, 100},
                                                     ": payload over message, k, as measured on the data")));
    t.push_back(idle_if(without_kind<Of, CodecKind::top_k>, codec_row<Of, &Codec::density>(
        "top-k density", "density", "", KnobKind::real, {1e-6, 1, true},
        ": share of the values that is sent, each with a 4-byte index")));
}

template <CodecKind Kind, auto Speed>
void add_speed(Table& t, const std::string& id, const std::string& name) {
    constexpr auto machine = &Scenario::machine;
    constexpr auto device = &Machine::device;
    const auto pass = [&](Knob k, const char* field, const char* label, const char* symbol) {
        k.id = "machine.device.codecs." + id + '.' + field;
        k.label = name + label;
        k.help =
            "Payload bytes per second over the device's memory bandwidth; times that bandwidth " + std::string(symbol);
        t.push_back(idle_if(without_any<Kind>, k));
    };
    constexpr Range range{1e-6, 10, true};
    pass(real<one, machine, device, &Device::codecs, Speed, &CodecSpeed::encode>("", "", "", range, ""), "encode",
         ", encoding", "Theta_c");
    pass(real<one, machine, device, &Device::codecs, Speed, &CodecSpeed::decode>("", "", "", range, ""), "decode",
         ", decoding", "Theta_d");
}

void add_speeds(Table& t) {
    add_speed<CodecKind::lossless, &CodecSpeeds::lossless>(t, "lossless", "Lossless codec");
    add_speed<CodecKind::zfp, &CodecSpeeds::zfp>(t, "zfp", "zfp");
    add_speed<CodecKind::fp8, &CodecSpeeds::fp8>(t, "fp8", "fp8 cast");
    add_speed<CodecKind::top_k, &CodecSpeeds::top_k>(t, "top_k", "Top-k");
}

}  // namespace

void add_compression(Table& t) {
    t.push_back(keeping(choice<Scheme, compression, &Compression::scheme>(
        "compression.scheme", "Compression scheme",
        "Codecs of all traffic at once (Xu et al. 2024): naive zfp everywhere, mzhybrid lossless but for gradients, "
        "zhybrid mild zfp but for gradients; custom is the table below"), set_scheme));
    t.push_back(idle_if(without_codecs, choice<Encoding, compression, &Compression::encoding>(
        "compression.encoding", "Encoding",
        "every_hop: each message of a ring is encoded and decoded, n - 1 times for a sum; once: encoded shares are "
        "exchanged, added and gathered, two encodings whatever n")));
    t.push_back(idle_if(without_residual, flag<compression, &Compression::error_feedback>(
        "compression.error_feedback", "Error feedback",
        "top-k keeps the gradients it did not send and adds them to the next step's, one buffer of gradients more")));
    t.push_back(idle_if(without_codecs, real<one, compression, &Compression::safe_ratio>(
        "compression.safe_ratio", "Safe ratio", "", {1, 1000, true},
        "Warn of lossy codecs that shrink weights or activations by more; 2 kept the loss of GPT-NeoX-20B")));
    under(heading(Traffic::gradients), t, add_codec<Traffic::gradients>);
    under(heading(Traffic::weights), t, add_codec<Traffic::weights>);
    under(heading(Traffic::tensor), t, add_codec<Traffic::tensor>);
    under(heading(Traffic::pipeline), t, add_codec<Traffic::pipeline>);
    under("Codec speed", t, add_speeds);
}

}  // namespace plimsoll::rows
