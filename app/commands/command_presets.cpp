#include "app/commands/command_line.h"
#include "app/commands/commands.h"
#include "app/commands/plan.h"
#include "app/commands/tables.h"
#include "core/values/knobs/wording.h"
#include "core/files/presets/preset_json.h"
#include "core/files/results/answers_json.h"

#include <iostream>

namespace plimsoll {

namespace {

using Rows = std::vector<std::vector<std::string>>;

// "2026-11-21, 6 runs held back: 4.1 %"; empty for a machine that was not measured.
std::string calibrated(const Machine& m) {
    const Calibration* c = m.calibration.get();
    if (!c) return {};
    const ProofScore score = score_of(*c);
    std::string text = std::string(c->date).append(", ").append(std::to_string(score.rows)).append(score.rows == 1 ? " run held back" : " runs held back");
    return score.rows ? text.append(": ").append(fixed(100 * score.time, 1)).append(" %") : text;
}

Rows machine_rows(const Library& library) {
    Rows rows{{"machine", "name", "nodes", "devices per node", "device", "calibrated"}};
    for (const auto& [id, m] : library.machines)
        rows.push_back({id, m.name, std::to_string(m.nodes), std::to_string(m.devices_per_node), m.device.name, calibrated(m)});
    return rows;
}
Rows model_rows(const Library& library) {
    Rows rows{{"model", "name", "parameters", "layers", "hidden", "heads"}};
    for (const auto& [id, m] : library.models)
        rows.push_back({id, m.name, say_count(parameters(m)), std::to_string(m.layers), std::to_string(m.hidden), std::to_string(m.heads)});
    return rows;
}
Rows stack_rows(const Library& library) {
    Rows rows{{"stack", "name", "note"}};
    for (const auto& [id, k] : library.stacks) rows.push_back({id, k.name, k.note});
    return rows;
}
Rows file_rows(const std::string& kind, const std::map<std::string, std::filesystem::path>& files) {
    Rows rows{{kind}};
    for (const auto& [id, path] : files) rows.push_back({id});
    return rows;
}

PresetList preset_list(const std::string& kind, const Rows& rows) {
    PresetList list{kind, {}};
    for (std::size_t i = 1; i < rows.size(); ++i) {  // below the header
        const std::vector<std::string>& row = rows[i];
        PresetEntry entry{row[0], row.size() > 1 ? row[1] : row[0], {}};
        if (kind == "machines") entry.calibrated = row.back();
        list.entries.push_back(std::move(entry));
    }
    return list;
}

void print_json(const std::vector<std::pair<std::string, Rows>>& lists) {
    std::vector<PresetList> all;
    for (const auto& [kind, rows] : lists) all.push_back(preset_list(kind, rows));
    std::cout << to_json(all);
}

int print_schema(const std::string& kind) {
    if (const auto text = schema_text(kind)) {
        std::cout << *text;
        return exit_ok;
    }
    std::cerr << "no schema '" << kind << "'; there are:";
    for (const auto known : schema_kinds()) std::cerr << ' ' << known;
    std::cerr << '\n';
    return exit_usage;
}

}  // namespace

int run_presets(const PresetsArguments& a) {
    if (!a.schema.empty()) return print_schema(a.schema);
    const Library& library = shipped_library();
    std::vector<std::pair<std::string, Rows>> lists;
    const auto wanted = [&](const char* kind) { return a.kind.empty() || a.kind == kind; };
    if (wanted("machines")) lists.emplace_back("machines", machine_rows(library));
    if (wanted("models")) lists.emplace_back("models", model_rows(library));
    if (wanted("stacks")) lists.emplace_back("stacks", stack_rows(library));
    if (wanted("scenarios")) lists.emplace_back("scenarios", file_rows("scenario", library.scenarios));
    if (wanted("runs")) lists.emplace_back("runs", file_rows("published runs", library.published_runs));
    if (wanted("fits")) lists.emplace_back("fits", file_rows("recipes of 'plimsoll fit'", library.fits));
    if (a.json) print_json(lists);
    else
        for (std::size_t i = 0; i < lists.size(); ++i) std::cout << (i ? "\n" : "") << table(lists[i].second);
    return exit_ok;
}

}  // namespace plimsoll
