// Measured steps of a running job on the calibration page: opened, dropped, weighed, searched, applied, refused.
#include "registered_test.h"

#include "views/desk.h"

#include "core/answers/replan/replan_wording.h"
#include "core/answers/search/wording.h"
#include "views/jobs/drift_page.h"
#include "views/parts/text.h"

#include <QDropEvent>
#include <QMimeData>

#include <cmath>

using namespace plimsoll;

namespace {

// 6.7 billion parameters on 4 nodes of A100: small enough to search in a blink, with more than one good layout.
Scenario job() {
    Scenario s;
    s.model = library().models.at("gpt3-6.7b");
    s.machine = library().machines.at("selene");
    s.stack = library().stacks.at("megatron-lm-2021");
    s.layout.devices = 32, s.layout.data_parallel = 8, s.layout.tensor_parallel = 4;
    s.layout.micro_batch = 2;
    s.recipe.global_batch_sequences = 128;
    s.recipe.sequence_length = 2048;
    return s;
}

// A shown page over that job, and what it wrote.
struct DriftBench {
    QTemporaryDir dir;
    Workspace workspace{library()};
    DriftPage page{workspace};

    DriftBench() {
        workspace.document().start(job());
        workspace.told();
        page.resize(1000, 700);
        page.show();
    }
    QString file(const QByteArray& text, const char* name = "job.csv") {
        QFile file(dir.filePath(name));
        if (!file.open(QFile::WriteOnly) || file.write(text) < 0) qFatal("cannot write");
        return file.fileName();
    }
    // Steps `factor` times as long as predicted; with their parts where asked.
    QString steps(double factor, bool parts = false) {
        const StepTime predicted = estimate(job())->step;
        QByteArray text = "step_s";
        for (const auto& part : step_parts)
            if (parts) text += "," + QByteArray(part.id.data(), qsizetype(part.id.size()));
        for (int i = 0; i < 31; ++i) {
            const double here = factor * (1 + 0.005 * std::sin(i));
            text += "\n" + QByteArray::number(here * (predicted.total() / second), 'g', 12);
            for (const auto& part : step_parts)
                if (parts) text += "," + QByteArray::number(here * (predicted.*part.value / second), 'g', 12);
        }
        return file(text + "\n");
    }
    void open(double factor, bool parts = false) {
        QVERIFY(page.open(steps(factor, parts)).empty());
        QTRY_VERIFY_WITH_TIMEOUT(!page.busy(), 60000);
    }
    void change_plan() {
        workspace.propose(*with(workspace.scenario(), *find_knob("recipe.sequence_length"), 1024), "Edit");
        workspace.told();
    }
};

}  // namespace

class DriftPageTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { use_test_settings(); }

    void an_empty_page_says_what_it_takes() {
        DriftBench b;
        QVERIFY(b.page.empty_text()->isVisible());
        QVERIFY(static_cast<QLabel*>(b.page.empty_text())->text().contains("step_s"));
        QVERIFY(b.page.empty_text()->toolTip().contains("tensor_parallel"));
        QVERIFY(!b.page.search_button()->isEnabled());
        QVERIFY(!b.page.table()->isVisible());
    }

    void only_steps_that_depart_are_searched_for_data() {
        QTest::addColumn<double>("factor");
        QTest::addColumn<double>("amount");
        QTest::addColumn<QString>("says");
        QTest::addColumn<bool>("searched");
        QTest::newRow("steps as predicted: the plan holds")
            << 1.0 << 10.0 << "That is within 10 %: the plan holds" << false;
        QTest::newRow("a third slower departs from 10 %") << 1.3 << 10.0 << "+30.0 %" << true;
        QTest::newRow("a fifth faster departs from 10 %") << 0.8 << 10.0 << "-20.0 %" << true;
        QTest::newRow("a third slower is within 40 %") << 1.3 << 40.0 << "That is within 40 %: the plan holds" << false;
    }
    void only_steps_that_depart_are_searched_for() {
        QFETCH(double, factor);
        QFETCH(double, amount);
        QFETCH(QString, says);
        QFETCH(bool, searched);
        DriftBench b;
        b.page.amount()->setValue(amount);
        b.open(factor);
        QVERIFY2(b.page.state().contains(says) && b.page.state().startsWith("job.csv: measured "),
                 qPrintable(b.page.state()));
        QCOMPARE(b.page.readings().empty(), !searched);
        QCOMPARE(b.page.table()->isVisible(), searched);
        QCOMPARE(b.page.search_button()->isEnabled(), searched);
        QVERIFY(!b.page.empty_text()->isVisible());
        QCOMPARE(b.page.steps()->figure().series.front().x.size(), std::size_t(31));
    }

    void the_table_reads_as_the_command_line_prints_it() {
        DriftBench b;
        b.open(1.6);
        const auto& readings = b.page.readings();
        QCOMPARE(b.page.table()->rowCount(), int(readings.size()));
        QCOMPARE(b.page.table()->columnCount(), int(replan_headings().size()));
        for (int r = 0; r < b.page.table()->rowCount(); ++r) {
            const auto cells = replan_cells(readings[std::size_t(r)]);
            for (int c = 0; c < b.page.table()->columnCount(); ++c)
                QCOMPARE(b.page.table()->item(r, c)->text(), to_qt(cells[std::size_t(c)]));
        }
        QVERIFY2(b.page.advice().contains(to_qt(say_advice(readings)).toHtmlEscaped()), qPrintable(b.page.advice()));
    }

    void parts_in_the_file_are_drawn_beside_the_predicted_ones_and_leave_one_reading() {
        DriftBench b;
        b.open(1.3, true);
        QCOMPARE(int(b.page.readings().size()), 1);
        QVERIFY(b.page.parts()->isVisible());
        const Figure& figure = *b.page.parts()->figure();
        QCOMPARE(int(figure.categories.size()), 2);
        for (const Series& s : figure.series) QVERIFY2(std::abs(s.y[1] / s.y[0] - 1.3) < 0.02, s.id.c_str());
        b.open(1.3);
        QVERIFY(!b.page.parts()->isVisible());
    }

    void another_amount_searches_or_puts_the_readings_away() {
        DriftBench b;
        b.page.amount()->setValue(50);
        b.open(1.3);
        QVERIFY(!b.page.table()->isVisible());
        b.page.amount()->setValue(20);
        QVERIFY(b.page.busy());
        QTRY_VERIFY_WITH_TIMEOUT(!b.page.busy(), 60000);
        QVERIFY(b.page.table()->isVisible());
        b.page.amount()->setValue(50);
        QVERIFY(!b.page.table()->isVisible());
    }

    void the_steps_left_decide_what_a_change_is_worth_without_a_search() {
        DriftBench b;
        b.open(1.6);
        QVERIFY2(b.page.advice().contains("Change to"), qPrintable(b.page.advice()));
        b.page.steps_left()->setValue(1);
        QVERIFY(!b.page.busy());
        QVERIFY2(b.page.advice().contains("Go on as it is"), qPrintable(b.page.advice()));
        for (const Replan& r : b.page.readings()) QCOMPARE(r.steps_left, 1.0);
        b.page.steps_left()->setValue(0);
        QVERIFY2(b.page.advice().contains("Change to"), qPrintable(b.page.advice()));
    }

    void a_layout_is_used_and_undone_as_one_step() {
        DriftBench b;
        b.open(1.6);
        const Scenario before = b.workspace.scenario();
        const std::size_t row = std::size_t(b.page.table()->currentRow());   // the safest is selected
        const Layout best = b.page.readings()[row].best->layout;
        QSignalSpy told(&b.page, &DriftPage::applied);
        b.page.apply_button()->click();
        b.workspace.told();
        QVERIFY(b.workspace.scenario() == with_layout(before, best));
        QCOMPARE(b.workspace.document().history().count(), 1);
        QCOMPARE(told.size(), 1);
        QVERIFY(b.page.readings().empty() && !b.page.table()->isVisible());
        QVERIFY2(b.page.note().contains(to_qt(say_layout(before.layout))), qPrintable(b.page.note()));
        QVERIFY(!b.page.apply_button()->isEnabled());
        b.workspace.document().history().undo();
        b.workspace.told();
        QVERIFY(b.workspace.scenario() == before);
        QVERIFY(b.page.note().isEmpty() && b.page.table()->isVisible());     // what was found answers again
    }

    void readings_of_another_plan_are_out_of_view_until_searched_again() {
        DriftBench b;
        b.open(1.6);
        b.change_plan();
        QVERIFY(b.page.readings().empty() && !b.page.table()->isVisible());
        QVERIFY2(b.page.note().contains("belonged to the plan before"), qPrintable(b.page.note()));
        QVERIFY(!b.page.busy());  // the job may run otherwise: the user says so
        b.page.search_button()->click();
        QTRY_VERIFY_WITH_TIMEOUT(!b.page.busy(), 60000);
        QVERIFY(b.page.note().isEmpty() && !b.page.readings().empty());
        QVERIFY(b.page.readings().front().corrected.recipe.sequence_length == 1024);
    }

    void a_search_that_goes_on_is_dropped_with_its_plan_or_cancelled_data() {
        QTest::addColumn<bool>("by_change");
        QTest::newRow("the plan changes") << true;
        QTest::newRow("Cancel is pressed") << false;
    }
    void a_search_that_goes_on_is_dropped_with_its_plan_or_cancelled() {
        QFETCH(bool, by_change);
        DriftBench b;
        QVERIFY(b.page.open(b.steps(1.6)).empty());
        QVERIFY(b.page.busy() && b.page.bar()->isVisible());  // the answer arrives with the event loop at the earliest
        QCOMPARE(b.page.search_button()->text(), QString("Cancel"));
        if (by_change) b.change_plan();
        else b.page.search_button()->click();
        QVERIFY(!b.page.busy() && !b.page.bar()->isVisible());
        QTest::qWait(50);
        QVERIFY(b.page.readings().empty());
        QCOMPARE(b.page.note().contains("The plan has changed"), by_change);
        QCOMPARE(b.page.search_button()->text(), QString("Search"));
        QVERIFY(b.page.search_button()->isEnabled());
    }

    void a_bad_file_is_named_and_what_was_open_stays_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("why");
        QTest::newRow("no step time among the columns") << "log.csv" << QByteArray("loss,lr\n3,0.1\n")
                                                        << "line 1: found the columns loss, lr, expected one of step_s";
        QTest::newRow("a word instead of a number")
            << "log.csv" << QByteArray("step_s\nfast\n")
            << "line 2: found \"fast\" as the step time, expected a number above 0";
        QTest::newRow("a step of ages") << "log.csv" << QByteArray("step_s\n1e308\n") << "line 2: found \"1e308\"";
        QTest::newRow("a header alone") << "log.csv" << QByteArray("step_s\n") << "found no steps, expected one a line";
        QTest::newRow("a plan") << "plan.json" << QByteArray("{\"name\": \"x\"}") << "or a table with a column step_s";
    }
    void a_bad_file_is_named_and_what_was_open_stays() {
        QFETCH(QString, name);
        QFETCH(QByteArray, text);
        QFETCH(QString, why);
        DriftBench b;
        QVERIFY(has_errors(b.page.open(b.file(text, qPrintable(name)))));
        QVERIFY2(b.page.note().contains(name) && b.page.note().contains(why), qPrintable(b.page.note()));
        QVERIFY(b.page.empty_text()->isVisible());
        b.open(1.3);
        QVERIFY(b.page.note().isEmpty());
        QVERIFY(has_errors(b.page.open(b.file(text, qPrintable(name)))));
        QVERIFY(b.page.note().contains(name) && b.page.state().startsWith("job.csv"));
        QVERIFY(b.page.table()->isVisible());
    }
    void a_file_that_is_not_there_says_so() {
        DriftBench b;
        QVERIFY(has_errors(b.page.open(b.dir.filePath("none.csv"))));
        QVERIFY2(b.page.note().contains("none.csv"), qPrintable(b.page.note()));
    }

    void steps_are_dropped_onto_the_page_but_plans_are_the_windows() {
        DriftBench b;
        const auto drop = [&](const QString& path) {
            QMimeData data;
            data.setUrls({QUrl::fromLocalFile(path)});
            QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, {});
            enter.ignore();
            QApplication::sendEvent(&b.page, &enter);
            if (!enter.isAccepted()) return false;
            QDropEvent event(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, {});
            QApplication::sendEvent(&b.page, &event);
            return true;
        };
        QVERIFY(!drop(b.file("{}", "plan.json")));
        QVERIFY(!drop(PLIMSOLL_TESTS_DIR "/calibrations/two-cores.jsonl"));
        QVERIFY(drop(b.steps(1.0)));
        QVERIFY(b.page.state().startsWith("job.csv"));
    }

    void a_plan_without_numbers_has_nothing_to_compare_with() {
        DriftBench b;
        b.open(1.3);
        Scenario broken = b.workspace.scenario();
        broken.layout.tensor_parallel = 3;
        b.workspace.propose(broken, "Broken");
        b.workspace.told();
        QVERIFY2(b.page.state().contains("cannot be computed"), qPrintable(b.page.state()));
        QVERIFY(!b.page.search_button()->isEnabled() && !b.page.table()->isVisible());
    }
};

PLIMSOLL_TEST(DriftPageTest)
#include "tst_drift_page.moc"
