#pragma once
// What an optimizer keeps and computes by matrix, besides the update of every parameter: one rule for a family.
//
//   rule_of(Optimizer::shampoo).work(work, stage).compute()
//
// The bytes it keeps of every parameter, by group, are in values/plan/recipe.h.

#include "core/costs/kernels/work.h"

namespace plimsoll {

inline constexpr double matrix_element_bytes = 4;   // factors, inverses and sums of rows and columns are fp32

// What work on whole matrices adds to a step, as the mean over all steps: one that does all of it takes longer, most
// take less. Exchange is among the data-parallel ranks, none of it hidden.
struct PreconditionerTime {
    Seconds statistics, inverses, application;
    Seconds factor_reduction, direction_gather;
    Seconds compute() const { return statistics + inverses + application; }
    Seconds exchange() const { return factor_reduction + direction_gather; }
};

// Of one stage; what a family does not have is left out.
struct OptimizerRule {
    double (*elements)(const Work&, int stage) = nullptr;   // that a checkpoint holds, of one tensor rank
    Bytes (*moments)(const Work&, int stage) = nullptr;     // on one device, as part of the optimizer state
    Bytes (*factors)(const Work&, int stage) = nullptr;     // on the busiest device, what multiplies gradients
    PreconditionerTime (*work)(const Work&, int stage) = nullptr;
};
const OptimizerRule& rule_of(Optimizer);

// The families: first_order.cpp, curvature.cpp and muon.cpp.
extern const OptimizerRule adam_rule, adafactor_rule, curvature_rule, muon_rule;

}  // namespace plimsoll
