#include "core/costs/memory/memory.h"

#include "core/costs/kernels/context.h"
#include "core/costs/kernels/data_parallel.h"
#include "core/costs/kernels/indexer.h"
#include "core/costs/kernels/tensor.h"
#include "core/costs/optimizer/optimizer.h"
#include "core/values/plan/schedules.h"

#include <algorithm>
#include <string_view>

namespace plimsoll {

namespace {

// Operands of the head's weight product: its input and the gradient of the logits.
Bytes waiting_head(const Work& s) {
    return layer_input(s)
         + s.element * s.tokens * s.vocabulary * byte;
}

// Head input and final-norm input on the last stage, dropout mask of the embedding on the first.
Bytes end_activations(const Work& s, int stage) {
    Bytes sum;
    const double split = s.layout.splits_activations() ? s.layout.tensor_parallel : 1;
    if (holds_embedding(s, stage) && s.model.dropout)
        sum += s.tokens * s.model.hidden / split * micro_batches_in_flight(s, stage) * byte;
    if (holds_head(s, stage))
        sum += 2.0 * losses_waiting(s, stage) * layer_input(s) + weight_gradients_waiting(s, stage) * waiting_head(s);
    // Of each further token: the embedding, both norms' results beside each other, and the inputs of norm and head.
    if (holds_modules(s, stage))
        sum += 5.0 * s.model.further.depths * losses_waiting(s, stage) * layer_input(s);
    return sum;
}

// Recomputation brings the activations of one layer back at a time. By then the backward pass has released the layers
// of the chunk that were kept in full, so only what exceeds these adds to the peak.
Bytes beyond_kept_layers(const Work& s, const LayerCounts& layers, const LayerCounts& recomputed) {
    Bytes largest, released;
    const Layers& all = s.layers;
    for (Kind k = 0; k < all.kinds(); ++k) {
        if (layers[k] == 0) continue;
        const LayerActivations& one = layer_activations(s, k);
        if (recomputed[k] > 0) largest = max(largest, s.by_module             ? modules_brought_back(s, k)
                                                : brings_back_layers(s) ? whole_layer(s, k)
                                                                        : one.scores);
        released += double(layers[k] - recomputed[k]) * one.total();
    }
    return max(Bytes{}, largest - released);
}

// Of the chunk where it is most.
Bytes recomputed_layer(const Work& s, int stage) {
    if (s.layout.recompute == Recompute::none) return {};
    if (!s.layout.recomputes_some()) {
        const LayerCounts all = blocks_of_stage(s, stage);
        return beyond_kept_layers(s, all, all);
    }
    Bytes most;
    for (int c = 0; c < s.layout.virtual_stages; ++c)
        most = max(most, beyond_kept_layers(s, s.chunk(stage, c).layers, s.chunk(stage, c).recomputed));
    return most;
}

}  // namespace

StageActivations stage_activations(const Work& plan, const Swap& swap, int stage) {
    const Work& s = plan.longest();
    StageActivations a;
    if (swap.on()) a.kept = residue_of(s, swap, stage).total();
    else layers_in_flight(s, stage, [&](const KeptLayers& k) { a.kept += k.total(); });
    layers_waiting(s, stage, [&](const KeptLayers& k) { a.waiting += k.total(); });
    a.ends = end_activations(s, stage);
    a.recomputed_layer = recomputed_layer(s, stage);
    return a;
}

namespace {

// Ring: the block at work and the one arriving, with their gradients. Ulysses: queries,
// keys, values and output once more in the other split. All-gather: keys and values of all
// ranks, and their gradients.
Bytes context_buffers(const Work& s) {
    const Layers& layers = s.layers;
    Bytes largest;
    for (Kind k = 0; k < layers.kinds(); ++k) {
        if (!layers[k].attends()) continue;
        if (sees_chosen_keys(s.model, layers[k])) {   // and their gradients
            largest = max(largest, 2 * gathered_keys(s, layers[k]));
            continue;
        }
        const AttentionSizes a = attention_of(s.model, layers[k]);
        Bytes held;
        if (s.layout.context_mode == ContextMode::all_gather) held = 2 * gathered_sequence(s, layers[k]);
        if (s.layout.ring_ranks() > 1) held += 4 * ring_block(s, layers[k]);
        if (s.layout.head_ranks() > 1) held += ulysses_payload(s, a.all() + a.values());
        largest = max(largest, held);
    }
    return largest;
}

// Grid: the blocks of inputs and weights at work and those arriving, of the largest product.
Bytes grid_buffers(const Work& s) {
    const Layers& layers = s.layers;
    Bytes largest;
    for (Kind k = 0; k < layers.kinds(); ++k)
        for (const Gemm& g : layer_gemms(s, layers[k])) {
            const GridPayload p = grid_payload(s, g);
            largest = max(largest, p.inputs / g.steps + p.block);
        }
    return 2 * largest;
}

ExchangeBuffers exchange_buffers(const Work& s) {
    const Layout& l = s.layout;
    return {l.context_parallel > 1 ? context_buffers(s) : Bytes{},
            l.on_grid() && l.tensor_parallel > 1 ? grid_buffers(s) : Bytes{}};
}

// What top-k did not send stays with each rank, in the gradients' format, until the next step.
Bytes error_feedback(const Work& s, const ParameterCounts& own) {
    const bool keeps = s.compression.error_feedback && s.coding(Traffic::gradients).kind == CodecKind::top_k;
    return keeps ? value_bytes(s, Traffic::gradients) * own.total() * byte : Bytes{};
}

// Parameters of a unit, as far as others share them.
double shared_parameters(const Work& s, const ParameterCounts& unit) {
    return unit.common() + (s.layout.expert_shards() > 1 ? unit.routed() : 0);
}

// Of a unit, the parameters that are gathered and those that have a gradient.
struct Unit {
    double weights, gradients;
};
// Weights in parameters that take as many bytes as one that is fetched in the recipe's format.
Unit unit_of(const Work& s, const Parameters& p) {
    double weights = shared_parameters(s, p.all);
    if (quantises_frozen(s.method))
        weights -= (1 - frozen_bytes(s.method.frozen) / gathered_bytes(s))
                 * shared_parameters(s, quantised(s.method, p));
    return {weights, shared_parameters(s, p.trained)};
}
Unit larger(const Unit& a, const Unit& b) {
    return {std::max(a.weights, b.weights), std::max(a.gradients, b.gradients)};
}

Unit largest_layer(const Work& s) {
    Unit most{};
    for (Kind k = 0; k < s.layers.kinds(); ++k) most = larger(most, unit_of(s, of_one_rank(s, s.parameters(k).layer)));
    return most;
}

// Bytes of a parameter's gradient before it is shared out: as fetched, and the fp32 copy that is sent.
double whole_gradient_bytes(const Work& s) {
    const double own = gathered_bytes(s);
    return own + (s.stack.sharding.reduces_fp32 && own < 4 ? 4 : 0);
}

constexpr double gradient_sum_bytes = 4;   // fp32, over micro-batches

// Ranks share a state from this ZeRO stage on.
HeldState held(const Work& s, const ParameterCounts& own, double bytes, int from_stage) {
    const bool sharded = s.layout.zero_stage >= from_stage;
    return {bytes, own, sharded ? s.layout.shards() : 1, sharded ? s.layout.expert_shards() : 1};
}

bool widens_moments(const Work& s) {
    const bool narrow = moment_bytes(s.recipe) > 0 && moment_bytes(s.recipe) < 4 && !kept_by(s.recipe.optimizer).narrow;
    return s.stack.memory.widens_moments && narrow && !s.layout.offload.updates_all_on_cpus();
}

bool shares_units(const Work& s) { return s.layout.zero_stage == 3 && s.layout.shards() > 1; }

// One unit at a time is fetched from another tier, or by software that has room for two: at work, and next or its
// gradient.
bool fetches_one_by_one(const Work& s) {
    return s.layout.offload.weights != Tier::device || (shares_units(s) && s.stack.sharding.gathers_tables);
}

bool keeps_units(const Work& s) {
    return shares_units(s) && !fetches_one_by_one(s) && s.stack.sharding.keeps_units_in_pipeline
        && s.layout.pipeline_parallel > 1;
}

// Between two stages: what arrives and what leaves of either pass, or, where weights stay gathered for all
// micro-batches, room to receive each of them both ways (torch.distributed.pipelining).
Bytes between_stages(const Work& s) {
    if (s.layout.pipeline_parallel == 1) return {};
    return (keeps_units(s) ? 2.0 * s.micro_batches : 2.0) * sent_with_stream(s) * layer_input(s);
}

// Of the outputs of a product those of the largest tensor in it: frameworks that keep weights in few bits keep queries,
// keys and values apart, and the branches of a gated block. Fused adapters lie beside matrices that are one.
double share_of_largest_part(const Work& s, const Weights& weights, const Gemm& g) {
    if (s.method.fused_adapters) return 1;
    const auto product = std::ranges::find(weights, std::string_view(g.id), &Weight::id);
    return product == weights.end() || product->parts[0] == 0 ? 1 : std::ranges::max(product->parts) / product->out;
}

// The largest of those that are decoded, one after the other.
Bytes decoded_matrix(const Work& s) {
    double largest = 0;
    if (!quantises_frozen(s.method)) return {};
    for (Kind k = 0; k < s.layers.kinds(); ++k) {
        const Weights weights = weights_of(s.model, s.layers[k]);
        for (const Gemm& g : layer_gemms(s, s.layers[k]))
            if (!g.trained) largest = std::max(largest, g.batch * g.k * g.n * share_of_largest_part(s, weights, g));
    }
    return s.element * largest * byte;
}

// Each goes when the backward pass has it: to another tier, or into the weights.
bool gradients_leave(const Work& s) {
    return s.layout.offload.gradients != Tier::device || s.recipe.updates_in_backward;
}

// Magnitudes (DoRA): the largest adapter multiplied out, what makes it, scaled, and the sum with its matrix. About
// 512 MB of a matrix of 8,192 by 8,192 in 16 bits (2603.22276).
constexpr double dense_copies = 4;
Bytes dense_update(const Work& s) {
    double largest = 0;
    if (!trains_magnitudes(s.method)) return {};
    for (Kind k = 0; k < s.layers.kinds(); ++k)
        for (const Gemm& g : dense_updates(s, s.layers[k])) largest = std::max(largest, g.batch * g.m * g.n);
    return dense_copies * s.element * largest * byte;
}

// What does not change from moment to moment.
Buffers lasting_buffers(const Work& s, const Parameters& own, int stage) {
    Buffers b;
    const Layout& l = s.layout;
    if (l.weight_replicas() > 1) {
        b.bucket = s.stack.gradients.bucket;
        if (l.pipeline_parallel == 1) b.bucket += s.stack.memory.unpipelined_buckets;
        b.error_feedback = error_feedback(s, own.trained);
    }
    if (gradients_leave(s))
        b.whole_gradients = s.states.gradients * largest_layer(s).gradients * byte;
    else b.gradient_copies = held(s, own.trained, s.stack.memory.gradient_copy_bytes, 2).total();
    if (keeps_converted_weights_alone(s) && l.zero_stage >= 1 && !s.recipe.gathers_into_gradients
        && number_recipe(s).gathered >= s.states.weights)
        b.gathered_wide = s.states.weights * own.converted.total() * byte;
    b.between_stages = between_stages(s);
    if (s.stack.memory.unsplit_stream_bytes > 0)
        b.unsplit_stream = s.stack.memory.unsplit_stream_bytes * s.tokens * s.model.hidden
                         * (1 - 1.0 / l.tensor_parallel) * micro_batches_in_flight(s, stage) * byte;
    const ExchangeBuffers& exchange = s.exchange_buffers([&] { return exchange_buffers(s); });
    b.context = exchange.context;
    b.grid = exchange.grid;
    b.decoded = decoded_matrix(s);
    b.dense_update = dense_update(s);
    return b;
}

// What the allocator takes over what tensors take of activations, logits and buffers.
double reserve_of(const Work& s) { return s.layout.offload.planned_memory ? 1 : s.stack.memory.fragmentation; }

// The highest of several moments, of equal ones the first.
class Highest {
public:
    Highest(const Work& s, const Parameters& own)
        : reserve_(reserve_of(s)), always_(!gradients_come_and_go(s) || s.micro_batches > 1) {
        if (!gradients_leave(s)) gradients_ = held_gradients(s, own).total();
    }
    void consider(StagePeak p) {
        const bool there = always_ || p.when == Moment::last_layer || p.when == Moment::update;
        p.gradients = there ? gradients_ : Bytes{};
        const Bytes held = p.gradients + p.update + reserve_ * p.total();
        if (any_ && held <= most_) return;
        most_ = held;
        peak_ = p;
        any_ = true;
    }
    const StagePeak& peak() const { return peak_; }

private:
    double reserve_;
    bool always_, any_ = false;
    Bytes gradients_, most_;
    StagePeak peak_;
};

Buffers with_units_one_by_one(const Work& s, Buffers b, const Parameters& own, int stage) {
    if (!fetches_one_by_one(s)) return b;
    const bool kept = s.layout.keeps_gathered();
    const bool table = s.stack.sharding.gathers_tables && (holds_embedding(s, stage) || holds_head(s, stage));
    const Unit unit = larger(largest_layer(s), table ? unit_of(s, s.table()) : Unit{});
    b.gathered = gathered_bytes(s) * (kept ? unit_of(s, own).weights : 2 * unit.weights) * byte;
    // Besides the weights at work and those that arrive, a gradient is whole until it is shared out.
    if (shares_units(s) && s.stack.sharding.gathers_tables)
        b.whole_gradients += gradient_sum_bytes * unit.gradients * byte;
    return b;
}

// All at once. Where the software reuses the room of the logits, a layer that comes back takes only what exceeds them.
StagePeak peak_of_everything(const Work& s, const WorkMemory& w, const Buffers& buffers) {
    StagePeak p;
    const bool after_loss = s.layout.recompute == Recompute::full || s.by_module;
    const bool shares_room = after_loss && s.stack.loss.logits_share_room;
    p.recomputed_layer = shares_room ? max(Bytes{}, w.recomputed_layer - w.logits) : w.recomputed_layer;
    p.activations = w.kept + p.recomputed_layer;
    p.logits = w.logits;
    p.buffers = buffers;
    return p;
}

// No layer is at work: none of its matrices is decoded or multiplied out. A loss in pieces goes back through the head
// piece by piece: its gradient is added up beside the logits, and the gradient of one piece stands beside the sum.
StagePeak at_loss(const Work& s, const WorkMemory& w, const Buffers& lasting, int stage) {
    StagePeak p{Moment::loss, {}, {}, w.kept, w.logits, lasting};
    p.buffers.decoded = p.buffers.dense_update = Bytes{};
    const int beside = s.micro_batches > 1 ? 1 : 2;   // the sum is there from the first micro-batch on
    if (s.stack.loss.chunks > 1 && holds_head(s, stage))
        p.buffers.whole_gradients += beside * s.states.gradients * unit_of(s, s.table()).gradients * byte;
    return p;
}

StagePeak with_layer_back(Moment when, const WorkMemory& w, Bytes released, const Buffers& lasting) {
    return {when, released, w.recomputed_layer, w.kept - released + w.recomputed_layer, {}, lasting};
}

// The backward pass of the last of all layers, which the forward pass began with.
StagePeak at_last_layer(const WorkMemory& w, const Buffers& buffers, int layers) {
    return with_layer_back(Moment::last_layer, w, (layers - 1) * w.one_layer, buffers);
}

StagePeak at_update(const Work& s, const WorkMemory& w, const Buffers& lasting, const Parameters& own) {
    StagePeak p{Moment::update, w.kept, {}, {}, {}, {}};
    p.buffers.bucket = lasting.bucket;
    p.buffers.error_feedback = lasting.error_feedback;
    p.buffers.gradient_copies = lasting.gradient_copies;
    p.update = held_by_update(s, own).total();
    return p;
}

// Units come and go.
void consider_units(const Work& s, const WorkMemory& w, const Buffers& lasting, const Parameters& own, int stage,
                    Highest& most) {
    const bool kept = s.layout.keeps_gathered();
    const double whole = kept ? unit_of(s, own).weights : 0;
    const double fetched = gathered_bytes(s), gradient = whole_gradient_bytes(s);
    const Unit layer = largest_layer(s), head = holds_head(s, stage) ? unit_of(s, s.table()) : Unit{};
    StagePeak loss = at_loss(s, w, lasting, stage);
    loss.buffers.gathered = fetched * (kept ? whole : head.weights + 2 * layer.weights) * byte;
    most.consider(loss);
    if (head.gradients > 0) {
        StagePeak reduced = with_layer_back(Moment::head_reduced, w, {}, lasting);
        reduced.buffers.gathered = loss.buffers.gathered;
        reduced.buffers.whole_gradients += gradient * head.gradients * byte;
        most.consider(reduced);
    }
    StagePeak reduced = with_layer_back(Moment::layer_reduced, w, w.one_layer, lasting);
    reduced.buffers.gathered = fetched * (kept ? whole : 2 * layer.weights) * byte;
    reduced.buffers.whole_gradients += gradient * layer.gradients * byte;
    most.consider(reduced);
    // By then the layers behind have given back what they had gathered.
    if (kept) reduced.buffers.gathered = fetched * layer.weights * byte;
    if (gradients_come_and_go(s)) most.consider(at_last_layer(w, reduced.buffers, layers_of_stage(s, stage)));
}

// Units stay.
void consider_kept_units(const Work& s, const WorkMemory& w, Buffers lasting, const Parameters& own, int stage,
                         Highest& most) {
    const Unit whole = unit_of(s, own);
    lasting.gathered = gathered_bytes(s) * whole.weights * byte;
    lasting.whole_gradients += gradient_sum_bytes * whole.gradients * byte;
    most.consider(at_loss(s, w, lasting, stage));
    StagePeak reduced = with_layer_back(Moment::layer_reduced, w, {}, lasting);
    reduced.buffers.whole_gradients += whole_gradient_bytes(s) * largest_layer(s).gradients * byte;
    most.consider(reduced);
}

// No units: layers one after the other.
void consider_layers(const Work& s, const WorkMemory& w, const Buffers& buffers, int stage, Highest& most) {
    most.consider(at_loss(s, w, buffers, stage));
    most.consider(with_layer_back(Moment::first_layer, w, {}, buffers));
    most.consider(at_last_layer(w, buffers, layers_of_stage(s, stage)));
}

}  // namespace

// Replicas that share no gradients reduce them in buckets that stay (DistributedDataParallel).
bool gradients_come_and_go(const Work& s) {
    const Layout& l = s.layout;
    return s.stack.memory.gradients_come_and_go && l.pipeline_parallel == 1 && l.offload.gradients == Tier::device
        && (l.weight_replicas() == 1 || l.zero_stage >= 2);
}

StagePeak stage_peak(const Work& plan, const WorkMemory& w, const Parameters& own, int stage) {
    const Work& s = plan.longest();
    const Buffers lasting = lasting_buffers(s, own, stage);
    const bool come_and_go = gradients_come_and_go(s);
    Highest most(s, own);
    if (keeps_units(s)) consider_kept_units(s, w, lasting, own, stage, most);
    else if (shares_units(s) && !fetches_one_by_one(s)) consider_units(s, w, lasting, own, stage, most);
    else if (come_and_go) consider_layers(s, w, with_units_one_by_one(s, lasting, own, stage), stage, most);
    else most.consider(peak_of_everything(s, w, with_units_one_by_one(s, lasting, own, stage)));
    if (come_and_go || widens_moments(s)) most.consider(at_update(s, w, lasting, own));
    return most.peak();
}

Bytes HeldWeights::total() const {
    Bytes sum = wide.total();
    if (frozen.bytes > 0) sum += frozen.total() + quantised.total();
    if (original.bytes > 0) sum += original.total();
    if (reference.bytes > 0) sum += reference.total();
    if (by_rows.bytes == 0) return sum;
    return sum + by_rows.total() + by_columns.total();
}

HeldWeights held_weights(const Work& s, const Parameters& own) {
    const bool fetched = s.layout.zero_stage == 3 && s.layout.shards() > 1;
    const bool alone = keeps_converted_weights_alone(s);
    const bool copies = s.recipe.precision == Precision::fp8 && s.stack.memory.fp8_storage != Fp8Storage::none
                     && (alone || !fetched);
    const WeightCopies each = copies ? copies_of_weight(s.recipe.fp8_recipe, s.machine.device) : WeightCopies{};
    HeldWeights w{held(s, alone ? own.all.without(own.converted) : own.all, s.states.weights, 3),
                  held(s, own.converted, each.by_rows, 3), held(s, own.converted, each.by_columns, 3), {}, {}, {}, {}};
    if (keeps_reference(s.method)) w.reference = held(s, all_but_adapters(s.method, own), s.states.fetched, 3);
    if (!trains_adapters(s.method)) return w;
    const ParameterCounts narrow = quantised(s.method, own), rest = own.all.without(own.trained).without(narrow);
    w.wide = held(s, own.trained, s.states.weights, 3);
    w.frozen = held(s, alone ? rest.without(own.converted) : rest, s.states.fetched, 3);
    if (s.stack.memory.copies_trained_tables)
        w.original = held(s, own.trained.only({ParameterGroup::tables}), s.states.fetched, 3);
    w.quantised = held(s, narrow, frozen_bytes(s.method.frozen), 3);
    return w;
}

HeldState held_second_copy(const Work& s, const Parameters& own) {
    const bool any = s.layout.zero_stage == 3 && s.layout.secondary_shard > 1;
    return {any ? gathered_bytes(s) : 0, own.all, s.layout.backward_shards(), s.layout.expert_backward_shards()};
}

HeldState held_gradients(const Work& s, const Parameters& own) {
    const StateBytes& bytes = s.states;
    const bool both = s.stack.memory.keeps_16bit_gradients && bytes.gradients > bytes.weights;
    return held(s, own.trained, bytes.gradients + (both ? bytes.weights : 0), 2);
}

UpdateExtras held_by_update(const Work& s, const Parameters& own) {
    const MemoryHabits& k = s.stack.memory;
    const Offload& o = s.layout.offload;
    UpdateExtras more;
    if (k.updates_all_at_once && !o.updates_on_cpus())
        more.moment = held(s, own.trained, k.update_copies * moment_bytes(s.recipe), 1).total();
    if (!widens_moments(s)) return more;
    // Fp32 moments of a parameter. Experts have an optimizer of their own, which steps after the other one.
    const HeldState all = held(s, own.trained, 4.0 * kept_by(s.recipe.optimizer).matrices * o.updated_on_devices(), 1);
    const double most = std::max(own.trained.common() / all.shards, own.trained.routed() / all.expert_shards);
    more.widened = all.bytes * most * byte;
    return more;
}

Bytes held_optimizer(const Work& s, const Parameters& own) {
    Bytes sum;
    held_by_optimizer(s, own, [&](const HeldState& state) { sum += state.total(); });
    return sum;
}

WorkMemory work_memory(const Work& s, const Swap& swap, int stage) {
    const StageActivations a = stage_activations(s, swap, stage);
    const double held = micro_batches_in_flight(s, stage) * layers_of_stage(s, stage);
    const Bytes one_layer = held > 0 ? a.kept / held : Bytes{};   // a stage may hold none
    return {a.kept + a.waiting + a.ends, one_layer, a.recomputed_layer, stage_logits(s, stage)};
}

namespace {

// What stays from one micro-batch to the next.
MemoryUse lasting_memory(const Work& s, const Parameters& own, int stage) {
    const Offload& away = s.layout.offload;
    MemoryUse m;
    if (away.weights == Tier::device) m.weights = held_weights(s, own).total();
    if (s.layout.secondary_shard > 1) m.weights += held_second_copy(s, own).total();
    m.optimizer = held_optimizer(s, own);
    if (away.optimizer == Tier::device) m.optimizer += moments_by_matrix(s, stage);
    m.preconditioner = preconditioner_bytes(s, stage);
    m.context = s.stack.memory.context;
    return m;
}

MemoryUse with_peak(const Work& s, MemoryUse m, const WorkMemory& work, const Parameters& own, int stage) {
    const StagePeak peak = stage_peak(s, work, own, stage);
    m.gradients = peak.gradients;
    m.optimizer += peak.update;
    m.activations = peak.activations;
    m.logits = peak.logits;
    m.buffers = peak.buffers.total();
    m.fragmentation = (reserve_of(s) - 1) * peak.total();
    return m;
}

// The factors that ranks own differ by stage.
bool states_differ_by_stage(const Work& s) { return kept_by(s.recipe.optimizer).by_matrix != MatrixState::none; }

}  // namespace

MemoryUse stage_memory(const Work& s, const WorkMemory& work, const Parameters& own, int stage) {
    return with_peak(s, lasting_memory(s, own, stage), work, own, stage);
}

MemoryUse stage_memory(const Work& s, const Swap& swap, int stage) {
    return stage_memory(s, work_memory(s, swap, stage), stage_parameters(s, stage), stage);
}

MemoryUse stage_memory(const Work& s, int stage) { return stage_memory(s, swap_of(s), stage); }

std::vector<int> stages_that_may_fill(const Work& s) {
    // Zero-bubble: fewer micro-batches in flight, but more that wait.
    const bool all = schedule_kind(s.layout.schedule).splits_backward || states_differ_by_stage(s);
    std::vector<int> stages;
    if (all)
        for (int i = 0; i < s.layout.pipeline_parallel; ++i) stages.push_back(i);
    else
        for (const StageShare& alike : s.stages()) stages.push_back(alike.first);
    return stages;
}

std::vector<MemoryUse> stage_memories(const Work& s, const Swap& swap) {
    std::vector<MemoryUse> all;
    all.reserve(s.layout.pipeline_parallel);
    const bool differ = states_differ_by_stage(s);
    MemoryUse lasting;
    for (int i = 0; i < s.layout.pipeline_parallel; ++i) {
        const Parameters& own = s.stage(i).parameters;
        if (differ || !s.like_before(i)) lasting = lasting_memory(s, own, i);
        all.push_back(with_peak(s, lasting, work_memory(s, swap, i), own, i));
    }
    return all;
}

}  // namespace plimsoll
