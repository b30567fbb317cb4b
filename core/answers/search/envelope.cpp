#include "core/answers/search/envelope.h"

#include "core/answers/plan/rules.h"
#include "core/answers/search/composed.h"
#include "core/answers/search/measured_search.h"
#include "core/answers/search/parallel_for.h"
#include "core/costs/campaign/energy.h"
#include "core/values/plan/placement.h"
#include "core/values/basics/integers.h"
#include "core/values/plan/schedules.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace plimsoll {

namespace {

// What of a layout the work of a layer depends on: it is priced for a layout that has nothing else of its own.
struct LayerChoice {
    LayerChoice(const Layout& l, bool across_nodes)
        : tensor_parallel(l.tensor_parallel),
          tensor_depth(l.tensor_depth),
          context_parallel(l.context_parallel),
          expert_parallel(l.expert_parallel),
          expert_tensor_parallel(l.expert_tensor_parallel),
          micro_batch(l.micro_batch),
          ulysses_ranks(l.ulysses_ranks),
          tensor_mode(l.tensor_mode),
          context_mode(l.context_mode),
          state_mode(l.state_mode),
          sequence_parallel(l.sequence_parallel),
          several_nodes(across_nodes) {}

    Layout in(Layout l) const {
        l.tensor_parallel = tensor_parallel;
        l.tensor_depth = tensor_depth;
        l.context_parallel = context_parallel;
        l.expert_parallel = expert_parallel;
        l.expert_tensor_parallel = expert_tensor_parallel;
        l.micro_batch = micro_batch;
        l.tensor_mode = tensor_mode;
        l.context_mode = context_mode;
        l.ulysses_ranks = ulysses_ranks;
        l.state_mode = state_mode;
        l.sequence_parallel = sequence_parallel;
        return l;
    }

    int tensor_parallel, tensor_depth, context_parallel, expert_parallel, expert_tensor_parallel, micro_batch,
        ulysses_ranks;
    TensorMode tensor_mode;
    ContextMode context_mode;
    StateMode state_mode;
    bool sequence_parallel, several_nodes;
    friend auto operator<=>(const LayerChoice&, const LayerChoice&) = default;
};

struct LayerWork {
    LayerTimes times;
    StepTime all;   // of all layers of the model, one micro-batch
};

void add(StepTime& sum, double layers, const LayerTime& one) {
    sum.gemm += layers * (one.forward.gemm + one.backward.gemm);
    sum.attention += layers * (one.forward.attention + one.backward.attention);
    sum.elementwise += layers * (one.forward.elementwise + one.backward.elementwise);
    sum.tensor_parallel += layers * (one.forward.tensor + one.backward.tensor);
    sum.context_parallel += layers * (one.forward.context + one.backward.context);
    sum.expert_exchange += layers * (one.forward.exchange + one.backward.exchange);
}

class Search {
public:
    Search(const Scenario& plan, const Layouts& like, const SearchOptions& options)
        : plan_(plan), like_(like), options_(options), alone_(plan) {
        options_.limit = 1;
        options_.ranking_only = true;
    }

    std::optional<Candidate> best(int nodes, const std::stop_token& stop) {
        const Scenario here = on_nodes(plan_, nodes);
        const Layouts layouts(here, like_);
        Ranking ranking(options_);
        if (pricer_) pricer_->turn_to(layouts, ranking);
        else pricer_.emplace(here, layouts, ranking);
        try_the_last(here, ranking);
        if (options_.with_plan && here.layout.devices == plan_.layout.devices) add_plan(plan_, layouts, ranking);
        std::vector<Open> open = opened(here, layouts);
        const auto later = [&](const Open& a, const Open& b) {
            return std::pair(a.value, a.place) > std::pair(b.value, b.place);
        };
        std::make_heap(open.begin(), open.end(), later);
        while (!open.empty() && !stop.stop_requested()) {
            std::pop_heap(open.begin(), open.end(), later);
            const Open next = open.back();
            open.pop_back();
            if (next.value > limit_of(ranking)) break;
            if (next.layout.pipeline_parallel > 0) {
                pricer_->price(next.layout, next.work->times, next.place);
                continue;
            }
            long long place = next.place;
            for (const Layout& pipeline : layouts.pipelines(next.layout)) {
                const Open found{bound_of(here, pipeline, *next.work), place, next.work, pipeline};
                place += (long long)layouts.inner(pipeline).size();
                if (found.value > limit_of(ranking)) continue;
                open.push_back(found);
                std::push_heap(open.begin(), open.end(), later);
            }
        }
        const std::optional<Candidate> best = ranking.best();
        if (best) last_ = best->layout;
        return best;
    }

private:
    // A layer choice, with no stages yet, or one of its pipelines.
    struct Open {
        double value;        // the objective is no less
        long long place;
        const LayerWork* work;
        Layout layout;
    };

