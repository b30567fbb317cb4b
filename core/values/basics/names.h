#pragma once
// Enumerators by the names they have in files, on the command line and in
// lists. The position of a name is the value of its enumerator.
//
//   name_of(Schedule::one_f_one_b) == "1f1b"
//   from_name<Precision>("bf16") == Precision::bf16

#include "core/values/plan/scenario.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace plimsoll {

template <class E>
std::span<const std::string_view> names_of();
template <> std::span<const std::string_view> names_of<Activation>();
template <> std::span<const std::string_view> names_of<Positions>();
template <> std::span<const std::string_view> names_of<Norm>();
template <> std::span<const std::string_view> names_of<ExpertOrder>();
template <> std::span<const std::string_view> names_of<Mixer>();
template <> std::span<const std::string_view> names_of<Feed>();
template <> std::span<const std::string_view> names_of<Index>();
template <> std::span<const std::string_view> names_of<Keys>();
template <> std::span<const std::string_view> names_of<FlopConvention>();
template <> std::span<const std::string_view> names_of<Recompute>();
template <> std::span<const std::string_view> names_of<TensorMode>();
template <> std::span<const std::string_view> names_of<ContextMode>();
template <> std::span<const std::string_view> names_of<StateMode>();
template <> std::span<const std::string_view> names_of<Schedule>();
template <> std::span<const std::string_view> names_of<Precision>();
template <> std::span<const std::string_view> names_of<Optimizer>();
template <> std::span<const std::string_view> names_of<WeightFormat>();
template <> std::span<const std::string_view> names_of<GradientFormat>();
template <> std::span<const std::string_view> names_of<MasterFormat>();
template <> std::span<const std::string_view> names_of<MomentFormat>();
template <> std::span<const std::string_view> names_of<StateSet>();
template <> std::span<const std::string_view> names_of<Attention>();
template <> std::span<const std::string_view> names_of<AttentionKernel>();
template <> std::span<const std::string_view> names_of<Fp8Recipe>();
template <> std::span<const std::string_view> names_of<NumberFormat>();
template <> std::span<const std::string_view> names_of<Graph>();
template <> std::span<const std::string_view> names_of<Dispatch>();
template <> std::span<const std::string_view> names_of<LossKernel>();
template <> std::span<const std::string_view> names_of<Fp8Storage>();
template <> std::span<const std::string_view> names_of<Purpose>();
template <> std::span<const std::string_view> names_of<Trained>();
template <> std::span<const std::string_view> names_of<FrozenFormat>();
template <> std::span<const std::string_view> names_of<Reference>();
template <> std::span<const std::string_view> names_of<MuonSpread>();
template <> std::span<const std::string_view> names_of<MuonTensor>();
template <> std::span<const std::string_view> names_of<ScheduleSet>();
template <> std::span<const std::string_view> names_of<SourceKind>();
template <> std::span<const std::string_view> names_of<CodecKind>();
template <> std::span<const std::string_view> names_of<Traffic>();
template <> std::span<const std::string_view> names_of<Scheme>();
template <> std::span<const std::string_view> names_of<Encoding>();
template <> std::span<const std::string_view> names_of<Tier>();
template <> std::span<const std::string_view> names_of<StayBehind>();
template <> std::span<const std::string_view> names_of<Nic>();
template <> std::span<const std::string_view> names_of<Mapping>();
template <> std::span<const std::string_view> names_of<StageSplit>();
template <> std::span<const std::string_view> names_of<Tuning>();
template <> std::span<const std::string_view> names_of<Software>();
template <> std::span<const std::string_view> names_of<PerHour>();

template <class E>
std::string_view name_of(E e) {
    return names_of<E>()[static_cast<std::size_t>(e)];
}

template <class E>
std::optional<E> from_name(std::string_view name) {
    const auto names = names_of<E>();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return std::nullopt;
    return static_cast<E>(found - names.begin());
}

}  // namespace plimsoll
