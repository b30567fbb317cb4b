// A walk through the window from the first start to the files that are handed in, as a new user would take it: by keys,
// clicks and the palette, looking at what stands there. PLIMSOLL_WALK=FOLDER leaves a picture of every step.
#include "registered_test.h"

#include "near.h"
#include "views/visit.h"

#include "core/answers/search/ranking.h"
#include "views/calibrate/calibration_text.h"
#include "views/decide/compare_page.h"
#include "views/decide/proposal_page.h"
#include "views/evidence/run_table.h"
#include "views/inputs/inputs_panel.h"
#include "views/parts/text.h"
#include "views/window/hours_dialogs.h"

#include <QClipboard>
#include <QDragEnterEvent>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMimeData>
#include <QProcess>
#include <QUndoView>

using namespace plimsoll;

namespace {

constexpr const char* gpt_neox = "GPT-NeoX-20B on 96 A100";
constexpr const char* frontier_plan = "175B on Frontier";
enum { time_value, node_hours_value, mfu_value, tokens_value, energy_value, memory_value };

Bytes states_of(const MemoryUse& m) { return m.weights + m.gradients + m.optimizer; }

double number_in(QString text) { return text.remove(',').toDouble(); }

// The program beside this one, as a terminal without a display starts it.
struct Terminal {
    int code = -1;
    QByteArray said;
    explicit Terminal(const QStringList& arguments) {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) environment.remove(name);
        process.setProcessEnvironment(environment);
        process.start(program(), arguments);
        if (process.waitForFinished(Desk::patience)) code = process.exitCode();
        said = process.readAllStandardOutput();
    }
    static QString program() { return QCoreApplication::applicationDirPath() + "/plimsoll"; }
};

}  // namespace

class tst_walk : public QObject {
    Q_OBJECT
    TestHome home_;
    std::unique_ptr<Visit> visit_;   // of the steps that need no start of their own
    Visit& visit(const QString& example) {
        if (!visit_) visit_ = std::make_unique<Visit>();
        visit_->find(example, example);
        return *visit_;
    }

private slots:
    void initTestCase() { home_.use("tst_walk"); }
    void cleanupTestCase() { visit_.reset(); }

    void step_01_the_first_start_asks_nothing() {
        home_.clear();
        Visit v;
        auto* start = v.window.findChild<StartPage*>();
        QVERIFY(start && start->isVisible());
        QVERIFY(!QApplication::activeModalWidget());
        QVERIFY(start->gallery()->topLevelItemCount() >= 5);
        QTRY_VERIFY_WITH_TIMEOUT(start->complete(), Desk::patience);
        QStringList buttons;
        for (const QPushButton* b : start->findChildren<QPushButton*>())
            if (b->isVisible()) buttons << b->text().remove('&');
        QVERIFY2(buttons.contains("Take the tour") && buttons.contains("No, thanks"), qPrintable(buttons.join(", ")));
        v.picture("01-start");
    }

