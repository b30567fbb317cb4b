#pragma once
// A workspace file: several plans together, each as its own file would have it.
//
//   {"schema": "plimsoll/workspace", "version": 1, "shown": 0, "plans": [{a scenario file}, ...]}
//
// It names no other file: whoever is sent one has everything, and opening it can write nowhere.

#include "core/files/presets/scenario_json.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

inline constexpr std::string_view workspace_suffix = ".plimsoll-workspace";
inline constexpr std::size_t most_plans_of_workspace = 100;

struct WorkspaceFile {
    std::vector<ScenarioFile> plans;   // at least one; their warnings are in `warnings`
    int shown = 0;                     // the plan that was in front
    Problems warnings;
};

Expected<WorkspaceFile, Problems> read_workspace(std::string_view json, const Library&, const std::string& file = {});
// `plans`: texts of write_scenario().
std::string write_workspace(std::span<const std::string> plans, int shown);

// Whether a file is meant to be one, by its name or its schema.
bool is_workspace(std::string_view file_name, std::string_view text);

}  // namespace plimsoll
