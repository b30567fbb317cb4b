// Questions that other plans answer, the units of the window, and a limit of power.
#include "registered_test.h"

#include "views/session_desk.h"

#include "core/answers/campaign/critical_batch.h"
#include "core/answers/plan/power_limit.h"
#include "core/answers/search/largest.h"
#include "core/values/knobs/wording.h"
#include "views/decide/goal_page.h"
#include "views/decide/questions_page.h"
#include "views/decide/tornado_page.h"
#include "views/pages/verdict_text.h"
#include "views/parts/text.h"
#include "views/replies.h"
#include "views/window/preferences_dialog.h"

#include <QClipboard>
#include <QMenu>

#include <set>

using namespace plimsoll;

namespace {

constexpr int answer_patience = 120000;

QuestionsPage* questions_of(MainWindow& window) {
    window.show_page("questions");
    return window.findChild<QuestionsPage*>("contents.questions");
}

bool answered(QuestionsPage& page) {
    return QTest::qWaitFor([&] { return !page.busy() && !page.answer().isEmpty(); }, answer_patience);
}

// Columns of a picture up to the last one that is not all of one colour.
int drawn_width(const QImage& picture) {
    for (int x = picture.width() - 1; x >= 0; --x)
        for (int y = 1; y < picture.height(); ++y)
            if (picture.pixel(x, y) != picture.pixel(x, 0) || picture.pixelColor(x, y).saturation() > 40) return x + 1;
    return 0;
}

// The units are the program's: a test that turns them gives them back.
struct UsualAtTheEnd {
    ~UsualAtTheEnd() { show_units({}); }
};

}  // namespace

class tst_questions_page : public QObject {
    Q_OBJECT
    TestHome home_;

private slots:
    void initTestCase() { home_.use("tst_questions_page"); }
    void init() { home_.clear(); }