    void step_02_an_example_fills_the_window() {
        Visit v;
        auto* start = v.window.findChild<StartPage*>();
        QTRY_VERIFY_WITH_TIMEOUT(start->complete(), Desk::patience);
        const auto found = start->gallery()->findItems(frontier_plan, Qt::MatchExactly | Qt::MatchRecursive);
        QCOMPARE(found.size(), 1);
        start->gallery()->setFocus();
        start->gallery()->setCurrentItem(found.front());
        QTest::keyClick(start->gallery(), Qt::Key_Return);
        v.window.record_loader().wait();
        v.settle();
        QVERIFY2(v.sentence().startsWith("<b>Fits"), qPrintable(v.sentence()));  // and takes longer than a year
        for (const int i : {time_value, node_hours_value, mfu_value, energy_value})
            QVERIFY2(!v.tile(i).content().value.isEmpty() && !v.tile(i).content().range.isEmpty(),
                     qPrintable(v.tile(i).content().spoken));
        QCOMPARE(v.window.visible_charts().size(), std::size_t(4));
        QVERIFY2(v.window.badge()->text().contains("%"), qPrintable(v.window.badge()->text()));
        QVERIFY(!v.window.isWindowModified());
        v.set("recipe.tokens", "2T");
        QVERIFY(v.window.isWindowModified());   // an asterisk in the title
        v.press(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(!v.window.isWindowModified());
        v.picture("02-example");
    }

    void step_03_keys_are_listed_and_anything_is_found() {
        Visit& v = visit(gpt_neox);
        {
            const Replies replies({keep_picture_and_close("03-keys")});
            QTest::keyClicks(&v.window, "?");
            QCOMPARE(replies.titles(), QStringList("Keyboard shortcuts"));
        }
        {
            const Replies replies({keep_picture_and_close("03-preferences")});
            v.press(Qt::Key_Comma, Qt::ControlModifier);
            QCOMPARE(replies.titles(), QStringList("Preferences"));
        }
        v.take_keyboard();
        QTest::keyClick(&v.window, Qt::Key_K, Qt::ControlModifier);
        Palette& palette = *v.window.palette_of_commands();
        QTest::keyClicks(palette.field(), "memory");
        QCOMPARE(palette.marked(), QString("Memory"));   // the page
        QVERIFY(palette.labels().contains("Device memory"));
        v.picture("03-palette");
        QTest::keyClick(palette.field(), Qt::Key_Return);
        QTRY_VERIFY(v.window.findChild<QWidget*>("page.memory")->isVisible());
        v.picture("03-memory");
        v.window.show_page("overview");
    }

    // Four and five: 70 billion parameters on 64 devices of 40 GB, data parallel alone.
    void step_04_a_plan_that_cannot_fit_says_by_how_much() {
        Visit& v = visit(gpt_neox);
        plan_70b(v);
        QVERIFY2(v.sentence().contains("Does not fit in memory"), qPrintable(v.sentence()));
        QVERIFY2(v.sentence().contains("GiB too much"), qPrintable(v.sentence()));
        QVERIFY2(v.tile(memory_value).content().value.contains("does not fit"),
                 qPrintable(v.tile(memory_value).content().value));
        const Bytes states = states_of(v.answer().estimate.worst());
        const double each = states / byte / v.answer().estimate.parameters;
        QVERIFY2(each > 15.9 && each < 20.1, qPrintable(QString::number(each)));   // bytes per parameter
        QCOMPARE(v.window.visible_charts().size(), std::size_t(4));
        for (Chart* c : v.window.visible_charts()) QVERIFY(c->figure());
        QTRY_VERIFY2(v.offers().size() >= 2, qPrintable(v.offers().join(" | ")));
        for (const QString& offer : v.offers())   // each with the time it takes
            QVERIFY2(offer.contains(": ") && offer.contains(QRegularExpression("\\d+(\\.\\d+)? (d|h)")),
                     qPrintable(offer));
        v.picture("04-does-not-fit");
        QTest::mouseClick(v.window.tiles()->tiles()[memory_value], Qt::LeftButton);
        QTRY_VERIFY(v.window.explanation()->isVisible());
        QVERIFY2(v.window.explanation()->text().contains("ytes per parameter"),
                 qPrintable(v.window.explanation()->text()));
        v.picture("04-explained");
    }

    void step_05_an_offer_makes_it_fit() {
        Visit& v = visit(gpt_neox);
        plan_70b(v);
        const Bytes before = states_of(v.answer().estimate.worst());
        const int steps = v.history().index();
        v.take_offer("tensor 8");
        QVERIFY2(runs(v.workspace.told().outcome), qPrintable(v.sentence()));
        QCOMPARE(v.history().index(), steps + 1);
        QVERIFY2(v.history().undoText().contains("tensor 8"), qPrintable(v.history().undoText()));
        v.picture("05-fits");
        // Split into 64 parts, states are a 64th but for the ends of the pipeline.
        v.set("layout.tensor_parallel", "8");
        v.set("layout.pipeline_parallel", "8");
        QCOMPARE(v.workspace.scenario().layout.data_parallel, 1);
        const Bytes after = states_of(v.answer().estimate.worst());
        QVERIFY2(near(64 * (after / byte), before / byte, 0.15), qPrintable(QString::number(after / gibibyte)));
    }

    void step_06_undo_and_redo_are_exact() {
        Visit& v = visit(gpt_neox);
        const Scenario before = v.workspace.scenario();
        v.set("layout.tensor_parallel", "4");
        v.set("recipe.tokens", "300B");
        const Scenario after = v.workspace.scenario();
        v.find("history", "History");
        auto* history = v.window.findChild<QUndoView*>();
        QTRY_VERIFY(history->isVisible());
        QCOMPARE(history->currentIndex().row(), 2);
        v.press(Qt::Key_Z, Qt::ControlModifier);
        v.press(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(v.workspace.scenario() == before);
        QCOMPARE(history->currentIndex().row(), 0);
        v.press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        v.press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(v.workspace.scenario() == after);
        QCOMPARE(history->currentIndex().row(), 2);
        v.picture("06-history");
        v.find("history", "History");
        QVERIFY(!history->isVisible());
    }

    void step_07_what_does_not_divide_names_what_does() {
        Visit& v = visit(gpt_neox);
        v.set("model.hidden", "6656");
        v.set("model.heads", "52");
        QVERIFY2(!v.workspace.told().stale(), qPrintable(v.sentence()));
        const QString time = v.tile(time_value).content().value;
        v.set("layout.tensor_parallel", "3");
        QVERIFY(v.workspace.told().stale());
        auto* message = v.window.findChild<QLabel*>("layout.tensor_parallel.message");
        QVERIFY(message->isVisible());
        const QString said = v.window.findChild<KnobRow*>("layout.tensor_parallel")->message();
        QVERIFY2(said.contains(": 2, 4, 1."), qPrintable(said));    // the nearest that work on 96 devices
        QVERIFY2(message->text().contains(">2<"), qPrintable(message->text()));   // as links, where there is room
        QCOMPARE(v.tile(time_value).content().value, time);
        QVERIFY2(v.sentence().contains("Cannot be computed"), qPrintable(v.sentence()));
        QTRY_VERIFY(!v.offers().isEmpty());
        v.picture("07-does-not-divide");
        v.take_offer();
        QVERIFY2(!v.workspace.told().stale(), qPrintable(v.sentence()));
    }

    void step_08_the_rule_of_thumb_stands_beside_the_model() {
        Visit& v = visit(gpt_neox);
        v.find("llama 2 7b", "Llama 2 7B");
        v.set("recipe.tokens", "300B");
        v.find("6nd", "Rule of thumb");
        const double parameters = v.answer().estimate.parameters;
        const double flop = 6 * parameters * 300e9;
        QTRY_VERIFY(!v.beside("Rule of thumb", "Training FLOP").isEmpty());
        QVERIFY(near(number_in(v.beside("Rule of thumb", "Training FLOP")), flop, 0.001));
        const QString guess = v.beside("Rule of thumb", "Device-hours at 40 % of peak");
        QVERIFY2(near(number_in(guess), flop / (0.4 * 312e12) / 3600, 0.001), qPrintable(guess));
        const double full = number_in(v.beside("Rule of thumb", "Device-hours at 40 % of peak", 2));
        constexpr double three_digits = 0.005;
        QVERIFY2(near(full, v.answer().headline.run / hour * v.answer().estimate.devices, three_digits),
                 qPrintable(QString::number(full)));
        v.picture("08-rule-of-thumb");
        const Replies replies({keep_picture_and_close("08-budget")});
        menu_action(v.window, "What a budget would train")->trigger();
        QCOMPARE(replies.titles(), QStringList("What a budget would train"));
        v.window.show_page("overview");
    }

    void step_10_a_batch_says_its_tokens() {
        Visit& v = visit(gpt_neox);
        v.set("recipe.sequence_length", "2000");
        v.set("recipe.global_batch_sequences", "256");
        QStringList notes;
        notes << v.window.findChild<KnobRow*>("recipe.global_batch_sequences")->other()->text();
        QVERIFY2(notes.join('|').contains("512,000 tokens"), qPrintable(notes.join('|')));
        v.picture("10-batch");
        // The other way round: the batch in tokens, as papers state it.
        v.set("recipe.global_batch_sequences", "1M tokens");
        const double tokens = 2000.0 * v.workspace.scenario().recipe.global_batch_sequences;
        QVERIFY2(near(tokens, 1e6, 0.1), qPrintable(QString::number(tokens)));
        QVERIFY2(!v.workspace.told().stale(), qPrintable(v.sentence()));   // whole micro-batches everywhere
    }

    void step_09_hours_are_converted() {
        Visit& v = visit(gpt_neox);   // A device is a whole A100 there.
        HoursDialog dialog(v.answer());
        dialog.show();
        dialog.amount()->setText("1.3M");
        dialog.unit()->setCurrentIndex(dialog.unit()->findText("Device-hours"));
        dialog.devices()->setValue(24576);
        const TextTable& t = *dialog.table();
        QCOMPARE(t.item(t.rowCount() - 1, 1)->text(), QString("2.2 d"));   // 1.3e6 / 24,576 = 52.9 h
        const double per_node = v.answer().scenario.machine.devices_per_node;
        QVERIFY(near(number_in(t.item(0, 1)->text()), 1.3e6 / per_node, 0.005));
        keep_picture(dialog, "09-hours");
        dialog.amount()->setText("many");
        QCOMPARE(t.rowCount(), 0);
    }

    // Hours of GCDs, modules and nodes are the same machine time.
    void step_11_hours_in_other_units_are_the_same_time() {
        Visit& v = visit(frontier_plan);
        const QString days = v.tile(time_value).content().value;
        const double nodes = v.answer().totals.node_hours;
        QStringList captions, devices;
        for (const double per_node_hour : {1.0, 4.0, 8.0}) {   // nodes, modules of two GCDs, GCDs
            const double shown = number_in(v.tile(node_hours_value).content().value);
            QVERIFY2(near(shown, per_node_hour * nodes, 0.005), qPrintable(QString::number(shown)));
            QCOMPARE(v.tile(time_value).content().value, days);
            captions << v.tile(node_hours_value).text();
            devices << v.window.inputs()->nodes()->other()->text() + "; "
                           + v.tile(mfu_value).content().detail.section(' ', 1);
            v.take_keyboard();
            QTest::keyClick(&v.window, Qt::Key_U);
            v.settle();
        }
        QCOMPARE(captions, (QStringList{"Node-hours", "MI250X-hours", "Device-hours"}));
        const QString gcds = "= 1,024 devices; TFLOP/s per device";
        QCOMPARE(devices, (QStringList{gcds, "= 512 MI250X; TFLOP/s per MI250X", gcds}));
        v.picture("11-hours");
        for (int i = 0; i < 6 && v.tile(node_hours_value).text() != "Node-hours"; ++i) {
            QTest::keyClick(&v.window, Qt::Key_U);
            v.settle();
        }
        QCOMPARE(v.tile(node_hours_value).text(), QString("Node-hours"));
    }

    void step_12_a_number_opens_into_its_parts() {
        Visit& v = visit(frontier_plan);
        QTest::mouseClick(v.window.tiles()->tiles()[time_value], Qt::LeftButton);
        QTRY_VERIFY(v.window.explanation()->isVisible());
        const auto* tree = v.window.explanation()->findChild<QTreeWidget*>();
        QTRY_VERIFY(tree->topLevelItemCount() == 1 && tree->topLevelItem(0)->childCount() > 1);
        const QString text = v.window.explanation()->text();
        const QString root = text.section(" = ", 1, 1).section(' ', 0, 0);
        QVERIFY2(near(root.toDouble(), v.answer().totals.time / second, 1e-4), qPrintable(text.left(200)));
        QVERIFY2(text.contains("Frontier User Guide") || text.contains("olcf") || text.contains("20"),
                 qPrintable(text));
        for (QPushButton* b : v.window.explanation()->findChildren<QPushButton*>())
            if (b->text() == "Copy as text") QTest::mouseClick(b, Qt::LeftButton);
        QCOMPARE(QApplication::clipboard()->text(), text);
        v.picture("12-explained");
    }

    void step_13_the_best_layout_is_a_key_away() {
        Visit& v = visit(gpt_neox);
        v.window.record_loader().wait();
        const Seconds before = v.answer().estimate.step.total();
        v.find("best layout", "Layouts");
        LayoutsPage& page = *v.window.layouts();
        QTRY_VERIFY_WITH_TIMEOUT(!page.busy() && page.study(), Desk::patience);
        QVERIFY(page.study()->found.count >= 100);
        QVERIFY(page.exclusions()->rowCount() > 0);
        for (int row = 0; row < page.exclusions()->rowCount(); ++row)   // why layouts are no candidates
            QVERIFY(!page.exclusions()->item(row, 0)->text().isEmpty());
        v.picture("13-layouts");
        page.table()->setFocus();
        page.table()->selectRow(0);
        QTest::keyClick(page.table(), Qt::Key_Return);
        v.settle();
        QCOMPARE(v.history().count(), 1);
        QVERIFY(v.answer().estimate.step.total() <= before);
        v.window.show_page("overview");
    }

    void step_14_a_baseline_shows_what_a_change_is_worth() {
        Visit& v = visit(gpt_neox);
        v.press(Qt::Key_B, Qt::ControlModifier);
        v.set("machine.levels.1.bandwidth_GBps",
              QString::number(2 * find_knob("machine.levels.1.bandwidth_GBps")->get(v.workspace.scenario())));
        for (const int i : {time_value, node_hours_value, mfu_value, tokens_value, energy_value})
            QVERIFY2(!v.tile(i).content().delta.isEmpty(), qPrintable(v.tile(i).content().spoken));
        QVERIFY2(v.tile(time_value).content().delta.contains('-')
                     || v.tile(time_value).content().delta.contains(QChar(0x2212)),
                 qPrintable(v.tile(time_value).content().delta));
        QVERIFY2(v.sentence().contains("Most of a step: "), qPrintable(v.sentence()));   // what limits it
        QVERIFY2(v.sentence().contains("Hypothetical machine: "), qPrintable(v.sentence()));
        v.picture("14-baseline");
        v.press(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
    }

    void step_15_checkpoints_have_an_optimum() {
        Visit& v = visit(gpt_neox);
        v.set("recipe.checkpoint_s", "5min");
        v.set("machine.reliability.job_mtbf_h", "10");
        v.find("checkpoints", "Resilience");
        const Resilience& r = v.answer().headline.resilience;
        QVERIFY2(near(r.young / minute, 77.5, 0.001), qPrintable(QString::number(r.young / minute)));   // sqrt(2 C M)
        QVERIFY2(near(r.daly / minute, 74.2, 0.001), qPrintable(QString::number(r.daly / minute)));
        const QString interval = v.beside("Failures and checkpoints", "Checkpoint interval");
        QVERIFY2(interval.contains("1.29 h") && interval.contains("Young"), qPrintable(interval));
        QVERIFY(r.overhead.total() > 0.12 && r.overhead.total() < 0.14);
        const Chart* chart = v.chart("checkpoint-tradeoff");
        QVERIFY(chart && chart->figure());
        const Figure& f = *chart->figure();
        const auto line = std::ranges::find(f.series, Mark::line, &Series::mark);
        const auto least = std::ranges::min_element(line->y) - line->y.begin();
        QVERIFY2(near(f.here_x, line->x[std::size_t(least)], 0.2), qPrintable(QString::number(f.here_x)));
        v.picture("15-checkpoints");
        v.window.show_page("overview");
    }

    void step_16_jobs_are_chained_within_the_limits_of_the_queue() {
        Visit& v = visit(frontier_plan);
        v.find("job chain", "Resilience");
        const auto chain = [&] { return v.beside("Failures and checkpoints", "Job chain"); };
        double jobs[2];
        const struct {
            const char *nodes, *hours, *bin;
        } rows[] = {{"184", "12 h", "184 to 1881"}, {"183", "6 h", "92 to 183"}};
        for (int i = 0; i < 2; ++i) {
            v.set("nodes", rows[i].nodes);
            if (i == 1) v.set("layout.pipeline_parallel", "6");   // of 183 x 8 devices
            if (v.workspace.told().stale()) v.take_offer("Global batch");
            QVERIFY2(!v.workspace.told().stale(), qPrintable(v.sentence()));
            const QString text = chain();
            QVERIFY2(text.contains(rows[i].hours) && QString(text).remove(',').contains(rows[i].bin)
                         && text.contains("policy of 20"),
                     qPrintable(text));
            jobs[i] = number_in(text.section(' ', 0, 0));
            QVERIFY(!v.beside("Failures and checkpoints", "Lost at each job's ends").isEmpty());
            v.picture(QString("16-%1-nodes").arg(rows[i].nodes));
        }
        QVERIFY(jobs[0] >= 60 && jobs[1] > 1.9 * jobs[0]);
        v.window.show_page("overview");
    }

    void step_17_energy_of_the_site_follows_its_overhead() {
        Visit& v = visit(frontier_plan);
        v.set("machine.power.pue", "1.0");
        const Totals before = v.answer().totals;
        v.set("machine.power.pue", "1.2");
        const Totals after = v.answer().totals;
        QVERIFY(near(after.facility_energy / joule, 1.2 * (before.facility_energy / joule), 1e-9));
        QCOMPARE(after.device_energy / joule, before.device_energy / joule);
        v.find("energy", "Energy");
        const QString table = "Energy, money and carbon";
        QCOMPARE(v.beside(table, "Energy, facility"), v.tile(energy_value).content().value);
        QVERIFY2(v.beside(table, "Carbon, operational").endsWith("CO2e"),
                 qPrintable(v.beside(table, "Carbon, operational")));
        v.picture("17-energy");
        v.window.show_page("overview");
    }

    void step_18_three_plans_are_compared() {
        Visit& v = visit(gpt_neox);
        const auto keep = [&] { v.press(Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier); };
        Plans& plans = v.workspace.plans();
        while (plans.count() > 1) plans.close(plans.place() == 0 ? 1 : 0);   // those of the steps before
        keep();
        v.set("recipe.tokens", "500B");
        keep();
        v.set("layout.micro_batch", "2");
        v.window.show_page("compare");
        v.settle();
        auto* page = v.window.findChild<ComparePage*>();
        QCOMPARE(page->picked()->count(), 2);
        QCOMPARE(v.beside("Inputs that differ, and answers of the plans", "Training tokens", 1),
                 QString("500B tokens"));
        QVERIFY(v.beside("Inputs that differ, and answers of the plans", "Training tokens", 2) != "500B tokens");
        QCOMPARE(v.beside("Inputs that differ, and answers of the plans", "Micro-batch", 1), QString("2"));
        QVERIFY(v.beside("Inputs that differ, and answers of the plans", "Time to train", 1)
                != v.beside("Inputs that differ, and answers of the plans", "Time to train", 2));
        page->sheet()->setFocus();
        QTest::keyClick(page->sheet(), Qt::Key_C, Qt::ControlModifier);
        QVERIFY2(QApplication::clipboard()->text().contains("| Time to train |"),
                 qPrintable(QApplication::clipboard()->text()));
        v.picture("18-compare");
        v.window.show_page("overview");
    }

    void step_19_axes_and_cursor_by_keys() {
        Visit& v = visit(frontier_plan);
        v.find("scaling curve", "Time");
        Chart* chart = v.chart("time-vs-nodes");
        QVERIFY(chart);
        QTest::mouseClick(chart, Qt::LeftButton, {}, chart->rect().center());
        const auto x = chart->xAxis->scaleType(), y = chart->yAxis->scaleType();
        QTest::keyClick(chart, Qt::Key_X);
        QTest::keyClick(chart, Qt::Key_Y);
        QTRY_VERIFY(chart->xAxis->scaleType() != x && chart->yAxis->scaleType() != y);
        QTest::keyClick(chart, Qt::Key_Escape);
        QTest::keyClick(chart, Qt::Key_Right);
        const QString first = data_row(*chart, chart->data_cursor());
        QTest::keyClick(chart, Qt::Key_Right);
        QVERIFY2(first.startsWith("Nodes: ") && first.contains("(days): "), qPrintable(first));
        QVERIFY(data_row(*chart, chart->data_cursor()) != first);
        v.picture("19-cursor");
        QTest::keyClick(chart, Qt::Key_X);
        QTest::keyClick(chart, Qt::Key_Y);
        v.window.show_page("overview");
    }

    void step_20_figures_are_complete_files() {
        Visit& v = visit(frontier_plan);
        v.window.set_theme(Theme::dark);
        v.picture("20-dark");
        QTemporaryDir dir;
        {
            const Replies replies({[](QDialog& d) {
                                       d.findChild<QPushButton*>("export.all")->click();
                                       d.findChild<QDoubleSpinBox*>("export.width")->setValue(85);
                                       d.findChild<QPushButton*>("export.files")->click();
                                   },
                                   [&](QDialog& d) {
                                       qobject_cast<QFileDialog*>(&d)->setDirectory(dir.path());
                                       d.accept();
                                   }});
            v.press(Qt::Key_E, Qt::ControlModifier);
            QTRY_VERIFY_WITH_TIMEOUT(v.workspace.record() && !v.window.exports()->busy()
                                         && !QDir(dir.path()).isEmpty(),
                                     Desk::patience);
        }
        v.window.set_theme(Theme::light);
        const QString stem = dir.filePath("175B-on-Frontier-time-vs-nodes");
        for (const char* suffix : {".pdf", ".svg", ".png", ".csv"})
            QVERIFY2(QFileInfo(stem + suffix).size() > 500, qPrintable(QDir(dir.path()).entryList().join(", ")));
        const QImage png(stem + ".png");
        QVERIFY2(std::abs(png.width() - 1004) <= 2, qPrintable(QString::number(png.width())));   // 85 mm
        QCOMPARE(qRound(png.dotsPerMeterX() * 0.0254), 300);
        QCOMPARE(png.pixelColor(2, 2), QColor(Qt::white));   // whatever the window looks like
        const QByteArray svg = bytes_of(stem + ".svg");
        for (const char* words : {"Nodes", "Time to train", "This plan"}) QVERIFY2(svg.contains(words), words);
        QVERIFY(bytes_of(stem + ".pdf").startsWith("%PDF-"));
    }

    void step_21_a_proposal_is_written() {
        Visit& v = visit(frontier_plan);
        v.find("proposal", "Proposal");
        auto* page = v.window.findChild<ProposalPage*>();
        QVERIFY(page && page->isVisible());
        page->programme()->setCurrentIndex(page->programme()->findData("access-maximize"));
        page->wait();
        if (!page->pack()) page->choose("incite");   // where the programme has no rate for the machine, it says so
        page->wait();
        QVERIFY2(page->pack(), qPrintable(page->state()));
        QVERIFY2(page->state().contains("missing"), qPrintable(page->state()));   // nothing was measured
        v.picture("21-proposal");
        QTemporaryDir dir;
        {
            const Replies replies({[&](QDialog& d) {
                qobject_cast<QFileDialog*>(&d)->setDirectory(dir.path());
                d.accept();
            }});
            QTest::mouseClick(page->write_button(), Qt::LeftButton);
            QTRY_VERIFY_WITH_TIMEOUT(!v.window.exports()->busy() && QFile::exists(dir.filePath("report.pdf")),
                                     Desk::patience);
        }
        const qint64 size = QFileInfo(dir.filePath("report.pdf")).size();
        QVERIFY2(size > 10000 && size < 5000000, qPrintable(QString::number(size)));
        for (const char* file : {"report.tex", "references.bib", "tables/T02.tex", "tables/T11.csv", "figures/F01.svg"})
            QVERIFY2(QFileInfo(dir.filePath(file)).size() > 20, file);
        QVERIFY(bytes_of(dir.filePath("checklist.md")).contains("MISSING"));
        v.window.show_page("overview");
    }

    void step_22_a_calibration_is_shown_cancelled_and_run() {
        QTemporaryDir dir;
        qputenv("PLIMSOLL_ENGINE", PLIMSOLL_TESTS_DIR "/engine/fake_calibration.sh");
        qputenv("PLIMSOLL_MPIRUN", PLIMSOLL_TESTS_DIR "/engine/fake_mpirun.sh");
        qputenv("FAKE_ENGINE", "silent");
        qputenv("FAKE_CALIBRATION", PLIMSOLL_TESTS_DIR "/calibrations/two-cores.jsonl");
        qputenv("FAKE_ENGINE_STARTED", dir.filePath("started").toUtf8());
        Visit v(gpt_neox);
        MeasurePage& page = *v.window.calibration()->measure();
        page.set_directory(dir.filePath("calibrations"));
        page.set_presets(dir.filePath("presets").toStdString());
        v.press(Qt::Key_K, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(page.isVisible());
        QVERIFY2(page.plan_view()->summary().contains(" runs on "), qPrintable(page.plan_view()->summary()));
        QVERIFY(page.plan_view()->command().contains("--calibrate"));
        v.picture("22-plan");
        QTest::mouseClick(page.plan_view()->start_button(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(page.session().log().latest().size() == 2, Desk::patience);
        const QString pid = QString::fromUtf8(bytes_of(dir.filePath("started"))).section('\n', 0, 0);
        QVERIFY(QFileInfo::exists("/proc/" + pid));
        QTRY_VERIFY(v.window.jobs()->running().contains("Calibration") && !v.window.jobs()->isHidden());
        v.picture("22-going");
        v.press(Qt::Key_Period, Qt::ControlModifier);   // cancels what runs
        QTRY_VERIFY_WITH_TIMEOUT(page.stage() == MeasurePage::Stage::result, 10000);
        QVERIFY(!QFileInfo::exists("/proc/" + pid));
        v.picture("22-cancelled");
        page.close_result();
        qputenv("FAKE_ENGINE", "run");
        QTest::mouseClick(page.plan_view()->start_button(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(page.stage() == MeasurePage::Stage::result, Desk::patience);
        QVERIFY(page.result()->shown().result && page.result()->save_button()->isEnabled());
        v.picture("22-result");
        QVERIFY(page.save().empty());
        page.use();
        v.settle();
        QVERIFY2(bool(v.workspace.scenario().machine.calibration), "the measured machine is in the plan");
    }

    void step_23_nothing_is_lost_by_a_crash() {
        QTemporaryDir dir;
        const QString path = dir.filePath("plan.json");
        Scenario left;
        {
            Visit v(gpt_neox);
            QVERIFY(v.workspace.document().save(path).empty());
            v.set("recipe.tokens", "300B");
            left = v.workspace.scenario();
            v.window.end();   // as two seconds later; then the window goes without a word
        }
        const QJsonObject file = QJsonDocument::fromJson(bytes_of(path)).object();
        QCOMPARE(file["schema"].toString(), QString("plimsoll/scenario"));
        QVERIFY(file["version"].toInt() >= 1);
        QVERIFY(!bytes_of(path).contains("/tmp") && !bytes_of(path).contains("/home"));
        Visit v;
        QVERIFY2(v.window.notices()->text().contains("not saved"), qPrintable(v.window.notices()->text()));
        v.picture("23-recovery");
        QTest::mouseClick(v.window.notices()->button("notice.recover"), Qt::LeftButton);
        v.settle();
        QVERIFY(v.workspace.scenario() == left);
        QVERIFY(v.window.isWindowModified());
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&v.window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        const Replies replies;
        QApplication::sendEvent(&v.window, &drop);
        v.settle();
        QCOMPARE(replies.titles(), QStringList());
        QCOMPARE(v.workspace.document().file(), path);   // its tab is there already, with the changes
        QVERIFY(v.workspace.scenario() == left);
    }

    void step_24_the_terminal_says_the_same() {
        if (!QFileInfo::exists(Terminal::program())) QSKIP("plimsoll is not built beside this program");
        QTemporaryDir dir;
        Visit& v = visit(gpt_neox);
        v.set("recipe.tokens", "300B");
        const QString path = dir.filePath("plan.json");
        QVERIFY(v.workspace.document().save(path).empty());
        const Terminal estimate({"estimate", path, "--json"});
        QCOMPARE(estimate.code, 0);
        const QJsonObject said = QJsonDocument::fromJson(estimate.said).object();
        QCOMPARE(said["total"]["seconds"].toDouble(), v.answer().totals.time / second);
        QCOMPARE(said["total"]["node_hours"].toDouble(), v.answer().totals.node_hours);
        QCOMPARE(said["mfu"].toDouble(), v.answer().headline.mfu);
        for (const char* folder : {"first", "second"})
            QCOMPARE(Terminal({"export", path, "--out", dir.filePath(folder), "--formats", "csv"}).code, 0);
        const QStringList names = QDir(dir.filePath("first")).entryList({"*.csv"}, QDir::Files);
        QVERIFY(names.size() > 5);
        for (const QString& name : names)
            QCOMPARE(bytes_of(dir.filePath("first/" + name)), bytes_of(dir.filePath("second/" + name)));
        QCOMPARE(Terminal({"estimate", path, "--set", "layout.tensor_parallel=7"}).code, 3);
    }

    void step_25_names_for_all_that_takes_keys_and_rest_when_nothing_happens() {
        Visit& v = visit(gpt_neox);
        v.window.set_theme(Theme::dark);
        for (const QString& page : v.window.page_names()) {
            v.window.show_page(page);
            v.settle();
            QTRY_VERIFY_WITH_TIMEOUT(!v.window.layouts()->busy(), Desk::patience);
            v.picture("25-" + page);
            for (const QWidget* w : v.window.findChildren<QWidget*>()) {
                if (!w->isVisible() || !(w->focusPolicy() & Qt::TabFocus)) continue;
                if (w->objectName().startsWith("qt_") || w->inherits("QTabBar") || w->inherits("QTabWidget"))
                    continue;   // parts of a field have its name, tabs their own
                const auto* button = qobject_cast<const QAbstractButton*>(w);
                const auto* label = qobject_cast<const QLabel*>(w);
                const bool named = !w->accessibleName().isEmpty() || (button && !button->text().isEmpty())
                                || (label && !label->text().isEmpty());
                QVERIFY2(named, qPrintable(page + ": " + w->metaObject()->className() + ' ' + w->objectName()));
            }
        }
        v.window.show_page("validation");
        QTRY_VERIFY_WITH_TIMEOUT(v.workspace.record(), Desk::patience);
        v.settle();
        QVERIFY(v.window.validation()->table()->model()->rowCount() > 1000);
        QVERIFY2(v.window.validation()->headline().contains('%'), qPrintable(v.window.validation()->headline()));
        v.window.show_page("overview");
        v.window.set_theme(Theme::light);
        v.window.inputs()->nodes()->slider()->setFocus();
        // Asked once when it is true: the macro that tries asks again, and a cursor may blink in between.
        const auto rests = [&] { return v.window.jobs()->running().isEmpty() && settled(); };
        QVERIFY(QTest::qWaitFor(rests, Desk::patience));
    }

private:
    static void plan_70b(Visit& v) {
        v.press(Qt::Key_N, Qt::ControlModifier);
        v.find("llama 2 70b", "Llama 2 70B");
        v.find("8x a100 40gb", "Generic 8x A100 40GB cloud node");
        v.window.automatic().set_on(false);  // a new plan has it on
        v.set("nodes", "8");
        Layout by_data = v.workspace.scenario().layout;
        by_data.sequence_parallel = false;
        by_data.virtual_stages = 1;
        by_data.schedule = Schedule::one_f_one_b;
        v.workspace.propose(plimsoll::with_layout(v.workspace.scenario(), by_data), "Plain layout");
        for (const char* degree : {"layout.tensor_parallel", "layout.pipeline_parallel", "layout.micro_batch"})
            v.set(degree, "1");
        v.set("layout.zero_stage", "0");
        QCOMPARE(v.workspace.scenario().layout.devices, 64);
        QCOMPARE(v.workspace.scenario().layout.data_parallel, 64);
    }

    // Counts what is painted in a whole round of waiting.
    struct Paints : QObject {
        int count = 0;
        bool eventFilter(QObject*, QEvent* event) override {
            count += event->type() == QEvent::Paint;
            return false;
        }
    };
    static bool settled() {
        Paints paints;
        qApp->installEventFilter(&paints);
        QTest::qWait(50);
        return paints.count == 0;
    }
};

PLIMSOLL_TEST(tst_walk)
#include "tst_walk.moc"
