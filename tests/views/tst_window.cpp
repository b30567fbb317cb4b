// The window as a user meets it: every test acts through widgets and looks at
// what is on screen.
#include "registered_test.h"

#include "views/desk.h"
#include "views/parts/tables.h"
#include "views/parts/text.h"

#include <QClipboard>
#include <QHeaderView>
#include <QScreen>
#include <QScrollBar>
#include <QTreeWidgetItemIterator>

using namespace plimsoll;

class tst_window : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void opens_with_an_answer();
    void dragging_nodes_changes_curves_tiles_and_bars();
    void a_drag_is_one_undo_step();
    void impossible_tensor_parallel_is_explained_and_charts_stay();
    void a_click_on_a_nearest_value_repairs_the_plan();
    void unreadable_text_leaves_the_plan_alone();
    void text_with_multipliers_is_understood();
    void too_little_memory_is_said_and_remedied();
    void baseline_shows_differences();
    void explain_shows_a_tree();
    void what_is_open_in_an_explanation_stays_open_over_an_edit();
    void an_explanation_can_be_read_in_a_narrow_panel_at_any_depth();
    void every_page_draws();
    void axes_toggle();
    void letters_belong_to_lists_and_fields_first();
    void copy_chart_takes_the_one_touched_last();
    void f6_goes_through_the_panes_in_view();
    void a_low_window_is_possible_data();
    void a_low_window_is_possible();
    void the_first_window_is_inside_the_screen();
    void the_look_follows_the_desktop_unless_one_is_chosen();
    void charts_take_the_font_of_the_application();
    void many_edits_in_one_turn_are_one_change();
    void charts_only_puts_panels_away_and_back_that_were_dragged_out();
    void a_view_that_asks_for_the_answer_is_not_changed_by_that();
    void a_label_keeps_its_size_while_its_text_has_room();
    void pages_stand_in_five_groups_that_are_all_in_view_data();
    void pages_stand_in_five_groups_that_are_all_in_view();
    void a_group_opens_with_its_last_page();
    void the_title_names_the_plan_and_its_file();
    void a_narrow_table_scrolls_and_keeps_words_together();
    void both_ends_of_a_range_have_one_unit();
    void every_input_has_a_name();
    void names_of_a_file_are_shown_as_they_stand_data();
    void names_of_a_file_are_shown_as_they_stand();
    void text_for_tips_and_boxes_is_never_markup_data();
    void text_for_tips_and_boxes_is_never_markup();
};

void tst_window::initTestCase() { use_test_settings(); }

void tst_window::names_of_a_file_are_shown_as_they_stand_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("a picture from a file") << "<img src=/some/fifo>";
    QTest::newRow("a picture of twenty thousand pixels") << "<img width=20000 height=20000>";
    QTest::newRow("tables in tables") << QStringLiteral("<table><tr><td>").repeated(3000);
}

// Readers refuse longer names already; the window does not rely on it.
void tst_window::names_of_a_file_are_shown_as_they_stand() {
    QFETCH(QString, name);
    Desk d;
    const int wide = d.window.minimumSizeHint().width();
    Scenario s = d.workspace.scenario();
    for (std::string* text : {&s.name, &s.model.name, &s.model.note, &s.machine.name, &s.machine.note,
                              &s.machine.device.name, &s.stack.name, &s.stack.note})
        *text = name.toStdString();
    d.workspace.propose(s, "somebody's plan");
    d.settle();
    for (const QLabel* label : d.window.findChildren<QLabel*>()) {
        const bool plain = label->textFormat() == Qt::PlainText || !label->text().contains(name);
        QVERIFY2(plain, qPrintable(label->objectName() + ": " + label->text().left(200)));
    }
    for (const QWidget* widget : d.window.findChildren<QWidget*>())
        QVERIFY2(!widget->toolTip().contains(name.left(60)) || !Qt::mightBeRichText(widget->toolTip()),
                 qPrintable(widget->toolTip().left(200)));
    QVERIFY2(d.window.minimumSizeHint().width() <= std::max(wide, 1400),
             qPrintable(QString::number(d.window.minimumSizeHint().width())));
}

