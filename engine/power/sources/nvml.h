#pragma once
// NVIDIA's management library with own declarations: it needs no CUDA, and neither
// it nor its header need be there. The reader of all boards is open_nvml of
// sources.h; this is the energy of the one board a rank computes on.
//
//   const Expected<double, std::string> joules = board_joules(places.nvml, "0000:65:00.0");   // since its driver was loaded

#include "core/values/basics/expected.h"

#include <string>

namespace plimsoll::engine::power {

Expected<double, std::string> board_joules(const std::string& library, const std::string& bus_id);

}  // namespace plimsoll::engine::power
