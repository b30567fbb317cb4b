// The Layouts page and the automatic layout as a user meets them.
#include "registered_test.h"

#include "views/desk.h"

#include "core/answers/search/ranking.h"
#include "core/answers/search/surest.h"
#include "core/answers/search/wording.h"
#include "views/parts/text.h"

using namespace plimsoll;

namespace {

// With the page in view and its first search done.
struct LayoutsBench : Desk {
    LayoutsBench() {
        window.record_loader().wait();   // with it come likely ranges, which a search leaves room for
        window.show_page("layouts");
        settle();
    }
    LayoutsPage& page() { return *window.layouts(); }
    void settle() {
        const auto idle = [this] { return !page().busy() && !window.automatic().busy(); };
        do {
            QVERIFY(QTest::qWaitFor(idle, patience));
            Desk::settle();  // what was found may ask for another search
        } while (!idle());
    }
    const Study& study() { return *page().study(); }
    QAbstractItemModel* rows() { return page().table()->model(); }
    int row_with(const QString& remark) {
        for (int row = 0; row < rows()->rowCount(); ++row)
            if (rows()->index(row, LayoutTable::remark).data().toString().contains(remark)) return row;
        return -1;
    }
    QUndoStack& history() { return workspace.document().history(); }
    void propose(const char* knob, double value) {
        workspace.propose(*with(workspace.scenario(), *find_knob(knob), value), "Edit", knob);
        workspace.told();   // the turn ends, and with it begins the search
        settle();
    }
};

bool same_but_layout(const Scenario& a, const Scenario& b) { return with_layout(a, b.layout) == b; }

}  // namespace

class tst_layouts_page : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { use_test_settings(); }
    void a_search_fills_the_page();
    void the_key_that_searches_leaves_the_keyboard_in_the_list();
    void the_window_lives_on_during_a_search();
    void cancel_shows_what_was_found();
    void enter_applies_as_one_undo_step();
    void chart_map_and_table_select_each_other();
    void the_filter_keeps_whole_degrees();
    void the_comparison_adds_up();
    void a_pinned_layout_replaces_the_plan_in_the_comparison();
    void a_plan_where_nothing_fits_shows_near_misses();
    void a_layout_that_may_not_fit_is_marked_beside_its_memory();
    void an_empty_cell_says_why();
    void an_edit_searches_again();
    void automatic_belongs_to_the_edit();
    void automatic_leaves_undo_alone();
    void automatic_yields_to_a_layout_chosen_by_hand();
    void automatic_draws_the_best_of_each_node_count();
    void another_number_of_nodes_needs_no_search();
    void automatic_leaves_a_tight_layout_for_one_with_room();
    void automatic_leaves_a_layout_that_may_not_fit_for_one_that_surely_fits();
    void a_plan_keeps_whether_its_layout_is_automatic();
};

