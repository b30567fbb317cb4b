#pragma once
// One published row against the plan it was filled to: the quantity that
// counts, its memory, and what is only shown.
//
//   const RowScore r = score_row(row, filled_run(row, presets));
//   r.time.error;      // of the step time, from the row's best witness (published_flop.h)

#include "core/evidence/published/run_rules.h"

namespace plimsoll {

struct ScoredRow {
    std::string id, source, family;      // family: of the device, "A100"
    std::string quantity;                // key of the measured value
    double published = 0, predicted = 0; // in that quantity
    double error = 0;                    // of time or memory: predicted / published - 1
    double measured = 0;                 // the published value as seconds of a step or bytes of memory
    bool of_first_stage = false;         // memory: of the first stage instead of the fullest
    double memory_share = 0;             // predicted memory over the device's: near 1 allocators slow runs down
    std::string excluded;                // why it does not count; empty: it does. A reference row has figures as well
    std::vector<std::string> filled;     // what was assumed
    Scenario plan;                       // the row as a plan, without provenance; as far as it was filled if excluded
};

struct RowScore {
    ScoredRow time;
    std::optional<ScoredRow> memory;     // where the row has one
    std::vector<ScoredRow> others;       // hours, days, energy and power; of a reference row every further rate too
};

RowScore score_row(const PublishedRow&, const FilledRun&);

std::string device_family(const std::string& device);

}  // namespace plimsoll
