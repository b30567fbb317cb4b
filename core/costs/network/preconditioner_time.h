#pragma once
// What K-FAC and Shampoo add to a step, as the mean over the steps between two
// inversions: a step with all of them takes longer, most take less.
//
// Exchange among the data-parallel ranks, none of it hidden:
//   K-FAC's factors, as packed fp32 triangles, reduced onto their owners
//   (Osawa et al. 2019) every update; and, where no ZeRO stage gathers the
//   weights anyway, the multiplied gradients from their owners to everyone.

#include "core/costs/kernels/preconditioner.h"
#include "core/costs/network/network.h"

namespace plimsoll {

struct PreconditionerTime {
    Seconds statistics, inverses, application;
    Seconds factor_reduction, direction_gather;
    Seconds compute() const { return statistics + inverses + application; }
    Seconds exchange() const { return factor_reduction + direction_gather; }
};
// Zero for first-order optimizers.
PreconditionerTime preconditioner_time(const Scenario&, int stage);

Bytes factor_payload(const Scenario&, int stage);     // of one update, before it is scattered
Bytes direction_payload(const Scenario&, int stage);  // of one step
// Achieved in fp32: by inversions, and by products of inverses and gradients.
FlopRate inverse_rate(const Scenario&);
FlopRate application_rate(const Scenario&);

}  // namespace plimsoll
