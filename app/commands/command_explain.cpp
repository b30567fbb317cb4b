#include "app/commands/command_line.h"
#include "app/commands/commands.h"
#include "app/commands/plan.h"
#include "app/commands/tables.h"
#include "core/answers/explain/explain.h"
#include "core/answers/plan/headline.h"
#include "core/values/knobs/wording.h"
#include "core/files/results/answers_json.h"

#include <algorithm>
#include <iostream>

namespace plimsoll {

namespace {

// Device-seconds per sequence: what a plan pays for each part, whatever its size.
double device_seconds(const Scenario& s, const Estimate& e, Seconds StepTime::*part) {
    return (e.step.*part) / second * e.devices / s.recipe.global_batch_sequences;
}

// Which terms make the device rate differ between two plans, largest first.
void print_versus(const Scenario& here, const Estimate& a, const Scenario& there, const Estimate& b, const std::string& change) {
    struct Line { std::string label; double here, there; };
    std::vector<Line> lines;
    for (const auto& part : step_parts)
        lines.push_back({std::string(part.label), device_seconds(here, a, part.value), device_seconds(there, b, part.value)});
    std::stable_sort(lines.begin(), lines.end(), [](const Line& x, const Line& y) {
        return std::abs(x.there - x.here) > std::abs(y.there - y.here);
    });
    std::vector<std::vector<std::string>> rows{{"device-seconds per sequence", "this plan", change, "difference"}};
    Line sum{"Sum", 0, 0};
    for (const Line& l : lines) {
        rows.push_back({l.label, fixed(l.here, 4), fixed(l.there, 4), fixed(l.there - l.here, 4)});
        sum.here += l.here;
        sum.there += l.there;
    }
    rows.push_back({sum.label, fixed(sum.here, 4), fixed(sum.there, 4), fixed(sum.there - sum.here, 4)});
    const auto rate = [](const Scenario& s, const Estimate& e) { return say(headline(s, e).hardware_per_device); };
    rows.push_back({"Rate per device, recomputation counted", rate(here, a), rate(there, b), ""});
    std::cout << "\n" << table(rows);
}

}  // namespace

int run_explain(const ExplainArguments& a) {
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    const auto term = explain(*plan, a.number);
    if (!term && term.error().empty()) {
        std::cerr << "no number '" << a.number << "'; there are:";
        for (const std::string& id : explainable()) std::cerr << " " << id;
        std::cerr << "\n";
        return exit_usage;
    }
    if (!term) return refuse(term.error());
    std::cout << (a.json ? to_json(*term) + "\n" : to_text(*term, a.depth));
    if (a.versus.empty()) return exit_ok;
    const auto other = apply_setting(*plan, a.versus);
    if (!other) return refuse(other.error());
    const Outcome here = estimate(*plan), there = estimate(*other);
    if (!there) return refuse(there.error());
    print_versus(*plan, *here, *other, *there, a.versus);
    return exit_ok;
}

}  // namespace plimsoll
