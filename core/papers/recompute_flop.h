#pragma once
// FLOP of a training step as the papers of Megatron count them, with what the backward pass computes again. Rates and
// days that those papers print are of these.
//
// None of these is used by estimate(), which counts what a plan repeats layer by layer.

#include "core/values/plan/model.h"

namespace plimsoll::paper {

// model_flop() plus one recomputed forward pass of the layers: 96 B s L h^2 (1 + s/6h + V/16Lh) (Narayanan et al.
// 2021).
Flop full_recompute_flop(const Model&, double sequences, int sequence_length, int vocabulary);
// Selective recompute: the attention term of the 72-form doubles, s/6h becoming s/3h (Korthikanti et al. 2022,
// Appendix A).
Flop selective_recompute_flop(const Model&, double sequences, int sequence_length, int vocabulary);

}  // namespace plimsoll::paper
