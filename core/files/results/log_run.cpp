#include "core/files/results/log_run.h"

#include "core/answers/plan/estimate.h"
#include "core/answers/campaign/headline.h"
#include "core/files/import/framework_import.h"
#include "core/files/measured/measured_steps.h"
#include "core/values/basics/phrase.h"
#include "core/values/knobs/wording.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace plimsoll {

MeasuredRun measured_run(const TrainingLog& log, const Scenario& plan) {
    MeasuredRun run;
    run.name = std::string(say(log.dialect)) + ", " + plan.model.name + " on "
             + counted(plan.layout.devices, "device", "devices");
    run.plan = plan;
    run.plan.measured = nullptr;
    run.step = step_of(log, plan);
    if (const LogMemory* m = log.fullest()) {
        run.memory = m->most;
        run.memory_kind = m->kind;
    }
    if (const auto m = log.middle(); m && run.step) run.scatter = (m->high - m->low) / 1.349 / m->value;
    return run;
}

std::vector<std::vector<std::string>> rows_beside(const TrainingLog& log, const Scenario& plan) {
    std::vector<std::vector<std::string>> rows;
    const Outcome o = estimate(plan);
    const std::string none = "-";
    const auto gib = [](Bytes b) { return fixed(b / gibibyte, 1) + " GiB"; };
    if (const auto step = step_of(log, plan)) {
        const auto seconds = [](double s) { return significant(s, 4) + " s"; };
        const double measured = *step / second, predicted = o ? o->step.total() / second : 0;
        rows.push_back({phrase("step time"), seconds(measured), o ? seconds(predicted) : none,
                        o ? signed_percent(predicted / measured - 1) : none});
        const auto m = log.middle();   // asked: step_of() has one
        double low = measured * m->low / m->value, high = measured * m->high / m->value;
        if (log.measure != StepMeasure::seconds && log.measure != StepMeasure::bar
            && log.measure != StepMeasure::total) {
            low = measured * m->value / m->high;
            high = measured * m->value / m->low;
        }
        rows.push_back({phrase("middle half of the steps"), seconds(low) + " - " + seconds(high), {}, {}});
    }
    for (const LogMemory& m : log.memory) {
        const Bytes predicted = o ? figure_of(*o, {m.kind}) : Bytes{};
        rows.push_back({m.rank >= 0 ? phrase("memory, {1} (rank {2})", say(m.kind), m.rank)
                                    : phrase("memory, {1}", say(m.kind)),
                        gib(m.most), o ? gib(predicted) : none, o ? signed_percent(predicted / m.most - 1) : none});
    }
    return rows;
}

bool states_model(const TrainingLog& log) {
    constexpr std::string_view telling[] = {"num_layers", "num_hidden_layers", "n_layers",
                                            "model.flavor", "base_num_decoder_layers"};
    return !log.model_config.empty() || std::ranges::any_of(log.settings, [&](const files::Setting& s) {
        return std::ranges::any_of(telling, [&](std::string_view key) {
            return s.key == key || s.key.ends_with("." + std::string(key));
        });
    });
}

Expected<MeasuredRun, Problems> load_logged_run(const std::filesystem::path& path, const Library& library,
                                                const Scenario* plan) {
    auto log = load_training_log(path);
    if (!log) return Unexpected{log.error()};
    const auto refused = [&](std::string why) {
        return Unexpected{Problems{{Severity::error, path.string(), {}, std::move(why)}}};
    };
    MeasuredRun run;
    if (states_model(*log)) {
        const NamedText text{path.filename().string(), {}, std::make_shared<const TrainingLog>(*log)};
        const auto imported = import_plan({&text, 1}, library, {.machine = plan ? plan->machine.id : std::string()});
        if (!imported) return Unexpected{imported.error()};
        if (!imported->obstacles.empty())
            return refused(
                phrase("its settings make a plan that cannot be computed: {1}", imported->obstacles.front()));
        run = measured_run(*log, imported->plan);
    } else if (plan) run = measured_run(*log, *plan);
    else return refused(phrase("does not say which model ran: 'plimsoll import LOG SCRIPT --anchor-out FILE' makes a "
                               "run of it, 'plimsoll estimate PLAN --anchor LOG' takes it as a run of PLAN"));
    if (!run.step) return refused(phrase("has no step that counts: {1}", joined(say_counting(*log), " ")));
    return run;
}

