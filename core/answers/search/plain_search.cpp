#include "core/answers/plan/rules.h"
#include "core/answers/search/ranking.h"

namespace plimsoll {

namespace {

NearMiss miss_of(const Layout& l, const Estimate& e) {
    NearMiss worst{l, Tier::device, e.worst().total(), e.memory_limit};
    for (const auto& [tier, ledger] : {std::pair{Tier::host, &e.host}, std::pair{Tier::nvme, &e.nvme}})
        if (NearMiss m{l, tier, ledger->use.total(), ledger->limit}; !ledger->fits() && m.excess() > worst.excess())
            worst = m;
    return worst;
}

}  // namespace

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
            const std::vector<Obstacle> structural = check(s);
            for (const Inner& i : inner) {
                s.layout = Layouts::with(pipeline, i);
                const Outcome o = estimate(s);
                ranking.count(pipeline, 1, o.has_value(), runs(o));
                if (!o) ranking.exclude((structural.empty() ? o.error() : structural).front(), s.layout, place, 1);
                else if (!o->fits()) ranking.miss(miss_of(s.layout, *o), place);
                else ranking.add({candidate_of(s, *o), place});
                ++place;
            }
            if (progress) progress(place, count);
        }
    }
    SearchResult r = ranking.result(space.name);
    r.count = count;
    r.cancelled = stop.stop_requested();
    return r;
}

}  // namespace plimsoll
