#include "core/costs/step/step.h"

#include <algorithm>

namespace plimsoll {

namespace {

// Of the passes of a stage's layers.
struct ChunkShare { double forward, backward; };

struct LayerPasses { Seconds forward, backward; };
LayerPasses passes_of(const StageTime& t, const LayersHeld& held) {
    LayerPasses sum;
    for (Kind k = 0; k < t.kinds.size(); ++k) {
        const KindTime& one = t.kinds[k];
        const int layers = held.layers[k], recomputed = held.recomputed[k];
        sum.forward += layers * one.forward;
        sum.backward += (layers - recomputed) * one.kept_backward + recomputed * one.repeated_backward;
    }
    return sum;
}

// By their time: chunks may differ in kinds, and in what is recomputed, as well as in number.
ChunkShare share_of_chunk(const Work& s, const StageTime& t, int stage, int chunk) {
    if (s.layout.virtual_stages == 1) return {1, 1};
    if (layers_of_stage(s, stage) == 0) return {1.0 / s.layout.virtual_stages, 1.0 / s.layout.virtual_stages};
    if (s.layers.all_alike() && !s.layout.recomputes_some()) {
        const double share = double(s.chunk(stage, chunk).layers.total()) / layers_of_stage(s, stage);
        return {share, share};
    }
    const LayerPasses here = passes_of(t, s.chunk(stage, chunk)), all = passes_of(t, s.stage(stage));
    return {here.forward / all.forward, here.backward / all.backward};
}

}  // namespace

std::vector<ChunkTime> chunk_times(const Work& s, const std::vector<StageTime>& stages) {
    const int v = s.layout.virtual_stages, p = int(stages.size());
    std::vector<ChunkTime> chunks;
    chunks.reserve(stages.size() * v);
    for (int i = 0; i < p; ++i) {
        const StageTime& t = stages[i];
        // The embedding belongs to the first chunk, the head to the last.
        const ChunkTime body{t.forward - t.ends_forward, t.backward - t.ends_backward, t.weight - t.ends_weight};
        for (int c = 0; c < v; ++c) {
            const ChunkShare share = share_of_chunk(s, t, i, c);
            chunks.push_back(
                {body.forward * share.forward, body.backward * share.backward, body.weight * share.backward});
        }
        const bool both_ends = v > 1 && holds_embedding(s, i) && holds_loss(s, i);
        if (p == 1 || holds_embedding(s, i) || holds_head(s, i) || holds_loss(s, i) || holds_modules(s, i)) {
            ChunkTime& end = chunks[i * v + (holds_embedding(s, i) && !both_ends ? 0 : v - 1)];
            end.forward += t.ends_forward;
            end.backward += t.ends_backward;
            end.weight += t.ends_weight;
            if (!both_ends) continue;
            chunks[i * v].forward += t.lookup_forward;
            chunks[i * v].backward += t.lookup_backward;
            end.forward = end.forward - t.lookup_forward;
            end.backward = end.backward - t.lookup_backward;
        }
    }
    return chunks;
}

namespace {

int busiest(const std::vector<StageTime>& stages) {
    int best = 0;
    for (int i = 1; i < int(stages.size()); ++i)
        if (stages[i].forward + stages[i].backward > stages[best].forward + stages[best].backward) best = i;
    return best;
}


// Before the first layer can start, and after the last one: nothing of the same step hides it.
// `meanwhile`: what a step computes and reduces, and an update of the step before may use.
TierWait tier_wait(const Work& s, const Parameters& parameters, const StageTime& stage, Seconds meanwhile) {
    const Offload& o = s.layout.offload;
    TierWait w;
    if (!o.states()) return w;
    const TierRates rates = tier_rates(s);
    w.fetch = fetched(o.weights, owned_states(s, layer_share(s, first_layer(s))).weights);
    w.moved = state_flows(s, parameters).update;
    w.first_fetch = time_of(w.fetch, rates);
    w.in_turn = moves_in_turn(s);
    w.traffic = w.in_turn ? time_of(downwards(w.moved), rates) + time_of(upwards(w.moved), rates)
                          : time_of(w.moved, rates);
    w.update = host_update_time(s, parameters);
    if (o.delayed_update) w.window = max(Seconds{}, meanwhile - s.micro_batches * stage.streams);
    return w;
}

// What of a stage's reduction is over before the first stage's last backward pass ends: the last
// micro-batch still has to go back through those before it. Updates wait for the slowest reduction,
// since they clip by the norm of all gradients. Where steps overlap there is no such order.
Seconds head_start(const Work& s, const std::vector<StageTime>& stages, int stage, const GradientTime& reduction) {
    Seconds sum;
    if (!s.clusters || schedule_kind(s.layout.schedule).steps_overlap) return sum;
    for (int i = 0; i < stage; ++i) sum += stages[i].backward / s.layout.virtual_stages;
    return min(sum, reduction.exposed + reduction.crossing);
}

// What comes after the pipeline's last backward pass, if this stage ends the step.
Seconds closing_time(const Work& s, const std::vector<StageTime>& stages, int i, Seconds pipeline) {
    const Parameters& own = stage_parameters(s, i);
    const GradientTime g = gradient_time(s, own, hiding_passes(stages[i].forward + stages[i].backward), i);
    const PreconditionerTime t = preconditioner_time(s, i);
    const Seconds reducing = g.exposed + g.crossing - head_start(s, stages, i, g);
    return reducing + optimizer_time(s, own, layers_of_stage(s, i), i).total() + t.exchange() + t.compute()
         + tier_wait(s, own, stages[i], pipeline + reducing).after();
}

// With several clusters, the stage that ends the step: over a slow network it may be a later one.
int closing_stage(const Work& s, const std::vector<StageTime>& stages, Seconds pipeline, int heaviest) {
    if (!s.clusters) return heaviest;
    int best = 0;
    Seconds latest = closing_time(s, stages, 0, pipeline);
    for (int i = 1; i < s.layout.pipeline_parallel; ++i)
        if (const Seconds end = closing_time(s, stages, i, pipeline); end > latest) latest = end, best = i;
    return best;
}

StepTime times(double m, const StepTime& micro) {
    StepTime sum;
    for (const auto& part : step_parts) sum.*part.value = m * (micro.*part.value);
    return sum;
}

Seconds fill_transfer(const Work& s) {
    Seconds sum;
    hidden_sends(s, [&](const Sends& sends) { sum += sends.time(s); });
    return sum;
}

}  // namespace

int heaviest_stage(const Work& s) {
    const auto trained = [](const StageShare& stage) { return stage.parameters.trained.total(); };
    const auto lighter = [&](const StageShare& a, const StageShare& b) { return trained(a) < trained(b); };
    return std::ranges::max_element(s.stages(), lighter)->first;
}

Step step_of(const Work& s, const std::vector<StageTime>& stages) {
    const Layout& l = s.layout;
    return step_of(s, stages, makespan(l, chunk_times(s, stages), s.micro_batches),
                   heaviest_stage(s));
}

Step step_of(const Work& s, const std::vector<StageTime>& stages, Seconds pipeline, int heaviest_stage) {
    const Layout& l = s.layout;
    const int m = s.micro_batches;
    Step step;
    step.busiest_stage = busiest(stages);
    const StageTime& stage = stages[step.busiest_stage];
    step.pipeline = pipeline;
    if (l.pipeline_parallel > 1) step.fill_transfer = fill_transfer(s);

    step.engine = (m - 1) * s.stack.host.micro_batch;

    const int heavy = step.heaviest_stage = closing_stage(s, stages, step.pipeline, heaviest_stage);
    step.heaviest = stage_parameters(s, heavy);
    const Seconds micro_batch = stages[heavy].forward + stages[heavy].backward;
    step.gradients = gradient_time(s, step.heaviest, hiding_passes(micro_batch), heavy);
    step.head_start = head_start(s, stages, heavy, step.gradients);
    const Seconds reducing = step.gradients.exposed + step.gradients.crossing - step.head_start;
    step.optimizer = optimizer_time(s, step.heaviest, layers_of_stage(s, heavy), heavy);
    step.preconditioner = preconditioner_time(s, heavy);
    step.tiers = tier_wait(s, step.heaviest, stages[heavy], step.pipeline + reducing);
    step.tied_embedding = tied_embedding_time(s);
    step.shared_weights = shared_weights_time(s);
    // The first gather and the last scatter have nothing to hide behind.
    const LayerKind first = first_layer(s);
    step.unhidden_shards = layer_gather_time(s, first, heavy) + layer_scatter_time(s, first, heavy);

    step.parts = times(m, stage.micro);
    // A pipeline of one stage has none; the difference of two rounded sums may still be a little below zero.
    step.parts.bubble = max(step.pipeline - m * (stage.forward + stage.backward), Seconds{});
    step.parts.pipeline_transfer += step.fill_transfer;
    step.parts.launch += step.engine;
    step.parts.shard_gather += step.unhidden_shards;
    step.parts.offload += step.tiers.exposed();
    step.parts.data_parallel = reducing + step.tied_embedding + step.shared_weights + step.preconditioner.exchange();
    step.parts.optimizer = step.optimizer.total();
    step.parts.preconditioner = step.preconditioner.compute();
    return step;
}

}  // namespace plimsoll
