#include "core/answers/calibrate/measurements.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

bool BenchPoint::has(std::string_view flag) const { return std::find(flags.begin(), flags.end(), flag) != flags.end(); }

std::string_view BenchPoint::word(std::string_view key) const {
    const auto found = words.find(key);
    return found == words.end() ? std::string_view{} : std::string_view(found->second);
}

double BenchPoint::number(std::string_view key) const {
    const auto found = numbers.find(key);
    return found == numbers.end() ? 0 : found->second;
}

namespace {

bool is_contended(const EngineStep* s) { return std::find(s->quality.begin(), s->quality.end(), "contended") != s->quality.end(); }

}  // namespace

StepSummary summary_of(const TrainingRun& run) {
    std::vector<const EngineStep*> steps;
    const std::size_t first = run.steps.size() > warm_up_steps ? warm_up_steps : 0;
    for (std::size_t i = first; i < run.steps.size(); ++i) steps.push_back(&run.steps[i]);
    StepSummary s;
    if (steps.empty()) return s;
    for (const EngineStep* step : steps) s.memory = max(s.memory, step->memory_peak);
    s.contended = 3 * std::count_if(steps.begin(), steps.end(), is_contended) > long(steps.size());
    std::sort(steps.begin(), steps.end(), [](const EngineStep* a, const EngineStep* b) { return a->wall < b->wall; });
    const double n = double(steps.size());
    // Ranks of the binomial's 95 % about n/2 (Conover 1999, 3.2): an interval of the median without any distribution.
    const double half = 1.96 * std::sqrt(n) / 2;
    const auto at = [&](double rank) { return steps[std::size_t(std::clamp(std::lround(rank), 0L, long(steps.size()) - 1))]; };
    const EngineStep* middle = steps[steps.size() / 2];
    s.median = middle->wall;
    s.low = at(n / 2 - half)->wall;
    s.high = at(n / 2 + half)->wall;
    s.parts = middle->parts.mean;
    s.steps = int(steps.size());
    return s;
}

}  // namespace plimsoll
