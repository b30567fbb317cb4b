#pragma once
// Scenario files: a plan that travels.
//
//   {"schema": "plimsoll/scenario", "version": 1, "name": "...",
//    "model": "gpt3-175b" | {"preset": "gpt3-175b", "layers": 48, ...},
//    "machine": ..., "stack": ...,
//    "layout": {"devices": 1024, "tensor_parallel": 8, ...},
//    "recipe": {"global_batch_sequences": 1536, ...}}
//
// A part is a preset id or an object with "preset" and overrides. A saved file
// also carries the preset values it used, under "preset_values", so that it
// reads the same where the presets differ or are missing.

#include "core/files/presets/library.h"
#include "core/files/text/problem.h"
#include "core/values/plan/scenario.h"

#include <string>
#include <string_view>

namespace plimsoll {

struct ScenarioFile {
    Scenario scenario;
    Problems warnings;       // unknown keys, presets that differ from the stored values
    std::string extra_json;  // keys this version does not know, kept for saving ("{}" if none)
};

Expected<ScenarioFile, Problems> read_scenario(std::string_view json, const Library&, const std::string& file = {});
// Whether the layout is searched anew after every edit: "automatic_layout" among those keys. No estimate knows of it.
bool says_automatic_layout(const std::string& extra_json);
std::string with_automatic_layout(const std::string& extra_json, bool on);
std::string write_scenario(const Scenario&, const Library&, const std::string& extra_json = "{}");

}  // namespace plimsoll