void tst_window::text_for_tips_and_boxes_is_never_markup_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    QTest::newRow("plain text stays") << "R&D, a < b\nand more" << "R&D, a < b\nand more";
    QTest::newRow("markup is escaped") << "<b>x</b>\ny" << "<qt>&lt;b&gt;x&lt;/b&gt;<br>y</qt>";
    QTest::newRow("a word without end can be broken")
        << QString(61, u'W') << QString(60, u'W') + QChar(0x200B) + QStringLiteral("W");
}

void tst_window::text_for_tips_and_boxes_is_never_markup() {
    QFETCH(QString, text);
    QTEST(plain_text(text), "expected");
    QVERIFY(plain_text(QString(100000, u' ')).size() < 5000);
}

void tst_window::opens_with_an_answer() {
    Desk d;
    QVERIFY(d.workspace.told().outcome.has_value());
    QCOMPARE(d.window.visible_charts().size(), std::size_t(4));
    for (Chart* c : d.window.visible_charts()) QVERIFY2(c->paints() > 0 && c->figure(), c->figure_id().c_str());
    for (int i = 0; i < 6; ++i) QVERIFY(!d.tile(i).isEmpty());
}

void tst_window::dragging_nodes_changes_curves_tiles_and_bars() {
    Desk d;
    QVERIFY(d.nodes()->maximum() > 2);
    // Sharded optimizer state makes memory depend on the node count.
    auto* zero = d.find<ValueBox>("layout.zero_stage.editor");
    QVERIFY(zero);
    d.type("layout.zero_stage.editor", "1");
    const QString time = d.tile(0), energy = d.tile(4);
    const double here = d.chart("time-vs-nodes")->figure()->here_x;
    const double memory = d.workspace.told().outcome->worst().total() / gibibyte;
    const QImage before = d.chart("memory-per-stage")->grab().toImage();
    const int target = d.nodes()->value() > 0 ? 0 : d.nodes()->maximum();
    drag(d.nodes(), target);
    QTRY_VERIFY(d.tile(0) != time);
    QVERIFY(d.tile(4) != energy);
    QVERIFY(d.chart("time-vs-nodes")->figure()->here_x != here);
    QVERIFY(d.workspace.told().outcome->worst().total() / gibibyte != memory);
    QTRY_VERIFY(d.chart("memory-per-stage")->grab().toImage() != before);
}

