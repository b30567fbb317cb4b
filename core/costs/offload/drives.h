#pragma once
// Drives written to in every step: the rate they need and how long they last
// (SSDTrain, Wu et al. 2024, section 2.3).
//
//   needed_write(30 * gigabyte, 10 * second) == 6 * gigabyte / second
//   *drive_life({.drives = 1, .endurance = 1e4 * terabyte}, 30 * gigabyte, 10 * second) == 38.6 days

#include "core/values/plan/machine.h"

#include <optional>

namespace plimsoll {

// Half of the step to write in, the other half to read back.
inline ByteRate needed_write(Bytes per_step, Seconds step) { return per_step / (step / 2); }

// Nothing where the drives are not written to, or nobody says what they endure.
inline std::optional<Seconds> drive_life(const Nvme& drives, Bytes per_step, Seconds step) {
    if (per_step <= Bytes{} || drives.drives * drives.endurance <= Bytes{}) return std::nullopt;
    return drives.drives * drives.endurance / per_step * step;
}

}  // namespace plimsoll
