#include "core/files/results/log_run.h"

#include "core/answers/plan/estimate.h"
#include "core/answers/plan/headline.h"
#include "core/files/import/framework_import.h"
#include "core/files/measured/measured_steps.h"
#include "core/values/basics/phrase.h"
#include "core/values/knobs/wording.h"

#include <algorithm>

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
        const Bytes predicted = o ? figure_of(o->worst(), m.kind) : Bytes{};
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

Expected<MeasuredSteps, Problems> load_measured_steps(const std::filesystem::path& path, const Scenario& plan) {
    if (!is_training_log(path)) return load_measured_steps(path);
    const auto log = load_training_log(path);
    if (!log) return Unexpected{log.error()};
    return steps_of(*log, plan, path.string());
}

}  // namespace plimsoll