void tst_window::a_drag_is_one_undo_step() {
    Desk d;
    const Scenario before = d.workspace.scenario();
    drag(d.nodes(), d.nodes()->value() > 0 ? 0 : d.nodes()->maximum());
    QTRY_VERIFY(!(d.workspace.scenario() == before));
    QCOMPARE(d.workspace.document().history().count(), 1);
    QTest::keyClick(&d.window, Qt::Key_Z, Qt::ControlModifier);
    QTRY_VERIFY(d.workspace.scenario() == before);
    QTest::keyClick(&d.window, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(!(d.workspace.scenario() == before));
}

void tst_window::impossible_tensor_parallel_is_explained_and_charts_stay() {
    Desk d;
    const Figure* drawn = d.chart("time-vs-nodes")->figure();
    d.type("layout.tensor_parallel.editor", "7");
    QVERIFY(d.workspace.told().stale());
    QVERIFY2(d.window.verdict()->sentence().contains("Tensor parallel 7"), qPrintable(d.window.verdict()->sentence()));
    QTRY_VERIFY(!d.window.verdict()->buttons().isEmpty());  // remedies are looked for once things are quiet
    auto* message = d.find<QLabel>("layout.tensor_parallel.message");
    QVERIFY(message && message->isVisible());
    QVERIFY2(message->text().contains("<a href"), qPrintable(message->text()));
    QCOMPARE(d.chart("time-vs-nodes")->figure(), drawn);  // the last picture stays
    d.workspace.document().history().undo();
    QTRY_VERIFY(!d.workspace.told().stale());
    QTRY_VERIFY(!message->isVisible());
}

void tst_window::a_click_on_a_nearest_value_repairs_the_plan() {
    Desk d;
    d.type("layout.tensor_parallel.editor", "7");
    QVERIFY(d.workspace.told().stale());
    QTRY_VERIFY(!d.window.verdict()->buttons().isEmpty());
    const int steps = d.workspace.document().history().index();
    for (int tries = 0; tries < 4 && d.workspace.told().stale(); ++tries) {
        QTRY_VERIFY(!d.window.verdict()->buttons().isEmpty());
        QTest::mouseClick(d.window.verdict()->buttons().front(), Qt::LeftButton);
        d.settle();
    }
    QVERIFY(!d.workspace.told().stale());
    QVERIFY(d.workspace.document().history().index() > steps);
}

void tst_window::unreadable_text_leaves_the_plan_alone() {
    Desk d;
    const Scenario before = d.workspace.scenario();
    d.type("recipe.tokens.editor", "lots");
    QVERIFY(d.workspace.scenario() == before);
    auto* message = d.find<QLabel>("recipe.tokens.message");
    QVERIFY(message->isVisible());
    const QString said = d.find<KnobRow>("recipe.tokens")->message();
    QVERIFY2(said.contains("lots"), qPrintable(said));
}

void tst_window::text_with_multipliers_is_understood() {
    Desk d;
    d.type("recipe.tokens.editor", "1.4T");
    QCOMPARE(d.workspace.scenario().recipe.tokens, 1.4e12);
    QCOMPARE(d.find<ValueBox>("recipe.tokens.editor")->findChild<QLineEdit*>()->text(), QString("1.4T"));
}

void tst_window::too_little_memory_is_said_and_remedied() {
    Desk d;
    QVERIFY(!d.find<ValueBox>("machine.device.memory_GiB.editor")->isVisible());  // among the folded details
    QTest::keyClicks(d.find<QLineEdit>("find_input"), "device memory");
    QTRY_VERIFY(d.find<ValueBox>("machine.device.memory_GiB.editor")->isVisible());
    d.type("machine.device.memory_GiB.editor", "16");
    QVERIFY(d.workspace.told().outcome.has_value());
    QVERIFY(!d.workspace.told().outcome->fits());
    QVERIFY2(d.tile(5).contains("not fit"), qPrintable(d.tile(5)));
    QVERIFY(d.window.verdict()->sentence().contains("Does not fit"));
    QTRY_VERIFY2(!d.window.verdict()->buttons().isEmpty(), "some change helps this plan");
    QTest::mouseClick(d.window.verdict()->buttons().front(), Qt::LeftButton);
    QTRY_VERIFY(runs(d.workspace.told().outcome));
}

void tst_window::baseline_shows_differences() {
    Desk d;
    QVERIFY(d.window.tiles()->tiles()[0]->content().delta.isEmpty());
    QTest::keyClick(&d.window, Qt::Key_B, Qt::ControlModifier);
    d.settle();
    d.type("recipe.tokens.editor", "1.4T");
    QVERIFY2(d.window.tiles()->tiles()[0]->content().delta.contains('%'),
             qPrintable(d.window.tiles()->tiles()[0]->content().delta));
}

namespace {

// The deepest of the first children.
QTreeWidgetItem* unfolded_to_the_bottom(QTreeWidget& tree) {
    QTreeWidgetItem* item = tree.topLevelItem(0);
    while (item->childCount() > 0) {
        item->setExpanded(true);
        item = item->child(item->childCount() - 1);
    }
    return item;
}

}  // namespace

void tst_window::what_is_open_in_an_explanation_stays_open_over_an_edit() {
    Desk d;
    emit d.window.tiles()->explain("run.wall_seconds");
    QTRY_VERIFY(d.window.explanation()->isVisible());
    auto* tree = d.window.explanation()->findChild<QTreeWidget*>();
    QTreeWidgetItem* deepest = unfolded_to_the_bottom(*tree);
    tree->setCurrentItem(deepest);
    const QString label = deepest->text(0);
    const Knob& tokens = *find_knob("recipe.tokens");
    const auto twice = with(d.workspace.scenario(), tokens, 2 * tokens.get(d.workspace.scenario()));
    QVERIFY(twice.has_value());
    d.workspace.propose(*twice, "Twice the tokens");
    d.workspace.told();
    QCoreApplication::processEvents();
    QCOMPARE(tree->currentItem(), deepest);
    QCOMPARE(deepest->text(0), label);
    QVERIFY(deepest->parent()->isExpanded());
}

void tst_window::an_explanation_can_be_read_in_a_narrow_panel_at_any_depth() {
    Desk d;
    emit d.window.tiles()->explain("run.wall_seconds");
    ExplainPanel& panel = *d.window.explanation();
    QTRY_VERIFY(panel.isVisible());
    auto* tree = panel.findChild<QTreeWidget*>();
    tree->expandAll();
    QCoreApplication::processEvents();
    QCOMPARE(tree->horizontalScrollBar()->maximum(), 0);
    QVERIFY(tree->header()->visualIndex(1) < tree->header()->visualIndex(0));
    const QFontMetrics metrics(tree->font());
    for (QTreeWidgetItemIterator at(tree); *at; ++at) {
        const QRect term = tree->visualItemRect(*at);
        const QRect cell = tree->visualRect(tree->indexFromItem(*at, 0));
        const QRect value = tree->visualRect(tree->indexFromItem(*at, 1));
        QVERIFY2(metrics.horizontalAdvance((*at)->text(1)) <= value.width(), qPrintable((*at)->text(1)));
        const QRect text = metrics.boundingRect(QRect(0, 0, cell.width() - 4, 1 << 16), Qt::TextWordWrap,
                                                (*at)->text(0));
        QVERIFY2(text.height() <= term.height() + 1, qPrintable((*at)->text(0)));
    }
}

void tst_window::explain_shows_a_tree() {
    Desk d;
    for (Tile* tile : d.window.tiles()->tiles()) {
        QTest::mouseClick(tile, Qt::LeftButton);
        QTRY_VERIFY(d.window.explanation()->isVisible());
        QVERIFY2(d.window.explanation()->text().count('\n') > 1, tile->explains().c_str());
    }
}

void tst_window::every_page_draws() {
    Desk d;
    for (const char* page : {"time", "step", "memory", "energy", "resilience"}) {
        d.window.show_page(page);
        QVERIFY(!d.window.visible_charts().empty());
        QTRY_VERIFY2(d.painted(), page);
    }
}

void tst_window::axes_toggle() {
    Desk d;
    Chart* chart = d.chart("time-vs-nodes");
    chart->setFocus();
    const auto before = chart->xAxis->scaleType();
    QTest::keyClick(chart, Qt::Key_X);
    QTRY_VERIFY(chart->xAxis->scaleType() != before);
    QTest::keyClick(chart, Qt::Key_X);
    QTRY_COMPARE(chart->xAxis->scaleType(), before);
}

void tst_window::letters_belong_to_lists_and_fields_first() {
    Desk d;
    Chart* chart = d.chart("time-vs-nodes");
    const auto before = chart->xAxis->scaleType();
    QTest::mouseMove(chart, chart->rect().center());
    auto* schedule = d.find<QComboBox>("layout.schedule.editor");
    schedule->setFocus();
    QTest::keyClick(schedule, Qt::Key_X);
    auto* search = d.find<QLineEdit>("find_input");
    search->setFocus();
    QTest::keyClicks(search, "xy?");
    QCOMPARE(search->text(), QString("xy?"));
    d.settle();
    QCOMPARE(chart->xAxis->scaleType(), before);
    for (const QAction* action : d.window.findChildren<QAction*>())
        for (const QKeySequence& keys : action->shortcuts())
            QVERIFY2(keys[0].keyboardModifiers() != Qt::NoModifier || keys[0].key() > 0xffff,
                     qPrintable(action->text()));  // no bare letter is a shortcut
}

void tst_window::copy_chart_takes_the_one_touched_last() {
    Desk d;
    QAction* copy = nullptr;
    for (QAction* action : d.window.findChildren<QAction*>())
        if (action->text() == "&Copy chart") copy = action;
    QVERIFY(copy);
    for (const char* id : {"memory-per-stage", "time-vs-nodes"}) {
        d.chart(id)->setFocus();
        d.nodes()->setFocus();  // as a click on the menu would
        copy->trigger();
        QVERIFY2(QApplication::clipboard()->text().contains(to_qt(d.chart(id)->figure()->title)), id);
    }
}

void tst_window::f6_goes_through_the_panes_in_view() {
    Desk d;
    d.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&d.window));
    d.nodes()->setFocus();
    QTest::keyClick(&d.window, Qt::Key_F6);
    QVERIFY(d.window.centralWidget()->isAncestorOf(QApplication::focusWidget()));
    QTest::keyClick(&d.window, Qt::Key_F6);
    QVERIFY(d.nodes()->hasFocus());  // where it was left; explanation and history are not in view
    emit d.window.tiles()->explain("mfu");
    d.settle();
    QTest::keyClick(&d.window, Qt::Key_F6, Qt::ShiftModifier);
    QVERIFY(d.window.explanation()->isAncestorOf(QApplication::focusWidget()));
}

