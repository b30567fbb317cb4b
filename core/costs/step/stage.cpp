#include "core/costs/step/stage.h"

#include "core/costs/kernels/data_parallel.h"
#include "core/values/plan/placement.h"
#include "core/costs/kernels/tensor.h"
#include "core/costs/memory/swap.h"
#include "core/costs/pipeline/schedule.h"

#include <cmath>

namespace plimsoll {

Seconds overlapped(Seconds compute, Seconds communication, double tax) {
    return max(compute, communication) + tax * min(compute, communication);
}

double left_in_pairs(const ExpertStack& e) {
    return 1 - (1 - e.paired_exposed) * (1 - e.exchange_units / (1 - e.exchange_units));
}

double exchange_left(const Work& s) {
    return 1 - passes_side_by_side(s) * (1 - left_in_pairs(s.stack.experts));
}

LayerCounts repeating_layers(const Work& s, const Swap& swap, int stage) {
    if (swap.recomputed() > 0) return blocks_of_stage(s, stage);
    const bool all = s.stack.recomputation.last_stage || s.layout.pipeline_parallel == 1;
    const bool recomputes = all || !last_stage(s, stage);
    return recomputes ? recomputed_of_stage(s, stage) : LayerCounts{};
}

namespace {

// The same work on devices that are `slow` times slower; waits for others stay.
PassTime slowed(const PassTime& p, double slow) {
    PassTime t = p;
    t.gemm *= slow;
    t.attention *= slow;
    t.elementwise *= slow;
    return t;
}

}  // namespace

RepeatedWork repeated_work(const Work& s, const LayerKind& kind, const LayerTime& layer, const Swap& swap,
                           double slow) {
    const PassTime& f = layer.forward;
    if (const double tokens = swap.recomputed(); tokens > 0)
        return {Repeats::tokens, tokens, {f.gemm, {}, f.elementwise, f.tensor, {}, {}}};
    if (s.layout.recompute == Recompute::full) {
        const Seconds gemm = s.stack.recomputation.repeats_last_product ? f.gemm : f.gemm - layer.last;
        return {Repeats::layer, 1, {gemm, f.attention, f.elementwise, f.tensor, f.context, f.exchange}};
    }
    if (s.by_module) {
        RepeatedWork again{Repeats::modules, 1, {}};
        repeated_modules(s, kind, [&](Module m) { again.of += slowed(module_time(s, kind, m), slow); });
        return again;
    }
    // What arrived over the exchange is kept.
    if (const double share = s.stack.recomputation.selective_share; share > 0)
        return {Repeats::share, share, {f.gemm, f.attention, f.elementwise, f.tensor, f.context, {}}};
    // Fused attention kernels repeat their scores anyway: nothing is added.
    if (s.stack.kernels.attention == Attention::materialised)
        return {Repeats::attention, 1, {{}, f.attention, {}, {}, {}, {}}};
    return {};
}

Bytes stage_payload(const Work& s) {
    const Layout& l = s.layout;
    const bool split = l.splits_activations() || s.stack.pipeline.scatters_transfers;
    return sent_with_stream(s) * tensor_payload(s) / (split ? l.tensor_parallel : 1);
}

Span stage_span(const Work& s, int stage) {
    const int p = s.layout.pipeline_parallel;
    return s.ranks_over_boundary(p, s.layout.devices / p, stage);
}

Transfer stage_transfer(const Work& s, int stage) {
    if (s.layout.pipeline_parallel == 1) return {};
    const auto find = [&] {
        return point_to_point(stage_span(s, stage), stage_payload(s), s.coding(Traffic::pipeline));
    };
    return s.clusters ? find() : s.handover(find);
}

int slower_boundary(const Work& s, int stage) {
    const int last = s.layout.pipeline_parallel - 1;
    const bool alike = !s.clusters, round = s.comes_round;
    const int before = stage > 0 ? stage - 1 : round ? last : stage, after = stage < last || round ? stage : before;
    return !alike && stage_transfer(s, before).time > stage_transfer(s, after).time ? before : after;
}

// A send and a receive per pass and chunk, as far as they are not hidden.
Sends exposed_sends(const Work& s, int stage) {
    return {slower_boundary(s, stage), s.layout.virtual_stages, s.stack.pipeline.exposed};
}

Seconds stage_messages(const Work& s, int stage) {
    const int p = s.layout.pipeline_parallel, v = s.layout.virtual_stages;
    const bool round = s.comes_round;
    const int neighbours = (round || stage > 0) + (round || stage < p - 1);
    return p > 1 ? v * neighbours * s.stack.pipeline.message : Seconds{};
}

Bytes crossing_logits(const Work& s, int stage) {
    const int head = head_stage(s);
    if (stage <= head || stage > loss_stage(s)) return {};
    const double element = stage == head + 1 ? s.element : 4;
    return element * s.tokens * s.vocabulary * byte;
}

Seconds logits_crossing(const Work& s, int stage) {
    const Bytes logits = crossing_logits(s, stage);
    if (logits <= Bytes{}) return {};
    const Transfer sent = point_to_point(stage_span(s, stage - 1), logits, s.coding(Traffic::pipeline));
    return s.stack.pipeline.exposed * sent.time;
}

namespace {

Seconds power_mean(Seconds a, Seconds b) {
    const double x = a / second, y = b / second;
    const double high = x > y ? x : y, low = x > y ? y : x;
    if (high <= 0) return {};
    return high * std::pow(1 + std::pow(low / high, host_exponent), 1 / host_exponent) * second;
}

LayerTime slowed(const LayerTime& l, double slow) {
    return {slowed(l.forward, slow), slowed(l.backward, slow), l.weight * slow, l.last * slow,
            l.varies_forward * slow, l.varies_backward * slow};
}
EndTime slowed(const EndTime& e, double slow) {
    return {e.forward * slow, e.backward * slow, e.tensor_forward, e.tensor_backward, e.weight * slow};
}

// An exchange of one copy an expert waits for the host to read how many tokens go to each rank, so that the host cannot
// issue the gathers of later layers ahead. Padding up to a capacity fixes the counts, and kernels that send a copy a
// node or a rank pass them on the device.
bool reads_token_counts(const Work& s) {
    const ExpertStack& e = s.stack.experts;
    const bool fixed = s.model.experts.capacity > 0 && s.model.experts.pads;
    return has_experts(s.model) && !fixed && e.dispatch == Dispatch::per_expert
        && e.host_experts > Seconds{} && e.graph == Graph::none;
}

Seconds gather_exposed(const Work& s, Seconds compute, Seconds communication) {
    if (communication <= Seconds{}) return {};
    const double tax = reads_token_counts(s) ? 1 : s.stack.sharding.gather_overlap_tax;
    return overlapped(compute, communication, tax) - compute;
}

struct HostTime { Seconds forward, backward; };

// What a CUDA graph leaves of the host's time for a layer with experts beyond a dense one's.
double graph_left(const ExpertStack& k) {
    switch (k.graph) {
        case Graph::none: return 1;
        case Graph::router: return k.router_graph_leaves;
        case Graph::attention_router: return k.attention_graph_leaves;
        case Graph::whole_step: break;
    }
    return 0;
}

// The head's products and the loss, as far as they are on this stage, and once more for each further token.
EndTime head_of(const Work& s, const LayerTimes& layers, int stage) {
    EndTime e;
    if (holds_modules(s, stage))
        for (int i = 0; i < s.model.further.depths; ++i) e += layers.module_end;
    if (holds_head(s, stage) && holds_loss(s, stage)) {
        e += layers.head;
        return e;
    }
    const Seconds loss = cross_entropy_bytes(s) / rates_of(s).memory / 2;   // of either pass
    if (holds_loss(s, stage)) {
        e.forward += loss;
        e.backward += loss;
    }
    if (holds_head(s, stage)) {
        e += layers.head;
        e.forward = e.forward - loss;
        e.backward = e.backward - loss;
    }
    return e;
}

// Kernels that an adapter launches in a pass, two products, scaling and adding up, against those of a layer that is not
// fused. Our own count of the operators of both.
constexpr double adapter_launches = 4 / 24.0;

// Matrices of such a layer that ZeRO-3 gathers one at a time. Experts' are fetched together up to as many elements as
// the width squared, about what DeepSpeed prefetches under Hugging Face's Trainer; vectors and routers stay gathered.
double gathered_alone(const Work& s, const LayerKind& kind) {
    const double width = s.model.hidden, of_experts = std::max(1, s.layout.expert_parallel);
    double count = 0;
    for (const Weight& w : weights_of(s.model, kind)) {
        if (w.matrix() <= 10 * width) continue;
        const double copies = w.copies > 1 ? w.copies / of_experts : 1;
        count += std::clamp(copies * w.matrix() / (width * width), 1.0, std::max(1.0, copies));
    }
    return count;
}

HostTime host_time(const Work& s, const LayerCounts& blocks, const LayerCounts& forward_again,
                   const LayerCounts& modules_again) {
    const HostSide& k = s.stack.host;
    const int t = s.layout.tensor_parallel;
    const bool far = s.layout.pipeline_parallel > 1 && s.layout.devices > s.machine.devices_per_node;
    // Hosts that messages of the pipeline hold up also issue late what crosses nodes.
    const Seconds held_up = double(t) * k.pipeline_tensor + k.late_collectives * tensor_crossing(s);
    const Seconds waits = far && k.pipeline_tensor > Seconds{} ? held_up : Seconds{};
    const Seconds tensor = t > 1 ? k.tensor + waits : Seconds{};
    const double slowest = 1 + k.jitter * (t - 1);
    const ExpertStack& e = s.stack.experts;
    // Cutting a layer into pieces that alternate with those of another micro-batch: of what a graph replays there are
    // none.
    const double beside = e.exchange_exposed < 1 ? 1 : passes_side_by_side(s);
    const Seconds latent = has_latent_attention(s.model) ? e.host_latent : Seconds{};
    const Seconds experts = graph_left(e) * (e.host_experts + latent + beside * e.host_exchange);
    const bool whole = e.graph == Graph::whole_step;
    const Layers& kinds = s.layers;
    const auto pass = [&](const LayerCounts& mix, int kernels, bool one_block = false) {
        double issued = 0, routed = 0;   // a graph of the whole step leaves the host nothing of either
        for (Kind i = 0; i < kinds.kinds(); ++i) {
            const bool has_experts = kinds[i].feed == Feed::experts;
            if (has_experts && whole) continue;
            if (one_block && !recomputes(s, kinds[i], has_experts ? Module::moe : Module::mlp)) continue;
            issued += mix[i] * (one_block ? 1 / 2.0 : kinds[i].blocks() / 2.0);
            if (!one_block) issued += mix[i] * adapter_launches * adapters_of(s.model, kinds[i], s.method);
            routed += has_experts ? mix[i] : 0;
        }
        const double slow = slowest * s.machine.host.issue_factor;
        return issued * slow * (kernels * k.layer + tensor) + kernels * (routed * slow * experts);
    };
    const Seconds again = pass(forward_again, 1) + pass(modules_again, 1, true);
    HostTime host{pass(blocks, 1), pass(blocks, 2) + again};
    const StateSharding& sharding = s.stack.sharding;
    if (s.layout.zero_stage == 3 && s.layout.shards() > 1 && sharding.host_collective > Seconds{}) {
        double matrices = 0;
        for (Kind i = 0; i < kinds.kinds(); ++i) matrices += blocks[i] * gathered_alone(s, kinds[i]);
        const Seconds gathers = matrices * slowest * s.machine.host.issue_factor * sharding.host_collective;
        const int again_and_reduced = !s.layout.keeps_gathered() + !trains_adapters(s.method);
        host.forward += gathers;
        host.backward += double(again_and_reduced) * gathers;
    }
    return host;
}

// Each pass waits for what its traffic takes longer than itself.
void wait_for_tiers(const Work& s, const Swap& swap, int stage, StageTime& t) {
    t.pass_forward = t.forward;
    t.pass_backward = t.backward;
    if (!s.layout.offload.any()) return;
    const TierRates rates = tier_rates(s);
    const PassFlows flows = pass_flows(s, swap, stage, t.forward, t.backward);
    const Seconds forward = time_of(flows.forward, rates), backward = time_of(flows.backward, rates);
    t.streams = forward + backward;
    const Seconds wait_forward = max(Seconds{}, forward - flows.behind_forward);
    const Seconds wait_backward = max(Seconds{}, backward - flows.behind_backward);
    // A queue that has not drained in its half of the passes is waited for in the backward pass.
    const bool halves = flows.behind_forward != t.pass_forward;
    t.forward += halves ? Seconds{} : wait_forward;
    t.backward += halves ? wait_forward + wait_backward : wait_backward;
    t.micro.offload = wait_forward + wait_backward;
}

// Sums over the layers of a stage.
struct Body {
    Seconds forward, backward;                   // device work, context exchange, what shard gathers add
    Seconds tensor_forward, tensor_backward, exchange_forward, exchange_backward;
    Seconds weight;
};

// What a layer's gathers go on beside: device work, and a ring's waits. Hidden parts of a ring do not hold gathers up,
// so the others cannot either: attention that gets faster would lengthen both waits by what it saves once.
Seconds beside_gathers(const Work& s, Seconds device, Seconds context) {
    return s.layout.ring_ranks() > 1 ? device + context : device;
}

struct Passes { Seconds forward, backward; };
// Of one layer's weights, for either pass, and of their gradients.
struct ShardTime { Seconds gather, regather, scatter; };

// `n` layers that are alike in kind and in what they repeat, of whose exchange so much is left; returns the passes of
// one.
Passes add_alike(const Work& s, double n, const LayerTime& layer, const PassTime& again, const ShardTime& shards,
                 double left, Body& body, StepTime& parts) {
    const Seconds context_backward = layer.backward.context + again.context;
    const Seconds gather_forward =
        gather_exposed(s, beside_gathers(s, layer.forward.device(), layer.forward.context), shards.gather);
    const Seconds gather_backward =
        gather_exposed(s, beside_gathers(s, layer.backward.device() + again.device(), context_backward),
                       shards.regather + shards.scatter);
    parts.gemm += n * (layer.forward.gemm + layer.backward.gemm);
    parts.attention += n * (layer.forward.attention + layer.backward.attention);
    parts.elementwise += n * (layer.forward.elementwise + layer.backward.elementwise);
    parts.recompute += n * again.device();
    parts.shard_gather += n * (gather_forward + gather_backward);
    const Seconds forward = layer.forward.device() + layer.forward.context + gather_forward;
    const Seconds backward = layer.backward.device() + again.device() + context_backward + gather_backward;
    parts.context_parallel += n * (layer.forward.context + context_backward);
    const Seconds tensor_backward = layer.backward.tensor + again.tensor,
                  exchange_forward = left * layer.forward.exchange,
                  exchange_backward = left * (layer.backward.exchange + again.exchange);
    body.forward += n * forward;
    body.backward += n * backward;
    body.tensor_forward += n * layer.forward.tensor;
    body.tensor_backward += n * tensor_backward;
    body.exchange_forward += n * exchange_forward;
    body.exchange_backward += n * exchange_backward;
    body.weight += n * layer.weight;
    return {forward + layer.forward.tensor + exchange_forward, backward + tensor_backward + exchange_backward};
}

// Of work on the rank with the longest rows, on the stage's devices, over that on mean rows and the machine's devices.
double slowness(const Work& s, int stage) { return (1 + slowest_rows(s).more()) / s.speed(stage); }

Body add_layers(const Work& s, const LayerTimes& layers, const Swap& swap, int stage, const LayerCounts& blocks,
                const LayerCounts& repeating, StageTime& t) {
    Body body;
    const double slow = slowness(s, stage), left = exchange_left(s);
    const Layers& kinds = s.layers;
    for (Kind k = 0; k < kinds.kinds(); ++k) {
        const int repeat = repeating[k], keep = blocks[k] - repeat;
        if (keep + repeat == 0) {
            t.kinds.add({});
            continue;
        }
        const LayerTime layer = slowed(on_slowest_rank(s, kinds[k], layers[k]), slow);
        const Seconds gather = layer_gather_time(s, kinds[k], stage);
        const ShardTime shards{gather, s.layout.secondary_shard > 0 ? layer_regather_time(s, kinds[k], stage) : gather,
                               layer_scatter_time(s, kinds[k], stage)};
        Passes repeated_one, kept_one;
        if (repeat > 0)
            repeated_one = kept_one =
                add_alike(s, repeat, layer, repeated_work(s, kinds[k], layer, swap, slow).time(), shards, left, body,
                          t.micro);
        if (keep > 0) kept_one = add_alike(s, keep, layer, {}, shards, left, body, t.micro);
        if (repeat == 0) repeated_one = kept_one;
        t.kinds.add({kept_one.forward, kept_one.backward, repeated_one.backward});
    }
    t.micro.expert_exchange = body.exchange_forward + body.exchange_backward;
    return body;
}

// What gathering the tables of the ends and scattering their gradients adds. One table stays whole between a
// micro-batch's passes; a tied one on a single stage is both ends, for which software that fetches tables as units
// gathers it and scatters its gradient twice.
Passes add_tables(const Work& s, int stage, const EndTime& embedding, const EndTime& head, StepTime& parts,
                  Passes& lookup) {
    if (s.layout.zero_stage < 3) return {};
    const ShardTime table{table_gather_time(s, stage), {}, table_scatter_time(s, stage)};
    Passes added;
    const auto add = [&](const EndTime& end) {
        added.forward += gather_exposed(s, end.forward, table.gather);
        added.backward += gather_exposed(s, end.backward, table.scatter);
    };
    if (holds_embedding(s, stage)) add(embedding);
    lookup = added;
    const bool gathered = s.model.tied_embeddings && holds_embedding(s, stage) && !s.stack.sharding.gathers_tables;
    if (holds_loss(s, stage) && !gathered) add(head);
    parts.shard_gather += added.forward + added.backward;
    return added;
}

}  // namespace

StageTime stage_time(const Work& s, const LayerTimes& layers, const Swap& swap, int stage) {
    const Layout& l = s.layout;
    const LayerCounts blocks = blocks_of_stage(s, stage);
    const double slow = slowness(s, stage);
    const EndTime embedding = slowed(holds_embedding(s, stage) ? layers.embedding : EndTime{}, slow);
    const EndTime head = slowed(head_of(s, layers, stage), slow);
    const LayerCounts repeating = repeating_layers(s, swap, stage);
    const LayerCounts forward_again = l.recompute == Recompute::full ? repeating : LayerCounts{};
    const Seconds gap = double(blocks.total()) * s.stack.host.layer_gap,
                  gap_again = double(forward_again.total()) * s.stack.host.layer_gap;

    StageTime t;
    StepTime& parts = t.micro;
    const Body body = add_layers(s, layers, swap, stage, blocks, repeating, t);
    parts.ends = embedding.forward + embedding.backward + head.forward + head.backward;
    const Seconds tensor_forward = body.tensor_forward + embedding.tensor_forward + head.tensor_forward;
    const Seconds tensor_backward = body.tensor_backward + embedding.tensor_backward + head.tensor_backward;
    parts.tensor_parallel = tensor_forward + tensor_backward;

    Passes lookup;
    const Passes tables = add_tables(s, stage, embedding, head, parts, lookup);
    t.lookup_forward = embedding.forward + lookup.forward;
    t.lookup_backward = embedding.backward + lookup.backward;
    t.ends_forward = embedding.forward + head.forward + tables.forward;
    t.ends_backward = embedding.backward + head.backward + tables.backward;
    t.forward = body.forward + t.ends_forward + tensor_forward + body.exchange_forward + gap;
    t.backward = body.backward + t.ends_backward + tensor_backward + body.exchange_backward + (gap + gap_again);
    if (runs_reference(s.method)) {   // its forward pass, with gathers, collectives and gaps
        parts.reference = t.forward;
        for (Seconds* pass : {&t.forward, &t.ends_forward, &t.lookup_forward}) *pass *= 2;
    }
    t.device = t.forward + t.backward;
    t.ends_weight = head.weight;
    t.weight = body.weight + t.ends_weight;
    const HostTime host = host_time(s, blocks, forward_again, s.by_module ? repeating : LayerCounts{});
    const double forwards = forward_passes(s.method);
    t.host = forwards * host.forward + host.backward;
    // A stage may hold neither a layer nor an end.
    const double stretch = t.device > Seconds{} ? power_mean(t.device, t.host) / t.device : 1;
    t.forward *= stretch;
    t.backward *= stretch;
    t.weight *= stretch;
    parts.launch = t.forward + t.backward - (t.device - (2 * gap + gap_again));

    wait_for_tiers(s, swap, stage, t);
    if (l.pipeline_parallel > 1) {
        const Seconds exposed =
            exposed_sends(s, stage).time(s) + stage_messages(s, stage) + logits_crossing(s, stage);
        parts.pipeline_transfer = (forwards + 1) * exposed;
        t.forward += forwards * exposed;
        t.backward += exposed;
    }
    return t;
}

std::vector<StageTime> stage_times(const Work& s) {
    const LayerTimes layers = layer_times(s);
    return stage_times(s, layers, swap_of(s, layers));
}

std::vector<StageTime> stage_times(const Work& s, const LayerTimes& layers, const Swap& swap) {
    std::vector<StageTime> all;
    all.reserve(s.layout.pipeline_parallel);
    // What is swapped depends on how many micro-batches are in flight.
    for (int i = 0; i < s.layout.pipeline_parallel; ++i)
        all.push_back(s.like_before(i) && !swap.on() ? all.back() : stage_time(s, layers, swap, i));
    return all;
}

}  // namespace plimsoll
