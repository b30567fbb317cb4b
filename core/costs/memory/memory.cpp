#include "core/costs/memory/memory.h"

#include "core/costs/kernels/context.h"
#include "core/costs/kernels/layer.h"
#include "core/costs/kernels/tensor.h"
#include "core/costs/memory/optimizer_state.h"
#include "core/costs/offload/swap.h"
#include "core/costs/pipeline/schedule.h"
#include "core/costs/pipeline/share.h"
#include "core/costs/pipeline/stage.h"

namespace plimsoll {

namespace {

// Width of the feed-forward activations every token passes, over all tensor ranks.
double common_ffn(const Scenario& s, Block block) {
    return block == Block::dense ? s.model.ffn : double(s.model.experts.shared) * s.model.experts.shared_ffn;
}

// What routing keeps: fp32 scores of own tokens and, in BigMac's order, both narrow tokens; the copies
// dispatched to this rank and both sides of their experts' activation function.
Bytes routed_activations(const Scenario& s) {
    const Model& m = s.model;
    const double e = activation_bytes(s.recipe.precision), w = exchange_width(m);
    const double narrow = m.experts.order == ExpertOrder::dcca ? 2 * w * e : 0;
    return own_tokens(s) * (4.0 * m.experts.count + narrow) * byte
         + routed_rows(s) * e * (w + routed_ffn(s) * (gated(m.activation) ? 3 : 2)) * byte;
}

}  // namespace

LayerActivations layer_activations(const Scenario& s, Block block) {
    const Model& m = s.model;
    const double t = s.layout.tensor_parallel, e = activation_bytes(s.recipe.precision);
    const double tok = tokens_per_micro_batch(s), h = m.hidden;
    const double mask = m.dropout ? 1 : 0;
    // Two norm inputs, attention input, feed-forward input, and two dropout masks.
    const double residual = tok * h * (4 * e + 2 * mask);
    // Queries, keys and values, projection input; both sides of the activation function.
    const double inner = tok * e * (qkv_width(m) + attention_width(m) + common_ffn(s, block) * (gated(m.activation) ? 3.0 : 2.0));
    // Latent vectors of queries, keys and values, before they are projected up.
    const double latent = has_latent_attention(m) ? tok * e * (m.latent.q_rank + m.latent.kv_rank + m.latent.rope_dim) : 0;
    const double heads = double(s.layout.micro_batch) * m.heads / t;
    const double local = double(s.recipe.sequence_length) / s.layout.context_parallel;
    // Softmax output, dropout output and mask; without dropout the score matrix and the softmax output.
    const double matrix = heads * local * s.recipe.sequence_length * score_density(m) * (2 * e + mask);
    const double statistics = 4 * heads * local;
    const double split = s.layout.splits_activations() ? t : 1;
    return {(residual + latent) / split * byte, inner / t * byte,
            (s.stack.attention == Attention::flash ? statistics : matrix) * byte,
            block == Block::experts ? routed_activations(s) : Bytes{}};
}

Bytes layer_input(const Scenario& s) {
    return tensor_payload(s) / (s.layout.splits_activations() ? s.layout.tensor_parallel : 1);
}

Bytes attention_output(const Scenario& s) {
    const double e = activation_bytes(s.recipe.precision);
    return e * tokens_per_micro_batch(s) * attention_width(s.model) / s.layout.tensor_parallel * byte;
}

namespace {

double in_flight(const Scenario& s, int stage) {
    const Layout& l = s.layout;
    return micro_batches_in_flight(l.schedule, stage, l.pipeline_parallel, l.virtual_stages, micro_batches(s));
}

double waiting(const Scenario& s, int stage) {
    return weight_gradients_waiting(s.layout.schedule, stage, s.layout.pipeline_parallel, micro_batches(s));
}

double vocabulary_shard(const Scenario& s) {
    return double(padded_vocabulary(s.model, s.layout.tensor_parallel)) / s.layout.tensor_parallel;
}

// Operands of the head's weight product: its input and the gradient of the logits.
Bytes waiting_head(const Scenario& s) {
    return layer_input(s) + activation_bytes(s.recipe.precision) * tokens_per_micro_batch(s) * vocabulary_shard(s) * byte;
}

// Head input and final-norm input on the last stage, dropout mask of the embedding on the first.
Bytes end_activations(const Scenario& s, int stage) {
    Bytes sum;
    const double split = s.layout.splits_activations() ? s.layout.tensor_parallel : 1;
    if (first_stage(stage) && s.model.dropout)
        sum += tokens_per_micro_batch(s) * s.model.hidden / split * in_flight(s, stage) * byte;
    if (last_stage(s, stage)) sum += 2 * layer_input(s) + waiting(s, stage) * waiting_head(s);
    return sum;
}

}  // namespace

Bytes stored_activations(const Scenario& s, Block block) {
    // Also on a last stage that does not recompute: what is published of its memory shows no more than a checkpoint.
    if (s.layout.recompute == Recompute::full) return layer_input(s);
    const LayerActivations a = layer_activations(s, block);
    if (s.layout.recompute == Recompute::none) return a.total();
    if (s.stack.selective_share > 0) return (1 - s.stack.selective_share) * a.total();
    return s.stack.attention == Attention::flash ? a.total() : a.replicated + a.sharded + a.routed;
}

// Inputs and output gradients of the four products: 32 s b h in 16 bit for GPT (Qi et al. 2024, table 1).
Bytes waiting_activations(const Scenario& s, Block block) {
    const Model& m = s.model;
    const double t = s.layout.tensor_parallel, branches = gated(m.activation) ? 2 : 1;
    const double residual = 4.0 * m.hidden / (s.layout.splits_activations() ? t : 1);
    const double inner = (qkv_width(m) + attention_width(m) + (1 + branches) * common_ffn(s, block)) / t;
    const double routed = block == Block::experts ? routed_rows(s) * (2 * exchange_width(m) + (1 + branches) * routed_ffn(s)) : 0;
    return activation_bytes(s.recipe.precision) * (tokens_per_micro_batch(s) * (residual + inner) + routed) * byte;
}

Bytes kept_activations(const Scenario& s, const Swap& swap, int stage) {
    if (swap.on()) return swapped_residue(s, swap, stage);
    const LayerMix blocks = blocks_of_stage(s, stage), recomputed = recomputed_of_stage(s, stage, blocks), whole = blocks - recomputed;
    Bytes sum;
    for (const Block block : all_blocks) {
        if (const double layers = recomputed.of(block); layers > 0) sum += in_flight(s, stage) * layers * stored_activations(s, block);
        if (const double layers = whole.of(block); layers > 0) sum += in_flight(s, stage) * layers * layer_activations(s, block).total();
    }
    return sum;
}

namespace {

Bytes waiting_operands(const Scenario& s, int stage) {
    const double micro_batches = waiting(s, stage);
    if (micro_batches == 0) return {};
    const LayerMix blocks = blocks_of_stage(s, stage);
    Bytes sum;
    for (const Block block : all_blocks)
        if (const double layers = blocks.of(block); layers > 0) sum += micro_batches * layers * waiting_activations(s, block);
    return sum;
}

// Recomputation brings one layer back to life at a time, when the layers behind it that were kept have gone.
Bytes brought_back(const Scenario& s, const LayerMix& layers, const LayerMix& recomputed) {
    Bytes live, gone;
    for (const Block block : all_blocks) {
        if (layers.of(block) == 0) continue;
        const LayerActivations one = layer_activations(s, block);
        if (recomputed.of(block) > 0) live = max(live, s.layout.recompute == Recompute::full ? one.total() : one.scores);
        gone += double((layers - recomputed).of(block)) * one.total();
    }
    return max(Bytes{}, live - gone);
}

Bytes beside_logits(const Scenario&, int stage);

// On the last stage it may lie where the logits were: only what is larger than they are adds to the peak.
Bytes brought_back(const Scenario& s, int stage) {
    if (s.layout.recompute == Recompute::none) return {};
    if (s.layout.recompute == Recompute::full && s.stack.logits_share_room) return max(Bytes{}, beside_logits(s, stage) - stage_logits(s, stage));
    return beside_logits(s, stage);
}

Bytes beside_logits(const Scenario& s, int stage) {
    if (!s.layout.recomputes_some()) {
        const LayerMix all = blocks_of_stage(s, stage);
        return brought_back(s, all, all);
    }
    Bytes most;
    for (int c = 0; c < s.layout.virtual_stages; ++c)
        most = max(most, brought_back(s, blocks_of_chunk(s, stage, c), recomputed_of_chunk(s, stage, c)));
    return most;
}

}  // namespace

Bytes stage_activations(const Scenario& s, const Swap& swap, int stage) {
    return kept_activations(s, swap, stage) + waiting_operands(s, stage) + end_activations(s, stage) + brought_back(s, stage);
}

Bytes stage_logits(const Scenario& s, int stage) {
    if (!last_stage(s, stage)) return {};
    const Bytes all = s.stack.logit_bytes * tokens_per_micro_batch(s) * vocabulary_shard(s) * byte;
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
    const double table = embedding_parameters(s.model, padded_vocabulary(s.model, s.layout.tensor_parallel)) / s.layout.weight_shards();
    return state_bytes(s.recipe).weights * table * byte;
}

// Parameters whose states this rank keeps: its share of them from this ZeRO stage on.
double held(const Scenario& s, const Owned& own, int from_stage) {
    const bool sharded = s.layout.zero_stage >= from_stage;
    return own.common / (sharded ? s.layout.shards() : 1) + own.routed / (sharded ? s.layout.expert_shards() : 1);
}

// Gradient bucket in flight and copies of the gradients; the weights of this layer and the prefetched next under ZeRO-3
// or from another tier; one layer's gradients on their way to one.
Bytes communication_buffers(const Scenario& s, const Owned& own, int stage) {
    Bytes sum;
    const Offload& away = s.layout.offload;
    const StateBytes bytes = state_bytes(s.recipe);
    const double layer = layer_parameters(s.model) / s.layout.weight_shards();
    const bool reduces = s.layout.weight_replicas() > 1;
    if (reduces) sum += s.stack.bucket + error_feedback(s, own);
    if ((s.layout.zero_stage == 3 && s.layout.shards() > 1) || away.weights != Tier::device) sum += 2 * max(largest_gather(s), gathered_table(s, stage));
    if (away.gradients != Tier::device) sum += bytes.gradients * layer * byte;
    else sum += s.stack.gradient_copy_bytes * held(s, own, 2) * byte;
    if (s.layout.pipeline_parallel > 1) sum += 2 * layer_input(s);
    if (s.layout.context_parallel > 1) sum += context_buffers(s);
    if (s.layout.on_grid() && s.layout.tensor_parallel > 1) sum += grid_buffers(s);
    return sum;
}

}  // namespace

