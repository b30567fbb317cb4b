#include "core/costs/memory/memory.h"

#include "core/costs/kernels/context.h"
#include "core/costs/kernels/tensor.h"
#include "core/costs/memory/optimizer.h"

namespace plimsoll {

namespace {

// Operands of the head's weight product: its input and the gradient of the logits.
Bytes waiting_head(const Scenario& s) {
    return layer_input(s)
         + activation_bytes(s.recipe.precision) * tokens_per_micro_batch(s) * vocabulary_share(s) * byte;
}

// Head input and final-norm input on the last stage, dropout mask of the embedding on the first.
Bytes end_activations(const Scenario& s, int stage) {
    Bytes sum;
    const double split = s.layout.splits_activations() ? s.layout.tensor_parallel : 1;
    if (first_stage(stage) && s.model.dropout)
        sum += tokens_per_micro_batch(s) * s.model.hidden / split * micro_batches_in_flight(s, stage) * byte;
    if (last_stage(s, stage)) sum += 2 * layer_input(s) + weight_gradients_waiting(s, stage) * waiting_head(s);
    return sum;
}

// Recomputation brings the activations of one layer back at a time. By then the backward pass has released the layers
// of the chunk that were kept in full, so only what exceeds these adds to the peak.
Bytes beyond_kept_layers(const Scenario& s, const LayerMix& layers, const LayerMix& recomputed) {
    Bytes largest, released;
    for (const Block block : all_blocks) {
        if (layers.of(block) == 0) continue;
        const LayerActivations one = layer_activations(s, block);
        if (recomputed.of(block) > 0)
            largest = max(largest, s.layout.recompute == Recompute::full ? one.total() : one.scores);
        released += double((layers - recomputed).of(block)) * one.total();
    }
    return max(Bytes{}, largest - released);
}

// Of the chunk where it is most.
Bytes largest_beyond_kept(const Scenario& s, int stage) {
    if (!s.layout.recomputes_some()) {
        const LayerMix all = blocks_of_stage(s, stage);
        return beyond_kept_layers(s, all, all);
    }
    Bytes most;
    for (int c = 0; c < s.layout.virtual_stages; ++c)
        most = max(most, beyond_kept_layers(s, blocks_of_chunk(s, stage, c), recomputed_of_chunk(s, stage, c)));
    return most;
}

// Where the software reuses the room of the logits on the last stage, only what exceeds them adds to the peak.
Bytes recomputed_layer(const Scenario& s, int stage) {
    if (s.layout.recompute == Recompute::none) return {};
    const Bytes layer = largest_beyond_kept(s, stage);
    const bool shares_room = s.layout.recompute == Recompute::full && s.stack.logits_share_room;
    return shares_room ? max(Bytes{}, layer - stage_logits(s, stage)) : layer;
}

}  // namespace

StageActivations stage_activations(const Scenario& s, const Swap& swap, int stage) {
    StageActivations a;
    if (swap.on()) a.kept = residue_of(s, swap, stage).total();
    else layers_in_flight(s, stage, [&](const KeptLayers& k) { a.kept += k.total(); });
    layers_waiting(s, stage, [&](const KeptLayers& k) { a.waiting += k.total(); });
    a.ends = end_activations(s, stage);
    a.recomputed_layer = recomputed_layer(s, stage);
    return a;
}

Bytes stage_logits(const Scenario& s, int stage) {
    if (!last_stage(s, stage)) return {};
    const Bytes all = s.stack.logit_bytes * tokens_per_micro_batch(s) * vocabulary_share(s) * byte;
    return s.stack.logits_at_once > Bytes{} ? min(all, s.stack.logits_at_once) : all;
}

namespace {

// Ring: the block at work and the one arriving, with their gradients. Ulysses: queries,
// keys, values and output once more in the other split.
Bytes context_buffers(const Scenario& s) {
    if (s.layout.context_mode == ContextMode::ring) return 4 * ring_block(s);
    return ulysses_payload(s, qkv_width(s.model) + attention_width(s.model));
}

// Grid: the blocks of inputs and weights at work and those arriving, of the largest product.
Bytes grid_buffers(const Scenario& s) {
    Bytes largest;
    for (const Gemm& g : layer_gemms(s)) {
        const GridPayload p = grid_payload(s, g);
        largest = max(largest, p.inputs / g.steps + p.block);
    }
    return 2 * largest;
}

// What top-k did not send stays with each rank, in the gradients' format, until the next step.
Bytes error_feedback(const Scenario& s, const Owned& own) {
    const bool keeps = s.compression.error_feedback && codec_of(s, Traffic::gradients).kind == CodecKind::top_k;
    return keeps ? value_bytes(s, Traffic::gradients) * own.total() * byte : Bytes{};
}

// Weights of the larger kind of layer, as far as they are sharded.
Bytes largest_gather(const Scenario& s) {
    const int routed = expert_layers(s.model);
    const auto of = [&](Block b) {
        const Owned one = layer_share(s, b);
        return state_bytes(s.recipe).weights * (one.common + (s.layout.expert_data() > 1 ? one.routed : 0)) * byte;
    };
    if (routed == 0) return of(Block::dense);
    return routed == s.model.layers ? of(Block::experts) : max(of(Block::dense), of(Block::experts));
}

// A unit of its own beside the layers, where the software fetches it whole.
Bytes gathered_table(const Scenario& s, int stage) {
    if (!s.stack.gathers_tables || !(first_stage(stage) || last_stage(s, stage))) return {};
    return state_bytes(s.recipe).weights * table_share(s) * byte;
}

// Ranks share a state from this ZeRO stage on.
HeldState held(const Scenario& s, const Owned& own, double bytes, int from_stage) {
    const bool sharded = s.layout.zero_stage >= from_stage;
    return {bytes, own, sharded ? s.layout.shards() : 1, sharded ? s.layout.expert_shards() : 1};
}

// Gradient bucket in flight and copies of the gradients; the weights of this layer and the prefetched next under ZeRO-3
// or from another tier; one layer's gradients on their way to one.
Bytes communication_buffers(const Scenario& s, const Owned& own, int stage) {
    Bytes sum;
    const Offload& away = s.layout.offload;
    const StateBytes bytes = state_bytes(s.recipe);
    const double layer = layer_share(s, Block::dense).total();
    const bool reduces = s.layout.weight_replicas() > 1;
    if (reduces) sum += s.stack.bucket + error_feedback(s, own);
    if ((s.layout.zero_stage == 3 && s.layout.shards() > 1) || away.weights != Tier::device)
        sum += 2 * max(largest_gather(s), gathered_table(s, stage));
    if (away.gradients != Tier::device) sum += bytes.gradients * layer * byte;
    else sum += held(s, own, s.stack.gradient_copy_bytes, 2).total();
    if (s.layout.pipeline_parallel > 1) sum += 2 * layer_input(s);
    if (s.layout.context_parallel > 1) sum += context_buffers(s);
    if (s.layout.on_grid() && s.layout.tensor_parallel > 1) sum += grid_buffers(s);
    return sum;
}

}  // namespace

HeldState held_weights(const Scenario& s, const Owned& own) { return held(s, own, state_bytes(s.recipe).weights, 3); }

HeldState held_gradients(const Scenario& s, const Owned& own) {
    return held(s, own, state_bytes(s.recipe).gradients, 2);
}

HeldState held_optimizer(const Scenario& s, const Owned& own) {
    return held(s, own, state_bytes(s.recipe).optimizer + s.stack.optimizer_peak_bytes, 1);
}

WorkMemory work_memory(const Scenario& s, const Swap& swap, int stage) {
    return {stage_activations(s, swap, stage).total(), stage_logits(s, stage)};
}

MemoryUse stage_memory(const Scenario& s, const WorkMemory& work, const Owned& own, int stage) {
    const Offload& away = s.layout.offload;
    MemoryUse m;
    if (away.weights == Tier::device) m.weights = held_weights(s, own).total();
    if (away.gradients == Tier::device) m.gradients = held_gradients(s, own).total();
    if (away.optimizer == Tier::device) m.optimizer = held_optimizer(s, own).total() + factored_moments(s, stage);
    m.preconditioner = owned_factors(s, stage) + unreduced_statistics(s, stage);
    m.activations = work.activations;
    m.logits = work.logits;
    m.buffers = communication_buffers(s, own, stage);
    const double lost = away.planned_memory ? 0 : s.stack.fragmentation - 1;
    m.fragmentation = lost * (m.activations + m.logits + m.buffers);
    m.context = s.stack.context;
    return m;
}

MemoryUse stage_memory(const Scenario& s, const Swap& swap, int stage) {
    return stage_memory(s, work_memory(s, swap, stage), stage_parameters(s, stage), stage);
}

MemoryUse stage_memory(const Scenario& s, int stage) { return stage_memory(s, swap_of(s), stage); }

std::vector<int> stages_that_may_fill(const Scenario& s) {
    const int p = s.layout.pipeline_parallel, routed = expert_layers(s.model);
    // Zero-bubble: fewer micro-batches in flight, but more that wait. Layers of mixtures differ by kind, chunks
    // of unlike length by what is recomputed, stages by the factors their ranks own.
    const bool unlike_chunks = s.layout.virtual_stages > 1 && s.model.layers % (p * s.layout.virtual_stages) != 0;
    const Optimizer rule = s.recipe.optimizer;
    const bool all = splits_backward(s.layout.schedule) || (routed > 0 && routed < s.model.layers) || unlike_chunks
                  || preconditions(rule) || rule == Optimizer::adafactor;
    std::vector<int> stages;
    for (int i = 0; i < p; ++i)
        if (all || i <= 1 || last_stage(s, i) || blocks_of_stage(s, i) != blocks_of_stage(s, i - 1))
            stages.push_back(i);
    return stages;
}

std::vector<MemoryUse> stage_memories(const Scenario& s, const Swap& swap) {
    std::vector<MemoryUse> all;
    all.reserve(s.layout.pipeline_parallel);
    for (int i = 0; i < s.layout.pipeline_parallel; ++i) all.push_back(stage_memory(s, swap, i));
    return all;
}

}  // namespace plimsoll