namespace {

bool is_rate(StepMeasure m) {
    return m == StepMeasure::tokens_of_device || m == StepMeasure::tokens_of_all || m == StepMeasure::samples_of_all;
}

// The same software, and no setting of model, batch or layout that both state and state differently.
bool of_one_run(const TrainingLog& a, const TrainingLog& b) {
    constexpr std::string_view told_by[] = {"layers", "hidden", "heads", "seq_length", "batch", "parallel"};
    if (a.dialect != b.dialect || a.measure != b.measure || a.steps.empty() || b.steps.empty()) return false;
    for (const files::Setting& s : a.settings) {
        const bool telling = std::ranges::any_of(told_by, [&](std::string_view part) {
            return s.key.find(part) != std::string::npos;
        });
        const auto other = std::ranges::find(b.settings, s.key, &files::Setting::key);
        if (telling && other != b.settings.end() && other->value != s.value) return false;
    }
    return true;
}

// Ranks print the same steps; a run that goes on prints later ones.
bool are_ranks(const TrainingLog& a, const TrainingLog& b) {
    if (a.restarts != b.restarts || a.steps.front().number != b.steps.front().number) return false;
    const double first = double(a.steps.front().number), last = double(a.steps.back().number) - first;
    return std::abs(double(b.steps.back().number) - first - last) <= 0.05 * last;
}

void add_memory(TrainingLog& log, const TrainingLog& more) {
    for (const LogMemory& m : more.memory) {
        const auto same = std::ranges::find(log.memory, m.kind, &LogMemory::kind);
        if (same == log.memory.end()) log.memory.push_back(m);
        else if (same->most < m.most) *same = m;
    }
}

void add_rank(TrainingLog& log, const TrainingLog& rank) {
    std::map<std::pair<int, long long>, const LogStep*> theirs;
    for (const LogStep& s : rank.steps) theirs[{s.start, s.number}] = &s;
    for (LogStep& s : log.steps)
        if (const auto at = theirs.find({s.start, s.number}); at != theirs.end())
            if (is_rate(log.measure) == (at->second->value < s.value)) s.value = at->second->value;
}

// Steps that run again count as they ran last.
void add_restart(TrainingLog& log, const TrainingLog& next) {
    for (LogStep& s : log.steps)
        if (s.number >= next.steps.front().number) s.fate = StepFate::repeated;
    const int starts = log.restarts + 1;
    for (LogStep s : next.steps) {
        s.start += starts;
        log.steps.push_back(s);
    }
    log.restarts = starts + next.restarts;
    log.evaluations += next.evaluations;
    log.saves += next.saves;
    log.untimed += next.untimed;
}

}  // namespace

LogsOfRun logs_of_run(std::vector<TrainingLog> logs) {
    LogsOfRun run;
    std::vector<TrainingLog*> parts;
    for (std::size_t i = 0; i < logs.size(); ++i)
        if (i == 0 || of_one_run(logs.front(), logs[i])) parts.push_back(&logs[i]);
        else run.others.push_back(i);
    std::ranges::stable_sort(parts, {}, [](const TrainingLog* log) {
        return log->steps.empty() ? 0 : log->steps.front().number;
    });
    run.log = *parts.front();
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const bool rank = are_ranks(*parts[i - 1], *parts[i]);
        run.ranks = run.ranks || rank;
        rank ? add_rank(run.log, *parts[i]) : add_restart(run.log, *parts[i]);
        add_memory(run.log, *parts[i]);
    }
    return run;
}

Expected<MeasuredSteps, Problems> load_measured_steps(const std::filesystem::path& path, const Scenario& plan) {
    if (!is_training_log(path)) return load_measured_steps(path);
    const auto log = load_training_log(path);
    if (!log) return Unexpected{log.error()};
    return steps_of(*log, plan, path.string());
}

}  // namespace plimsoll
