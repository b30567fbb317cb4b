#include "core/answers/strategies/per_layer.h"

#include "core/values/basics/integers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

namespace plimsoll {

namespace {

constexpr int most_relief = 2;   // layers fewer than an equal share

// The ends as given, the others equal, what is left over to the latest of them: they hold the fewest micro-batches.
std::vector<int> with_ends(int layers, int pipeline, int first, int last) {
    const int middle = pipeline - 2, rest = layers - first - last;
    std::vector<int> stages(pipeline, middle > 0 ? rest / middle : 0);
    for (int i = 0; middle > 0 && i < rest % middle; ++i) ++stages[pipeline - 2 - i];
    stages.front() = first;
    stages.back() = last;
    return stages;
}

struct Shape {
    int batch, micro_batches, pipeline;
    std::vector<int> stages;   // layers of each
};

// One pipeline, those of its strategies whose transient memory is at most so much: that is set aside.
class Pipeline {
public:
    Pipeline(const PerLayerQuestion& q, Shape t, const StrategyTables& tables, int transient, bool zero3_only,
             PerLayer& found)
        : q_(q),
          t_(std::move(t)),
          tables_(tables),
          found_(found),
          transient_(transient),
          zero3_only_(zero3_only),
          budget_(int(std::min(std::floor(q.memory / memory_unit), double(most_units - 1))) - transient) {
        for (std::size_t s = 0; s < tables.strategies.size(); ++s)
            if (tables.transient[s] <= transient && (!zero3_only || tables.strategies[s].sharding == Sharding::zero3))
                who_.push_back(s);
    }

    void search();

private:
    std::vector<Assigned> assign_stages();
    void try_uniform(std::size_t s);
    void try_ends(std::size_t ends, const std::vector<Assigned>&);
    void keep(std::optional<PerLayerPlan>&, std::size_t ends, const std::vector<std::vector<int>>& layers,
              Seconds step) const;
    bool better(const std::optional<PerLayerPlan>& best, Seconds step) const {
        return !best || t_.batch / (step / second) > best->throughput();
    }
    Seconds step_of(std::size_t ends, const std::vector<std::vector<int>>& layers) const;
    void calm(std::size_t ends, std::vector<std::vector<int>>& layers, Seconds step) const;
    StageSum sum_of(int stage, std::size_t ends, const std::vector<int>& layers) const;
    long long needed(int stage, std::size_t ends, const std::vector<int>& layers) const;
    void group(std::vector<int>& layers) const;
    bool may_hold_ends(const LayerStrategy& s) const {
        if (s.checkpoint) return false;   // ends keep what they need
        return !tables_.zero3_as_a_whole || (s.sharding == Sharding::zero3) == zero3_only_;
    }
    Seconds hand_over(int from, int to) const {
        return q_.weigh == Weigh::whole_step ? tables_.reshard[from][to] : Seconds{};
    }
    double weight(const LayerCost& c) const {
        const double m = q_.weigh == Weigh::whole_step ? t_.micro_batches : 1;
        return (m * c.micro() + c.after) / second;
    }

