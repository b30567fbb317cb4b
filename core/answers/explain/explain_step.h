#pragma once
// The parts of a step, each as a tree down to machine and stack constants.

#include "core/answers/explain/term.h"
#include "core/costs/pipeline/step.h"

#include <vector>

namespace plimsoll {

struct StepParts {
    const Scenario& scenario;
    std::vector<StageTime> stages;
    Step step;
    explicit StepParts(const Scenario&);
};

Term explain_part(const StepParts&, std::string_view part_id);
Term explain_step(const StepParts&);   // their sum

}  // namespace plimsoll
