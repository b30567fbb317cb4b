#pragma once
// Shipped plans with one to four of their knobs turned anywhere in their range, the same on every machine and run. They
// have what random_plans.h leaves out: every shipped machine, model and software, and values at the ends of the ranges.

#include "core/answers/plan/rules.h"
#include "core/answers/plan/valid_values.h"
#include "core/files/presets/scenario_json.h"
#include "core/values/knobs/knobs.h"
#include "shipped.h"

#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace plimsoll::testing {

inline const std::vector<std::pair<std::string, Scenario>>& shipped_plans() {
    static const auto all = [] {
        std::vector<std::pair<std::string, Scenario>> plans;
        for (const auto& [id, path] : library().scenarios) {
            const auto file = read_scenario(*read_text(path), library(), id);
            if (!file) qFatal("%s", say(file.error()).c_str());
            plans.emplace_back(id, file->scenario);
        }
        return plans;
    }();
    return all;
}

struct TurnedPlan {
    std::string words;   // "gpt-neox-20b-a100 --set layout.micro_batch=2": how the command line has the same plan
    Scenario plan;
};

class TurnedPlans {
public:
    TurnedPlan next() {
        const auto& [id, shipped] = shipped_plans()[below(shipped_plans().size())];
        TurnedPlan turned{id, shipped};
        for (std::size_t left = 1 + below(4); left > 0; --left) {
            const Knob& knob = knobs()[below(knobs().size())];
            const double value = drawn_value(knob, turned.plan);
            if (const auto changed = with(turned.plan, knob, value)) {
                turned.plan = *changed;
                turned.words += " --set " + knob.id + "=" + format_value(knob, knob.get(turned.plan));
            }
        }
        return turned;
    }

    // Of 0 to most - 1, without std::uniform_int_distribution, which differs between libraries.
    std::size_t below(std::size_t most) { return random_() % most; }

private:
    double share() { return double(random_()) / double(std::mt19937::max()); }

    // One in eight at an end of the range; else near the present value, or at one that keeps the plan computable.
    double drawn_value(const Knob& k, const Scenario& s) {
        if (below(8) == 0) return below(2) ? k.low : k.high;
        if (k.kind == KnobKind::choice || k.kind == KnobKind::flag)
            return k.low + double(below(std::size_t(k.high - k.low) + 1));
        if (k.kind == KnobKind::integer && below(2)) {
            const std::vector<double> valid = valid_values(s, k);
            if (!valid.empty()) return valid[below(valid.size())];
        }
        const double here = k.get(s);
        double value = here > 0 && std::isfinite(here) ? here * std::exp2(6 * share() - 3)
                                                       : k.low + (k.high - k.low) * share();
        if (k.kind == KnobKind::integer) value = std::round(value);
        return std::min(std::max(value, k.low), k.high);
    }

    std::mt19937 random_{1119};
};

}  // namespace plimsoll::testing
