#pragma once
// What the training software does, as data: a list of mechanisms, such as which kernels it fuses, what it overlaps and
// what its host side costs. Each struct is one of them and names the costs that read it. A new framework is a preset,
// not code.

#include "core/values/basics/source.h"
#include "core/values/basics/units.h"
#include "core/values/plan/attention_kernel.h"

#include <string>

namespace plimsoll {

enum class Attention { materialised, flash };

// How hard the software was tuned, where presets of one family differ in that: a bundle of mechanisms
// (attention kernel, exposure, overlap, graphs), never a factor on the speed.
enum class Tuning { unknown, as_it_comes, tuned_2024, tuned_2025, record };

// Which program trains, by which `launch` finds what it writes files for: Megatron-LM, alone or over DeepSpeed;
// torchtune's recipes; trainers of Hugging Face's models, alone or over DeepSpeed.
enum class Software { other, megatron, megatron_deepspeed, torchtune, transformers, transformers_deepspeed };

// How copies of a token reach its experts: one for each of them (NCCL all-to-all); one for each
// node, handed on to each of them inside it; or one for each node and then one for each rank, whatever
// the number of its experts there (DeepEP, HybridEP).
enum class Dispatch { per_expert, per_node, per_rank };

// How the loss comes about, which tells what is held of the logits (costs/memory/activations.h has the bytes):
// as the preset states; over a split vocabulary, in place (Megatron-LM), with PyTorch's fused kernels, or with a copy
// in fp32 beside the logits; one operation after the other in fp32; compiled into one kernel; or together with the
// head's product, whose results are never held whole (Liger, cut cross entropy, Megatron-Core's linear loss).
enum class LossKernel { stated, parallel, parallel_fused, parallel_copied, eager, compiled, fused_linear };

// fp8 on the device: products convert what they read and keep nothing; or 8-bit copies of the weights, of which one is
// transposed, and 8-bit inputs of products are kept; or the weights are in fp8 to begin with.
enum class Fp8Storage { none, copies, primary };

// What of a layer with experts is captured in a CUDA graph, so that the host issues it in one go: nothing, the router,
// attention and router, or the whole step, for which shapes must not depend on the routing.
enum class Graph { none, router, attention_router, whole_step };

// Kernels of the device: which compute attention, and how fast all of them are against the rates that the device's
// preset states. Read by costs/kernels (kernel, layer).
struct DeviceKernels {
    Attention attention = Attention::materialised;
    // What computes fused attention. The device's numbers of it count and the scales below do not, except on devices
    // that have none.
    AttentionKernel attention_kernel = AttentionKernel::generic;
    bool fuses_softmax = true;       // off: mask, softmax and conversions are one operation each, in fp32
    bool cudnn_first = false;        // a cuDNN kernel in its place on devices that have numbers of that
    double gemm_factor = 1;          // on the device's GEMM ceiling
    double elementwise_factor = 1;   // on elementwise bytes: below 1 fused, above 1 not
    bool fuses_rms_norms = true;     // off: a root-mean-square norm is one operation after the other, in fp32
    double fp32_residual_factor = 1; // further factor when the residual stream stays fp32
    double flash_forward_scale = 1;  // this stack's attention kernels against the device's
    double flash_backward_scale = 1;
    // Fused attention leaves out what a window masks. Off: layers with a window take as long as full ones.
    bool skips_windows = true;
    double quantisation_factor = 1.2;  // on the bytes that converting to fp8 moves (recipe.h)
    bool quantises_each_micro_batch = false;  // weights too; off: they are converted once a step
    double adapter_fusion = 0;         // share of the adapters' traffic besides products that fused kernels leave out
    friend bool operator==(const DeviceKernels&, const DeviceKernels&) = default;
};

// The host issues kernels while the device runs, and whichever is slower wins; besides, what the device idles for the
// software whatever it runs. Read by costs/step and costs/optimizer.
struct HostSide {
    Seconds layer;                   // forward pass of one layer; the backward pass takes twice this
    Seconds tensor;                  // extra per layer and pass with tensor parallelism
    Seconds micro_batch;             // per micro-batch after the first
    Seconds optimizer_layer;         // per layer in the optimizer step
    double jitter = 0;               // slowest of t ranks: host times x (1 + jitter (t - 1))
    // Extra per layer, pass and tensor rank where a pipeline spans nodes: its messages hold up the hosts.
    Seconds pipeline_tensor;
    // Collectives of a layer and pass that such hosts issue late where the tensor group leaves its node.
    double late_collectives = 5;
    Seconds layer_gap;               // idle device time per layer and pass
    Seconds step_constant;           // logging, data, scaler, once per step
    friend bool operator==(const HostSide&, const HostSide&) = default;
};

// Collectives inside a layer, over its tensor ranks: what nothing hides of them. Read by costs/kernels (layer, tensor).
struct TensorComm {
    double exposed = 1;              // share; above 1 where ranks wait for the slowest of them besides
    bool gathers_inputs_again = false;  // sequence parallelism: the backward pass waits for layer inputs gathered again
    Seconds crossing;                // per tensor collective and rank where the group leaves its node
    friend bool operator==(const TensorComm&, const TensorComm&) = default;
};

// Which pipeline schedules the software has, each set with those before it: GPipe and 1F1B; interleaved chunks; chunks
// on the way back as PyTorch has them (ZB-V, DualPipe-V); any, also where that is not stated.
enum class ScheduleSet { plain, interleaved, v, any };

// A pipeline: how stages are filled, what passes between them and what of that nothing hides. Read by costs/step
// and values/plan/share.
struct PipelineComm {
    double exposed = 1;              // share of the transfers between stages
    Seconds message;                 // per neighbouring stage and pass, besides the transfer: both sides wait for it
    bool scatters_transfers = true;  // activation split over the tensor ranks
    bool uneven_chunks = false;      // interleaved chunks may differ in layers (Megatron-Core's pipeline layouts)
    ScheduleSet schedules = ScheduleSet::any;
    bool splits_by_cost = false;     // StageSplit::by_cost where the layout leaves the stages even
    friend bool operator==(const PipelineComm&, const PipelineComm&) = default;
};

// Some plans stall: time is lost in every micro-batch, whatever its size. Read by answers/campaign/cautions, which say
// so; no estimate holds that time, and searches rank such plans last.
struct Stalls {
    // Share of the memory above which they do: the allocator gives memory back and asks again.
    double above = 0;                // 0: no plan was seen to stall
    Seconds time = 500 * millisecond;  // lost in every micro-batch
    // Without a pipeline, plans whose tensor ranks gather this much at once and more do. 0: none was seen to.
    Bytes gathered;
    // With a pipeline:
    int tensor_ranks = 32;           // so many and more stall
    int replicas = 32;               // fewer stall where they lie on several nodes without ZeRO
    friend bool operator==(const Stalls&, const Stalls&) = default;
};

// Gradients of replicas are reduced bucket by bucket while the backward pass goes on. What hides behind a pass still
// slows it down, because the kernels of a collective take multiprocessors and memory bandwidth from the pass. Read by
// costs/kernels/data_parallel and, for the bucket, costs/memory.
struct GradientComm {
    double overlap = 0;              // share of a backward pass that reductions, of a forward pass that gathers may use
    double exposed = 0;              // share of either that nothing hides, where that is more than the last bucket
    double hidden_tax = 0;           // share of what hides that the step waits for all the same
    bool reduces_whole = false;      // ZeRO-1 adds whole gradients up on every rank
    Seconds node_reduction;          // gradient reduction across nodes, per node
    Bytes bucket;                    // gradient bucket
    Seconds bucket_crossing;         // gradient reduction across nodes, per bucket
    friend bool operator==(const GradientComm&, const GradientComm&) = default;
};

// ZeRO and FSDP: how sharded states are gathered, what is held of them meanwhile, and at what speed. Read by
// costs/kernels/data_parallel, costs/step/stage and costs/memory.
struct StateSharding {
    double gather_overlap_tax = 0;   // FSDP: max(compute, comm) + tax * min(compute, comm)
    // Share of the network between nodes that gathers and scatters of sharded states reach: small messages.
    double efficiency = 1;
    bool gathers_fp32 = false;       // ZeRO-3 fetches fp32 weights and casts after (autocast)
    bool gathers_tables = false;     // ZeRO-3: embedding and head are fetched whole, with room for their gradient
    bool reduces_fp32 = false;       // ZeRO-3: a unit's whole gradient is copied to fp32 before it is shared out
    // ZeRO-3 with a pipeline: weights stay gathered and gradients whole until the last micro-batch is done.
    bool keeps_units_in_pipeline = false;
    int stage_with_pipeline = 1;     // highest ZeRO stage it combines with pipeline parallelism
    Seconds owner_broadcast;         // ZeRO-1 across nodes: handing out weights, per rank that owns a share
    Seconds layer_handout;           // the same, per layer and node
    Seconds host_collective;         // ZeRO-3: the host issues a gather or a reduction of one of a layer's matrices
    friend bool operator==(const StateSharding&, const StateSharding&) = default;
};

// What the backward pass computes again. Read by costs/step/stage and costs/memory/activations.
struct Recomputation {
    bool last_stage = true;          // off: its time shows none (memory does not depend on it)
    // Selective recomputation repeats the attention core, or this share of a
    // layer's whole forward pass where the policy drops every other product.
    double selective_share = 0;
    // Selective recomputation keeps the results of every other product and of attention, and repeats the rest.
    bool keeps_alternate_products = false;
    // Selective recomputation takes a list of modules (Megatron-Core: --recompute-modules); off: its work is set.
    bool takes_modules = false;
    // Full recomputation repeats the product that ends a layer; off: a compiler saw that
    // the backward pass needs its operands only.
    bool repeats_last_product = true;
    friend bool operator==(const Recomputation&, const Recomputation&) = default;
};

// The loss over the vocabulary: the bytes its kernels touch and the logits that are held. Read by costs/kernels/layer
// and costs/memory (activations, memory).
struct LossComputation {
    double cross_entropy_bytes = 30; // touched per logit, forward and backward
    LossKernel kernel = LossKernel::stated;
    int chunks = 1;                  // the loss takes the tokens in so many pieces, one after the other
    // What is kept of the logits is there for all pieces: the head's product comes before them. Off: the product is
    // part of a piece, and nothing is kept.
    bool chunks_keep_logits = false;
    double logit_bytes = 8;          // held per logit at the peak of the end stage, where `kernel` is stated
    Bytes logits_at_once;            // the loss takes them in pieces of at most this size; zero: all at once
    bool logits_share_room = false;  // a layer that recomputation brings back lies where they were
    // Nothing keeps the logits, so the backward pass computes them again: 8 T h V operations of the head instead of 6.
    bool repeats_head() const { return kernel == LossKernel::fused_linear; }
    friend bool operator==(const LossComputation&, const LossComputation&) = default;
};

// Bytes touched per parameter besides products: in the optimizer step, and to add up the gradients of micro-batches.
// Read by costs/optimizer.
struct UpdateTraffic {
    double optimizer_bytes = 27;
    // Per micro-batch, in 16 bit and in fp32 (unfused: read, convert, read both, write: 18). 0 where the GEMM
    // accumulates itself.
    double accumulation_bytes = 6, fp32_accumulation_bytes = 18;
    // Where CPUs update (costs/offload/tiers.h).
    // The devices keep the fp32 master weights; fp32 gradients go down and fp32 weights come back. Off: the state's
    // tier holds them, and what moves has the formats of the recipe.
    bool devices_keep_masters = false;
    bool moves_in_turn = false;      // gradients, update and new weights one after the other; off: side by side
    friend bool operator==(const UpdateTraffic&, const UpdateTraffic&) = default;
};

// Formats in which the software keeps states of a parameter (recipe.h), each set with those before it: those of the
// named recipes; master weights, gradients and either moment in a format of their own (Transformer Engine's FusedAdam);
// any, also where that is not stated.
enum class StateSet { named, precision_aware, any };

// Memory that the software holds beyond what the plan asks for. Read by costs/memory (activations, memory).
struct MemoryHabits {
    bool eager_layers = false;       // elementwise operations of a layer keep their results one by one
    // Held per value of the residual stream, whatever the tensor ranks split, for each micro-batch in flight.
    double unsplit_stream_bytes = 0;
    bool keeps_16bit_gradients = false;  // beside the fp32 sums they are added to
    // PyTorch sets gradients to none after an update: they are not there from then to the next backward pass.
    bool gradients_come_and_go = false;
    bool updates_all_at_once = false;    // more moments of every owned parameter while they do (foreach): so many
    int update_copies = 1;               // two before PyTorch 2.1
    bool copies_trained_tables = false;  // beside adapters: the tables as they were stay, too (PEFT: modules_to_save)
    bool widens_moments = false;     // the update copies moments of 16 bits to fp32, those of a group all at once
    Fp8Storage fp8_storage = Fp8Storage::none;
    StateSet states = StateSet::any;
    Bytes unpipelined_buckets;       // held for reductions and gathers where there is no pipeline
    // Activations leave the device by module (Megatron-Core: --fine-grained-activation-offloading).
    bool sends_modules = false;
    double optimizer_peak_bytes = 0; // held per owned parameter while the optimizer runs, besides the states
    // Held per parameter besides the states, shared out only where the gradients are: flat and fp32 copies of them.
    double gradient_copy_bytes = 0;
    Bytes context;                   // driver, libraries, communicators
    double fragmentation = 1;        // allocator: on activations and buffers
    friend bool operator==(const MemoryHabits&, const MemoryHabits&) = default;
};

// Layers with experts, idle in dense models: what their exchange, products and rows cost beyond a dense layer's, and
// what of them a CUDA graph replays. Read by costs/kernels (exchange, products, layer) and costs/step/stage.
struct ExpertStack {
    Dispatch dispatch = Dispatch::per_expert;
    double exchange_efficiency = 1;  // achieved share of the network in the all-to-all
    double exchange_exposed = 1;     // share of it nothing hides
    // Of this, what is left of passes side by side (Schedule::combined). One: the software has no such schedule.
    double paired_exposed = 1;
    // Share of the device's multiprocessors that the exchange's kernels take: what runs beside it is slower by that.
    double exchange_units = 0;
    double grouped_gemm_factor = 1;  // on the device's rate of grouped products
    bool groups_one_expert = false;  // one expert a rank is a grouped product, too; off: an ordinary one
    // On the bytes that rows of experts move besides products: permuting there and back, activation function.
    double row_traffic = 1.3;
    Seconds exchange_start;          // of each exchange, besides the network's latency: layout, notifying, waiting
    Seconds host_experts;            // host, extra per layer with experts and forward pass; twice this backward
    Seconds host_latent;             // more of it where the layer's attention is latent, which issues more products
    Seconds host_exchange;           // more of it where a part of the exchange runs beside other work, graphs apart
    Graph graph = Graph::none;       // what of such a layer a CUDA graph replays
    // Shares of host_experts that a graph leaves; one of the whole step leaves nothing, not even a dense layer's time.
    double router_graph_leaves = 1.04, attention_graph_leaves = 0.42;
    friend bool operator==(const ExpertStack&, const ExpertStack&) = default;
};

// A software stack is its mechanisms. Files and knobs name their values flat ("host_layer_ms", "gather_overlap_tax").
struct Stack {
    std::string id, name, as_of, note;
    std::string family;              // presets of one software that differ in how it was tuned; "" none
    Tuning tuning = Tuning::unknown;
    Software software = Software::other;   // presets that are derived keep it, whatever they are called
    DeviceKernels kernels;
    HostSide host;
    TensorComm tensor;
    PipelineComm pipeline;
    Stalls stalls;
    GradientComm gradients;
    StateSharding sharding;
    Recomputation recomputation;
    ExpertStack experts;
    LossComputation loss;
    UpdateTraffic updates;
    MemoryHabits memory;
    Sources sources;
    friend bool operator==(const Stack&, const Stack&) = default;
};

}  // namespace plimsoll
