#include "core/values/basics/names.h"

#include "core/values/plan/schedules.h"

#include <array>
#include <iterator>

namespace plimsoll {
namespace {

// `Last` is the last enumerator: a new one without a name does not compile.
template <auto Last>
struct Table {
    std::string_view names[static_cast<std::size_t>(Last) + 1];
    constexpr bool complete() const {
        return std::none_of(std::begin(names), std::end(names), [](std::string_view n) { return n.empty(); });
    }
};

constexpr Table<Activation::geglu> activations{{"gelu", "relu", "squared_relu", "swiglu", "geglu"}};
constexpr Table<Positions::none> positions{{"learned", "rotary", "alibi", "none"}};
constexpr Table<Norm::rms_norm> norms{{"layer_norm", "rms_norm"}};
constexpr Table<ExpertOrder::dcca> expert_orders{{"cdac", "dcca"}};
constexpr Table<Mixer::none> mixers{{"attention", "mamba2", "gated_delta", "kimi_delta", "lightning", "compressed",
                                     "none"}};
constexpr Table<Feed::none> feeds{{"dense", "experts", "none"}};
constexpr Table<FlopConvention::megatron> flop_conventions{{"full", "causal", "megatron"}};
constexpr Table<Index::none> indices{{"own", "borrowed", "none"}};
constexpr Table<Keys::borrowed> whose_keys{{"own", "lent", "borrowed"}};
constexpr Table<Recompute::full> recomputes{{"none", "selective", "full"}};
constexpr Table<TensorMode::tesseract> tensor_modes{{"1d", "summa-2d", "tesseract"}};
constexpr Table<ContextMode::ulysses_ring> context_modes{{"ring", "ulysses", "all_gather", "ulysses_ring"}};
constexpr Table<StateMode::passed> state_modes{{"all_to_all", "passed"}};
constexpr Table<Precision::fp8> precisions{{"fp32", "fp16", "bf16", "fp8"}};
constexpr Table<Optimizer::soap> optimizers{{"adam", "sgd", "adam-8bit", "adafactor", "kfac", "shampoo", "muon",
                                              "soap"}};
constexpr Table<RowKind::padded_to_longest> row_kinds{{"packed", "padding_free", "padded", "padded_to_longest"}};
constexpr Table<Purpose::preference> purposes{{"pretrain", "finetune", "preference"}};
constexpr Table<Reference::precomputed> references{{"resident", "adapters_off", "precomputed"}};
constexpr Table<Trained::adapters> trained_parts{{"all", "adapters"}};
constexpr Table<FrozenFormat::nf4_double> frozen_formats{{"as_products", "int8", "nf4", "nf4_double"}};
constexpr Table<MuonSpread::redundant> muon_spreads{{"layer-wise", "gathered", "all-to-all", "redundant"}};
constexpr Table<MuonTensor::distributed> muon_tensors{{"blockwise", "duplicated", "distributed"}};
constexpr Table<WeightFormat::fp32> weight_formats{{"as_products", "fp32"}};
constexpr Table<GradientFormat::both> gradient_formats{{"half", "fp32", "both"}};
constexpr Table<MasterFormat::remainders> master_formats{{"none", "fp32", "fp16", "remainders"}};
constexpr Table<MomentFormat::scaled_8bit> moment_formats{{"fp32", "bf16", "fp16", "fp8", "scaled_8bit"}};
constexpr Table<StateSet::any> state_sets{{"named", "precision_aware", "any"}};
constexpr Table<Attention::flash> attentions{{"materialised", "flash"}};
constexpr Table<AttentionKernel::splash> attention_kernel_names{
    {"generic", "triton", "flash_2", "flash_3", "cudnn_torch", "cudnn_9", "aiter", "splash"}};
constexpr Table<NumberFormat::fp4> number_formats{{"fp32", "tf32", "fp16", "bf16", "fp8", "fp4"}};
constexpr Table<Fp8Recipe::nvfp4> fp8_recipe_names{{"delayed", "tensorwise", "rowwise", "blockwise", "mxfp8", "nvfp4"}};
static_assert(std::size(attention_kernel_names.names) == attention_kernels);
static_assert(std::size(fp8_recipe_names.names) == fp8_recipes);
constexpr Table<Graph::whole_step> graphs{{"none", "router", "attention_router", "whole_step"}};
constexpr Table<Dispatch::per_rank> dispatches{{"per_expert", "per_node", "per_rank"}};
constexpr Table<Tuning::record> tunings{{"unknown", "as_it_comes", "tuned_2024", "tuned_2025", "record"}};
constexpr Table<Software::transformers_deepspeed> software_names{
    {"other", "megatron", "megatron-deepspeed", "torchtune", "transformers", "transformers-deepspeed"}};
constexpr Table<PerHour::node_hour> hours_of_price{{"device-hour", "node-hour"}};
constexpr Table<LossKernel::fused_linear> loss_kernels{
    {"stated", "parallel", "parallel_fused", "parallel_copied", "eager", "compiled", "fused_linear"}};
constexpr Table<ScheduleSet::any> schedule_sets{{"plain", "interleaved", "v", "any"}};
constexpr Table<Fp8Storage::primary> fp8_storages{{"none", "copies", "primary"}};
constexpr Table<SourceKind::user> source_kinds{{"measured", "vendor", "derived", "estimated", "user"}};
constexpr Table<Tier::nvme> tiers{{"device", "host", "nvme"}};
constexpr Table<StayBehind::recompute> stay_behinds{{"keep", "recompute"}};

constexpr Table<CodecKind::top_k> codec_kinds{{"none", "lossless", "zfp", "fp8", "top-k"}};
constexpr Table<Traffic::pipeline> traffic_kinds{{"gradients", "weights", "tensor", "pipeline"}};
constexpr Table<Scheme::zhybrid> schemes{{"custom", "naive", "mzhybrid", "zhybrid"}};
constexpr Table<Nic::ethernet> nics{{"infiniband", "roce", "ethernet"}};
constexpr Table<Mapping::holmes> mappings{{"ordered", "holmes"}};
constexpr Table<StageSplit::by_cost> stage_splits{{"even", "holmes_floor", "min_max", "by_cost"}};
constexpr auto schedules = [] {
    std::array<std::string_view, std::size(schedule_kinds)> names{};
    std::ranges::transform(schedule_kinds, names.begin(), &ScheduleKind::name);
    return names;
}();
constexpr Table<Encoding::once> encodings{{"every_hop", "once"}};

static_assert(activations.complete() && positions.complete() && norms.complete() && expert_orders.complete()
              && mixers.complete() && feeds.complete() && indices.complete() && flop_conventions.complete()
              && recomputes.complete() && context_modes.complete() && state_modes.complete()
              && tensor_modes.complete() && dispatches.complete()
              && precisions.complete() && optimizers.complete() && attentions.complete()
              && source_kinds.complete() && codec_kinds.complete() && traffic_kinds.complete() && schemes.complete()
              && encodings.complete() && tiers.complete() && stay_behinds.complete() && nics.complete()
              && mappings.complete() && stage_splits.complete() && loss_kernels.complete()
              && schedule_sets.complete() && muon_spreads.complete() && muon_tensors.complete()
               && fp8_storages.complete() && weight_formats.complete() && gradient_formats.complete()
              && master_formats.complete() && moment_formats.complete() && state_sets.complete()
              && attention_kernel_names.complete()
              && number_formats.complete() && fp8_recipe_names.complete()
              && graphs.complete() && tunings.complete() && software_names.complete()
              && purposes.complete() && trained_parts.complete()
              && frozen_formats.complete() && references.complete());

}  // namespace

template <> std::span<const std::string_view> names_of<Activation>() { return activations.names; }
template <> std::span<const std::string_view> names_of<Positions>() { return positions.names; }
template <> std::span<const std::string_view> names_of<Norm>() { return norms.names; }
template <> std::span<const std::string_view> names_of<ExpertOrder>() { return expert_orders.names; }
template <> std::span<const std::string_view> names_of<Mixer>() { return mixers.names; }
template <> std::span<const std::string_view> names_of<Feed>() { return feeds.names; }
template <> std::span<const std::string_view> names_of<FlopConvention>() { return flop_conventions.names; }
template <> std::span<const std::string_view> names_of<Index>() { return indices.names; }
template <> std::span<const std::string_view> names_of<Keys>() { return whose_keys.names; }
template <> std::span<const std::string_view> names_of<Recompute>() { return recomputes.names; }
template <> std::span<const std::string_view> names_of<TensorMode>() { return tensor_modes.names; }
template <> std::span<const std::string_view> names_of<ContextMode>() { return context_modes.names; }
template <> std::span<const std::string_view> names_of<StateMode>() { return state_modes.names; }
template <> std::span<const std::string_view> names_of<Schedule>() { return schedules; }
template <> std::span<const std::string_view> names_of<Precision>() { return precisions.names; }
template <> std::span<const std::string_view> names_of<RowKind>() { return row_kinds.names; }
template <> std::span<const std::string_view> names_of<Purpose>() { return purposes.names; }
template <> std::span<const std::string_view> names_of<Trained>() { return trained_parts.names; }
template <> std::span<const std::string_view> names_of<Reference>() { return references.names; }
template <> std::span<const std::string_view> names_of<FrozenFormat>() { return frozen_formats.names; }
template <> std::span<const std::string_view> names_of<Optimizer>() { return optimizers.names; }
template <> std::span<const std::string_view> names_of<WeightFormat>() { return weight_formats.names; }
template <> std::span<const std::string_view> names_of<GradientFormat>() { return gradient_formats.names; }
template <> std::span<const std::string_view> names_of<MasterFormat>() { return master_formats.names; }
template <> std::span<const std::string_view> names_of<MomentFormat>() { return moment_formats.names; }
template <> std::span<const std::string_view> names_of<StateSet>() { return state_sets.names; }
template <> std::span<const std::string_view> names_of<Attention>() { return attentions.names; }
template <> std::span<const std::string_view> names_of<AttentionKernel>() { return attention_kernel_names.names; }
template <> std::span<const std::string_view> names_of<NumberFormat>() { return number_formats.names; }
template <> std::span<const std::string_view> names_of<Fp8Recipe>() { return fp8_recipe_names.names; }
template <> std::span<const std::string_view> names_of<Graph>() { return graphs.names; }
template <> std::span<const std::string_view> names_of<Tuning>() { return tunings.names; }
template <> std::span<const std::string_view> names_of<Software>() { return software_names.names; }
template <> std::span<const std::string_view> names_of<PerHour>() { return hours_of_price.names; }
template <> std::span<const std::string_view> names_of<Dispatch>() { return dispatches.names; }
template <> std::span<const std::string_view> names_of<LossKernel>() { return loss_kernels.names; }
template <> std::span<const std::string_view> names_of<MuonSpread>() { return muon_spreads.names; }
template <> std::span<const std::string_view> names_of<MuonTensor>() { return muon_tensors.names; }
template <> std::span<const std::string_view> names_of<ScheduleSet>() { return schedule_sets.names; }
template <> std::span<const std::string_view> names_of<Fp8Storage>() { return fp8_storages.names; }
template <> std::span<const std::string_view> names_of<SourceKind>() { return source_kinds.names; }
template <> std::span<const std::string_view> names_of<CodecKind>() { return codec_kinds.names; }
template <> std::span<const std::string_view> names_of<Traffic>() { return traffic_kinds.names; }
template <> std::span<const std::string_view> names_of<Scheme>() { return schemes.names; }
template <> std::span<const std::string_view> names_of<Encoding>() { return encodings.names; }
template <> std::span<const std::string_view> names_of<Tier>() { return tiers.names; }
template <> std::span<const std::string_view> names_of<StayBehind>() { return stay_behinds.names; }
template <> std::span<const std::string_view> names_of<Nic>() { return nics.names; }
template <> std::span<const std::string_view> names_of<Mapping>() { return mappings.names; }
template <> std::span<const std::string_view> names_of<StageSplit>() { return stage_splits.names; }

}  // namespace plimsoll
