// Configurations of training frameworks in the window: what became of every setting is shown before it is the plan.
#include "registered_test.h"

#include "configurations.h"
#include "near.h"
#include "probe_folder.h"
#include "views/replies.h"
#include "views/session_desk.h"
#include "views/window/import_dialog.h"

#include <QMimeData>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

QString written(const QTemporaryDir& folder, const char* name, const std::string& text) {
    const QString path = folder.filePath(name);
    if (!write_atomically(path.toStdString(), text)) qFatal("cannot write");
    return path;
}

QString cell_beside(const TextTable& table, const QString& setting, int column) {
    for (int r = 0; r < table.rowCount(); ++r)
        if (table.item(r, 1)->text() == setting) return table.item(r, column)->text();
    return {};
}

void drop(Desk& d, const QStringList& paths) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& path : paths) urls << QUrl::fromLocalFile(path);
    data.setUrls(urls);
    QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(&d.window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent event({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(&d.window, &event);
}

// Notes what an import says, then presses a button of it.
Reply look_and_press(QString& said, const QString& text) {
    return [&said, text](QDialog& dialog) {
        if (auto* import = qobject_cast<ImportDialog*>(&dialog)) {
            for (const QLabel* label : import->findChildren<QLabel*>()) said += label->text() + u'\n';
            if (import->steps()) said += QStringLiteral("%1 steps\n").arg(import->steps()->data_rows());
        }
        press(text)(dialog);
    };
}

}  // namespace

class tst_framework_files : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { use_test_settings(); }

    void what_became_of_a_setting_stands_in_the_report() {
        ImportDialog dialog({{"train.sh", megatron_script}}, plimsoll::library(), Scenario{});
        QCOMPARE(cell_beside(*dialog.table(), "--enable-warp-drive", 0), QString("not understood"));
        QCOMPARE(cell_beside(*dialog.table(), "--tensor-model-parallel-size", 3), QString("Tensor parallel: 2"));
        QVERIFY(cell_beside(*dialog.table(), "--lr", 0).isEmpty());
        dialog.all()->setChecked(true);
        QCOMPARE(cell_beside(*dialog.table(), "--lr", 0), QString("no effect"));
        QVERIFY(dialog.take()->isEnabled());
    }

    void the_machine_of_the_open_plan_is_proposed_and_can_be_another() {
        Desk d;
        ImportDialog dialog({{"p.yaml", primus_yaml}}, plimsoll::library(), d.workspace.scenario());
        QCOMPARE(dialog.plan().machine.id, d.workspace.scenario().machine.id);
        emit dialog.machine()->picked("frontier");
        dialog.devices()->setValue(64);
        QCOMPARE(dialog.plan().machine.id, std::string("frontier"));
        QCOMPARE(dialog.plan().layout.devices, 64);
    }

    void an_import_is_a_step_that_can_be_undone() {
        Desk d;
        const QTemporaryDir folder;
        const QString path = written(folder, "train.sh", megatron_script);
        const Scenario before = d.workspace.scenario();
        const Replies replies({press("Make it the plan")});
        QVERIFY(d.window.open(path));
        QCOMPARE(d.workspace.scenario().layout.pipeline_parallel, 4);
        QVERIFY(d.workspace.scenario().model.layers == 32);
        d.workspace.document().history().undo();
        QVERIFY(d.workspace.scenario() == before);
    }

    void who_does_not_take_it_keeps_the_plan() {
        Desk d;
        const QTemporaryDir folder;
        const QString path = written(folder, "train.sh", megatron_script);
        const Scenario before = d.workspace.scenario();
        const Replies replies;
        QVERIFY(!d.window.open(path));
        QCOMPARE(replies.titles(), QStringList{"Import a framework's configuration"});
        QVERIFY(d.workspace.scenario() == before);
    }

    void a_file_that_is_none_is_told_why() {
        Desk d;
        const QTemporaryDir folder;
        const Replies replies;
        QVERIFY(!d.window.open(written(folder, "bad.yaml", "a: [1\n")));
        QCOMPARE(replies.titles(), QStringList{"Plimsoll"});
    }

    void several_files_are_dropped_as_one_plan() {
        Desk d;
        const QTemporaryDir folder;
        const Replies replies({press("Make it the plan")});
        drop(d, {written(folder, "ds.json", deepspeed_json_text), written(folder, "config.json", llama_config)});
        QCOMPARE(d.workspace.scenario().model.layers, 22);
        QCOMPARE(d.workspace.scenario().layout.zero_stage, 3);
    }

    void a_script_is_dropped_with_its_log_and_kept_as_measured() {
        Desk d;
        const QTemporaryDir folder;
        QString said;
        const auto on_h100 = [&said](QDialog& dialog) {
            auto* import = qobject_cast<ImportDialog*>(&dialog);
            QVERIFY(import);
            emit import->machine()->picked("dgx-h100");
            look_and_press(said, "Make it the plan")(dialog);
        };
        const Replies replies({on_h100});
        drop(d, {written(folder, "run.log", megatron_lines(4 * second)), written(folder, "train.sh", megatron_script)});
        QCOMPARE(d.workspace.scenario().model.layers, 32);
        QVERIFY2(d.workspace.anchors().size() == 1, qPrintable(said));
        QVERIFY(near(*d.workspace.anchors().front().step / second, 4, 0.02));
        QVERIFY2(said.contains("50 steps") && said.contains("step time: ") && said.contains("differs from what ran"),
                 qPrintable(said));
    }

    void a_run_that_is_hard_to_believe_is_not_kept_unless_asked_for() {
        Desk d;
        const QTemporaryDir folder;
        const auto look = [](QDialog& dialog) {
            auto* import = qobject_cast<ImportDialog*>(&dialog);
            QVERIFY(import);
            emit import->machine()->picked("dgx-h100");
            QVERIFY(!import->keeps()->isChecked());
            QVERIFY2(import->said().contains("peak"), qPrintable(import->said()));
            press("Make it the plan")(dialog);
        };
        const Replies replies({look});
        drop(d, {written(folder, "run.log", megatron_lines(1 * millisecond)),
                 written(folder, "train.sh", megatron_script)});
        QCOMPARE(d.workspace.scenario().model.layers, 32);
        QVERIFY(d.workspace.anchors().empty());
    }

    void a_log_is_compared_with_the_plan_in_front_which_stays() {
        Desk d;
        const QTemporaryDir folder;
        const Scenario before = d.workspace.scenario();
        const Replies replies({press("Compare with the plan in front")});
        drop(d, {written(folder, "run.log", megatron_lines(4 * second)), written(folder, "train.sh", megatron_script)});
        QVERIFY(d.workspace.scenario() == before);
        QVERIFY(d.workspace.anchors().empty());
        DriftPage& page = *d.window.calibration()->drift();
        QVERIFY(page.isVisible());
        QVERIFY2(page.state().startsWith("run.log"), qPrintable(page.state()));
    }

    void a_log_that_says_no_model_is_compared_and_may_be_kept_of_the_plan_in_front() {
        Desk d;
        const QTemporaryDir folder;
        QString said;
        const auto keep_it = [&said](QDialog& dialog) {
            if (auto* import = qobject_cast<ImportDialog*>(&dialog)) {
                QVERIFY(!import->take()->isEnabled() && !import->keeps()->isChecked());
                import->keeps()->setChecked(true);
            }
            look_and_press(said, "Compare with the plan in front")(dialog);
        };
        const Replies replies({keep_it});
        drop(d, {written(folder, "run.log", megatron_lines(4 * second))});
        QVERIFY2(said.contains("does not say which model ran"), qPrintable(said));
        QCOMPARE(d.workspace.anchors().size(), std::size_t(1));
        QVERIFY(d.window.calibration()->drift()->isVisible());
    }

    void logs_of_one_run_are_read_together_and_those_of_others_are_named_data() {
        QTest::addColumn<QString>("second_log");
        QTest::addColumn<QString>("says");
        QTest::newRow("a restart") << QString::fromStdString(megatron_lines(4 * second, 0.01, 41, 50))
                                   << "Read as one run and its restarts: a.log, b.log.";
        QTest::newRow("a rank") << QString::fromStdString(megatron_lines(5 * second)) << "of which the slowest counts";
        QTest::newRow("another framework")
            << "[titan] 2026-10-02 09:15:52,301 - root - INFO - step: 20  loss:  8.8  memory: 43.00GiB(54.36%)  "
               "tps: 40,351  tflops: 300.1  mfu: 30.3%\n"
               "[titan] 2026-10-02 09:15:59,301 - root - INFO - step: 30  loss:  8.8  memory: 43.00GiB(54.36%)  "
               "tps: 40,352  tflops: 300.1  mfu: 30.3%\n"
            << "logs of other runs: b.log";
    }
    void logs_of_one_run_are_read_together_and_those_of_others_are_named() {
        QFETCH(QString, second_log);
        QFETCH(QString, says);
        Desk d;
        const QTemporaryDir folder;
        QString said;
        const Replies replies({look_and_press(said, "Make it the plan")});
        drop(d, {written(folder, "a.log", megatron_lines(4 * second)),
                 written(folder, "b.log", second_log.toStdString()), written(folder, "train.sh", megatron_script)});
        QVERIFY2(said.contains(says), qPrintable(said));
        QCOMPARE(d.workspace.scenario().model.layers, 32);
    }
};

PLIMSOLL_TEST(tst_framework_files)
#include "tst_framework_files.moc"
