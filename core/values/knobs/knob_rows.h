#pragma once
// How rows of the knob table are written; included by the tables only.
//
//   constexpr auto of = &Scenario::layout;
//   count<of, &Layout::micro_batch>("layout.micro_batch", "Micro-batch", "sequences", {1, 4096}, "...")
//   real<gibibyte, of_machine, &Machine::device, &Device::memory>("machine.device.memory_GiB", ...)
//   under("Experts", t, add_experts);                 the rows it adds, under one heading
//   t.push_back(idle_if(without_pipeline, count<...>(...)));   greyed out, with the reason
//
// The template arguments are the way from the Scenario to the field, so getter
// and setter of a row cannot name different fields.

#include "core/values/knobs/knobs.h"
#include "core/values/knobs/ranges.h"
#include "core/values/basics/names.h"

#include <vector>

namespace plimsoll::rows {

using Table = std::vector<Knob>;
void add_model(Table&);
void add_experts(Table&);       // of the model
void add_expert_stack(Table&);  // of the software
void add_machine(Table&);
void add_former(Table&);   // names that stand in files and settings of before: found, but no rows of the table
void add_plan(Table&);    // nodes, layout, recipe
void add_method(Table&);  // pre-training, or what is tuned
void add_optimizer(Table&);
void add_host_tiers(Table&);  // drives, updates on the CPUs
void add_offload(Table&); // which tier keeps what
void add_stack(Table&);
void add_clusters(Table&);
void add_compression(Table&);  // and the speed of codecs on the device

struct Range {
    double low, high;
    bool logarithmic = false;
    std::optional<NumberRange> valid = {};
};
// A knob that can be turned as far as its value may go.
constexpr Range all_of(NumberRange r, bool logarithmic = false) { return {r.low, r.high, logarithmic, r}; }
constexpr bool by_factors = true;

// First steps of the ways to a field.
inline constexpr auto model = &Scenario::model;
inline constexpr auto machine = &Scenario::machine;
inline constexpr auto layout = &Scenario::layout;
inline constexpr auto recipe = &Scenario::recipe;
inline constexpr auto method = &Scenario::method;
inline constexpr auto stack = &Scenario::stack;
inline constexpr auto host = &Machine::host;

inline constexpr double one = 1;  // the unit of a pure number
inline constexpr ByteRate GBps = gigabyte / second;
inline constexpr FlopRate TFLOPS = teraflop / second;

template <auto First, auto... Rest, class Owner>
auto& field(Owner& owner) {
    if constexpr (sizeof...(Rest) == 0) return owner.*First;
    else return field<Rest...>(owner.*First);
}

inline Knob row(const char* id, const char* label, const char* unit, KnobKind kind, Range range, const char* help) {
    return {.id = id, .label = label, .unit = unit, .kind = kind, .low = range.low, .high = range.high,
            .choices = {}, .help = help, .logarithmic = range.logarithmic, .section = {}, .valid = range.valid};
}

// A whole number.
template <auto... Path>
Knob count(const char* id, const char* label, const char* unit, Range range, const char* help) {
    Knob k = row(id, label, unit, KnobKind::integer, range, help);
    k.get = [](const Scenario& s) { return static_cast<double>(field<Path...>(s)); };
    k.set = [](Scenario& s, double v) { field<Path...>(s) = static_cast<int>(v); };
    return k;
}

// A quantity in multiples of Unit.
template <const auto& Unit, auto... Path>
Knob real(const char* id, const char* label, const char* unit, Range range, const char* help) {
    Knob k = row(id, label, unit, KnobKind::real, range, help);
    k.get = [](const Scenario& s) { return field<Path...>(s) / Unit; };
    k.set = [](Scenario& s, double v) { field<Path...>(s) = v * Unit; };
    return k;
}

template <auto... Path>
Knob flag(const char* id, const char* label, const char* help) {
    Knob k = row(id, label, "", KnobKind::flag, {0, 1}, help);
    k.get = [](const Scenario& s) { return field<Path...>(s) ? 1.0 : 0.0; };
    k.set = [](Scenario& s, double v) { field<Path...>(s) = v != 0; };
    return k;
}

// An enumeration, by its names in files; the enumerators count from zero.
template <class E, auto... Path>
Knob choice(const char* id, const char* label, const char* help) {
    Knob k = row(id, label, "", KnobKind::choice, {0, 0}, help);
    for (const auto& name : names_of<E>()) k.choices.emplace_back(name);
    k.high = static_cast<double>(k.choices.size()) - 1;
    k.get = [](const Scenario& s) { return static_cast<double>(static_cast<int>(field<Path...>(s))); };
    k.set = [](Scenario& s, double v) { field<Path...>(s) = static_cast<E>(static_cast<int>(v)); };
    return k;
}

// The row with a setter that keeps more than its own field in order.
inline Knob keeping(Knob k, void (*set)(Scenario&, double)) {
    k.set = set;
    return k;
}

// Everything `add` appends stands under `heading`.
inline void under(const char* heading, Table& t, void (*add)(Table&)) {
    const std::size_t first = t.size();
    add(t);
    for (std::size_t i = first; i < t.size(); ++i) t[i].section = heading;
}

// The row with what makes it pointless (Knob::idle).
inline Knob idle_if(std::string_view (*reason)(const Scenario&), Knob k) {
    k.idle = reason;
    return k;
}

// All rows from `first` on that have no reason of their own.
inline void idle_from(Table& t, std::size_t first, std::string_view (*reason)(const Scenario&)) {
    for (std::size_t i = first; i < t.size(); ++i)
        if (!t[i].idle) t[i].idle = reason;
}

// Reasons that rows of several tables share.
inline std::string_view without_pipeline(const Scenario& s) {
    return s.layout.pipeline_parallel > 1 ? "" : "no pipeline";
}
inline std::string_view without_clusters(const Scenario& s) {
    return any_cluster(s.machine.clusters) ? "" : "one network throughout";
}
inline std::string_view without_tensor(const Scenario& s) {
    return s.layout.tensor_parallel > 1 ? "" : "not tensor parallel";
}
inline std::string_view without_adapters(const Scenario& s) {
    return trains_adapters(s.method) ? "" : "no adapters are trained";
}
inline std::string_view without_recomputation(const Scenario& s) {
    return s.layout.recompute == Recompute::none ? "nothing is recomputed" : "";
}
inline std::string_view without_experts(const Scenario& s) {
    return s.model.experts.count > 0 ? "" : "no experts in the model";
}
inline std::string_view without_fp8(const Scenario& s) {
    return s.recipe.precision == Precision::fp8 ? "" : "precision is not fp8";
}
inline std::string_view without_flash(const Scenario& s) {
    return s.stack.kernels.attention == Attention::flash ? "" : "attention is not fused";
}
// Where the device's own fused rates do not count.
inline std::string_view without_own_rates(const Scenario& s) {
    if (s.stack.kernels.attention != Attention::flash) return "attention is not fused";
    return measured_attention(s) ? "its kernel was measured here" : "";
}

}  // namespace plimsoll::rows
