#pragma once
// A calibration as tables for a paper or a ticket: predicted against measured,
// and the constants with their intervals.
//
//   write_atomically(dir / "calibration-proof.csv", proof_csv(*machine.calibration.get()));
//   write_atomically(dir / "calibration-proof.md", calibration_markdown(machine));

#include "core/values/plan/machine.h"

#include <string>

namespace plimsoll {

// One line a layout, "." decimals, seconds and bytes; '#' lines with provenance on top. Without a measurement the cells
// are empty.
std::string proof_csv(const Calibration&);

// Where and when, the proof, the constants, what stays assumed and every caution. Empty for a machine that was not
// calibrated.
std::string calibration_markdown(const Machine&);

}  // namespace plimsoll
