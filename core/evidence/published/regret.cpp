#include "core/evidence/published/regret.h"

#include "core/values/basics/names.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

namespace plimsoll {

namespace {

// Everything but the layout.
struct SweepKey {
    std::string source, machine, stack, model, method;
    int devices = 0, sequence_length = 0, batch = 0, precision = 0;
    double parameters = 0;
    auto operator<=>(const SweepKey&) const = default;
};

SweepKey sweep_key(const ScoredRow& r) {
    const Scenario& s = r.plan;
    return {r.source,
            s.machine.id,
            s.stack.id,
            s.model.name,
            method_key(s.method),
            s.layout.devices,
            s.recipe.sequence_length,
            s.recipe.global_batch_sequences,
            int(s.recipe.precision),
            parameters(s.model)};
}

std::string sweep_name(const SweepKey& k) {
    return (k.model.empty() ? say_count(k.parameters) + " parameters" : k.model) + ", "
         + counted(k.devices, "device", "devices") + ", " + say_count(k.batch) + " x " + say_count(k.sequence_length)
         + " tokens";
}

// Mean ranks of equal values.
std::vector<double> ranks_of(const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> ranks(values.size());
    for (std::size_t from = 0; from < order.size();) {
        std::size_t to = from;
        while (to < order.size() && values[order[to]] == values[order[from]]) ++to;
        for (std::size_t i = from; i < to; ++i) ranks[order[i]] = double(from + to - 1) / 2;
        from = to;
    }
    return ranks;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
    const double n = double(a.size());
    const double mean_a = std::accumulate(a.begin(), a.end(), 0.0) / n;
    const double mean_b = std::accumulate(b.begin(), b.end(), 0.0) / n;
    double together = 0, alone_a = 0, alone_b = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        together += (a[i] - mean_a) * (b[i] - mean_b);
        alone_a += (a[i] - mean_a) * (a[i] - mean_a);
        alone_b += (b[i] - mean_b) * (b[i] - mean_b);
    }
    return alone_a > 0 && alone_b > 0 ? together / std::sqrt(alone_a * alone_b) : 1;
}

bool can_be_chosen(const ScoredRow& r) { return r.stalls.empty() && r.memory_share <= 1; }
bool stood_still_by_chance(const ScoredRow& r) { return !r.contradicted.empty(); }

double predicted_seconds(const ScoredRow& r) { return r.measured * (1 + r.error); }

using SweepRows = std::vector<const ScoredRow*>;

template <class Value>
const ScoredRow& least_by(const SweepRows& rows, Value value) {
    return **std::min_element(rows.begin(), rows.end(),
                              [&](const ScoredRow* a, const ScoredRow* b) { return value(*a) < value(*b); });
}

// `all` can be chosen or not.
Sweep sweep_of(const SweepKey& key, const SweepRows& steady, const SweepRows& all) {
    const auto measured = [](const ScoredRow& r) { return r.measured; };
    SweepRows choice;
    for (const ScoredRow* r : all)
        if (can_be_chosen(*r)) choice.push_back(r);
    const ScoredRow& chosen = least_by(steady, predicted_seconds);
    const ScoredRow& fastest = least_by(all, measured);
    std::vector<double> predictions, measurements;
    for (const ScoredRow* r : steady) {
        predictions.push_back(predicted_seconds(*r));
        measurements.push_back(r->measured);
    }
    const double by_chance = least_by(choice, predicted_seconds).measured / fastest.measured - 1;
    return {key.source,
            sweep_name(key),
            int(steady.size()),
            int(all.size() - steady.size()),
            chosen.id,
            fastest.id,
            chosen.measured / fastest.measured - 1,
            by_chance,
            rank_correlation(predictions, measurements)};
}

}  // namespace

double rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
    return correlation(ranks_of(a), ranks_of(b));
}

std::vector<Sweep> sweeps_of(const std::vector<ScoredRow>& rows, int least) {
    std::map<SweepKey, std::pair<SweepRows, SweepRows>> groups;   // those that can be chosen, all
    for (const ScoredRow& r : rows) {
        // Runs that stood still are in: whoever had chosen their layouts would have waited for them.
        if (!r.excluded.empty() && r.stalls.empty() && r.contradicted.empty()) continue;
        auto& [steady, all] = groups[sweep_key(r)];
        all.push_back(&r);
        if (can_be_chosen(r) && !stood_still_by_chance(r)) steady.push_back(&r);
    }
    std::vector<Sweep> sweeps;
    for (const auto& [key, members] : groups)
        if (int(members.first.size()) >= least) sweeps.push_back(sweep_of(key, members.first, members.second));
    return sweeps;
}

RegretSummary regret_of(const std::vector<Sweep>& sweeps, const std::string& source) {
    RegretSummary sum;
    sum.source = source.empty() ? "all sources" : source;
    std::vector<double> regrets, correlations;
    for (const Sweep& s : sweeps) {
        if (!source.empty() && s.source != source) continue;
        ++sum.sweeps;
        sum.rows += s.rows;
        sum.apart += s.apart;
        regrets.push_back(s.regret);
        correlations.push_back(s.rank_correlation);
        sum.mean += s.regret;
        sum.mean_by_chance += s.by_chance;
        if (sum.sweeps > 1 && s.regret <= sum.worst) continue;
        sum.worst = s.regret;
        sum.worst_sweep = s.name;
    }
    if (sum.sweeps > 0) sum.mean /= sum.sweeps;
    if (sum.sweeps > 0) sum.mean_by_chance /= sum.sweeps;
    sum.median = median(std::move(regrets));
    sum.rank_correlation = median(std::move(correlations));
    return sum;
}

std::vector<RegretSummary> regrets_by_source(const std::vector<Sweep>& all_sweeps) {
    std::vector<Sweep> sweeps;
    for (const Sweep& s : all_sweeps)
        if (s.rows >= judged_sweep_rows) sweeps.push_back(s);
    std::vector<std::string> sources;
    for (const Sweep& s : sweeps)
        if (std::find(sources.begin(), sources.end(), s.source) == sources.end()) sources.push_back(s.source);
    std::vector<RegretSummary> all;
    for (const std::string& source : sources) all.push_back(regret_of(sweeps, source));
    if (sources.size() > 1) all.push_back(regret_of(sweeps));
    return all;
}

}  // namespace plimsoll
