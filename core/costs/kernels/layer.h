#pragma once
// One transformer layer on one tensor-parallel rank, per micro-batch: its matrix products,
// attention core, elementwise traffic and collectives; and the two ends of the model.
//
// Elementwise and attention traffic follow a count of reads and writes per operator
// (resources/help/model.md, "One layer"). products.h says how products are cut; tensor.h, context.h and
// exchange.h say what the ranks exchange.

#include "core/costs/kernels/work.h"
#include "core/costs/kernels/products.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plimsoll {

// ---- A layer

// Either pass of the attention core.
struct AttentionTime {
    Seconds compute, memory, floor;   // materialised: products, softmax traffic; flash: all compute
    Seconds merge{};                  // adding up what the blocks of a ring contribute
    Seconds total() const { return compute + memory + floor + merge; }
};
AttentionTime attention_forward(const Work&, const LayerKind&, const Rates&);
AttentionTime attention_backward(const Work&, const LayerKind&, const Rates&);
// Ring attention adds up, in fp32, output or gradients of every block but the first.
Bytes merge_forward_bytes(const Work&, const LayerKind&);
Bytes merge_backward_bytes(const Work&, const LayerKind&);

struct PassTime {
    Seconds gemm, attention, elementwise;
    Seconds tensor;   // exposed collectives
    Seconds context;  // exposed exchange between ranks that share a sequence
    Seconds exchange; // exposed all-to-alls of the experts
    Seconds device() const { return gemm + attention + elementwise; }
    PassTime& operator+=(const PassTime& o) {
        gemm += o.gemm;
        attention += o.attention;
        elementwise += o.elementwise;
        tensor += o.tensor;
        context += o.context;
        exchange += o.exchange;
        return *this;
    }
    friend PassTime operator*(double k, const PassTime& p) {
        return {k * p.gemm, k * p.attention, k * p.elementwise, k * p.tensor, k * p.context, k * p.exchange};
    }
};

struct LayerTime {
    PassTime forward, backward;   // backward without recomputation
    Seconds weight;               // of the backward products, those for the weight gradients
    Seconds last;                 // of the forward products, the one that ends a dense layer
    Seconds varies_forward, varies_backward;   // of attention, what the documents of a sequence decide
};
LayerTime layer_time(const Work&, const LayerKind&);

// Fused kernels are told where documents end and leave out what lies between them.
bool fused_documents(const Work&);

// Ranks whose sequences have the longest documents attend longest, and the others wait: as if their work were drawn
// from a normal distribution, for the largest of d c of them. They meet after the micro-batches of a step, over which
// the spread averages out; or in every layer, where they exchange tokens for experts or gather weights (ZeRO-3).
// [derived, Gaussian]
struct SlowestRank {
    double ranks = 1, sequences = 1;        // d c; on each between two meetings
    double variation = 0, deviations = 0;   // of a sequence's scores or tokens; of the largest of so many ranks
    double most = 1e9;                      // over the mean that there may be
    double more() const { return std::min(most, deviations * variation / std::sqrt(sequences)); }   // over the mean
};
SlowestRank slowest_rank(const Work&, const LayerKind&);
// The same of rows that differ in length, for all work of the devices as if each part of it grew with the tokens. What
// scores vary besides is the attention's.
SlowestRank slowest_rows(const Work&);
LayerTime on_slowest_rank(const Work&, const LayerKind&, LayerTime);

// Forward work of such a layer that computing a module again repeats: what `moe` holds is counted with it.
PassTime module_time(const Work&, const LayerKind&, Module);

// One elementwise pass over a layer, per micro-batch.
struct Elementwise {
    Bytes bytes;    // moved
    int kernels;    // launched
    Seconds time(const Rates& r) const { return bytes / r.memory + kernels * r.floor; }
};
Elementwise elementwise_forward(const Work&, const LayerKind&);
Elementwise elementwise_backward(const Work&, const LayerKind&);

// What converting the inputs of a layer's products to the recipe's format moves in either pass; nothing in 16 bits and
// more. Forward: every input of a product; backward: every gradient of an output (values/plan/number_formats.h).
struct ConvertedBytes {
    Bytes values, transform;   // Hadamard transforms before copies by columns
    Bytes weights{};           // where every micro-batch converts them again
    Bytes total() const { return values + transform + weights; }
};
ConvertedBytes conversion_forward(const Work&, const LayerKind&);
ConvertedBytes conversion_backward(const Work&, const LayerKind&);

// ---- The ends: embedding on the first stage, LM head and loss on the last

Bytes embedding_forward_bytes(const Work&);
Bytes embedding_backward_bytes(const Work&);
Bytes cross_entropy_bytes(const Work&);        // forward and backward together

struct EndTime {
    Seconds forward, backward;
    Seconds tensor_forward, tensor_backward;       // exposed collectives
    Seconds weight;                                // of `backward`, the head's weight product
    EndTime& operator+=(const EndTime& o) {
        forward += o.forward;
        backward += o.backward;
        tensor_forward += o.tensor_forward;
        tensor_backward += o.tensor_backward;
        weight += o.weight;
        return *this;
    }
};
EndTime embedding_time(const Work&);
EndTime head_time(const Work&);
// Of one module that predicts a further token, besides its layers: the look-up, the product that joins it with the
// stream (2 h to h), and the head with its loss.
Gemm joining_gemm(const Work&);   // forward
EndTime module_end_time(const Work&, const EndTime& embedding, const EndTime& head);

// One layer of every kind the model has, and the ends: the same for every number of stages, micro-batches in flight
// and replicas.
struct LayerTimes {
    ShortList<LayerTime, most_kinds> kinds;
    EndTime embedding, head, module_end;
    const LayerTime& operator[](Kind k) const { return kinds[k]; }
};
LayerTimes layer_times(const Work&);

}  // namespace plimsoll
