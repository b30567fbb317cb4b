#pragma once
// Device memory of a pipeline stage, component by component, with the longest micro-batch of the run.
//
//   MemoryUse m = stage_memory(s, swap_of(s), 0);
//
// Model states by recipe and ZeRO stage, activations of all micro-batches in flight
// (activations.h has one layer's), logits, buffers, context. What goes to the tiers below is
// left out.

#include "core/costs/kernels/work.h"
#include "core/costs/memory/activations.h"
#include "core/costs/memory/swap.h"
#include "core/costs/offload/tiers.h"
#include "core/costs/pipeline/schedule.h"
#include "core/values/plan/breakdown.h"

#include <iterator>
#include <vector>

namespace plimsoll {

// ---- States

// One kind of state on one device: so many bytes for each parameter, which some ranks share.
struct HeldState {
    double bytes;
    ParameterCounts own;           // of the stage and tensor rank
    int shards, expert_shards;     // ranks that share the common and the routed ones
    double parameters() const { return own.common() / shards + own.routed() / expert_shards; }
    Bytes total() const { return bytes * parameters() * byte; }
};
// Of the weights: those in 16 bits (fp32 where the recipe has it), and copies in the recipe's format, of the weights
// that are converted, by rows and by columns (values/plan/number_formats.h). Such a copy stays where the weights do:
// shards are converted when they are fetched.
struct HeldWeights {
    HeldState wide, by_rows, by_columns;
    HeldState frozen, quantised;   // beside adapters, which are `wide` alone then: in 16 bits, and in the frozen format
    HeldState original;            // tables that trained ones were copied from
    HeldState reference;           // a copy of all weights but the adapters, in 16 bits
    Bytes total() const;
};
HeldWeights held_weights(const Work&, const Parameters&);
HeldState held_second_copy(const Work&, const Parameters&);  // of the weights (hpZ); no bytes where there is none
HeldState held_gradients(const Work&, const Parameters&);
// visit(HeldState) for the parameters of which the optimizer keeps as many bytes on the device. What goes by matrix is
// not in it.
template <class Visit>
void held_by_optimizer(const Work& s, const Parameters& own, Visit visit) {
    const bool sharded = s.layout.zero_stage >= 1;
    const double peak = s.layout.offload.updated_on_devices() * s.stack.memory.optimizer_peak_bytes;
    own.trained.by_value(s.states.optimizer, [&](double bytes, const ParameterCounts& alike) {
        visit(HeldState{optimizer_bytes_on_device(s, bytes) + peak, alike, sharded ? s.layout.shards() : 1,
                        sharded ? s.layout.expert_shards() : 1});
    });
}
Bytes held_optimizer(const Work&, const Parameters&);   // of all of them

// ---- Activations

struct StageActivations {
    Bytes kept;              // of the layers, for all micro-batches in flight
    Bytes waiting;           // operands of weight gradients
    Bytes ends;              // head input and final-norm input, dropout mask of the embedding
    Bytes recomputed_layer;  // the one that is being recomputed
    Bytes total() const { return kept + waiting + ends + recomputed_layer; }
};
StageActivations stage_activations(const Work&, const Swap&, int stage);

// ---- Buffers

struct Buffers {
    Bytes bucket;            // gradients on their way, gathered weights: DeepSpeed's buckets
    Bytes error_feedback;    // what top-k did not send
    Bytes gathered;          // weights of units, whole
    Bytes gathered_wide;     // MXFP8: 16-bit values of weights that are kept in its format alone, where they arrive
    Bytes whole_gradients;   // of units, before they are shared out
    Bytes gradient_copies;   // flat and fp32 copies of all gradients
    Bytes between_stages;    // activations and their gradients that arrive and leave
    Bytes unsplit_stream;    // what tensor ranks hold alike of every micro-batch in flight
    Bytes context;           // blocks of keys and values, or the other split of heads
    Bytes grid;              // blocks of inputs and weights on a grid of tensor ranks
    Bytes decoded;           // a matrix that is kept in few bits, as products read it
    Bytes dense_update;      // an adapter multiplied out, for the norms of its matrix
    Bytes total() const;
};
inline constexpr Part<Buffers, Bytes> buffer_parts[] = {
    {"bucket", "Buckets", &Buffers::bucket},
    {"error_feedback", "Error feedback", &Buffers::error_feedback},
    {"gathered", "Gathered weights", &Buffers::gathered},
    {"gathered_wide", "Gathered weights before they are converted", &Buffers::gathered_wide},
    {"whole_gradients", "Whole gradients", &Buffers::whole_gradients},
    {"gradient_copies", "Copies of the gradients", &Buffers::gradient_copies},
    {"between_stages", "Between stages", &Buffers::between_stages},
    {"unsplit_stream", "Unsplit residual stream", &Buffers::unsplit_stream},
    {"context", "Context parallelism", &Buffers::context},
    {"grid", "Tensor grid", &Buffers::grid},
    {"decoded", "Decoded weights", &Buffers::decoded},
    {"dense_update", "Adapter multiplied out", &Buffers::dense_update},
};
static_assert(sizeof(Buffers) == std::size(buffer_parts) * sizeof(Bytes), "every field has a row");
inline Bytes Buffers::total() const { return total_of(*this, buffer_parts); }

// ---- The peak
//
// Where states are shared out by units (ZeRO-3: layers, embedding, head), what is whole differs from moment to moment.
// With P parameters of a layer and of a table, in bytes of their gathered weights (w), gradient (g) and its fp32 copy
// (c), the largest of
//   loss            kept + logits + w table + 2 w P
//   head_reduced    kept + recomputed layer + (w + g + c) table + 2 w P
//   layer_reduced   kept (L-1)/L + recomputed layer + (2 w + g + c) P
// With a pipeline, software may keep weights gathered and fp32 sums of the gradients whole through a step: w N + 4 N
// instead, and (g + c) P; or until the backward pass has used them (reshard_after_forward off): w N instead of what is
// gathered, and one w P at the last layer. Anywhere else all of the passes is taken to be there at once.
//
// The optimizer has a peak of its own, when the activations are gone, where the software widens 16-bit moments
// for it: recomputation and offloading of activations save memory down to that one.
//
// Where gradients come and go (PyTorch sets them to none after an update) and no pipeline holds them, they are left out
// of these moments unless earlier micro-batches left theirs, and two moments more have them:
//   last_layer      gradients + kept/L + recomputed layer, with the units of layer_reduced
//   update          gradients + one more moment of the owned parameters, where the update takes all at once, + fp32
//                   copies of all moments of the experts or of the others, whichever are more, where it widens them
// Without units that are gathered, first_layer, kept + recomputed layer, stands for the reduced ones.
enum class Moment { everything, loss, head_reduced, layer_reduced, first_layer, last_layer, update };
bool gradients_come_and_go(const Work&);

// What of a stage's memory neither the ZeRO stage nor the tiers of the states change.
struct WorkMemory {
    Bytes kept, one_layer;   // of all micro-batches in flight; of one of them and one layer
    Bytes recomputed_layer;  // the one that is being recomputed
    Bytes logits;
};
WorkMemory work_memory(const Work&, const Swap&, int stage);

struct StagePeak {
    Moment when = Moment::everything;
    Bytes released, recomputed_layer;   // of what is kept; of what comes back, as far as it has room of its own
    Bytes activations, logits;
    Buffers buffers;
    Bytes gradients = {};   // that stay on the device, and are there
    Bytes update = {};      // what the update holds besides the states
    Bytes total() const { return activations + logits + buffers.total(); }
};
StagePeak stage_peak(const Work&, const WorkMemory&, const Parameters&, int stage);
// What the update holds besides the states: one more moment of each parameter, and moments in fp32.
struct UpdateExtras {
    Bytes moment, widened;
    Bytes total() const { return moment + widened; }
};
UpdateExtras held_by_update(const Work&, const Parameters&);

// ---- A stage

MemoryUse stage_memory(const Work&, const Swap&, int stage);
MemoryUse stage_memory(const Work&, int stage);         // with what the plan itself swaps
std::vector<MemoryUse> stage_memories(const Work&, const Swap&);

// With the parameters the rank holds.
MemoryUse stage_memory(const Work&, const WorkMemory&, const Parameters&, int stage);
// Stages among which the one with most memory is: of stages alike the first has most micro-batches in flight.
std::vector<int> stages_that_may_fill(const Work&);

}  // namespace plimsoll
