#include "core/files/results/calibration_starts.h"

#include "core/files/presets/parts.h"
#include "core/values/basics/names.h"
#include "core/values/basics/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace plimsoll {

namespace {

using files::OrderedJson;

std::string_view word_of(CalibrationWay way) {
    constexpr std::string_view words[] = {"here", "script", "refused"};
    return words[std::size_t(way)];
}

OrderedJson json_of_start(const MachineStart& m) {
    const CalibrationStart& s = m.start;
    const auto way = [](const WayOut& w) -> OrderedJson { return {{"options", w.options}, {"what", w.what}}; };
    const bool runs = s.way != CalibrationWay::refused;
    return {{"machine", m.id},
            {"name", m.name},
            {"device", m.device},
            {"back_end", std::string(back_end_of(s.device))},
            {"way", std::string(word_of(s.way))},
            {"scheduler", m.scheduler},
            {"script", s.kind ? OrderedJson(std::string(id_of(*s.kind))) : OrderedJson(nullptr)},
            {"site_lines", s.described},
            {"options", s.options},
            {"nodes", runs ? OrderedJson(s.nodes) : OrderedJson(nullptr)},
            {"ranks_per_node", s.ranks_per_node > 0 ? OrderedJson(s.ranks_per_node) : OrderedJson(nullptr)},
            {"precisions", files::json_list(s.precisions, [](Precision p) { return name_of(p); })},
            {"expected_seconds", runs ? OrderedJson(s.expected / second) : OrderedJson(nullptr)},
            {"reasons", s.reasons},
            {"works", files::json_list(s.works, way)}};
}

std::string_view family_of(DeviceKind kind) {
    switch (kind) {
        case DeviceKind::processor: return "processors";
        case DeviceKind::nvidia: return "NVIDIA GPUs from the A100 on";
        case DeviceKind::amd: return "AMD's MI200 and MI300 series";
        case DeviceKind::module: return "AMD modules of two GCDs, counted as one device";
        case DeviceKind::outdated: return "NVIDIA GPUs before the A100";
        case DeviceKind::foreign: break;
    }
    return "other devices";
}

// Machines of one row have all of this in common. A refusal for the device goes before one for the batch system.
struct Family {
    DeviceKind device;
    CalibrationWay way;
    int kind;                     // of a script; -1: none
    auto key() const { return std::tuple(device, way, kind); }
    bool operator<(const Family& other) const { return key() < other.key(); }
};
Family family_of(const MachineStart& m) {
    return {m.start.device, m.start.way, m.start.kind ? int(*m.start.kind) : -1};
}

bool has_back_end(DeviceKind kind) { return back_end_of(kind) != "none"; }

std::string code(const std::string& words) { return "`" + words + "`"; }

// An account is what users know and no table.
std::string without_account(std::vector<std::string> options) {
    const auto at = std::find(options.begin(), options.end(), "--account");
    if (at != options.end()) options.erase(at, at + 2);
    return joined(options, " ");
}

void add_once(std::vector<std::string>& all, std::string text) {
    if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(std::move(text));
}

// "refused: no script for Kubernetes, HAI platform; what works: `--script slurm` (the files of a job ...)"
std::string refusal_of(const std::vector<const MachineStart*>& machines) {
    const CalibrationStart& first = machines.front()->start;
    std::vector<std::string> schedulers, works;
    for (const MachineStart* m : machines) {
        add_once(schedulers, m->scheduler);
        if (!m->start.works.empty()) add_once(works, code(without_account(m->start.works.front().options)));
    }
    std::string text = "refused: ";
    if (has_back_end(first.device)) text += "no script for " + joined(schedulers);
    else if (first.device == DeviceKind::module) text += "a rank computes on one GCD";
    else if (first.device == DeviceKind::outdated) text += "compute capability below 8.0";
    else text += "no back end";
    if (!works.empty()) text += "; what works: " + joined(works) + " (" + first.works.front().what + ")";
    return text;
}

std::string outcome_of(const std::vector<const MachineStart*>& machines) {
    const CalibrationStart& s = machines.front()->start;
    if (s.way == CalibrationWay::refused) return refusal_of(machines);
    std::vector<std::string> described;
    for (const MachineStart* m : machines)
        if (m->start.described) described.push_back(code(m->id));
    std::string text = code(without_account(s.options)) + ": " + say_way(s) + ", "
                     + std::string(back_end_of(s.device)) + ", " + say_precisions(s);
    if (!described.empty()) text += "; the site's own lines for " + joined(described);
    return text;
}

}  // namespace

std::string to_json(std::span<const MachineStart> machines) {
    return files::text_of(files::json_list(machines, json_of_start));
}

std::string to_markdown(std::span<const MachineStart> machines) {
    std::map<Family, std::vector<const MachineStart*>> families;
    for (const MachineStart& m : machines) families[family_of(m)].push_back(&m);
    std::string text = "| devices | at *Calibrate* | machines | such as |\n|---|---|---:|---|\n";
    for (const auto& [family, members] : families) {
        constexpr std::size_t shown = 3;
        std::vector<std::string> names;
        for (std::size_t i = 0; i < std::min(shown, members.size()); ++i) names.push_back(code(members[i]->id));
        text += "| " + std::string(family_of(family.device)) + " | " + outcome_of(members) + " | "
              + std::to_string(members.size()) + " | " + joined(names) + " |\n";
    }
    return text;
}

}  // namespace plimsoll
