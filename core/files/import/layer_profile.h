#pragma once
// A measured profile of one layer, as Galvatron's profilers write it (Hetu-Galvatron, PKU-DAIR; Apache-2.0).
//
//   auto profile = read_layer_profile("profile/", 8);     // a folder, or one file with everything
//   if (!profile) return say(profile.error());
//
// A folder holds, at most two levels deep, computation_profiling_*.json, memory_profiling_*.json,
// allreduce_bandwidth_*.json, p2p_bandwidth_*.json, sp_time_*.json and overlap_coefficient.json; where the names end in
// <n>nodes_<g>gpus_per_node, those with n x g = `devices` count. One file is an object whose members "computation",
// "memory", "allreduce_bandwidth", "p2p_bandwidth", "sp_time" and "overlap" are what those files hold.

#include "core/papers/galvatron.h"
#include "core/files/text/problem.h"

#include <filesystem>
#include <string_view>

namespace plimsoll {

Expected<MeasuredProfile, Problems> read_layer_profile(const std::filesystem::path&, int devices);

// The one file; `name` is for the problems.
Expected<MeasuredProfile, Problems> parse_layer_profile(std::string_view json, const std::string& name);

}  // namespace plimsoll
