#pragma once
// A plan to begin with, of a model on a machine.
//
//   Scenario s = first_plan(library.models.at("llama2-70b"), library.machines.at("frontier"), library.stacks);
//
// The software usual on such devices, their fastest 16-bit format, twenty tokens for each active parameter (Hoffmann
// et al. 2022), and the layout of fit_first.h's rule on the fewest nodes that train in sixty days, or on all of them.
// Where nothing fits in memory it is the whole machine with replicas alone, and its estimate says what is short.

#include "core/values/plan/scenario.h"

#include <map>
#include <string>

namespace plimsoll {

// "Llama 2 70B on Frontier": what the program calls a plan until its user does.
std::string given_name(const Scenario&);

Scenario first_plan(const Model&, const Machine&, const std::map<std::string, Stack>&);

}  // namespace plimsoll
