#pragma once
// Time of one kernel from its shape: the slower of arithmetic and memory
// traffic, plus the shortest time any kernel takes.
//
// A GEMM reaches E of the peak when it is infinitely large and loses a share as
// its inner dimension k, its output m*n or its rows m shrink:
//   compute = 2 m n k / (peak E g) x (1 + k0/k) x (1 + A0/(m n batch)) x (1 + m0/m)
// and a group of products, those of the experts of a rank, as their rows and widths shrink:
//   compute = 2 m n k / (peak E E_g g) x (1 + r0/rows) x (1 + w0/min(n, k))
// with E, k0, A0, m0 of the device and format, and g of the software stack. E is what
// short bursts reach; a run of hours keeps a share of it, less on a board with less
// power. The form and the constants are discussed in resources/help/model.md and trust.md.

#include "core/values/plan/scenario.h"

namespace plimsoll {

struct Gemm {
    const char* id = "";
    const char* label = "";
    double m = 1, n = 1, k = 1, batch = 1;
    double steps = 1;  // pieces along k that arrive and are added up one after the other (SUMMA)
    double rate = 1;   // of the stack: on the device's rate
    bool grouped = false;      // products of several experts at once: rows m, or inner k of a weight gradient, each
    bool of_weights = false;   // a weight gradient
    bool trained = true;       // off: nobody asks for its weight gradient
};

inline Flop flop_of(const Gemm& g) { return 2.0 * g.m * g.n * g.k * g.batch * flop; }

// Fused attention with heads of one width, over an endless sequence, and the tokens of a rank's causal part that halve
// it.
struct FlashRates {
    FlopRate flash_forward, flash_backward;
    double flash_half_forward = 0, flash_half_backward = 0;
};

// Rates of one device under one stack and precision, ready for the hot loop; fused attention with the model's heads.
struct Rates : FlashRates {
    FlopRate gemm;         // an infinitely large product
    double half_depth, half_area, half_rows;
    FlopRate grouped;      // a group of infinitely large products
    double grouped_half_rows, grouped_half_width, grouped_weight_gradient;
    ByteRate memory;       // streamed
    Seconds floor;         // shortest kernel
    double element;        // bytes of an activation element
    double operand;        // bytes of an element that enters a product
};
Rates rates_of(const Scenario&);
// Of layers whose heads have a width of their own, in the recipe's precision.
FlashRates flash_rates_of(const Scenario&, int head_dim);
// The same with the head's 16-bit format, which fp8 recipes keep.
Rates head_rates_of(const Scenario&);
// In fp32, whatever the recipe: inverses of second-order optimizers.
Rates fp32_rates_of(const Scenario&);

struct KernelTime {
    Seconds compute, memory, floor;
    Seconds total() const { return max(compute, memory) + floor; }
};
KernelTime time_of(const Gemm&, const Rates&);
// (1 + k0/k)(1 + A0/(m n batch))(1 + m0/m), k of one step: how much slower than the ceiling the shape is. Of grouped
// products (1 + r0/rows)(1 + w0/min(n, k)).
double shape_penalty(const Gemm&, const Rates&);
// Of the grouped products' rate: what this one reaches at the best of shapes.
double grouped_share(const Gemm&, const Rates&);
Bytes traffic_of(const Gemm&, const Rates&);   // operands and result once, the result again for every further step

// What the recipe's fp8 products reach here: by their kind of scales, or as with one scale a tensor where that was not
// measured.
ProductSurface fp8_surface(const Scenario&);
// Of an infinitely large product, as the device's constants and the stack's factor give it.
struct GemmRate {
    FlopRate peak;           // of the format
    double ceiling, stack;
    double sustained = 1, power = 1;   // of a run of hours; of this board
    FlopRate rate() const { return peak * ceiling * sustained * power * stack; }
};
GemmRate gemm_rate_of(const Scenario&, Precision);
// What a board of this power keeps of the rates measured at the reference power: (W / reference)^exponent, at most 1.
double power_share(const Machine&);
Precision head_precision(const Scenario&);

}  // namespace plimsoll
