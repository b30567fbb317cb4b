#pragma once
// Energy of one step from what the step spends its time on.
//
// A device draws its idle power plus a share of (max - idle): compute, memory
// and network time each have a weight, idle time none. Devices of a node that the
// plan does not use draw their idle power, hosts and switches a constant; PUE is the site's. Where devices are let
// singly, others use these devices, and the plan has its share of host and switch. "Devices" alone is what the ORNL
// study meters.

#include "core/values/plan/breakdown.h"
#include "core/values/plan/scenario.h"

namespace plimsoll {

// Shares of the step, each 0..1.
struct BusyShare { double compute, memory, network; };
BusyShare busy_share(const StepTime&);
Watts device_power(const Scenario&, const StepTime&);
EnergyUse energy_of(const Scenario&, const StepTime&);
// Of the devices' energy, what they draw while the optimizer updates and works on matrices.
double optimizer_share_of_energy(const Scenario&, const StepTime&);

}  // namespace plimsoll
