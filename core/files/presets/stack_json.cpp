#include "core/files/presets/parts.h"

namespace plimsoll::files {
namespace {

constexpr NumberRange host_time{0, 1e9};

constexpr Table expert_stack_fields{
    choice<&ExpertStack::dispatch>("dispatch")
        .about("One copy of a token for each of its experts, for each node, or for each node and rank"),
    pure<&ExpertStack::exchange_efficiency>("exchange_efficiency", fraction)
        .about("Achieved share of the network in the all-to-all"),
    pure<&ExpertStack::exchange_exposed>("exchange_exposed", share).about("Share of the all-to-all nothing hides"),
    pure<&ExpertStack::paired_exposed>("paired_exposed", share)
        .about("Of this, what is left of passes side by side; absent: the software has no combined schedule"),
    pure<&ExpertStack::exchange_units>("exchange_units", {0, 0.9})
        .left_out_by_default()
        .about("Share of the device's multiprocessors that its kernels take from what runs beside it; absent: none"),
    pure<&ExpertStack::grouped_gemm_factor>("grouped_gemm_factor", factor)
        .schema_limits({smallest, 2}).about("On the device's rate of grouped products"),
    flag<&ExpertStack::groups_one_expert>("groups_one_expert")
        .about("One expert a rank is a grouped product, too; absent: an ordinary one"),
    pure<&ExpertStack::row_traffic>("row_traffic", {0, 100})
        .about("On the bytes that rows of experts move besides products: permuting, activation function"),
    real<&ExpertStack::exchange_start>("exchange_start_us", microsecond, host_time)
        .about("Of each exchange, besides the network's latency, microseconds"),
    real<&ExpertStack::host_experts>("host_experts_ms", millisecond, host_time)
        .about("Host, extra per layer with experts and forward pass"),
    real<&ExpertStack::host_latent>("host_latent_ms", millisecond, host_time)
        .about("More of it where the layer's attention is latent"),
    real<&ExpertStack::host_exchange>("host_exchange_ms", millisecond, host_time)
        .about("More of it where a part of the exchange runs beside other work"),
    choice<&ExpertStack::graph>("graph")
        .about("What of a layer with experts a CUDA graph replays; absent: nothing"),
    pure<&ExpertStack::router_graph_leaves>("router_graph_leaves", {0, 10})
        .about("Share of host_experts_ms that a graph of the router leaves; absent: 1.04"),
    pure<&ExpertStack::attention_graph_leaves>("attention_graph_leaves", {0, 10})
        .about("Share of host_experts_ms that a graph of attention and router leaves; absent: 0.42"),
};
static_assert(complete(expert_stack_fields), "every member has a row");

constexpr Table stack_fields{
    constant<Stack>("schema", "plimsoll/stack"),
    constant<Stack>("version", preset_version),
    text<&Stack::id>("id").matching(id_pattern).stated().about("File name without .json"),
    text<&Stack::name>("name").not_empty().stated().about("For people"),
    text<&Stack::as_of>("as_of")
        .matching(month_pattern).stated().about("Year and month the facts were gathered"),
    text<&Stack::note>("note").prose().stated().about("What a user should know"),
    text<&Stack::family>("family").about("Presets of one software that differ in how it was tuned"),
    choice<&Stack::tuning>("tuning").about("How hard the software was tuned: a bundle of what follows"),
    choice<&Stack::software>("software")
        .left_out_by_default()
        .about("The program, by which launch finds what it writes files for; absent: another one"),
    choice<&Stack::kernels, &DeviceKernels::attention>("attention")
        .needed().about("Whether scores are written to memory"),
    choice<&Stack::kernels, &DeviceKernels::attention_kernel>("attention_kernel")
        .about("What computes fused attention; absent: generic, the device's flash_forward and flash_backward"),
    flag<&Stack::kernels, &DeviceKernels::fuses_softmax>("fuses_softmax")
        .about("Mask and softmax of scores that are written are one kernel; off: one operation after the other, "
               "in fp32"),
    flag<&Stack::kernels, &DeviceKernels::cudnn_first>("cudnn_first")
        .about("A cuDNN kernel in its place on devices that have numbers of it; absent: no"),
    pure<&Stack::kernels, &DeviceKernels::gemm_factor>("gemm_factor", factor)
        .schema_limits({0.1, 2}).stated().about("On the GEMM ceiling of the device"),
    pure<&Stack::kernels, &DeviceKernels::elementwise_factor>("elementwise_factor", factor)
        .schema_limits({0.1, 100}).stated().about("On elementwise bytes"),
    flag<&Stack::kernels, &DeviceKernels::fuses_rms_norms>("fuses_rms_norms")
        .about("A root-mean-square norm is one kernel; off: one operation after the other, in fp32"),
    pure<&Stack::kernels, &DeviceKernels::fp32_residual_factor>("fp32_residual_factor", factor)
        .schema_limits({0.1, 100}).stated().about("Further factor when the residual stream stays fp32"),
    pure<&Stack::kernels, &DeviceKernels::flash_forward_scale>("flash_forward_scale", factor)
        .schema_limits({0.1, 5}).stated().about("Attention kernels against those of the device preset"),
    pure<&Stack::kernels, &DeviceKernels::flash_backward_scale>("flash_backward_scale", factor)
        .schema_limits({0.1, 5}).stated().about("The same, backward"),
    flag<&Stack::kernels, &DeviceKernels::skips_windows>("skips_windows")
        .about("Fused attention leaves out what a window masks; absent: it does"),
    pure<&Stack::kernels, &DeviceKernels::quantisation_factor>("quantisation_factor", {0, 100})
        .about("On the bytes that converting to fp8 moves"),
    pure<&Stack::kernels, &DeviceKernels::adapter_fusion>("adapter_fusion", ranges::share)
        .left_out_by_default()
        .about("Share of the adapters' traffic besides products that fused kernels leave out"),
    flag<&Stack::kernels, &DeviceKernels::quantises_each_micro_batch>("quantises_each_micro_batch")
        .about("Weights are converted to fp8 for every micro-batch; absent: once a step"),
    real<&Stack::host, &HostSide::layer>("host_layer_ms", millisecond, host_time)
        .schema_limits({0, 6e4}).stated().about("To issue one layer forward"),
    real<&Stack::host, &HostSide::tensor>("host_tensor_ms", millisecond, host_time)
        .schema_limits({0, 6e4}).stated().about("Extra per layer and pass with tensor parallelism"),
    real<&Stack::host, &HostSide::micro_batch>("host_micro_batch_ms", millisecond, host_time)
        .schema_limits({0, 6e4}).stated().about("Of the pipeline engine"),
    real<&Stack::host, &HostSide::optimizer_layer>("host_optimizer_layer_ms", millisecond, host_time)
        .schema_limits({0, 6e4}).stated().about("Per layer in the optimizer step"),
    pure<&Stack::host, &HostSide::jitter>("host_jitter", {0, 1000})
        .schema_limits({0, 2}).stated().about("Slowest of t ranks: host times x (1 + jitter (t - 1))"),
    real<&Stack::host, &HostSide::pipeline_tensor>("host_pipeline_tensor_ms", millisecond, host_time)
        .schema_limits({0, 6e4}).about("Extra per layer, pass and tensor rank where a pipeline spans nodes"),
    pure<&Stack::host, &HostSide::late_collectives>("host_late_collectives", {0, 100})
        .about("Collectives of a layer and pass that such hosts issue late where the tensor group leaves its node; "
               "absent: 5"),
    real<&Stack::host, &HostSide::layer_gap>("layer_gap_ms", millisecond, host_time)
        .schema_limits({0, 6e4}).stated().about("Idle device time per layer and pass"),
    real<&Stack::host, &HostSide::step_constant>("step_constant_ms", millisecond, host_time)
        .schema_limits({0, 6e4}).stated().about("Once per step"),
    pure<&Stack::tensor, &TensorComm::exposed>("tensor_exposed", {0, 10})
        .stated().about("Share of tensor collectives nothing hides"),
    flag<&Stack::tensor, &TensorComm::gathers_inputs_again>("gathers_inputs_again")
        .about("Sequence parallelism: the backward pass waits for the layer inputs that it gathers again"),
    real<&Stack::tensor, &TensorComm::crossing>("tensor_crossing_us", microsecond, host_time)
        .schema_limits({0, 6e7})
        .about("Per tensor collective and rank of a group that leaves its node, microseconds"),
    pure<&Stack::pipeline, &PipelineComm::exposed>("pipeline_exposed", share)
        .stated().about("Share of stage transfers nothing hides"),
    real<&Stack::pipeline, &PipelineComm::message>("pipeline_message_ms", millisecond, host_time)
        .schema_limits({0, 6e4}).about("Per neighbouring stage and pass, besides the transfer"),
    pure<&Stack::gradients, &GradientComm::overlap>("gradient_overlap", share)
        .stated()
        .about("Share of a backward pass that may hide gradient reduction, of a forward pass gathers of weights"),
    pure<&Stack::gradients, &GradientComm::exposed>("gradient_exposed", share)
        .about("Share of gradient reductions and gathers of weights that nothing hides; at least the last bucket"),
    pure<&Stack::gradients, &GradientComm::hidden_tax>("hidden_reduction_tax", share)
        .about("Share of those that hide which the step waits for all the same: their kernels slow the passes down"),
    flag<&Stack::gradients, &GradientComm::reduces_whole>("reduces_whole")
        .about("ZeRO-1 adds whole gradients up on every rank and gathers the weights besides"),
    pure<&Stack::sharding, &StateSharding::gather_overlap_tax>("gather_overlap_tax", share)
        .stated().about("max(compute, comm) + tax x min(compute, comm)"),
    pure<&Stack::sharding, &StateSharding::efficiency>("sharded_efficiency", fraction)
        .stated().about("Share of the network between nodes that gathers and scatters of sharded states reach"),
    flag<&Stack::sharding, &StateSharding::gathers_fp32>("gathers_fp32")
        .about("ZeRO-3 fetches fp32 weights and casts after"),
    real<&Stack::sharding, &StateSharding::owner_broadcast>("owner_broadcast_ms", millisecond, host_time)
        .schema_limits({0, 6e4})
        .about("ZeRO-1 across nodes: handing out weights, per rank that owns a share of the optimizer"),
    real<&Stack::sharding, &StateSharding::layer_handout>("layer_handout_ms", millisecond, host_time)
        .schema_limits({0, 6e4}).about("ZeRO-1 across nodes: handing out weights, per layer and node"),
    real<&Stack::sharding, &StateSharding::host_collective>("host_collective_ms", millisecond, host_time)
        .schema_limits({0, 6e4})
        .about("ZeRO-3 by module: the host issues the gather, or the reduction, of one of a layer's matrices"),
    real<&Stack::gradients, &GradientComm::node_reduction>("node_reduction_ms", millisecond, host_time)
        .schema_limits({0, 6e4}).about("Gradient reduction across nodes, per node"),
    real<&Stack::gradients, &GradientComm::bucket>("bucket_MB", megabyte, {0, 1e9})
        .schema_limits({0, 1e5}).stated().about("Gradients reduced together"),
    real<&Stack::gradients, &GradientComm::bucket_crossing>("bucket_crossing_ms", millisecond, host_time)
        .schema_limits({0, 6e4}).about("Gradient reduction across nodes, per bucket"),
    whole<&Stack::sharding, &StateSharding::stage_with_pipeline>("zero_stage_with_pipeline", {0, 3})
        .stated().about("Highest ZeRO stage combined with a pipeline"),
    flag<&Stack::recomputation, &Recomputation::last_stage>("last_stage_recomputes")
        .stated().about("The last stage recomputes too"),
    pure<&Stack::recomputation, &Recomputation::selective_share>("selective_share", share)
        .about("Share of a layer's forward pass that selective recomputation repeats; 0: the attention core"),
    flag<&Stack::recomputation, &Recomputation::takes_modules>("recompute_modules")
        .about("Selective recomputation takes a list of modules (Megatron-Core: --recompute-modules)"),
    flag<&Stack::recomputation, &Recomputation::repeats_last_product>("repeats_last_product")
        .about("Full recomputation repeats the product that ends a layer; absent: it does"),
    flag<&Stack::pipeline, &PipelineComm::uneven_chunks>("uneven_chunks")
        .about("Interleaved chunks may differ in layers"),
    flag<&Stack::pipeline, &PipelineComm::scatters_transfers>("scatter_pipeline_transfer")
        .stated().about("Transfers are split over the tensor ranks"),
    choice<&Stack::pipeline, &PipelineComm::schedules>("schedules")
        .about("Pipeline schedules that the software has, each set with those before it; absent: any"),
    flag<&Stack::pipeline, &PipelineComm::splits_by_cost>("splits_by_cost")
        .about("Stages are filled by their share of the products, the head's included"),
    pure<&Stack::stalls, &Stalls::above>("stalls_above", share)
        .about("Share of the memory above which steps stall; 0: not seen"),
    real<&Stack::stalls, &Stalls::gathered>("stalls_gathered_MB", megabyte, {0, 1e9})
        .schema_limits({0, 1e5})
        .about("Without a pipeline they stall where tensor ranks gather this much at once and more; absent: not seen"),
    whole<&Stack::stalls, &Stalls::tensor_ranks>("stalls_tensor_ranks", {1, 1e6})
        .about("With a pipeline they stall from this many tensor ranks on; absent: 32"),
    whole<&Stack::stalls, &Stalls::replicas>("stalls_replicas", {0, 1e6})
        .about("With a pipeline they stall with fewer replicas than this on several nodes without ZeRO; absent: 32"),
    real<&Stack::stalls, &Stalls::time>("stall_ms", millisecond, host_time)
        .schema_limits({0, 6e4}).about("Lost in every micro-batch of a run that stalls; absent: 500"),
    feature<&Stack::experts>("experts", expert_stack_fields)
        .about("What the software does for layers with experts"),
    pure<&Stack::loss, &LossComputation::cross_entropy_bytes>("cross_entropy_bytes", {0, 1e6})
        .schema_limits({0, 1000}).stated().about("Touched per logit"),
    choice<&Stack::loss, &LossComputation::kernel>("loss")
        .about("How the loss comes about, which tells what is held per logit; absent or stated: logit_bytes"),
    whole<&Stack::loss, &LossComputation::chunks>("loss_chunks", {1, 1024})
        .about("Pieces of the tokens that the loss takes one after the other; absent: one"),
    flag<&Stack::loss, &LossComputation::chunks_keep_logits>("loss_chunks_keep_logits")
        .about("The head's product comes before the pieces, and what is kept of its logits is there for all of them; "
               "absent: each piece has its own, and nothing is kept"),
    pure<&Stack::loss, &LossComputation::logit_bytes>("logit_bytes", {0, 1e6})
        .schema_limits({0, 1000}).about("Held per logit at the peak, where the loss is stated"),
    real<&Stack::loss, &LossComputation::logits_at_once>("logits_at_once_MB", megabyte, {0, 1e9})
        .about("The loss takes logits in pieces of at most this size, MB; absent or 0: all at once"),
    flag<&Stack::loss, &LossComputation::logits_share_room>("logits_share_room")
        .about("A layer that recomputation brings back lies where the logits were; absent: beside them"),
    flag<&Stack::sharding, &StateSharding::gathers_tables>("gathers_tables")
        .about("ZeRO-3 fetches embedding and head whole, with room for their gradient"),
    flag<&Stack::sharding, &StateSharding::reduces_fp32>("reduces_fp32")
        .about("ZeRO-3: a unit's whole gradient is copied to fp32 before it is shared out"),
    flag<&Stack::sharding, &StateSharding::keeps_units_in_pipeline>("keeps_units_in_pipeline")
        .about("ZeRO-3 with a pipeline: weights stay gathered and gradients whole until the last micro-batch is "
               "done"),
    flag<&Stack::memory, &MemoryHabits::sends_modules>("offload_modules")
        .about("Activations leave the devices by module (Megatron-Core: --offload-modules)"),
    flag<&Stack::memory, &MemoryHabits::eager_layers>("eager_layers")
        .about("Elementwise operations of a layer keep their results one by one"),
    flag<&Stack::recomputation, &Recomputation::keeps_alternate_products>("keeps_alternate_products")
        .about("Selective recomputation keeps every other product and attention, and repeats the rest"),
    pure<&Stack::memory, &MemoryHabits::unsplit_stream_bytes>("unsplit_stream_bytes", {0, 1e6})
        .schema_limits({0, 1000})
        .about("Held per value of the residual stream for each micro-batch in flight, whatever the tensor ranks "
               "split"),
    flag<&Stack::memory, &MemoryHabits::keeps_16bit_gradients>("keeps_16bit_gradients")
        .about("16-bit gradients stay beside the fp32 sums they are added to"),
    flag<&Stack::memory, &MemoryHabits::gradients_come_and_go>("gradients_come_and_go")
        .about("Gradients are freed after an update and come back with the backward pass; absent: their buffers stay"),
    flag<&Stack::memory, &MemoryHabits::updates_all_at_once>("updates_all_at_once")
        .about("The update takes all parameters at once and holds more moments of each meanwhile"),
    whole<&Stack::memory, &MemoryHabits::update_copies>("update_copies", {1, 10})
        .about("Moments that it holds so; absent: one"),
    flag<&Stack::memory, &MemoryHabits::copies_trained_tables>("copies_trained_tables")
        .about("Beside adapters, tables that are trained are copies of tables that stay"),
    flag<&Stack::memory, &MemoryHabits::widens_moments>("widens_moments")
        .about("The update copies 16-bit moments to fp32, all of the experts or of the others at once"),
    choice<&Stack::memory, &MemoryHabits::fp8_storage>("fp8_storage")
        .about("Kept in fp8: nothing; copies of the weights and inputs of products; or the weights themselves"),
    choice<&Stack::memory, &MemoryHabits::states>("state_formats")
        .left_out_by_default()
        .about("Formats in which the software keeps states of a parameter, each set with those before it; absent: "
               "any"),
    real<&Stack::memory, &MemoryHabits::unpipelined_buckets>("unpipelined_buckets_MB", megabyte, {0, 1e9})
        .about("Held for reductions and gathers where there is no pipeline"),
    pure<&Stack::memory, &MemoryHabits::optimizer_peak_bytes>("optimizer_peak_bytes", {0, 1e6})
        .about("Held per owned parameter while the optimizer runs, besides the states"),
    pure<&Stack::memory, &MemoryHabits::gradient_copy_bytes>("gradient_copy_bytes", {0, 1e6})
        .about("Held per parameter besides the states, shared out only where the gradients are: flat and fp32 "
               "copies of them"),
    pure<&Stack::updates, &UpdateTraffic::optimizer_bytes>("optimizer_bytes", {0, 1e6})
        .schema_limits({0, 1000}).stated().about("Touched per parameter in the optimizer step"),
    pure<&Stack::updates, &UpdateTraffic::accumulation_bytes>("accumulation_bytes", {0, 1e6})
        .schema_limits({0, 1000}).stated().about("Touched per parameter and micro-batch, 16-bit gradients"),
    pure<&Stack::updates, &UpdateTraffic::fp32_accumulation_bytes>("fp32_accumulation_bytes", {0, 1e6})
        .schema_limits({0, 1000}).stated().about("The same, fp32 gradients"),
    flag<&Stack::updates, &UpdateTraffic::devices_keep_masters>("devices_keep_masters")
        .about("With updates on CPUs the devices keep the fp32 master weights, and what moves has 32 bits"),
    flag<&Stack::updates, &UpdateTraffic::moves_in_turn>("moves_in_turn")
        .about("Gradients, update on CPUs and new weights one after the other; absent: side by side"),
    real<&Stack::memory, &MemoryHabits::context>("context_GiB", gibibyte, {0, 1e6})
        .schema_limits({0, 1000}).stated().about("Driver, libraries, communicators"),
    pure<&Stack::memory, &MemoryHabits::fragmentation>("fragmentation", {1, 100})
        .schema_limits({1, 2}).stated().about("On activations and buffers"),
    sources<&Stack::sources>("sources").stated(),
};
static_assert(complete(stack_fields), "every member has a row");

}  // namespace

template <> std::string_view schema_of<Stack>() { return "plimsoll/stack"; }

void read_part(const Reader& at, Stack& s) { read_fields(stack_fields, at, s); }

template <> OrderedJson preset_schema<Stack>() {
    return document_schema("Software stack preset", object_schema(stack_fields));
}

OrderedJson write_part(const Stack& s) { return write_fields(stack_fields, s); }

}  // namespace plimsoll::files
