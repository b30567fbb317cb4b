#include "core/answers/search/search.h"

#include "core/answers/search/composed.h"
#include "core/answers/search/measured_search.h"
#include "core/answers/search/parallel_for.h"

#include <atomic>
#include <memory>

namespace plimsoll {

namespace {

// Places of the first layout of every layer choice, and after the last.
std::vector<long long> places_of(const Layouts& layouts) {
    std::vector<long long> places{0};
    for (const Layout& layer : layouts.layers()) {
        long long sum = places.back();
        for (const Layout& pipeline : layouts.pipelines(layer)) sum += (long long)layouts.inner(pipeline).size();
        places.push_back(sum);
    }
    return places;
}

}  // namespace

SearchResult search(const Scenario& scenario, const Space& space, const SearchOptions& options, std::stop_token stop,
                    const SearchProgress& progress) {
    const Scenario plan = compared_by_model(without_sources(scenario));
    const Layouts layouts(plan, space);
    const std::vector<long long> places = places_of(layouts);
    const std::size_t count = layouts.layers().size();

    // Each thread takes the next layer choice, so that places only grow within one ranking.
    std::atomic<std::size_t> next = 0;
    std::atomic<long long> done = 0;
    std::vector<std::unique_ptr<Ranking>> rankings;
    for (int i = 0; i < std::max(1, options.threads); ++i) rankings.push_back(std::make_unique<Ranking>(options));
    parallel_for(int(rankings.size()), [&](int thread) {
        ComposedPricer pricer(plan, layouts, *rankings[std::size_t(thread)]);
        for (std::size_t i = next++; i < count; i = next++) {
            if (!pricer.price(layouts.layers()[i], places[i], stop)) return;
            done += places[i + 1] - places[i];
            if (progress) progress(done, places.back());
        }
    });
    for (std::size_t i = 1; i < rankings.size(); ++i) rankings.front()->merge(*rankings[i]);
    const bool added = options.with_plan && add_plan(plan, layouts, *rankings.front());
    SearchResult r = rankings.front()->result(space.name);
    r.count = places.back() + added;   // also where a ranking alone has not counted them
    r.cancelled = done < places.back();
    start_from_runs(scenario, options, r);
    return r;
}

}  // namespace plimsoll
