#include "core/files/text/part.h"

namespace plimsoll::files {
namespace {

constexpr NumberRange host_time{0, 1e9};

constexpr auto expert_stack_fields = std::tuple{
    choice("dispatch", &ExpertStack::dispatch),
    pure("exchange_efficiency", &ExpertStack::exchange_efficiency, fraction),
    pure("exchange_exposed", &ExpertStack::exchange_exposed, share),
    pure("grouped_gemm_factor", &ExpertStack::grouped_gemm_factor, factor),
    real("host_experts_ms", &ExpertStack::host_experts, millisecond, host_time),
};
static_assert(members_in(expert_stack_fields) == members_of<ExpertStack>, "every member has a row");

constexpr auto stack_fields = std::tuple{
    FixedField{"schema", std::string_view("plimsoll/stack")},
    FixedField{"version", preset_version},
    text("id", &Stack::id),
    text("name", &Stack::name),
    text("as_of", &Stack::as_of),
    text("note", &Stack::note),
    choice("attention", &Stack::attention).needed(),
    pure("gemm_factor", &Stack::gemm_factor, factor),
    pure("elementwise_factor", &Stack::elementwise_factor, factor),
    pure("fp32_residual_factor", &Stack::fp32_residual_factor, factor),
    pure("flash_forward_scale", &Stack::flash_forward_scale, factor),
    pure("flash_backward_scale", &Stack::flash_backward_scale, factor),
    real("host_layer_ms", &Stack::host_layer, millisecond, host_time),
    real("host_tensor_ms", &Stack::host_tensor, millisecond, host_time),
    real("host_micro_batch_ms", &Stack::host_micro_batch, millisecond, host_time),
    real("host_optimizer_layer_ms", &Stack::host_optimizer_layer, millisecond, host_time),
    pure("host_jitter", &Stack::host_jitter, {0, 1000}),
    real("layer_gap_ms", &Stack::layer_gap, millisecond, host_time),
    real("step_constant_ms", &Stack::step_constant, millisecond, host_time),
    pure("tensor_exposed", &Stack::tensor_exposed, {0, 10}),
    pure("pipeline_exposed", &Stack::pipeline_exposed, share),
    pure("gradient_overlap", &Stack::gradient_overlap, share),
    pure("gather_overlap_tax", &Stack::gather_overlap_tax, share),
    pure("sharded_efficiency", &Stack::sharded_efficiency, fraction),
    flag("gathers_fp32", &Stack::gathers_fp32),
    real("owner_broadcast_ms", &Stack::owner_broadcast, millisecond, host_time),
    real("node_reduction_ms", &Stack::node_reduction, millisecond, host_time),
    real("bucket_MB", &Stack::bucket, megabyte, {0, 1e9}),
    whole("zero_stage_with_pipeline", &Stack::zero_stage_with_pipeline, {0, 3}),
    flag("last_stage_recomputes", &Stack::last_stage_recomputes),
    pure("selective_share", &Stack::selective_share, share),
    flag("repeats_last_product", &Stack::repeats_last_product),
    flag("uneven_chunks", &Stack::uneven_chunks),
    flag("scatter_pipeline_transfer", &Stack::scatter_pipeline_transfer),
    feature("experts", &Stack::experts, expert_stack_fields),
    pure("cross_entropy_bytes", &Stack::cross_entropy_bytes, {0, 1e6}),
    pure("logit_bytes", &Stack::logit_bytes, {0, 1e6}),
    real("logits_at_once_MB", &Stack::logits_at_once, megabyte, {0, 1e9}),
    flag("logits_share_room", &Stack::logits_share_room),
    flag("gathers_tables", &Stack::gathers_tables),
    pure("optimizer_peak_bytes", &Stack::optimizer_peak_bytes, {0, 1e6}),
    pure("gradient_copy_bytes", &Stack::gradient_copy_bytes, {0, 1e6}),
    pure("optimizer_bytes", &Stack::optimizer_bytes, {0, 1e6}),
    pure("accumulation_bytes", &Stack::accumulation_bytes, {0, 1e6}),
    pure("fp32_accumulation_bytes", &Stack::fp32_accumulation_bytes, {0, 1e6}),
    real("context_GiB", &Stack::context, gibibyte, {0, 1e6}),
    pure("fragmentation", &Stack::fragmentation, {1, 100}),
    sources("sources", &Stack::sources),
};
static_assert(members_in(stack_fields) == members_of<Stack>, "every member has a row");

}  // namespace

template <> std::string_view schema_of<Stack>() { return "plimsoll/stack"; }

void read_part(const Reader& at, Stack& s) { read_fields(stack_fields, at, s); }

OrderedJson write_part(const Stack& s) { return write_fields(stack_fields, s); }

}  // namespace plimsoll::files
