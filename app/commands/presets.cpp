// Presets, listed: plimsoll presets.
#include "app/commands/command.h"

#include "app/commands/tables.h"
#include "core/evidence/calibration/proof/evidence.h"
#include "core/files/presets/preset_json.h"
#include "core/files/presets/programme_json.h"
#include "core/files/results/answers_json.h"
#include "core/files/text/disk.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"

#include <iostream>

namespace plimsoll {

namespace {

// ---- presets

struct PresetsArguments {
    std::string kind, schema;
    bool json = false;
};

// "2026-11-21, 6 runs held back: 4.1 %"; empty for a machine that was not measured.
std::string calibration_note_of(const Machine& m) {
    const Calibration* c = m.calibration.get();
    if (!c) return {};
    const ProofScore score = scores_of(*c).all;
    const std::string text = c->date + ", " + counted(score.rows, "run", "runs") + " held back";
    return score.rows ? text + ": " + percent(score.time) : text;
}

TextRows machine_rows(const Library& library) {
    TextRows rows{{"machine", "name", "nodes", "devices per node", "device", "calibrated"}};
    for (const auto& [id, m] : library.machines)
        rows.push_back({id, m.name, std::to_string(m.nodes), std::to_string(m.devices_per_node), m.device.name,
                        calibration_note_of(m)});
    return rows;
}
TextRows model_rows(const Library& library) {
    TextRows rows{{"model", "name", "parameters", "layers", "hidden", "heads"}};
    for (const auto& [id, m] : library.models)
        rows.push_back({id, m.name, say_count(parameters(m)), std::to_string(m.layers), std::to_string(m.hidden),
                        std::to_string(m.heads)});
    return rows;
}
TextRows stack_rows(const Library& library) {
    TextRows rows{{"stack", "name", "note"}};
    for (const auto& [id, k] : library.stacks) rows.push_back({id, k.name, k.note});
    return rows;
}
TextRows file_rows(const std::string& kind, const std::map<std::string, std::filesystem::path>& files) {
    TextRows rows{{kind}};
    for (const auto& [id, path] : files) rows.push_back({id});
    return rows;
}

TextRows knob_rows() {
    TextRows rows{{"knob", "what it is", "unit", "least", "most"}};
    for (const Knob& k : knobs())
        rows.push_back({std::string(k.id), std::string(k.label), std::string(k.unit), shortest(k.low),
                        shortest(k.high)});
    return rows;
}

// A profile that cannot be read is listed with that; propose says why.
TextRows programme_rows(const Library& library) {
    TextRows rows{{"programme", "name", "unit", "as of", "profile"}};
    for (const auto& [id, path] : library.programmes) {
        const auto file = load_programme(id, library);
        if (file)
            rows.push_back({id, file->programme.name, file->programme.unit.name, file->programme.as_of,
                            file->programme.state});
        else rows.push_back({id, id, "", "", "cannot be read"});
    }
    return rows;
}

// Rows begin with the id and, but for plain files, the name; those of machines end with the calibration.
PresetList list_of(const std::string& kind, const TextRows& rows) {
    PresetList list{kind, {}};
    for (std::size_t r = 1; r < rows.size(); ++r) {
        PresetEntry preset{rows[r][0], rows[r].size() > 1 ? rows[r][1] : rows[r][0], {}};
        if (kind == "machines") preset.calibrated = rows[r].back();
        list.entries.push_back(std::move(preset));
    }
    return list;
}

int print_schema(const std::string& kind) {
    if (const auto text = schema_text(kind)) {
        std::cout << *text;
        return exit_ok;
    }
    std::cerr << "no schema '" << kind << "'; there are:";
    for (const auto known : schema_kinds()) std::cerr << ' ' << known;
    std::cerr << "\n";
    return exit_usage;
}

int run_presets(const PresetsArguments& a) {
    if (!a.schema.empty()) return print_schema(a.schema);
    const Library& library = shipped_library();
    std::vector<std::pair<std::string, TextRows>> lists;
    const auto wanted = [&](const char* kind) { return a.kind.empty() || a.kind == kind; };
    if (wanted("machines")) lists.emplace_back("machines", machine_rows(library));
    if (wanted("models")) lists.emplace_back("models", model_rows(library));
    if (wanted("stacks")) lists.emplace_back("stacks", stack_rows(library));
    if (wanted("scenarios")) lists.emplace_back("scenarios", file_rows("scenario", library.scenarios));
    if (wanted("runs")) lists.emplace_back("runs", file_rows("published runs", library.published_runs));
    if (wanted("fits")) lists.emplace_back("fits", file_rows("recipes of 'plimsoll fit'", library.fits));
    if (a.kind == "knobs") lists.emplace_back("knobs", knob_rows());
    if (wanted("programmes")) lists.emplace_back("programmes", programme_rows(library));
    if (a.json) {
        std::vector<PresetList> all;
        for (const auto& [kind, rows] : lists) all.push_back(list_of(kind, rows));
        std::cout << to_json(all);
        return exit_ok;
    }
    for (std::size_t i = 0; i < lists.size(); ++i) std::cout << (i ? "\n" : "") << table(lists[i].second);
    return exit_ok;
}

}  // namespace

void add_presets(Program& program) {
    const auto a = std::make_shared<PresetsArguments>();
    CLI::App& command = add_command(program.app, {
        "presets", "Machines, models, stacks, scenarios, published runs and programmes that ship",
        "Lists the machines, models, software stacks, example scenarios, published runs, recipes of 'plimsoll fit' and "
        "profiles of programmes for 'plimsoll propose' at hand, with presets of your own. 'plimsoll presets knobs' "
        "lists what --set and sweeps can turn."});
    command.add_option("kind", a->kind,
        "Only one kind: machines, models, stacks, scenarios, runs, fits, programmes or knobs")
        ->check(CLI::IsMember({"machines", "models", "stacks", "scenarios", "runs", "fits", "programmes", "knobs"}));
    command.add_option("--schema", a->schema,
        "Print the JSON Schema of a file written by hand: model, machine, stack, scenario, fit, published-runs or "
        "programme");
    command.add_flag("--json", a->json, "As JSON");
    command.callback([a, &program] { program.code = run_presets(*a); });
}

}  // namespace plimsoll
