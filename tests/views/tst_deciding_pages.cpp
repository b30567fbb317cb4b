// Plans beside each other, limits and what an answer hangs on, and the proposal: the pages that decide.
#include "registered_test.h"

#include "views/replies.h"
#include "views/session_desk.h"

#include "core/files/presets/scenario_json.h"
#include "views/decide/compare_page.h"
#include "views/decide/goal_page.h"
#include "views/decide/proposal_page.h"
#include "views/decide/tornado_page.h"
#include "views/parts/text.h"

using namespace plimsoll;

namespace {

constexpr int patience = 120000;

template <class Page>
Page* page_of(MainWindow& window, const char* name) {
    window.show_page(name);
    return window.findChild<Page*>(QStringLiteral("contents.") + name);
}

void give_tokens(Workspace& w, double tokens) {
    Scenario s = w.scenario();
    s.recipe.tokens = tokens;
    w.propose(s, "Tokens");
    w.told();
}

QString cell(const QTableWidget& table, int row, int column) { return table.item(row, column)->text(); }

void every_chart_is_drawn(ComparePage& page) {
    for (Chart* chart : page.charts()) {
        page.tabs()->setCurrentWidget(chart);
        QVERIFY2(chart->figure(), chart->figure_id().c_str());
    }
    page.tabs()->setCurrentIndex(0);
}

int row_of(const QTableWidget& table, const QString& what) {
    for (int r = 0; r < table.rowCount(); ++r)
        if (cell(table, r, 0) == what) return r;
    return -1;
}

}  // namespace

class tst_deciding_pages : public QObject {
    Q_OBJECT
    TestHome home_;

private slots:
    void initTestCase() { home_.use("tst_deciding_pages"); }
    void init() { home_.clear(); }

