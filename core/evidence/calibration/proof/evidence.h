#pragma once
// Why a measured number is what it is: its interval and the points it comes
// from, and how predictions made with it compared with runs held back.
//
//   for (const ConstantEvidence& e : evidence_for(machine, "machine.device.efficiency.gemm_ceiling"))
//       show(e.sentence), draw(e.figure);             // one click away from the number

#include "core/answers/curves/figures.h"
#include "core/values/plan/calibration.h"

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

struct ConstantEvidence {
    MeasuredConstant constant;
    std::string sentence;      // "0.893, from 0.881 to 0.904 (95 %), was 0.88. 21 points of matrix products ..."
    Experiment experiment;     // its points as a table; empty where the record has none
    Figure figure;             // the points measured and fitted; without series where there are none
};

// What was measured of a knob ("machine.network.node_GBps"), of a pointer of the machine's preset, or of
// "stack/..." of the software calibrated with it. Empty: it was not measured, or the machine never was.
std::vector<ConstantEvidence> evidence_for(const Machine&, std::string_view knob_or_pointer);

// Fitted over measured - 1.
double error(const MeasuredPoint&);

// Measured and fitted times over the size, both axes logarithmic; disturbed points are a series of their own.
Figure points_figure(const Experiment&);

// Both scores of the layouts that were held back and had a device for every rank: of all that ran, and without those
// that something disturbed, which is told by the very times that are scored. `inside`: of all, how many lie inside the
// interval of 90 % that was predicted.
struct ProofScores {
    ProofScore all, undisturbed;
    int inside = 0;
};
ProofScores scores_of(const Calibration&);

// "8 runs held back on this machine: mean error of the step time 8.7 %, of memory 2 %. Without the 2 that something
// disturbed it is 6.4 %. 7 of 8 lie inside their intervals of 90 %."
std::string proof_sentence(const Calibration&);

// What a prediction for the machine is worth, in a sentence that goes with every comparison.
std::string calibration_note(const Machine&);

// What a measured number is called in tables and reports, by its pointer as in MeasuredConstant: for
// "/levels/1/large_from_MB" it is "Network: size of large messages (level 2)". Levels count from the innermost, 1.
// A pointer without a name is given back.
std::string constant_name(const std::string& pointer);

}  // namespace plimsoll
