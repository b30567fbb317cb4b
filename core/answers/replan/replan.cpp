#include "core/answers/replan/replan.h"

#include "core/answers/plan/estimate.h"
#include "core/costs/campaign/resilience.h"
#include "core/values/basics/median.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

Drift drift_of(const Scenario& s, const MeasuredSteps& m) {
    Drift d;
    if (const Outcome e = estimate(s)) d.predicted = e->step.total();
    if (m.steps.empty() || d.predicted <= Seconds{}) return d;
    std::vector<Seconds> sorted = m.steps;
    std::sort(sorted.begin(), sorted.end());
    const MedianRanks at = median_ranks(sorted.size());
    d.measured = sorted[at.middle];
    d.low = sorted[at.low];
    d.high = sorted[at.high];
    d.parts = m.parts;
    d.steps = int(sorted.size());
    return d;
}

namespace {

struct Reading {
    std::string name;
    double StepFactors::*group = nullptr;   // the one to blame; none: all of them, or each by its parts
};

std::vector<Reading> readings(const Drift& d) {
    if (d.parts) return {{"parts as measured"}};
    const bool slower = d.factor() > 1;
    return {{"everything alike"},
            {slower ? "computation is slower" : "computation is faster", &StepFactors::compute},
            {slower ? "communication is slower" : "communication is faster", &StepFactors::network}};
}

// What the reading turns an estimate by, once; nothing where its group is too small to be the reason.
std::optional<StepFactors> factors_of(const Reading& reading, const Drift& d, const StepTime& now) {
    if (d.parts) return factors_between(*d.parts, now);
    StepFactors k;
    if (!reading.group) {
        k.compute = k.network = k.rest = d.measured / now.total();
        return k;
    }
    const StepGroups g = groups_of(now);
    const double seconds = reading.group == &StepFactors::compute ? g.compute : g.network;
    const double needed = 1 + (d.measured - now.total()) / second / seconds;
    constexpr double least = 0.1, most = 10;
    if (!(seconds > 0) || needed < least || needed > most) return std::nullopt;
    k.*reading.group = needed;
    return k;
}

// Host times and floors do not scale with the groups: a few rounds bring the step to what was measured.
std::optional<Scenario> corrected(Scenario s, const Reading& reading, const Drift& d) {
    constexpr int rounds = 8;
    constexpr double near = 1e-3;
    for (int i = 0; i < rounds; ++i) {
        const Outcome now = estimate(s);
        if (!now) return std::nullopt;
        if (std::abs(now->step.total() / d.measured - 1) < near) break;
        const auto k = factors_of(reading, d, now->step);
        if (!k) return std::nullopt;
        scale(s.machine, s.stack, *k);
    }
    return s;
}

// Of the reading's best layout in all of them; one that does not run there gains nothing and costs the step.
Seconds least_gain(const Replan& of, const std::vector<Replan>& all) {
    if (of.stays()) return {};
    Seconds least = of.gain();
    for (const Replan& other : all) {
        const Outcome there = estimate(with_layout(other.corrected, of.best->layout));
        least = min(least, runs(there) ? other.step - there->step.total() : -other.step);
    }
    return least;
}

SearchProgress part_of(const SearchProgress& whole, std::size_t part, std::size_t parts) {
    if (!whole) return {};
    return [=](long long done, long long count) { whole(count * (long long)part + done, count * (long long)parts); };
}

}  // namespace

std::vector<Replan> replan(const Scenario& s, const Drift& d, double steps_left, const Space& space,
                           const SearchOptions& options, std::stop_token stop, const SearchProgress& progress) {
    const Outcome planned = estimate(s);
    if (!planned || d.steps == 0) return {};
    std::vector<Replan> all;
    const std::vector<Reading> possible = readings(d);
    for (std::size_t i = 0; i < possible.size(); ++i) {
        const Reading& reading = possible[i];
        auto turned = corrected(s, reading, d);
        if (!turned) continue;
        const Outcome present = estimate(*turned);
        if (!present) continue;
        Replan r;
        r.reading = reading.name;
        r.corrected = *std::move(turned);
        r.step = present->step.total();
        r.steps_left = steps_left;
        r.stop = resilience(s).checkpoint;
        const SearchResult found = search(r.corrected, space, options, stop, part_of(progress, i, possible.size()));
        if (!found.top.empty()) {
            r.best = found.top.front();
            r.restart = resilience(with_layout(r.corrected, r.best->layout)).restart;
        }
        all.push_back(std::move(r));
    }
    for (Replan& r : all) r.least_gain = least_gain(r, all);
    return all;
}

StepGroups groups_of(const StepTime& t) {
    const Seconds network = t.tensor_parallel + t.context_parallel + t.expert_exchange + t.shard_gather
                          + t.pipeline_transfer + t.data_parallel;
    const Seconds rest = t.elementwise + t.launch + t.optimizer + t.offload + t.preconditioner;
    return {(t.total() - network - rest) / second, network / second, rest / second};
}

StepFactors factors_between(const StepTime& measured, const StepTime& predicted) {
    const StepGroups m = groups_of(measured), p = groups_of(predicted);
    const auto ratio = [](double a, double b) { return a > 0 && b > 0 ? a / b : 1; };
    StepFactors k;
    k.compute = ratio(m.compute, p.compute);
    k.network = ratio(m.network, p.network);
    k.rest = ratio(m.rest, p.rest);
    return k;
}

void scale(Machine& machine, Stack& stack, const StepFactors& k) {
    Efficiency& e = machine.device.efficiency;
    for (double Efficiency::*rate :
         {&Efficiency::gemm_ceiling, &Efficiency::fp8_ceiling, &Efficiency::flash_forward,
          &Efficiency::flash_backward})
        e.*rate = std::min(1.0, e.*rate / k.compute);
    for (ProductSurface& surface : e.fp8_scaled) surface.ceiling = std::min(1.0, surface.ceiling / k.compute);
    for (FusedAttention& kernel : e.attention)
        for (double FusedAttention::*rate : {&FusedAttention::forward, &FusedAttention::backward})
            kernel.*rate = std::min(1.0, kernel.*rate / k.compute);
    for (Level& level : machine.levels) {
        level.latency *= k.network;
        level.bandwidth *= 1 / k.network;
        level.large_bandwidth *= 1 / k.network;
    }
    stack.kernels.elementwise_factor *= k.rest;
    stack.updates.optimizer_bytes *= k.rest;
    stack.host.step_constant *= k.rest;
}

}  // namespace plimsoll
