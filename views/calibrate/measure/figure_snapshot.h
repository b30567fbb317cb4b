#pragma once
// Figures that belong to no plan, for charts that are handed snapshots.
//
//   chart->present(snapshot_of({run_loss(steps)}));

#include "views/plan/snapshot.h"

namespace plimsoll {

// Those without series are left out, so that a chart says its empty text.
inline Snapshot snapshot_of(std::vector<Figure> figures) {
    std::erase_if(figures, [](const Figure& f) { return f.series.empty(); });
    Snapshot s;
    s.outcome = Estimate{};
    s.last_good = std::make_shared<const Answer>(Answer{{}, {}, {}, std::move(figures), {}, {}});
    return s;
}

}  // namespace plimsoll
