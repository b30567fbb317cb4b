#include "core/files/results/speed_json.h"

#include "core/files/presets/parts.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>

namespace plimsoll {
namespace {

using namespace files;

OrderedJson space_speed_json(const SpaceSpeed& s) {
    return {{"space", s.space},
            {"count", s.count},
            {"feasible", s.feasible},
            {"fits", s.fits},
            {"seconds", s.seconds},
            {"layouts_per_second", double(s.count) / s.seconds},
            {"feasible_per_second", double(s.feasible) / s.seconds},
            {"envelope",
             {{"node_counts", s.node_counts},
              {"median_seconds", s.envelope_seconds.median},
              {"p95_seconds", s.envelope_seconds.p95}}}};
}

double thousandths(double value) { return std::round(1000 * value) / 1000; }

OrderedJson window_speed_json(const std::optional<WindowSpeed>& w) {
    if (!w) return nullptr;
    return {{"median", thousandths(w->ms.median)},
            {"p95", thousandths(w->ms.p95)},
            {"best_median", thousandths(w->best_ms.median)},
            {"best_p95", thousandths(w->best_ms.p95)},
            {"longest_batch", thousandths(w->longest_batch_ms)}};
}

}  // namespace

std::string to_json(const EstimatorSpeed& s) {
    const auto frames = [](const std::optional<Percentiles>& ms) -> OrderedJson {
        if (!ms) return nullptr;
        return {{"median", thousandths(ms->median)}, {"p95", thousandths(ms->p95)}};
    };
    return text_of({{"estimates_per_second", std::uint64_t(s.estimates_per_second)},
                    {"digest", s.digest},
                    {"frame_ms", frames(s.frame_ms)},
                    {"frame_ms_six_open", frames(s.frame_ms_six_open)},
                    {"frame_ms_six_compared", frames(s.frame_ms_six_compared)},
                    {"automatic_layout_ms", window_speed_json(s.automatic)},
                    {"automatic_layout_ms_six_open", window_speed_json(s.automatic_six_open)},
                    {"automatic_layout_ms_batch", window_speed_json(s.automatic_batch)},
                    {"plans", s.plans}});
}

std::string to_json(const SearchSpeed& s) {
    const auto growth = [](const GrowthPoint& g) -> OrderedJson {
        return {{"devices", g.devices}, {"count", g.count}, {"seconds", g.seconds}};
    };
    return text_of({{"devices", s.devices},
                    {"estimates_per_second", s.estimates_per_second},
                    {"envelope_threads", s.envelope_threads},
                    {"spaces", json_list(s.spaces, space_speed_json)},
                    {"growth", json_list(s.growth, growth)},
                    {"window", window_speed_json(s.window)}});
}

}  // namespace plimsoll