void tst_window::a_low_window_is_possible_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("1280 x 720, scaled by 1.5") << QSize(853, 440);
    QTest::newRow("1366 x 768, scaled by 1.5") << QSize(910, 470);
    QTest::newRow("1280 x 720") << QSize(1280, 680);
}

void tst_window::a_low_window_is_possible() {
    QFETCH(QSize, size);
    Desk d;
    d.window.record_loader().wait();
    d.settle();
    d.window.resize(size);
    d.settle();
    QCOMPARE(d.window.size(), size);
    const QSize least = d.window.minimumSizeHint();
    QVERIFY2(least.width() <= size.width() && least.height() <= size.height(),
             qPrintable(QString("%1 x %2").arg(least.width()).arg(least.height())));
}

void tst_window::the_first_window_is_inside_the_screen() {
    ComparedWorkspace workspace;
    MainWindow window(workspace, MainWindow::Session::fresh);
    const QSize room = window.screen()->availableGeometry().size();
    QVERIFY(window.width() <= room.width() && window.height() <= room.height());
}

void tst_window::the_look_follows_the_desktop_unless_one_is_chosen() {
    Desk d;
    const auto chosen = [&] {
        QStringList names;
        for (const QAction* action : d.window.findChildren<QAction*>())
            if (action->actionGroup() && action->isChecked() && !action->objectName().startsWith("language."))
                names << action->text().remove('&');
        return names.join(',');
    };
    QCOMPARE(chosen(), QString("Colours of the desktop"));
    QCOMPARE(is_dark(QApplication::palette()), system_theme() == Theme::dark);
    d.window.set_theme(Theme::dark);
    QVERIFY(is_dark(QApplication::palette()));
    QCOMPARE(chosen(), QString("Dark"));
    d.window.set_theme(Theme::system);
    QCOMPARE(is_dark(QApplication::palette()), system_theme() == Theme::dark);
    for (const Theme theme : {Theme::light, Theme::dark, Theme::system})
        QCOMPARE(theme_of(name_of(theme), Theme::light), theme);
}