void tst_layouts_page::the_key_that_searches_leaves_the_keyboard_in_the_list() {
    Desk d;
    const Layout before = d.workspace.scenario().layout;
    QTest::keyClick(&d.window, Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
    LayoutsPage& page = *d.window.layouts();
    QTRY_VERIFY_WITH_TIMEOUT(page.study() && !page.busy(), Desk::patience);
    QCOMPARE(QApplication::focusWidget(), page.table());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QVERIFY(d.workspace.scenario().layout == page.study()->rows.front().layout);
    QVERIFY(!(d.workspace.scenario().layout == before));
}

void tst_layouts_page::a_search_fills_the_page() {
    LayoutsBench b;
    QVERIFY(b.study().found.count >= 100);
    QCOMPARE(b.rows()->rowCount(), int(b.study().rows.size()));
    QVERIFY(b.page().scatter()->figure().series.size() >= 3);
    QVERIFY(b.row_with("this plan") >= 0);
    QVERIFY(b.row_with("Pareto-best") >= 0);
    QVERIFY2(b.page().summary().contains("common"), qPrintable(b.page().summary()));
    QCOMPARE(b.page().exclusions()->rowCount(), int(b.study().found.exclusions.size()));
    QCOMPARE(b.page().table()->currentIndex().row(), 0);   // the best is selected
}

// A search that waits for the window: it could not end if the window waited for it.
void tst_layouts_page::the_window_lives_on_during_a_search() {
    LayoutsBench b;
    std::atomic<int> beats = 0;
    LatestJob job;
    bool arrived = false;
    job.start([&](std::stop_token stop) -> LatestJob::Deliver {
        while (beats < 5 && !stop.stop_requested()) std::this_thread::yield();
        return [&] { arrived = true; };
    });
    QTimer heart;
    connect(&heart, &QTimer::timeout, this, [&] { ++beats; });
    heart.start(1);
    b.page().search();
    QVERIFY(b.page().busy());   // returned before the answer
    QCOMPARE(b.page().search_button()->text(), QString("Cancel"));
    QTRY_VERIFY(arrived);
    b.settle();
    QCOMPARE(b.page().search_button()->text(), QString("Search"));
}

void tst_layouts_page::cancel_shows_what_was_found() {
    LayoutsBench b;
    QComboBox* space = nullptr;
    for (QComboBox* box : b.page().findChildren<QComboBox*>())
        if (box->accessibleName().contains("searched")) space = box;
    QVERIFY(space);
    space->setCurrentIndex(1);
    b.page().search();
    QTest::mouseClick(b.page().search_button(), Qt::LeftButton);
    b.settle();
    QVERIFY(b.study().found.cancelled || b.study().found.space == "full");
    QCOMPARE(b.page().summary().contains("Cancelled"), b.study().found.cancelled);
    QCOMPARE(b.rows()->rowCount(), int(b.study().rows.size()));
}

void tst_layouts_page::enter_applies_as_one_undo_step() {
    LayoutsBench b;
    const Scenario before = b.workspace.scenario();
    const Layout best = b.study().found.top.front().layout;
    b.page().select(to_qt(say_layout(best)));
    b.page().table()->setFocus();
    QTest::keyClick(b.page().table(), Qt::Key_Return);
    b.settle();
    QCOMPARE(b.history().count(), 1);
    QVERIFY(b.workspace.scenario().layout == best);
    QVERIFY(same_but_layout(b.workspace.scenario(), before));
    const Headroom asked = b.study().options.headroom;
    QVERIFY(value_of(candidate_of(before, *estimate(before), asked), Objective::time)
            >= value_of(b.study().found.top.front(), Objective::time));
    QVERIFY(!b.page().outdated());   // what was found still answers
    b.history().undo();
    QVERIFY(b.workspace.scenario() == before);
}

void tst_layouts_page::chart_map_and_table_select_each_other() {
    LayoutsBench b;
    const QString second = to_qt(say_layout(b.study().found.top[1].layout));
    emit b.page().scatter()->picked(second);
    QCOMPARE(b.page().table()->currentIndex().row(), 1);
    for (std::size_t i = 0; i < b.study().found.splits.size(); ++i) {
        const SplitCell& cell = b.study().found.splits[i];
        if (!cell.best) continue;
        emit b.page().map()->picked(to_qt(say_layout(cell.best->layout)));
        QVERIFY(b.page().table()->currentIndex().siblingAtColumn(LayoutTable::tensor).data().toString()
                == QString::number(cell.tensor_parallel));
    }
}

void tst_layouts_page::the_filter_keeps_whole_degrees() {
    LayoutsBench b;
    auto* words = b.find<QLineEdit>("filter_layouts");
    QTest::keyClicks(words, "tp4 zero1");
    QVERIFY(b.rows()->rowCount() > 0 && b.rows()->rowCount() < int(b.study().rows.size()));
    for (int row = 0; row < b.rows()->rowCount(); ++row) {
        QCOMPARE(b.rows()->index(row, LayoutTable::tensor).data().toString(), QString("4"));
        QCOMPARE(b.rows()->index(row, LayoutTable::zero).data().toString(), QString("1"));
    }
    b.page().select(to_qt(say_layout(b.study().rows.back().layout)));   // hidden or not, it is shown
    QVERIFY(b.page().table()->currentIndex().isValid());
}

void tst_layouts_page::the_comparison_adds_up() {
    LayoutsBench b;
    const Layout best = b.study().found.top.front().layout;
    b.page().select(to_qt(say_layout(best)));
    QVERIFY2(b.page().comparison().contains("less time"), qPrintable(b.page().comparison()));
    QVERIFY(b.page().comparison().contains("Layer GEMMs"));
}

void tst_layouts_page::a_pinned_layout_replaces_the_plan_in_the_comparison() {
    LayoutsBench b;
    b.page().select(to_qt(say_layout(b.study().found.top[0].layout)));
    QPushButton* pin = nullptr;
    for (QPushButton* button : b.page().findChildren<QPushButton*>())
        if (button->text().contains("Pin")) pin = button;
    QVERIFY(pin);
    pin->click();
    b.page().select(to_qt(say_layout(b.study().found.top[1].layout)));
    QVERIFY2(b.page().comparison().contains("the pinned layout"), qPrintable(b.page().comparison()));
    pin->click();
    QVERIFY(b.page().comparison().contains("the current plan"));
}

void tst_layouts_page::a_plan_where_nothing_fits_shows_near_misses() {
    LayoutsBench b;
    b.propose("machine.device.memory_GiB", 4);
    QVERIFY(b.study().found.top.empty());
    QVERIFY(b.page().near_misses()->rowCount() > 0);
    QVERIFY(b.page().lists()->currentWidget() == b.page().near_misses());
    QVERIFY2(b.page().near_misses()->item(0, 1)->text().contains("too much"),
             qPrintable(b.page().near_misses()->item(0, 1)->text()));
    QVERIFY2(b.page().summary().contains("Nothing fits"), qPrintable(b.page().summary()));
    b.history().undo();
    QTRY_VERIFY(b.rows()->rowCount() > 0);
    QVERIFY(b.page().lists()->currentWidget() != b.page().near_misses());
}

void tst_layouts_page::a_layout_that_may_not_fit_is_marked_beside_its_memory() {
    LayoutsBench b;
    b.propose("machine.device.memory_GiB", 32);
    int marked = 0;
    for (int row = 0; row < b.rows()->rowCount(); ++row) {
        const QModelIndex memory = b.rows()->index(row, LayoutTable::memory);
        const QString verdict = memory.data(Qt::ToolTipRole).toString();
        const bool sign = !memory.data(Qt::DecorationRole).isNull();
        marked += sign;
        QCOMPARE(sign, !verdict.startsWith("fits"));
        QVERIFY(b.rows()->index(row, LayoutTable::remark).data().toString().contains(verdict));
    }
    QVERIFY(marked > 0 && marked < b.rows()->rowCount());
}

void tst_layouts_page::an_empty_cell_says_why() {
    LayoutsBench b;
    SplitMap* map = b.page().map();
    int explained = 0;
    for (std::size_t i = 0; i < b.study().found.splits.size(); ++i) {
        const SplitCell& cell = b.study().found.splits[i];
        if (cell.best) continue;
        ++explained;
        const std::string why = say_cell(b.study(), i);
        QVERIFY2(cell.nearest ? why.find("too much") != std::string::npos : why.size() > 40, why.c_str());
    }
    QVERIFY(explained > 0);
    map->setFocus();
    for (int i = 0; i < 20; ++i) QTest::keyClick(map, i % 2 ? Qt::Key_Right : Qt::Key_Up);
    QVERIFY2(map->explanation().contains("layouts fit"), qPrintable(map->explanation()));
    QVERIFY(map->data_cursor() >= 0);
}

void tst_layouts_page::an_edit_searches_again() {
    LayoutsBench b;
    const Scenario searched = b.study().plan;
    b.propose("recipe.sequence_length", 1024);
    QVERIFY(!(b.study().plan == searched));
    QVERIFY(!b.page().outdated());
}

void tst_layouts_page::automatic_belongs_to_the_edit() {
    LayoutsBench b;
    b.window.automatic().action()->setChecked(true);
    b.settle();
    QCOMPARE(b.history().count(), 1);   // switching on is a step of its own
    const Scenario before = b.workspace.scenario();
    const Headroom asked =
        b.workspace.headroom(*with(before, *find_knob("recipe.sequence_length"), 512));   // of the edit as it was made
    b.propose("recipe.sequence_length", 512);
    QCOMPARE(b.history().count(), 2);
    const Scenario after = b.workspace.scenario();
    QCOMPARE(after.recipe.sequence_length, 512);
    const SearchResult best =
        search_surest(after, common_space(before), {.limit = 1, .headroom = asked, .with_plan = true});
    QCOMPARE(estimate(after)->step.total() / second, best.top.front().step / second);
    QVERIFY(!(after.layout == before.layout));   // else the edit proves nothing
    b.history().undo();
    b.settle();
    QVERIFY(b.workspace.scenario() == before);
    b.history().redo();
    b.settle();
    QVERIFY(b.workspace.scenario() == after);
    QCOMPARE(b.history().count(), 2);
}

void tst_layouts_page::automatic_leaves_undo_alone() {
    LayoutsBench b;
    b.window.automatic().action()->setChecked(true);
    b.settle();
    const Scenario before = b.workspace.scenario();
    Scenario next = *with(before, *find_knob("recipe.sequence_length"), 512);
    b.workspace.propose(next, "Edit");
    b.history().undo();   // before the search can have ended
    b.settle();
    QVERIFY(b.workspace.scenario() == before);
    QCOMPARE(b.history().index(), 1);
}

void tst_layouts_page::automatic_yields_to_a_layout_chosen_by_hand() {
    LayoutsBench b;
    b.window.automatic().action()->setChecked(true);
    b.settle();
    const Layout mine = b.study().found.top[3].layout;
    b.page().select(to_qt(say_layout(mine)));
    b.page().apply();
    b.settle();
    QVERIFY(!b.window.automatic().action()->isChecked());
    QVERIFY(b.workspace.scenario().layout == mine);
}

void tst_layouts_page::automatic_draws_the_best_of_each_node_count() {
    LayoutsBench b;
    b.window.automatic().action()->setChecked(true);
    b.settle();
    for (const char* id : {"time-vs-nodes", "energy-vs-nodes", "node-hours-vs-nodes"}) {
        const Figure* figure = find_figure(b.workspace.told().last_good.get(), id);
        QVERIFY(figure);
        const auto best =
            std::find_if(figure->series.begin(), figure->series.end(), [](const Series& s) { return s.id == "best"; });
        QVERIFY2(best != figure->series.end(), id);
        QCOMPARE(best->names.size(), best->x.size());
        const Series& plan = figure->series.front();
        int compared = 0;
        const Scenario& s = b.workspace.scenario();
        const auto unsure = [&](double nodes) {   // the best surely fit and have headroom; the plan need not
            const auto there = with(s, *find_knob("nodes"), nodes);
            const Outcome o = there ? estimate(*there) : estimate(s);
            return o && (fit_verdict(*o) != FitVerdict::fits || room_of(*o, b.workspace.headroom()) == Room::tight);
        };
        for (std::size_t i = 0; i < plan.x.size(); ++i)
            for (std::size_t j = 0; j < best->x.size(); ++j)
                if (best->x[j] == plan.x[i] && plan.fits[i] && std::string(id) != "energy-vs-nodes"
                    && !unsure(plan.x[i])) {
                    QVERIFY2(best->y[j] <= plan.y[i] * (1 + 1e-12), id);
                    ++compared;
                }
        QVERIFY(compared > 1 || std::string(id) == "energy-vs-nodes");
    }
    b.window.automatic().action()->setChecked(false);
    const Figure* time = find_figure(b.workspace.told().last_good.get(), "time-vs-nodes");
    QVERIFY(std::none_of(time->series.begin(), time->series.end(), [](const Series& s) { return s.id == "best"; }));
}

void tst_layouts_page::another_number_of_nodes_needs_no_search() {
    LayoutsBench b;
    b.window.automatic().set_on(true);
    b.settle();
    const Scenario before = b.workspace.scenario();
    const double fewer = nodes_used(before) / 2;
    const Scenario asked = *with(before, *find_knob("nodes"), fewer);
    b.workspace.propose(asked, "Edit", "nodes");
    QVERIFY(!b.window.automatic().searching());
    const Scenario after = b.workspace.scenario();
    QCOMPARE(nodes_used(after), int(fewer));
    const SearchResult best = search_surest(
        asked, common_space(asked), {.limit = 1, .headroom = b.workspace.headroom(asked), .with_plan = true});
    QCOMPARE(estimate(after)->step.total() / second, best.top.front().step / second);
    b.settle();
    QVERIFY(b.workspace.scenario() == after);
    QCOMPARE(b.history().count(), 2);
    b.history().undo();
    b.settle();
    QVERIFY(b.workspace.scenario() == before);
}

// The faster of two may be the one that leaves too little memory free.
void tst_layouts_page::automatic_leaves_a_tight_layout_for_one_with_room() {
    LayoutsBench b;
    b.window.automatic().set_on(true);
    b.settle();
    Preferences careful = b.workspace.preferences();
    const Outcome now = estimate(b.workspace.scenario());
    careful.headroom = 1 - 0.95 * (now->worst().total() / now->memory_limit);
    if (careful.headroom > most_headroom) QSKIP("the best layout is too small for this");
    b.workspace.set_preferences(careful);
    b.propose("recipe.tokens", 2 * b.workspace.scenario().recipe.tokens);
    QVERIFY(b.workspace.told().last_good->room() == Room::enough);
}

void tst_layouts_page::automatic_leaves_a_layout_that_may_not_fit_for_one_that_surely_fits() {
    LayoutsBench b;
    Scenario narrow = b.workspace.scenario();
    narrow.machine.device.memory = estimate(narrow)->worst().total() / 0.9;
    b.workspace.document().start(narrow);
    b.settle();
    QCOMPARE(fit_verdict(*estimate(narrow)), FitVerdict::may_not_fit);
    const auto sure = best_that_surely_fits(
        search(narrow, common_space(narrow), {.limit = 1, .headroom = b.workspace.headroom(narrow)}));
    QVERIFY(sure.has_value());
    b.window.automatic().set_on(true);
    b.settle();
    const Candidate taken = *candidate_of(b.workspace.scenario());
    QCOMPARE(taken.verdict(), FitVerdict::fits);
    QVERIFY(taken.step <= sure->step);
}

void tst_layouts_page::a_plan_keeps_whether_its_layout_is_automatic() {
    LayoutsBench b;
    b.window.automatic().set_on(true);
    b.settle();
    const QTemporaryDir dir;
    const QString path = dir.filePath("plan.json");
    QVERIFY(b.workspace.document().save(path).empty());
    Document again(library());
    QVERIFY(again.open(path).empty());   // and nothing is unknown about it
    QVERIFY(again.automatic_layout());
    again.start(b.workspace.scenario());
    QVERIFY(!again.automatic_layout());
    b.window.automatic().set_on(false);
    QVERIFY(!b.workspace.document().automatic_layout());
    b.window.automatic().set_on(true);
    b.workspace.document().open(path);
    QVERIFY(b.window.automatic().on());
    b.workspace.document().start(first_scenario(library()));
    QVERIFY(!b.window.automatic().on());
}

PLIMSOLL_TEST(tst_layouts_page)
#include "tst_layouts_page.moc"