    double limit_of(const Ranking& ranking) const {
        const std::optional<Candidate> best = ranking.best();
        return best ? value_of(*best, options_.objective) : std::numeric_limits<double>::infinity();
    }

    // What was best on the nodes before is a good start, if it can be spread over these.
    void try_the_last(const Scenario& here, Ranking& ranking) {
        if (!last_ || here.layout.devices % last_->model_parallel() != 0) return;
        Layout l = *last_;
        l.devices = here.layout.devices;
        l.data_parallel = int(l.devices / l.model_parallel());
        const Scenario spread = with_layout(here, l);
        if (const Outcome o = estimate(spread); runs(o))
            ranking.add({candidate_of(spread, *o, options_.headroom), std::numeric_limits<long long>::max()});
    }

    // The busiest stage computes at least its share of the layers for every micro-batch; where stages and chunks
    // are equal the first of them comes to it through, and the last goes back through, all stages before.
    double bound_of(const Scenario& here, const Layout& l, const LayerWork& work) const {
        const double model = double(l.tensor_parallel) * l.context_parallel;
        // In pairs, an exchange may be hidden but for what is left of them.
        const bool pairs = l.pipeline_parallel > 0 ? schedule_kind(l.schedule).pairs : like_.pairs();
        StepTime all = work.all;
        if (pairs) all.expert_exchange *= std::min(1.0, left_in_pairs(plan_.stack.experts));
        const double busy = double(here.recipe.global_batch_sequences) * model / here.layout.devices / l.micro_batch;
        StepTime least;
        for (const auto& part : step_parts) least.*part.value = busy * (all.*part.value);
        const int p = l.pipeline_parallel, v = l.virtual_stages;
        const bool even = l.stage_split == StageSplit::even && !plan_.stack.pipeline.splits_by_cost;
        const bool alike = Layers(plan_.model).all_alike() && even;
        if (p > 1 && alike && plan_.model.layers % (p * v) == 0 && !schedule_kind(l.schedule).splits_backward)
            least.bubble = (p - 1.0) / v / p * all.total();
        const double rounding = 1 - 1e-12;
        return value_of({l, rounding * least.total(), rounding * energy_of(here, least).total(), {}, false, false},
                        options_.objective);
    }

    std::vector<Open> opened(const Scenario& here, const Layouts& layouts) {
        std::vector<Open> open;
        for (std::size_t i = 0; i < layouts.layers().size(); ++i) {
            Layout l = layouts.layers()[i];
            l.pipeline_parallel = 0;
            if (const LayerWork* work = work_of({l, here.layout.devices > here.machine.devices_per_node}))
                open.push_back({bound_of(here, l, *work), (long long)i << 32, work, l});
        }
        return open;
    }

    // Nothing where a rule excludes the choice on its own: one stage, just enough replicas for its experts, and on
    // several nodes enough to leave the first, since groups that do not divide a node straddle two from there on.
    const LayerWork* work_of(const LayerChoice& l) {
        const auto [at, fresh] = works_.try_emplace(l);
        if (!fresh) return at->second ? &*at->second : nullptr;
        Scenario& s = alone_;
        s.layout = Layouts::with(l.in(Layouts::without_stages(plan_.layout)), Inner{});
        s.layout.pipeline_parallel = s.layout.virtual_stages = 1;
        s.layout.schedule = usual_schedule(1);
        s.layout.data_parallel = l.expert_parallel;
        const int least = int(s.layout.model_parallel()) * l.expert_parallel;
        if (l.several_nodes) s.layout.data_parallel *= plan_.machine.devices_per_node / least + 1;
        s.layout.devices = int(s.layout.model_parallel()) * s.layout.data_parallel;
        s.recipe.global_batch_sequences = s.layout.data_parallel * l.micro_batch;
        if (check_pipeline(s).empty()) {
            LayerWork& w = at->second.emplace();
            w.times = layer_times(s);
            const Layers layers(s.model);
            for (Kind k = 0; k < layers.kinds(); ++k) add(w.all, layers.all()[k], w.times[k]);
        }
        return at->second ? &*at->second : nullptr;
    }

