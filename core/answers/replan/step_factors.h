#pragma once
// What whole measured steps take against what an estimate says, in three groups:
// computation, exposed communication, the rest; and machine and software turned by
// such factors.
//
//   const StepFactors k = factors_between(measured.parts, estimate->step);
//   scale(machine, stack, k);    // the estimate's groups are now the measured ones

#include "core/values/plan/breakdown.h"
#include "core/values/plan/machine.h"
#include "core/values/plan/stack.h"

namespace plimsoll {

struct StepFactors {
    double compute = 1, network = 1, rest = 1;
    double compute_sd = 0.15, network_sd = 0.15, rest_sd = 0.15;  // of their logarithms
};

// Seconds of each group; a bubble lasts as long as the computation it waits for.
struct StepGroups { double compute = 0, network = 0, rest = 0; };
StepGroups groups_of(const StepTime&);

// Group by group; 1 where either side has nothing.
StepFactors factors_between(const StepTime& measured, const StepTime& predicted);

// Rates of products and attention divided by compute; latencies multiplied and bandwidths divided by network;
// elementwise, optimizer and constant costs of the software multiplied by rest.
void scale(Machine&, Stack&, const StepFactors&);

}  // namespace plimsoll
