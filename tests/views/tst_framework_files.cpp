// Configurations of training frameworks in the window: what became of every setting is shown before it is the plan.
#include "registered_test.h"

#include "configurations.h"
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
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(written(folder, "ds.json", deepspeed_json_text)),
                      QUrl::fromLocalFile(written(folder, "config.json", llama_config))});
        QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&d.window, &enter);
        QVERIFY(enter.isAccepted());
        const Replies replies({press("Make it the plan")});
        QDropEvent drop({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&d.window, &drop);
        QCOMPARE(d.workspace.scenario().model.layers, 22);
        QCOMPARE(d.workspace.scenario().layout.zero_stage, 3);
    }
};

PLIMSOLL_TEST(tst_framework_files)
#include "tst_framework_files.moc"
