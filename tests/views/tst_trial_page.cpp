// Trials on the calibration page with a stand-in for the engine: started, followed, stopped, gone wrong.
#include "registered_test.h"

#include "shipped.h"
#include "views/jobs/trial_page.h"

#include <QFile>
#include <QTemporaryDir>

#include <csignal>

using namespace plimsoll;

namespace {

// A shown page whose engine behaves as `mode` says.
struct TrialBench {
    QTemporaryDir dir;
    TrialPage page{library()};

    explicit TrialBench(const char* mode) {
        qputenv("PLIMSOLL_ENGINE", PLIMSOLL_TESTS_DIR "/engine/fake_engine.sh");
        qputenv("FAKE_ENGINE", mode);
        qputenv("FAKE_ENGINE_STARTED", started().toUtf8());
        page.set_log_directory(dir.filePath("runs"));
        page.resize(900, 600);
        page.show();
    }
    QString started() const { return dir.filePath("started"); }
    QStringList told() const {   // process id, then arguments
        QFile file(started());
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).split(u'\n') : QStringList{};
    }
    bool alive() const { return QFileInfo::exists("/proc/" + told().value(0)); }
    void choose(auto edit) {
        TrialRun t = page.form()->trial();
        edit(t);
        page.form()->set_trial(t);
    }
    void run_to_its_end() {
        page.start_button()->click();
        QTRY_VERIFY_WITH_TIMEOUT(!page.session().busy(), 20000);
    }
    void run_until(int steps) {
        page.start_button()->click();
        QTRY_VERIFY_WITH_TIMEOUT(int(page.session().log().steps.size()) >= steps, 20000);
    }
};

double part(const Figure& f, const std::string& id, std::size_t bar) {
    for (const Series& s : f.series)
        if (s.id == id) return s.y[bar];
    return -1;
}

}  // namespace

class TrialPageTest : public QObject {
    Q_OBJECT

private slots:
    void a_prediction_stands_there_before_anything_runs() {
        TrialBench b("run");
        QVERIFY(b.page.start_button()->isEnabled());
        QVERIFY2(b.page.figures().contains("uncalibrated"), qPrintable(b.page.figures()));
        QVERIFY(b.page.steps()->figure());
        QCOMPARE(b.page.steps()->figure()->categories, std::vector<std::string>{"predicted"});
        QVERIFY(!b.page.loss()->figure());
        QVERIFY(b.page.parts()->rowCount() > 3);
    }

    void a_run_is_followed_to_its_end() {
        TrialBench b("run");
        b.choose([](TrialRun& t) { t.steps = 12; });
        b.run_to_its_end();
        QVERIFY2(b.page.state().startsWith("Done after 12 steps"), qPrintable(b.page.state()));
        QCOMPARE(b.page.loss()->figure()->series.front().y.size(), std::size_t(12));
        const Figure& steps = *b.page.steps()->figure();
        QCOMPARE(steps.categories.size(), std::size_t(13));
        QCOMPARE(part(steps, "gemm", 1), 121.5);      // milliseconds of the first step, as the stand-in says
        QVERIFY(part(steps, "gemm", 0) > 0);
        QVERIFY2(b.page.figures().contains("195 ms"), qPrintable(b.page.figures()));
        QVERIFY2(b.page.figures().contains("296 MiB"), qPrintable(b.page.figures()));
        QVERIFY(!b.page.parts()->item(0, 3)->text().isEmpty());
        QVERIFY(b.page.messages().isEmpty());
    }

    void the_engine_gets_what_the_form_says() {
        TrialBench b("run");
        b.choose([](TrialRun& t) {
            t.model = 0;
            t.recompute = Recompute::full;
            t.micro_batch = 2;
            t.accumulate = 3;
            t.steps = 2;
        });
        b.run_to_its_end();
        const QString words = b.told().value(1);
        for (const char* said : {"--stdin-stops", "--layers 2", "--width 128", "--recompute full", "--micro-batch 2",
                                 "--accumulate 3", "--steps 2", "/runs/tiny-"})
            QVERIFY2(words.contains(said), qPrintable(words));
    }

