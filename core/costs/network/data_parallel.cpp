#include "core/costs/network/data_parallel.h"

#include "core/costs/kernels/kernel.h"

#include <algorithm>

namespace plimsoll {

namespace {

// Context ranks lie between tensor and data ranks and hold the same weights as these.
int data_stride(const Scenario& s) { return s.layout.tensor_parallel; }
int replicas(const Scenario& s) { return int(s.layout.weight_replicas()); }
Bytes weights_of(const Scenario& s, double parameters) { return state_bytes(s.recipe).weights * parameters * byte; }
Bytes gradients_of(const Scenario& s, double parameters) { return state_bytes(s.recipe).gradients * parameters * byte; }

// The last bucket starts when the backward pass ends, so it is never hidden.
Seconds last_bucket(const Scenario& s, Bytes payload, Seconds reduce) {
    return payload > s.stack.bucket && s.stack.bucket > Bytes{} ? reduce * (s.stack.bucket / payload) : reduce;
}

Seconds exposed(const Scenario& s, Bytes payload, Seconds reduce, Seconds window) {
    if (s.stack.gradient_overlap <= 0) return reduce;
    return max(reduce - s.stack.gradient_overlap * window, last_bucket(s, payload, reduce));
}

}  // namespace

Span data_span(const Scenario& s) { return span_of(s.machine, {replicas(s), data_stride(s)}); }

Span shard_span(const Scenario& s) { return span_of(s.machine, {s.layout.shards(), data_stride(s)}); }

Span replica_span(const Scenario& s) {
    const int shards = s.layout.shards();
    return span_of(s.machine, {replicas(s) / shards, data_stride(s) * shards});
}

namespace {

// Collectives of one step, added up.
struct Sum {
    Seconds time, codec;
    Sum& operator+=(const Transfer& t) { return time += t.time, codec += t.codec, *this; }
    friend Sum operator+(Sum a, const Sum& b) { return {a.time + b.time, a.codec + b.codec}; }
    friend Sum operator*(double k, const Sum& a) { return {k * a.time, k * a.codec}; }
};

GradientTime collective_time(const Scenario& s, double parameters, Seconds window) {
    const Layout& l = s.layout;
    const Bytes gradients = gradients_of(s, parameters);
    const Coding coding = coding_of(s, Traffic::gradients);
    Sum across, reduce, gather;
    if (l.shards() > 1 && l.shards() < replicas(s)) across += all_reduce(replica_span(s), gradients / l.shards(), coding);
    if (l.zero_stage == 3) return {across.time, across.time, across.codec};  // the rest moves layer by layer
    if (l.zero_stage == 0) {
        reduce += all_reduce(data_span(s), gradients, coding);
        return {reduce.time, exposed(s, gradients, reduce.time, window), reduce.codec};
    }
    reduce += reduce_scatter(shard_span(s), gradients, coding);
    gather += all_gather(shard_span(s), weights_of(s, parameters), coding_of(s, Traffic::weights));
    if (l.zero_stage == 1) {
        const Sum all = reduce + across + gather;
        return {all.time, exposed(s, gradients, all.time, window), all.codec};
    }
    const double m = micro_batches(s);  // ZeRO-2: every micro-batch reduces; the weights come back once
    const Sum all = m * reduce + across + gather;
    return {all.time, m * exposed(s, gradients, reduce.time, window) + across.time + gather.time, all.codec};
}

// What the software adds where a group crosses nodes, on top of the bytes: nothing hides it.
Seconds crossing_time(const Scenario& s) {
    const int per_node = std::max(1, s.machine.devices_per_node / data_stride(s));
    const int nodes = (replicas(s) + per_node - 1) / per_node;
    if (nodes <= 1) return {};
    const bool owners = s.layout.zero_stage == 1 && s.layout.shards() > per_node;
    return nodes * s.stack.node_reduction + (owners ? s.layout.shards() * s.stack.owner_broadcast : Seconds{});
}

}  // namespace

GradientTime gradient_time(const Scenario& s, double parameters, Seconds window) {
    if (replicas(s) == 1) return {};
    GradientTime t = collective_time(s, parameters, window);
    t.crossing = crossing_time(s);
    return t;
}

Seconds tied_embedding_time(const Scenario& s) {
    if (!s.model.tied_embeddings || s.layout.pipeline_parallel == 1) return {};
    const int t = s.layout.tensor_parallel;
    const double table = embedding_parameters(s.model, padded_vocabulary(s.model, t)) / s.layout.weight_shards();
    const int stride = s.layout.devices / s.layout.pipeline_parallel * (s.layout.pipeline_parallel - 1);
    return all_reduce(span_of(s.machine, {2, stride}), gradients_of(s, table), coding_of(s, Traffic::gradients)).time;
}

namespace {

bool gathers_layers(const Scenario& s) { return s.layout.zero_stage == 3 && s.layout.shards() > 1; }

// The software's share of the network holds for the wire, not for the codec.
Seconds at_share(const Scenario& s, const Transfer& t) { return (t.time - t.codec) / s.stack.sharded_efficiency + t.codec; }

}  // namespace

Bytes layer_weights(const Scenario& s) { return weights_of(s, layer_parameters(s.model) / s.layout.weight_shards()); }

Bytes layer_gather_bytes(const Scenario& s) {
    const bool wide = s.stack.gathers_fp32 && s.recipe.precision != Precision::fp32;
    return (wide ? 2 : 1) * layer_weights(s);
}

Transfer layer_gather(const Scenario& s) {
    return all_gather(shard_span(s), layer_gather_bytes(s), coding_of(s, Traffic::weights));
}

// Gradients cross in the weights' format even where they are summed in fp32.
Transfer layer_scatter(const Scenario& s) {
    return reduce_scatter(shard_span(s), layer_weights(s), coding_of(s, Traffic::gradients));
}

Seconds layer_gather_time(const Scenario& s) { return gathers_layers(s) ? at_share(s, layer_gather(s)) : Seconds{}; }

Seconds layer_scatter_time(const Scenario& s) { return gathers_layers(s) ? at_share(s, layer_scatter(s)) : Seconds{}; }

Bytes optimizer_traffic(const Scenario& s, double parameters) {
    if (s.layout.offload.optimizer != Tier::device) return {};  // the CPUs update
    const double adam16 = 16;
    const double owned = parameters / s.layout.shards();
    return s.stack.optimizer_bytes * state_bytes(s.recipe).total() / adam16 * owned * byte;
}

Bytes accumulation_traffic(const Scenario& s, double parameters) {
    const int m = micro_batches(s);
    if (m <= 1) return {};
    const double owned = s.layout.zero_stage >= 2 ? parameters / s.layout.shards() : parameters;
    const bool fp32 = state_bytes(s.recipe).gradients > 2;
    return m * (fp32 ? s.stack.fp32_accumulation_bytes : s.stack.accumulation_bytes) * owned * byte;
}

OptimizerTime optimizer_time(const Scenario& s, double parameters, int layers) {
    const ByteRate memory = rates_of(s).memory;
    const int issued = s.layout.offload.optimizer == Tier::device ? layers : 0;
    return {optimizer_traffic(s, parameters) / memory + issued * s.stack.host_optimizer_layer,
            accumulation_traffic(s, parameters) / memory, s.stack.step_constant};
}

}  // namespace plimsoll
