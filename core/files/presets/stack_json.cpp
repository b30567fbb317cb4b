#include "core/files/presets/parts.h"

namespace plimsoll::files {
namespace {

constexpr NumberRange host_time{0, 1e9};

constexpr auto expert_stack_fields = std::tuple{
    choice("dispatch", &ExpertStack::dispatch)
        .about("One copy of a token for each of its experts, for each node, or for each node and rank"),
    pure("exchange_efficiency", &ExpertStack::exchange_efficiency, fraction)
        .about("Achieved share of the network in the all-to-all"),
    pure("exchange_exposed", &ExpertStack::exchange_exposed, share).about("Share of the all-to-all nothing hides"),
    pure("grouped_gemm_factor", &ExpertStack::grouped_gemm_factor, factor)
        .schema_limits({smallest, 2}).about("On the device's rate of grouped products"),
    pure("row_traffic", &ExpertStack::row_traffic, {0, 100})
        .about("On the bytes that rows of experts move besides products: permuting, activation function"),
    real("exchange_start_us", &ExpertStack::exchange_start, microsecond, host_time)
        .about("Of each exchange, besides the network's latency, microseconds"),
    real("host_experts_ms", &ExpertStack::host_experts, millisecond, host_time)
        .about("Host, extra per layer with experts and forward pass"),
    real("host_exchange_ms", &ExpertStack::host_exchange, millisecond, host_time)
        .about("More of it where a part of the exchange runs beside other work"),
    choice("graph", &ExpertStack::graph)
        .about("What of a layer with experts a CUDA graph replays; absent: nothing"),
    pure("router_graph_leaves", &ExpertStack::router_graph_leaves, {0, 10})
        .about("Share of host_experts_ms that a graph of the router leaves; absent: 1.04"),
    pure("attention_graph_leaves", &ExpertStack::attention_graph_leaves, {0, 10})
        .about("Share of host_experts_ms that a graph of attention and router leaves; absent: 0.42"),
};
static_assert(members_in(expert_stack_fields) == members_of<ExpertStack>, "every member has a row");

constexpr auto stack_fields = std::tuple_cat(
    std::tuple{
        FixedField{"schema", std::string_view("plimsoll/stack")},
        FixedField{"version", preset_version},
        text("id", &Stack::id).matching(id_pattern).stated().about("File name without .json"),
        text("name", &Stack::name).not_empty().stated().about("For people"),
        text("as_of", &Stack::as_of)
            .matching(month_pattern).stated().about("Year and month the facts were gathered"),
        text("note", &Stack::note).prose().stated().about("What a user should know"),
        text("family", &Stack::family).about("Presets of one software that differ in how it was tuned"),
        choice("tuning", &Stack::tuning).about("How hard the software was tuned: a bundle of what follows")},
    inside(&Stack::kernels,
        choice("attention", &DeviceKernels::attention).needed().about("Whether scores are written to memory"),
        choice("attention_kernel", &DeviceKernels::attention_kernel)
            .about("What computes fused attention; absent: generic, the device's flash_forward and flash_backward"),
        flag("cudnn_first", &DeviceKernels::cudnn_first)
            .about("PyTorch's cuDNN kernel in its place on devices that have numbers of it; absent: no"),
        pure("gemm_factor", &DeviceKernels::gemm_factor, factor)
            .schema_limits({0.1, 2}).stated().about("On the GEMM ceiling of the device"),
        pure("elementwise_factor", &DeviceKernels::elementwise_factor, factor)
            .schema_limits({0.1, 100}).stated().about("On elementwise bytes"),
        pure("fp32_residual_factor", &DeviceKernels::fp32_residual_factor, factor)
            .schema_limits({0.1, 100}).stated().about("Further factor when the residual stream stays fp32"),
        pure("flash_forward_scale", &DeviceKernels::flash_forward_scale, factor)
            .schema_limits({0.1, 5}).stated().about("Attention kernels against those of the device preset"),
        pure("flash_backward_scale", &DeviceKernels::flash_backward_scale, factor)
            .schema_limits({0.1, 5}).stated().about("The same, backward"),
        flag("skips_windows", &DeviceKernels::skips_windows)
            .about("Fused attention leaves out what a window masks; absent: it does"),
        pure("quantisation_factor", &DeviceKernels::quantisation_factor, {0, 100})
            .about("On the bytes that converting to fp8 moves"),
        flag("quantises_each_micro_batch", &DeviceKernels::quantises_each_micro_batch)
            .about("Weights are converted to fp8 for every micro-batch; absent: once a step")),
    inside(&Stack::host,
        real("host_layer_ms", &HostSide::layer, millisecond, host_time)
            .schema_limits({0, 6e4}).stated().about("To issue one layer forward"),
        real("host_tensor_ms", &HostSide::tensor, millisecond, host_time)
            .schema_limits({0, 6e4}).stated().about("Extra per layer and pass with tensor parallelism"),
        real("host_micro_batch_ms", &HostSide::micro_batch, millisecond, host_time)
            .schema_limits({0, 6e4}).stated().about("Of the pipeline engine"),
        real("host_optimizer_layer_ms", &HostSide::optimizer_layer, millisecond, host_time)
            .schema_limits({0, 6e4}).stated().about("Per layer in the optimizer step"),
        pure("host_jitter", &HostSide::jitter, {0, 1000})
            .schema_limits({0, 2}).stated().about("Slowest of t ranks: host times x (1 + jitter (t - 1))"),
        real("host_pipeline_tensor_ms", &HostSide::pipeline_tensor, millisecond, host_time)
            .schema_limits({0, 6e4}).about("Extra per layer, pass and tensor rank where a pipeline spans nodes"),
        pure("host_late_collectives", &HostSide::late_collectives, {0, 100})
            .about("Collectives of a layer and pass that such hosts issue late where the tensor group leaves its node; "
                   "absent: 5"),
        real("layer_gap_ms", &HostSide::layer_gap, millisecond, host_time)
            .schema_limits({0, 6e4}).stated().about("Idle device time per layer and pass"),
        real("step_constant_ms", &HostSide::step_constant, millisecond, host_time)
            .schema_limits({0, 6e4}).stated().about("Once per step")),
    inside(&Stack::tensor,
        pure("tensor_exposed", &TensorComm::exposed, {0, 10})
            .stated().about("Share of tensor collectives nothing hides"),
        flag("gathers_inputs_again", &TensorComm::gathers_inputs_again)
            .about("Sequence parallelism: the backward pass waits for the layer inputs that it gathers again"),
        real("tensor_crossing_us", &TensorComm::crossing, microsecond, host_time)
            .schema_limits({0, 6e7})
            .about("Per tensor collective and rank of a group that leaves its node, microseconds")),
    inside(&Stack::pipeline,
        pure("pipeline_exposed", &PipelineComm::exposed, share)
            .stated().about("Share of stage transfers nothing hides"),
        real("pipeline_message_ms", &PipelineComm::message, millisecond, host_time)
            .schema_limits({0, 6e4}).about("Per neighbouring stage and pass, besides the transfer")),
    inside(&Stack::gradients,
        pure("gradient_overlap", &GradientComm::overlap, share)
            .stated()
            .about("Share of a backward pass that may hide gradient reduction, of a forward pass gathers of weights"),
        pure("gradient_exposed", &GradientComm::exposed, share)
            .about("Share of gradient reductions and gathers of weights that nothing hides; at least the last bucket"),
        flag("reduces_whole", &GradientComm::reduces_whole)
            .about("ZeRO-1 adds whole gradients up on every rank and gathers the weights besides")),
    inside(&Stack::sharding,
        pure("gather_overlap_tax", &StateSharding::gather_overlap_tax, share)
            .stated().about("max(compute, comm) + tax x min(compute, comm)"),
        pure("sharded_efficiency", &StateSharding::efficiency, fraction)
            .stated().about("Share of the network between nodes that gathers and scatters of sharded states reach"),
        flag("gathers_fp32", &StateSharding::gathers_fp32).about("ZeRO-3 fetches fp32 weights and casts after"),
        real("owner_broadcast_ms", &StateSharding::owner_broadcast, millisecond, host_time)
            .schema_limits({0, 6e4})
            .about("ZeRO-1 across nodes: handing out weights, per rank that owns a share of the optimizer")),
    inside(&Stack::gradients,
        real("node_reduction_ms", &GradientComm::node_reduction, millisecond, host_time)
            .schema_limits({0, 6e4}).about("Gradient reduction across nodes, per node"),
        real("bucket_MB", &GradientComm::bucket, megabyte, {0, 1e9})
            .schema_limits({0, 1e5}).stated().about("Gradients reduced together"),
        real("bucket_crossing_ms", &GradientComm::bucket_crossing, millisecond, host_time)
            .schema_limits({0, 6e4}).about("Gradient reduction across nodes, per bucket")),
    inside(&Stack::sharding,
        whole("zero_stage_with_pipeline", &StateSharding::stage_with_pipeline, {0, 3})
            .stated().about("Highest ZeRO stage combined with a pipeline")),
    inside(&Stack::recomputation,
        flag("last_stage_recomputes", &Recomputation::last_stage).stated().about("The last stage recomputes too"),
        pure("selective_share", &Recomputation::selective_share, share)
            .about("Share of a layer's forward pass that selective recomputation repeats; 0: the attention core"),
        flag("repeats_last_product", &Recomputation::repeats_last_product)
            .about("Full recomputation repeats the product that ends a layer; absent: it does")),
    inside(&Stack::pipeline,
        flag("uneven_chunks", &PipelineComm::uneven_chunks).about("Interleaved chunks may differ in layers"),
        flag("scatter_pipeline_transfer", &PipelineComm::scatters_transfers)
            .stated().about("Transfers are split over the tensor ranks"),
        flag("splits_by_cost", &PipelineComm::splits_by_cost)
            .about("Stages are filled by their share of the products, the head's included")),
    inside(&Stack::stalls,
        pure("stalls_above", &PipelineStalls::above, share)
            .about("Share of the memory above which steps of a pipeline stall; 0: not seen"),
        whole("stalls_tensor_ranks", &PipelineStalls::tensor_ranks, {1, 1e6})
            .about("Tensor ranks from which on they stall; absent: 32"),
        whole("stalls_replicas", &PipelineStalls::replicas, {0, 1e6})
            .about("Fewer replicas than this stall where they lie on several nodes without ZeRO; absent: 32"),
        real("stall_ms", &PipelineStalls::time, millisecond, host_time)
            .schema_limits({0, 6e4}).about("Lost in every micro-batch of such a pipeline; absent: 500")),
    std::tuple{
        feature("experts", &Stack::experts, expert_stack_fields)
            .about("What the software does for layers with experts")},
    inside(&Stack::loss,
        pure("cross_entropy_bytes", &LossComputation::cross_entropy_bytes, {0, 1e6})
            .schema_limits({0, 1000}).stated().about("Touched per logit"),
        choice("loss", &LossComputation::kernel)
            .about("How the loss comes about, which tells what is held per logit; absent or stated: logit_bytes"),
        whole("loss_chunks", &LossComputation::chunks, {1, 1024})
            .about("Pieces of the tokens that the loss takes one after the other; absent: one"),
        pure("logit_bytes", &LossComputation::logit_bytes, {0, 1e6})
            .schema_limits({0, 1000}).about("Held per logit at the peak, where the loss is stated"),
        real("logits_at_once_MB", &LossComputation::logits_at_once, megabyte, {0, 1e9})
            .about("The loss takes logits in pieces of at most this size, MB; absent or 0: all at once"),
        flag("logits_share_room", &LossComputation::logits_share_room)
            .about("A layer that recomputation brings back lies where the logits were; absent: beside them")),
    inside(&Stack::sharding,
        flag("gathers_tables", &StateSharding::gathers_tables)
            .about("ZeRO-3 fetches embedding and head whole, with room for their gradient"),
        flag("reduces_fp32", &StateSharding::reduces_fp32)
            .about("ZeRO-3: a unit's whole gradient is copied to fp32 before it is shared out"),
        flag("keeps_units_in_pipeline", &StateSharding::keeps_units_in_pipeline)
            .about("ZeRO-3 with a pipeline: weights stay gathered and gradients whole until the last micro-batch is "
                   "done")),
    inside(&Stack::memory,
        flag("eager_layers", &MemoryHabits::eager_layers)
            .about("Elementwise operations of a layer keep their results one by one")),
    inside(&Stack::recomputation,
        flag("keeps_alternate_products", &Recomputation::keeps_alternate_products)
            .about("Selective recomputation keeps every other product and attention, and repeats the rest")),
    inside(&Stack::memory,
        pure("unsplit_stream_bytes", &MemoryHabits::unsplit_stream_bytes, {0, 1e6})
            .schema_limits({0, 1000})
            .about("Held per value of the residual stream for each micro-batch in flight, whatever the tensor ranks "
                   "split"),
        flag("keeps_16bit_gradients", &MemoryHabits::keeps_16bit_gradients)
            .about("16-bit gradients stay beside the fp32 sums they are added to"),
        choice("fp8_storage", &MemoryHabits::fp8_storage)
            .about("Kept in fp8: nothing; copies of the weights and inputs of products; or the weights themselves"),
        real("unpipelined_buckets_MB", &MemoryHabits::unpipelined_buckets, megabyte, {0, 1e9})
            .about("Held for reductions and gathers where there is no pipeline"),
        pure("optimizer_peak_bytes", &MemoryHabits::optimizer_peak_bytes, {0, 1e6})
            .about("Held per owned parameter while the optimizer runs, besides the states"),
        pure("gradient_copy_bytes", &MemoryHabits::gradient_copy_bytes, {0, 1e6})
            .about("Held per parameter besides the states, shared out only where the gradients are: flat and fp32 "
                   "copies of them")),
    inside(&Stack::updates,
        pure("optimizer_bytes", &UpdateTraffic::optimizer_bytes, {0, 1e6})
            .schema_limits({0, 1000}).stated().about("Touched per parameter in the optimizer step"),
        pure("accumulation_bytes", &UpdateTraffic::accumulation_bytes, {0, 1e6})
            .schema_limits({0, 1000}).stated().about("Touched per parameter and micro-batch, 16-bit gradients"),
        pure("fp32_accumulation_bytes", &UpdateTraffic::fp32_accumulation_bytes, {0, 1e6})
            .schema_limits({0, 1000}).stated().about("The same, fp32 gradients")),
    inside(&Stack::memory,
        real("context_GiB", &MemoryHabits::context, gibibyte, {0, 1e6})
            .schema_limits({0, 1000}).stated().about("Driver, libraries, communicators"),
        pure("fragmentation", &MemoryHabits::fragmentation, {1, 100})
            .schema_limits({1, 2}).stated().about("On activations and buffers")),
    std::tuple{
        sources("sources", &Stack::sources).stated()});
static_assert(complete<Stack, DeviceKernels, HostSide, TensorComm, PipelineComm, PipelineStalls, GradientComm,
                       StateSharding, Recomputation, LossComputation, UpdateTraffic, MemoryHabits>(stack_fields),
              "every member has a row");

}  // namespace

template <> std::string_view schema_of<Stack>() { return "plimsoll/stack"; }

void read_part(const Reader& at, Stack& s) { read_fields(stack_fields, at, s); }

template <> OrderedJson preset_schema<Stack>() {
    return document_schema("Software stack preset", object_schema(stack_fields));
}

OrderedJson write_part(const Stack& s) { return write_fields(stack_fields, s); }

}  // namespace plimsoll::files
