#include "app/commands/command_line.h"
#include "app/commands/commands.h"
#include "app/commands/plan.h"
#include "core/answers/plan/headline.h"
#include "core/answers/curves/sweep.h"
#include "core/answers/explain/wording.h"
#include "core/files/results/estimate_json.h"

#include <charconv>
#include <iostream>

namespace plimsoll {

namespace {

std::string shortest(double v) {
    char text[32];
    return std::string(text, std::to_chars(text, text + sizeof text, v).ptr);
}

void print_csv(const Knob& knob, const std::vector<SweepPoint>& points) {
    std::cout << knob.id << ",feasible,fits,step_seconds,run_days,node_hours,mfu,tflops_per_device,facility_MWh,worst_stage_GiB";
    for (const auto& part : step_parts) std::cout << ',' << part.id << "_seconds";
    std::cout << ",obstacle\n";
    for (const SweepPoint& p : points) {
        std::cout << shortest(p.value) << ',' << (p.outcome ? 1 : 0) << ',' << (runs(p.outcome) ? 1 : 0);
        if (!p.outcome) {
            std::cout << std::string(8 - 1 + std::size(step_parts), ',') << ",\"" << say(p.outcome.error().front()) << "\"\n";
            continue;
        }
        const Headline h = headline(p.scenario, *p.outcome);
        for (double v : {h.step / second, h.run / day, h.node_hours, h.mfu, h.per_device / (teraflop / second),
                         h.facility_energy / megawatt_hour, p.outcome->worst().total() / gibibyte})
            std::cout << ',' << shortest(v);
        for (const auto& part : step_parts) std::cout << ',' << shortest((p.outcome->step.*part.value) / second);
        std::cout << ",\n";
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