    const Scenario& plan_;
    const Layouts& like_;
    SearchOptions options_;
    Scenario alone_;
    std::optional<Layout> last_;
    std::optional<ComposedPricer> pricer_;
    std::map<LayerChoice, std::optional<LayerWork>> works_;
};

// Bounds ask for equal stages on equal devices; a layout's memory is bounded by nothing.
bool bounds_hold(const Scenario& s, const SearchOptions& o) {
    return !any_cluster(s.machine.clusters) && o.objective != Objective::memory;
}

}  // namespace

std::vector<EnvelopePoint> envelope(const Scenario& scenario, const Space& space, std::span<const int> nodes,
                                    const SearchOptions& options, std::stop_token stop,
                                    const SearchProgress& progress) {
    const Scenario plan = compared_by_model(without_sources(scenario));
    std::vector<EnvelopePoint> points(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) points[i].nodes = nodes[i];
    const Layouts layouts(plan, space);
    std::atomic<std::size_t> next = 0;
    std::atomic<long long> done = 0;
    parallel_for(options.threads, [&](int) {
        Search search_nodes(plan, layouts, options);
        for (std::size_t i = next++; i < nodes.size() && !stop.stop_requested(); i = next++) {
            if (progress) progress(done++, (long long)nodes.size());
            if (bounds_hold(plan, options)) {
                points[i].best = search_nodes.best(nodes[i], stop);
                continue;
            }
            SearchOptions one = options;
            one.limit = one.threads = 1;
            one.ranking_only = true;
            const SearchResult r = search(on_nodes(plan, nodes[i]), space, one, stop);
            if (!r.top.empty()) points[i].best = r.top.front();
        }
    });
    for (EnvelopePoint& p : points) start_from_runs(on_nodes(scenario, p.nodes), options, p.best);
    return points;
}

bool share_envelope(const Scenario& a, const Scenario& b) {
    const auto kept = [](const Layout& l) {   // that no axis of a space changes
        return std::tuple(l.expert_tensor_parallel, l.shard_group, l.secondary_shard, l.mapping, l.stage_split);
    };
    return a.recipe == b.recipe && a.method == b.method && kept(a.layout) == kept(b.layout)
           && a.compression == b.compression && a.model == b.model && a.machine == b.machine && a.stack == b.stack
           && common_space(a) == common_space(b);
}

std::vector<int> envelope_nodes(const Scenario& s, int most) {
    const int each = s.machine.devices_per_node;
    std::set<int> counts;
    const std::vector<int> tensor = divisors(s.model.heads), data = divisors(s.recipe.global_batch_sequences),
                           stages = divisors(s.model.layers);
    for (const int d : data)
        for (const int t : tensor) {
            if (1LL * d * t > s.machine.devices()) break;
            for (const int p : stages)
                if (const long long devices = 1LL * d * t * p; devices <= s.machine.devices() && devices % each == 0)
                    counts.insert(int(devices / each));
        }
    std::vector<int> thinned;
    for (int i = 0; i < most && !counts.empty(); ++i) {
        const double wanted =
            std::pow(double(*counts.rbegin()) / *counts.begin(), most > 1 ? double(i) / (most - 1) : 1)
            * *counts.begin();
        auto at = counts.lower_bound(int(std::lround(wanted)));
        if (at == counts.end()) --at;
        if (thinned.empty() || thinned.back() < *at) thinned.push_back(*at);
    }
    return thinned;
}

Scenario on_nodes(Scenario s, int nodes) {
    s.layout.devices = nodes * s.machine.devices_per_node;
    return s;
}

}  // namespace plimsoll
