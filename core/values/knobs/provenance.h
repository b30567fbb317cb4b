#pragma once
// Where the values of a plan come from: their presets' sources, or the user who set them.
//
//   source_of(s.machine, "/power/pue")             // "data sheet, as of 2026-09" or "yours, set on 2026-11-24"
//   source_of(*find_knob("machine.power.pue"), s)  // the same, of an input
//   say_hypothetical(s)                            // "Hypothetical machine: PUE 1.2."; empty where nothing was changed
//
// Whoever edits a plan marks what changed (core/files/presets/own_values.h): the mark is a source at the value's own
// pointer, so that every reader finds it where it looks for the preset's.

#include "core/values/basics/source.h"
#include "core/values/knobs/knobs.h"

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

inline constexpr std::string_view yours = "yours";   // how the text of a mark begins
inline bool is_own(const Source& s) { return s.kind == SourceKind::user && s.text.starts_with(yours); }

// "vendor: data sheet"; what the user set, and what is no more than an estimate, says so itself.
std::string say(const Source&);

// Of a preset's value, with the month in which the preset gathered what was published or measured.
Source dated(Source, const std::string& as_of);
template <class Part>
Source source_of(const Part& part, const std::string& pointer) {
    return dated(source_of(part.sources, pointer), part.as_of);
}

// Where an input's value stands in its preset: "/device/memory_GiB"; empty for what no preset holds.
std::string pointer_of(const Knob&);
// Null for what no preset holds.
const Sources* sources_of(const Knob&, const Scenario&);
Source source_of(const Knob&, const Scenario&);

// Whether the value at this pointer of a preset has an input, which has the same value in both plans.
bool same_input(KnobGroup, const std::string& pointer, const Scenario&, const Scenario&);

// The inputs of the plan's machine that the user set, in the order of their table.
std::vector<const Knob*> own_inputs_of_machine(const Scenario&);
// "PUE 1.2; Machine size 100 nodes": all of the machine that the user set; empty for one that is its preset.
std::string own_values_of_machine(const Scenario&);
// A machine that nobody has, and what was changed; empty for one that is its preset.
std::string say_hypothetical(const Scenario&);

}  // namespace plimsoll
