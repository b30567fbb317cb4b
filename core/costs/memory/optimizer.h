#pragma once
// The optimizer: its time in a step, the state it keeps by matrix rather than by parameter, and what
// a checkpoint of all states takes.
//
// Adafactor (Shazeer and Stern 2018, without momentum) keeps the row and column
// sums of every matrix a tensor rank holds, and the whole second moment of
// vectors. K-FAC and Shampoo keep factors and inverses in fp32 on the ranks that
// own them; K-FAC adds up its factors locally before they are reduced: all of
// the stage's where a step has several micro-batches, else one layer's at a time.

#include "core/costs/kernels/work.h"

namespace plimsoll {

// ---- The step

struct OptimizerTime {
    Seconds streamed;      // states read and written
    Seconds host;          // issuing the work
    Seconds accumulation;  // adding up gradients over micro-batches
    Seconds constant;
    Seconds total() const { return streamed + host + accumulation + constant; }
};
OptimizerTime optimizer_time(const Work&, const Parameters&, int layers, int stage = 0);
Bytes optimizer_traffic(const Work&, const Parameters&);
Bytes accumulation_traffic(const Work&, const Parameters&);  // per step

// ---- State by matrix

double adafactor_elements(const Work&, int stage);     // of one tensor rank
Bytes factored_moments(const Work&, int stage);        // Adafactor, after sharding
Bytes owned_factors(const Work&, int stage);           // factors and inverses on the busiest owner
Bytes unreduced_statistics(const Work&, int stage);    // K-FAC

// ---- Checkpoints

// Weights, master weights and moments of the whole model, Adafactor's sums, and
// factors once (inverses are taken again); no gradients.
Bytes checkpoint_bytes(const Work&);
double checkpoint_bytes_per_parameter(const Work&);   // mean over the model
Bytes checkpoint_by_matrix(const Work&);  // the part that is not per parameter

}  // namespace plimsoll
