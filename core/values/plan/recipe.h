#pragma once
// What is trained, for how long, in which number formats.

#include "core/values/plan/machine.h"
#include "core/values/basics/units.h"

namespace plimsoll {

enum class Precision { fp32, fp16, bf16, fp8 };  // of the matrix products
enum class Optimizer { adam, sgd };              // sgd with momentum

struct Recipe {
    int global_batch_sequences = 1;
    int sequence_length = 2048;
    double tokens = 1e9;             // of the whole run
    Precision precision = Precision::bf16;
    // Model-state bytes per parameter with Adam: 16 (16-bit gradients), 18
    // (fp32 gradient accumulation) or 20 (16-bit gradients and an fp32 copy:
    // ZeRO-Infinity). fp32 training is always 16.
    int bytes_per_parameter = 16;
    Optimizer optimizer = Optimizer::adam;
    Seconds checkpoint_interval{};  // of training between two checkpoints; zero = the optimum
    Seconds checkpoint_time{};      // of one checkpoint, where it was measured; zero = size / bandwidth
    friend bool operator==(const Recipe&, const Recipe&) = default;
};

// Bytes one parameter occupies as weight, gradient and optimizer state.
struct StateBytes {
    double weights, gradients, optimizer;
    double total() const { return weights + gradients + optimizer; }
};
StateBytes state_bytes(const Recipe&);
// Bytes per parameter that a restart needs: weights, master weights, moments. No gradients.
double checkpoint_bytes_per_parameter(const Recipe&);

// Bytes of an activation element, and of what crosses the wire.
double activation_bytes(Precision);
// The format the matrix units run in on this device (fp32 uses tf32 nowhere by itself).
NumberFormat matrix_format(Precision);

}  // namespace plimsoll
