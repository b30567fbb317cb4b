#pragma once
// Every reader of a file, and what it promises of any bytes at all: it answers with a value or with problems, and what
// it accepts is written so that it reads the same, and can be worked with.
//
//   for (const ReaderOfFiles& r : readers_of_files()) r.try_text(bytes);   // throws BrokenPromise
//
// The fuzzer (fuzz_readers.cpp) finds the bytes by coverage, tests/core/files/tst_mutated_files.cpp by damaging files
// that are right.
#include "core/answers/campaign/headline.h"
#include "core/answers/strategies/per_layer.h"
#include "core/evidence/operators/operator_score.h"
#include "core/evidence/published/score.h"
#include "core/files/import/framework_import.h"
#include "core/files/import/layer_profile.h"
#include "core/files/import/model_import.h"
#include "core/files/import/tensor_plan.h"
#include "core/files/measured/calibration_plan.h"
#include "core/files/measured/calibration_log.h"
#include "core/files/measured/job_energy.h"
#include "core/files/measured/measured_steps.h"
#include "core/files/presets/library.h"
#include "core/files/presets/preset_json.h"
#include "core/files/presets/scenario_json.h"
#include "core/files/presets/space_json.h"
#include "core/files/presets/unsaved_json.h"
#include "core/files/presets/workspace_json.h"
#include "core/files/results/anchor_json.h"
#include "core/files/results/fit_recipe.h"
#include "core/files/results/left_out_json.h"
#include "core/files/results/log_run.h"
#include "core/files/results/operator_rows.h"
#include "core/files/results/published_runs.h"
#include "core/files/results/track_record.h"
#include "core/papers/galvatron.h"
#include "core/values/knobs/knobs.h"

#include <cmath>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace plimsoll::testing {

struct BrokenPromise : std::logic_error {
    using std::logic_error::logic_error;
};
inline void require(bool holds, const std::string& promise) {
    if (!holds) throw BrokenPromise(promise);
}

// The presets of the plan itself, so that ids resolve without a disk.
inline const Library& presets_of_fuzzer() {
    static const Library all = [] {
        Library l;
        Model m;
        m.id = "model";
        l.models[m.id] = m;
        Machine machine;
        machine.id = "machine";
        machine.device.memory = 80 * gibibyte;
        machine.device.bandwidth = 2000 * gigabyte / second;
        machine.device.bf16 = 300 * teraflop / second;
        Level system;
        system.name = "system";
        system.bandwidth = 10 * gigabyte / second;
        machine.levels = {system};
        l.machines[machine.id] = machine;
        Stack stack;
        stack.id = "stack";
        l.stacks[stack.id] = stack;
        return l;
    }();
    return all;
}

// What ids stand for; a test with the shipped presets at hand sets them.
inline const Library*& presets_of_readers() {
    static const Library* presets = &presets_of_fuzzer();
    return presets;
}

// Whether there is a value; else there are reasons why not.
template <class Read>
bool accepted(const Read& read) {
    if (read.has_value()) return true;
    require(has_errors(read.error()), "a refused file has an error");
    for (const Problem& p : read.error()) require(!p.message.empty(), "an error says why");
    return false;
}

template <class Read, class Write, class Part, class File>
bool try_preset(std::string_view text, Read read, Write write, Part File::*part) {
    const auto first = read(text, "fuzz");
    if (!accepted(first)) return false;
    const auto again = read(write((*first).*part), "fuzz");
    require(again.has_value() && (*again).*part == (*first).*part, "what is written reads the same");
    return true;
}
inline bool try_machine(std::string_view text) {
    return try_preset(text, read_machine, write_machine, &MachineFile::machine);
}
inline bool try_model(std::string_view text) { return try_preset(text, read_model, write_model, &ModelFile::model); }
inline bool try_stack(std::string_view text) { return try_preset(text, read_stack, write_stack, &StackFile::stack); }

inline void try_estimate(const Scenario& plan) {
    const Outcome o = estimate(plan);
    require(o.has_value() || !o.error().empty(), "a plan without an estimate has an obstacle");
    if (!o) return;
    for (const auto& part : step_parts)
        require(std::isfinite(o->step.*part.value / second), "every part of a step is a number");
    for (const MemoryUse& stage : o->stages) require(std::isfinite(stage.total() / byte), "memory is a number");
    require(std::isfinite(headline(plan, *o).mfu), "the MFU is a number");
}

