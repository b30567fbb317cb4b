#include "core/evidence/fitting/overlay.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

namespace plimsoll {

namespace {



// Pointers of the values a knob of the machine sets: its own path, or those of the levels it changed.
std::vector<std::string> pointers(const Constant& c, const Machine& before, const Machine& after) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < after.levels.size(); ++i) {
        const std::string level = std::string("/levels/").append(std::to_string(i));
        if (before.levels[i].efficiency != after.levels[i].efficiency) all.push_back(level + "/efficiency");
        if (before.levels[i].latency != after.levels[i].latency) all.push_back(level + "/latency_us");
    }
    if (!c.knob->id.starts_with("machine.network.")) {
        std::string path = c.knob->id.substr(std::string_view("machine").size());
        std::replace(path.begin(), path.end(), '.', '/');
        all.push_back(path);
    }
    return all;
}

// Three significant digits are more than any interval here justifies.
double rounded(double v) {
    const double scale = std::pow(10, 2 - std::floor(std::log10(v)));
    return std::round(v * scale) / scale;
}

// "Fitted to 31 measurements of our-cluster, vtrain-single"
std::string fitted_to(const FitProblem& problem, const FittedConstant& f) {
    constexpr std::size_t most_named = 4;
    std::set<std::string> sources;
    for (const std::size_t i : f.rows) sources.insert(problem.observations[i].source);
    std::string names;
    for (const std::string& source : sources) names += (names.empty() ? "" : ", ") + source;
    if (sources.size() > most_named) names = std::to_string(sources.size()) + " sources of published runs";
    return "Fitted to " + std::to_string(f.rows.size()) + " measurements of " + names;
}

void turn(Stack& stack, const FittedConstant& f, const Source& source) {
    Scenario s;
    s.stack = stack;
    f.constant.knob->set(s, rounded(f.value));
    stack = s.stack;
    stack.sources[std::string("/").append(f.constant.knob->id, std::string_view("stack.").size())] = source;
}

void turn(Machine& machine, const FittedConstant& f, const Source& source) {
    Scenario s;
    s.machine = machine;
    f.constant.knob->set(s, rounded(f.value));
    for (const std::string& pointer : pointers(f.constant, machine, s.machine)) s.machine.sources[pointer] = source;
    machine = s.machine;
}

// The owner's preset, as far as it was changed already, with one more value.
template <class Preset>
void turn(std::map<std::string, Preset>& changed, const std::map<std::string, Preset>& presets, const std::string& owner,
          const FittedConstant& f, const Source& source) {
    const auto done = changed.find(owner);
    const Preset& now = done == changed.end() ? presets.at(owner) : done->second;
    if (std::abs(value_in(*f.constant.knob, now) / rounded(f.value) - 1) < 1e-9) return;
    turn(changed.try_emplace(owner, now).first->second, f, source);
}

}  // namespace

Overlay overlay(const FitProblem& problem, const std::vector<FittedConstant>& fitted, const Machines& machines, const Stacks& stacks) {
    Overlay all;
    for (const FittedConstant& f : fitted) {
        const Source source{SourceKind::measured, fitted_to(problem, f)};
        for (const std::string& owner : f.constant.owners)
            if (f.constant.of_stack()) turn(all.stacks, stacks, owner, f, source);
            else turn(all.machines, machines, owner, f, source);
    }
    return all;
}

}  // namespace plimsoll
