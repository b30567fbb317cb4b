#pragma once
// Fitted constants as presets: what differs from the presets they started from.
//
//   const Overlay o = overlay(problem, fit(problem).constants, library.machines, library.stacks);
//   o.machines.at("our-cluster").device.efficiency.gemm_ceiling;

#include "core/evidence/fitting/fit.h"

namespace plimsoll {

struct Overlay {
    Machines machines;
    Stacks stacks;
};

// Every machine and stack that owns a constant whose value changes, to three
// digits; its entry under "sources" says which rows decided it.
Overlay overlay(const FitProblem&, const std::vector<FittedConstant>&, const Machines&, const Stacks&);

}  // namespace plimsoll