inline bool try_scenario(std::string_view text) {
    const Library& presets = *presets_of_readers();
    const auto first = read_scenario(text, presets, "fuzz");
    if (!accepted(first)) return false;
    const std::string written = write_scenario(first->scenario, presets, first->extra_json);
    const auto again = read_scenario(written, presets, "fuzz");
    require(again.has_value() && again->scenario == first->scenario, "a saved plan opens as it was");
    require(again->extra_json == first->extra_json, "unknown keys are kept");
    try_estimate(first->scenario);
    return true;
}

inline bool try_import(std::string_view text) {
    const auto imported = import_model(text, {"fuzz.json", "", 8});
    if (!accepted(imported)) return false;
    const TensorPlan plan = tensor_plan(imported->shapes, 4);
    require(plan.per_device <= plan.parameters + 4 * double(imported->shapes.tensors.size()) * plan.parameters,
            "a cut never grows without bound");
    if (!imported->model) return true;
    const auto again = read_model(write_model(*imported->model), "fuzz");
    require(again.has_value() && again->model == *imported->model, "an imported model is a preset");
    return true;
}

inline bool try_published_rows(std::string_view text) {
    const auto rows = read_published_rows(text, "fuzz");
    if (!accepted(rows)) return false;
    const Score s = score(*rows, row_presets(*presets_of_readers()));
    for (const ScoredRow& row : s.rows)
        require(!row.excluded.empty() || std::isfinite(row.error), "a row that counts has an error in percent");
    return true;
}

inline bool try_fit_recipe(std::string_view text) {
    const Library& presets = *presets_of_readers();
    return accepted(read_fit_recipe(text, presets.machines, presets.stacks, "fuzz"));
}

inline bool try_operator_rows(std::string_view text) {
    const auto rows = read_operator_rows(text, "fuzz");
    if (!accepted(rows)) return false;
    score_operators(*rows, presets_of_readers()->machines);
    return true;
}

inline bool try_left_out(std::string_view text) {
    const auto first = read_left_out(text, "fuzz");
    if (!accepted(first)) return false;
    require(read_left_out(write_left_out(*first), "fuzz").has_value(), "left-out errors read as written");
    return true;
}

inline bool try_anchors(std::string_view text) {
    const Library& presets = *presets_of_readers();
    const auto runs = read_measured_runs(text, presets, "fuzz");
    if (!accepted(runs)) return false;
    for (const MeasuredRun& run : *runs) anchor_of(run);
    const auto again = read_measured_runs(write_measured_runs(*runs, presets), presets, "fuzz");
    require(again.has_value() && again->size() == runs->size(), "measured runs read as written");
    return true;
}

inline bool try_space(std::string_view text) { return accepted(read_space(text, "fuzz")); }

inline bool try_unsaved(std::string_view text) {
    const auto first = read_unsaved(text, "fuzz");
    if (!accepted(first)) return false;
    const auto again = read_unsaved(write_unsaved(*first), "fuzz");
    require(again.has_value() && *again == *first, "unsaved changes read as written");
    return true;
}

inline bool try_workspace(std::string_view text) {
    const Library& presets = *presets_of_readers();
    const auto first = read_workspace(text, presets, "fuzz");
    if (!accepted(first)) return false;
    std::vector<std::string> plans;
    for (const ScenarioFile& plan : first->plans)
        plans.push_back(write_scenario(plan.scenario, presets, plan.extra_json));
    const auto again = read_workspace(write_workspace(plans, first->shown), presets, "fuzz");
    require(again.has_value() && again->plans.size() == plans.size() && again->shown == first->shown,
            "a workspace reads as written");
    return true;
}

inline bool try_calibration_plan(std::string_view text) {
    const auto first = read_calibration_plan(text, "fuzz");
    if (!accepted(first)) return false;
    require(read_calibration_plan(write_calibration_plan(*first), "fuzz").has_value(),
            "a calibration's plan reads as written");
    return true;
}

// A log of lines: of a training run, and of a calibration as far as its plan can be read.
inline bool try_engine_log(std::string_view text) {
    CalibrationLog log;
    take_all_lines(text, log, log.engine);
    log.state();
    log.engine.state();
    log.engine.typical_step();
    if (!log.plan.empty())
        if (const auto result = result_of(log); accepted(result))
            write_calibration_result(result->record, result->energy);
    return !has_errors(log.engine.problems);
}

inline bool try_measured_steps(std::string_view text) { return accepted(read_measured_steps(text, "fuzz")); }

