#pragma once
// The ends of the model: embedding on the first stage, LM head and loss on the
// last, per micro-batch.

#include "core/costs/kernels/layer.h"

#include <array>

namespace plimsoll {

std::array<Gemm, 3> head_gemms(const Scenario&);   // forward, data gradient, weight gradient
Bytes embedding_forward_bytes(const Scenario&);
Bytes embedding_backward_bytes(const Scenario&);
Bytes cross_entropy_bytes(const Scenario&);        // forward and backward together

struct EndTime {
    Seconds forward, backward;
    Seconds tensor_forward, tensor_backward;       // exposed collectives
    Seconds weight;                                // of `backward`, the head's weight product
};
EndTime embedding_time(const Scenario&);
EndTime head_time(const Scenario&);

}  // namespace plimsoll
