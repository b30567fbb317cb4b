#pragma once
// What one layer keeps between its passes, per micro-batch and rank. Stages hold those of the longest micro-batch.
//
// Bytes follow Korthikanti et al. 2022 (34 s b h + 5 a s^2 b for the GPT block without
// parallelism), generalised to grouped-query attention, gated feed-forward and missing
// dropout.
//
// Zero-bubble schedules: once a micro-batch's input gradient is done, a layer keeps the
// operands of its weight products until they run, inputs and output gradients, and drops
// the rest.

// Selective recomputation repeats the attention core (Korthikanti et al. 2022), or every other product and what is
// elementwise (TorchTitan, torchtitan/distributed/activation_checkpoint.py): then a layer keeps its input and the
// results of the products of queries, values, the gate and the feed-forward output, and of attention,
//   2 T (2h + A + K + A + f) / t bytes;   with experts 2 T (h + 2A + K), and the copies 2 T k h that other ranks sent.
//
// A list of modules (Megatron-Core) gives back, per token,
//   core_attn       scores of materialised attention; fused kernels keep none
//   layernorm       2 h of every norm that stands alone
//   moe_act         2 k f, the input of the experts' last product
//   mla_up_proj     queries, keys and values of latent attention; the latent vectors stay
//   mlp             a dense block but its input; the norm before it is fused into it
//   moe             experts, shared ones and router but their input
//   shared_experts  what they keep inside
//
// A list of modules whose inputs leave the device (Megatron-Core, fine_grained_activation_offload.py: all tensors that
// autograd saves inside them). Per token, of the sums above,
//   attn_norm       h of the layer's input, where the norm stands alone (latent attention)
//   qkv_linear      h of the norm's result, and of its input where they are one kernel; the latent vectors
//   core_attn       queries, keys and values; scores of materialised attention; the output where the projection reads a
//                   converted copy
//   attn_proj       the output of attention
//   mlp_norm        h of the stream in front of experts
//   expert_fc1      k h, the copies dispatched to the experts
//   moe_act         what their first product made of these
// Fewer than a million elements stay (--min-offloaded-tensor-size): statistics of the scores, router scores.
//
// Products in fewer than 16 bits (Transformer Engine): they keep their inputs converted, the copy by columns alone,
// which the weight gradient reads, with its scales; those of experts, too. Attention keeps its output in 16 bits
// besides, and norms and the activation function keep their inputs.

#include "core/costs/kernels/work.h"
#include "core/costs/pipeline/schedule.h"

