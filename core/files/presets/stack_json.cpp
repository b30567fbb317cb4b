#include "core/files/presets/parts.h"

namespace plimsoll::files {
namespace {

constexpr NumberRange host_time{0, 1e9};

constexpr auto expert_stack_fields = std::tuple{
    choice("dispatch", &ExpertStack::dispatch).about("One copy of a token for each of its experts, or for each node"),
    pure("exchange_efficiency", &ExpertStack::exchange_efficiency, fraction)
        .about("Achieved share of the network in the all-to-all"),
    pure("exchange_exposed", &ExpertStack::exchange_exposed, share).about("Share of the all-to-all nothing hides"),
    pure("grouped_gemm_factor", &ExpertStack::grouped_gemm_factor, factor)
        .schema_limits({smallest, 2}).about("On the GEMM rate of grouped products"),
    real("host_experts_ms", &ExpertStack::host_experts, millisecond, host_time)
        .about("Host, extra per layer with experts and forward pass"),
};
static_assert(members_in(expert_stack_fields) == members_of<ExpertStack>, "every member has a row");

constexpr auto stack_fields = std::tuple{
    FixedField{"schema", std::string_view("plimsoll/stack")},
    FixedField{"version", preset_version},
    text("id", &Stack::id).matching(id_pattern).stated().about("File name without .json"),
    text("name", &Stack::name).not_empty().stated().about("For people"),
    text("as_of", &Stack::as_of)
        .matching(month_pattern).stated().about("Year and month the facts were gathered"),
    text("note", &Stack::note).stated().about("What a user should know"),
    choice("attention", &Stack::attention).needed().about("Whether scores are written to memory"),
    pure("gemm_factor", &Stack::gemm_factor, factor)
        .schema_limits({0.1, 2}).stated().about("On the GEMM ceiling of the device"),
    pure("elementwise_factor", &Stack::elementwise_factor, factor)
        .schema_limits({0.1, 100}).stated().about("On elementwise bytes"),
    pure("fp32_residual_factor", &Stack::fp32_residual_factor, factor)
        .schema_limits({0.1, 100}).stated().about("Further factor when the residual stream stays fp32"),
    pure("flash_forward_scale", &Stack::flash_forward_scale, factor)
        .schema_limits({0.1, 5}).stated().about("Attention kernels against those of the device preset"),
    pure("flash_backward_scale", &Stack::flash_backward_scale, factor)
        .schema_limits({0.1, 5}).stated().about("The same, backward"),
    real("host_layer_ms", &Stack::host_layer, millisecond, host_time)
        .schema_limits({0, 6e4}).stated().about("To issue one layer forward"),
    real("host_tensor_ms", &Stack::host_tensor, millisecond, host_time)
        .schema_limits({0, 6e4}).stated().about("Extra per layer and pass with tensor parallelism"),
    real("host_micro_batch_ms", &Stack::host_micro_batch, millisecond, host_time)
        .schema_limits({0, 6e4}).stated().about("Of the pipeline engine"),
    real("host_optimizer_layer_ms", &Stack::host_optimizer_layer, millisecond, host_time)
        .schema_limits({0, 6e4}).stated().about("Per layer in the optimizer step"),
    pure("host_jitter", &Stack::host_jitter, {0, 1000})
        .schema_limits({0, 2}).stated().about("Slowest of t ranks: host times x (1 + jitter (t - 1))"),
    real("layer_gap_ms", &Stack::layer_gap, millisecond, host_time)
        .schema_limits({0, 6e4}).stated().about("Idle device time per layer and pass"),
    real("step_constant_ms", &Stack::step_constant, millisecond, host_time)
        .schema_limits({0, 6e4}).stated().about("Once per step"),
    pure("tensor_exposed", &Stack::tensor_exposed, {0, 10}).stated().about("Share of tensor collectives nothing hides"),
    pure("pipeline_exposed", &Stack::pipeline_exposed, share).stated().about("Share of stage transfers nothing hides"),
    pure("gradient_overlap", &Stack::gradient_overlap, share)
        .stated().about("Share of a backward pass that may hide gradient reduction"),
    pure("gather_overlap_tax", &Stack::gather_overlap_tax, share)
        .stated().about("max(compute, comm) + tax x min(compute, comm)"),
    pure("sharded_efficiency", &Stack::sharded_efficiency, fraction)
        .stated().about("Share of the network between nodes that gathers and scatters of sharded states reach"),
    flag("gathers_fp32", &Stack::gathers_fp32).about("ZeRO-3 fetches fp32 weights and casts after"),
    real("owner_broadcast_ms", &Stack::owner_broadcast, millisecond, host_time)
        .schema_limits({0, 6e4})
        .about("ZeRO-1 across nodes: handing out weights, per rank that owns a share of the optimizer"),
    real("node_reduction_ms", &Stack::node_reduction, millisecond, host_time)
        .schema_limits({0, 6e4}).about("Gradient reduction across nodes, per node"),
    real("bucket_MB", &Stack::bucket, megabyte, {0, 1e9})
        .schema_limits({0, 1e5}).stated().about("Gradients reduced together"),
    whole("zero_stage_with_pipeline", &Stack::zero_stage_with_pipeline, {0, 3})
        .stated().about("Highest ZeRO stage combined with a pipeline"),
    flag("last_stage_recomputes", &Stack::last_stage_recomputes).stated().about("The last stage recomputes too"),
    pure("selective_share", &Stack::selective_share, share)
        .about("Share of a layer's forward pass that selective recomputation repeats; 0: the attention core"),
    flag("repeats_last_product", &Stack::repeats_last_product)
        .about("Full recomputation repeats the product that ends a layer; absent: it does"),
    flag("uneven_chunks", &Stack::uneven_chunks).about("Interleaved chunks may differ in layers"),
    flag("scatter_pipeline_transfer", &Stack::scatter_pipeline_transfer)
        .stated().about("Transfers are split over the tensor ranks"),
    feature("experts", &Stack::experts, expert_stack_fields).about("What the software does for layers with experts"),
    pure("cross_entropy_bytes", &Stack::cross_entropy_bytes, {0, 1e6})
        .schema_limits({0, 1000}).stated().about("Touched per logit"),
    pure("logit_bytes", &Stack::logit_bytes, {0, 1e6})
        .schema_limits({0, 1000}).stated().about("Held per logit at the peak"),
    real("logits_at_once_MB", &Stack::logits_at_once, megabyte, {0, 1e9})
        .about("The loss takes logits in pieces of at most this size, MB; absent or 0: all at once"),
    flag("logits_share_room", &Stack::logits_share_room)
        .about("A layer that recomputation brings back lies where the logits were; absent: beside them"),
    flag("gathers_tables", &Stack::gathers_tables)
        .about("ZeRO-3 fetches embedding and head whole, with room for their gradient"),
    pure("optimizer_peak_bytes", &Stack::optimizer_peak_bytes, {0, 1e6})
        .about("Held per owned parameter while the optimizer runs, besides the states"),
    pure("gradient_copy_bytes", &Stack::gradient_copy_bytes, {0, 1e6})
        .about("Held per parameter besides the states, shared out only where the gradients are: flat and fp32 "
               "copies of them"),
    pure("optimizer_bytes", &Stack::optimizer_bytes, {0, 1e6})
        .schema_limits({0, 1000}).stated().about("Touched per parameter in the optimizer step"),
    pure("accumulation_bytes", &Stack::accumulation_bytes, {0, 1e6})
        .schema_limits({0, 1000}).stated().about("Touched per parameter and micro-batch, 16-bit gradients"),
    pure("fp32_accumulation_bytes", &Stack::fp32_accumulation_bytes, {0, 1e6})
        .schema_limits({0, 1000}).stated().about("The same, fp32 gradients"),
    real("context_GiB", &Stack::context, gibibyte, {0, 1e6})
        .schema_limits({0, 1000}).stated().about("Driver, libraries, communicators"),
    pure("fragmentation", &Stack::fragmentation, {1, 100})
        .schema_limits({1, 2}).stated().about("On activations and buffers"),
    sources("sources", &Stack::sources).stated(),
};
static_assert(members_in(stack_fields) == members_of<Stack>, "every member has a row");

}  // namespace

template <> std::string_view schema_of<Stack>() { return "plimsoll/stack"; }

void read_part(const Reader& at, Stack& s) { read_fields(stack_fields, at, s); }

template <> OrderedJson preset_schema<Stack>() {
    return document_schema("Software stack preset", object_schema(stack_fields));
}

OrderedJson write_part(const Stack& s) { return write_fields(stack_fields, s); }

}  // namespace plimsoll::files