void tst_window::charts_take_the_font_of_the_application() {
    Desk d;
    Chart* chart = d.chart("time-vs-nodes");
    const QFont usual = QApplication::font();
    const auto restore = qScopeGuard([&] { QApplication::setFont(usual); });
    const double before = QFontMetricsF(chart->xAxis->labelFont()).height();
    QFont larger = usual;
    larger.setPointSizeF(1.5 * usual.pointSizeF());
    QApplication::setFont(larger);
    d.settle();
    const double after = QFontMetricsF(chart->xAxis->labelFont()).height();
    QVERIFY2(after > 1.3 * before, qPrintable(QString("%1 -> %2").arg(before).arg(after)));
    QCOMPARE(chart->xAxis->labelFont().family(), larger.family());
}

void tst_window::many_edits_in_one_turn_are_one_change() {
    Desk d;
    int changes = 0;
    connect(&d.workspace, &Workspace::changed, this, [&] { ++changes; });
    Scenario s = d.workspace.scenario();
    for (int i = 1; i <= 20; ++i) {
        s.recipe.tokens = 1e9 * i;
        d.workspace.propose(s, "Tokens", "recipe.tokens");
    }
    QCOMPARE(changes, 0);  // the turn has not ended
    QTRY_VERIFY(changes > 0);
    QCoreApplication::processEvents();
    QCOMPARE(changes, 1);
    QCOMPARE(d.workspace.document().history().count(), 1);
}