WorkMemory work_memory(const Scenario& s, const Swap& swap, int stage) { return {stage_activations(s, swap, stage), stage_logits(s, stage)}; }

MemoryUse stage_memory(const Scenario& s, const WorkMemory& work, const Owned& own, int stage) {
    const StateBytes bytes = state_bytes(s.recipe);
    const Offload& away = s.layout.offload;
    MemoryUse m;
    if (away.weights == Tier::device) m.weights = bytes.weights * held(s, own, 3) * byte;
    if (away.gradients == Tier::device) m.gradients = bytes.gradients * held(s, own, 2) * byte;
    if (away.optimizer == Tier::device)
        m.optimizer = (bytes.optimizer + s.stack.optimizer_peak_bytes) * held(s, own, 1) * byte + factored_moments(s, stage);
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
        if (all || i <= 1 || last_stage(s, i) || blocks_of_stage(s, i) != blocks_of_stage(s, i - 1)) stages.push_back(i);
    return stages;
}

std::vector<MemoryUse> stage_memories(const Scenario& s, const Swap& swap) {
    std::vector<MemoryUse> all;
    all.reserve(s.layout.pipeline_parallel);
    for (int i = 0; i < s.layout.pipeline_parallel; ++i) all.push_back(stage_memory(s, swap, i));
    return all;
}

}  // namespace plimsoll
