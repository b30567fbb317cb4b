// Short runs of the user's own software in the window: which are proposed, the job that is written, its logs followed
// while it runs, and what they make of the plan.
#include "registered_test.h"

#include "core/answers/campaign/headline.h"
#include "core/files/presets/scenario_json.h"
#include "probe_folder.h"
#include "views/desk.h"
#include "views/jobs/own_software_page.h"
#include "views/replies.h"

#include <QMimeData>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

Scenario plan_of_alps() {
    return read_scenario(*read_text(library().scenarios.at("llama3-8b-alps")), library())->scenario;
}

struct OwnSoftwareBench {
    ComparedWorkspace workspace;
    OwnSoftwarePage page{workspace};
    OwnSoftwareBench() {
        workspace.plans().start(plan_of_alps());
        workspace.told();
        page.resize(1000, 700);
        page.show();
        wait();
    }
    ProbesToRun& to_run() { return *page.to_run(); }
    ProbesRead& read() { return *page.read(); }
    void wait() {
        workspace.told();
        QTRY_VERIFY_WITH_TIMEOUT(!page.to_run()->busy() && !page.read()->busy(), Desk::patience);
    }
    void propose(const Scenario& next) {
        workspace.propose(next, "another plan");
        wait();
    }
    void open(const ProbeFolder& folder) {
        page.show_folder(to_qt(folder.path().string()));
        wait();
    }
    QStringList column(const TextTable& table, int column) const {
        QStringList cells;
        for (int r = 0; r < table.rowCount(); ++r) cells << table.item(r, column)->text();
        return cells;
    }
};

}  // namespace

