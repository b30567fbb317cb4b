#pragma once
// What the training software does, as data: which kernels it fuses, what it
// overlaps, what its host side costs. A new framework is a preset, not code.

#include "core/values/basics/source.h"
#include "core/values/basics/units.h"

#include <string>

namespace plimsoll {

enum class Attention { materialised, flash };

// How copies of a token reach its experts: one for each of them (NCCL all-to-all),
// or one for each node, handed on inside it (DeepEP, HybridEP).
enum class Dispatch { per_expert, per_node };

// What the software does for layers with experts; idle in dense models.
struct ExpertStack {
    Dispatch dispatch = Dispatch::per_expert;
    double exchange_efficiency = 1;  // achieved share of the network in the all-to-all
    double exchange_exposed = 1;     // share of it nothing hides
    double grouped_gemm_factor = 1;  // on the GEMM rate: products of several experts of a rank
    Seconds host_experts;            // host, extra per layer with experts and forward pass; twice this backward
    friend bool operator==(const ExpertStack&, const ExpertStack&) = default;
};

struct Stack {
    std::string id, name, as_of, note;
    Attention attention = Attention::materialised;
    double gemm_factor = 1;          // on the device's GEMM ceiling
    double elementwise_factor = 1;   // on elementwise bytes: below 1 fused, above 1 not
    double fp32_residual_factor = 1; // further factor when the residual stream stays fp32
    double flash_forward_scale = 1;  // this stack's attention kernels against the device's
    double flash_backward_scale = 1;

    // Host side: it issues kernels while the device runs; whichever is slower wins.
    Seconds host_layer;              // forward pass of one layer; the backward pass takes twice this
    Seconds host_tensor;             // extra per layer and pass with tensor parallelism
    Seconds host_micro_batch;        // per micro-batch after the first
    Seconds host_optimizer_layer;    // per layer in the optimizer step
    double host_jitter = 0;          // slowest of t ranks: host times x (1 + jitter (t - 1))
    Seconds layer_gap;               // idle device time per layer and pass
    Seconds step_constant;           // logging, data, scaler, once per step

    // Exposed share of each communication, before any window is subtracted.
    double tensor_exposed = 1;       // above 1 where ranks wait for the slowest of them besides
    double pipeline_exposed = 1;
    double gradient_overlap = 0;     // share of a backward pass that gradient reduction may hide behind
    double gather_overlap_tax = 0;   // FSDP: max(compute, comm) + tax * min(compute, comm)
    // Share of the network between nodes that gathers and scatters of sharded states (ZeRO) reach: small messages.
    double sharded_efficiency = 1;
    bool gathers_fp32 = false;       // ZeRO-3 fetches fp32 weights and casts after (autocast)
    Seconds owner_broadcast;         // ZeRO-1 across nodes: handing out weights, per rank that owns a share
    Seconds node_reduction;          // gradient reduction across nodes, per node
    Bytes bucket;                    // gradient bucket
    int zero_stage_with_pipeline = 1; // highest ZeRO stage it combines with pipeline parallelism
    bool last_stage_recomputes = true;  // off: its time shows none (memory does not depend on it)
    // Selective recomputation repeats the attention core, or this share of a
    // layer's whole forward pass where the policy drops every other product.
    double selective_share = 0;
    // Full recomputation repeats the product that ends a layer; off: a compiler saw that
    // the backward pass needs its operands only.
    bool repeats_last_product = true;
    bool uneven_chunks = false;      // interleaved chunks may differ in layers (Megatron-Core's pipeline layouts)
    bool scatter_pipeline_transfer = true;  // activation split over the tensor ranks

    ExpertStack experts;

    double cross_entropy_bytes = 30; // per logit, forward and backward
    double logit_bytes = 8;          // held per logit at the peak of the end stage
    Bytes logits_at_once;            // the loss takes them in pieces of at most this size; zero: all at once
    bool logits_share_room = false;  // a layer that recomputation brings back lies where they were
    bool gathers_tables = false;     // ZeRO-3: embedding and head are fetched whole, with room for their gradient
    double optimizer_peak_bytes = 0; // held per owned parameter while the optimizer runs, besides the states
    // Held per parameter besides the states, shared out only where the gradients are: flat and fp32 copies of them.
    double gradient_copy_bytes = 0;
    double optimizer_bytes = 27;     // touched per parameter in the optimizer step
    // Touched per parameter and micro-batch to add gradients up, in 16 bit and in fp32
    // (unfused: read, convert, read both, write: 18). 0 where the GEMM accumulates itself.
    double accumulation_bytes = 6, fp32_accumulation_bytes = 18;
    Bytes context;                   // driver, libraries, communicators
    double fragmentation = 1;        // allocator: on activations and buffers
    Sources sources;
    friend bool operator==(const Stack&, const Stack&) = default;
};

}  // namespace plimsoll