    void each_question_is_asked_from_the_menu_and_answered_data() {
        QTest::addColumn<QString>("id");
        for (const PlanQuestionWords& q : plan_questions()) QTest::newRow(q.title) << QString(q.id);
    }
    void each_question_is_asked_from_the_menu_and_answered() {
        QFETCH(QString, id);
        Desk d;
        auto* action = d.window.findChild<QAction*>("question." + id);
        QVERIFY(action);
        action->trigger();
        auto* page = questions_of(d.window);
        QCOMPARE(page->chosen(), id);
        QVERIFY(answered(*page));
        QVERIFY(page->table() && page->table()->rowCount() > 0);
        QCOMPARE(page->table()->columnCount(), int(ask(d.workspace.scenario(), *question_named(id.toStdString()),
                                                       {}, {}).headings.size()));
    }
    // As wide as they last beside each other, so that the shortest is seen at a glance; Enter takes a row over.
    void schedules_are_drawn_beside_their_rows_to_one_scale() {
        Desk d;
        d.workspace.document().open(QStringLiteral(PLIMSOLL_PRESETS_DIR "/scenarios/opt-30b-zero-bubble.json"));
        auto* page = questions_of(d.window);
        page->choose("schedules");
        QVERIFY(answered(*page));
        const TextTable& table = *page->table();
        QVERIFY(table.rowCount() > 2);
        std::set<int> widths;
        for (int row = 0; row < table.rowCount(); ++row) {
            const QIcon icon = table.item(row, 0)->icon();
            QVERIFY2(!icon.isNull(), qPrintable(table.item(row, 0)->text()));
            widths.insert(drawn_width(icon.pixmap(table.iconSize()).toImage()));
        }
        QCOMPARE(*widths.rbegin(), table.iconSize().width());
        QVERIFY(*widths.begin() < *widths.rbegin() && *widths.begin() > *widths.rbegin() / 2);
    }
    void a_row_becomes_the_plan_as_one_undo_step() {
        Desk d;
        auto* page = questions_of(d.window);
        page->choose("batch");
        QVERIFY(answered(*page));
        const Scenario before = d.workspace.scenario();
        QVERIFY(page->apply_button()->isEnabled());
        QTest::mouseClick(page->apply_button(), Qt::LeftButton);
        d.settle();
        const Scenario& now = d.workspace.scenario();
        QVERIFY(now.recipe.global_batch_sequences != before.recipe.global_batch_sequences);
        QVERIFY(std::abs(now.recipe.tokens
                         / tokens_with_batch(before.recipe.tokens, tokens_of_step(before.recipe),
                                             tokens_of_step(now.recipe), critical_batches(before).front().tokens)
                         - 1) < 1e-9);
        d.workspace.document().history().undo();
        QVERIFY(d.workspace.scenario() == before);
    }
    void a_sweep_of_the_batch_is_a_curve_beside_its_table() {
        Desk d;
        auto* page = questions_of(d.window);
        page->choose("sweep");
        QVERIFY(answered(*page));
        QVERIFY(page->curve()->isVisible() && page->curve()->figure());
        page->choose("zero");
        QVERIFY(answered(*page));
        QVERIFY(!page->curve()->isVisible());
    }
    void a_measured_step_is_held_against_the_parts() {
        Desk d;
        auto* page = questions_of(d.window);
        page->choose("gap");
        QVERIFY(answered(*page));
        QVERIFY2(page->answer().contains("State the step"), qPrintable(page->answer()));
        page->measured()->setValue(2 * d.workspace.told().last_good->headline.step / second);
        QVERIFY(answered(*page));
        QTRY_VERIFY2(page->answer().contains("100.0 % longer"), qPrintable(page->answer()));
    }
    void machines_are_ticked_and_found_by_words() {
        Desk d;
        auto* page = questions_of(d.window);
        QListWidget& list = *page->machines()->list();
        QVERIFY(list.count() > 20);
        for (int i = 0; i < list.count(); ++i) list.item(i)->setCheckState(Qt::Unchecked);
        Scenario s = d.workspace.scenario();
        s.recipe.precision = Precision::bf16;   // which no A64FX computes in
        d.workspace.propose(s, "bf16");
        d.settle();
        int ticked = 0;   // Fugaku at 2.0 and 2.2 GHz, and with four ranks a node
        for (int i = 0; i < list.count(); ++i) {
            if (!list.item(i)->text().contains("Fugaku")) continue;
            list.item(i)->setCheckState(Qt::Checked);
            ++ticked;
        }
        QVERIFY(ticked > 0);
        QTRY_VERIFY_WITH_TIMEOUT(d.workspace.record(), 60000);
        page->choose("machines");
        QVERIFY(answered(*page));
        QCOMPARE(page->table()->rowCount(), 1 + ticked);
        for (int r = 1; r <= ticked; ++r) {
            const QString why = page->table()->item(r, page->table()->columnCount() - 1)->text();
            QVERIFY2(why.contains("bf16"), qPrintable(why));
        }
    }
    void the_plans_own_row_cannot_be_taken() {
        Desk d;
        auto* page = questions_of(d.window);
        page->choose("batch");
        QVERIFY(answered(*page));
        for (int r = 0; r < page->table()->rowCount(); ++r) {
            page->table()->selectRow(r);
            QCOMPARE(page->apply_button()->isEnabled(), !page->table()->item(r, 0)->text().contains("the plan"));
        }
    }
    void an_answer_says_that_the_plan_has_changed_since() {
        Desk d;
        auto* page = questions_of(d.window);
        page->choose("zero");
        QVERIFY(answered(*page));
        const auto said = [&] {
            for (const QLabel* label : page->findChildren<QLabel*>())
                if (label->isVisible() && label->text().contains("changed since")) return true;
            return false;
        };
        QVERIFY(!said());
        Scenario s = d.workspace.scenario();
        s.recipe.tokens *= 2;
        d.workspace.propose(s, "Tokens");
        d.settle();
        QVERIFY(said());
    }
    void a_long_question_is_named_in_the_status_bar_and_cancelled_there() {
        Desk d;
        auto* page = questions_of(d.window);
        page->choose("machines");
        QVERIFY(page->busy());
        QVERIFY(d.window.jobs()->running().contains("Answer to a question"));
        d.window.jobs()->cancel_all()->setEnabled(true);
        d.window.jobs()->cancel_all()->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!page->busy(), answer_patience);
        QVERIFY(page->answer().isEmpty());
    }
    void an_answer_is_copied_and_saved_as_a_table() {
        Desk d;
        QTemporaryDir dir;
        auto* page = questions_of(d.window);
        page->choose("split");
        QVERIFY(answered(*page));
        QTest::mouseClick(d.find<QPushButton>("questions.copy"), Qt::LeftButton);
        QVERIFY(QApplication::clipboard()->text().contains(page->table()->as_text()));
        QVERIFY(page->save_to(dir.filePath("split.csv")));
        const QString saved = QString::fromUtf8(bytes_of(dir.filePath("split.csv")));
        QVERIFY2(saved.contains(page->table()->item(0, 0)->text()), qPrintable(saved));
        QVERIFY(saved.startsWith("# "));
    }
    void the_job_script_is_that_of_launch_data() {
        QTest::addColumn<QString>("framework");
        for (const char* each : {"megatron", "deepspeed", "fsdp"}) QTest::newRow(each) << each;
    }
    void the_job_script_is_that_of_launch() {
        QFETCH(QString, framework);
        Desk d;
        auto* page = questions_of(d.window);
        page->framework()->setCurrentIndex(page->framework()->findData(framework));
        emit page->framework()->activated(page->framework()->currentIndex());   // as a user chooses
        page->choose("launch");
        const auto script = launch_script(d.workspace.scenario(), *framework_from(framework.toStdString()));
        if (script) {
            QCOMPARE(page->script(), to_qt(*script));
            QVERIFY(page->answer().isEmpty());
        } else {
            QVERIFY(page->script().isEmpty());
            QVERIFY(page->answer().contains(to_qt(script.error().front())));
        }
    }
    void the_job_script_of_fine_tuning_is_for_the_software_of_the_plan() {
        Desk d;
        d.workspace.document().open(QStringLiteral(PLIMSOLL_PRESETS_DIR "/scenarios/llama3-8b-qlora-rtx4090.json"));
        auto* page = questions_of(d.window);
        page->choose("launch");
        QCOMPARE(page->framework()->currentData().toString(), QString("torchtune"));
        QVERIFY2(page->answer().isEmpty(), qPrintable(page->answer()));
        QVERIFY(page->script().contains("lora_finetune_single_device"));
    }
    void runs_of_ones_own_are_fitted_and_their_constants_taken() {
        Desk d;
        auto* page = questions_of(d.window);
        page->set_runs(QString::fromStdString(library().published_runs.at("megatron-sc21").string()));
        page->choose("fit");
        QVERIFY(answered(*page));
        QVERIFY2(page->table() && page->table()->rowCount() > 0, qPrintable(page->answer()));
        QVERIFY(page->answer().contains("megatron-sc21"));
    }
    void a_file_that_is_no_run_says_so() {
        Desk d;
        auto* page = questions_of(d.window);
        page->set_runs("/no/such/runs.json");
        page->choose("fit");
        QVERIFY(answered(*page));
        QVERIFY(!page->table());
    }
    void everybodys_words_find_the_question_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("title");
        QTest::newRow("28: is my batch too large") << "batch too large" << "Is the batch too large?";
        QTest::newRow("28: critical batch size") << "critical batch size" << "Is the batch too large?";
        QTest::newRow("4: 40 or 80 GB cards") << "40 or 80 GB" << "The same run on other machines";
        QTest::newRow("5: ZeRO-3 used more memory") << "ZeRO-3 needs more memory" << "What ZeRO stages do to memory";
        QTest::newRow("40: Frontier, Aurora or Fugaku") << "Frontier, Aurora or Fugaku"
                                                       << "The same run on other machines";
        QTest::newRow("31: larger batch") << "larger batch" << "Does a larger batch raise the MFU?";
        QTest::newRow("20: which part is off") << "which part is off" << "Which part of the step is off?";
        QTest::newRow("over nodes") << "search over nodes" << "Best layout on every number of nodes";
        QTest::newRow("launch") << "sbatch" << "Job script and arguments of the framework";
    }
    void everybodys_words_find_the_question() {
        QFETCH(QString, words);
        QFETCH(QString, title);
        Desk d;
        menu_action(d.window, "Find anything")->trigger();
        Palette& palette = *d.window.palette_of_commands();
        QTest::keyClicks(palette.field(), words);
        QCOMPARE(palette.marked(), title);
        palette.hide();
    }

    // ---- What the likely range is made of

    void the_parts_of_the_range_stand_under_the_tornado() {
        Desk d;
        d.window.show_page("tornado");
        auto* page = d.window.findChild<TornadoPage*>("contents.tornado");
        const Band& band = *d.workspace.told().last_good->band;
        QCOMPARE(page->parts()->rowCount(), int(band.time_parts.size()));
        double shares = 0;
        for (int r = 0; r < page->parts()->rowCount(); ++r)
            shares += page->parts()->item(r, 2)->text().section(' ', 0, 0).toDouble();
        QVERIFY(std::abs(shares - 100) <= 0.5 * page->parts()->rowCount());
        QVERIFY(page->range().contains("Likely range"));
    }

    // ---- Units and the limit of power

    void gigabytes_are_shown_in_tiles_charts_and_the_export() {
        const UsualAtTheEnd units;
        Desk d;
        Preferences p = d.workspace.preferences();
        p.memory = ByteUnit::decimal;
        p.durations = DurationUnit::hours;
        p.hours = HourOf::device;
        d.workspace.set_preferences(p);
        d.settle();
        const Answer& a = *d.workspace.told().last_good;
        QVERIFY(d.window.tiles()->tiles()[5]->content().detail.contains(" GB"));
        QVERIFY(!d.window.tiles()->tiles()[5]->content().spoken.contains("GiB"));
        QVERIFY(d.tile(0).endsWith(" h"));
        const Figure* memory = find_figure(&a, "memory-per-stage");
        QCOMPARE(memory->y.unit, std::string("GB"));
        QVERIFY(to_csv(*memory, a.scenario).find("GB") != std::string::npos);
        QCOMPARE(find_figure(&a, "time-vs-nodes")->y.unit, std::string("hours"));
        QCOMPARE(find_figure(&a, "node-hours-vs-nodes")->y.label, std::string("Device-hours"));
        d.workspace.set_preferences({});
        d.settle();
        QVERIFY(d.window.tiles()->tiles()[5]->content().detail.contains(" GiB"));
    }
    void units_are_remembered() {
        const UsualAtTheEnd units;
        {
            Started first;
            Preferences p;
            p.memory = ByteUnit::decimal;
            p.durations = DurationUnit::days;
            p.most_power = 2 * megawatt;
            first.workspace.set_preferences(p);
        }
        Started next;
        QVERIFY(next.workspace.preferences().memory == ByteUnit::decimal);
        QVERIFY(next.workspace.preferences().durations == DurationUnit::days);
        QCOMPARE(next.workspace.preferences().most_power / megawatt, 2.0);
    }
    void a_tile_of_hours_has_the_converter_in_its_menu() {
        Desk d;
        const Replies replies;
        QMenu* menu = d.window.tiles()->menu_of(*d.window.tiles()->tiles()[1]);
        QStringList texts;
        QAction* converter = nullptr;
        for (QAction* each : menu->actions()) {
            texts << each->text().remove('&');
            if (each->text().contains("other units")) converter = each;
        }
        QVERIFY2(converter, qPrintable(texts.join(", ")));
        converter->trigger();
        QCOMPARE(replies.titles(), QStringList("Hours in other units"));
        delete menu;
    }
    void a_plan_beyond_the_power_limit_is_cautioned_and_searches_leave_such_layouts_out() {
        Desk d;
        const Watts drawn = power_of(*d.workspace.told().outcome);
        Preferences p;
        p.most_power = 0.9 * drawn;
        d.workspace.set_preferences(p);
        d.settle();
        QVERIFY2(verdict_text(d.workspace.told()).notes.join('\n').contains("is the limit"),
                 qPrintable(verdict_text(d.workspace.told()).notes.join('\n')));
        d.window.show_page("goal");
        auto* page = d.window.findChild<GoalPage*>("contents.goal");
        page->search();
        QTRY_VERIFY_WITH_TIMEOUT(!page->busy(), answer_patience);
        QVERIFY2(page->table()->rowCount() > 0, qPrintable(page->state()));
        page->table()->selectRow(0);
        if (page->table()->item(0, 0)->text() == "Best within all limits") {
            page->apply();
            d.settle();
            QVERIFY(power_of(*d.workspace.told().outcome) <= p.most_power);
        }
    }
};

PLIMSOLL_TEST(tst_questions_page)
#include "tst_questions_page.moc"
