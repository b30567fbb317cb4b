#pragma once
// The one door: what a training plan costs.
//
//   Outcome o = estimate(scenario);
//   if (!o) return explain_obstacles(o.error());   // every structural reason at once
//   o->step.total() / second;
//
// Of a plan that carries measured runs (Scenario::measured) all times, energies and memories of devices are the
// model's own times what those runs say; estimate(model_alone(scenario)) is the model's own.
//
// Pure: no files, clock, threads or globals. About ten microseconds. Memory
// overflow is not an obstacle: the numbers are there, and fits() says no.

#include "core/costs/step/ledger.h"
#include "core/values/plan/breakdown.h"
#include "core/values/basics/expected.h"
#include "core/values/basics/obstacle.h"
#include "core/values/plan/scenario.h"

#include <vector>

namespace plimsoll {

struct Estimate {
    StepTime step;
    std::vector<MemoryUse> stages;  // one per pipeline stage, first to last
    int worst_stage = 0;            // the one that needs most memory
    int busiest_stage = 0;          // the one whose time `step` breaks down
    EnergyUse energy;               // per step
    Bytes memory_limit;             // of one device
    TierLedger host, nvme;          // of the node that keeps most there; empty without offloading
    Flop model_flop;                // per step, all devices, of tokens that count, nothing recomputed
    Flop hardware_flop;             // with recomputation and what pads
    Bytes exchange_volume;          // all ranks to all experts, per step, whatever hides it
    double parameters = 0;
    double trained_parameters = 0;  // of them, or those of adapters beside them
    int devices = 0, nodes = 0;
    int micro_batches = 0;          // per pipeline and step
    Correction measured;            // that step, energy and stages already have in them

    const MemoryUse& worst() const { return stages[worst_stage]; }
    bool device_fits() const { return worst().total() <= memory_limit; }
    bool fits() const { return device_fits() && host.fits() && nvme.fits(); }
    friend bool operator==(const Estimate&, const Estimate&) = default;
};

using Outcome = Expected<Estimate, std::vector<Obstacle>>;

Outcome estimate(const Scenario&);

// The same of a plan that is priced already (price.h).
class Work;
struct Priced;
Estimate estimate_of(const Work&, Priced);

// Computable and fits in memory: the plan can be run.
inline bool runs(const Outcome& o) { return o.has_value() && o->fits(); }

}  // namespace plimsoll
