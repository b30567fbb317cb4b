#include "core/values/plan/calibration.h"

#include <cmath>

namespace plimsoll {

ProofScore score_of(const Calibration& c) {
    ProofScore s;
    for (const ProofRow& row : c.proof) {
        if (!row.counts()) continue;
        ++s.rows;
        s.time += std::abs(row.error());
        if (row.memory_measured > Bytes{}) s.memory += std::abs(row.memory_error());
    }
    if (s.rows) s.time /= s.rows, s.memory /= s.rows;
    return s;
}

}  // namespace plimsoll
