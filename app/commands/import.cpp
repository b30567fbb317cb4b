// From other programs and to them: plimsoll import, launch.
#include "app/commands/command.h"

#include "app/commands/tables.h"
#include "core/answers/plan/estimate.h"
#include "core/files/import/framework_import.h"
#include "core/files/import/model_import.h"
#include "core/files/import/tensor_plan.h"
#include "core/files/launch/launch.h"
#include "core/files/presets/plan_link.h"
#include "core/files/presets/preset_json.h"
#include "core/files/presets/scenario_json.h"
#include "core/files/results/log_run.h"
#include "core/files/text/disk.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/knobs.h"
#include "core/values/knobs/wording.h"

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace plimsoll {

namespace {

// ---- A model

struct ImportArguments {
    std::vector<std::string> files;
    std::string name, out, machine, recipe, anchor_out;
    int tensor_parallel = 1, heads = 0, devices = 0;
    bool all = false;
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

int import_a_model(const NamedText& file, const ImportArguments& a) {
    const auto imported = import_model(file.text, {file.file, a.name, a.heads});
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

// ---- A plan

// What a log measured, beside the plan where there is one.
int print_log(const TrainingLog& log, const Scenario* plan, const ImportArguments& a) {
    std::cout << "\nA log of " << say(log.dialect) << ". " << joined(say_counting(log), " ") << "\n";
    if (!plan) {
        if (const auto step = log.step())
            std::cout << "Step time: " << significant(*step / second, 4) << " s\n";
        for (const LogMemory& m : log.memory)
            std::cout << "Memory, " << say(m.kind) << ": " << fixed(m.most / gibibyte, 1) << " GiB\n";
        std::cout << "It does not say which model ran: give the script or the configuration with it.\n";
        return exit_ok;
    }
    TextRows rows{{"", "measured", "predicted", "difference"}};
    for (auto& row : rows_beside(log, *plan)) rows.push_back(std::move(row));
    if (rows.size() > 1) std::cout << "\n" << table(rows);
    for (const std::string& each : doubts_of(log, *plan)) std::cout << each << "\n";
    if (!step_of(log, *plan)) return exit_ok;
    if (a.anchor_out.empty()) {
        std::cout << "--anchor-out FILE keeps it as a measured run, for --anchor of every command.\n";
        return exit_ok;
    }
    const auto written =
        write_atomically(a.anchor_out, write_measured_runs({measured_run(log, *plan)}, shipped_library()));
    if (!written) return refuse(Refusal{exit_failure, say(written.error())});
    std::cout << "Wrote " << a.anchor_out << "\n";
    return exit_ok;
}

int import_a_plan(std::vector<NamedText> files, const ImportArguments& a) {
    const Library& library = shipped_library();
    // DeepSpeed's configuration does not say what is trained; Hugging Face's file beside it does.
    const std::filesystem::path beside = std::filesystem::path(files.front().file).parent_path() / "config.json";
    std::error_code none;
    if (files.size() == 1 && files.front().file.ends_with(".json") && std::filesystem::exists(beside, none))
        if (auto text = read_text(beside); text && text->find("\"model_type\"") != std::string::npos)
            files.push_back({beside.string(), *std::move(text)});
    const auto imported = import_plan(files, library, {a.machine, a.devices, a.recipe, a.name});
    if (!imported) return refuse(Refusal{exit_invalid_file, say(imported.error())});
    TextRows rows{{"", "setting", "value", "what became of it", "where"}};
    for (auto& row : rows_of(*imported, a.all)) rows.push_back(std::move(row));
    std::cout << "Read as a configuration of " << say(imported->dialect) << ".\n\n" << table(rows) << "\n"
              << say_plan(imported->plan) << "\n";
    for (const std::string& why : imported->obstacles) std::cout << "Stands in its way: " << why << "\n";
    for (const NamedText& file : files)
        if (file.log)
            if (const int code = print_log(*file.log, &imported->plan, a); code != exit_ok) return code;
    if (a.out.empty()) {
        std::cout << "--out FILE writes the plan.\n";
        return exit_ok;
    }
    const auto written = write_atomically(a.out, write_scenario(imported->plan, library));
    if (!written) return refuse(Refusal{exit_failure, say(written.error())});
    std::cout << "Wrote " << a.out << "\n";
    return exit_ok;
}

int run_import(const ImportArguments& a) {
    std::vector<NamedText> files;
    bool configured = false;
    for (const std::string& name : a.files) {
        if (is_training_log(name)) {
            auto log = load_training_log(name);
            if (!log) return refuse(Refusal{exit_invalid_file, say(log.error())});
            files.push_back({name, {}, std::make_shared<const TrainingLog>(*std::move(log))});
            continue;
        }
        auto text = read_text(name);
        if (!text) return refuse(Refusal{exit_invalid_file, say(text.error())});
        configured |= is_framework_configuration(name, *text);
        files.push_back({name, *std::move(text)});
    }
    const auto logs = std::ranges::count_if(files, [](const NamedText& f) { return f.log != nullptr; });
    if (logs > 1) return refuse(Refusal{exit_usage, "one log at a time: each is a measured run of its own\n"});
    if (logs == 1 && files.size() == 1 && !states_model(*files.front().log))
        return print_log(*files.front().log, nullptr, a);
    if (configured || logs == 1) return import_a_plan(std::move(files), a);
    if (files.size() == 1) return import_a_model(files.front(), a);
    return refuse(Refusal{exit_usage, "several files make a plan only where one of them is a training framework's "
                                      "configuration\n"});
}

// ---- launch

struct LaunchArguments {
    PlanArguments plan;
    std::string framework, check;
};

// "Tensor parallel: 8 in the plan, 4 in the script", for what every script says. Whether there were any.
bool print_differences(const Scenario& plan, const Scenario& script) {
    bool any = false;
    for (const Knob& k : knobs()) {
        const bool said = k.id.starts_with("layout.") || k.id.starts_with("recipe.") || k.id == "nodes";
        const bool left_out = k.id.starts_with("recipe.checkpoint") || k.id.starts_with("recipe.optimizer_options")
                           || !idle_reason(k, plan).empty();
        const double ours = k.get(plan), theirs = k.get(script);
        if (!said || left_out || ours == theirs) continue;
        any = true;
        std::cout << "  " << k.label << ": " << format_value(k, ours) << " in the plan, " << format_value(k, theirs)
                  << " in the script\n";
    }
    return any;
}

int check_script(const Scenario& plan, const std::string& file) {
    const auto script = read_text(file);
    if (!script) return refuse(Refusal{exit_invalid_file, say(script.error())});
    const auto link = link_in(*script);
    if (!link)
        return refuse(Refusal{exit_invalid_file, file + ": names no plan; scripts of 'plimsoll launch' have a line "
                                                        "\"# plimsoll plan sha256:...\"\n"});
    const NamedText text{file, *script};
    const auto imported = import_plan({&text, 1}, shipped_library(), {});
    const std::string ours = plan_fingerprint(plan);
    const bool same = link->plan == ours;
    if (same) std::cout << file << " was made from this plan, " << ours << ".\n";
    else
        std::cout << file << " was made from another plan.\n  this plan:    " << ours << "\n  the script's: "
                  << link->plan << "\n";
    if (!imported) return same ? exit_ok : exit_infeasible;
    // Below the line that names the plan a script may have been changed by hand.
    const bool differs = print_differences(plan, imported->plan);
    if (differs && same) std::cout << "It was changed since: what it starts is not what was planned.\n";
    if (!differs && !same) std::cout << "What it starts is laid out alike; model, machine or software differ.\n";
    return same && !differs ? exit_ok : exit_infeasible;
}

int run_launch(const LaunchArguments& a) {
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    if (!a.check.empty()) return check_script(*plan, a.check);
    const Framework framework = framework_from(a.framework)
                                    .value_or(usual_framework(*plan).value_or(Framework::megatron));
    const auto script = launch_script(*plan, framework);
    if (script) {
        std::cout << *script;
        return exit_ok;
    }
    for (const std::string& why : script.error()) std::cerr << why << "\n";
    return exit_infeasible;
}

}  // namespace

void add_import(Program& program) {
    const auto a = std::make_shared<ImportArguments>();
    CLI::App& command = add_command(program.app, {
        "import", "A plan from a training framework's configuration, or a model from Hugging Face's",
        "Reads Megatron-LM's arguments (a shell script or YAML), recipes of NeMo and Megatron-Bridge (YAML, or the "
        "plain assignments of a Python file, which is not executed), torchtitan's TOML, DeepSpeed's JSON with the "
        "model's config.json, Primus' YAML and the scripts of 'plimsoll launch'. Prints what became of every setting: "
        "taken, assumed, missing, not understood. --out writes the plan.\n\n"
        "Of a log, alone or with its script, it also tells the step time, which steps count, the memory by what the "
        "figure counts, and both beside the prediction. Logs of Megatron-LM, Megatron-Bridge, NeMo, Primus, "
        "torchtitan, DeepSpeed, Hugging Face Trainer, axolotl, torchtune, nanotron, LLM Foundry, MaxText and Levanter "
        "are read, of any length. Where log and script differ the log is what ran.\n\n"
        "Of config.json, or the shapes of a model's weights, it prints every tensor and how tensor parallelism splits "
        "it; --out writes a model preset."});
    command.add_option("files", a->files,
        "A framework's configuration and what it refers to, and the log of a run; or config.json, "
        "{\"name\": [rows, columns]} or a safetensors header")->required()->type_name(file_value);
    command.add_option("--machine", a->machine, "Machine of the plan: id of a preset; configurations do not name it");
    command.add_option("--devices", a->devices, "Devices of the plan, where the configuration does not say")
        ->check(CLI::Range(1, 1 << 24));
    command.add_option("--recipe", a->recipe, "Function of a Python file that has several recipes");
    command.add_flag("--all", a->all, "List settings that change neither time nor memory too");
    command.add_option("--tensor", a->tensor_parallel, "Of a model: tensor-parallel ranks to cut the weights over")
        ->check(CLI::Range(1, 16384));
    command.add_option("--heads", a->heads, "Of a model: attention heads; the shapes of weights do not tell them")
        ->check(CLI::Range(1, 65536));
    command.add_option("--bytes", a->bytes_per_parameter, "Of a model: model-state bytes per parameter")
        ->check(CLI::PositiveNumber);
    command.add_option("--memory-GB", a->memory_gb,
        "Of a model: also say whether the model states fit a device of this memory")->check(CLI::PositiveNumber);
    command.add_option("--name", a->name, "Name of the plan or model");
    command.add_option("--anchor-out", a->anchor_out, "Of a log: file for the measured run, which --anchor takes")
        ->type_name(file_value);
    command.add_option("--out", a->out, "File for the plan, or for a model preset that scenarios can use")
        ->type_name(file_value);
    command.callback([a, &program] { program.code = run_import(*a); });
}

void add_launch(Program& program) {
    const auto a = std::make_shared<LaunchArguments>();
    CLI::App& command = add_command(program.app, {
        "launch", "A job script of the plan, with the framework's flags or configuration",
        "Paths of data, tokenizer and checkpoints are left to you, as shell variables of the script. The script names "
        "the plan it was made from, in a comment and in $PLIMSOLL_PLAN; --check says whether that is this plan."});
    add_plan(command, a->plan);
    const auto names = framework_names();
    command.add_option("--framework", a->framework,
        "megatron, deepspeed, fsdp, torchtitan, bridge (Megatron-Bridge) or trainer (Hugging Face); of fine-tuning "
        "torchtune, axolotl or bridge. Without it megatron, of fine-tuning that of the plan's software")
        ->check(CLI::IsMember(std::vector<std::string>(names.begin(), names.end())));
    command.add_option("--check", a->check,
        "A job script: say whether it was made from this plan; the exit code is 3 if not")->type_name(file_value);
    command.callback([a, &program] { program.code = run_launch(*a); });
}

}  // namespace plimsoll