void tst_window::a_view_that_asks_for_the_answer_is_not_changed_by_that() {
    Desk d;
    d.settle();
    const QSignalSpy changes(&d.workspace, &Workspace::changed);
    set_tokens(d.workspace.document(), 123e9);
    QCOMPARE(d.workspace.snapshot().scenario.recipe.tokens, 123e9);
    QVERIFY(runs(d.workspace.snapshot().outcome));
    QCOMPARE(changes.count(), 0);
    QTRY_COMPARE(changes.count(), 1);
}

void tst_window::charts_only_puts_panels_away_and_back_that_were_dragged_out() {
    Desk d;
    const auto shown = [&] {
        QStringList names;
        for (QDockWidget* panel : d.window.findChildren<QDockWidget*>())
            if (panel->isVisible()) names << panel->objectName();
        names.sort();   // children change places when they are dragged
        return names;
    };
    auto* panel = d.find<QDockWidget>("explain");
    panel->show();
    const QStringList before = shown();
    const auto drag = [](QWidget* what, QPoint from) {
        QTest::mousePress(what, Qt::LeftButton, {}, from);
        for (int i = 1; i <= 5; ++i) QTest::mouseMove(what, from + i * QPoint(-30, 30));
        QTest::mouseRelease(what, Qt::LeftButton, {}, from + QPoint(-150, 150));
    };
    drag(panel, QPoint(40, 8));
    drag(panel, QPoint(40, 8));
    QAction* charts_only = menu_action(d.window, "Charts only");
    for (int i = 0; i < 3; ++i) {
        charts_only->trigger();
        QCOMPARE(shown(), QStringList());
        charts_only->trigger();
        QCOMPARE(shown(), before);
    }
}

void tst_window::a_label_keeps_its_size_while_its_text_has_room() {
    QWidget window;
    auto* column = new QVBoxLayout(&window);
    auto* label = new PlainLabel(QStringLiteral("one line of text"));
    label->setWordWrap(true);
    column->addWidget(label);
    column->addStretch();
    window.resize(300, 300);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    const int before = label->height();
    const auto whole = [&] { return label->height() >= label->heightForWidth(label->width()); };
    label->set_text_in_place(QStringLiteral("two line of text"));
    QCOMPARE(label->minimumHeight(), before);
    QCOMPARE(label->maximumHeight(), before);
    label->set_text_in_place(QStringLiteral("words ").repeated(60));   // no room: the layout is asked
    QTRY_VERIFY(whole() && label->height() > 2 * before);
    const int grown = label->height();
    label->set_text_in_place(QStringLiteral("words ").repeated(20));
    QCOMPARE(label->height(), grown);   // it grows alone
    label->release();
    QTRY_VERIFY(label->height() < grown);
    QVERIFY(whole());
}

void tst_window::pages_stand_in_five_groups_that_are_all_in_view_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("1024 x 700") << QSize(1024, 700);
    QTest::newRow("1600 x 1000 at 200 %") << QSize(800, 480);
}

void tst_window::pages_stand_in_five_groups_that_are_all_in_view() {
    QFETCH(QSize, size);
    Desk d;
    d.window.resize(size);
    d.settle();
    const auto in_view = [](const QTabBar& tabs) {
        for (int i = 0; i < tabs.count(); ++i)
            if (!tabs.rect().contains(tabs.tabRect(i)) || tabs.visibleRegion().boundingRect() != tabs.rect())
                return false;
        return true;
    };
    const PageTabs& tabs = *d.window.page_tabs();
    QCOMPARE(tabs.groups()->count(), 5);
    const int below = tabs.row()->mapTo(&d.window, QPoint(0, tabs.row()->height())).y();
    for (const QString& page : d.window.page_names()) {
        QVERIFY(d.window.show_page(page));
        d.settle();
        QCOMPARE(tabs.current(), page);
        QVERIFY2(in_view(*tabs.groups()) && in_view(*tabs.row()), qPrintable(page));
        const int here = tabs.row()->mapTo(&d.window, QPoint(0, tabs.row()->height())).y();
        QVERIFY2(here == below || size.width() < 1024,  // from here on up nothing moves
                 qPrintable(QStringLiteral("%1: %2, not %3").arg(page).arg(here).arg(below)));
    }
    QVERIFY(!d.window.show_page("no such page"));
}