    void without_another_plan_the_page_says_what_to_do() {
        Desk d;
        auto* page = page_of<ComparePage>(d.window, "compare");
        QVERIFY(page->state().contains("Keep a copy"));
        QVERIFY(!page->sheet()->isVisible());
    }
    void a_kept_plan_stays_as_it_was_when_the_plan_is_edited() {
        Desk d;
        auto* page = page_of<ComparePage>(d.window, "compare");
        page->keep();
        QCOMPARE(row_of(*page->sheet(), "Training tokens"), -1);
        const double before = d.workspace.scenario().recipe.tokens;
        give_tokens(d.workspace, 2 * before);
        QCOMPARE(cell(*page->sheet(), 0, 0), QString("Training tokens"));
        const int time = row_of(*page->sheet(), "Time to train");
        QVERIFY(time > 0);
        // The copy takes about half of the plan's time: that is better, in words of a sign and a colour.
        QVERIFY(!cell(*page->sheet(), time, 1).contains("%"));
        QVERIFY2(cell(*page->sheet(), time, 2).contains("▲ -50 %"), qPrintable(cell(*page->sheet(), time, 2)));
        QVERIFY(!page->sheet()->item(time, 2)->font().bold());
        QVERIFY2(page->sheet()->horizontalHeaderItem(2)->text().startsWith("Training tokens"),
                 qPrintable(page->sheet()->horizontalHeaderItem(2)->text()));
        every_chart_is_drawn(*page);
    }
    void only_what_differs_is_shown_where_that_is_ticked() {
        Desk d;
        auto* page = page_of<ComparePage>(d.window, "compare");
        page->keep();
        give_tokens(d.workspace, 2 * d.workspace.scenario().recipe.tokens);
        QVERIFY(row_of(*page->sheet(), "Model FLOP utilisation") > 0);
        page->differences()->setChecked(true);
        QCOMPARE(row_of(*page->sheet(), "Model FLOP utilisation"), -1);
        QVERIFY(row_of(*page->sheet(), "Time to train") > 0);
        page->differences()->setChecked(false);
        QVERIFY(row_of(*page->sheet(), "Model FLOP utilisation") > 0);
    }
    void all_columns_are_in_sight_in_a_narrow_window() {
        Desk d;
        auto* page = page_of<ComparePage>(d.window, "compare");
        for (int i = 0; i < 5; ++i) page->keep();
        d.window.resize(1024, 700);
        d.settle();
        const QTableWidget& sheet = *page->sheet();
        int width = 0;
        for (int c = 0; c < sheet.columnCount(); ++c)
            if (!sheet.isColumnHidden(c)) width += sheet.columnWidth(c);
        QTRY_VERIFY(width <= sheet.viewport()->width());
    }
    void plans_of_another_model_are_not_compared_until_they_are_ticked() {
        Desk d;
        auto* page = page_of<ComparePage>(d.window, "compare");
        page->keep();
        Scenario other = d.workspace.scenario();
        other.model.name = "Another model";
        auto plan = d.workspace.plans().make();
        d.workspace.plans().add(std::move(plan), Plans::Front::left).edit(other, "Another model");
        d.settle();
        QCOMPARE(d.workspace.plans().count(), 3);
        QCOMPARE(page->picked()->count(), 1);
        QListWidget& list = *page->choice()->list();
        QCOMPARE(list.count(), 2);
        for (int i = 0; i < list.count(); ++i) list.item(i)->setCheckState(Qt::Checked);
        QCOMPARE(page->picked()->count(), 2);
        page->choice()->filter()->setText("another");
        int found = 0;
        for (int i = 0; i < list.count(); ++i) found += !list.item(i)->isHidden();
        QVERIFY(found < 2);
    }
    void the_waterfall_leads_from_one_time_to_the_other_and_the_parts_sum_to_the_difference() {
        Desk d;
        auto* page = page_of<ComparePage>(d.window, "compare");
        page->keep();
        give_tokens(d.workspace, 3 * d.workspace.scenario().recipe.tokens);
        page->tabs()->setCurrentIndex(page->tabs()->count() - 1);
        const Figure& f = page->waterfall()->figure();
        QCOMPARE(f.id, std::string("compare-why"));
        QVERIFY(f.categories.size() > 3);
        double at = f.series.front().y.front();
        for (const Series& s : f.series)
            for (std::size_t i = 0; i < s.low.size(); ++i) at += (s.id == "longer" ? 1 : -1) * (s.high[i] - s.low[i]);
        QVERIFY(std::abs(at / f.series.front().y.back() - 1) < 1e-9);
        QVERIFY2(page->why().contains(" against "), qPrintable(page->why()));
        // Another plan is picked: its waterfall stands there, by its name.
        page->keep();
        page->picked()->setCurrentIndex(1);
        QCOMPARE(to_qt(page->waterfall()->figure().categories.back()),
                 page->sheet()->horizontalHeaderItem(3)->text());
    }
    void the_lines_over_the_nodes_have_their_likely_ranges() {
        Desk d;
        auto* page = page_of<ComparePage>(d.window, "compare");
        page->keep();
        QTRY_VERIFY_WITH_TIMEOUT(d.workspace.record(), 60000);
        page->tabs()->setCurrentWidget(page->charts().back());
        const Figure& f = *page->charts().back()->figure();
        QCOMPARE(f.series.size(), std::size_t(4));
        for (const std::size_t i : {0, 1}) {
            const Series &line = f.series[i], &range = f.series[i + 2];
            QVERIFY(range.mark == Mark::band);
            QCOMPARE(range.x, line.x);
            for (std::size_t k = 0; k < line.y.size(); ++k) {
                QVERIFY(range.y[k] < line.y[k]);
                QVERIFY(line.y[k] < range.high[k]);
            }
        }
    }
    void another_plan_comes_to_the_front_and_what_is_compared_turns_round() {
        Desk d;
        auto* page = page_of<ComparePage>(d.window, "compare");
        page->keep();
        const Scenario kept = d.workspace.scenario();
        give_tokens(d.workspace, 2 * kept.recipe.tokens);
        const QString edited = cell(*page->sheet(), 0, 1), other = cell(*page->sheet(), 0, 2);
        QVERIFY(edited != other);
        d.find<QPushButton>("compare.show")->click();
        d.settle();
        QCOMPARE(d.workspace.scenario().recipe, kept.recipe);
        QCOMPARE(cell(*page->sheet(), 0, 1), other);
        QCOMPARE(cell(*page->sheet(), 0, 2), edited);
    }
    void six_plans_are_compared_and_which_of_more_can_be_chosen() {
        Desk d;
        auto* page = page_of<ComparePage>(d.window, "compare");
        for (int i = 0; i < 7; ++i) page->keep();
        d.settle();
        QCOMPARE(d.workspace.plans().count(), 8);
        QCOMPARE(page->picked()->count(), 5);
        QVERIFY2(page->state().contains("5 of 7"), qPrintable(page->state()));
        every_chart_is_drawn(*page);
        QCOMPARE(page->charts()[0]->figure()->categories.size(), std::size_t(6));
        QStringList names;
        for (int i = 0; i < 5; ++i) names << page->picked()->itemText(i);
        QCOMPARE(names.removeDuplicates(), 0);
        QListWidget& list = *page->choice()->list();
        QCOMPARE(list.count(), 7);
        for (int i = 0; i < 6; ++i) list.item(i)->setCheckState(Qt::Unchecked);
        d.settle();
        QCOMPARE(page->picked()->count(), 1);
        QCOMPARE(page->picked()->itemText(0), d.workspace.plans().names()[7]);
    }
    void a_file_is_added_once_and_an_unreadable_one_is_not() {
        Desk d;
        auto* page = page_of<ComparePage>(d.window, "compare");
        const Scenario front = d.workspace.scenario();
        QVERIFY(page->add(neox).empty());
        QVERIFY(page->add(neox).empty());
        QCOMPARE(page->picked()->count(), 1);
        QVERIFY(has_errors(page->add("/no/such/plan.json")));
        QCOMPARE(page->picked()->count(), 1);
        QVERIFY(d.workspace.scenario() == front);
    }
    void plans_kept_beside_by_earlier_versions_are_tabs_that_outlive_a_crash() {
        const Scenario example = first_scenario(library());
        QSettings().setValue("plans_beside", QStringList{to_qt(write_scenario(example, library()))});
        {
            Started first;
            QCOMPARE(first.workspace.plans().count(), 2);
            QVERIFY(first.workspace.plans().at(1).modified());
            QVERIFY(!QSettings().contains("plans_beside"));
        }
        Started next;
        QVERIFY(next.window.notices()->button("notice.recover"));
        next.window.notices()->button("notice.recover")->click();
        QVERIFY(next.workspace.scenario().recipe == example.recipe);
    }
    void a_part_that_is_pointed_at_is_marked_in_every_plan_with_its_value() {
        Desk d;
        auto* page = page_of<ComparePage>(d.window, "compare");
        page->keep();
        give_tokens(d.workspace, 3 * d.workspace.scenario().recipe.tokens);
        Chart* time = page->charts()[0];
        page->tabs()->setCurrentWidget(time);
        QVERIFY(time->isVisible() && time->figure());
        const Series& first = time->figure()->series.front();
        time->setFocus();
        QTest::keyClick(time, Qt::Key_Up);
        QCOMPARE(QString::fromStdString(time->marked_part()), QString::fromStdString(first.id));
        for (const double value : first.y) QVERIFY2(page->part().contains(grouped(value)), qPrintable(page->part()));
        QVERIFY2(page->part().contains("Training tokens"), qPrintable(page->part()));
        QTest::keyClick(time, Qt::Key_Escape);
        QCOMPARE(time->marked_part(), std::string());
        QCOMPARE(page->part(), QString());
        // By the pointer, in the middle of the lowest part of the second bar, where it lies once all is drawn: the
        // legend takes its room beside the bars at the first replot.
        QCoreApplication::processEvents();
        time->replot();
        const QPointF at(time->xAxis->coordToPixel(1), time->yAxis->coordToPixel(first.y[1] / 2));
        QTest::mouseMove(time, at.toPoint());
        QTRY_COMPARE(QString::fromStdString(time->marked_part()), QString::fromStdString(first.id));
    }

