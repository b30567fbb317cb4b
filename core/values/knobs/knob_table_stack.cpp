// Rows of the knob table: what the training software does.
#include "core/values/knobs/knob_rows.h"

namespace plimsoll::rows {
namespace {


template <double Stack::*Field>
Knob factor(const char* id, const char* label, Range range, const char* help) {
    return real<one, stack, Field>(id, label, "", range, help);
}

template <Seconds Stack::*Field>
Knob milliseconds(const char* id, const char* label, const char* help) {
    return real<millisecond, stack, Field>(id, label, "ms", {0, 60000}, help);
}

void add_kernels(Table& t) {
    t.push_back(choice<Attention, stack, &Stack::attention>(
        "stack.attention", "Attention kernels",
        "materialised writes the scores to memory, flash does not. Megatron: --use-flash-attn"));
    t.push_back(factor<&Stack::gemm_factor>(
        "stack.gemm_factor", "GEMM factor", {0.1, 2}, "On the device's GEMM ceiling"));
    t.push_back(factor<&Stack::elementwise_factor>("stack.elementwise_factor", "Elementwise factor", {0.1, 100},
                                                   "On elementwise bytes: below 1 fused, above 1 not"));
    t.push_back(factor<&Stack::fp32_residual_factor>(
        "stack.fp32_residual_factor", "fp32 residual factor", {0.1, 5},
        "Further factor when the residual stream stays fp32"));
    t.push_back(idle_if(without_flash, factor<&Stack::flash_forward_scale>(
        "stack.flash_forward_scale", "Fused attention scale, forward", {0.1, 5}, "Against the device's rate")));
    t.push_back(idle_if(without_flash, factor<&Stack::flash_backward_scale>(
        "stack.flash_backward_scale", "Fused attention scale, backward", {0.1, 5}, "Against the device's rate")));
}

void add_host_side(Table& t) {
    t.push_back(milliseconds<&Stack::host_layer>(
        "stack.host_layer_ms", "Host time per layer", "To issue one layer's forward pass; twice this backward"));
    t.push_back(idle_if(without_tensor, milliseconds<&Stack::host_tensor>(
        "stack.host_tensor_ms", "Host time, tensor parallel", "Extra per layer and pass with tensor parallelism")));
    t.push_back(milliseconds<&Stack::host_micro_batch>(
        "stack.host_micro_batch_ms", "Host time per micro-batch", "Of the engine, for each one after the first"));
    t.push_back(milliseconds<&Stack::host_optimizer_layer>(
        "stack.host_optimizer_layer_ms", "Host time, optimizer", "Per layer in the optimizer step"));
    t.push_back(idle_if(without_tensor, factor<&Stack::host_jitter>(
        "stack.host_jitter", "Host jitter", {0, 2}, "Slowest of t ranks: host times x (1 + jitter (t - 1))")));
    t.push_back(milliseconds<&Stack::layer_gap>(
        "stack.layer_gap_ms", "Gap per layer", "Idle device time per layer and pass"));
    t.push_back(milliseconds<&Stack::step_constant>(
        "stack.step_constant_ms", "Step constant", "Logging, data, loss scaling: once per step"));
}

std::string_view without_gathers(const Scenario& s) { return s.layout.zero_stage == 3 ? "" : "ZeRO stage is not 3"; }
std::string_view without_shards(const Scenario& s) { return s.layout.shards() > 1 ? "" : "no state is sharded"; }
std::string_view without_owners(const Scenario& s) { return s.layout.zero_stage == 1 ? "" : "ZeRO stage is not 1"; }
std::string_view without_full_recomputation(const Scenario& s) {
    return s.layout.recompute == Recompute::full ? "" : "recompute is not full";
}
std::string_view without_selection(const Scenario& s) {
    return s.layout.recompute == Recompute::selective ? "" : "recompute is not selective";
}

void add_overlap(Table& t) {
    t.push_back(idle_if(without_tensor, factor<&Stack::tensor_exposed>(
        "stack.tensor_exposed", "Tensor-parallel exposure", {0, 10},
        "Share of these collectives nothing hides; above 1 where ranks wait for the slowest besides")));
    t.push_back(idle_if(without_pipeline, factor<&Stack::pipeline_exposed>(
        "stack.pipeline_exposed", "Pipeline exposure", {0, 1}, "Share of the transfers between stages nothing hides")));
    t.push_back(factor<&Stack::gradient_overlap>(
        "stack.gradient_overlap", "Gradient overlap", {0, 1},
        "Share of a backward pass gradient reduction may hide behind. Megatron: --overlap-grad-reduce"));
    t.push_back(idle_if(without_gathers,
                        factor<&Stack::gather_overlap_tax>("stack.gather_overlap_tax", "Gather overlap tax", {0, 1},
                                                           "FSDP: max(compute, comm) + tax x min(compute, comm)")));
    t.push_back(idle_if(without_shards, factor<&Stack::sharded_efficiency>(
        "stack.sharded_efficiency", "Sharded efficiency", {0.01, 1},
        "Share of the network between nodes that gathers and scatters of sharded states reach (ZeRO)")));
    t.push_back(idle_if(without_gathers, flag<stack, &Stack::gathers_fp32>(
        "stack.gathers_fp32", "Gathers fp32 weights", "ZeRO-3 fetches fp32 weights and casts after: autocast")));
    t.push_back(idle_if(without_owners, milliseconds<&Stack::owner_broadcast>(
                                            "stack.owner_broadcast_ms", "Weights handed out",
                                            "ZeRO-1 across nodes: per rank that owns a share of the optimizer")));
    t.push_back(milliseconds<&Stack::node_reduction>(
        "stack.node_reduction_ms", "Gradient reduction per node", "Added per node where it crosses nodes"));
    t.push_back(real<megabyte, stack, &Stack::bucket>(
        "stack.bucket_MB", "Gradient bucket", "MB", {0, 1e5}, "Gradients reduced together"));
    t.push_back(idle_if(without_pipeline, count<stack, &Stack::zero_stage_with_pipeline>(
        "stack.zero_stage_with_pipeline", "ZeRO stage with a pipeline", "", {0, 3},
        "Highest ZeRO stage this stack combines with pipeline parallelism")));
    t.push_back(idle_if(without_recomputation, flag<stack, &Stack::last_stage_recomputes>(
                                                   "stack.last_stage_recomputes", "Last stage recomputes",
                                                   "Off: its time shows none, as in the DeepSpeed pipeline engine")));
    t.push_back(idle_if(without_selection, factor<&Stack::selective_share>(
        "stack.selective_share", "Selective share", {0, 1},
        "Share of a layer's forward pass that selective recomputation repeats; 0: the attention core")));
    t.push_back(idle_if(without_full_recomputation,
                        flag<stack, &Stack::repeats_last_product>(
                            "stack.repeats_last_product", "Repeats the last product",
                            "Full recomputation runs the product that ends a layer again; off: dropped by the compiler "
                            "(XLA), as the backward pass does not need its result")));
    t.push_back(idle_if(without_pipeline, flag<stack, &Stack::uneven_chunks>(
        "stack.uneven_chunks", "Uneven chunks",
        "Chunks of an interleaved schedule may differ in layers. Megatron: --pipeline-model-parallel-layout")));
    t.push_back(idle_if(without_pipeline, flag<stack, &Stack::scatter_pipeline_transfer>(
        "stack.scatter_pipeline_transfer", "Split stage transfers",
        "Activations between stages are split over the tensor ranks. Megatron: --scatter-gather-tensors-in-pipeline")));
}

void add_bytes(Table& t) {
    t.push_back(factor<&Stack::cross_entropy_bytes>(
        "stack.cross_entropy_bytes", "Cross-entropy bytes", {0, 1000}, "Touched per logit, forward and backward"));
    t.push_back(factor<&Stack::logit_bytes>(
        "stack.logit_bytes", "Logit bytes", {0, 1000}, "Held per logit at the peak of the end stage"));
    t.push_back(real<megabyte, stack, &Stack::logits_at_once>(
        "stack.logits_at_once_MB", "Logits at once", "MB", {0, 1e6},
        "The loss takes them in pieces of at most this size; 0: all at once"));
    t.push_back(
        idle_if(without_full_recomputation,
                flag<stack, &Stack::logits_share_room>("stack.logits_share_room", "Logits share room",
                                                       "A layer that recomputation brings back lies where they were")));
    t.push_back(
        idle_if(without_gathers, flag<stack, &Stack::gathers_tables>(
                                     "stack.gathers_tables", "Gathers tables",
                                     "ZeRO-3: embedding and head are fetched whole, with room for their gradient")));
    t.push_back(factor<&Stack::optimizer_peak_bytes>(
        "stack.optimizer_peak_bytes", "Optimizer peak bytes", {0, 1000},
        "Held per owned parameter while the optimizer runs, besides the states: fp32 gradients and copies"));
    t.push_back(factor<&Stack::gradient_copy_bytes>("stack.gradient_copy_bytes", "Gradient copy bytes", {0, 1000},
                                                    "Held per parameter besides the states: flat or fp32 copies of the "
                                                    "gradients, shared out from ZeRO stage 2 on"));
    t.push_back(factor<&Stack::optimizer_bytes>(
        "stack.optimizer_bytes", "Optimizer bytes", {0, 1000}, "Touched per parameter in the optimizer step"));
    t.push_back(factor<&Stack::accumulation_bytes>(
        "stack.accumulation_bytes", "Accumulation bytes", {0, 1000},
        "Touched per parameter and micro-batch to add 16-bit gradients up"));
    t.push_back(factor<&Stack::fp32_accumulation_bytes>(
        "stack.fp32_accumulation_bytes", "Accumulation bytes, fp32", {0, 1000},
        "Touched per parameter and micro-batch to add fp32 gradients up; 0 where the GEMM accumulates itself"));
    t.push_back(real<gibibyte, stack, &Stack::context>(
        "stack.context_GiB", "Context", "GiB", {0, 1000}, "Driver, libraries, communicators, per device"));
    t.push_back(factor<&Stack::fragmentation>(
        "stack.fragmentation", "Fragmentation", {1, 2}, "Allocator: multiplies activations and buffers"));
}

}  // namespace

void add_stack(Table& t) {
    under("Kernels", t, add_kernels);
    under("Host side", t, add_host_side);
    under("Communication and overlap", t, add_overlap);
    under("Bytes held and touched", t, add_bytes);
}

}  // namespace plimsoll::rows
