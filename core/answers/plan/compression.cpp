#include "core/answers/plan/compression.h"

#include "core/costs/kernels/layer.h"
#include "core/costs/kernels/tensor.h"
#include "core/costs/kernels/data_parallel.h"
#include "core/values/plan/share.h"
#include "core/costs/step/stage.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/names.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"

namespace plimsoll {

namespace {

// A collective of this traffic, as the plan runs it; a group of one where it has none.
struct Sample {
    Collective kind = Collective::all_reduce;
    Span span{};
    Bytes payload{};
};

Sample gradients(const Work& s) {
    const int zero = s.layout.zero_stage;
    if (zero == 3) return {Collective::reduce_scatter, shard_span(s), layer_scatter_bytes(s, first_layer(s)).common};
    const Bytes all = s.states.gradients * stage_parameters(s, 0).trained.common() * byte;
    return {zero == 0 ? Collective::all_reduce : Collective::reduce_scatter, zero == 0 ? data_span(s) : shard_span(s),
            all};
}

Sample weights(const Work& s) {
    if (s.layout.zero_stage == 0) return {};
    if (s.layout.zero_stage == 3)
        return {Collective::all_gather, shard_span(s), layer_gather_bytes(s, first_layer(s)).common};
    return {Collective::all_gather, shard_span(s),
            s.states.weights * stage_parameters(s, 0).trained.common() * byte};
}

// On a grid the weights of the widest product, gathered down a column.
Sample tensors(const Work& s) {
    if (!s.layout.on_grid()) return {Collective::all_reduce, tensor_span(s), tensor_payload(s)};
    Bytes widest;
    for (const Gemm& g : layer_gemms(s, first_layer(s))) widest = max(widest, grid_payload(s, g).weights);
    return {Collective::all_gather, s.grid_columns(), widest};
}

Sample sample(const Work& s, Traffic t) {
    switch (t) {
        case Traffic::gradients: return gradients(s);
        case Traffic::weights: return weights(s);
        case Traffic::tensor: return tensors(s);
        case Traffic::pipeline: return {Collective::message, stage_span(s), stage_payload(s)};
    }
    return {};
}

int encodings(const Scenario& s, Collective kind, int ranks) {
    const bool sums = kind == Collective::all_reduce || kind == Collective::reduce_scatter;
    if (!sums) return 1;
    const int again = kind == Collective::all_reduce ? 1 : 0;  // the sum itself
    return s.compression.encoding == Encoding::once ? 1 + again : ranks - 1 + again;
}

bool at_risk(const Scenario& s, Traffic t, const Codec& c, double ratio) {
    if (!lossy(c.kind)) return false;
    if (t != Traffic::gradients) return ratio > s.compression.safe_ratio;
    return c.kind == CodecKind::top_k && !s.compression.error_feedback;
}

}  // namespace

std::vector<CodecUse> codec_uses(const Scenario& s) {
    std::vector<CodecUse> uses;
    const Work work(s);
    for (int i = 0; i < traffics; ++i) {
        const Traffic t{i};
        const Codec codec = codec_of(s, t);
        if (codec.kind == CodecKind::none) continue;
        const Sample one = sample(work, t);
        if (one.span.hops == 0) continue;
        const Coding& coding = work.coding(t);
        uses.push_back({t, codec, coding.ratio, one.span.size, encodings(s, one.kind, one.span.size),
                        transfer(one.kind, one.span, one.payload), transfer(one.kind, one.span, one.payload, coding),
                        at_risk(s, t, codec, coding.ratio)});
    }
    return uses;
}

// ---- In words

namespace {

std::string traffic_subject(Traffic t) {
    switch (t) {
        case Traffic::gradients: return phrase("Gradients");
        case Traffic::weights: return phrase("Gathered weights");
        case Traffic::tensor: return phrase("Activations between tensor ranks");
        case Traffic::pipeline: return phrase("Activations between stages");
    }
    return {};
}

std::string codec_name(const Codec& c) {
    const std::string_view name = name_of(c.kind);
    if (c.kind == CodecKind::zfp) return phrase("{1} at {2} bits a value", name, significant(c.rate, 3));
    if (c.kind == CodecKind::top_k) return phrase("{1} of {2} %", name, significant(100 * c.density, 3));
    return std::string(name);
}

std::string risk(const Scenario& s, const CodecUse& u) {
    const std::string what = traffic_subject(u.traffic), codec = codec_name(u.codec);
    if (u.traffic == Traffic::gradients)
        return phrase("{1} through {2} without error feedback: what is not sent is lost, and the loss may suffer.",
                      what, codec);
    return phrase("{1} through {2} shrink {3} times, more than the {4} taken as safe: the loss may suffer.", what,
                  codec, significant(u.ratio, 3), significant(s.compression.safe_ratio, 3));
}

}  // namespace

std::string say(const CodecUse& u) {
    const std::string text =
        phrase("{1} pass through {2}, {3} times smaller; one transfer takes {4} against {5}, {6} of it codec",
               traffic_subject(u.traffic), codec_name(u.codec), significant(u.ratio, 3), say(u.coded.time),
               say(u.plain.time), say(u.coded.codec));
    if (u.encodings <= 1 || !lossy(u.codec.kind)) return phrase("{1}.", text);
    return phrase("{1}; a value is encoded {2} times.", text, say_count(u.encodings));
}

std::vector<std::string> codec_warnings(const Scenario& s) {
    std::vector<std::string> warnings;
    for (const CodecUse& u : codec_uses(s)) {
        if (u.loss_risk) warnings.push_back(risk(s, u));
        if (!u.pays())
            warnings.push_back(phrase("{1}: the codec costs more time than it saves, {2} a transfer against {3}.",
                                      traffic_subject(u.traffic), say(u.coded.time), say(u.plain.time)));
    }
    return warnings;
}

}  // namespace plimsoll
