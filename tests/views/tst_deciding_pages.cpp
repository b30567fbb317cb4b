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
    w.snapshot();
}

QString cell(const TextTable& table, int row, int column) { return table.item(row, column)->text(); }

void every_chart_is_drawn(ComparePage& page) {
    for (Chart* chart : page.charts()) {
        page.chart_tabs()->setCurrentWidget(chart);
        QVERIFY2(chart->figure(), chart->figure_id().c_str());
    }
    page.chart_tabs()->setCurrentIndex(0);
}

int row_of(const TextTable& table, const QString& what) {
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
        QVERIFY(!page->answers()->isVisible());
    }
    void a_kept_plan_stays_as_it_was_when_the_plan_is_edited() {
        Desk d;
        auto* page = page_of<ComparePage>(d.window, "compare");
        page->keep();
        QCOMPARE(page->inputs()->rowCount(), 0);
        const double before = d.workspace.scenario().recipe.tokens;
        give_tokens(d.workspace, 2 * before);
        QCOMPARE(page->inputs()->rowCount(), 1);
        QCOMPARE(cell(*page->inputs(), 0, 0), QString("Training tokens"));
        const int time = row_of(*page->answers(), "Time to train");
        QVERIFY(time >= 0);
        QVERIFY(cell(*page->answers(), time, 1) != cell(*page->answers(), time, 2));
        QVERIFY(page->answers()->item(time, 1)->font().bold());
        every_chart_is_drawn(*page);
    }
    void the_parts_sum_to_the_difference() {
        Desk d;
        auto* page = page_of<ComparePage>(d.window, "compare");
        page->keep();
        give_tokens(d.workspace, 3 * d.workspace.scenario().recipe.tokens);
        const TextTable& t = *page->reasons();
        QVERIFY(t.rowCount() > 3);
        double sum = cell(t, 0, 1).toDouble();
        for (int r = 1; r + 1 < t.rowCount(); ++r) sum += cell(t, r, 1).toDouble();
        // Each cell is rounded to a hundredth of a day.
        QVERIFY(std::abs(sum - cell(t, t.rowCount() - 1, 1).toDouble()) < 0.005 * t.rowCount());
    }
    void the_waterfall_leads_from_one_time_to_the_other_and_marks_what_is_marked() {
        Desk d;
        auto* page = page_of<ComparePage>(d.window, "compare");
        page->keep();
        give_tokens(d.workspace, 3 * d.workspace.scenario().recipe.tokens);
        page->chart_tabs()->setCurrentWidget(page->waterfall());
        const Figure& f = page->waterfall()->figure();
        QCOMPARE(f.id, std::string("compare-why"));
        QCOMPARE(int(f.categories.size()), page->reasons()->rowCount());
        page->reasons()->setCurrentCell(2, 0);
        QVERIFY2(page->chart_tabs()->currentWidget() == page->waterfall(), "the waterfall stays in view");
        // Another plan is picked: its waterfall stands there.
        page->keep();
        page->picked()->setCurrentIndex(1);
        // By its short name, of which what all have in common is left out.
        const QString shown = to_qt(page->waterfall()->figure().categories.back()).remove(u'…');
        QVERIFY2(page->picked()->itemText(1).endsWith(shown), qPrintable(shown));
    }
    void the_lines_over_the_nodes_have_their_likely_ranges() {
        Desk d;
        auto* page = page_of<ComparePage>(d.window, "compare");
        page->keep();
        QTRY_VERIFY_WITH_TIMEOUT(d.workspace.record(), 60000);
        page->chart_tabs()->setCurrentWidget(page->charts().back());
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
        const QString edited = cell(*page->inputs(), 0, 1), other = cell(*page->inputs(), 0, 2);
        QVERIFY(edited != other);
        QTest::mouseClick(d.find<QPushButton>("compare.show"), Qt::LeftButton);
        d.settle();
        QCOMPARE(d.workspace.scenario().recipe, kept.recipe);
        QCOMPARE(cell(*page->inputs(), 0, 1), other);
        QCOMPARE(cell(*page->inputs(), 0, 2), edited);
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
        QMenu* choice = d.find<QToolButton>("compare.choice")->menu();
        emit choice->aboutToShow();
        QCOMPARE(choice->actions().size(), 7);
        for (int i = 0; i < 6; ++i) choice->actions()[i]->trigger();
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
        QVERIFY(time->isVisible() && time->figure());
        const Series& first = time->figure()->series.front();
        time->setFocus();
        QTest::keyClick(time, Qt::Key_Up);
        QCOMPARE(QString::fromStdString(time->marked_part()), QString::fromStdString(first.id));
        for (const double value : first.y) QVERIFY2(page->part().contains(grouped(value)), qPrintable(page->part()));
        QVERIFY2(page->part().contains("This plan: "), qPrintable(page->part()));
        const int row = page->reasons()->currentRow();
        QVERIFY(row > 0);
        QCOMPARE(cell(*page->reasons(), row, 0).trimmed(), to_qt(first.label));
        QTest::keyClick(time, Qt::Key_Escape);
        QCOMPARE(time->marked_part(), std::string());
        QCOMPARE(page->part(), QString());
        // And the other way round: a row of the waterfall marks its part.
        page->reasons()->setCurrentCell(row, 0);
        QCOMPARE(QString::fromStdString(time->marked_part()), QString::fromStdString(first.id));
        // By the pointer, in the middle of the lowest part of the second bar.
        QTest::keyClick(time, Qt::Key_Escape);
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
        page->days()->setValue(2 * d.workspace.snapshot().last_good->totals.time / day);
        page->nodes()->setChecked(false);
        page->layout_moves()->setChecked(false);
        page->size()->setChecked(true);
        page->search();
        QTRY_VERIFY_WITH_TIMEOUT(!page->busy(), patience);
        QVERIFY2(page->table()->rowCount() > 0, qPrintable(page->state()));
        QVERIFY(!page->table()->isColumnHidden(8));
        const Model own = d.workspace.scenario().model;
        page->apply();
        d.settle();
        const Model& now = d.workspace.scenario().model;
        QVERIFY(parameters(now) > parameters(own) && now.hidden > own.hidden && now.heads > own.heads);
        QCOMPARE(page->table()->item(0, 8)->text(),
                 QString("%1 layers x %2, %3 heads").arg(now.layers).arg(now.hidden).arg(now.heads));
    }

    void the_best_plan_is_within_the_limits_and_one_undo_step() {
        Desk d;
        auto* page = page_of<GoalPage>(d.window, "goal");
        const double now = d.workspace.snapshot().last_good->totals.time / day;
        page->days()->setValue(now / 2);
        page->layout_moves()->setChecked(false);
        QTest::mouseClick(page->search_button(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!page->busy(), patience);
        QVERIFY2(page->table()->rowCount() > 0, qPrintable(page->state()));
        const Scenario before = d.workspace.scenario();
        QTest::mouseClick(page->apply_button(), Qt::LeftButton);
        d.settle();
        const Answer& a = *d.workspace.snapshot().last_good;
        QVERIFY(totals(a.scenario, a.headline, Counting::all).time / day <= now / 2);
        QVERIFY(a.estimate.fits());
        d.workspace.document().history().undo();
        QVERIFY(d.workspace.scenario() == before);
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
