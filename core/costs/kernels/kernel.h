#pragma once
// Time of one kernel from its shape: the slower of arithmetic and memory
// traffic, plus the shortest time any kernel takes.
//
// A GEMM reaches E of the peak when it is infinitely large and loses a share as
// its inner dimension k, its output m*n or its rows m shrink:
//   compute = 2 m n k / (peak E g) x (1 + k0/k) x (1 + A0/(m n batch)) x (1 + m0/m)
// with E, k0, A0, m0 of the device and g of the software stack. The form and the
// fitted constants are discussed in resources/help/model.md and trust.md.

#include "core/values/plan/scenario.h"

namespace plimsoll {

struct Gemm {
    const char* id = "";
    const char* label = "";
    double m = 1, n = 1, k = 1, batch = 1;
    double steps = 1;  // pieces along k that arrive and are added up one after the other (SUMMA)
    double rate = 1;   // of the stack's GEMM rate, where these kernels reach less
};

inline Flop flop_of(const Gemm& g) { return 2.0 * g.m * g.n * g.k * g.batch * flop; }

// Rates of one device under one stack and precision, ready for the hot loop.
struct Rates {
    FlopRate gemm;         // peak x ceiling x stack factor: an infinitely large product
    double half_depth, half_area, half_rows;
    FlopRate flash_forward, flash_backward;  // before the shape factor
    ByteRate memory;       // streamed
    Seconds floor;         // shortest kernel
    double element;        // bytes of an activation element
};
Rates rates_of(const Scenario&);
// The same with the head's 16-bit format, which fp8 recipes keep.
Rates head_rates_of(const Scenario&);
// In fp32, whatever the recipe: inverses of second-order optimizers.
Rates fp32_rates_of(const Scenario&);

struct KernelTime {
    Seconds compute, memory, floor;
    Seconds total() const { return max(compute, memory) + floor; }
};
KernelTime time_of(const Gemm&, const Rates&);
// (1 + k0/k)(1 + A0/(m n batch))(1 + m0/m), k of one step: how much slower than the ceiling the shape is.
double shape_penalty(const Gemm&, const Rates&);
Bytes traffic_of(const Gemm&, const Rates&);   // operands and result once, the result again for every further step

// Of an infinitely large product, as the device's constants and the stack's factor give it.
struct GemmRate {
    FlopRate peak;           // of the format it is priced from
    double ceiling, stack;
    double fp8_gain = 1;
    FlopRate rate() const { return peak * ceiling * stack * fp8_gain; }
};
GemmRate gemm_rate_of(const Scenario&, Precision);
Precision head_precision(const Scenario&);

}  // namespace plimsoll
