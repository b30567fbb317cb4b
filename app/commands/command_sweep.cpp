#include "app/commands/command_line.h"
#include "app/commands/commands.h"
#include "app/commands/plan.h"
#include "core/answers/plan/headline.h"
#include "core/answers/curves/sweep.h"
#include "core/values/knobs/wording.h"
#include "core/files/results/answers_json.h"
#include "core/values/basics/csv.h"
#include "core/values/basics/text.h"

#include <iostream>

namespace plimsoll {

namespace {

void print_csv(const Knob& knob, const std::vector<SweepPoint>& points) {
    CsvRow names;
    for (const char* name : {knob.id.c_str(), "feasible", "fits", "step_seconds", "run_days", "node_hours", "mfu",
                             "tflops_per_device", "facility_MWh", "worst_stage_GiB"})
        names.text(name);
    for (const auto& part : step_parts) names.text(std::string(part.id).append("_seconds"));
    std::cout << names.text("obstacle").line();
    for (const SweepPoint& p : points) {
        CsvRow row;
        row.number(p.value).whole(bool(p.outcome)).whole(runs(p.outcome));
        if (!p.outcome) {
            row.empty(7 + int(std::size(step_parts))).quoted(say(p.outcome.error().front()));
            std::cout << row.line();
            continue;
        }
        const Headline h = headline(p.scenario, *p.outcome);
        for (double v : {h.step / second, h.run / day, h.node_hours, h.mfu, h.per_device / (teraflop / second),
                         h.facility_energy / megawatt_hour, p.outcome->worst().total() / gibibyte})
            row.number(v);
        for (const auto& part : step_parts) row.number((p.outcome->step.*part.value) / second);
        std::cout << row.empty().line();
    }
}

void print_json(const Knob& knob, const std::vector<SweepPoint>& points) {
    std::cout << "{\"knob\": \"" << knob.id << "\", \"points\": [";
    for (std::size_t i = 0; i < points.size(); ++i)
        std::cout << (i ? ",\n" : "\n") << "{\"value\": " << shortest(points[i].value) << ", \"estimate\": "
                  << to_json(points[i].scenario, points[i].outcome) << "}";
    std::cout << "\n]}\n";
}

}  // namespace

int run_sweep(const SweepArguments& a) {
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    const Knob* knob = find_knob(a.knob);
    if (!knob) {
        std::cerr << "no knob '" << a.knob << "'; did you mean '" << nearest_knob(a.knob) << "'?\n";
        return exit_usage;
    }
    const auto values = parse_values(*knob, a.values);
    if (!values) return refuse(values.error());
    const auto points = sweep(*plan, *knob, *values);
    if (a.json) print_json(*knob, points);
    else print_csv(*knob, points);
    for (const SweepPoint& p : points)
        if (runs(p.outcome)) return exit_ok;
    return exit_infeasible;
}

}  // namespace plimsoll
