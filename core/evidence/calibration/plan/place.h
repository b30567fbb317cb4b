#pragma once
// Where a calibration can run: on a machine's processors, or on its devices where the
// engine has a back end for them.
//
//   const auto place = place_on(machine, engine_stack, {.nodes = 2, .ranks_per_node = 4, .cores_per_rank = 12});
//   if (!place) show(place.error());              // "... computes on AMD MI250X GCD, for which ... has no back end"
//   else plan_experiments(subject, *place);
//
// A rank is one device of the preset: what is measured of it becomes that device's
// numbers. On a machine whose devices the engine cannot reach it could measure the
// processors beside them alone, and a preset with those rates would be wrong in everything.

#include "core/evidence/calibration/plan/experiments.h"

#include <string>

namespace plimsoll {

enum class DeviceKind {
    processor,   // the machine's own cores
    nvidia,      // --device cuda
    foreign,     // the engine has no back end for it
};
DeviceKind device_kind(const Machine&);

// What starts the ranks: a batch job, for one.
struct Allocation {
    int nodes = 1, ranks_per_node = 1;
    int cores_per_rank = 0;          // that a rank may use; 0: not known
};

// The allocation is fixed: no run of the plan is wider. Or why nothing can be calibrated there, and what works.
Expected<CalibrationPlace, std::string> place_on(const Machine&, const Stack& engine, const Allocation&);

// This computer: its GPUs where they are those that the subject's machine is made of; else its cores, a rank on each,
// starting from `cores`, a preset that counts them.
CalibrationPlace place_here(const Scenario& subject, const Machine& cores, const Stack& engine, const Computer&);

// Whether a GPU that its driver calls "NVIDIA A100-SXM4-80GB" is the preset's "NVIDIA A100 SXM4 80GB": by the word that numbers it.
bool same_gpu(const std::string& preset, const std::string& driver);

}  // namespace plimsoll
