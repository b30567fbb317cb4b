#include "core/files/results/runs_json.h"

#include "core/files/presets/scenario_json.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace plimsoll {

namespace {

using Json = nlohmann::json;

Problem problem(const std::string& file, const std::string& pointer, const std::string& message) {
    return {Severity::error, file, pointer, message};
}

constexpr std::pair<const char*, Published> quantities[] = {
    {"seconds", Published::step_seconds},
    {"hardware_TFLOPS", Published::hardware_rate},
    {"model_TFLOPS", Published::model_rate},
};

bool read_published(const Json& row, PublishedRun& run) {
    const auto published = row.find("published");
    if (published == row.end() || !published->is_object()) return false;
    for (const auto& [key, quantity] : quantities)
        if (const auto value = published->find(key); value != published->end() && value->is_number() && *value > 0) {
            run.quantity = quantity;
            run.value = *value;
            return true;
        }
    return false;
}

std::string text(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

void read_row(const Json& common, const Json& row, std::size_t index, const Library& library, const std::string& file,
              RunSet& set, Problems& problems) {
    const std::string pointer = "/rows/" + std::to_string(index);
    PublishedRun run;
    run.id = text(row, "id");
    run.note = text(row, "note");
    if (!read_published(row, run)) {
        problems.push_back(problem(file, pointer + "/published", "expected one of seconds, hardware_TFLOPS, model_TFLOPS above 0"));
        return;
    }
    Json plan = common;
    plan.merge_patch(row);
    for (const char* key : {"id", "note", "published"}) plan.erase(key);
    plan["schema"] = "plimsoll/scenario";
    plan["version"] = 1;
    plan["name"] = run.id;
    const auto scenario = read_scenario(plan.dump(), library, file);
    if (!scenario) {
        for (Problem p : scenario.error()) problems.push_back(problem(file, pointer + p.pointer, p.message));
        return;
    }
    run.scenario = scenario->scenario;
    set.runs.push_back(std::move(run));
}

}  // namespace

Expected<RunSet, Problems> read_runs(std::string_view json, const Library& library, const std::string& file) {
    const Json root = Json::parse(json, nullptr, false);
    if (!root.is_object() || text(root, "schema") != "plimsoll/runs" || root.value("version", Json()) != Json(1))
        return Unexpected{Problems{problem(file, "", "expected a JSON object with schema plimsoll/runs, version 1")}};
    RunSet set;
    set.id = text(root, "id");
    set.title = text(root, "title");
    const Json source = root.value("source", Json::object());
    set.source = {SourceKind::measured, text(source, "text")};
    Problems problems;
    const Json rows = root.value("rows", Json::array()), common = root.value("common", Json::object());
    for (std::size_t i = 0; i < rows.size(); ++i) read_row(common, rows[i], i, library, file, set, problems);
    if (!problems.empty()) return Unexpected{std::move(problems)};
    return set;
}

}  // namespace plimsoll
