#pragma once
// The parts of a step, each as a tree down to machine and stack constants.

#include "core/answers/explain/term.h"
#include "core/answers/plan/price.h"

namespace plimsoll {

// A plan and what it was priced at: what every tree is built from.
struct StepParts : Priced {
    const Scenario& scenario;
};

Term explain_part(const StepParts&, std::string_view part_id);
Term explain_step(const StepParts&);   // their sum

}  // namespace plimsoll