    void several_ranks_go_through_mpirun() {
        TrialBench b("run");
        QFile mpirun(b.dir.filePath("mpirun"));
        QVERIFY(mpirun.open(QIODevice::WriteOnly));
        mpirun.write(
            "#!/bin/sh\n[ \"$1\" = --version ] && echo 'mpirun (Open MPI) 4.1.4' && exit\n"
            "echo \"$@\" >"
            + b.dir.filePath("asked").toUtf8()
            + "\nwhile [ \"$1\" != \"$PLIMSOLL_ENGINE\" ]; do shift; done\nexec \"$@\"\n");
        mpirun.close();
        mpirun.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv("PLIMSOLL_MPIRUN", mpirun.fileName().toUtf8());
        b.choose([](TrialRun& t) { t.data = 2; t.zero_stage = 1; t.steps = 3; });
        b.run_to_its_end();
        qunsetenv("PLIMSOLL_MPIRUN");
        QFile asked(b.dir.filePath("asked"));
        QVERIFY(asked.open(QIODevice::ReadOnly));
        const QString words = QString::fromUtf8(asked.readAll());
        QVERIFY2(words.startsWith("--oversubscribe --bind-to none") && words.contains("-np 2"), qPrintable(words));
        QCOMPARE(b.page.session().log().layout->ranks(), 2);
        QVERIFY(part(*b.page.steps()->figure(), "data_parallel", 0) > 0);   // the prediction is of two ranks too
    }

    void closing_stdin_stops_it_and_keeps_what_there_is() {
        TrialBench b("silent");
        b.run_until(2);
        QCOMPARE(b.page.start_button()->text(), QString("Stop"));
        QVERIFY(!b.page.form()->isEnabled());
        b.page.start_button()->click();
        QTRY_VERIFY_WITH_TIMEOUT(!b.page.session().busy(), 10000);
        QVERIFY2(b.page.state().startsWith("Stopped after 2 steps"), qPrintable(b.page.state()));
        QVERIFY(b.page.session().well());
        QCOMPARE(b.page.loss()->figure()->series.front().y.size(), std::size_t(2));
        QVERIFY(b.page.form()->isEnabled());
        QVERIFY(!b.alive());
    }

    void a_step_that_takes_seconds_is_finished_and_written_down() {
        TrialBench b("finishing");
        b.run_until(2);
        b.page.start_button()->click();
        QCOMPARE(b.page.state(), QString("Stopping after this step..."));
        QTRY_VERIFY_WITH_TIMEOUT(!b.page.session().busy(), 10000);
        QVERIFY2(b.page.state().startsWith("Stopped after 3 steps"), qPrintable(b.page.state()));
        QVERIFY(!b.alive());
    }

    void one_that_does_not_listen_is_ended_all_the_same() {
        TrialBench b("stubborn");
        b.run_until(2);
        b.page.stop();
        QCOMPARE(b.page.start_button()->text(), QString("Stop now"));
        b.page.start_button()->click();
        QTRY_VERIFY_WITH_TIMEOUT(!b.page.session().busy(), 10000);
        QVERIFY2(b.page.state().startsWith("Stopped; no summary: 2 complete steps kept"), qPrintable(b.page.state()));
        QVERIFY(!b.alive());
    }

    void closing_the_window_ends_the_run_data() {
        QTest::addColumn<QByteArray>("mode");
        QTest::newRow("one that listens") << QByteArray("silent");
        QTest::newRow("one that does not") << QByteArray("stubborn");
    }
    void closing_the_window_ends_the_run() {
        QFETCH(QByteArray, mode);
        auto b = std::make_unique<TrialBench>(mode.constData());
        b->run_until(2);
        const QString process = "/proc/" + b->told().value(0);
        QVERIFY(QFileInfo::exists(process));
        b.reset();
        QTRY_VERIFY_WITH_TIMEOUT(!QFileInfo::exists(process), 3000);
    }

