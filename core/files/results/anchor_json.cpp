#include "core/files/results/anchor_json.h"

#include "core/files/presets/parts.h"
#include "core/files/presets/scenario_json.h"
#include "core/files/results/track_record.h"
#include "core/files/text/disk.h"
#include "core/values/basics/phrase.h"

#include <array>

namespace plimsoll {
namespace {

using namespace files;

constexpr std::string_view anchors_schema = "plimsoll/anchors";
constexpr std::array<std::string_view, 6> anchor_keys{"name",       "plan",        "step_seconds",
                                                      "memory_GiB", "memory_kind", "step_scatter"};
constexpr std::size_t most_anchors = 1000;

std::optional<MeasuredRun> measured_run(const Reader& at, const Library& library) {
    if (!at.object()) return std::nullopt;
    MeasuredRun run;
    at.warn_of_keys_beyond(anchor_keys);
    if (const auto name = at.member("name")) run.name = name->text().value_or("");
    if (const auto step = at.member("step_seconds"))
        if (const auto v = step->number(positive)) run.step = *v * second;
    if (const auto memory = at.member("memory_GiB"))
        if (const auto v = memory->number(positive)) run.memory = *v * gibibyte;
    if (const auto kind = at.member("memory_kind"))
        if (const auto v = kind->choice(names_of<MemoryKind>())) run.memory_kind = MemoryKind(*v);
    if (const auto scatter = at.member("step_scatter")) run.scatter = scatter->number({0, 1}).value_or(0);
    auto plan = read_member_plan(at, library);
    if (!plan) return std::nullopt;
    run.plan = *std::move(plan);
    return run;
}

Expected<std::vector<Anchor>, Problems> anchors_of(const std::vector<MeasuredRun>& runs, const std::string& file) {
    std::vector<Anchor> all;
    Problems problems;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        auto anchor = anchor_of(runs[i]);
        if (anchor) all.push_back(*std::move(anchor));
        else problems.push_back({Severity::error, file, "/anchors/" + std::to_string(i), anchor.error()});
    }
    if (!problems.empty()) return Unexpected{std::move(problems)};
    return all;
}

// Rows of a table, as 'plimsoll validate' scores them.
std::vector<Anchor> anchors_of(const RunFile& file) {
    std::map<std::string, Anchor> by_id;
    std::vector<std::string> order;
    const auto anchor_at = [&](const ScoredRow& r) -> Anchor& {
        const auto [at, fresh] = by_id.try_emplace(r.id, Anchor{r.id, r.plan, {}, {}});
        if (fresh) order.push_back(r.id);
        return at->second;
    };
    for (const ScoredRow& r : file.rows)
        if (r.excluded.empty()) anchor_at(r).time_error = r.error;
    for (const ScoredRow& r : file.memory_rows)
        if (r.excluded.empty()) {
            anchor_at(r).memory_error = r.error;
            anchor_at(r).memory_kind = r.memory.kind;
        }
    std::vector<Anchor> all;
    for (const std::string& id : order) all.push_back(by_id.at(id));
    return all;
}

}  // namespace

Expected<Anchor, std::string> anchor_of(const MeasuredRun& run) {
    auto anchor = anchor_of(run.name.empty() ? "a measured run" : run.name, run.plan, run.step, run.memory,
                            run.memory_kind);
    if (anchor) anchor->scatter = run.scatter;
    return anchor;
}

std::string write_measured_runs(const std::vector<MeasuredRun>& runs, const Library& library) {
    OrderedJson list = OrderedJson::array();
    for (const MeasuredRun& run : runs) {
        OrderedJson one{{"name", run.name}, {"plan", OrderedJson::parse(write_scenario(run.plan, library))}};
        if (run.step) one["step_seconds"] = number_json(*run.step / second);
        if (run.memory) one["memory_GiB"] = number_json(*run.memory / gibibyte);
        if (run.memory && run.memory_kind != MemoryKind::reserved) one["memory_kind"] = name_of(run.memory_kind);
        if (run.scatter > 0) one["step_scatter"] = number_json(run.scatter);
        list.push_back(std::move(one));
    }
    return text_of({{"schema", anchors_schema}, {"version", preset_version}, {"anchors", list}});
}

Expected<std::vector<MeasuredRun>, Problems> read_measured_runs(std::string_view text, const Library& library,
                                                                const std::string& file) {
    using Runs = std::vector<MeasuredRun>;
    return read_document<Runs>(text, file, {anchors_schema, preset_version}, [&](const Reader& root, Runs& runs) {
        if (const auto list = root.member("anchors"); !list) root.missing("anchors", phrase("a list of measured runs"));
        else if (list->array(most_anchors))
            for (const Reader& each : list->elements())
                if (auto run = measured_run(each, library)) runs.push_back(*std::move(run));
    });
}

Expected<std::vector<Anchor>, Problems> read_anchors(const std::filesystem::path& path, const Library& library) {
    const auto text = read_text(path);
    if (!text) return Unexpected{text.error()};
    const auto first = text->find_first_not_of(" \t\r\n");
    if (first != std::string::npos && (*text)[first] == '[') {
        const auto file = read_run_file(path, library);
        if (!file) return Unexpected{file.error()};
        return anchors_of(*file);
    }
    const auto runs = read_measured_runs(*text, library, path.string());
    if (!runs) return Unexpected{runs.error()};
    return anchors_of(*runs, path.string());
}

}  // namespace plimsoll
