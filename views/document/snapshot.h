#pragma once
// What views see: the plan, its outcome, and the last answer there was.
//
// A plan with obstacles has no numbers; views then keep drawing `last_good` and
// say that it is stale. So they do while a field holds what cannot be part of the
// plan: whoever typed it shall not read the numbers as the answer to it.
// A snapshot is a value: whoever holds one may keep it.

#include "core/answers/campaign/hours.h"
#include "core/answers/campaign/totals.h"
#include "core/answers/curves/figures.h"
#include "core/answers/plan/estimate.h"
#include "core/answers/campaign/headline.h"
#include "core/answers/plan/headroom.h"
#include "core/answers/search/envelope.h"
#include "core/evidence/published/anchor.h"
#include "core/evidence/published/band.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

// The best that could be done at each node count of a plan.
struct Envelope {
    Scenario plan;   // it was searched for
    std::vector<EnvelopePoint> best;
};

// What the model says without the measured runs of the user.
struct ModelAlone {
    Estimate estimate;
    Headline headline;
    Totals totals;
};

struct Answer {
    Scenario scenario;
    Estimate estimate;
    Headline headline;
    std::vector<Figure> figures;
    std::optional<Band> band;  // how far off it may be; none until the published runs are priced
    std::optional<Anchoring> anchoring;  // by which measured runs of the user it changed; as the band
    std::string repair;  // how a plan that opened without numbers was made to have some; usually empty
    Headroom headroom{};  // that was asked for, with the likely range of the memory
    std::optional<ModelAlone> model = {};   // where measured runs changed the numbers
    Totals totals{};      // by the counting that was asked for
    HourOf hours{HourOf::node};  // that its node-hours are shown in
    Watts most_power{};  // that its user set as the limit; nothing: none
    Room room() const { return room_of(estimate, headroom); }
};

struct Snapshot {
    Scenario scenario;
    Outcome outcome = Unexpected<std::vector<Obstacle>>{{}};
    // By the id of the knob, what was typed and refused, as a sentence. There is no outcome then, and no obstacle.
    std::map<std::string, std::string> refused;
    std::shared_ptr<const Answer> last_good;  // of `scenario` unless stale; null before the first
    std::shared_ptr<const Answer> baseline;   // pinned to compare with; null when none

    bool stale() const { return !outcome.has_value(); }
};

inline const Figure* find_figure(const Answer* answer, std::string_view id) {
    if (answer)
        for (const Figure& f : answer->figures)
            if (f.id == id) return &f;
    return nullptr;
}

// Figures that belong to no plan, for charts that are handed snapshots.
//
//   chart->present(snapshot_of({run_loss(steps)}));

// Those without series are left out, so that a chart says its empty text.
inline Snapshot snapshot_of(std::vector<Figure> figures) {
    std::erase_if(figures, [](const Figure& f) { return f.series.empty(); });
    Snapshot s;
    s.outcome = Estimate{};
    s.last_good = std::make_shared<const Answer>(Answer{{}, {}, {}, std::move(figures), {}, {}, {}});
    return s;
}

}  // namespace plimsoll
