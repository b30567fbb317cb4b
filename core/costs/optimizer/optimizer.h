#pragma once
// The optimizer: its time in a step, the state it keeps by matrix rather than by parameter, and what
// a checkpoint of all states takes.
//
// Rules that treat every number alike (Adam, SGD) stream over their states. Adafactor (Shazeer and
// Stern 2018, without momentum) keeps the row and column sums of every matrix a tensor rank holds, and
// the whole second moment of vectors. K-FAC, Shampoo and SOAP are in curvature.h, Muon in muon.h.

#include "core/costs/optimizer/rule.h"

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
Bytes optimizer_traffic(const Work&, const Parameters&);     // of the update, and
Bytes weight_conversion(const Work&, const Parameters&);     // of new weights to the recipe's format, once a step
Bytes accumulation_traffic(const Work&, const Parameters&);  // per step
PreconditionerTime preconditioner_time(const Work&, int stage);   // zero for rules without matrices

// ---- State by matrix, on one device

Bytes moments_by_matrix(const Work&, int stage);
Bytes preconditioner_bytes(const Work&, int stage);
double adafactor_elements(const Work&, int stage);     // of one tensor rank

// ---- Checkpoints

// Weights, master weights and moments of the whole model, Adafactor's sums, and
// factors once (inverses are taken again), with SOAP's eigenvectors; no gradients.
Bytes checkpoint_bytes(const Work&);
double checkpointed_parameters(const Work&);   // all of them, or the adapters and what is trained besides
double checkpoint_bytes_per_parameter(const Work&);   // mean over the model
Bytes checkpoint_by_matrix(const Work&);  // the part that is not per parameter

}  // namespace plimsoll
