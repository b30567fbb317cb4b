#include "core/answers/strategies/per_layer.h"

#include "core/answers/strategies/assign.h"
#include "core/values/basics/divisors.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

namespace plimsoll {

namespace {

std::vector<int> equal_stages(int layers, int pipeline) {
    std::vector<int> stages(pipeline, layers / pipeline);
    stages.back() += layers % pipeline;
    return stages;
}

// One task, those of its strategies whose transient memory is at most so much: that is set aside.
class Pipeline {
public:
    Pipeline(const PerLayerQuestion& q, const PipelineTask& t, const Tables& tables, int transient, PerLayer& found)
        : q_(q), t_(t), tables_(tables), found_(found), transient_(transient), budget_(int(std::min(std::floor(q.memory / memory_unit), double(most_units - 1))) - transient) {
        for (std::size_t s = 0; s < tables.strategies.size(); ++s)
            if (tables.transient[s] <= transient) who_.push_back(s);
    }

    void search();

private:
    std::vector<Assigned> assign_stages();
    void try_uniform(std::size_t s);
    void try_ends(std::size_t ends, const std::vector<Assigned>&);
    void keep_better(std::optional<PerLayerPlan>&, std::size_t ends, std::vector<std::vector<int>> layers);
    Seconds step_of(std::size_t ends, const std::vector<std::vector<int>>& layers) const;
    void calm(std::size_t ends, std::vector<std::vector<int>>& layers, Seconds step) const;
    StageSum sum_of(int stage, std::size_t ends, const std::vector<int>& layers) const;
    long long needed(int stage, std::size_t ends, const std::vector<int>& layers) const;
    void group(std::vector<int>& layers) const;
    double weight(const Cost& c) const {
        const double m = q_.weigh == Weigh::whole_step ? t_.micro_batches : 1;
        return (m * c.micro() + c.after) / second;
    }

