#pragma once
// A machine preset that was measured: the base with its measured numbers, each
// with its interval as source, and the record of the calibration.
//
//   const auto saved = save_calibrated(base, calibrated, record, users_presets());
//   if (saved) say(saved->machine.id);            // "cpu-2core-measured-2026-11-21"
//
// The base is never written to: deleting the files brings it back.

#include "core/evidence/calibration/fit/calibrate.h"
#include "core/files/text/problem.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace plimsoll {

// FNV-1a of the preset as write_machine() writes it, 16 hexadecimal digits.
std::string hash_of(const Machine&);

// A base of one node takes this computer's size; a larger one keeps its own and takes over the measured numbers alone.
Machine derived(const Machine& base, const Calibrated&, Calibration);
// The software with what was measured of it on `machine`, under an id of both; nothing where none of it was.
std::optional<Stack> derived_stack(const Calibrated&, const Calibration&, const Machine& machine);

// "on 2026-11-21: 0.893 [0.881, 0.904] from 24 matrix products, was 0.88"
std::string measured_text(const MeasuredConstant&, const Calibration&);

struct SavedCalibration {
    Machine machine;
    std::optional<Stack> stack;
    std::vector<std::filesystem::path> files;
};

// Into machines/ and stacks/ of `directory`, which are made where they are missing. The same measurement
// replaces its earlier files; another of the same day gets "-2". Problems: a file in the way that is no
// calibration, a refused calibration (refusal() of record.h), a disk that cannot be written.
Expected<SavedCalibration, Problems> save_calibrated(const Machine& base, const Calibrated&, const Calibration&,
                                                     const std::filesystem::path& directory);

// "The preset 'x' has changed since": where the base is there and is not what the record was made from.
std::optional<std::string> changed_since(const Calibration&, const Machine* base);

}  // namespace plimsoll
