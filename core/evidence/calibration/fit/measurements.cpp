#include "core/evidence/calibration/fit/measurements.h"

#include "core/values/knobs/wording.h"
#include "core/values/basics/median.h"

#include <algorithm>

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

int BenchPoint::count(std::string_view key) const { return static_cast<int>(std::clamp(number(key), 0.0, 1e9)); }

namespace {

bool is_contended(const EngineStep* s) {
    return std::find(s->quality.begin(), s->quality.end(), "contended") != s->quality.end();
}

}  // namespace

StepSummary summary_of(const Visits& visits) {
    const auto faster = [](const EngineStep* a, const EngineStep* b) { return a->wall < b->wall; };
    std::vector<const EngineStep*> steps;
    StepSummary s;
    for (const TrainingRun* run : visits) {
        const std::size_t first = run->steps.size() > warm_up_steps ? warm_up_steps : 0, before = steps.size();
        for (std::size_t i = first; i < run->steps.size(); ++i) steps.push_back(&run->steps[i]);
        const auto begin = steps.begin() + std::ptrdiff_t(before);
        std::sort(begin, steps.end(), faster);
        if (begin != steps.end()) s.visits.push_back(steps[(before + steps.size()) / 2]->wall);
    }
    if (steps.empty()) return s;
    for (const EngineStep* step : steps) {
        s.memory = max(s.memory, step->memory_peak);
        s.memory_device = max(s.memory_device, step->memory_device);
    }
    s.contended = 3 * std::count_if(steps.begin(), steps.end(), is_contended) > long(steps.size());
    std::sort(steps.begin(), steps.end(), faster);
    const MedianRanks at = median_ranks(steps.size());
    const EngineStep* middle = steps[at.middle];
    s.median = middle->wall;
    s.low = steps[at.low]->wall;
    s.high = steps[at.high]->wall;
    s.confidence = at.confidence;
    const std::size_t quarter = steps.size() / 4;
    s.unsteady = steps[steps.size() - 1 - quarter]->wall > widest_quartiles * steps[quarter]->wall;
    s.parts = middle->parts.mean;
    s.steps = int(steps.size());
    return s;
}

void Measurements::add(const EngineDevices& more) {
    for (const EngineDevice& d : more.used) {
        const auto same = [&](const EngineDevice& known) { return known.node == d.node && known.bus == d.bus; };
        if (std::none_of(devices.begin(), devices.end(), same)) devices.push_back(d);
    }
}

std::string label_of(const BenchPoint& p) {
    if (p.kind == "gemm") {
        const auto whole = [&](const char* key) { return std::to_string(p.count(key)); };
        return std::string(p.word("product"))
            .append(" ")
            .append(p.word("form"))
            .append(", ")
            .append(whole("m"))
            .append(" x ")
            .append(whole("n"))
            .append(" x ")
            .append(whole("k"));
    }
    std::string label;
    for (const char* key : {"collective", "operation", "pass", "way", "cache", "dimension", "direction"})
        if (const auto word = p.word(key); !word.empty()) label.append(label.empty() ? "" : ", ").append(word);
    if (label.empty()) label = p.kind;
    return p.bytes > Bytes{} ? label.append(", ").append(say(p.bytes)) : label;
}

}  // namespace plimsoll
