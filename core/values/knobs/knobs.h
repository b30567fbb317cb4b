#pragma once
// Every quantity a user can turn, as one table: id, unit, range, getter and a
// setter that returns a changed copy. Input rows, sweeps, the command line's
// --set, obstacles and undo names all come from it; a new input is a new row.
//
//   Expected<Scenario, Obstacle> s = with(scenario, *find_knob("layout.tensor_parallel"), 8);
//
// Ids are the path of the value in a scenario file ("layout.tensor_parallel",
// "machine.device.memory_GiB"); "nodes" is the one extra: whole nodes in use.

#include "core/values/basics/expected.h"
#include "core/values/basics/number_range.h"
#include "core/values/basics/obstacle.h"
#include "core/values/plan/scenario.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

enum class KnobKind { integer, real, choice, flag };
enum class KnobGroup { model, machine, layout, recipe, stack, compression };

struct Knob {
    std::string id;
    KnobGroup group = KnobGroup::layout;
    std::string label;        // "Tensor parallel"
    std::string unit;         // "GiB", "sequences"; empty for pure numbers
    KnobKind kind = KnobKind::integer;
    double low = 1, high = 1; // inclusive; for choices 0 .. choices.size()-1
    std::vector<std::string> choices;  // names as they stand in files
    std::string help;         // what it is, its symbol, the framework's flag
    double (*get)(const Scenario&) = nullptr;
    // Sets the value without looking at the range. Keeps device arithmetic whole:
    // turning a parallel degree or the device count re-derives data_parallel.
    void (*set)(Scenario&, double) = nullptr;
    bool logarithmic = false; // a slider should step by factors
    std::string section;      // heading within the group, opened on demand; empty: always in view
    // Why turning it changes no number of this plan, in a few words: "no pipeline".
    // Empty where it does matter; null: it always does.
    std::string_view (*idle)(const Scenario&) = nullptr;
    // Outside it nothing can be computed: check() refuses it and no file holds it. Never narrower than low .. high.
    std::optional<NumberRange> valid = {};
};

std::span<const Knob> knobs();
inline std::string_view idle_reason(const Knob& k, const Scenario& s) {
    return k.idle ? k.idle(s) : std::string_view{};
}
const Knob* find_knob(std::string_view id);  // full id, or its last part where that is unique; null if unknown
// The knobs whose names are closest to the word, all that are equally close: for "did you mean".
std::vector<std::string> nearest_knobs(std::string_view id);

// A changed copy, or an out_of_range obstacle. Divisibility is check()'s to judge.
Expected<Scenario, Obstacle> with(const Scenario&, const Knob&, double value);

// "300B", "1.4T", "40 GiB", "2^20", "0.5", "bf16" -> number in the knob's unit.
// Unknown text is nullopt-like: has_value() false with a message for people.
Expected<double, std::string> parse_value(const Knob&, std::string_view text);
// The same within a plan, where a batch may also be given in tokens: "4M tokens" at a sequence length of 4,096 are the
// nearest whole number of sequences, 977.
Expected<double, std::string> parse_value(const Scenario&, const Knob&, std::string_view text);
// The inverse, short: 300e9 -> "300B", choices by name.
std::string format_value(const Knob&, double value);

}  // namespace plimsoll
