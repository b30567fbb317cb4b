#pragma once
// Texts of some ranks at the first one, in their order.
//
//   for (const std::string& text : gathered(ranks, mine)) ...     // empty on the others; empty texts are left out

#include "engine/comm/mpi.h"

#include <string>
#include <vector>

namespace plimsoll::engine::power {

// Collective.
std::vector<std::string> gathered(const MpiComm& ranks, const std::string& mine);

}  // namespace plimsoll::engine::power
