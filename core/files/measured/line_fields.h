// Fields of the engine's lines as values: a key that is missing or null leaves the
// value it finds. Internal to the readers of lines.
//
//   take(line, "step_s", step.wall, second);    texts(line, "flags")
#pragma once

#include "core/evidence/calibration/fit/engine_event.h"
#include "core/files/text/reader.h"

namespace plimsoll::files {

inline constexpr NumberRange any{-largest, largest};
inline constexpr NumberRange most_degree{1, 1000};
inline constexpr std::size_t longest_line = 1 << 16;

inline void take(const Reader& from, std::string_view key, double& value, NumberRange range) {
    if (const auto at = from.member(key)) value = at->number(range).value_or(value);
}
inline void take(const Reader& from, std::string_view key, int& value, NumberRange range = {0, 1e9}) {
    if (const auto at = from.member(key)) value = at->whole(range).value_or(value);
}
inline void take(const Reader& from, std::string_view key, std::string& value) {
    if (const auto at = from.member(key)) value = at->text().value_or(value);
}
inline void take(const Reader& from, std::string_view key, bool& value) {
    if (const auto at = from.member(key)) value = at->flag().value_or(value);
}
inline void take(const Reader& from, std::string_view key, std::optional<double>& value) {
    if (const auto at = from.member(key)) value = at->number(any);
}
template <int B, int F, int S, int J, int T>
inline void take(const Reader& from, std::string_view key, Quantity<B, F, S, J, T>& value, Quantity<B, F, S, J, T> unit) {
    if (const auto at = from.member(key)) value = at->number(not_negative).value_or(value / unit) * unit;
}

inline std::vector<std::string> texts(const Reader& from, std::string_view key) {
    std::vector<std::string> all;
    const auto at = from.member(key);
    if (!at || !at->array(longest_line)) return all;
    for (const Reader& each : at->elements()) all.push_back(each.text().value_or(""));
    return all;
}

// {"gemm": {"max": 0.1, "mean": 0.1, "min": 0.1}, ...} in seconds; ids that the table lacks are ignored.
template <class Parts, std::size_t N>
inline void take(const Reader& from, std::string_view key, OverRanks<Parts>& value, const Part<Parts, Seconds> (&table)[N]) {
    const auto all = from.member(key);
    if (!all || !all->object()) return;
    for (const auto& part : table) {
        const auto one = all->member(part.id);
        if (!one || !one->object()) continue;
        take(*one, "mean", value.mean.*part.value, second);
        value.most.*part.value = value.least.*part.value = value.mean.*part.value;
        take(*one, "max", value.most.*part.value, second);
        take(*one, "min", value.least.*part.value, second);
    }
}

// Nothing where it is null or missing.
template <class Unit>
void take(const Reader& from, std::string_view key, std::optional<Unit>& value, Unit unit) {
    if (const auto at = from.member(key))
        if (const auto number = at->number(any)) value = *number * unit;
}

// What the readers of groups of lines are: each one type of line.
EngineEvent read_energy(const Reader& line);
EngineEvent read_power(const Reader& line);
EngineEnergyUse read_energy_use(const Reader& from);
EngineEvent read_bench(const Reader& line);
EngineEvent read_experiment(const Reader& line);
EngineEvent read_prediction(const Reader& line);
EngineEvent read_plan_part(const Reader& line);
EngineEvent read_run_end(const Reader& line);

}  // namespace plimsoll::files