class tst_own_software_page : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { use_test_settings(); }

    void the_runs_that_tell_most_are_listed_with_what_they_cost() {
        OwnSoftwareBench b;
        const auto probes = plan_probes(b.workspace.scenario());
        QVERIFY(probes);
        QCOMPARE(b.to_run().table()->rowCount(), int(probes->runs.size()));
        QVERIFY(b.to_run().table()->item(0, 1)->text().contains("layer"));
        for (const char* said : {"node-hours", "two plans in three", "nine in ten"})
            QVERIFY2(b.to_run().summary().contains(said), qPrintable(b.to_run().summary()));
        QVERIFY2(b.to_run().unseen().contains("Failures"), qPrintable(b.to_run().unseen()));
        QVERIFY(b.to_run().write_button()->isEnabled());
        QVERIFY2(b.to_run().script().contains("pretrain_gpt.py"), qPrintable(b.to_run().script()));
    }

    void more_steps_and_visits_take_longer() {
        OwnSoftwareBench b;
        const QString usual = b.to_run().table()->item(0, 4)->text();
        b.to_run().minutes()->setValue(600);
        b.to_run().visits()->setValue(6);
        b.wait();
        QVERIFY(b.to_run().table()->item(0, 4)->text() != usual);
    }

    void the_framework_is_that_of_the_plan_s_software_until_another_is_chosen() {
        OwnSoftwareBench b;
        for (const auto& [stack, framework] : {std::pair("deepspeed-zero3", "deepspeed"), {"pytorch-fsdp", "fsdp"},
                                              {"megatron-core", "megatron"}}) {
            Scenario next = b.workspace.scenario();
            next.stack = library().stacks.at(stack);
            b.propose(next);
            QCOMPARE(b.to_run().framework()->currentData().toString(), QString(framework));
        }
        b.to_run().framework()->setCurrentIndex(3);
        Scenario next = b.workspace.scenario();
        next.recipe.tokens *= 2;
        b.propose(next);
        QCOMPARE(b.to_run().framework()->currentIndex(), 3);
    }

    void where_there_are_no_runs_the_reasons_are_said() {
        OwnSoftwareBench b;
        Scenario next = b.workspace.scenario();
        next.layout.tensor_parallel = 3;
        b.propose(next);
        QCOMPARE(b.to_run().table()->rowCount(), 0);
        QVERIFY(!b.to_run().summary().isEmpty());
        QVERIFY(!b.to_run().write_button()->isEnabled());
    }

    void the_job_is_written_whole_and_its_folder_is_watched() {
        OwnSoftwareBench b;
        QTemporaryDir dir;
        const QString folder = dir.filePath("short");
        QVERIFY(b.to_run().save_to(folder).empty());
        const QStringList files = QDir(folder).entryList(QDir::Files);
        for (const char* name : {"job.sh", "probe-1.sh", "probes.json"}) QVERIFY2(files.contains(name), name);
        b.wait();
        QCOMPARE(b.read().folder(), folder);
        QVERIFY(b.page.currentWidget() == &b.read());
        QVERIFY2(b.read().state().contains("0 of"), qPrintable(b.read().state()));
        QVERIFY2(b.read().remarks().startsWith("Not there yet: probe-1.visit-1.log, "), qPrintable(b.read().remarks()));
        QVERIFY(!b.read().keep_button()->isEnabled());
        // The first visit ends: nobody asks the page to look again.
        const auto probes = plan_probes(b.workspace.scenario());
        QVERIFY(write_atomically((folder + "/probe-1.visit-1.log").toStdString(),
                                 megatron_lines(1.2 * probes->runs.front().step)));
        b.read().watch().setInterval(20);
        QTRY_VERIFY_WITH_TIMEOUT(b.read().state().contains("1 of"), Desk::patience);
        QVERIFY(b.read().keep_button()->isEnabled());
    }

    void files_of_another_job_are_replaced_by_who_says_so_alone() {
        OwnSoftwareBench b;
        QTemporaryDir dir;
        const std::string script = dir.filePath("job.sh").toStdString();
        QVERIFY(write_atomically(script, "mine\n"));
        const Replies replies({choose_file(dir.path())});   // and the question that follows is cancelled
        b.to_run().write_button()->click();
        QCOMPARE(replies.titles().value(1), QString("Replace files"));
        QCOMPARE(*read_text(script), std::string("mine\n"));
    }

    void a_folder_with_logs_of_other_runs_is_not_written_into() {
        OwnSoftwareBench b;
        ProbeFolder folder(b.workspace.scenario(), {.visits = 3});
        folder.run("probe-1", 1, second);
        const Problems problems = b.to_run().save_to(to_qt(folder.path().string()));
        QVERIFY2(say(problems).find("choose another folder") != std::string::npos, say(problems).c_str());
    }

    void what_was_measured_stands_beside_what_was_predicted() {
        OwnSoftwareBench b;
        ProbeFolder folder(b.workspace.scenario());
        folder.run_all(0.2);
        b.open(folder);
        const QStringList errors = b.column(*b.read().table(), 5);
        for (const QString& error : errors) QVERIFY2(error.contains("17") || error.contains("16"), qPrintable(error));
        for (const char* said : {"before: ", "after: ", "Anchored by"})
            QVERIFY2(b.read().after().contains(said), qPrintable(b.read().after()));
        QVERIFY(b.read().chart()->figure().series.size() == 4);
        QVERIFY(b.read().chart()->data_rows() > 0);
        QVERIFY2(!b.read().remarks().contains("were written for the plan"), qPrintable(b.read().remarks()));
    }

    void what_is_kept_counts_for_the_plan_and_undo_takes_it_back() {
        OwnSoftwareBench b;
        ProbeFolder folder(b.workspace.scenario());
        folder.run_all(0.2);
        b.open(folder);
        const Seconds before = b.workspace.told().outcome->step.total();
        b.read().keep();
        QCOMPARE(b.workspace.anchors().size(), folder.probes.runs.size());
        const Seconds after = b.workspace.told().outcome->step.total();
        QVERIFY2(after / before > 1.1 && after / before < 1.3, qPrintable(QString::number(after / before)));
        QVERIFY(!b.read().keep_button()->isEnabled());
        b.workspace.document().history().undo();
        QVERIFY(b.workspace.anchors().empty());
        QVERIFY(b.workspace.told().outcome->step.total() == before);
    }

    void runs_that_are_kept_again_replace_those_that_were() {
        OwnSoftwareBench b;
        ProbeFolder folder(b.workspace.scenario());
        folder.run_all(0.2);
        b.open(folder);
        b.read().keep();
        folder.run_all(0.4);
        b.open(folder);
        QVERIFY(b.read().keep_button()->isEnabled());
        b.read().keep();
        QCOMPARE(b.workspace.anchors().size(), folder.probes.runs.size());
        b.workspace.document().history().undo();
        QCOMPARE(b.workspace.anchors().size(), folder.probes.runs.size());
    }

    void a_visit_that_was_disturbed_and_a_run_that_is_none_are_said() {
        OwnSoftwareBench b;
        ProbeFolder folder(b.workspace.scenario());
        folder.run_all(0.1);
        folder.run("probe-1", 2, 2 * folder.step("probe-1"));
        folder.write("probe-2.visit-1.log", "------------------------ arguments ------------------------\n"
                                            "  num_layers ...................................... 3\n"
                                            "  hidden_size ..................................... 1024\n"
                                            "  num_attention_heads ............................. 16\n"
                                            "  seq_length ...................................... 2048\n"
                                            "  global_batch_size ............................... 64\n"
                                            "  world_size ...................................... 4\n"
                                                + megatron_lines(second));
        b.open(folder);
        QVERIFY2(b.read().remarks().contains("disturbed"), qPrintable(b.read().remarks()));
        QVERIFY2(b.read().remarks().contains("probe-2.visit-1.log"), qPrintable(b.read().remarks()));
    }

    void a_folder_that_holds_no_short_runs_says_so() {
        OwnSoftwareBench b;
        QTemporaryDir dir;
        b.page.show_folder(dir.path());
        b.wait();
        QVERIFY2(b.read().state().contains("probes.json"), qPrintable(b.read().state()));
        QVERIFY(!b.read().keep_button()->isEnabled());
    }

    void the_folder_belongs_to_its_plan() {
        OwnSoftwareBench b;
        ProbeFolder folder(b.workspace.scenario());
        folder.run_all(0.2);
        b.open(folder);
        b.workspace.plans().start(first_scenario(library()));
        b.wait();
        QVERIFY(b.read().folder().isEmpty());
        b.workspace.plans().show(0);
        b.wait();
        QCOMPARE(b.read().folder(), to_qt(folder.path().string()));
        // On four times the devices it is another plan, of which they tell less.
        Scenario larger = b.workspace.scenario();
        larger.layout.data_parallel *= 4;
        larger.layout.devices *= 4;
        larger.recipe.global_batch_sequences *= 4;
        b.propose(larger);
        QVERIFY2(b.read().remarks().contains("were written for the plan"), qPrintable(b.read().remarks()));
        QVERIFY(b.read().after().contains("after: "));
    }

    void a_folder_that_is_dropped_on_the_window_is_read() {
        Desk d;
        const Scenario before = d.workspace.scenario();
        ProbeFolder folder(plan_of_alps());
        folder.run_all(0.2);
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(to_qt(folder.path().string()))});
        QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&d.window, &enter);
        QDropEvent drop({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&d.window, &drop);
        ProbesRead& read = *d.window.own_software()->read();
        QCOMPARE(d.window.page_tabs()->current(), QString("probes"));
        QTRY_VERIFY_WITH_TIMEOUT(read.table()->rowCount() > 0, Desk::patience);
        QVERIFY(d.workspace.scenario() == before);
    }
};

PLIMSOLL_TEST(tst_own_software_page)
#include "tst_own_software_page.moc"
