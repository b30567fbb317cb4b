#pragma once
// One transformer layer on one tensor-parallel rank, per micro-batch: its
// matrix products, attention core, elementwise traffic and collectives.
//
// Elementwise and attention traffic follow a count of reads and writes per
// operator (ARCHITECTURE.md, "Traffic counts"). How products are cut is split.h's
// matter, what the ranks exchange tensor.h's and context.h's.

#include "core/costs/kernels/kernel.h"
#include "core/costs/network/network.h"

#include <array>

namespace plimsoll {

// Forward products and, per product, two backward ones (data and weight gradient).
constexpr int forward_gemms = 4;
std::array<Gemm, forward_gemms> layer_gemms(const Scenario&);
std::array<Gemm, 2 * forward_gemms> layer_gradient_gemms(const Scenario&);

// Either pass of the attention core.
struct AttentionTime {
    Seconds compute, memory, floor;   // materialised: products, softmax traffic; flash: all compute
    Seconds merge{};                  // adding up what the blocks of a ring contribute
    Seconds total() const { return compute + memory + floor + merge; }
};
AttentionTime attention_forward(const Scenario&, const Rates&);
AttentionTime attention_backward(const Scenario&, const Rates&);
// Ring attention adds up, in fp32, output or gradients of every block but the first.
Bytes merge_forward_bytes(const Scenario&);
Bytes merge_backward_bytes(const Scenario&);

struct PassTime {
    Seconds gemm, attention, elementwise;
    Seconds tensor;   // exposed collectives
    Seconds context;  // exposed exchange between ranks that share a sequence
    Seconds device() const { return gemm + attention + elementwise; }
    friend PassTime operator*(double k, const PassTime& p) {
        return {k * p.gemm, k * p.attention, k * p.elementwise, k * p.tensor, k * p.context};
    }
};

struct LayerTime {
    PassTime forward, backward;   // backward without recomputation
    Seconds weight;               // of the backward products, those for the weight gradients
};
LayerTime layer_time(const Scenario&);

// Bytes an elementwise pass moves, before rates (per layer and micro-batch).
Bytes elementwise_forward_bytes(const Scenario&);
Bytes elementwise_backward_bytes(const Scenario&);

// Tokens of one micro-batch on one rank.
inline double tokens_per_micro_batch(const Scenario& s) {
    return double(s.layout.micro_batch) * s.recipe.sequence_length / s.layout.context_parallel;
}

}  // namespace plimsoll
