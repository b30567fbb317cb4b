#pragma once
// Tiers below device memory as trees: what they hold, what waits for them, how long drives last.

#include "core/answers/explain/explain_step.h"
#include "core/answers/plan/estimate.h"

namespace plimsoll {

Term explain_offload_wait(const StepParts&);
Term explain_kept_on(Tier, const std::string& label);   // of the device, then: nothing
// Activations of the layers that the device keeps although others leave.
Term explain_residue(const Swap&, const Residue&);
Term explain_tier(const Estimate&, Tier);
Term explain_share(const Scenario&);
Term explain_drive_life(const Scenario&, const Estimate&, Term step);

}  // namespace plimsoll
