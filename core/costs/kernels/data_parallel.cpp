#include "core/costs/kernels/data_parallel.h"

#include "core/values/plan/placement.h"

#include <algorithm>

namespace plimsoll {

namespace {

// Context ranks lie between tensor and data ranks and hold the same weights as these.
int data_stride(const Work& s) { return s.layout.tensor_parallel; }
int replicas(const Work& s) { return int(s.layout.weight_replicas()); }
Bytes weights_of(const Work& s, double parameters) { return s.states.weights * parameters * byte; }
Bytes fetched_of(const Work& s, double parameters) { return s.states.fetched * parameters * byte; }
// Frozen weights are gathered once and stay: new ones are those that are trained.
double converted_of(const Work& s, double converted) { return trains_adapters(s.method) ? 0 : converted; }
// As they are gathered once a step: weights that are kept in the recipe's format alone travel in it.
Bytes new_weights_of(const Work& s, double parameters, double converted) {
    if (!keeps_converted_weights_alone(s)) return weights_of(s, parameters);
    return weights_of(s, parameters - converted) + number_recipe(s).gathered * converted * byte;
}
Bytes gradients_of(const Work& s, double parameters) { return s.states.gradients * parameters * byte; }

// The last bucket starts when the backward pass ends, the first one's weights are needed when the next begins.
double never_hidden(const Work& s, Bytes gradients) {
    const GradientComm& k = s.stack.gradients;
    return gradients > k.bucket && k.bucket > Bytes{} ? std::max(k.exposed, k.bucket / gradients) : 1;
}

// One collective of gradients or of the weights they belong to, behind one pass.
Seconds exposed(const Work& s, Bytes gradients, Seconds collective, Seconds pass) {
    if (s.stack.gradients.overlap <= 0) return collective;
    const double bare = never_hidden(s, gradients);
    return bare * collective + max(Seconds{}, (1 - bare) * collective - s.stack.gradients.overlap * pass);
}

}  // namespace

Span data_span(const Work& s, int stage) {
    return s.ranks_of_stage(replicas(s), data_stride(s), stage);
}

namespace {

// Small messages of sharded states reach a share of the network between nodes.
Span sharded_states(const Work& s, Span span) {
    for (int i = 0; i < span.hops; ++i) {
        Hop& hop = span.hop[i];
        if (s.machine.levels[hop.level].devices <= s.machine.devices_per_node) continue;
        hop.share = s.stack.sharding.efficiency;
        hop.rate = hop.rate * hop.share;
        hop.large_rate = hop.large_rate * hop.share;
    }
    return span;
}

}  // namespace

namespace {

int expert_stride(const Work& s) { return s.layout.expert_parallel * s.layout.expert_tensor_parallel; }

Span span_among(const Work& s, int ranks, int stride, int stage) {
    return s.ranks_of_stage(ranks, stride, stage);
}

}  // namespace

Span shard_span(const Work& s, int stage) {
    return sharded_states(s, span_among(s, s.layout.shards(), data_stride(s), stage));
}

Span replica_span(const Work& s, int stage) {
    const int shards = s.layout.shards();
    return span_among(s, replicas(s) / shards, data_stride(s) * shards, stage);
}

Span expert_data_span(const Work& s, int stage) {
    return span_among(s, s.layout.expert_data(), expert_stride(s), stage);
}

Span expert_shard_span(const Work& s, int stage) {
    return sharded_states(s, span_among(s, s.layout.expert_shards(), expert_stride(s), stage));
}

Span expert_replica_span(const Work& s, int stage) {
    const int shards = s.layout.expert_shards();
    return span_among(s, s.layout.expert_data() / shards, expert_stride(s) * shards, stage);
}

namespace {

// Collectives of one step, added up.
struct ReductionSum {
    Seconds time, codec;
    friend ReductionSum operator+(ReductionSum a, const ReductionSum& b) {
        return {a.time + b.time, a.codec + b.codec};
    }
    friend ReductionSum operator*(double k, const ReductionSum& a) { return {k * a.time, k * a.codec}; }
};

// Ranks that hold the same parameters, those that share one sharded copy, and the copies (hybrid sharding).
struct Replicas {
    Span all, shard, copies;
    int shards;
    bool experts = false;
};

ReductionSum priced(const Work& s, Collective kind, Traffic traffic, const Span& ranks, Bytes payload) {
    const Transfer t = transfer(kind, ranks, payload, s.coding(traffic));
    return {t.time, t.codec};
}

// What a step waits for, and how long it hides behind each pass.
struct Hiding {
    GradientTime time;
    HidingPasses hidden;
};

Hiding collective_time(const Work& s, double parameters, double converted, const Replicas& ranks,
                       const HidingPasses& passes, std::vector<Reduction>* noted) {
    const int stage = s.layout.zero_stage;
    const double tax = s.stack.gradients.hidden_tax;
    const Bytes gradients = gradients_of(s, parameters);
    const auto run = [&](Collective kind, Traffic traffic, const Span& among, Bytes payload,
                         bool per_micro_batch = false) {
        if (noted)
            noted->push_back({kind, traffic, among, payload, ranks.experts, &among == &ranks.copies, per_micro_batch});
        return priced(s, kind, traffic, among, payload);
    };
    ReductionSum across;
    if (stage > 0 && ranks.copies.size > 1)
        across = run(Collective::all_reduce, Traffic::gradients, ranks.copies, gradients / ranks.shards);
    if (stage == 3) return {{across.time, across.time, across.codec}, {}};  // the rest moves layer by layer
    if (stage == 0) {
        const ReductionSum reduce = run(Collective::all_reduce, Traffic::gradients, ranks.all, gradients);
        const Seconds waits = exposed(s, gradients, reduce.time, passes.backward), hides = reduce.time - waits;
        return {{reduce.time, waits + tax * hides, reduce.codec}, {hides, {}}};
    }
    const bool whole = stage == 1 && s.stack.gradients.reduces_whole;
    ReductionSum reduce = run(whole ? Collective::all_reduce : Collective::reduce_scatter, Traffic::gradients,
                              ranks.shard, gradients, stage == 2);
    const ReductionSum gather = run(Collective::all_gather, Traffic::weights, ranks.shard,
                                    new_weights_of(s, parameters, converted));
    double times = 1;   // a step
    if (stage == 1) reduce = reduce + across;
    else times = s.micro_batches;   // ZeRO-2: every micro-batch reduces; the weights come back once
    const Seconds last = stage == 1 ? Seconds{} : across.time;
    const Seconds reducing = exposed(s, gradients, reduce.time, passes.backward);
    const Seconds gathering = exposed(s, gradients, gather.time, passes.forward);
    const HidingPasses hidden{reduce.time - reducing, gather.time - gathering};
    const Seconds waits = times * (reducing + tax * hidden.backward) + gathering + tax * hidden.forward;
    const ReductionSum all = times * reduce + gather;
    return {{all.time + last, waits + last, all.codec + (stage == 1 ? Seconds{} : across.codec)}, hidden};
}

// What the software adds where a group crosses nodes, on top of the bytes: nothing hides it.
Seconds crossing_time(const Work& s, double parameters, int stage) {
    const int per_node = std::max(1, s.machine.devices_per_node / data_stride(s));
    const int nodes = (replicas(s) + per_node - 1) / per_node;
    if (nodes <= 1) return {};
    const bool owners = s.layout.zero_stage == 1 && s.layout.shards() > per_node;
    const GradientComm& k = s.stack.gradients;
    const StateSharding& z = s.stack.sharding;
    const double layers = nodes * double(layers_of_stage(s, stage));
    const double buckets = k.bucket > Bytes{} ? gradients_of(s, parameters) / k.bucket : 1;
    return nodes * k.node_reduction + buckets * k.bucket_crossing
         + (owners ? s.layout.shards() * z.owner_broadcast + layers * z.layer_handout : Seconds{});
}

Hiding common_time(const Work& s, const Parameters& of_stage, const HidingPasses& passes, int stage,
                   std::vector<Reduction>* noted) {
    const double parameters = of_stage.trained.common();
    if (replicas(s) == 1) return {};
    const bool sharded = s.layout.zero_stage > 0;   // otherwise nobody asks for the groups that share states
    const Replicas ranks{sharded ? Span{} : data_span(s, stage), sharded ? shard_span(s, stage) : Span{},
                         sharded ? replica_span(s, stage) : Span{}, s.layout.shards()};
    Hiding t = collective_time(s, parameters, converted_of(s, of_stage.converted.common()), ranks, passes, noted);
    t.time.crossing = crossing_time(s, parameters, stage);
    return t;
}

// What of a pass one reduction leaves to the next.
HidingPasses left_of(const Work& s, const HidingPasses& passes, const HidingPasses& used) {
    const double overlap = s.stack.gradients.overlap;
    if (overlap <= 0) return passes;
    return {max(Seconds{}, passes.backward - used.backward / overlap),
            max(Seconds{}, passes.forward - used.forward / overlap)};
}

}  // namespace

GradientTime gradient_time(const Work& s, const Parameters& parameters, HidingPasses passes, int stage,
                           std::vector<Reduction>* noted) {
    const Hiding common = common_time(s, parameters, passes, stage, noted);
    GradientTime t = common.time;
    if (parameters.trained.routed() == 0 || s.layout.expert_data() == 1) return t;
    const bool sharded = s.layout.zero_stage > 0;
    const Replicas copies{sharded ? Span{} : expert_data_span(s, stage), sharded ? expert_shard_span(s, stage) : Span{},
                          sharded ? expert_replica_span(s, stage) : Span{}, s.layout.expert_shards(), true};
    const HidingPasses left = left_of(s, passes, common.hidden);
    const GradientTime routed =
        collective_time(s, parameters.trained.routed(), converted_of(s, parameters.converted.routed()), copies, left,
                        noted).time;
    t.reduce += routed.reduce;
    t.exposed += routed.exposed;
    t.codec += routed.codec;
    return t;
}

Seconds tied_embedding_time(const Work& s) {
    const bool copied = s.model.tied_embeddings || s.model.further.depths > 0;
    // One stage may hold both ends, and the modules beside them.
    const bool together = s.embedding_stage == s.head_stage
                       && (s.model.further.depths == 0 || s.module_slot.stage == s.embedding_stage);
    if (!copied || together || s.layout.pipeline_parallel == 1) return {};
    const int stride = s.layout.devices / s.layout.pipeline_parallel * (s.layout.pipeline_parallel - 1);
    const int last = s.layout.pipeline_parallel - 1;
    return all_reduce(s.ranks_over_boundary(2, stride, last),
                      gradients_of(s, s.table().trained.total()), s.coding(Traffic::gradients))
        .time;
}

// A kind after the other; the stages that hold it are taken to lie evenly between the first and the last of them.
Seconds shared_weights_time(const Work& s) {
    Seconds sum;
    const int per_stage = s.layout.devices / s.layout.pipeline_parallel;
    for (Kind k = 0; k < s.layers.kinds(); ++k) {
        if (!s.layers[k].shared.on) continue;
        int holders = 0, first = 0, last = 0;
        for (int i = 0; i < s.layout.pipeline_parallel; ++i) {
            if (s.stage(i).layers[k] == 0) continue;
            if (holders++ == 0) first = i;
            last = i;
        }
        if (holders < 2) continue;
        const int stride = per_stage * ((last - first) / (holders - 1));
        const double held = of_one_rank(s, s.parameters(k).shared).trained.total();
        sum += all_reduce(s.ranks_over_boundary(holders, stride, last), gradients_of(s, held),
                          s.coding(Traffic::gradients))
                   .time;
    }
    return sum;
}

// Frozen weights have no fp32 values that autocast would gather.
double gathered_bytes(const Work& s) {
    const bool wide = s.stack.sharding.gathers_fp32 && !trains_adapters(s.method);
    return wide && s.recipe.precision != Precision::fp32 ? 4 : s.states.fetched;
}

LayerBytes layer_gather_bytes(const Work& s, const LayerKind& kind) {
    const Parameters one = layer_share(s, kind);
    const ParameterCounts narrow = quantised(s.method, one);   // these travel as they are kept
    const double each = frozen_bytes(s.method.frozen);
    const auto bytes = [&](double all, double of_narrow) {
        return gathered_bytes(s) * (all - of_narrow) * byte + each * of_narrow * byte;
    };
    return {bytes(one.all.common(), narrow.common()), bytes(one.all.routed(), narrow.routed())};
}

LayerBytes layer_scatter_bytes(const Work& s, const LayerKind& kind) {
    const ParameterCounts one = layer_share(s, kind).trained;
    return {fetched_of(s, one.common()), fetched_of(s, one.routed())};
}

namespace {

// Among ranks that share the common weights, and the experts'.
struct Sharers { Span common, routed; };
Sharers sharers(const Work& s, int stage) { return {shard_span(s, stage), expert_shard_span(s, stage)}; }

Seconds layer_transfer(Collective kind, const Sharers& among, const LayerBytes& payload, const Coding& coding) {
    Seconds t;
    if (among.common.size > 1) t += transfer(kind, among.common, payload.common, coding).time;
    if (payload.routed > Bytes{}) t += transfer(kind, among.routed, payload.routed, coding).time;
    return t;
}

Seconds layer_gather_time(const Work& s, const LayerKind& kind, const Sharers& among) {
    return layer_transfer(Collective::all_gather, among, layer_gather_bytes(s, kind), s.coding(Traffic::weights));
}

}  // namespace

Seconds layer_gather_time(const Work& s, const LayerKind& kind, int stage) {
    if (s.layout.zero_stage < 3) return {};
    return layer_gather_time(s, kind, sharers(s, stage));
}

Seconds layer_regather_time(const Work& s, const LayerKind& kind, int stage) {
    if (s.layout.zero_stage < 3) return {};
    const Span common = span_among(s, s.layout.backward_shards(), data_stride(s), stage);
    const Span routed = span_among(s, s.layout.expert_backward_shards(), expert_stride(s), stage);
    return layer_gather_time(s, kind, {sharded_states(s, common), sharded_states(s, routed)});
}

// Even where they are summed in fp32.
Seconds layer_scatter_time(const Work& s, const LayerKind& kind, int stage) {
    if (s.layout.zero_stage < 3) return {};
    return layer_transfer(Collective::reduce_scatter, sharers(s, stage), layer_scatter_bytes(s, kind),
                          s.coding(Traffic::gradients));
}

Seconds table_gather_time(const Work& s, int stage) {
    if (s.layout.zero_stage < 3 || s.layout.shards() == 1) return {};
    return transfer(Collective::all_gather, shard_span(s, stage),
                    gathered_bytes(s) * s.table().all.total() * byte,
                    s.coding(Traffic::weights))
        .time;
}

Seconds table_scatter_time(const Work& s, int stage) {
    if (s.layout.zero_stage < 3 || s.layout.shards() == 1) return {};
    return transfer(Collective::reduce_scatter, shard_span(s, stage), fetched_of(s, s.table().trained.total()),
                    s.coding(Traffic::gradients))
        .time;
}

}  // namespace plimsoll
