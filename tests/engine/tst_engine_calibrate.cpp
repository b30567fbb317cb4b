// A calibration from its plan to its log: in order, predicted before it runs, by a hash that holds; left out,
// cancelled, killed and resumed.
#include "registered_test.h"

#include "core/evidence/calibration/plan/trial.h"
#include "core/evidence/calibration/plan/experiments.h"
#include "core/files/measured/calibration_plan.h"
#include "core/files/presets/library.h"
#include "core/files/measured/calibration_log.h"
#include "running_engine.h"

#include <QTemporaryDir>
#include <QTest>

using namespace plimsoll;

namespace {

const Library& presets() {
    static const Library l = load_library(
        std::vector<std::filesystem::path>{std::filesystem::path(PLIMSOLL_TESTS_DIR).parent_path() / "presets"});
    return l;
}

// One layer of 64 under any split of two ranks.
PlannedRun planned_training(std::string id, Role role, int data, int tensor, int steps = 3) {
    PlannedRun run{.id = id,
                   .label = "Layout " + id,
                   .role = role,
                   .ranks = data * tensor,
                   .expected = 1 * second,
                   .caution = {},
                   .without = {},
                   .repeats = {},
                   .plan = {},
                   .steps = steps,
                   .words = {}};
    TrialRun trial{.model = 0, .data = data, .tensor = tensor, .micro_batch = 2, .steps = steps};
    run.plan = trial_plan(trial, shared_by(presets().machines.at("cpu-2core"), {2, 4 * gibibyte}, 2),
                          presets().stacks.at("plimsoll-engine"));
    run.plan.model = model_of({"t", "T", 1, 64, 2, 256, 32});
    run.plan.recipe.sequence_length = 32;
    run.words = engine_options(run.plan, {steps})->words;
    run.words.insert(run.words.end(), {"--threads", "1"});
    return run;
}

PlannedRun bench(std::string id, std::vector<std::string> more) {
    PlannedRun run{.id = id,
                   .label = "Bench " + id,
                   .role = Role::measure,
                   .ranks = 2,
                   .expected = 1 * second,
                   .caution = {},
                   .without = {},
                   .repeats = {},
                   .plan = {},
                   .steps = 0,
                   .words = {}};
    run.words = {"--layers",     "1",
                 "--width",      "64",
                 "--heads",      "2",
                 "--vocabulary", "256",
                 "--sequence",   "32",
                 "--threads",    "1",
                 "--dp",         "2",
                 "--bench-own",  "--bench-seconds",
                 "0.001",        "--bench-size",
                 "16K"};
    run.words.insert(run.words.end(), more.begin(), more.end());
    return run;
}

ExperimentPlan tiny_plan() {
    ExperimentPlan plan;
    const PlannedRun fit = planned_training("dp2", Role::fit, 2, 1);
    plan.subject = fit.plan;
    plan.machine = fit.plan.machine;
    plan.engine = fit.plan.stack;
    plan.model = fit.plan.model;
    plan.ranks = 2;
    plan.runs = {
        bench("gemm", {"--bench", "gemm"}),    bench("collective", {"--bench", "collectives", "--bench-cache", "cold"}),
        planned_training("one", Role::fit, 1, 1),      fit,
        planned_training("tp2", Role::held_out, 1, 2), planned_training("dp2-more", Role::held_out, 2, 1, 4)};
    plan.constants = planned_constants(plan.runs);
    return plan;
}

CalibrationLog read_log(const QString& path) {
    const auto log = read_calibration_log(path.toStdString());
    if (!log) QTest::qFail(say(log.error()).c_str(), __FILE__, __LINE__);
    return log ? *log : CalibrationLog{};
}

}  // namespace

class TestEngineCalibrate : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString path(const char* name) const { return folder_.filePath(name); }

    QString write(const ExperimentPlan& plan) const {
        QFile file(path("plan.json"));
        if (file.open(QFile::WriteOnly)) file.write(write_calibration_plan(plan).c_str());
        return file.fileName();
    }
    // Exit code; the log is at `out`.
    int run(const QString& out, QStringList more, QByteArray* said = nullptr) const {
        QProcess engine;
        engine.setProcessEnvironment(mpi_environment());
        engine.start("mpirun", mpirun(2, QStringList{PLIMSOLL_ENGINE_PROGRAM, "--out", out} + more));
        if (!engine.waitForFinished(patience_ms)) return -1;
        if (said) *said = engine.readAllStandardError();
        return engine.exitCode();
    }
    int check(const QString& log) const {
        std::ostringstream said;
        const int code = engine::check_file(log.toStdString(), said);
        if (code) qWarning("%s", said.str().c_str());
        return code;
    }

