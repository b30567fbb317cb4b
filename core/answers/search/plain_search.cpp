#include "core/answers/plan/rules.h"
#include "core/answers/search/ranking.h"

namespace plimsoll {

Scenario with_layout(Scenario s, const Layout& l) {
    s.layout = l;
    return s;
}

SearchResult search_plainly(const Scenario& scenario, const Space& space, const SearchOptions& options,
                            std::stop_token stop, const SearchProgress& progress) {
    Scenario s = without_sources(scenario);
    const Layouts layouts(s, space);
    const long long count = layouts.count();
    Ranking ranking(options);
    long long place = 0;
    for (const Layout& layer : layouts.layers()) {
        for (const Layout& pipeline : layouts.pipelines(layer)) {
            if (stop.stop_requested()) break;
            const std::vector<Inner>& inner = layouts.inner(pipeline);
            s.layout = Layouts::with(pipeline, Inner{});
            const std::vector<Obstacle> structural = check_pipeline(s);
            for (const Inner& i : inner) {
                s.layout = Layouts::with(pipeline, i);
                const Outcome o = estimate(s);
                const Room room = o ? room_of(*o, options.headroom) : Room::none;
                ranking.count(pipeline, 1, o.has_value(), runs(o), room == Room::tight);
                if (!o) ranking.exclude((structural.empty() ? o.error() : structural).front(), s.layout, place, 1);
                else if (!o->fits()) ranking.miss(miss_of(s.layout, *o), place);
                else ranking.add({candidate_of(s, *o, options.headroom), place});
                ++place;
            }
            if (progress) progress(place, count);
        }
    }
    const bool added = options.with_plan && add_plan(without_sources(scenario), layouts, ranking);
    SearchResult r = ranking.result(space.name);
    r.count = count + added;
    r.cancelled = stop.stop_requested();
    return r;
}

}  // namespace plimsoll
