// plimsoll calibrate --machines: what happens on every machine, found by making its calibration.
#include "app/commands/calibrate/calibrate.h"

#include "app/commands/command.h"
#include "app/commands/tables.h"
#include "core/files/results/calibration_starts.h"
#include "core/values/basics/text.h"

#include <iostream>
#include <map>
#include <string>

namespace plimsoll {

namespace {

constexpr const char* usual_subject = "gpt2-124m-laptop";   // what is scaled down anyway

TextRow row_of(const MachineStart& m) {
    const CalibrationStart& s = m.start;
    TextRow row{m.id, m.device, std::string(back_end_of(s.device)), say_way(s)};
    if (s.way == CalibrationWay::refused) return row;
    const std::string ranks = s.ranks_per_node > 0 ? std::to_string(s.ranks_per_node) : std::string("one a core");
    row.insert(row.end(), {std::to_string(s.nodes), ranks, say_precisions(s), joined(s.options, " ")});
    return row;
}

TextRows rows_of(const std::vector<MachineStart>& machines) {
    TextRows rows{{"machine", "device", "back end", "calibrated", "nodes", "ranks on each", "precision", "options"}};
    for (const MachineStart& m : machines) rows.push_back(row_of(m));
    return rows;
}

// Why it is refused and what works; of a job on one node, why two were.
std::string reasons_of(const MachineStart& m) {
    std::string text;
    for (const std::string& why : m.start.reasons) text += "  " + why + "\n";
    for (const WayOut& out : m.start.works) text += "  Works: " + joined(out.options, " ") + ": " + out.what + "\n";
    if (text.empty()) return text;
    const bool refused = m.start.way == CalibrationWay::refused;
    return m.id + (refused ? ": refused\n" : ": not on more nodes\n") + text;
}

std::string counts_of(const std::vector<MachineStart>& machines) {
    std::map<std::string, int> counts;
    for (const MachineStart& m : machines) ++counts[say_way(m.start)];
    std::vector<std::string> parts;
    for (const auto& [way, count] : counts) parts.push_back(way + " " + std::to_string(count));
    return counted((long long)machines.size(), "machine", "machines") + ": " + joined(parts) + "\n";
}

}  // namespace

int run_calibrate_machines(const PlanArguments& subject, MachinesFormat format) {
    PlanArguments named = subject;
    if (named.file.empty()) named.file = usual_subject;
    const auto plan = load_plan(named);
    if (!plan) return refuse(plan.error());
    const auto machines = calibration_starts(*plan, shipped_library());
    if (format == MachinesFormat::json) {
        std::cout << to_json(machines);
    } else if (format == MachinesFormat::markdown) {
        std::cout << to_markdown(machines);
    } else {
        std::cout << table(rows_of(machines)) << "\n" << counts_of(machines);
        for (const MachineStart& m : machines)
            if (const std::string why = reasons_of(m); !why.empty()) std::cout << "\n" << why;
    }
    return exit_ok;
}

}  // namespace plimsoll
