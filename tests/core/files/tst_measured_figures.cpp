// Figures of what was measured: the steps of a log, and short runs beside their predictions; logs of one run together.
#include "registered_test.h"

#include "core/answers/plan/estimate.h"
#include "core/files/presets/scenario_json.h"
#include "core/files/results/log_run.h"
#include "core/files/results/measured_figures.h"
#include "core/files/results/track_record.h"
#include "near.h"
#include "probe_folder.h"

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

const Series* series_named(const Figure& f, const std::string& id) {
    const auto at = std::ranges::find(f.series, id, &Series::id);
    return at == f.series.end() ? nullptr : &*at;
}

TrainingLog megatron(Seconds step, int from = 1, int count = 50) {
    return *read_training_log(megatron_lines(step, 0.01, from, count));
}

Scenario alps_plan() {
    return read_scenario(*read_text(library().scenarios.at("llama3-8b-alps")), library())->scenario;
}

}  // namespace

class tst_measured_figures : public QObject {
    Q_OBJECT

private slots:
    void every_step_of_a_log_is_drawn_by_what_became_of_it() {
        const TrainingLog log = megatron(0.8 * second);
        const Figure f = log_figure(log);
        std::size_t drawn = 0;
        for (const Series& s : f.series)
            if (s.mark == Mark::point) drawn += s.x.size();
        QCOMPARE(drawn, log.steps.size());
        QCOMPARE(int(series_named(f, "counted")->x.size()), log.counted());
        QVERIFY(series_named(f, "first") && series_named(f, "warm-up") && !series_named(f, "repeated"));
        QVERIFY(near(series_named(f, "middle")->y.front(), 800, 0.02));
        QCOMPARE(f.y.unit, std::string("ms"));
        QVERIFY2(f.y.logarithmic, "its first step takes five times as long");
    }
    void of_a_very_long_log_points_are_means() {
        const Figure f = log_figure(megatron(0.8 * second, 1, 9000));
        QVERIFY(series_named(f, "counted")->x.size() <= 2000);
        QVERIFY(series_named(f, "counted")->names.front().starts_with("Steps "));
    }
    void a_log_without_steps_has_no_figure() { QVERIFY(log_figure({}).series.empty()); }

    void restarts_in_files_of_their_own_are_one_run() {
        const LogsOfRun run = logs_of_run({megatron(0.9 * second, 31, 50), megatron(0.8 * second, 1, 40)});
        QVERIFY(run.others.empty() && !run.ranks);
        QCOMPARE(run.log.restarts, 1);
        QCOMPARE(run.log.steps.front().number, 1LL);
        const auto repeated = std::ranges::count(run.log.steps, StepFate::repeated, &LogStep::fate);
        QCOMPARE(int(repeated), 10);
        const auto place = [](const LogStep& s) { return std::pair(s.start, s.number); };
        QVERIFY(std::ranges::is_sorted(run.log.steps, {}, place));
    }
    void of_ranks_in_files_of_their_own_the_slowest_counts() {
        for (const bool slow_first : {true, false}) {
            const Seconds a = (slow_first ? 0.9 : 0.8) * second, b = (slow_first ? 0.8 : 0.9) * second;
            const LogsOfRun run = logs_of_run({megatron(a), megatron(b)});
            QVERIFY(run.ranks && run.others.empty());
            QCOMPARE(run.log.restarts, 0);
            QVERIFY(near(*run.log.step() / second, 0.9, 0.01));
        }
    }
    void a_log_of_another_run_is_left_out() {
        TrainingLog mine = megatron(0.8 * second), other = mine;
        mine.settings = {{"num_layers", "4", 1}};
        other.settings = {{"num_layers", "8", 1}};
        const LogsOfRun run = logs_of_run({mine, other});
        QCOMPARE(run.others, std::vector<std::size_t>{1});
        QCOMPARE(run.log.restarts, 0);
    }

    void short_runs_are_continued_to_the_plans_depth() {
        const Scenario plan = alps_plan();
        ProbeFolder folder(plan);
        folder.run_all(0.2);
        const auto reading = read_probes(folder.path(), library());
        QVERIFY(reading && reading->measured.size() == folder.probes.runs.size());
        const Evidence evidence = track_record(library()).evidence;
        const Figure f = probe_figure(*reading, &evidence);
        QCOMPARE(series_named(f, "measured")->x.size(), folder.probes.runs.size());
        const Series *line = series_named(f, "continued"), *range = series_named(f, "range");
        QCOMPARE(line->x.back(), double(plan.model.layers));
        QCOMPARE(range->x.size(), line->x.size());
        for (std::size_t i = 0; i < line->x.size(); ++i) {
            QVERIFY(range->y[i] < line->y[i] && line->y[i] < range->high[i]);
            QVERIFY(i == 0 || line->y[i] > line->y[i - 1]);
        }
        // The line meets what was measured.
        const Series& points = *series_named(f, "measured");
        for (std::size_t i = 0; i < line->x.size(); ++i)
            for (std::size_t k = 0; k < points.x.size(); ++k)
                if (points.x[k] == line->x[i] && reading->results[k].run.plan.layout.devices
                                                     == reading->results[0].run.plan.layout.devices)
                    QVERIFY(near(line->y[i], points.y[k], 0.05));
    }
    void before_anything_ran_there_are_predictions_alone() {
        const Scenario plan = alps_plan();
        const ProbeFolder folder(plan);
        const auto reading = read_probes(folder.path(), library());
        const Figure f = probe_figure(*reading);
        QVERIFY(!series_named(f, "measured") && !series_named(f, "range"));
        QCOMPARE(series_named(f, "predicted")->x.size(), folder.probes.runs.size());
        QCOMPARE(series_named(f, "continued")->label, std::string("Predicted to the plan's depth"));
    }
    void a_plan_after_its_short_runs_is_slower_by_what_they_were_and_surer() {
        const Scenario plan = alps_plan();
        ProbeFolder folder(plan);
        folder.run_all(0.2);
        const auto reading = read_probes(folder.path(), library());
        const auto after = after_probes(plan, reading->anchors, track_record(library()).evidence);
        QVERIFY(after);
        QVERIFY(near(after->after / after->before, 1.2, 0.05));
        QVERIFY(after->anchoring.band.time < after->anchoring.before.time);
        QVERIFY(say(*after).size() == 3);
    }
};

PLIMSOLL_TEST(tst_measured_figures)
#include "tst_measured_figures.moc"
