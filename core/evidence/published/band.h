#pragma once
// How far a prediction may be off, judged by published runs of its kind.
//
//   const Evidence seen = evidence_of(score(rows, presets));   // once, 0.1 s
//   const Band b = band_of(scenario, seen);
//   b.time;      // 0.06: two thirds of runs of this kind lay within a factor 1.06 of the prediction
//   b.beyond;    // what no run of the evidence covers, in sentences; empty: the plan is inside
//
// Runs are alike in circles: same stack, device, number format and reach (one
// node or more); same stack and device; same stack or device; all. Runs of the
// innermost circle count in full, each wider circle counts as much as four runs
// together and its sources alike. The band is the two-thirds quantile of the
// errors so weighted: narrow where many runs agree, wide where few were seen.
//
// On a machine that was calibrated, runs that were held back then are runs of
// the innermost circle: good ones narrow the band, bad ones widen it. A plan on
// more devices than they had is not narrowed by them.

#include "core/answers/curves/figures.h"
#include "core/evidence/published/score.h"

#include <array>
#include <string>

namespace plimsoll {

// What makes two runs alike, and how far the evidence reaches.
struct RunKind {
    std::string stack, device;           // id of the stack, family of the device
    Precision precision = Precision::bf16;
    bool crosses_nodes = false;
    int devices = 1, sequence_length = 1;
    bool experts = false;                // priced by other formulas: far from every dense run
    double parameters = 0;
    unsigned traits = 0;                 // features of the plan, one bit each (band.cpp)
};
RunKind kind_of(const Scenario&);

struct Trial {
    RunKind kind;
    std::string source;
    double error = 0;                    // predicted / published - 1
};

struct Evidence {
    std::vector<Trial> time, memory;     // the rows that count
};
Evidence evidence_of(const Score&);

enum class Circle { same_reach, same_stack_and_device, same_stack_or_device, all };
constexpr int circles = 4;

struct Spread {
    double band = 0;                     // as a fraction: from value / (1 + band) to value (1 + band)
    Circle circle = Circle::all;         // the innermost one that holds a run
    int runs = 0, sources = 0;           // in that circle
    int held_back = 0;                   // runs of the machine's own calibration that count
    double held_back_error = 0;          // their mean |error|
    double without = 0;                  // the band without them
};

struct Band {
    double time = 0, memory = 0;
    Spread time_spread, memory_spread;
    std::vector<std::string> beyond;
};
Band band_of(const Scenario&, const Evidence&);

// What was held back when the plan's machine was calibrated; nothing on other machines.
Evidence held_back(const Scenario&);

// The same for one list of trials; `without` is left out (to test the promise of two thirds).
Spread spread_of(const RunKind&, const std::vector<Trial>&, const Trial* without = nullptr);

// ---- A band in words, around a number and on figures

// "Two thirds of comparable published runs lie within 6 % of the prediction. Nearest: 38 runs ..."
std::string say_spread(const Spread&);
// "no published run on A64FX was checked; ..."; empty inside what was checked.
std::string say_beyond(const Band&);

// value / (1 + band) to value (1 + band).
template <class Quantity>
struct LikelyRange {
    Quantity low, high;
};
template <class Quantity>
LikelyRange<Quantity> range_around(Quantity value, double band) {
    return {value / (1 + band), value * (1 + band)};
}

// Shading around the modelled time, and a word on it in the captions of what follows from the time. The band is the
// present plan's; along the node axis stack, device and format stay the same.
void shade(std::vector<Figure>&, const Band&);

}  // namespace plimsoll