    void what_goes_wrong_is_said_data() {
        QTest::addColumn<QByteArray>("mode");
        QTest::addColumn<QString>("state");
        QTest::addColumn<QString>("message");
        QTest::addColumn<int>("steps");
        const auto row = [](const char* name, const char* mode, const char* state, const char* message, int steps) {
            QTest::newRow(name) << QByteArray(mode) << QString(state) << QString(message) << steps;
        };
        row("an error of a rank", "crash", "Failed: the loss is not finite; no summary: 2 complete steps kept",
            "Error, rank 1: the loss is not finite in step 3", 2);
        row("what the launcher says besides", "crash", "Failed", "launcher chatter", 2);
        row("killed in the middle of a line", "killed", "Failed: ended by signal 9; no summary: 2 complete steps kept",
            "Not understood, line 6: ", 2);
        row("a loss that is not finite", "nan", "Failed: the loss is not finite", "", 3);
        row("lines that are no protocol", "garbage", "Done after 20 steps", "no protocol at all", 20);
        row("a number that is a word", "garbage", "Done after 20 steps", "/step: found \"three\"", 20);
        row("a protocol to come", "newer", "Done; no summary: 0 complete steps kept", "protocol 2 is newer than 1", 0);
        row("options it does not know", "refuses", "Failed: the engine was given options it cannot use",
            "was not expected: --colour", 0);
    }
    void what_goes_wrong_is_said() {
        QFETCH(QByteArray, mode);
        QFETCH(QString, state);
        QFETCH(QString, message);
        QFETCH(int, steps);
        TrialBench b(mode.constData());
        b.run_to_its_end();
        QVERIFY2(b.page.state().startsWith(state), qPrintable(b.page.state()));
        QVERIFY2(b.page.messages().contains(message), qPrintable(b.page.messages()));
        QCOMPARE(int(b.page.session().log().steps.size()), steps);
        QCOMPARE(b.page.session().well(), state.startsWith("Done"));
        QVERIFY(b.page.start_button()->isEnabled());
    }

    void a_loss_that_is_not_finite_is_not_drawn() {
        TrialBench b("nan");
        b.run_to_its_end();
        QCOMPARE(b.page.loss()->figure()->series.front().y.size(), std::size_t(2));
        QVERIFY2(b.page.figures().contains("not finite"), qPrintable(b.page.figures()));
    }

    void an_engine_that_is_missing_is_named() {
        TrialBench b("run");
        qputenv("PLIMSOLL_ENGINE", "/nowhere/plimsoll-engine");
        b.page.start_button()->click();
        QVERIFY(!b.page.session().busy());
        QVERIFY2(b.page.state().contains("/nowhere/plimsoll-engine"), qPrintable(b.page.state()));
        qputenv("PLIMSOLL_ENGINE", PLIMSOLL_TESTS_DIR "/engine/fake_engine.sh");   // installed meanwhile
        b.run_to_its_end();
        QVERIFY2(b.page.state().startsWith("Done"), qPrintable(b.page.state()));
    }

    void an_engine_that_says_nothing_is_noticed() {
        TrialBench b("silent");
        b.run_until(2);
        QTRY_VERIFY_WITH_TIMEOUT(b.page.state().startsWith("No line for"), 15000);
        b.page.stop();
        QTRY_VERIFY_WITH_TIMEOUT(!b.page.session().busy(), 10000);
    }

    void a_layout_that_cannot_be_is_refused_with_what_would_work() {
        TrialBench b("run");
        b.page.form()->findChild<QSpinBox*>("trial.tensor")->setValue(4);
        QVERIFY(!b.page.start_button()->isEnabled());
        QVERIFY2(b.page.state().contains("does not divide attention heads 6; nearest that do: 3, 2, 6"),
                 qPrintable(b.page.state()));
        QVERIFY(!b.page.steps()->figure());
        b.page.start();
        QVERIFY(!b.page.session().busy());
        b.page.form()->findChild<QSpinBox*>("trial.tensor")->setValue(2);
        QVERIFY(b.page.start_button()->isEnabled());
        QVERIFY(part(*b.page.steps()->figure(), "tensor_parallel", 0) > 0);
    }

    void another_form_clears_the_run_away() {
        TrialBench b("run");
        b.choose([](TrialRun& t) { t.steps = 2; });
        b.run_to_its_end();
        b.page.form()->findChild<QSpinBox*>("trial.micro_batch")->setValue(8);
        QVERIFY(b.page.session().log().steps.empty());
        QVERIFY(!b.page.loss()->figure());
        QCOMPARE(b.page.steps()->figure()->categories.size(), std::size_t(1));
    }

    void a_form_gives_back_what_it_was_set_to() {
        TrialForm form;
        const TrialRun t{2, 4, 2, 2, 3, Recompute::selective, true, 8, 5, 77};
        form.set_trial(t);
        QCOMPARE(form.trial(), t);
    }
};

PLIMSOLL_TEST(TrialPageTest)
#include "tst_trial_page.moc"
