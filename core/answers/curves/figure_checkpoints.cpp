#include "core/answers/curves/figure_checkpoints.h"

#include "core/values/knobs/wording.h"
#include "core/costs/campaign/resilience.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

constexpr int points_each_side = 12;
constexpr double widest = 6;  // times the optimum, either way

struct TimeUnit {
    const char* name;
    Seconds size;
};

TimeUnit unit_for(Seconds t) {
    return t >= 2 * day ? TimeUnit{"days", day} : t >= 10 * hour ? TimeUnit{"hours", hour} : t >= 2 * minute ? TimeUnit{"minutes", minute} : TimeUnit{"s", second};
}

// Even in the logarithm, wide enough for the plan's own interval.
std::vector<Seconds> intervals(const Resilience& r) {
    const double here = r.interval / r.young;
    const double span = std::max({widest, 1.2 * here, 1.2 / here});
    std::vector<Seconds> all{r.interval};
    for (int i = -points_each_side; i <= points_each_side; ++i) {
        const Seconds t = i == 0 ? r.young : r.young * std::pow(span, double(i) / points_each_side);
        if (t != r.interval) all.push_back(t);
    }
    std::sort(all.begin(), all.end());
    return all;
}

// An upright line from the minimum to what no interval avoids.
Series optimum(const Resilience& r, const TimeUnit& unit) {
    const double x = r.young / unit.size;
    const Overhead best = overhead_at(r.young, r);
    return {"optimum", "Optimum (Young): " + say(r.young), Mark::ideal, {x, x}, {100 * best.total(), 100 * best.restarting}, {}};
}

}  // namespace

Figure checkpoint_tradeoff(const Scenario& s) {
    const Resilience r = resilience(s);
    const TimeUnit unit = unit_for(r.young);
    Figure f;
    f.id = "checkpoint-tradeoff";
    f.title = "Time lost against the checkpoint interval";
    f.x = {"Checkpoint interval", unit.name, true};
    f.y = {"Time lost", "%"};
    f.here_x = r.interval / unit.size;
    Series total{"total", "Time lost in all", Mark::line, {}, {}, {}};
    std::vector<Series> parts;
    for (const auto& part : overhead_parts) parts.push_back({std::string(part.id), std::string(part.label), Mark::line, {}, {}, {}});
    for (const Seconds t : intervals(r)) {
        const Overhead o = overhead_at(t, r);
        total.x.push_back(t / unit.size);
        total.y.push_back(100 * o.total());
        for (std::size_t i = 0; i < parts.size(); ++i) {
            parts[i].x.push_back(t / unit.size);
            parts[i].y.push_back(100 * (o.*overhead_parts[i].value));
        }
    }
    f.series.push_back(std::move(total));
    for (Series& part : parts) f.series.push_back(std::move(part));
    f.series.push_back(optimum(r, unit));
    return f;
}

std::string checkpoint_caption(const Scenario& s) {
    const Resilience r = resilience(s);
    return "Share of the time lost to checkpoints of " + say(r.checkpoint_size) + " (" + say(r.checkpoint) + " each), failures every "
         + say(r.mtbf) + " and restarts of " + say(r.restart) + ", to first order. Young's optimum is " + say(r.young)
         + ", Daly's " + say(r.daly) + (r.optimal ? "; the plan uses Young's. " : "; the plan uses " + say(r.interval) + ". ");
}

}  // namespace plimsoll