    void a_bar_is_two_estimates() {
        Desk d;
        auto* page = page_of<TornadoPage>(d.window, "tornado");
        QVERIFY(!page->bars().empty());
        double width = page->bars().front().width();
        for (const TornadoBar& b : page->bars()) {
            QCOMPARE(b.at_low, *tornado_value(b.low, TornadoOf::time));
            QCOMPARE(b.at_high, *tornado_value(b.high, TornadoOf::time));
            QVERIFY(b.width() <= width);
            width = b.width();
        }
        QCOMPARE(page->table()->rowCount(), int(page->bars().size()));
    }
    void a_row_shows_its_curve_through_the_plan() {
        Desk d;
        auto* page = page_of<TornadoPage>(d.window, "tornado");
        page->table()->selectRow(page->table()->rowCount() - 1);
        const Figure* f = page->curve()->figure();
        QVERIFY(f);
        QCOMPARE(to_qt(f->title), cell(*page->table(), page->table()->rowCount() - 1, 0));
        const Series& line = f->series.front();
        const auto here = std::find_if(line.x.begin(), line.x.end(),
                                       [&](double x) { return std::abs(x - f->here_x) < 1e-9 * f->here_x; });
        QVERIFY(here != line.x.end());
        QCOMPARE(line.y[std::size_t(here - line.x.begin())], *tornado_value(d.workspace.scenario(), TornadoOf::time));
    }