    const PerLayerQuestion& q_;
    Shape t_;
    const StrategyTables& tables_;
    PerLayer& found_;
    int transient_;
    bool zero3_only_;
    int budget_;
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
        std::vector<LayerChoice> choices;
        for (const std::size_t s : who_) choices.push_back({weight(tables_.layer[i][s]), tables_.layer[i][s].units});
        int least = budget_;
        for (const std::size_t s : who_) least = std::min(least, tables_.ends[i][s].units);
        const long long left = q_.most_labels - found_.labels;
        stages.push_back(assign(LayerChoices(t_.stages[i], choices), reshard, budget_ - least, left));
        ++found_.assignments;
        found_.labels += stages.back().labels();
        found_.cut_off = found_.cut_off || found_.labels > q_.most_labels;
        found_.lists += std::pow(double(who_.size()), t_.stages[i]);
    }
    return stages;
}

StageSum Pipeline::sum_of(int stage, std::size_t ends, const std::vector<int>& layers) const {
    const LayerCost& end = tables_.ends[stage][ends];
    StageSum sum{end.forward, end.backward, end.after, end.micro()};
    Seconds handed_over;
    for (std::size_t l = 0; l < layers.size(); ++l) {
        const LayerCost& c = tables_.layer[stage][layers[l]];
        sum.forward += c.forward;
        sum.backward += c.backward;
        sum.after += c.after;
        if (l > 0) handed_over += hand_over(layers[l - 1], layers[l]);
    }
    if (stage == 0) handed_over += hand_over(int(ends), layers.front());
    if (stage == t_.pipeline - 1) handed_over += hand_over(layers.back(), int(ends));
    sum.forward += 0.5 * handed_over;
    sum.backward += 0.5 * handed_over;
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

void Pipeline::keep(std::optional<PerLayerPlan>& best, std::size_t ends, const std::vector<std::vector<int>>& layers,
                    Seconds step) const {
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
    const Seconds step = step_of(ends, layers);
    if (!better(found_.best, step)) return;
    calm(ends, layers, step);
    keep(found_.best, ends, layers, step);
}

void Pipeline::try_uniform(std::size_t s) {
    std::vector<std::vector<int>> layers;
    for (int i = 0; i < t_.pipeline; ++i) {
        layers.emplace_back(t_.stages[i], int(s));
        if (needed(i, s, layers.back()) > budget_) return;
    }
    const Seconds step = step_of(s, layers);
    if (better(found_.uniform, step)) keep(found_.uniform, s, layers, step);
    if (better(found_.best, step)) keep(found_.best, s, layers, step);
}

void Pipeline::search() {
    if (who_.empty() || budget_ <= 0) return;
    for (const std::size_t s : who_)
        if (tables_.transient[s] == transient_) try_uniform(s);   // the others had their turn with less set aside
    const std::vector<Assigned> assigned = assign_stages();
    for (const std::size_t s : who_)
        if (may_hold_ends(tables_.strategies[s])) try_ends(s, assigned);
}

// Less memory set aside leaves more to the layers, more lets more strategies take part.
void search_pipeline(const PerLayerQuestion& q, const Shape& shape, const StrategyTables& tables, PerLayer& found) {
    for (const int transient : std::set(tables.transient.begin(), tables.transient.end()))
        for (const bool zero3_only : {false, true})
            if (!found.cut_off && (!zero3_only || tables.zero3_as_a_whole))
                Pipeline(q, shape, tables, transient, zero3_only, found).search();
}

std::vector<LayerStrategy> with_whole_micro_batches(std::vector<LayerStrategy> all, int sequences) {
    std::erase_if(all, [sequences](const LayerStrategy& s) { return sequences % s.data != 0; });
    return all;
}

}  // namespace

std::vector<std::vector<int>> partitions_of(int layers, int pipeline, bool uneven) {
    std::vector<std::vector<int>> all{std::vector<int>(pipeline, layers / pipeline)};
    all.front().back() += layers % pipeline;
    if (!uneven || pipeline == 1) return all;
    const int share = (layers + pipeline - 1) / pipeline;
    for (int first = share - most_relief; first <= share + (pipeline == 2 ? most_relief : 0); ++first)
        for (int last = share - most_relief; last <= share; ++last) {
            const std::vector<int> stages = with_ends(layers, pipeline, first, pipeline == 2 ? layers - first : last);
            const bool new_one = std::find(all.begin(), all.end(), stages) == all.end();
            if (new_one && *std::min_element(stages.begin(), stages.end()) > 0) all.push_back(stages);
        }
    return all;
}

std::vector<StrategyRun> runs_of(const PerLayerPlan& plan) {
    std::vector<StrategyRun> runs;
    int layer = 0;
    for (int stage = 0; stage < plan.pipeline; ++stage)
        for (int i = 0; i < plan.stages[stage]; ++i, ++layer) {
            if (!runs.empty() && runs.back().stage == stage && runs.back().strategy == plan.layers[layer])
                ++runs.back().layers;
            else runs.push_back({stage, layer, 1, plan.layers[layer]});
        }
    return runs;
}

PerLayer best_per_layer(const PerLayerQuestion& q, const PriceList& prices, std::stop_token stop,
                        const std::function<void(long long, long long)>& progress) {
    PerLayer found;
    long long done = 0, count = 0;
    for (const int batch : q.batches)
        count += (long long)((q.micro_batches.empty() ? divisors(batch) : q.micro_batches).size()
                             * pipeline_degrees(q.space).size());
    found.strategies = int(strategies_of(q.space).size());
    std::set<LayerStrategy> unpriced;
    for (const int batch : q.batches)
        for (const int m : q.micro_batches.empty() ? divisors(batch) : q.micro_batches) {
            if (batch % m != 0) continue;
            for (const int p : pipeline_degrees(q.space)) {
                if (progress) progress(done++, count);
                if (p > m) continue;
                if (stop.stop_requested()) {
                    found.cut_off = true;
                    return found;
                }
                const auto strategies = with_whole_micro_batches(strategies_of(q.space, p), batch / m);
                const auto partitions = partitions_of(q.space.layers, p, q.uneven_stages);
                const StrategyTables tables = prices({batch, m, p, q.space.layers, strategies});
                for (const LayerStrategy& s : strategies)
                    if (std::find(tables.strategies.begin(), tables.strategies.end(), s) == tables.strategies.end())
                        unpriced.insert(s);
                found.pipelines += (long long)partitions.size();
                for (const auto& stages : partitions) search_pipeline(q, {batch, m, p, stages}, tables, found);
            }
        }
    found.unpriced = int(unpriced.size());
    return found;
}

namespace {

using Classes = std::vector<std::vector<int>>;

// Handing over from or to either costs the same, and nothing between them.
bool alike(const Reshard& r, std::size_t a, std::size_t b) {
    for (std::size_t i = 0; i < r.size(); ++i)
        if (r[a][i] != r[b][i] || r[i][a] != r[i][b]) return false;
    return r[a][b] == r[a][a];
}

Classes classes_of(const Reshard& r) {
    Classes classes;
    for (std::size_t s = 0; s < r.size(); ++s) {
        const auto same = std::find_if(classes.begin(), classes.end(),
                                       [&](const auto& c) { return alike(r, std::size_t(c.front()), s); });
        if (same == classes.end()) classes.push_back({int(s)});
        else same->push_back(int(s));
    }
    return classes;
}

// Those of the class that no other beats in both.
std::vector<int> undominated(const std::vector<LayerChoice>& choices, std::vector<int> some) {
    std::sort(some.begin(), some.end(), [&](int a, int b) {
        const LayerChoice &x = choices[a], &y = choices[b];
        return x.units != y.units ? x.units < y.units : x.seconds < y.seconds;
    });
    double fastest = std::numeric_limits<double>::infinity();
    std::erase_if(some, [&](int s) {
        if (choices[s].seconds >= fastest) return true;
        fastest = choices[s].seconds;
        return false;
    });
    return some;
}

// Two fronts as one.
template <class Front>
Front merged(const Front& a, const Front& b) {
    Front out;
    out.reserve(a.size() + b.size());
    std::size_t i = 0, j = 0;
    double fastest = std::numeric_limits<double>::infinity();
    while (i < a.size() || j < b.size()) {
        const bool first =
            j == b.size()
            || (i < a.size() && (a[i].units != b[j].units ? a[i].units < b[j].units : a[i].seconds <= b[j].seconds));
        const auto& next = first ? a[i++] : b[j++];
        if (next.seconds >= fastest) continue;
        fastest = next.seconds;
        out.push_back(next);
    }
    return out;
}

// The least the layers from each on need.
std::vector<long long> least_units_from(const LayerChoices& choices) {
    std::vector<long long> need(choices.size() + 1, 0);
    for (std::size_t l = choices.size(); l-- > 0;) {
        const auto least =
            std::min_element(choices[l].begin(), choices[l].end(),
                             [](const LayerChoice& a, const LayerChoice& b) { return a.units < b.units; });
        need[l] = need[l + 1] + least->units;
    }
    return need;
}

}  // namespace

Assigned assign(const LayerChoices& choices, const Reshard& reshard, int budget, long long most_labels) {
    using Front = Assigned::Front;
    Assigned all;
    if (choices.empty() || reshard.empty()) return all;
    const Classes classes = classes_of(reshard);
    const std::vector<long long> need = least_units_from(choices);
    long long labels = 0;
    for (std::size_t l = 0; l < choices.size() && labels <= most_labels; ++l) {
        std::vector<Front> fronts;
        for (const std::vector<int>& members : classes) {
            Front before;   // what the layer before may hand over, hand-over included
            if (l == 0) before.push_back({0, 0, -1, -1, -1});
            else for (std::size_t c = 0; c < classes.size(); ++c) {
                Front from = all.layers_[l - 1][c];
                for (std::size_t i = 0; i < from.size(); ++i)
                    from[i] = {from[i].seconds + reshard[classes[c].front()][members.front()], from[i].units, -1,
                               int(c), int(i)};
                before = merged(before, from);
            }
            Front front;
            for (const int s : undominated(choices[l], members)) {
                const LayerChoice& choice = choices[l][s];
                Front with;
                for (const auto& label : before) {
                    if (label.units + choice.units > budget - need[l + 1]) break;
                    with.push_back({label.seconds + choice.seconds, label.units + choice.units, s, label.before_class,
                                    label.before});
                }
                front = merged(front, with);
            }
            fronts.push_back(std::move(front));
        }
        for (const Front& front : fronts) labels += (long long)front.size();
        all.layers_.push_back(std::move(fronts));
    }
    all.whole_ = labels <= most_labels;
    return all;
}

std::optional<Assignment> Assigned::within(int units) const {
    if (layers_.empty() || !whole_) return std::nullopt;
    const Label* best = nullptr;
    for (const Front& front : layers_.back())
        for (const Label& label : front)
            if (label.units <= units && (!best || label.seconds < best->seconds)) best = &label;
    if (!best) return std::nullopt;
    Assignment a{best->seconds, best->units, std::vector<int>(layers_.size())};
    for (std::size_t l = layers_.size(); l-- > 0;) {
        a.strategy[l] = best->strategy;
        if (l > 0) best = &layers_[l - 1][best->before_class][best->before];
    }
    return a;
}

long long Assigned::labels() const {
    long long n = 0;
    for (const auto& fronts : layers_)
        for (const Front& front : fronts) n += (long long)front.size();
    return n;
}

}  // namespace plimsoll