void tst_window::a_group_opens_with_its_last_page() {
    Desk d;
    const PageTabs& tabs = *d.window.page_tabs();
    d.window.show_page("memory");
    d.window.show_page("goal");
    tabs.groups()->setCurrentIndex(0);
    QCOMPARE(tabs.current(), QString("memory"));
    tabs.groups()->setCurrentIndex(2);
    QCOMPARE(tabs.current(), QString("goal"));
    d.window.show_page("timeline");
    tabs.groups()->setCurrentIndex(4);
    QCOMPARE(tabs.current(), QString("validation"));
    tabs.groups()->setCurrentIndex(0);
    QCOMPARE(tabs.current(), QString("timeline"));   // beside the step's charts
}

void tst_window::the_title_names_the_plan_and_its_file() {
    Desk d;
    const QString name = to_qt(d.workspace.scenario().name);
    QCOMPARE(d.window.windowTitle(), name + "[*] - Plimsoll");
    QTemporaryDir dir;
    QVERIFY(d.workspace.document().save(dir.filePath("mine.json")).empty());
    QCOMPARE(d.window.windowTitle(), name + "[*] - mine.json - Plimsoll");
    Scenario renamed = d.workspace.scenario();
    renamed.name = "Ours";
    d.workspace.propose(renamed, "Name");
    d.settle();
    QCOMPARE(d.window.windowTitle(), QString("Ours[*] - mine.json - Plimsoll"));
}

void tst_window::a_narrow_table_scrolls_and_keeps_words_together() {
    TextTable table("Table", {"Name", "Meaning"});
    table.wrap({1});
    table.show_rows({{QString(40, u'n'), QStringLiteral("several words that say what it means ").repeated(3)}});
    table.resize(330, 200);
    table.show();
    QVERIFY(QTest::qWaitForWindowExposed(&table));
    const int least = 20 * table.fontMetrics().averageCharWidth();
    QTRY_VERIFY2(table.columnWidth(1) >= least, qPrintable(QString::number(table.columnWidth(1))));
    table.resize(900, 200);
    QTRY_VERIFY(table.columnWidth(0) + table.columnWidth(1) == table.viewport()->width());
}

// "40 \u2013 56 h", not "40 h \u2013 2.33 d".
void tst_window::both_ends_of_a_range_have_one_unit() {
    Desk d;
    QTRY_VERIFY_WITH_TIMEOUT(d.workspace.record() != nullptr, Desk::patience);
    static const QRegularExpression one_unit(QStringLiteral("^[0-9.,]+ \u2013 [0-9.,]+( [^0-9 ]+)?$"));
    int seen = 0;
    for (double tokens = 1e8; tokens < 1e14; tokens *= 1.6) {
        Scenario s = d.workspace.scenario();
        s.recipe.tokens = tokens;
        d.workspace.propose(s, "Tokens", "recipe.tokens");
        d.settle();
        for (const Tile* tile : d.window.tiles()->tiles()) {
            const QString range = tile->content().range;
            if (range.isEmpty()) continue;
            ++seen;
            QVERIFY2(one_unit.match(range).hasMatch(), qPrintable(range));
        }
    }
    QVERIFY2(seen > 50, qPrintable(QString::number(seen)));
}

void tst_window::every_input_has_a_name() {
    Desk d;
    for (QWidget* w : d.window.findChildren<QWidget*>()) {
        const bool input = qobject_cast<QAbstractSpinBox*>(w) || qobject_cast<QComboBox*>(w)
                        || qobject_cast<QSlider*>(w) || qobject_cast<QAbstractButton*>(w) || qobject_cast<Chart*>(w);
        if (!input || w->focusPolicy() == Qt::NoFocus || w->objectName().startsWith("qt_")) continue;
        const auto* button = qobject_cast<QAbstractButton*>(w);
        QVERIFY2(!w->accessibleName().isEmpty() || (button && !button->text().isEmpty()), qPrintable(w->objectName()));
    }
}

PLIMSOLL_TEST(tst_window)
#include "tst_window.moc"