    void in_a_narrow_window_the_bars_of_the_tornado_have_the_whole_width() {
        Desk d;
        auto* page = page_of<TornadoPage>(d.window, "tornado");
        QVERIFY(page->chart()->width() < 0.7 * page->width());
        d.window.resize(960, 540);
        d.settle();
        QTRY_VERIFY(page->chart()->width() > 0.9 * page->width());
    }

    void the_largest_model_says_its_width_heads_and_layers() {
        Desk d;
        auto* page = page_of<GoalPage>(d.window, "goal");
        page->days()->setValue(2 * d.workspace.told().last_good->totals.time / day);
        page->nodes()->setChecked(false);
        page->layout_moves()->setChecked(false);
        page->size()->setChecked(true);
        page->search();
        QTRY_VERIFY_WITH_TIMEOUT(!page->busy(), patience);
        QVERIFY2(page->table()->rowCount() > 0, qPrintable(page->state()));
        QVERIFY(!page->table()->isColumnHidden(9));
        const Model own = d.workspace.scenario().model;
        page->apply();
        d.settle();
        const Model& now = d.workspace.scenario().model;
        QVERIFY(parameters(now) > parameters(own) && now.hidden > own.hidden && now.heads > own.heads);
        QCOMPARE(page->table()->item(0, 9)->text(),
                 QString("%1 layers x %2, %3 heads").arg(now.layers).arg(now.hidden).arg(now.heads));
    }

