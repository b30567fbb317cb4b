// Rows of the knob table: what the training software does.
#include "core/values/knobs/knob_rows.h"

#include "core/values/plan/share.h"

namespace plimsoll::rows {
namespace {

template <auto... Path>
Knob factor(const char* id, const char* label, Range range, const char* help) {
    return real<one, stack, Path...>(id, label, "", range, help);
}

template <auto... Path>
Knob milliseconds(const char* id, const char* label, const char* help) {
    return real<millisecond, stack, Path...>(id, label, "ms", {0, 60000}, help);
}

std::string_view without_windows(const Scenario& s) {
    if (s.stack.kernels.attention != Attention::flash) return "attention is not fused";
    return has_window(s.model) ? "" : "all layers attend to all tokens";
}

std::string_view without_rms_norms(const Scenario& s) {
    return s.model.norm == Norm::rms_norm ? "" : "norms are layer norms";
}

std::string_view without_scores(const Scenario& s) {
    return s.stack.kernels.attention == Attention::flash ? "attention is fused" : "";
}

std::string_view without_own_kernel(const Scenario& s) {
    if (s.stack.kernels.attention != Attention::flash) return "attention is not fused";
    return called_kernel(s) == s.stack.kernels.attention_kernel ? "" : "cuDNN comes first here";
}

std::string_view without_cudnn(const Scenario& s) {
    if (s.stack.kernels.attention != Attention::flash) return "attention is not fused";
    if (s.recipe.precision == Precision::fp32) return "precision is fp32";
    const auto& kernels = s.machine.device.efficiency.attention;
    return kernels[std::size_t(AttentionKernel::cudnn_torch)].known() ? "" : "no numbers of this cuDNN";
}

void add_kernels(Table& t) {
    t.push_back(choice<Attention, stack, &Stack::kernels, &DeviceKernels::attention>(
        "stack.attention", "Attention kernels",
        "materialised writes the scores to memory, flash does not. Megatron: --use-flash-attn"));
    t.push_back(idle_if(without_own_kernel, choice<AttentionKernel, stack, &Stack::kernels,
                                                   &DeviceKernels::attention_kernel>(
        "stack.attention_kernel", "Attention kernel",
        "What computes fused attention: kernels differ by generation more than devices do. Devices without numbers of "
        "it take their own fused rates times the scales. Transformer Engine: NVTE_FUSED_ATTN, NVTE_FLASH_ATTN")));
    t.push_back(idle_if(without_scores, flag<stack, &Stack::kernels, &DeviceKernels::fuses_softmax>(
        "stack.fuses_softmax", "Fuses the softmax",
        "Mask and softmax of scores that are written are one kernel; off: one operation after the other, in fp32")));
    t.push_back(idle_if(without_cudnn, flag<stack, &Stack::kernels, &DeviceKernels::cudnn_first>(
        "stack.cudnn_first", "cuDNN first",
        "A cuDNN kernel in place of the attention kernel on devices that have numbers of it: PyTorch's, or the one of "
        "Transformer Engine under Megatron-Core. TorchTitan: on Blackwell")));
    t.push_back(factor<&Stack::kernels, &DeviceKernels::gemm_factor>(
        "stack.gemm_factor", "GEMM factor", {0.1, 2}, "On the device's GEMM ceiling"));
    t.push_back(factor<&Stack::kernels, &DeviceKernels::elementwise_factor>(
        "stack.elementwise_factor", "Elementwise factor", {0.1, 100},
        "On elementwise bytes: below 1 fused, above 1 not"));
    t.push_back(idle_if(without_rms_norms, flag<stack, &Stack::kernels, &DeviceKernels::fuses_rms_norms>(
        "stack.fuses_rms_norms", "Fuses RMS norms",
        "A root-mean-square norm is one kernel; off: one operation after the other, in fp32")));
    t.push_back(factor<&Stack::kernels, &DeviceKernels::fp32_residual_factor>(
        "stack.fp32_residual_factor", "fp32 residual factor", {0.1, 5},
        "Further factor when the residual stream stays fp32"));
    t.push_back(idle_if(without_own_rates, factor<&Stack::kernels, &DeviceKernels::flash_forward_scale>(
        "stack.flash_forward_scale", "Fused attention scale, forward", {0.1, 5}, "Against the device's rate")));
    t.push_back(idle_if(without_own_rates, factor<&Stack::kernels, &DeviceKernels::flash_backward_scale>(
        "stack.flash_backward_scale", "Fused attention scale, backward", {0.1, 5}, "Against the device's rate")));
    t.push_back(idle_if(without_windows, flag<stack, &Stack::kernels, &DeviceKernels::skips_windows>(
        "stack.skips_windows", "Skips what windows mask",
        "Fused attention leaves out what a window masks; off: layers with a window take as long as full ones")));
    t.push_back(idle_if(without_adapters, real<one, stack, &Stack::kernels, &DeviceKernels::adapter_fusion>(
        "stack.adapter_fusion", "Fusion of adapters", "", all_of(ranges::share),
        "Share of what adapters move besides their products that fused kernels leave out")));
    t.push_back(idle_if(without_fp8, factor<&Stack::kernels, &DeviceKernels::quantisation_factor>(
        "stack.quantisation_factor", "fp8 conversion factor", {0, 100},
        "On the bytes that converting to fp8 moves")));
    t.push_back(idle_if(without_fp8, flag<stack, &Stack::kernels, &DeviceKernels::quantises_each_micro_batch>(
        "stack.quantises_each_micro_batch", "Converts weights each micro-batch",
        "Weights are converted to fp8 for every micro-batch, as in PyTorch; off: once a step, as in Transformer "
        "Engine")));
}

std::string_view without_far_pipeline(const Scenario& s) {
    if (s.layout.pipeline_parallel == 1) return "no pipeline";
    if (s.layout.tensor_parallel == 1) return "not tensor parallel";
    return s.layout.devices > s.machine.devices_per_node ? "" : "inside one node";
}

void add_host_side(Table& t) {
    t.push_back(milliseconds<&Stack::host, &HostSide::layer>(
        "stack.host_layer_ms", "Host time per layer", "To issue one layer's forward pass; twice this backward"));
    t.push_back(idle_if(without_tensor, milliseconds<&Stack::host, &HostSide::tensor>(
        "stack.host_tensor_ms", "Host time, tensor parallel", "Extra per layer and pass with tensor parallelism")));
    t.push_back(milliseconds<&Stack::host, &HostSide::micro_batch>(
        "stack.host_micro_batch_ms", "Host time per micro-batch", "Of the engine, for each one after the first"));
    t.push_back(milliseconds<&Stack::host, &HostSide::optimizer_layer>(
        "stack.host_optimizer_layer_ms", "Host time, optimizer", "Per layer in the optimizer step"));
    t.push_back(idle_if(without_tensor, factor<&Stack::host, &HostSide::jitter>(
        "stack.host_jitter", "Host jitter", {0, 2}, "Slowest of t ranks: host times x (1 + jitter (t - 1))")));
    t.push_back(idle_if(without_far_pipeline, milliseconds<&Stack::host, &HostSide::pipeline_tensor>(
        "stack.host_pipeline_tensor_ms", "Host time, pipeline over nodes",
        "Extra per layer, pass and tensor rank where a pipeline spans nodes")));
    t.push_back(idle_if(without_far_pipeline, factor<&Stack::host, &HostSide::late_collectives>(
        "stack.host_late_collectives", "Late collectives", {0, 100},
        "Collectives of a layer and pass that hosts held up by a pipeline's messages issue late, where the tensor "
        "group leaves its node")));
    t.push_back(milliseconds<&Stack::host, &HostSide::layer_gap>(
        "stack.layer_gap_ms", "Gap per layer", "Idle device time per layer and pass"));
    t.push_back(milliseconds<&Stack::host, &HostSide::step_constant>(
        "stack.step_constant_ms", "Step constant", "Logging, data, loss scaling: once per step"));
}

std::string_view without_gathers(const Scenario& s) { return s.layout.zero_stage == 3 ? "" : "ZeRO stage is not 3"; }
std::string_view without_shards(const Scenario& s) { return s.layout.shards() > 1 ? "" : "no state is sharded"; }
std::string_view without_owners(const Scenario& s) { return s.layout.zero_stage == 1 ? "" : "ZeRO stage is not 1"; }
std::string_view without_sequence_parallel(const Scenario& s) {
    return s.layout.sequence_parallel ? "" : "sequence parallelism is off";
}
std::string_view without_full_recomputation(const Scenario& s) {
    return s.layout.recompute == Recompute::full ? "" : "recompute is not full";
}
std::string_view without_selection(const Scenario& s) {
    return s.layout.recompute == Recompute::selective ? "" : "recompute is not selective";
}

// What comes back after the loss: whole layers, or modules.
std::string_view without_layers_back(const Scenario& s) {
    return recomputes_by_module(s) ? "" : without_full_recomputation(s);
}
std::string_view without_list(const Scenario& s) {
    return recomputes_by_module(s) ? "" : "the plan lists no modules";
}

std::string_view without_sent_modules(const Scenario& s) {
    return sends_by_module(s.model, s.layout.offload) ? "" : "no module's activations leave";
}

std::string_view with_one_piece(const Scenario& s) {
    return s.stack.loss.chunks > 1 ? "" : "the loss is in one piece";
}
std::string_view without_trained_tables(const Scenario& s) {
    return trains_adapters(s.method) && s.method.trains_tables ? "" : "no tables beside adapters";
}
std::string_view with_known_loss(const Scenario& s) {
    return s.stack.loss.kernel == LossKernel::stated ? "" : "the loss tells";
}
std::string_view with_wide_moments(const Scenario& s) {
    const double bytes = moment_bytes(s.recipe);
    return bytes > 0 && bytes < 4 && !kept_by(s.recipe.optimizer).narrow ? "" : "moments are not kept in 16 bits";
}
std::string_view without_cpus(const Scenario& s) {
    return s.layout.offload.updates_on_cpus() ? "" : "the devices do the update";
}
std::string_view stores_no_fp8(const Scenario& s) {
    return s.recipe.precision == Precision::fp8 ? "" : "precision is not fp8";
}
std::string_view without_formats(const Scenario& s) {
    return s.recipe.precision == Precision::fp32 ? "fp32 keeps 16 bytes" : "";
}
std::string_view with_pipeline(const Scenario& s) {
    return s.layout.pipeline_parallel > 1 ? "there is a pipeline" : "";
}
std::string_view without_update_copies(const Scenario& s) {
    if (const std::string_view why = with_pipeline(s); !why.empty()) return why;
    return s.stack.memory.updates_all_at_once ? "" : "the update is not of all at once";
}

void add_overlap(Table& t) {
    t.push_back(idle_if(without_tensor, factor<&Stack::tensor, &TensorComm::exposed>(
        "stack.tensor_exposed", "Tensor-parallel exposure", {0, 10},
        "Share of these collectives nothing hides; above 1 where ranks wait for the slowest besides")));
    t.push_back(idle_if(without_pipeline, factor<&Stack::pipeline, &PipelineComm::exposed>(
        "stack.pipeline_exposed", "Pipeline exposure", {0, 1}, "Share of the transfers between stages nothing hides")));
    t.push_back(idle_if(without_sequence_parallel, flag<stack, &Stack::tensor, &TensorComm::gathers_inputs_again>(
        "stack.gathers_inputs_again", "Gathers inputs again",
        "The backward pass waits for the layer inputs that it gathers again; off: that hides behind a product")));
    t.push_back(idle_if(without_tensor, real<microsecond, stack, &Stack::tensor, &TensorComm::crossing>(
        "stack.tensor_crossing_us", "Tensor crossing", "us", {0, 1e5},
        "Per tensor collective and rank where the tensor group leaves its node")));
    t.push_back(idle_if(without_pipeline, milliseconds<&Stack::pipeline, &PipelineComm::message>(
        "stack.pipeline_message_ms", "Pipeline message", "Per neighbouring stage and pass, besides the transfer")));
    t.push_back(factor<&Stack::gradients, &GradientComm::overlap>(
        "stack.gradient_overlap", "Gradient overlap", {0, 1},
        "Share of a backward pass that gradient reduction may hide behind, and of a forward pass for gathers of "
        "updated weights. Megatron: --overlap-grad-reduce, --overlap-param-gather"));
    t.push_back(factor<&Stack::gradients, &GradientComm::exposed>(
        "stack.gradient_exposed", "Gradient exposure", {0, 1},
        "Share of these reductions and gathers that nothing hides, where that is more than the last bucket"));
    t.push_back(factor<&Stack::gradients, &GradientComm::hidden_tax>(
        "stack.hidden_reduction_tax", "Hidden reduction tax", {0, 1},
        "Share of the reductions and gathers that hide which the step waits for all the same, because their kernels "
        "slow the passes down"));
    t.push_back(idle_if(without_owners, flag<stack, &Stack::gradients, &GradientComm::reduces_whole>(
        "stack.reduces_whole", "Reduces whole gradients",
        "ZeRO-1 adds whole gradients up on every rank and gathers the weights besides")));
    t.push_back(idle_if(without_gathers, factor<&Stack::sharding, &StateSharding::gather_overlap_tax>(
        "stack.gather_overlap_tax", "Gather overlap tax", {0, 1},
        "FSDP: max(compute, comm) + tax x min(compute, comm)")));
    t.push_back(idle_if(without_shards, factor<&Stack::sharding, &StateSharding::efficiency>(
        "stack.sharded_efficiency", "Sharded efficiency", {0.01, 1},
        "Share of the network between nodes that gathers and scatters of sharded states reach (ZeRO)")));
    t.push_back(idle_if(without_gathers, flag<stack, &Stack::sharding, &StateSharding::gathers_fp32>(
        "stack.gathers_fp32", "Gathers fp32 weights", "ZeRO-3 fetches fp32 weights and casts after: autocast")));
    t.push_back(idle_if(without_owners, milliseconds<&Stack::sharding, &StateSharding::owner_broadcast>(
        "stack.owner_broadcast_ms", "Weights handed out",
        "ZeRO-1 across nodes: per rank that owns a share of the optimizer")));
    t.push_back(idle_if(without_owners, milliseconds<&Stack::sharding, &StateSharding::layer_handout>(
        "stack.layer_handout_ms", "Weights handed out per layer", "ZeRO-1 across nodes: per layer and node")));
    t.push_back(idle_if(without_gathers, milliseconds<&Stack::sharding, &StateSharding::host_collective>(
        "stack.host_collective_ms", "Host time per gathered matrix",
        "ZeRO-3 that works by module (DeepSpeed): to issue the gather, or the reduction, of one of a layer's "
        "matrices")));
    t.push_back(milliseconds<&Stack::gradients, &GradientComm::node_reduction>(
        "stack.node_reduction_ms", "Gradient reduction per node", "Added per node where it crosses nodes"));
    t.push_back(real<megabyte, stack, &Stack::gradients, &GradientComm::bucket>(
        "stack.bucket_MB", "Gradient bucket", "MB", {0, 1e5}, "Gradients reduced together"));
    t.push_back(milliseconds<&Stack::gradients, &GradientComm::bucket_crossing>(
        "stack.bucket_crossing_ms", "Gradient reduction per bucket", "Added per bucket where it crosses nodes"));
    t.push_back(idle_if(without_pipeline, count<stack, &Stack::sharding, &StateSharding::stage_with_pipeline>(
        "stack.zero_stage_with_pipeline", "ZeRO stage with a pipeline", "", {0, 3},
        "Highest ZeRO stage this stack combines with pipeline parallelism")));
    t.push_back(idle_if(without_recomputation, flag<stack, &Stack::recomputation, &Recomputation::last_stage>(
        "stack.last_stage_recomputes", "Last stage recomputes",
        "Off: its time shows none, as in the DeepSpeed pipeline engine")));
    t.push_back(idle_if(without_selection, factor<&Stack::recomputation, &Recomputation::selective_share>(
        "stack.selective_share", "Selective share", {0, 1},
        "Share of a layer's forward pass that selective recomputation repeats; 0: the attention core")));
    t.push_back(idle_if(without_list, flag<stack, &Stack::recomputation, &Recomputation::takes_modules>(
        "stack.recompute_modules", "Recomputes by module",
        "Selective recomputation takes a list of modules (Megatron-Core); off: what it repeats is set")));
    t.push_back(idle_if(without_full_recomputation, flag<stack, &Stack::recomputation,
                                                         &Recomputation::repeats_last_product>(
        "stack.repeats_last_product", "Repeats the last product",
        "Full recomputation runs the product that ends a layer again; off: dropped by the compiler "
        "(XLA), as the backward pass does not need its result")));
    t.push_back(idle_if(without_pipeline, choice<ScheduleSet, stack, &Stack::pipeline, &PipelineComm::schedules>(
        "stack.schedules", "Schedules of the software",
        "plain: gpipe and 1f1b; interleaved: that, too, as Megatron; v: zb-v and dualpipe-v, too, as PyTorch; any: "
        "all, or not known")));
    t.push_back(idle_if(without_pipeline, flag<stack, &Stack::pipeline, &PipelineComm::uneven_chunks>(
        "stack.uneven_chunks", "Uneven chunks",
        "Chunks of an interleaved schedule may differ in layers. Megatron: --pipeline-model-parallel-layout")));
    t.push_back(idle_if(without_pipeline, flag<stack, &Stack::pipeline, &PipelineComm::scatters_transfers>(
        "stack.scatter_pipeline_transfer", "Split stage transfers",
        "Activations between stages are split over the tensor ranks. Megatron: --scatter-gather-tensors-in-pipeline")));
    t.push_back(idle_if(without_pipeline, flag<stack, &Stack::pipeline, &PipelineComm::splits_by_cost>(
        "stack.splits_by_cost", "Splits by cost",
        "Where the layout leaves stages even, they are filled by their share of the products, head included: "
        "nanotron")));
}

void add_bytes(Table& t) {
    t.push_back(factor<&Stack::loss, &LossComputation::cross_entropy_bytes>(
        "stack.cross_entropy_bytes", "Cross-entropy bytes", {0, 1000}, "Touched per logit, forward and backward"));
    t.push_back(choice<LossKernel, stack, &Stack::loss, &LossComputation::kernel>(
        "stack.loss", "Loss", "How the loss comes about, which tells what is held per logit: parallel 6 bytes, "
        "parallel_fused 10, parallel_copied 8, eager 14 (18 over tensor ranks), compiled 4 (10 over tensor ranks), "
        "fused_linear 2 of one chunk, for the head's product once more; stated: logit bytes"));
    t.push_back(count<stack, &Stack::loss, &LossComputation::chunks>(
        "stack.loss_chunks", "Loss chunks", "", {1, 1024},
        "Pieces of the tokens that the loss takes one after the other"));
    t.push_back(idle_if(with_one_piece, flag<stack, &Stack::loss, &LossComputation::chunks_keep_logits>(
        "stack.loss_chunks_keep_logits", "Loss chunks keep logits",
        "The head's product comes before the pieces, and what is kept of its logits is there for all of them; off: "
        "each piece has its own product, and nothing is kept")));
    t.push_back(idle_if(with_known_loss, factor<&Stack::loss, &LossComputation::logit_bytes>(
        "stack.logit_bytes", "Logit bytes", {0, 1000}, "Held per logit at the peak of the end stage")));
    t.push_back(real<megabyte, stack, &Stack::loss, &LossComputation::logits_at_once>(
        "stack.logits_at_once_MB", "Logits at once", "MB", {0, 1e6},
        "The loss takes them in pieces of at most this size; 0: all at once"));
    t.push_back(idle_if(without_layers_back, flag<stack, &Stack::loss, &LossComputation::logits_share_room>(
        "stack.logits_share_room", "Logits share room",
        "A layer that recomputation brings back lies where they were")));
    t.push_back(idle_if(without_gathers, flag<stack, &Stack::sharding, &StateSharding::gathers_tables>(
        "stack.gathers_tables", "Gathers tables",
        "ZeRO-3: embedding and head are fetched whole, with room for their gradient")));
    t.push_back(idle_if(without_gathers, flag<stack, &Stack::sharding, &StateSharding::reduces_fp32>(
        "stack.reduces_fp32", "Reduces in fp32",
        "ZeRO-3: a unit's gradient is copied to fp32 before it is shared out")));
    t.push_back(idle_if(without_gathers, flag<stack, &Stack::sharding, &StateSharding::keeps_units_in_pipeline>(
        "stack.keeps_units_in_pipeline", "Keeps units in a pipeline",
        "ZeRO-3 with a pipeline: weights stay gathered and gradients whole through a step")));
    t.push_back(idle_if(without_sent_modules, flag<stack, &Stack::memory, &MemoryHabits::sends_modules>(
        "stack.offload_modules", "Offloads by module",
        "Activations leave the devices by module (Megatron-Core); off: those of whole layers do")));
    t.push_back(flag<stack, &Stack::memory, &MemoryHabits::eager_layers>(
        "stack.eager_layers", "Eager layers",
        "Activation functions and rotary positions run as single operations, each of which keeps its result"));
    t.push_back(idle_if(without_selection, flag<stack, &Stack::recomputation, &Recomputation::keeps_alternate_products>(
        "stack.keeps_alternate_products", "Keeps alternate products",
        "Selective recomputation keeps every other product and attention, and repeats the rest")));
    t.push_back(factor<&Stack::memory, &MemoryHabits::unsplit_stream_bytes>(
        "stack.unsplit_stream_bytes", "Unsplit stream bytes", {0, 1000},
        "Held per value of the residual stream for each micro-batch in flight, whatever the tensor ranks split"));
    t.push_back(flag<stack, &Stack::memory, &MemoryHabits::keeps_16bit_gradients>(
        "stack.keeps_16bit_gradients", "Keeps 16-bit gradients", "Beside the fp32 sums they are added to"));
    t.push_back(idle_if(with_pipeline, flag<stack, &Stack::memory, &MemoryHabits::gradients_come_and_go>(
        "stack.gradients_come_and_go", "Gradients come and go",
        "Freed after an update, as PyTorch does, so that the loss and the gradients are not there at once")));
    t.push_back(idle_if(with_pipeline, flag<stack, &Stack::memory, &MemoryHabits::updates_all_at_once>(
        "stack.updates_all_at_once", "Updates all at once",
        "The update holds more moments of every owned parameter (foreach optimizers of PyTorch); off: fused")));
    t.push_back(idle_if(without_update_copies, count<stack, &Stack::memory, &MemoryHabits::update_copies>(
        "stack.update_copies", "Update copies", "", {1, 10},
        "Moments that such an update holds besides the states: one, and two before PyTorch 2.1")));
    t.push_back(idle_if(without_trained_tables, flag<stack, &Stack::memory, &MemoryHabits::copies_trained_tables>(
        "stack.copies_trained_tables", "Copies trained tables",
        "Beside adapters, tables that are trained are copies of tables that stay (PEFT: modules_to_save)")));
    t.push_back(idle_if(with_wide_moments, flag<stack, &Stack::memory, &MemoryHabits::widens_moments>(
        "stack.widens_moments", "Widens moments",
        "The update copies 16-bit moments to fp32, all of the experts or of the others at once: a peak of its own "
        "(Transformer Engine before 2.13)")));
    t.push_back(idle_if(stores_no_fp8, choice<Fp8Storage, stack, &Stack::memory, &MemoryHabits::fp8_storage>(
        "stack.fp8_storage", "fp8 storage",
        "Kept in fp8: nothing; copies of the weights and inputs of products (Transformer Engine); or the weights "
        "themselves. Transformer Engine: fp8_model_init makes them primary")));
    t.push_back(idle_if(without_formats, choice<StateSet, stack, &Stack::memory, &MemoryHabits::states>(
        "stack.state_formats", "Formats of the software",
        "In which it keeps states of a parameter: those of the named recipes; each state in its own (Transformer "
        "Engine); any. Others are refused")));
    t.push_back(idle_if(with_pipeline, real<megabyte, stack, &Stack::memory, &MemoryHabits::unpipelined_buckets>(
        "stack.unpipelined_buckets_MB", "Buckets without a pipeline", "MB", {0, 1e5},
        "Held for reductions and gathers where there is no pipeline")));
    t.push_back(factor<&Stack::memory, &MemoryHabits::optimizer_peak_bytes>(
        "stack.optimizer_peak_bytes", "Optimizer peak bytes", {0, 1000},
        "Held per owned parameter while the optimizer runs, besides the states: fp32 gradients and copies"));
    t.push_back(factor<&Stack::memory, &MemoryHabits::gradient_copy_bytes>(
        "stack.gradient_copy_bytes", "Gradient copy bytes", {0, 1000},
        "Held per parameter besides the states: flat or fp32 copies of the gradients, shared out from ZeRO "
        "stage 2 on"));
    t.push_back(factor<&Stack::updates, &UpdateTraffic::optimizer_bytes>(
        "stack.optimizer_bytes", "Optimizer bytes", {0, 1000}, "Touched per parameter in the optimizer step"));
    t.push_back(factor<&Stack::updates, &UpdateTraffic::accumulation_bytes>(
        "stack.accumulation_bytes", "Accumulation bytes", {0, 1000},
        "Touched per parameter and micro-batch to add 16-bit gradients up"));
    t.push_back(factor<&Stack::updates, &UpdateTraffic::fp32_accumulation_bytes>(
        "stack.fp32_accumulation_bytes", "Accumulation bytes, fp32", {0, 1000},
        "Touched per parameter and micro-batch to add fp32 gradients up; 0 where the GEMM accumulates itself"));
    t.push_back(idle_if(without_cpus, flag<stack, &Stack::updates, &UpdateTraffic::devices_keep_masters>(
        "stack.devices_keep_masters", "Devices keep master weights",
        "With updates on CPUs the devices keep the fp32 master weights; fp32 gradients go down and fp32 weights come "
        "back")));
    t.push_back(idle_if(without_cpus, flag<stack, &Stack::updates, &UpdateTraffic::moves_in_turn>(
        "stack.moves_in_turn", "Moves in turn",
        "Gradients, the update on CPUs and the new weights one after the other; off: side by side. Megatron: "
        "--overlap-cpu-optimizer-d2h-h2d turns it off")));
    t.push_back(real<gibibyte, stack, &Stack::memory, &MemoryHabits::context>(
        "stack.context_GiB", "Context", "GiB", {0, 1000}, "Driver, libraries, communicators, per device"));
    t.push_back(factor<&Stack::memory, &MemoryHabits::fragmentation>(
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