namespace plimsoll {

// ---- Tensors

// Ranks that hold a tensor of a layer together: tensor ranks where sequence parallelism splits the residual stream,
// tensor ranks, nobody else (scores: heads are split already), ranks of the experts.
enum class HeldBy { stream, tensor_ranks, scores, expert_ranks };

// What layers keep: those that are recomputed what the layout says, others everything; and while weight gradients wait
// the operands of their products.
enum class Keeps { recomputed, whole, waiting };

// A tensor that some layers keep for the backward pass.
struct Kept {
    enum When : unsigned { plain = 1, alternate = 2, waiting = 4, always = 8 };
    const char* id;
    const char* label;
    HeldBy held;
    double elements;    // of one micro-batch, over all ranks that hold it together
    double bytes;       // of an element where nothing is recomputed; otherwise as activations are computed
    unsigned when;      // nothing is recomputed; every other product is; the weight gradient waits; all is recomputed
    Module module = Module::none;   // not kept where this one is recomputed
    SentModule sent = SentModule::none;   // leaves the device where this one's inputs do
};

using KeptTensors = ShortList<Kept, 40>;
KeptTensors kept_tensors(const Work&, const LayerKind&);
// What one rank keeps of it in such a layer; their sum is what the functions below say.
Bytes kept_bytes(const Work&, const LayerKind&, const Kept&, Keeps);

// ---- Sums, all per layer and micro-batch

LayerActivations layer_activations(const Work&, const LayerKind&);  // nothing recomputed
const LayerActivations& layer_activations(const Work&, Kind);       // found once
Bytes stored_activations(const Work&, Kind);   // of a recomputed layer: what the layout keeps
// What a layer gives back where modules are recomputed, and what of it is there at once when they are: modules of the
// mixer and modules of the feed-forward block come back in turn.
Bytes given_back(const Work&, Kind);
Bytes modules_brought_back(const Work&, Kind);
// What of a layer leaves the device where modules are listed for that: what they store and nothing computes again.
Bytes sent_with_module(const Work&, Kind, SentModule);   // nothing of one that is not listed
Bytes sent_with_modules(const Work&, Kind);
Bytes layer_input(const Work&);   // the stream
// A layer brought back whole: all it keeps, and where tensor ranks split the residual stream the gathered input of
// either half, with its gradient.
Bytes whole_layer(const Work&, Kind);
bool brings_back_layers(const Work&);                          // recomputation does, one at a time
Bytes attention_output(const Work&, const LayerKind&);         // before its projection

// ---- The layers of a stage

// Layers of a stage that keep the same bytes, for so many micro-batches: what recomputation leaves, everything, or what
// their weight gradients wait for.
struct KeptLayers {
    Keeps what;
    Kind kind;
    double micro_batches;
    int layers;
    Bytes each;
    Bytes total() const { return micro_batches * layers * each; }
};
// visit(KeptLayers) for the layers that keep activations of micro-batches in flight; nothing swapped.
template <class Visit>
void layers_in_flight(const Work& plan, int stage, Visit visit) {
    const Work& s = plan.longest();
    const LayerCounts blocks = blocks_of_stage(s, stage), recomputed = recomputed_of_stage(s, stage);
    const LayerCounts whole = blocks - recomputed;
    const double in_flight = micro_batches_in_flight(s, stage);
    const Layers& all = s.layers;
    for (Kind k = 0; k < all.kinds(); ++k) {
        if (const int layers = recomputed[k]; layers > 0)
            visit(KeptLayers{Keeps::recomputed, k, in_flight, layers, stored_activations(s, k)});
        if (const int layers = whole[k]; layers > 0)
            visit(KeptLayers{Keeps::whole, k, in_flight, layers, layer_activations(s, k).total()});
    }
}
// Zero-bubble: the same for micro-batches whose weight gradients wait.
template <class Visit>
void layers_waiting(const Work& plan, int stage, Visit visit) {
    const Work& s = plan.longest();
    const double waiting = weight_gradients_waiting(s, stage);
    if (waiting == 0) return;
    const LayerCounts blocks = blocks_of_stage(s, stage);
    const Layers& all = s.layers;
    for (Kind k = 0; k < all.kinds(); ++k)
        if (const int layers = blocks[k]; layers > 0)
            visit(KeptLayers{Keeps::waiting, k, waiting, layers, layer_activations(s, k).waiting});
}

// ---- Logits
//
// Per logit of a micro-batch, B = bytes at the peak and those that stay until the backward pass:
//   parallel         6, 4   16-bit logits, fp32 softmax in place of a copy (Megatron-LM)
//   parallel_fused  10, 4   the same compiled piecewise: two fp32 buffers (Megatron-Core, cross_entropy_loss_fusion)
//   parallel_copied  8, 6   16-bit logits stay beside the fp32 ones, their gradient in 16 bit (Megatron of 2021 and 22)
//   eager           14, 6   16-bit, fp32 softmax, its gradient, that of the fp32 logits; over tensor ranks (DTensor)
//                           18: one fp32 copy more
//   compiled         4, 2   logits and their gradient, 16 bit: softmax is computed again; over tensor ranks (DTensor
//                           breaks the graph) 10
//   fused_linear     2, 0   the head's product and the loss in one: the gradient of a chunk of them, 16 bit
// These counts are from the kernels' code; Megatron-LM's functional tests and published runs of TorchTitan agree within
// one byte, but for eager loss (12 to 16).
struct LossBytes {
    double peak, kept;
};
LossBytes loss_bytes(const Work&);
// Of the whole vocabulary share; n chunks hold 1/n of it and the fp32 gradient of the head's input. GPipe runs all
// forward passes first: what stays of the logits is held for each micro-batch.
Bytes stage_logits(const Work&, int stage);   // none but on the last
int losses_waiting(const Work&, int stage);   // micro-batches whose loss waits for its backward pass at most
int logits_held(const Work&, int stage);      // sets of logits at most: of those, and of every further token

}  // namespace plimsoll
