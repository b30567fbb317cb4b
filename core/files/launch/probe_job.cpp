#include "core/files/launch/probe_job.h"

#include "core/answers/plan/estimate.h"
#include "core/files/launch/framework_flags.h"
#include "core/files/presets/parts.h"
#include "core/files/presets/scenario_json.h"
#include "core/values/basics/fingerprint.h"
#include "core/values/basics/foreign_text.h"
#include "core/values/basics/phrase.h"

#include <algorithm>
#include <array>

namespace plimsoll {

namespace {

using namespace files;

constexpr std::string_view probes_schema = "plimsoll/probes";
constexpr std::array<std::string_view, 5> probe_keys{"plan", "predicted_step_s", "limits", "runs", "seal"};
constexpr std::size_t most_probes = 16;
constexpr double job_margin = 2;     // what was predicted may be far off

OrderedJson plan_json(const Scenario& s, const Library& library) {
    return OrderedJson::parse(write_scenario(s, library));
}

OrderedJson predictions_of(const Scenario& s, const ProbePlan& probes, const ProbeLimits& limits,
                           const Library& library) {
    const auto run = [&](const ProbeRun& r) -> OrderedJson {
        return {{"name", r.name}, {"predicted_step_s", r.step / second}, {"plan", plan_json(r.plan, library)}};
    };
    return {{"plan", plan_json(s, library)},
            {"predicted_step_s", estimate(s)->step.total() / second},   // asked: it has probes
            {"limits",
             {{"nodes", limits.nodes},
              {"scatter", limits.scatter},
              {"steps", limits.steps},
              {"visits", limits.visits}}},
            {"runs", json_list(probes.runs, run)}};
}

std::string seal_of(const OrderedJson& predictions) { return Fingerprint().add(predictions.dump()).text(); }

// Every visit of every probe in turn, so that what drifts meets all alike.
std::string job_script(const Scenario& widest, const ProbePlan& probes, const ProbeLimits& limits) {
    std::string names;
    for (const ProbeRun& r : probes.runs) names += " " + r.name;
    std::string text = "#!/bin/bash\n" + job_header(widest, job_margin * probes.time)
                     + comment_line("Short runs that tell how fast the planned run will be. One that fails does not "
                                    "stop the others.");
    text += "cd \"$(dirname \"${BASH_SOURCE[0]}\")\" || exit 1\n";
    text += "[ -n \"$SLURM_SUBMIT_DIR\" ] && cd \"$SLURM_SUBMIT_DIR\"\n";
    text += "for visit in $(seq " + std::to_string(limits.visits) + "); do\n    for probe in" + names + "; do\n";
    text += "        mkdir -p \"$probe\"\n";
    text += "        (cd \"$probe\" && bash \"../$probe.sh\") > \"$probe.visit-$visit.log\" 2>&1"
            " || echo \"$probe ended with an error\"\n    done\ndone\n";
    return text;
}

std::optional<ProbeRun> run_in(const Reader& at, const Library& library) {
    ProbeRun run;
    if (!at.object()) return std::nullopt;
    if (const auto name = at.member("name")) run.name = name->text().value_or("");
    if (!is_plain_name(run.name)) {
        at.error(phrase("the name of a probe is that of a file"));
        return std::nullopt;
    }
    if (const auto step = at.member("predicted_step_s"))
        if (const auto v = step->number(positive)) run.step = *v * second;
    auto plan = read_member_plan(at, library);
    if (!plan) return std::nullopt;
    run.plan = *std::move(plan);
    return run;
}

void read_limits(const Reader& root, ProbeLimits& limits) {
    const auto all = root.member("limits");
    if (!all || !all->object()) return;
    const auto whole = [&](const char* key, int& value, NumberRange range) {
        if (const auto at = all->member(key))
            if (const auto v = at->whole(range)) value = int(*v);
    };
    whole("nodes", limits.nodes, {0, 1e7});
    whole("steps", limits.steps, {1, 1e6});
    whole("visits", limits.visits, {1, 100});
    if (const auto at = all->member("scatter"))
        if (const auto v = at->number({0, 1})) limits.scatter = *v;
}

}  // namespace

std::string probe_log(const std::string& run, int visit) { return run + ".visit-" + std::to_string(visit) + ".log"; }

Expected<std::vector<JobFile>, std::vector<std::string>> probe_job(const Scenario& s, const ProbePlan& probes,
                                                                   Framework framework, const ProbeLimits& limits,
                                                                   const Library& library) {
    std::vector<JobFile> job;
    std::vector<std::string> cannot;
    const Scenario* widest = nullptr;
    for (const ProbeRun& r : probes.runs) {
        auto script = timed_script(r.plan, framework, limits.steps);
        if (!script) {
            for (const std::string& why : script.error())
                if (std::ranges::find(cannot, why) == cannot.end()) cannot.push_back(why);
            continue;
        }
        job.push_back({r.name + ".sh", *std::move(script)});
        if (!widest || nodes_used(r.plan) > nodes_used(*widest)) widest = &r.plan;
    }
    if (!cannot.empty() || !widest) return Unexpected{std::move(cannot)};
    job.push_back({"job.sh", job_script(*widest, probes, limits)});
    OrderedJson predictions = predictions_of(s, probes, limits, library);
    const std::string seal = seal_of(predictions);
    OrderedJson record{{"schema", probes_schema}, {"version", preset_version}};
    record.update(predictions);
    record["seal"] = seal;
    job.push_back({"probes.json", text_of(record)});
    return job;
}

Expected<ProbeRecord, Problems> read_probe_record(std::string_view text, const Library& library,
                                                  const std::string& file) {
    const DocumentKind kind{probes_schema, preset_version};
    return read_document<ProbeRecord>(text, file, kind, [&](const Reader& root, ProbeRecord& record) {
        root.warn_of_keys_beyond(probe_keys);
        if (auto plan = read_member_plan(root, library)) record.plan = *std::move(plan);
        if (const auto step = root.member("predicted_step_s"))
            if (const auto v = step->number(positive)) record.predicted = *v * second;
        read_limits(root, record.limits);
        if (const auto list = root.member("runs"); !list) root.missing("runs", phrase("a list of probes"));
        else if (list->array(most_probes))
            for (const Reader& each : list->elements())
                if (auto run = run_in(each, library)) record.runs.push_back(*std::move(run));
        OrderedJson predictions = OrderedJson::parse(text, nullptr, false);
        for (const char* key : {"schema", "version", "seal"}) predictions.erase(key);
        if (const auto seal = root.member("seal"))
            record.sealed = seal->text().value_or("") == seal_of(predictions);
    });
}

}  // namespace plimsoll
