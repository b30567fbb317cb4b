#pragma once
// The levels of a machine's network as inputs, and which of them a plan reaches.
//
//   const int at = widest_level(s);                            // 2: the group, where all of the job lies in one
//   find_knob(id_of_level(at, "bandwidth_GBps"))               // "machine.levels.2.bandwidth_GBps"

#include "core/values/knobs/knobs.h"

#include <optional>
#include <string>
#include <string_view>

namespace plimsoll {

inline constexpr int most_level_inputs = 4;   // from the innermost on; no shipped machine has more levels

// The outermost level that devices of this plan talk over; -1 for one device.
int widest_level(const Scenario&);
// Whether anything of this plan goes over the level. A group that ends with the last stage may cross a level that the
// job does not fill, as its members are counted from one to the next.
bool reaches(const Scenario&, int level);
// The level of one node: that of its size, else the innermost that contains it; -1 without levels.
int level_of_node(const Machine&);

std::string id_of_level(int level, std::string_view key);
// The level that an input describes, counted from the innermost; nothing for other inputs.
std::optional<int> level_of(const Knob&);

}  // namespace plimsoll