    void the_best_plan_is_within_the_limits_and_one_undo_step() {
        Desk d;
        auto* page = page_of<GoalPage>(d.window, "goal");
        const double now = d.workspace.told().last_good->totals.time / day;
        page->days()->setValue(now / 2);
        page->layout_moves()->setChecked(false);
        QTest::mouseClick(page->search_button(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!page->busy(), patience);
        QVERIFY2(page->table()->rowCount() > 0, qPrintable(page->state()));
        const Scenario before = d.workspace.scenario();
        QTest::mouseClick(page->apply_button(), Qt::LeftButton);
        d.settle();
        const Answer& a = *d.workspace.told().last_good;
        QVERIFY(totals(a.scenario, a.headline, Counting::all).time / day <= now / 2);
        QVERIFY(a.estimate.fits());
        d.workspace.document().history().undo();
        QVERIFY(d.workspace.scenario() == before);
    }
    void the_memory_to_keep_free_is_that_of_the_verdict() {
        Desk d;
        auto* page = page_of<GoalPage>(d.window, "goal");
        QCOMPARE(page->headroom()->value(), 100 * usual_headroom);
        page->headroom()->setValue(20);
        QCOMPARE(d.workspace.preferences().headroom, 0.2);
        Preferences p = d.workspace.preferences();
        p.headroom = 0.1;
        d.workspace.set_preferences(p);
        d.settle();
        QCOMPARE(page->headroom()->value(), 10.0);
    }
    void an_example_begins_with_one_click_and_is_drawn_data() {
        QTest::addColumn<int>("example");
        QTest::addColumn<int>("aim");
        QTest::newRow("the fewest nodes for this time") << 0 << int(GoalAim::nodes);
        QTest::newRow("the earliest end for these node-hours") << 1 << int(GoalAim::time);
        QTest::newRow("the least energy in twice the time") << 2 << int(GoalAim::energy);
    }
    void an_example_begins_with_one_click_and_is_drawn() {
        QFETCH(int, example);
        QFETCH(int, aim);
        Desk d;
        auto* page = page_of<GoalPage>(d.window, "goal");
        QTest::mouseClick(d.find<QPushButton>(qPrintable(QString("goal.example.%1").arg(example))), Qt::LeftButton);
        QCOMPARE(page->aim()->currentIndex(), aim);
        QTRY_VERIFY_WITH_TIMEOUT(!page->busy(), patience);
        QVERIFY2(page->table()->rowCount() > 0, qPrintable(page->state()));
        const Figure* f = page->curve()->figure();
        QVERIFY(f && f->id == "goal");
        const auto chosen = std::ranges::find(f->series, "chosen", &Series::id);
        QVERIFY(chosen != f->series.end());
        QCOMPARE(grouped(chosen->x.front()), cell(*page->table(), 0, 2));
        if (example == 0) {
            // All plans on fewer nodes are beyond the limit.
            const auto within = std::ranges::find(f->series, "within", &Series::id);
            QCOMPARE(*std::ranges::min_element(within->x), chosen->x.front());
        }
    }
    void the_day_of_the_end_and_the_days_say_the_same() {
        Desk d;
        auto* page = page_of<GoalPage>(d.window, "goal");
        page->days()->setValue(30);
        QCOMPARE(page->end()->date(), QDate::currentDate().addDays(30));
        page->end()->setDate(QDate::currentDate().addDays(45));
        QCOMPARE(page->days()->value(), 45.0);
    }
    void what_cannot_be_asked_says_why() {
        Desk d;
        auto* page = page_of<GoalPage>(d.window, "goal");
        for (QCheckBox* box : {page->nodes(), page->layout_moves(), page->size(), page->tokens()})
            box->setChecked(false);
        QVERIFY(!page->search_button()->isEnabled());
        QVERIFY2(page->state().contains("at least one"), qPrintable(page->state()));
        page->tokens()->setChecked(true);
        QVERIFY(!page->search_button()->isEnabled());
        page->node_hours()->setValue(1000);
        QVERIFY(page->search_button()->isEnabled());
    }

    void a_proposal_has_every_table_and_says_what_is_missing() {
        Desk d;
        auto* page = page_of<ProposalPage>(d.window, "proposal");
        page->choose("generic");
        page->wait();
        QVERIFY2(page->pack(), qPrintable(page->state()));
        QStringList parts;
        for (int i = 0; i < page->list()->count(); ++i) parts << page->list()->item(i)->text();
        for (int i = 1; i <= 12; ++i) {
            const QString id = QString("T%1").arg(i, 2, 10, QChar('0'));
            QCOMPARE(parts.filter(QRegularExpression("^" + id)).size(), 1);
        }
        // Nothing was measured, and the table of measurements says so.
        QVERIFY(parts.filter(QRegularExpression("^T05")).front().contains("missing"));
        for (int i = 0; i < page->list()->count(); ++i) {
            page->list()->setCurrentRow(i);
            QVERIFY(page->list()->item(i)->text().startsWith('F') || !page->text()->toPlainText().isEmpty());
        }
    }
    void the_pack_is_written_with_its_report() {
        Desk d;
        QTemporaryDir dir;
        auto* page = page_of<ProposalPage>(d.window, "proposal");
        page->choose("generic");
        page->wait();
        const auto files = page->pack_files(dir.path());
        QVERIFY(files);
        QCOMPARE(write_files(*files), Problems{});
        QVERIFY(bytes_of(dir.filePath("report.pdf")).startsWith("%PDF"));
        QVERIFY(!bytes_of(dir.filePath("report.pdf")).contains("/CreationDate"));
        QVERIFY(bytes_of(dir.filePath("tables/T01.csv")).contains("node-hour"));
        QVERIFY(bytes_of(dir.filePath("report.md")).contains("profile of"));
        for (const ProposalFigure& f : page->pack()->figures)
            QCOMPARE(QFile::exists(dir.filePath("figures/" + to_qt(f.id) + ".svg")), f.missing.empty());
    }
    void a_rate_that_the_programme_does_not_say_is_stated_in_the_window() {
        Desk d;
        auto* page = page_of<ProposalPage>(d.window, "proposal");
        page->choose("access-maximize");
        page->wait();
        QVERIFY(!page->pack());
        QVERIFY2(page->state().contains("Units per node-hour"), qPrintable(page->state()));
        QVERIFY(!page->state().contains("--"));
        page->rate()->setValue(30);
        page->wait();
        QVERIFY2(page->pack(), qPrintable(page->state()));
        for (const Sheet& s : page->pack()->proposal.tables)
            for (const std::string& lacks : s.missing) QVERIFY2(lacks.find(" --") == lacks.npos, lacks.c_str());
    }
    void a_folder_that_is_typed_is_made_and_stays_named() {
        Desk d;
        QTemporaryDir dir;
        auto* page = page_of<ProposalPage>(d.window, "proposal");
        page->choose("generic");
        page->wait();
        QVERIFY(page->written().isEmpty());
        const QString typed = dir.filePath("new/pack");
        {
            const Replies replies({[&](QDialog& dialog) {
                dialog.findChild<QLineEdit*>("fileNameEdit")->setText(typed);
                dialog.accept();
            }});
            QTest::mouseClick(page->write_button(), Qt::LeftButton);
            QTRY_VERIFY_WITH_TIMEOUT(!d.window.exports()->busy() && QFile::exists(typed + "/report.pdf"), patience);
        }
        QTRY_VERIFY2(page->written().contains("pack"), qPrintable(page->written()));
    }
    void a_plan_that_does_not_run_makes_no_proposal() {
        Desk d;
        auto* page = page_of<ProposalPage>(d.window, "proposal");
        page->choose("generic");
        page->wait();
        Scenario s = d.workspace.scenario();
        s.layout.micro_batch = 100000;
        d.workspace.propose(s, "too large");
        d.settle();
        page->wait();
        QVERIFY(!page->pack());
        QVERIFY(!page->write_button()->isEnabled());
        // No chart of another plan stays, and no white box.
        QVERIFY(page->text()->isVisible() && !page->text()->toPlainText().isEmpty());
        QCOMPARE(page->list()->count(), 1);
        QVERIFY2(page->state().contains("cannot be computed") || page->state().contains("fit in memory"),
                 qPrintable(page->state()));
    }
};

PLIMSOLL_TEST(tst_deciding_pages)
#include "tst_deciding_pages.moc"
