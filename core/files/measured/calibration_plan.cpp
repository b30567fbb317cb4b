#include "core/files/measured/calibration_plan.h"

#include "core/files/presets/scenario_json.h"
#include "core/files/presets/parts.h"
#include "core/values/basics/phrase.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace plimsoll {
namespace {

using namespace files;

constexpr int plan_version = 1;
constexpr std::string_view schema = "plimsoll/calibration-plan";
constexpr std::string_view role_names[] = {"measure", "fit", "held_out", "extra"};
constexpr std::size_t most_runs = 500, most_words = 500, most_constants = 500;
constexpr NumberRange any_count{0, 1e9}, ranks_range{1, 1e6};

constexpr Table constant_fields{
    text<&PlannedConstant::pointer>("pointer"),
    text<&PlannedConstant::label>("label").prose(),
    text<&PlannedConstant::experiment>("experiment"),
    text<&PlannedConstant::why>("why").prose(),
};
static_assert(complete(constant_fields), "every member has a row");

OrderedJson scenario_json(const Scenario& s) { return OrderedJson::parse(write_scenario(s, Library{})); }

OrderedJson run_json(const PlannedRun& run) {
    OrderedJson json{{"id", run.id}, {"label", run.label}, {"role", name_of(run.role)}, {"ranks", run.ranks},
                     {"expected_s", run.expected / second}};
    if (!run.fair) json["fair"] = false;
    if (!run.caution.empty()) json["caution"] = run.caution;
    if (!run.without.empty()) json["without"] = run.without;
    if (!run.repeats.empty()) json["repeats"] = run.repeats;
    json["words"] = run.words;
    if (run.steps == 0) return json;
    json["steps"] = run.steps;
    json["plan"] = scenario_json(run.plan);
    return json;
}

// What it says wrong is said at its place in this file.
void read_plan(const Reader& at, Scenario& s) {
    auto file = read_scenario(at.json().dump(), Library{});
    if (file) {
        s = std::move(file->scenario);
        return;
    }
    for (const Problem& p : file.error())
        if (p.severity == Severity::error) at.findings().error(std::string(at.pointer()).append(p.pointer), p.message);
}

// What a run of a plan may ask of the engine: how to compute and what to measure. No file to read or to write, so
// that whoever follows a plan of somebody else's risks time and nothing else.
constexpr std::string_view run_options[] = {
    "--model", "--layers", "--width", "--heads", "--kv-heads", "--ffn", "--vocabulary", "--sequence",
    "--dp", "--tp", "--pp", "--chunks", "--sp", "--zero", "--recompute", "--micro-batch", "--accumulate", "--overlap",
    "--codec", "--precision", "--optimizer", "--rate", "--steps", "--seed", "--device", "--threads", "--idle-seconds",
    "--memory-limit", "--bench", "--bench-own", "--bench-seconds", "--bench-visits", "--bench-size",
    "--bench-dimension", "--bench-cache"};
constexpr std::string_view scratch_option = "--storage-directory";   // only into the folder of the job

void read_words(const Reader& run, std::vector<std::string>& words) {
    const auto at = run.member("words");
    if (!at) return run.missing("words", phrase("a list of the engine's options"));
    if (!at->array(most_words)) return;
    for (const Reader& word : at->elements()) {
        const std::string text = word.line(longest_name).value_or("");
        const std::string_view option = std::string_view(text).substr(0, text.find('='));
        const bool in_folder = !words.empty() && words.back() == scratch_option;
        if (in_folder && text != ".")
            word.error(
                phrase("found {1}, expected \".\": a run writes into the folder of its job only", in_quotes(text)));
        else if (text.starts_with("--") && text != scratch_option
                 && std::find(std::begin(run_options), std::end(run_options), option) == std::end(run_options))
            word.error(phrase("found {1}, which a run of a plan may not ask of the engine", in_quotes(text))
                       + did_you_mean(option, run_options));
        words.push_back(text);
    }
}

std::string text_of_member(const Reader& at, std::string_view key) {
    const auto member = at.member(key);
    return member ? member->text().value_or("") : std::string();
}

PlannedRun read_run(const Reader& at) {
    PlannedRun run;
    if (!at.object()) return run;
    run.id = text_of_member(at, "id");
    if (run.id.empty()) at.missing("id", phrase("a text"));
    run.label = text_of_member(at, "label");
    run.caution = text_of_member(at, "caution");
    run.without = text_of_member(at, "without");
    run.repeats = text_of_member(at, "repeats");
    if (const auto role = at.member("role"))
        if (const auto index = role->choice(role_names)) run.role = Role(*index);
    if (const auto ranks = at.member("ranks")) run.ranks = ranks->whole(ranks_range).value_or(1);
    if (const auto seconds = at.member("expected_s")) run.expected = seconds->number(not_negative).value_or(0) * second;
    if (const auto fair = at.member("fair")) run.fair = fair->flag().value_or(true);
    if (const auto steps = at.member("steps")) run.steps = steps->whole(any_count).value_or(0);
    read_words(at, run.words);
    if (const auto plan = at.member("plan")) read_plan(*plan, run.plan);
    else if (run.role == Role::fit || run.role == Role::held_out)
        at.missing("plan", phrase("a scenario: what is predicted of it"));
    return run;
}

void read_runs(const Reader& root, ExperimentPlan& plan) {
    const auto runs = root.member("runs");
    if (!runs) return root.missing("runs", phrase("a list of runs"));
    if (!runs->array(most_runs)) return;
    std::set<std::string> seen;
    for (const Reader& at : runs->elements()) {
        plan.runs.push_back(read_run(at));
        if (!seen.insert(plan.runs.back().id).second)
            at.error("id",
                     phrase("a second run {1}: every run has an id of its own", in_quotes(plan.runs.back().id)));
    }
}

ExperimentPlan read_root(const Reader& root) {
    ExperimentPlan plan;
    root.warn_of_keys_beyond(std::array<std::string_view, 10>{"schema", "version", "ranks", "model_note", "machine",
                                                              "stack", "model", "subject", "runs", "constants"});
    if (const auto ranks = root.member("ranks")) plan.ranks = ranks->whole(ranks_range).value_or(1);
    else root.missing("ranks", a_whole_number(ranks_range));
    plan.model_note = text_of_member(root, "model_note");
    if (const auto at = root.member("machine")) read_part(*at, plan.machine);
    else root.missing("machine", phrase("a machine, complete"));
    if (const auto at = root.member("stack")) read_part(*at, plan.engine);
    else root.missing("stack", phrase("a stack, complete"));
    if (const auto at = root.member("model")) read_part(*at, plan.model);
    if (const auto at = root.member("subject")) read_plan(*at, plan.subject);
    read_runs(root, plan);
    if (const auto at = root.member("constants"); at && at->array(most_constants))
        for (const Reader& each : at->elements()) read_fields(constant_fields, each, plan.constants.emplace_back());
    return plan;
}

}  // namespace

std::string_view name_of(Role role) { return role_names[std::size_t(role)]; }

std::string write_calibration_plan(const ExperimentPlan& plan) {
    OrderedJson root{
        {"schema", schema}, {"version", plan_version}, {"ranks", plan.ranks}, {"model_note", plan.model_note}};
    root["machine"] = write_part(plan.machine);
    root["stack"] = write_part(plan.engine);
    root["model"] = write_part(plan.model);
    root["subject"] = scenario_json(plan.subject);
    root["runs"] = json_list(plan.runs, run_json);
    root["constants"] =
        json_list(plan.constants, [](const PlannedConstant& c) { return write_fields(constant_fields, c); });
    return text_of(root);
}

Expected<ExperimentPlan, Problems> read_calibration_plan(std::string_view json, const std::string& file) {
    const DocumentKind kind{schema, plan_version, true, Conflicts::are_warnings};
    return read_document<ExperimentPlan>(
        json, file, kind, [](const Reader& root, ExperimentPlan& plan) { plan = read_root(root); });
}

}  // namespace plimsoll
