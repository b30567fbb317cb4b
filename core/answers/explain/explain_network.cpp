// Collectives, and the reduction of gradients.
#include "core/answers/explain/explain_parts.h"

#include "core/values/basics/phrase.h"
#include "core/values/basics/names.h"

#include <algorithm>
#include <span>

namespace plimsoll {

std::string network_name(const Machine& machine, const Hop& hop) {
    if (hop.cluster < 0) return machine.levels[hop.level].name;
    return phrase("{1} of cluster {2}", name_of(machine.clusters[hop.cluster].nic), hop.cluster + 1);
}

namespace {

const char* name_of(Algorithm a) {
    switch (a) {
        case Algorithm::none: return "nothing to do";
        case Algorithm::ring: return "one ring through all members";
        case Algorithm::nested_rings: return "rings nested level by level";
        case Algorithm::tree: return "tree";
        case Algorithm::pairwise: return "every rank to every other";
    }
    return "";
}

std::string levels_of(const Machine& machine, const Span& span) {
    std::string text;
    for (int i = 0; i < span.hops; ++i)
        text += (i ? " x " : "") + phrase("{1} over {2}", span.hop[i].fan, network_name(machine, span.hop[i]));
    return text;
}

// How the operation's factor is called in presets.
const char* factor_key(Collective kind) {
    switch (kind) {
        case Collective::all_reduce: return "";
        case Collective::all_gather: return "/gather_factor";
        case Collective::reduce_scatter: return "/scatter_factor";
        case Collective::message: return "/message_factor";
    }
    return "";
}

Term one_rate(const Machine& machine, const Hop& hop, bool large, Collective kind) {
    const bool own = hop.cluster >= 0;
    const std::string at =
        std::string(own ? "/clusters/" : "/levels/").append(std::to_string(own ? hop.cluster : hop.level));
    const ByteRate bandwidth = own   ? machine.clusters[hop.cluster].bandwidth
                             : large ? machine.levels[hop.level].large_bandwidth
                                     : machine.levels[hop.level].bandwidth;
    const double efficiency = own ? machine.clusters[hop.cluster].efficiency : machine.levels[hop.level].efficiency;
    std::vector<Term> factors{
        given("Share of one device", bandwidth / (byte / second), "B/s",
              source_of(machine, at + (large ? "/large_bandwidth_GBps" : "/bandwidth_GBps"))),
        given("Achieved fraction", efficiency, "", source_of(machine, at + "/efficiency"))};
    if (const double factor = factor_of(hop, kind); factor != 1)
        factors.push_back(
            given("This operation over an all-reduce", factor, "", source_of(machine, at + factor_key(kind))));
    if (hop.spread != 1)
        factors.push_back(derived("Axes used, and domains joined", hop.spread, "",
                                  "axes of a torus; 1 / (1 + per_doubling x log2(domains / 2)) beyond two domains"));
    if (hop.share < 1)
        factors.push_back(derived("Share of it with sharded states", hop.share, "", "sharded_efficiency of the stack"));
    const std::string network = network_name(machine, hop);
    return product(large ? phrase("Rate beyond large messages' size, {1}", network)
                         : phrase("Achieved rate of {1}", network),
                   "B/s", std::move(factors));
}

}  // namespace

Term explain_rate(const Machine& machine, const Hop& hop, Bytes message, Collective kind) {
    if (hop.large_rate <= ByteRate{} || message <= hop.large_from) return one_rate(machine, hop, false, kind);
    const Source from =
        source_of(machine, std::string("/levels/").append(std::to_string(hop.level)).append("/large_from_MB"));
    return quotient(phrase("Achieved rate of {1}", network_name(machine, hop)), "B/s",
                    derived("Message", message / byte, "B", "what a rank has of the buffer here"),
                    sum("Its transfer", "s",
                        {quotient("Up to large messages' size", "s",
                                  given("Size of large messages", hop.large_from / byte, "B", from),
                                  one_rate(machine, hop, false, kind)),
                         quotient("Beyond it", "s",
                                  derived("The rest", (message - hop.large_from) / byte, "B", "message less that size"),
                                  one_rate(machine, hop, true, kind))}));
}

namespace {

// Payload as it crosses the wire.
Term wire_bytes(const Coding& coding, Bytes payload, const char* formula) {
    Term sent = derived("Bytes sent", payload / byte, "B", formula);
    if (coding.kind == CodecKind::none) return sent;
    sent.label = "Payload sent";
    return quotient("Bytes sent", "B", std::move(sent),
                    derived("Compression ratio", coding.ratio, "",
                            "zfp: bits of a value / rate; fp8: bytes of a value; "
                            "top-k: by density and 4-byte indices; lossless: as measured on the data"));
}

Term codec_term(const Scenario& s, const Coding& coding, const CodecWork& work) {
    const Device& d = s.machine.device;
    static const char* keys[] = {"", "lossless", "zfp", "fp8", "top_k"};
    const std::string at = std::string("/device/codecs/").append(keys[int(coding.kind)]);
    const CodecSpeed speed = d.codecs.of(coding.kind);
    const auto pass = [&](const char* label, Bytes bytes, double share, const char* key) {
        return quotient(label, "s", derived("Payload", bytes / byte, "B", "over all messages of this rank"),
                        product("Throughput", "B/s",
                                {given("Memory bandwidth", d.bandwidth / (byte / second), "B/s",
                                       source_of(s.machine, "/device/bandwidth_GBps")),
                                 given("Share the codec reaches", share, "", source_of(s.machine, at + key))}));
    };
    return sum("Codec", "s",
               {pass("Encoding", work.encoded, speed.encode, "/encode"),
                pass("Decoding", work.decoded, speed.decode, "/decode"),
                product("Shortest kernels", "s",
                        {counted("Encodings and decodings", work.calls),
                         given("Shortest kernel", coding.call / second, "s",
                               source_of(s.machine, "/device/efficiency/kernel_floor_us"))})});
}

// Short transfers reach less than the rate: as many bytes more at the full one.
Term bytes_at_full_rate(const Hop& hop, const Coding& coding, const Leg& leg, const char* formula, double members) {
    Term wire = wire_bytes(coding, leg.sent, formula);
    const Bytes sent = leg.sent / coding.ratio;
    const Bytes more = with_half_size(hop, sent, members) - sent;
    if (more <= Bytes{}) return wire;
    return sum("Bytes at the full rate", "B",
               {std::move(wire), derived("Lost on short transfers", more / byte, "B",
                                         "sqrt(bytes sent x half size x members entering together)")});
}

// How a leg is called, and where the bytes it sends come from.
struct LegWords {
    std::string label;
    const char* formula;
};
LegWords words_of(const Machine& machine, const Hop& hop, Algorithm algorithm, Collective kind) {
    const std::string over = phrase("Transfer over {1}", network_name(machine, hop));
    if (kind == Collective::message) return {over, "one message"};
    switch (algorithm) {
        case Algorithm::nested_rings:
            if (kind != Collective::all_reduce) return {over, "(fan-1)/fan x payload / members inside"};
            return {phrase("{1}, the slowest level", over),
                    "2 (fan-1)/fan x payload / members inside; at most (1 + 1/fan) / switch_reduction of it where a "
                    "switch adds up"};
        case Algorithm::pairwise:
            return {phrase("{1}, the slowest level", over), "members reached over this level / n x payload"};
        case Algorithm::tree: return {"Transfer", "passes x payload"};
        case Algorithm::ring: return {"Transfer", "passes x (n-1)/n x payload"};
        case Algorithm::none: break;
    }
    return {over, ""};
}

Term leg_term(const Scenario& s, const Span& span, const Leg& leg, Algorithm algorithm, Collective kind,
              const Coding& coding) {
    const Hop& hop = span.hop[leg.hop];
    const bool pairwise = algorithm == Algorithm::pairwise;
    const bool together = kind != Collective::message && (algorithm == Algorithm::ring || algorithm == Algorithm::tree);
    LegWords words = words_of(s.machine, hop, algorithm, kind);
    Term rate = explain_rate(s.machine, hop, leg.message, pairwise ? Collective::all_reduce : kind);
    if (together)
        rate = product("Rate of the slowest level", "B/s",
                       {counted("Members entering it together", leg.members), std::move(rate)});
    return quotient(std::move(words.label), "s",
                    bytes_at_full_rate(hop, coding, leg, words.formula, together ? leg.members : 1),
                    std::move(rate));
}

}  // namespace

Term explain_transfer(const Scenario& s, const Span& span, Bytes payload, Collective kind, const Coding& coding,
                      const std::string& label) {
    if (span.hops == 0) return derived(label, 0, "s", "a group of one has nothing to exchange");
    if (const auto steps = steps_of(kind, coding); steps.size() == 2)
        return sum(label, "s", {explain_transfer(s, span, payload, steps[0], coding, "Encoded shares exchanged"),
                                explain_transfer(s, span, payload, steps[1], coding, "Encoded sums gathered")});
    Legs legs;
    const Transfer t = transfer(kind, span, payload, coding, &legs);
    const std::string levels = levels_of(s.machine, span);
    std::vector<Term> parts{
        derived("Latency", t.latency / second, "s", phrase("start, and steps x latency, of each level; {1}", levels))};
    for (const Leg& leg : legs) parts.push_back(leg_term(s, span, leg, t.algorithm, kind, coding));
    if (coding.kind != CodecKind::none) parts.push_back(codec_term(s, coding, t.work));
    const std::string why = kind == Collective::message
        ? phrase("between neighbouring stages")
        : phrase("{1} was cheapest for {2} ranks", phrase(name_of(t.algorithm)), span.size);
    return sum(label, "s", std::move(parts), phrase("{1}: {2}", why, levels));
}

Term explain_sharded(const Scenario& s, int stage, const LayerBytes& payload, Collective kind, const Coding& coding,
                     const std::string& label) {
    const bool common = s.layout.shards() > 1, routed = payload.routed > Bytes{} && s.layout.expert_shards() > 1;
    if (s.layout.zero_stage < 3 || (!common && !routed)) return derived(label, 0, "s", "weights are not sharded");
    std::vector<Term> parts;
    if (common) parts.push_back(explain_transfer(s, shard_span(s, stage), payload.common, kind, coding, label));
    if (!routed) return parts.front();
    parts.push_back(
        explain_transfer(s, expert_shard_span(s, stage), payload.routed, kind, coding, "Experts of one layer"));
    return sum(label, "s", std::move(parts));
}

namespace {

// All of a step for the same parameters: one all-reduce, or a reduction and a gather of shares.
Term reductions_of(const Scenario& s, std::span<const Reduction> parts, const std::string& whose) {
    const auto one = [&](const Reduction& r, const std::string& label) {
        return explain_transfer(s, r.ranks, r.payload, r.kind, coding_of(s, r.traffic), label);
    };
    if (parts.size() == 1) return one(parts[0], phrase("All-reduce of the gradients of {1}", phrase(whose)));
    const bool reduced_whole = parts[0].kind == Collective::all_reduce;
    const std::string label = reduced_whole ? phrase("All-reduce and all-gather for {1}", phrase(whose))
                                            : phrase("Reduce-scatter and all-gather for {1}", phrase(whose));
    return sum(label, "s",
               {one(parts[0], reduced_whole ? "All-reduce of the gradients" : "Reduce-scatter of the gradients"),
                one(parts[1], "All-gather of the updated weights")});
}

// Every collective once a step and among the same ranks: then the tree shows each of them.
bool shows_each(std::span<const Reduction> parts) {
    return !parts.empty()
        && std::ranges::none_of(parts, [](const Reduction& r) { return r.across_copies || r.per_micro_batch; });
}

}  // namespace

Term explain_gradients(const StepParts& p) {
    const Scenario& s = p.scenario;
    const Parameters& own = p.step.heaviest;
    const int stage = p.step.heaviest_stage;
    const std::string label = "Gradient reduction the step waits for";
    std::vector<Reduction> all;
    const StageTime& passes = p.stages[stage];
    const GradientTime time = gradient_time(s, own, hiding_passes(passes.forward + passes.backward), stage, &all);
    const bool replicated = s.layout.weight_replicas() > 1 || (own.trained.routed() > 0 && s.layout.expert_data() > 1);
    if (!replicated) return derived(label, 0, "s", "one replica has nothing to reduce");
    const auto hidden = [&](const char* formula) {
        return derived("Hidden behind the passes", (time.reduce - time.exposed) / second, "s", formula);
    };
    if (!shows_each(all)) {
        std::vector<Term> parts{derived("Latency and transfer", (time.reduce - time.codec) / second, "s",
                                        "ZeRO volumes, Rajbhandari et al. 2020, section 7")};
        if (time.codec > Seconds{})
            parts.push_back(
                derived("Codec", time.codec / second, "s", "payload over throughput, and the shortest kernels"));
        return difference(label, "s", sum("All reductions and gathers of a step", "s", std::move(parts)),
                          hidden("overlap share of the stack, per micro-batch"));
    }
    constexpr const char* one_backward =
        "overlap share of the stack x two thirds of one micro-batch for reductions, a third for gathers of weights; "
        "the last bucket, or gradient_exposed, never hides, and hidden_reduction_tax of the rest is waited for, too";
    const std::span<const Reduction> whole(all);
    const auto of_experts = std::ranges::count_if(all, &Reduction::experts);
    const std::span<const Reduction> common = whole.first(all.size() - of_experts), routed = whole.last(of_experts);
    if (routed.empty()) return difference(label, "s", reductions_of(s, common, "the stage"), hidden(one_backward));
    std::vector<Term> parts;
    if (!common.empty()) parts.push_back(reductions_of(s, common, "all but the experts"));
    parts.push_back(reductions_of(s, routed, "the experts of this rank"));
    return difference(label, "s", sum("All reductions", "s", std::move(parts)), hidden(one_backward));
}

}  // namespace plimsoll