    const PerLayerQuestion& q_;
    const PipelineTask& t_;
    const Tables& tables_;
    PerLayer& found_;
    int transient_, budget_;
    std::vector<std::size_t> who_;   // strategies, by their index in the tables
};

std::vector<Assigned> Pipeline::assign_stages() {
    const double hand_overs = q_.weigh == Weigh::whole_step ? t_.micro_batches : 1;
    Reshard reshard;
    for (const std::size_t from : who_) {
        reshard.emplace_back();
        for (const std::size_t to : who_) reshard.back().push_back(hand_overs * (tables_.reshard[from][to] / second));
    }
    std::vector<Assigned> stages;
    for (int i = 0; i < t_.pipeline; ++i) {
        std::vector<Choice> choices;
        for (const std::size_t s : who_) choices.push_back({weight(tables_.layer[i][s]), tables_.layer[i][s].units});
        int least = budget_;
        for (const std::size_t s : who_) least = std::min(least, tables_.ends[i][s].units);
        stages.push_back(assign(Choices(t_.stages[i], choices), reshard, budget_ - least));
        ++found_.assignments;
        found_.labels += stages.back().labels();
        found_.lists += std::pow(double(who_.size()), t_.stages[i]);
    }
    return stages;
}

StageSum Pipeline::sum_of(int stage, std::size_t ends, const std::vector<int>& layers) const {
    const Cost& end = tables_.ends[stage][ends];
    StageSum sum{end.forward, end.backward, end.after, end.micro()};
    for (std::size_t l = 0; l < layers.size(); ++l) {
        const Cost& c = tables_.layer[stage][layers[l]];
        sum.forward += c.forward;
        sum.backward += c.backward;
        sum.after += c.after;
        if (l == 0 || q_.weigh == Weigh::one_micro_batch) continue;
        const Seconds hand_over = tables_.reshard[layers[l - 1]][layers[l]];
        sum.forward += 0.5 * hand_over;
        sum.backward += 0.5 * hand_over;
    }
    return sum;
}

long long Pipeline::needed(int stage, std::size_t ends, const std::vector<int>& layers) const {
    long long units = tables_.ends[stage][ends].units;
    for (const int s : layers) units += tables_.layer[stage][s].units;
    return units;
}

// Layers are alike: among neighbours that hand over for nothing, equal strategies may stand together.
void Pipeline::group(std::vector<int>& layers) const {
    for (auto from = layers.begin(); from != layers.end();) {
        const auto to = std::find_if(from, layers.end(), [&](int s) { return tables_.reshard[*from][s] > Seconds{}; });
        std::sort(from, to, std::greater<>());   // those that keep less first: pipelines hold most there
        from = to;
    }
}

Seconds Pipeline::step_of(std::size_t ends, const std::vector<std::vector<int>>& layers) const {
    std::vector<StageSum> sums;
    for (int i = 0; i < t_.pipeline; ++i) sums.push_back(sum_of(i, ends, layers[i]));
    return tables_.step(sums);
}

// A stage whose time the others hide need not mix.
void Pipeline::calm(std::size_t ends, std::vector<std::vector<int>>& layers, Seconds step) const {
    for (int i = 0; i < t_.pipeline; ++i)
        for (const std::size_t s : who_) {
            const std::vector<int> mixed = std::exchange(layers[i], std::vector<int>(t_.stages[i], int(s)));
            if (needed(i, ends, layers[i]) <= budget_ && step_of(ends, layers) <= step) break;
            layers[i] = mixed;
        }
}

void Pipeline::keep_better(std::optional<PerLayerPlan>& best, std::size_t ends, std::vector<std::vector<int>> layers) {
    const Seconds step = step_of(ends, layers);
    if (best && t_.batch / (step / second) <= best->throughput()) return;
    calm(ends, layers, step);
    best = PerLayerPlan{t_.batch, t_.micro_batches, t_.pipeline, t_.stages, {}, tables_.strategies[ends], step, {}};
    for (int i = 0; i < t_.pipeline; ++i) {
        for (const int s : layers[i]) best->layers.push_back(tables_.strategies[s]);
        best->memory.push_back(double(needed(i, ends, layers[i]) + transient_) * memory_unit);
    }
}

void Pipeline::try_ends(std::size_t ends, const std::vector<Assigned>& assigned) {
    std::vector<std::vector<int>> layers;
    for (int i = 0; i < t_.pipeline; ++i) {
        const auto a = assigned[i].within(budget_ - tables_.ends[i][ends].units);
        if (!a) return;
        layers.emplace_back();
        for (const int s : a->strategy) layers.back().push_back(int(who_[s]));
        group(layers.back());
    }
    keep_better(found_.best, ends, layers);
}

void Pipeline::try_uniform(std::size_t s) {
    std::vector<std::vector<int>> layers;
    for (int i = 0; i < t_.pipeline; ++i) {
        layers.emplace_back(t_.stages[i], int(s));
        if (needed(i, s, layers.back()) > budget_) return;
    }
    keep_better(found_.uniform, s, layers);
    keep_better(found_.best, s, layers);
}

void Pipeline::search() {
    if (who_.empty() || budget_ <= 0) return;
    for (const std::size_t s : who_)
        if (tables_.transient[s] == transient_) try_uniform(s);   // the others had their turn with less set aside
    const std::vector<Assigned> assigned = assign_stages();
    for (const std::size_t s : who_) try_ends(s, assigned);
}

std::vector<LayerStrategy> with_whole_micro_batches(std::vector<LayerStrategy> all, int sequences) {
    std::erase_if(all, [sequences](const LayerStrategy& s) { return sequences % s.data != 0; });
    return all;
}

}  // namespace

std::vector<StrategyRun> runs_of(const PerLayerPlan& plan) {
    std::vector<StrategyRun> runs;
    int layer = 0;
    for (int stage = 0; stage < plan.pipeline; ++stage)
        for (int i = 0; i < plan.stages[stage]; ++i, ++layer) {
            if (!runs.empty() && runs.back().stage == stage && runs.back().strategy == plan.layers[layer]) ++runs.back().layers;
            else runs.push_back({stage, layer, 1, plan.layers[layer]});
        }
    return runs;
}

PerLayer best_per_layer(const PerLayerQuestion& q, const PriceList& prices) {
    PerLayer found;
    found.strategies = int(strategies_of(q.space).size());
    std::set<LayerStrategy> unpriced;
    for (const int batch : q.batches)
        for (const int m : q.micro_batches.empty() ? divisors(batch) : q.micro_batches) {
            if (batch % m != 0) continue;
            for (const int p : pipeline_degrees(q.space)) {
                if (p > m || (q.even_stages && q.space.layers % p != 0)) continue;
                const PipelineTask t{batch, m, p, equal_stages(q.space.layers, p), with_whole_micro_batches(strategies_of(q.space, p), batch / m)};
                const Tables tables = prices(t);
                ++found.pipelines;
                for (const LayerStrategy& s : t.strategies)
                    if (std::find(tables.strategies.begin(), tables.strategies.end(), s) == tables.strategies.end()) unpriced.insert(s);
                for (const int transient : std::set(tables.transient.begin(), tables.transient.end())) Pipeline(q, t, tables, transient, found).search();
            }
        }
    found.unpriced = int(unpriced.size());
    return found;
}

}  // namespace plimsoll
