// Presets: listed, made from models of others, and written as a framework's job: plimsoll presets, import, launch.
#include "app/commands/command.h"

#include "app/commands/tables.h"
#include "core/files/import/model_import.h"
#include "core/files/import/tensor_plan.h"
#include "core/files/launch/launch.h"
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
    const ProofScore score = score_of(*c);
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

// ---- import

struct ImportArguments {
    std::string file, name, out;
    int tensor_parallel = 1, heads = 0;
    double bytes_per_parameter = 16, memory_gb = 0;
};

std::string shape_of(const TensorCut& c) {
    std::string text;
    for (std::size_t i = 0; i < c.shape.size(); ++i) {
        const std::string side = std::to_string(c.shape[i]);
        text += (i ? " x " : "") + (int(i) == c.axis ? '[' + side + ']' : side);
    }
    return text;
}

void print_tensor_plan(const TensorPlan& plan, double bytes) {
    TextRows rows{{"tensor", "count", "shape, [split]", "split along", "elements", "of one rank"}};
    for (const TensorCut& c : plan.cuts)
        rows.push_back({c.name, std::to_string(c.count), shape_of(c),
                        std::string(say(c.split)) + (c.why.empty() ? "" : " (" + c.why + ")"), say_count(c.elements),
                        say_count(c.per_device)});
    std::cout << table(rows) << "\n";
    std::cout << table(
        {{"over " + std::to_string(plan.ranks) + " tensor-parallel ranks", ""},
         {"parameters", say_count(plan.parameters)},
         {"of one rank", say_count(plan.per_device)},
         {"states of all, " + fixed(bytes, 1) + " B a parameter", fixed(bytes * plan.parameters / 1e9, 1) + " GB"},
         {"states of one rank", fixed(bytes * plan.per_device / 1e9, 2) + " GB"}});
}

// Whether states alone fit; activations come on top.
bool print_whether_it_fits(const TensorPlan& plan, const ImportArguments& a) {
    if (a.memory_gb <= 0) return true;
    const double need = a.bytes_per_parameter * plan.per_device / 1e9;
    std::cout << fixed(need, 2) << " GB of states " << (need <= a.memory_gb ? "fit" : "do not fit") << " a device of "
              << fixed(a.memory_gb, 1) << " GB" << (need <= a.memory_gb ? "; activations come on top.\n" : ".\n");
    return need <= a.memory_gb;
}

int write_preset(const ImportedModel& imported, const std::string& out) {
    if (!imported.model) {
        std::cerr << "No preset is written: see the remarks above.\n";
        return exit_infeasible;
    }
    const auto written = write_atomically(out, write_model(*imported.model));
    if (!written) return refuse(Refusal{exit_failure, say(written.error())});
    std::cout << "\nWrote " << out << ": model \"" << imported.model->id
              << "\". In models/ of a preset folder ($PLIMSOLL_PRESETS) scenarios find it by this id.\n";
    return exit_ok;
}

int run_import(const ImportArguments& a) {
    const auto text = read_text(a.file);
    if (!text) return refuse(Refusal{exit_invalid_file, say(text.error())});
    const auto imported = import_model(*text, {a.file, a.name, a.heads});
    if (!imported) return refuse(Refusal{exit_invalid_file, say(imported.error())});
    std::cerr << say(imported->remarks);
    const int head_dim = imported->model && !has_latent_attention(*imported->model) ? imported->model->head_dim : 0;
    const TensorPlan plan = tensor_plan(imported->shapes, a.tensor_parallel, head_dim);
    print_tensor_plan(plan, a.bytes_per_parameter);
    const bool fits = print_whether_it_fits(plan, a);
    if (!a.out.empty())
        if (const int code = write_preset(*imported, a.out); code != exit_ok) return code;
    return fits ? exit_ok : exit_infeasible;
}

// ---- launch

struct LaunchArguments {
    PlanArguments plan;
    std::string framework = "megatron";
};

int run_launch(const LaunchArguments& a) {
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    const auto script = launch_script(*plan, *framework_from(a.framework));
    if (script) {
        std::cout << *script;
        return exit_ok;
    }
    for (const std::string& why : script.error()) std::cerr << why << "\n";
    return exit_infeasible;
}

}  // namespace

void add_presets(Program& program) {
    const auto a = std::make_shared<PresetsArguments>();
    CLI::App& command = add_command(program.app, {
        "presets", "Machines, models, stacks, scenarios, published runs and programmes that ship",
        "Lists the machines, models, software stacks, example scenarios, published runs, recipes of 'plimsoll fit' and "
        "profiles of programmes for 'plimsoll propose' at hand, with presets of your own."});
    command.add_option("kind", a->kind, "Only one kind: machines, models, stacks, scenarios, runs, fits or programmes")
        ->check(CLI::IsMember({"machines", "models", "stacks", "scenarios", "runs", "fits", "programmes"}));
    command.add_option("--schema", a->schema,
        "Print the JSON Schema of a file written by hand: model, machine, stack, scenario, fit, published-runs or "
        "programme");
    command.add_flag("--json", a->json, "As JSON");
    command.callback([a, &program] { program.code = run_presets(*a); });
}

void add_import(Program& program) {
    const auto a = std::make_shared<ImportArguments>();
    CLI::App& command = add_command(program.app, {
        "import", "A model from Hugging Face's config.json or from the shapes of its weights",
        "Prints every tensor with its shape and how tensor parallelism splits it. --out writes a model preset."});
    command.add_option("file", a->file, "config.json, {\"name\": [rows, columns]} or a safetensors header")
        ->required()->type_name(file_value);
    command.add_option("--tensor", a->tensor_parallel, "Tensor-parallel ranks to cut the weights over")
        ->check(CLI::Range(1, 16384));
    command.add_option("--heads", a->heads, "Attention heads; the shapes of weights do not tell them")
        ->check(CLI::Range(1, 65536));
    command.add_option("--bytes", a->bytes_per_parameter, "Model-state bytes per parameter")
        ->check(CLI::PositiveNumber);
    command.add_option("--memory-GB", a->memory_gb, "Also say whether the model states fit a device of this memory")
        ->check(CLI::PositiveNumber);
    command.add_option("--name", a->name, "Name of the model");
    command.add_option("--out", a->out, "File for a model preset that scenarios can use")->type_name(file_value);
    command.callback([a, &program] { program.code = run_import(*a); });
}

void add_launch(Program& program) {
    const auto a = std::make_shared<LaunchArguments>();
    CLI::App& command = add_command(program.app, {
        "launch", "A job script of the plan, with the framework's flags or JSON",
        "Paths of data, tokenizer and checkpoints are left to you, as shell variables of the script."});
    add_plan(command, a->plan);
    command.add_option("--framework", a->framework, "megatron, deepspeed or fsdp")
        ->check(CLI::IsMember({"megatron", "deepspeed", "fsdp"}));
    command.callback([a, &program] { program.code = run_launch(*a); });
}

}  // namespace plimsoll
