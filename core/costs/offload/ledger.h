#pragma once
// What the ranks of a node keep in its memory and on its drives, beside what
// these hold; which rates a device needs of them; what is written per step.

#include "core/costs/offload/swap.h"
#include "core/costs/pipeline/stage.h"
#include "core/values/plan/breakdown.h"

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
TierLedger ledger_of(const Scenario&, Tier, const Swap&, const std::vector<StageTime>&);

}  // namespace plimsoll
