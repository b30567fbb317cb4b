#pragma once
// What the ranks of a node keep in its memory and on its drives, beside what
// these hold; which rates a device needs of them; what is written per step.

#include "core/costs/kernels/work.h"
#include "core/costs/memory/swap.h"
#include "core/costs/step/stage.h"
#include "core/values/plan/breakdown.h"
#include "core/values/plan/machine.h"

#include <optional>

namespace plimsoll {

// Needed so that no pass waits, and there; of one device while its whole node uses them.
// For the host, read is towards the device.
struct TierNeed {
    ByteRate read, write;
    ByteRate read_available, write_available;
    bool covered() const { return read <= read_available && write <= write_available; }
    friend bool operator==(const TierNeed&, const TierNeed&) = default;
};
struct TierLedger {
    TierUse use;
    Bytes limit;
    TierNeed need;
    Bytes written;   // per step and node
    bool fits() const { return use.total() <= limit; }
    friend bool operator==(const TierLedger&, const TierLedger&) = default;
};
TierLedger ledger_of(const Work&, Tier, const Swap&, const std::vector<StageTime>&);

// ---- Drives written to in every step (SSDTrain, Wu et al. 2024, section 2.3)
//
//   needed_write(30 * gigabyte, 10 * second) == 6 * gigabyte / second
//   *drive_life({.drives = 1, .endurance = 1e4 * terabyte}, 30 * gigabyte, 10 * second) == 38.6 days

// The rate they need: half of the step to write in, the other half to read back.
inline ByteRate needed_write(Bytes per_step, Seconds step) { return per_step / (step / 2); }

// How long they last. Nothing where the drives are not written to, or nobody says what they endure.
inline std::optional<Seconds> drive_life(const Nvme& drives, Bytes per_step, Seconds step) {
    if (per_step <= Bytes{} || drives.drives * drives.endurance <= Bytes{}) return std::nullopt;
    return drives.drives * drives.endurance / per_step * step;
}

}  // namespace plimsoll
