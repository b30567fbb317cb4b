// Calibrations in the window with a stand-in for the engine: planned, followed, cancelled, gone wrong, left half done,
// opened from a file, saved and used.
#include "registered_test.h"

#include "views/desk.h"

#include "core/evidence/calibration/proof/evidence.h"
#include "core/files/text/disk.h"
#include "core/answers/campaign/headline.h"
#include "core/values/knobs/wording.h"
#include "views/calibrate/calibration_text.h"
#include "views/parts/text.h"

#include <QDragEnterEvent>
#include <QMimeData>

using namespace plimsoll;

namespace {

const char* recorded = PLIMSOLL_TESTS_DIR "/calibrations/two-cores.jsonl";

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QFile::ReadOnly) ? file.readAll() : QByteArray();
}

// The recorded log as an attempt left it: its first lines, up to `end`.
QByteArray up_to(const QByteArray& end) {
    const QByteArray all = contents(recorded);
    return all.left(all.indexOf(end));
}

// A page of its own, with directories of its own and an engine that behaves as `mode` says.
struct CalibrateBench {
    QTemporaryDir dir;
    Workspace workspace{library()};
    std::unique_ptr<MeasurePage> page = std::make_unique<MeasurePage>(workspace);

    explicit CalibrateBench(const char* mode = "run") {
        qputenv("PLIMSOLL_ENGINE", PLIMSOLL_TESTS_DIR "/engine/fake_calibration.sh");
        qputenv("PLIMSOLL_MPIRUN", PLIMSOLL_TESTS_DIR "/engine/fake_mpirun.sh");
        qputenv("FAKE_ENGINE", mode);
        qputenv("FAKE_CALIBRATION", recorded);
        qputenv("FAKE_ENGINE_STARTED", dir.filePath("started").toUtf8());
        page->set_directory(dir.filePath("calibrations"));
        page->set_presets(dir.filePath("presets").toStdString());
        page->resize(1000, 700);
        page->show();
    }
    QStringList told() const {
        return QString::fromUtf8(contents(dir.filePath("started"))).split(u'\n');
    }  // process id, then arguments
    bool alive() const { return QFileInfo::exists("/proc/" + told().value(0)); }
    QStringList kept() const { return QDir(dir.filePath("calibrations")).entryList({"*.jsonl*"}, QDir::Files); }
    QString leave(const char* name, const QByteArray& text) {
        QDir().mkpath(dir.filePath("calibrations"));
        QFile file(dir.filePath("calibrations/") + name);
        if (!file.open(QFile::WriteOnly) || file.write(text) < 0) qFatal("cannot write");
        return file.fileName();
    }
    void run_to_its_end() {
        page->plan_view()->start_button()->click();
        QTRY_VERIFY_WITH_TIMEOUT(
            page->stage() == MeasurePage::Stage::result || page->stage() == MeasurePage::Stage::plan, 30000);
    }
    void run_until_stalled() {
        page->plan_view()->start_button()->click();
        QTRY_VERIFY_WITH_TIMEOUT(page->session().log().latest().size() == 2
                                     && page->session().calibration().measurements.runs.back().id == "dp2",
                                 30000);
    }
    ResultView& result() { return *page->result(); }
};

}  // namespace

class CalibratePageTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { use_test_settings(); }

    void a_plan_says_what_will_run_before_anything_does() {
        CalibrateBench b;
        PlanView& view = *b.page->plan_view();
        QVERIFY(view.start_button()->isEnabled());
        QVERIFY(view.runs()->rowCount() > 5);
        QStringList roles;
        for (int r = 0; r < view.runs()->rowCount(); ++r) roles << view.runs()->item(r, 1)->text();
        for (const char* role : {"measured", "fitted to", "kept for the test"}) QVERIFY2(roles.contains(role), role);
        QStringList told_by;
        for (int r = 0; r < view.constants()->rowCount(); ++r) told_by << view.constants()->item(r, 1)->text();
        QVERIFY(told_by.contains("stays assumed") && told_by.contains("Matrix products"));
        QVERIFY2(view.summary().contains(" runs on ") && view.summary().contains(" stay assumed"),
                 qPrintable(view.summary()));
        QVERIFY2(view.command().contains("--calibrate") && view.command().contains("--out"),
                 qPrintable(view.command()));
        QVERIFY(b.kept().isEmpty());
        QVERIFY(b.told().value(0).isEmpty());
    }

    void before_anything_starts_it_says_what_becomes_of_the_plan_s_machine_data() {
        QTest::addColumn<QString>("says");
        QTest::newRow("laptop") << "by Start on that computer itself, on its processors";
        QTest::newRow("frontier") << "by a job (Batch job): a Slurm script for 2 nodes with 8 ranks each, HIP";
        QTest::newRow("fugaku") << "a PJM script for 2 nodes with 1 rank each, CPU";
        QTest::newRow("summit") << "is not calibrated: plimsoll-engine needs compute capability 8.0";
        QTest::newRow("tsubame4") << "there is no script for Altair Grid Engine";
    }
    void before_anything_starts_it_says_what_becomes_of_the_plan_s_machine() {
        QFETCH(QString, says);
        CalibrateBench b;
        Scenario next = b.workspace.scenario();
        next.machine = library().machines.at(QTest::currentDataTag());
        b.workspace.propose(next, "another machine");
        b.workspace.told();
        const QString said = b.page->plan_view()->machine();
        QVERIFY2(said.contains(says), qPrintable(said));
        QVERIFY(said.startsWith(QString::fromStdString(next.machine.name)));
    }

    void more_time_is_more_repetitions() {
        CalibrateBench b;
        const QString usual = b.page->plan_view()->runs()->item(0, 3)->text();
        b.page->plan_view()->budget_box()->setCurrentIndex(4);
        QVERIFY(b.page->plan_view()->runs()->item(0, 3)->text() != usual);
    }

    void a_budget_that_is_too_small_says_what_would_do() {
        CalibrateBench b;
        PlanView& view = *b.page->plan_view();
        view.budget_box()->addItem("one second", 1);
        view.budget_box()->setCurrentIndex(view.budget_box()->count() - 1);
        QVERIFY(!view.start_button()->isEnabled());
        QVERIFY2(view.summary().contains("is too small"), qPrintable(view.summary()));
        QCOMPARE(view.runs()->rowCount(), 0);
    }

    void another_subject_is_another_model() {
        CalibrateBench b;
        const QString before = b.page->plan_view()->summary();
        b.page->plan_view()->subject_box()->setCurrentIndex(1);
        QVERIFY(b.page->plan_view()->summary() != before);
    }

    void an_engine_that_is_missing_is_named_and_nothing_starts() {
        CalibrateBench b;
        qputenv("PLIMSOLL_ENGINE", "/nowhere/plimsoll-engine");
        b.page->start();
        QVERIFY(!b.page->session().busy());
        QCOMPARE(b.page->stage(), MeasurePage::Stage::plan);
        QVERIFY2(b.page->plan_view()->summary().contains("/nowhere/plimsoll-engine"),
                 qPrintable(b.page->plan_view()->summary()));
        QVERIFY(!b.page->plan_view()->start_button()->isEnabled());
    }

    void energy_is_told_by_source_and_by_layout() {
        CalibrateBench b;
        QByteArray log = contents(recorded);
        log.insert(log.indexOf("{\"type\":\"plan\""),
                   "{\"type\":\"energy\",\"run\":\"c\",\"node\":0,\"available\":true,\"sources\":[{\"source\":\"rapl\","
                   "\"available\":true,\"scope\":\"package\"},"
                   "{\"source\":\"nvml\",\"available\":false,\"reason\":\"libnvidia-ml.so.1 is not installed\"}]}\n");
        log.insert(log.indexOf("\"experiment\":\"tp2\",\"status\""),
                   "\"energy\":{\"available\":true,\"scope\":\"package\",\"source\":\"rapl\",\"nodes\":1,\"steps\":5,"
                   "\"gross_J\":4.5},");
        QVERIFY(b.page->open_result(b.leave("energy.jsonl", log)).empty());
        const QString remarks = b.result().remarks();
        for (const char* part :
             {"Measured by the machine's own counters in 1 of", "rapl: can be read, of package",
              "nvml: libnvidia-ml.so.1 is not installed", "Modelled: devices", "package (rapl), 5 steps", "0.9 J"})
            QVERIFY2(remarks.contains(QString(part)), qPrintable(QString(part) + " is not in: " + remarks));
    }

    void a_calibration_is_followed_to_its_proof() {
        CalibrateBench b;
        b.run_to_its_end();
        QCOMPARE(b.page->stage(), MeasurePage::Stage::result);
        const auto& shown = b.result().shown();
        QVERIFY(shown.result);
        const Calibration& record = shown.result->record;
        QCOMPARE(b.result().proof()->rowCount(), int(record.proof.size()));
        QCOMPARE(b.result().constants()->rowCount(), int(record.constants.size()));
        QVERIFY(record.constants.size() >= 3);
        const ProofScore score = score_of(record);
        QCOMPARE(score.rows, 4);  // pp2-m4, dp2-zero3, tp2-sp, wider-tp2; dp4 has more ranks than cores
        QCOMPARE(b.result().headline(), headline_of(record));
        QVERIFY2(b.result().headline().contains("over 4 layouts held back"), qPrintable(b.result().headline()));
        QVERIFY(score.time > 0.02 && score.time < 0.07);
        QVERIFY2(b.result().remarks().contains("Energy"), qPrintable(b.result().remarks()));
        QVERIFY(b.result().save_button()->isEnabled());
        QVERIFY(b.result().resume_button()->isHidden());
        QCOMPARE(b.kept().size(), 1);                  // the log; the plan it followed is inside
        QVERIFY(b.kept().front().endsWith(".jsonl"));
        QVERIFY(b.told().value(1).contains("--calibrate"));
    }

    void every_attempt_is_in_the_ledger_also_when_its_log_is_discarded() {
        CalibrateBench b;
        b.run_to_its_end();
        QVERIFY2(b.result().remarks().contains("the only calibration of this plan on this machine"),
                 qPrintable(b.result().remarks()));
        QVERIFY(b.result().remarks().contains("attempts.ledger"));
        b.page->discard();
        QCOMPARE(b.kept().size(), 0);
        QCOMPARE(contents(b.dir.filePath("calibrations/attempts.ledger")).count('\n'), 1);
    }

    void what_sacct_printed_of_the_job_is_added() {
        CalibrateBench b;
        QVERIFY(b.page->open_result(recorded).empty());
        QVERIFY(b.result().energy_button()->isEnabled());
        const QString missing = b.dir.filePath("nothing.txt");
        QVERIFY(!b.page->add_energy(missing).empty());
        const QString said = b.leave("job.txt", "JobID|Elapsed|NNodes|ConsumedEnergyRaw\n7|00:10:00|2|600000\n");
        for (int twice = 0; twice < 2; ++twice) QVERIFY(b.page->add_energy(said).empty());
        const QString counted = "The batch system counted " + to_qt(say(600e3 * joule)) + " for the whole job";
        QVERIFY2(b.result().remarks().count(counted) == 1, qPrintable(b.result().remarks()));
        const QString absurd = b.leave("absurd.txt", "JobID|Elapsed|NNodes|ConsumedEnergyRaw\n7|00:10:00|2|6e12\n");
        QVERIFY(b.page->add_energy(absurd).empty());
        QVERIFY2(b.result().remarks().contains("is not to be used"), qPrintable(b.result().remarks()));
    }

    void points_and_losses_are_drawn_while_it_runs() {
        CalibrateBench b("silent");
        b.run_until_stalled();
        QTRY_VERIFY(b.page->going()->loss()->figure());
        QVERIFY(!b.page->going()->points()->figure().series.empty());
        QVERIFY2(b.page->going()->state().startsWith("Run 9 of 15: Two data ranks ("),
                 qPrintable(b.page->going()->state()));
        QVERIFY(b.page->going()->bar()->value() > 0
                && b.page->going()->bar()->value() < b.page->going()->bar()->maximum());
        QVERIFY2(b.page->going()->contention().contains("points and 0 steps were disturbed"),
                 qPrintable(b.page->going()->contention()));
        b.page->cancel();
        QTRY_VERIFY_WITH_TIMEOUT(!b.page->session().busy(), 10000);
    }

    void cancelling_keeps_what_is_complete() {
        CalibrateBench b("silent");
        b.run_until_stalled();
        b.page->going()->cancel_button()->click();
        QTRY_COMPARE_WITH_TIMEOUT(b.page->stage(), MeasurePage::Stage::result, 10000);
        QVERIFY(!b.alive());
        QVERIFY2(
            b.result().shown().ending.startsWith("Cancelled: 8 of 15 runs complete, cancelled in \"Two data ranks\""),
            qPrintable(b.result().shown().ending));
        QVERIFY(!b.result().save_button()->isEnabled());
        QVERIFY(!b.result().resume_button()->isHidden());
        QVERIFY(b.result().constants()->rowCount() > 0);     // of the benches, which were complete
        QCOMPARE(b.kept().size(), 1);
    }

    void one_that_does_not_listen_is_ended_and_its_lines_are_kept() {
        CalibrateBench b("stubborn");
        b.run_until_stalled();
        b.page->cancel();
        b.page->going()->cancel_button()->click();
        QTRY_COMPARE_WITH_TIMEOUT(b.page->stage(), MeasurePage::Stage::result, 10000);
        QVERIFY(!b.alive());
        QVERIFY2(b.result().shown().ending.startsWith("Cancelled: 8 of 15 runs complete, cut off"),
                 qPrintable(b.result().shown().ending));
        QVERIFY(b.kept().front().endsWith(".jsonl.part"));
    }

    void closing_the_window_ends_it_and_the_next_one_offers_it() {
        CalibrateBench b("stubborn");
        b.run_until_stalled();
        b.page.reset();
        QTRY_VERIFY_WITH_TIMEOUT(!b.alive(), 5000);
        MeasurePage next(b.workspace);
        next.set_directory(b.dir.filePath("calibrations"));
        next.show();
        next.look_for_interrupted();
        QVERIFY2(next.interrupted()->text().endsWith("was interrupted after 8 of 15 runs."),
                 qPrintable(next.interrupted()->text()));
        QVERIFY(next.interrupted()->isVisible());
    }

    void an_attempt_is_gone_on_from_and_replaced_when_the_next_is_whole() {
        CalibrateBench b;
        const QString left =
            b.leave("2026-11-20-x.jsonl",
                    up_to("{\"type\":\"predict\"")
                        + "{\"type\":\"summary\",\"run\":\"c\",\"seq\":1,\"t_s\":99,\"status\":\"cancelled\"}\n");
        b.page->look_for_interrupted();
        QVERIFY(b.page->interrupted()->isVisible());
        b.page->interrupted()->findChild<QPushButton*>("interrupted.resume")->click();
        QTRY_COMPARE_WITH_TIMEOUT(b.page->stage(), MeasurePage::Stage::result, 30000);
        QVERIFY2(b.told().value(1).contains("--resume " + left), qPrintable(b.told().value(1)));
        QVERIFY(b.page->session().calibration().complete());
        QVERIFY(!QFileInfo::exists(left));
        QCOMPARE(b.kept().size(), 1);
        b.page->close_result();
        QVERIFY(!b.page->interrupted()->isVisible());
    }

    void an_interrupted_one_can_be_looked_at_and_discarded() {
        CalibrateBench b;
        const QString left = b.leave("2026-11-20-x.jsonl.part", up_to("{\"type\":\"predict\""));
        b.page->look_for_interrupted();
        b.page->interrupted()->findChild<QPushButton*>("interrupted.look")->click();
        QCOMPARE(b.page->stage(), MeasurePage::Stage::result);
        QVERIFY2(b.result().shown().ending.contains("10 of 15 runs complete"), qPrintable(b.result().shown().ending));
        b.page->discard();
        QVERIFY(!QFileInfo::exists(left));
        QCOMPARE(b.page->stage(), MeasurePage::Stage::plan);
        QVERIFY(!b.page->interrupted()->isVisible());
    }

    void a_bad_end_is_said_data() {
        QTest::addColumn<QByteArray>("mode");
        QTest::addColumn<QString>("said");
        QTest::newRow("no progress: where the ranks were")
            << QByteArray("watchdog") << "rank 0 backward, data_parallel; rank 1 backward, gemm";
        QTest::newRow("no progress: the last collective")
            << QByteArray("watchdog") << "in the all_reduce of data ranks, call 12";
        QTest::newRow("no progress: what is kept") << QByteArray("watchdog") << "8 of 15 runs are complete and kept";
        QTest::newRow("a killed rank: which and where")
            << QByteArray("killed") << "Rank 1 was killed in \"Two data ranks\", last seen in backward, gemm.";
        QTest::newRow("a killed rank: what is kept") << QByteArray("killed") << "8 of 15 runs are complete and kept";
    }
    void a_bad_end_is_said() {
        QFETCH(QByteArray, mode);
        QFETCH(QString, said);
        CalibrateBench b(mode.constData());
        b.run_to_its_end();
        QCOMPARE(b.page->stage(), MeasurePage::Stage::result);
        QVERIFY2(b.result().shown().ending.contains(said), qPrintable(b.result().shown().ending));
        QVERIFY(!b.result().resume_button()->isHidden());
        QVERIFY(!b.result().save_button()->isEnabled());
    }

    void an_engine_that_refuses_says_why_on_the_plan() {
        CalibrateBench b("refuses");
        b.run_to_its_end();
        QCOMPARE(b.page->stage(), MeasurePage::Stage::plan);
        const auto labels = b.page->plan_view()->findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](QLabel* l) {
            return l->isVisible() && l->text().contains("was not expected: --calibrate");
        }));
        QVERIFY(b.kept().isEmpty());
    }

    void a_number_leads_to_its_points() {
        CalibrateBench b;
        QVERIFY(b.page->open_result(recorded).empty());
        ResultView& r = b.result();
        r.tabs()->setCurrentIndex(2);
        for (int row = 0; row < r.constants()->rowCount(); ++row) {
            r.constants()->setCurrentCell(row, 0);
            QVERIFY2(r.evidence()->sentence().contains(r.constants()->item(row, 0)->text()),
                     qPrintable(r.evidence()->sentence()));
            const std::string id = r.shown().result->record.constants[std::size_t(row)].experiment;
            for (const Experiment& e : r.shown().result->record.experiments)
                if (e.id == id) QCOMPARE(r.evidence()->points()->rowCount(), int(e.points.size()));
        }
    }

    void a_result_is_saved_used_in_the_plan_and_taken_back() {
        CalibrateBench b;
        QVERIFY(b.page->open_result(recorded).empty());
        QVERIFY2(!b.result().shown().result->refused, b.result().shown().result->refused.value_or("").c_str());
        QVERIFY(b.result().use_button()->isHidden());
        QVERIFY(b.page->save().empty());
        QVERIFY(!b.result().use_button()->isHidden());
        QCOMPARE(QDir(b.dir.filePath("presets/machines")).entryList(QDir::Files).size(), 1);
        const Scenario before = b.workspace.scenario();
        b.result().use_button()->click();
        const Machine& machine = b.workspace.scenario().machine;
        QVERIFY(machine.calibration);
        QVERIFY(b.workspace.library().machines.contains(machine.id));
        QCOMPARE(b.workspace.document().history().count(), 1);
        b.workspace.document().history().undo();
        QVERIFY(b.workspace.scenario() == before);
    }

    void a_proof_is_exported_as_tables_and_figures() {
        CalibrateBench b;
        QVERIFY(b.page->open_result(recorded).empty());
        QTemporaryDir out;
        QVERIFY(write_files(b.page->export_files(out.path())).empty());
        const QStringList files = QDir(out.path()).entryList(QDir::Files);
        for (const char* name : {"two-cores-calibration-proof.csv", "two-cores-calibration-proof.md",
                                 "two-cores-calibration-parts.pdf", "two-cores-calibration-errors.csv"})
            QVERIFY2(files.contains(name), qPrintable(files.join(u' ')));
        QVERIFY(contents(out.filePath("two-cores-calibration-proof.csv")).contains("pp2-m4"));
    }

    void what_was_opened_from_elsewhere_is_not_deleted() {
        CalibrateBench b;
        QTemporaryDir elsewhere;
        const QString copy = elsewhere.filePath("result.jsonl");
        QVERIFY(QFile::copy(recorded, copy));
        QVERIFY(b.page->open_result(copy).empty());
        QVERIFY(b.result().discard_button()->isHidden());
        b.page->discard();
        QVERIFY(QFileInfo::exists(copy));
    }

    void a_log_that_was_changed_is_shown_and_not_saved() {
        CalibrateBench b;
        QByteArray text = contents(recorded);
        const auto at = text.indexOf("\"median_s\":") + 13;
        text[at] = text[at] == '1' ? '2' : '1';
        QVERIFY(b.page->open_result(b.leave("changed.jsonl", text)).empty());
        QVERIFY(!b.result().save_button()->isEnabled());
        QVERIFY(b.result().shown().result->refused.value_or("").find("changed") != std::string::npos);
    }

    void a_file_that_is_no_calibration_changes_nothing() {
        CalibrateBench b;
        const Problems problems = b.page->open_result(b.leave("other.jsonl", "{\"type\":\"hello\"}\n"));
        QVERIFY(has_errors(problems));
        QCOMPARE(b.page->stage(), MeasurePage::Stage::plan);
    }

    void a_dropped_log_opens_and_the_plan_stays() {
        Desk d;
        d.type("layout.tensor_parallel.editor", "1");
        const Scenario before = d.workspace.scenario();
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(recorded)});
        QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&d.window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&d.window, &drop);   // asks nothing: no plan is given up
        QCOMPARE(d.window.calibration()->measure()->stage(), MeasurePage::Stage::result);
        QVERIFY(d.window.calibration()->isVisible());
        QVERIFY(d.workspace.scenario() == before);
    }

    void a_measured_number_of_the_plan_leads_to_its_points() {
        Desk d;
        MeasurePage& page = *d.window.calibration()->measure();
        QTemporaryDir presets;
        page.set_presets(presets.path().toStdString());
        QVERIFY(page.open_result(recorded).empty() && page.save().empty());
        page.use();
        const Machine& machine = d.workspace.scenario().machine;
        const auto found = evidence_for(machine, machine.calibration->constants.front().pointer);
        QVERIFY(!found.empty());
        const Source source = machine.sources.at(machine.calibration->constants.front().pointer);
        QCOMPARE(source.kind, SourceKind::measured);
        const auto by_source = evidence_of_source(machine, source.text);
        QCOMPARE(by_source.size(), std::size_t(1));
        QDialog* dialog = show_evidence(&d.window, by_source);
        QVERIFY(dialog && dialog->findChild<ScatterChart*>()->figure().series.size() >= 2);
        QVERIFY(evidence_of_source(machine, "data sheet").empty());
        const auto offered = presets_of(PresetKind::machine, d.workspace.library());
        QVERIFY(std::any_of(offered.begin(), offered.end(), [&](const PresetName& p) { return p.id == machine.id; }));
    }
};

PLIMSOLL_TEST(CalibratePageTest)
#include "tst_calibrate_page.moc"