inline bool try_training_log(std::string_view text) {
    auto log = read_training_log(text, "fuzz");
    if (!accepted(log)) return false;
    require(!say_counting(*log).empty(), "which steps count is said");
    const auto kept = std::make_shared<const TrainingLog>(*std::move(log));
    const NamedText one{"fuzz.log", {}, kept};
    const auto imported = import_plan({&one, 1}, *presets_of_readers());
    if (!imported) return true;
    rows_beside(*kept, imported->plan);
    doubts_of(*kept, imported->plan);
    return true;
}

inline bool try_job_energy(std::string_view text) {
    const auto energy = read_job_energy(text);
    if (!accepted(energy)) return false;
    require(!say(*energy).empty(), "joules, or why there are none");
    return true;
}

inline bool try_layer_profile(std::string_view text) {
    const auto profile = parse_layer_profile(text, "fuzz");
    if (!accepted(profile)) return false;
    const auto calibration = at_length(*profile, 4096);
    if (!calibration) return true;
    PerLayerQuestion question;
    question.space = {.devices = 8, .layers = 4, .widest = 8};
    question.batches = {16};
    question.memory = 24 * gibibyte;
    const PerLayer found = best_per_layer(question, profiled_prices(*calibration, {4096, 4096, 8}));
    require(!found.best || found.best->throughput() > 0, "the best of a profile has a throughput");
    return true;
}

// A configuration of a training framework in one syntax, which the name of the file tells.
inline bool try_configuration(const char* file, std::string_view text) {
    const Library& presets = *presets_of_readers();
    const NamedText one{file, std::string(text)};
    const auto imported = import_plan({&one, 1}, presets);
    if (!accepted(imported)) return false;
    rows_of(*imported, true);
    const auto again = read_scenario(write_scenario(imported->plan, presets), presets, "fuzz");
    require(again.has_value() && again->scenario == imported->plan, "an imported plan is saved and opens as it was");
    try_estimate(imported->plan);
    return true;
}
inline bool try_yaml(std::string_view text) { return try_configuration("fuzz.yaml", text); }
inline bool try_toml(std::string_view text) { return try_configuration("fuzz.toml", text); }
inline bool try_arguments(std::string_view text) { return try_configuration("fuzz.sh", text); }
inline bool try_python(std::string_view text) { return try_configuration("fuzz.py", text); }
inline bool try_deepspeed(std::string_view text) { return try_configuration("fuzz.json", text); }

// What stands behind --set: KNOB=VALUE.
inline bool try_setting(std::string_view text) {
    const auto equals = std::min(text.find('='), text.size());
    const std::string_view id = text.substr(0, equals), value = text.substr(std::min(equals + 1, text.size()));
    const Knob* knob = find_knob(id);
    if (!knob) {
        nearest_knobs(id);
        return false;
    }
    const auto read = parse_value(*knob, value);
    require(read.has_value() || !read.error().empty(), "a refused value has a reason");
    if (!read) return false;
    const auto& presets = *presets_of_readers();
    Scenario plan;
    plan.model = presets.models.begin()->second;
    plan.machine = presets.machines.begin()->second;
    plan.stack = presets.stacks.begin()->second;
    const auto turned = with(plan, *knob, *read);
    if (turned) try_estimate(*turned);
    return turned.has_value();
}

struct ReaderOfFiles {
    const char* name;
    bool (*try_text)(std::string_view);   // whether it was accepted
};

// In the order of the letters by which tests/fuzz/run.sh names them: a, b, c, ...
inline std::span<const ReaderOfFiles> readers_of_files() {
    static constexpr ReaderOfFiles all[] = {
        {"machine", try_machine},                      // a
        {"model", try_model},                          // b
        {"stack", try_stack},                          // c
        {"plan", try_scenario},                        // d
        {"config.json", try_import},                   // e
        {"published runs", try_published_rows},        // f
        {"fit", try_fit_recipe},                       // g
        {"operators", try_operator_rows},              // h
        {"left-out errors", try_left_out},             // i
        {"anchors", try_anchors},                      // j
        {"search space", try_space},                   // k
        {"unsaved changes", try_unsaved},              // l
        {"calibration plan", try_calibration_plan},    // m
        {"engine log", try_engine_log},                // n
        {"measured steps", try_measured_steps},        // o
        {"sacct", try_job_energy},                     // p
        {"layer profile", try_layer_profile},          // q
        {"setting", try_setting},                      // r
        {"configuration in YAML", try_yaml},           // s
        {"configuration in TOML", try_toml},           // t
        {"arguments", try_arguments},                  // u
        {"recipe in Python", try_python},              // v
        {"configuration in JSON", try_deepspeed},      // w
        {"workspace", try_workspace},                  // x
        {"training log", try_training_log},            // y
    };
    return all;
}

}  // namespace plimsoll::testing
