#include "core/answers/search/over_knobs.h"

namespace plimsoll {

std::vector<AtValues> search_over(const Scenario& plan, std::span<const KnobAxis> axes, const Space& space,
                                  const SearchOptions& options, std::stop_token stop) {
    std::vector<AtValues> all{{{}, plan, {}}};
    for (const KnobAxis& axis : axes) {
        std::vector<AtValues> next;
        for (const AtValues& at : all)
            for (const double value : axis.values)
                if (const auto turned = with(at.plan, *axis.knob, value)) {
                    next.push_back({at.values, *turned, {}});
                    next.back().values.push_back(value);
                }
        all = std::move(next);
    }
    SearchOptions one = options;
    one.limit = 1;
    one.ranking_only = true;
    for (AtValues& at : all) {
        const SearchResult found = search(at.plan, space, one, stop);
        if (found.top.empty()) continue;
        at.best = found.top.front();
        at.plan = with_layout(at.plan, at.best->layout);
    }
    return all;
}

}  // namespace plimsoll