private slots:
    // Plan, constants and predictions are sealed before anything that is held back runs; visits are one layout.
    void layouts_that_are_visited_twice_are_predicted_once_and_sealed() {
        ExperimentPlan plan = tiny_plan();
        for (const std::size_t first : {std::size_t(3), std::size_t(5)}) {
            PlannedRun again = plan.runs[first];
            again.repeats = std::exchange(again.id, again.id + "-visit2");
            plan.runs.insert(plan.runs.begin() + (first == 3 ? 4 : 7), again);
        }
        QCOMPARE(run(path("twice"), {"--calibrate", write(plan)}), 0);
        QCOMPARE(check(path("twice")), 0);
        const CalibrationLog log = read_log(path("twice"));
        QVERIFY(log.complete());
        QCOMPARE(log.predictions.size(), std::size_t(4));
        QVERIFY(log.hash_holds() && log.seal_holds());
        const auto result = result_of(log);
        QVERIFY(result.has_value());
        QCOMPARE(result->record.proof.size(), std::size_t(4));
        const StepSummary both =
            summary_of(complete_visits(result->plan, result->plan.runs[3], log.measurements));
        QCOMPARE(both.visits.size(), std::size_t(2));
        QVERIFY(both.memory_device >= both.memory);   // pages of the process hold the arena
    }

    void a_plan_is_followed_in_order_and_predicted_before_it_is_held_to() {
        const ExperimentPlan plan = tiny_plan();
        QCOMPARE(run(path("whole"), {"--calibrate", write(plan)}), 0);
        QCOMPARE(check(path("whole")), 0);
        const CalibrationLog log = read_log(path("whole"));
        QVERIFY(log.complete());
        QCOMPARE(log.experiments.size(), plan.runs.size());
        for (std::size_t i = 0; i < plan.runs.size(); ++i) {
            QCOMPARE(log.experiments[i].said.id, plan.runs[i].id);
            QCOMPARE(log.experiments[i].said.number, int(i + 1));
            QVERIFY(log.experiments[i].complete());
            QCOMPARE(log.experiments[i].steps, plan.runs[i].steps);
            QCOMPARE(log.experiments[i].points > 0, plan.runs[i].role == Role::measure);
        }
        QCOMPARE(log.plan, write_calibration_plan(plan));
        QCOMPARE(log.plan_hash(), fingerprint_of(log.plan));
        QCOMPARE(log.predictions.size(), std::size_t(4));
        QVERIFY(log.hash_holds());
        for (const EnginePrediction& p : log.predictions)
            QVERIFY2(p.low < p.step && p.step < p.high && p.memory > Bytes{}, p.id.c_str());
        // Nothing of a held-out layout comes before the predictions.
        const QByteArray text = contents(path("whole"));
        QVERIFY(text.indexOf("\"predict\"")
                < text.indexOf("\"id\":\"tp2\",\"role\":\"held_out\",\"label\":\"Layout tp2\",\"expected_s\""));
    }

    void a_log_that_was_changed_does_not_hold() {
        QByteArray text = contents(path("whole"));
        const auto at = text.indexOf("\"median_s\":");
        QVERIFY(at > 0);
        text[at + 13] = text[at + 13] == '1' ? '2' : '1';  // a digit of the first measurement
        QFile file(path("changed"));
        QVERIFY(file.open(QFile::WriteOnly) && file.write(text) > 0);
        file.close();
        QVERIFY(!read_log(path("changed")).hash_holds());
        std::ostringstream said;
        QCOMPARE(engine::check_file(path("changed").toStdString(), said), 2);
        QVERIFY(said.str().find("hash is") != std::string::npos);
    }

    void what_does_not_fit_is_left_out_and_the_rest_goes_on() {
        ExperimentPlan plan = tiny_plan();
        for (const char* word : {"--memory-limit", "1K"}) plan.runs[4].words.push_back(word);
        QCOMPARE(run(path("left"), {"--calibrate", write(plan)}), 0);
        const CalibrationLog log = read_log(path("left"));
        QCOMPARE(log.experiments.size(), plan.runs.size());
        QCOMPARE(log.experiments[4].status, std::string("failed"));
        QVERIFY(log.experiments[5].complete());
        const auto said = std::find_if(log.engine.notes.begin(), log.engine.notes.end(),
                                       [](const EngineNote& n) { return n.code == "left_out"; });
        QVERIFY(said != log.engine.notes.end());
        QVERIFY2(said->text.starts_with("Layout tp2 is left out: this layout takes"), said->text.c_str());
        QCOMPARE(check(path("left")), 0);
    }

    void fewer_ranks_than_the_plan_needs_are_refused() {
        ExperimentPlan plan = tiny_plan();
        plan.ranks = 3;
        QByteArray said;
        QCOMPARE(run(path("few"), {"--calibrate", write(plan)}, &said), 3);
        QVERIFY2(said.contains("the plan's widest run has 3 ranks, 2 were started: mpirun -n 3"), said.constData());
    }

    void a_plan_that_cannot_be_read_is_refused_with_its_name() {
        QByteArray said;
        QCOMPARE(run(path("none"), {"--calibrate", path("nowhere.json")}, &said), 2);
        QVERIFY2(said.contains("nowhere.json cannot be read"), said.constData());
    }

    // Cancelled in the middle of a run: what was complete is kept, and taken over by the next attempt.
    void what_was_complete_survives_a_cancellation() {
        ExperimentPlan plan = tiny_plan();
        plan.runs[3] = planned_training("dp2", Role::fit, 2, 1, 1000000);
        const QString file = write(plan), stop = path("stop"), log = path("cut");
        QProcess engine;
        engine.setProcessEnvironment(mpi_environment());
        engine.start("mpirun",
                     mpirun(2, {PLIMSOLL_ENGINE_PROGRAM, "--calibrate", file, "--out", log, "--cancel-file", stop}));
        QByteArray seen;
        while (!seen.contains("\"id\":\"dp2\"") && engine.waitForReadyRead(patience_ms)) seen += engine.readAll();
        QFile(stop).open(QFile::WriteOnly);
        while (engine.state() != QProcess::NotRunning && engine.waitForReadyRead(patience_ms)) engine.readAll();
        QVERIFY(engine.state() == QProcess::NotRunning || engine.waitForFinished(patience_ms));
        QCOMPARE(engine.exitCode(), 75);
        QCOMPARE(check(log), 0);
        const CalibrationLog first = read_log(log);
        QVERIFY(!first.complete());
        QCOMPARE(first.state(), std::string("3 of 6 runs complete, cancelled in \"Layout dp2\""));
        QVERIFY(first.predictions.empty());
        const auto points = first.measurements.points;

        QFile::remove(stop);
        QProcess again;
        again.setProcessEnvironment(mpi_environment());
        again.start("mpirun", mpirun(2, {PLIMSOLL_ENGINE_PROGRAM, "--calibrate", file, "--out", path("again"),
                                         "--resume", log, "--cancel-file", stop}));
        seen.clear();
        while (!seen.contains("\"id\":\"dp2\"") && again.waitForReadyRead(patience_ms)) seen += again.readAll();
        QFile(stop).open(QFile::WriteOnly);
        while (again.state() != QProcess::NotRunning && again.waitForReadyRead(patience_ms)) again.readAll();
        QVERIFY(again.state() == QProcess::NotRunning || again.waitForFinished(patience_ms));
        const CalibrationLog second = read_log(path("again"));
        QCOMPARE(check(path("again")), 0);
        for (int i = 0; i < 3; ++i) QVERIFY(second.experiments[std::size_t(i)].said.resumed);
        QVERIFY(!second.experiments[3].said.resumed);
        QCOMPARE(second.measurements.points.size(), points.size());
        for (std::size_t i = 0; i < points.size(); ++i)
            QCOMPARE(second.measurements.points[i].median / second_of, points[i].median / second_of);
    }

    void another_plan_is_not_resumed() {
        ExperimentPlan plan = tiny_plan();
        plan.model_note = "another one";
        QByteArray said;
        QCOMPARE(run(path("other"), {"--calibrate", write(plan), "--resume", path("whole")}, &said), 2);
        QVERIFY2(said.contains("followed another plan"), said.constData());
    }

    void a_log_taken_over_whole_predicts_anew() {
        QCOMPARE(run(path("second"), {"--calibrate", write(tiny_plan()), "--resume", path("whole")}), 0);
        const CalibrationLog log = read_log(path("second"));
        QVERIFY(log.complete() && log.hash_holds());
        for (const ExperimentState& e : log.experiments) QCOMPARE(e.said.resumed, e.said.role != "held_out");
        QCOMPARE(check(path("second")), 0);
    }

    void a_killed_rank_is_named_and_the_rest_is_kept() {
        ExperimentPlan plan = tiny_plan();
        plan.runs[3] = planned_training("dp2", Role::fit, 2, 1, 1000000);
        RunningEngine engine(path("killed"));
        engine.process.setProcessEnvironment(mpi_environment());
        engine.process.setStandardErrorFile(path("killed.stderr"));
        engine.process.setStandardOutputFile(QProcess::nullDevice());  // a pipe that nobody reads would fill up
        engine.process.start("mpirun",
                             mpirun(2, {PLIMSOLL_ENGINE_PROGRAM, "--calibrate", write(plan), "--out", path("killed")}));
        QVERIFY(comes_true([&] {
            return contents(path("killed.part")).contains("\"type\":\"step\",")
                && contents(path("killed.part")).contains("\"id\":\"dp2\"");
        }));
        QVERIFY(engine.signal(1, SIGKILL));
        QVERIFY(engine.exit_code() != 0);
        QVERIFY(engine.is_gone());
        QVERIFY(contents(path("killed.stderr")).contains("rank 1"));
        const CalibrationLog log = read_log(path("killed.part"));
        QCOMPARE(log.state(), std::string("3 of 6 runs complete, cut off in \"Layout dp2\""));
    }

private:
    static constexpr Seconds second_of = plimsoll::second;
};

PLIMSOLL_TEST(TestEngineCalibrate)
#include "tst_engine_calibrate.moc"
