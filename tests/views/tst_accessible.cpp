// The window without eyes and without a mouse: every picture is a table, every control has a name, Tab goes through the
// window as one reads it, where the keyboard is can be seen, and everything stands out from its ground.
#include "registered_test.h"

#include "desk.h"
#include "views/charts/figure_table.h"
#include "views/explore/timeline_page.h"
#include "views/parts/data_table.h"
#include "views/parts/text.h"
#include "views/parts/widgets.h"
#include "views/window/help_mode.h"

#include <QAbstractItemView>
#include <QAccessible>
#include <QDialog>
#include <QDockWidget>
#include <QMenu>
#include <QTabBar>
#include <QTableWidget>

#include <map>
#include <set>

using namespace plimsoll;

namespace {

QAccessibleInterface* interface_of(QObject* object) { return QAccessible::queryAccessibleInterface(object); }

QAccessibleTableInterface* table_in(QObject* object) {
    QAccessibleInterface* found = interface_of(object);
    return found ? found->tableInterface() : nullptr;
}

QString name_of_cell(QAccessibleTableInterface* table, int row, int column) {
    QAccessibleInterface* cell = table->cellAt(row, column);
    return cell ? cell->text(QAccessible::Name) : QString();
}

// WCAG's ratio, of 1 to 21.
double luminance_of(const QColor& c) {
    const auto linear = [](double v) { return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}
double contrast(const QColor& a, const QColor& b) {
    const double one = luminance_of(a), other = luminance_of(b);
    return (std::max(one, other) + 0.05) / (std::min(one, other) + 0.05);
}

// Says what falls short, with both colours.
QString too_faint(const QString& what, const QColor& ink, const QColor& ground, double least) {
    const double is = contrast(ink, ground);
    return is >= least ? QString()
                       : QString("%1: %2 on %3 is %4:1").arg(what, ink.name(), ground.name()).arg(is, 0, 'f', 2);
}

// The colour that is painted below a widget.
QColor ground_of(const QWidget* w) {
    for (; w; w = w->parentWidget()) {
        if (qobject_cast<const QAbstractScrollArea*>(w->parentWidget())
            && static_cast<const QAbstractScrollArea*>(w->parentWidget())->viewport() == w && w->autoFillBackground())
            return w->palette().color(w->backgroundRole());
        if (w->isWindow() || w->autoFillBackground()) return w->palette().color(w->backgroundRole());
    }
    return {};
}

// Qt Test cuts long messages: each line is printed by itself.
bool nothing_in(const QStringList& wrong) {
    for (const QString& line : wrong) qWarning("%s", qPrintable(line));
    return wrong.isEmpty();
}

QString told(const QWidget* w) {
    return QString("%1 \"%2\" (%3)").arg(w->metaObject()->className(), w->accessibleName(), w->objectName());
}

// As one reads: the second stands below the first or to the right of it, where both are compared as parts of what
// holds them.
bool is_read_after(const QWidget* first, const QWidget* second) {
    std::vector<const QWidget*> line;
    for (const QWidget* w = first; w; w = w->parentWidget()) line.push_back(w);
    const QWidget *b = second, *a = nullptr;
    for (; b; b = b->parentWidget()) {
        const auto at = std::find(line.begin(), line.end(), b->parentWidget());
        if (at == line.end()) continue;
        if (at == line.begin()) return true;  // inside the first
        a = *(at - 1);
        break;
    }
    if (!a || !b || a == b) return true;
    const QRect one(a->mapToGlobal(QPoint()), a->size()), other(b->mapToGlobal(QPoint()), b->size());
    constexpr int slack = 4;  // pixels: neighbours of a line may differ in height
    const bool below = other.top() >= one.bottom() - slack;
    const bool beside = other.left() >= one.right() - slack && other.bottom() > one.top() + slack;
    return below || beside;
}

}  // namespace

class tst_accessible : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        use_test_settings();
    }
    void a_chart_is_a_table_of_its_figure();
    void every_point_of_a_curve_is_in_the_table();
    void a_map_is_a_table_of_its_splits();
    void a_timeline_is_a_table_of_its_tasks();
    void points_are_a_table_in_the_order_of_the_cursor();
    void a_chart_is_summed_up_in_a_sentence_data();
    void a_chart_is_summed_up_in_a_sentence();
    void a_chart_of_another_plan_says_so();
    void the_cursor_of_a_chart_is_read_out();
    void arrow_keys_go_through_a_timeline();
    void the_menu_key_opens_the_menu_of_a_picture_data();
    void the_menu_key_opens_the_menu_of_a_picture();
    void a_picture_can_be_shown_as_a_table();
    void every_control_has_a_plain_name_data() { pages(); }
    void every_control_has_a_plain_name();
    void tab_follows_the_order_of_reading_data() { pages(); }
    void tab_follows_the_order_of_reading();
    void found_inputs_are_reached_in_their_order();
    void what_would_work_is_reached_after_the_input();
    void the_keyboard_can_be_seen_data();
    void the_keyboard_can_be_seen();
    void text_stands_out_data();
    void text_stands_out();
    void edges_and_series_stand_out_data();
    void edges_and_series_stand_out();
    void ink_is_read_on_every_fill();
    void a_state_is_more_than_a_colour();
    void what_the_pointer_tells_the_keyboard_tells_too();

private:
    static void pages() {
        QTest::addColumn<QString>("page");
        for (const char* page : {"overview", "time", "step", "memory", "layouts", "energy", "resilience", "paper",
                                 "timeline", "validation", "calibrate", "probes", "start", "explain"})
            QTest::newRow(page) << page;
    }
    static void open_page(Desk& d, const QString& page) {
        if (page == "start") d.window.show_start();
        else if (page == "explain") d.window.tiles()->tiles()[0]->click();
        else QVERIFY(d.window.show_page(page));
        QCoreApplication::processEvents();
        if (page == "layouts") QTRY_VERIFY_WITH_TIMEOUT(d.window.layouts()->scatter()->data_rows() > 0, Desk::patience);
        d.settle();
    }
};

void tst_accessible::a_chart_is_a_table_of_its_figure() {
    Desk d;
    for (const char* id : {"time-vs-nodes", "memory-per-stage", "step-breakdown", "energy-vs-nodes"}) {
        Chart* chart = d.chart(id);
        QVERIFY2(chart && chart->figure(), id);
        QAccessibleTableInterface* table = table_in(chart);
        QVERIFY2(table, id);
        QCOMPARE(interface_of(chart)->role(), QAccessible::Table);
        QCOMPARE(interface_of(chart)->text(QAccessible::Name), to_qt(chart->figure()->title));
        QCOMPARE(table->rowCount(), int(stops(*chart->figure()).size()));
        QVERIFY2(table->columnCount() > int(chart->figure()->series.size()), id);
        for (int column = 0; column < table->columnCount(); ++column) {
            QVERIFY(!table->columnDescription(column).isEmpty());
            const auto heads = table->cellAt(0, column)->tableCellInterface()->columnHeaderCells();
            QCOMPARE(heads.size(), 1);
            QCOMPARE(heads[0]->text(QAccessible::Name), table->columnDescription(column));
        }
        QAccessibleInterface* cell = table->cellAt(1, 1);
        QCOMPARE(cell->tableCellInterface()->rowIndex(), 1);
        QCOMPARE(cell->parent(), interface_of(chart));
        QCOMPARE(interface_of(chart)->child(interface_of(chart)->indexOfChild(cell)), cell);
        QVERIFY(!table->cellAt(table->rowCount(), 0));
    }
}

void tst_accessible::every_point_of_a_curve_is_in_the_table() {
    Figure f;
    f.x = {"Nodes", "", true};
    f.y = {"Time to train", "days", true};
    f.series = {{"plan", "This plan", Mark::line, {12, 24, 48}, {40, 21.5, 12}, {true, true, false}},
                {"best", "Best layout", Mark::line, {24, 96}, {19, 6}, {}, {}, {"TP4", "TP8"}},
                {"range", "Likely", Mark::band, {12, 24, 48}, {38, 20, 11}, {}, {42, 23, 13}}};
    const FigureTable table = table_of(f);
    QCOMPARE(table.headings, QStringList({"Nodes", "This plan (days)", "Best layout (days)", "Likely (days)"}));
    QCOMPARE(table.rows.size(), std::size_t(4));
    QCOMPARE(table.rows[1], QStringList({"24", "21.5", "19 (TP4)", "20 to 23"}));
    QCOMPARE(table.rows[2], QStringList({"48", "12, exceeds memory", "", "11 to 13"}));
    QCOMPARE(table.rows[3], QStringList({"96", "", "6 (TP8)", ""}));
}

void tst_accessible::a_map_is_a_table_of_its_splits() {
    Desk d;
    open_page(d, "layouts");
    auto* map = d.window.findChild<SplitMap*>();
    auto* tabs = qobject_cast<QTabWidget*>(map->parentWidget()->parentWidget()->parentWidget());
    QVERIFY(tabs);
    tabs->setCurrentWidget(map->parentWidget());
    QAccessibleTableInterface* table = table_in(map);
    QVERIFY(table);
    QCOMPARE(table->columnCount(), 4);
    QVERIFY(table->rowCount() > 5);
    std::set<std::pair<QString, QString>> splits;
    for (int row = 0; row < table->rowCount(); ++row) {
        splits.insert({name_of_cell(table, row, 0), name_of_cell(table, row, 1)});
        QVERIFY(!name_of_cell(table, row, 2).isEmpty() && !name_of_cell(table, row, 3).isEmpty());
    }
    QCOMPARE(int(splits.size()), table->rowCount());
    QVERIFY(map->accessibleDescription().startsWith(QString("%1 splits were tried").arg(table->rowCount())));
}

void tst_accessible::a_timeline_is_a_table_of_its_tasks() {
    Desk d;
    open_page(d, "timeline");
    auto* gantt = d.find<Gantt>("gantt");
    QAccessibleTableInterface* table = table_in(gantt);
    QVERIFY(table);
    QCOMPARE(table->rowCount(), int(gantt->timeline().tasks.size()));
    QVERIFY(table->rowCount() > 10);
    QCOMPARE(table->columnDescription(3), QString("Work"));
    QCOMPARE(name_of_cell(table, 0, 0), QString("1"));
    QCOMPARE(name_of_cell(table, 0, 3), QString("Forward"));
    QVERIFY(!gantt->accessibleDescription().isEmpty());
}

void tst_accessible::points_are_a_table_in_the_order_of_the_cursor() {
    Figure f;
    f.id = "points";
    f.title = "Points";
    f.x = {"Memory", "GiB"};
    f.y = {"Step", "s"};
    f.series = {{"a", "Measured", Mark::point, {30, 10}, {3, 1}, {}, {3.2, 1.1}, {"late", "early"}, {}, {2.8, 0.9}},
                {"b", "Predicted", Mark::point, {20}, {2}, {}, {}, {"middle"}}};
    ScatterChart chart;
    chart.resize(500, 300);
    chart.present(f);
    chart.show();
    QAccessibleTableInterface* table = table_in(&chart);
    QVERIFY(table);
    QCOMPARE(chart.data_headings(), QStringList({"Point", "Memory (GiB)", "Step (s)", "95 % interval", "Kind"}));
    for (int row = 0; const char* name : {"early", "middle", "late"}) {
        QTest::keyClick(&chart, Qt::Key_Right);
        QCOMPARE(chart.data_cursor(), row);
        QCOMPARE(name_of_cell(table, row++, 0), QString(name));
    }
    QCOMPARE(name_of_cell(table, 0, 3), QString("0.9 to 1.1"));
    QTest::keyClick(&chart, Qt::Key_Home);
    QCOMPARE(chart.data_cursor(), 0);
    QCOMPARE(chart.accessibleDescription(), QString("Step over Memory, 3 points: Step from 1 to 3 s."));
}

void tst_accessible::a_chart_is_summed_up_in_a_sentence_data() {
    QTest::addColumn<Figure>("figure");
    QTest::addColumn<QString>("sentence");
    Figure lines;
    lines.x = {"Nodes", ""};
    lines.y = {"Time to train", "days"};
    lines.here_x = 24;
    lines.series = {{"plan", "This plan", Mark::line, {12, 24, 48}, {40, 21.5, 12}, {}}};
    QTest::newRow("a curve has two ends, and the plan is on it")
        << lines
        << "Time to train over Nodes, 3 points from 12 to 48: This plan from 40 to 12 days; the plan is at 24.";
    Figure columns;
    columns.x = {"Pipeline stage", ""};
    columns.y = {"Memory", "GiB"};
    columns.categories = {"1", "2"};
    columns.series = {{"w", "Weights", Mark::stacked_bar, {0, 1}, {30, 20}, {}},
                      {"a", "Activations", Mark::stacked_bar, {0, 1}, {8, 9}, {}},
                      {"c", "Capacity", Mark::limit, {}, {40}, {}}};
    QTest::newRow("stacks have a highest, a lowest and a limit")
        << columns
        << "Memory for each Pipeline stage, 2 of them: at most 38 GiB (1), at least 29 GiB (2); Capacity 40 GiB.";
    Figure rows;
    rows.x = {"Part of the step", ""};
    rows.y = {"Time", "s"};
    rows.categories = {"Matrix products", "Attention"};
    rows.series = {{"step", "One step", Mark::stacked_bar, {0, 1}, {1, 3}, {}}};
    QTest::newRow("parts have a sum, and the largest come first")
        << rows
        << "Time: 2 parts, together 4 s; the largest are Attention with 3 s (75 %), Matrix products with 1 s (25 %).";
    QTest::newRow("nothing is said of nothing") << Figure{} << "";
}

void tst_accessible::a_chart_is_summed_up_in_a_sentence() {
    QFETCH(Figure, figure);
    QTEST(sentence_on(figure), "sentence");
}

void tst_accessible::a_chart_of_another_plan_says_so() {
    Desk d;
    Chart* chart = d.chart("time-vs-nodes");
    const QString before = chart->accessibleDescription();
    d.type("layout.tensor_parallel.editor", "3");  // which divides no heads
    QVERIFY(d.workspace.told().stale());
    QVERIFY2(chart->accessibleDescription().startsWith("Of the "), qPrintable(chart->accessibleDescription()));
    QVERIFY(!before.startsWith("Of the "));
}

void tst_accessible::the_cursor_of_a_chart_is_read_out() {
    Desk d;
    d.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&d.window));
    for (const char* id : {"time-vs-nodes", "step-breakdown"}) {
        Chart* chart = d.chart(id);
        chart->setFocus();
        const QString summary = chart->accessibleDescription();
        QTest::keyClick(chart, Qt::Key_Right);
        QTest::keyClick(chart, Qt::Key_Right);
        QAccessibleInterface* cell = interface_of(chart)->focusChild();
        QVERIFY2(cell, id);
        QCOMPARE(cell->tableCellInterface()->rowIndex(), chart->data_cursor());
        QVERIFY(cell->state().focused && cell->state().selected);
        QCOMPARE(cell->text(QAccessible::Description), data_row(*chart, chart->data_cursor()));
        QCOMPARE(chart->accessibleDescription(), summary);  // which stays what it is
        QTest::keyClick(chart, Qt::Key_Escape);
        QVERIFY(!interface_of(chart)->focusChild());
    }
}

void tst_accessible::arrow_keys_go_through_a_timeline() {
    Desk d;
    open_page(d, "timeline");
    auto* gantt = d.find<Gantt>("gantt");
    gantt->setFocus();
    QTest::keyClick(gantt, Qt::Key_Right);
    QVERIFY2(gantt->text_of_cursor().startsWith("Stage 1: forward of micro-batch 1"),
             qPrintable(gantt->text_of_cursor()));
    QTest::keyClick(gantt, Qt::Key_Right);
    QCOMPARE(gantt->data_cursor(), 1);
    QTest::keyClick(gantt, Qt::Key_Down);
    QVERIFY(gantt->text_of_cursor().startsWith("Stage 2:"));
    QTest::keyClick(gantt, Qt::Key_Up);
    QTest::keyClick(gantt, Qt::Key_End);
    QCOMPARE(gantt->data_cursor(), int(gantt->timeline().first[1]) - 1);
    for (int i = 0; i < 12; ++i) QTest::keyClick(gantt, Qt::Key_W);  // so near that the first task is out of view
    QTest::keyClick(gantt, Qt::Key_Home);
    QCOMPARE(gantt->data_cursor(), 0);
    QVERIFY(gantt->view().from <= gantt->timeline().tasks[0].start);
    QTest::keyClick(gantt, Qt::Key_Escape);
    QVERIFY(gantt->text_of_cursor().isEmpty());
}

void tst_accessible::the_menu_key_opens_the_menu_of_a_picture_data() {
    QTest::addColumn<QString>("page");
    QTest::addColumn<QString>("picture");
    QTest::newRow("chart") << "overview" << "time-vs-nodes";
    QTest::newRow("points") << "layouts" << "";
    QTest::newRow("map") << "layouts" << "split_map";
    QTest::newRow("timeline") << "timeline" << "gantt";
}

void tst_accessible::the_menu_key_opens_the_menu_of_a_picture() {
    QFETCH(QString, page);
    QFETCH(QString, picture);
    Desk d;
    open_page(d, page);
    QWidget* w = picture.isEmpty() ? d.window.layouts()->scatter() : d.window.findChild<QWidget*>(picture);
    QVERIFY(w);
    QStringList actions;
    QTimer::singleShot(0, this, [&] {
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        if (!menu) return;
        for (const QAction* action : menu->actions()) actions << action->text().remove('&');
        menu->close();
    });
    // What the platform sends for the Menu key and for Shift+F10.
    QContextMenuEvent event(QContextMenuEvent::Keyboard, w->rect().center(), w->mapToGlobal(w->rect().center()));
    QApplication::sendEvent(w, &event);
    QVERIFY2(actions.contains("Show as table"), qPrintable(actions.join(", ")));
}

void tst_accessible::a_picture_can_be_shown_as_a_table() {
    Desk d;
    Chart* chart = d.chart("memory-per-stage");
    QDialog* dialog = show_as_table(*chart);
    QVERIFY(dialog);
    auto* table = dialog->findChild<QTableWidget*>();
    QCOMPARE(dialog->windowTitle(), chart->accessibleName());
    QCOMPARE(table->rowCount(), chart->data_rows());
    QCOMPARE(table->columnCount(), int(chart->data_headings().size()));
    QCOMPARE(table->item(0, 1)->text(), chart->data_cell(0, 1));
    dialog->close();
}

// A name is made of words for people: no id, no mnemonic, no markup.
void tst_accessible::every_control_has_a_plain_name() {
    QFETCH(QString, page);
    Desk d;
    open_page(d, page);
    static const QRegularExpression id(QStringLiteral("^[a-z0-9]+([._-][a-z0-9]+)+$|[_<>{}]|&(?! )"));
    QStringList bad;
    for (QWidget* w : d.window.findChildren<QWidget*>()) {
        if (!w->isVisible() || w->focusPolicy() == Qt::NoFocus || w->focusProxy()) continue;
        if (w->objectName().startsWith("qt_") && !qobject_cast<QTabBar*>(w)) continue;
        if (qobject_cast<QTabBar*>(w)) continue;  // its tabs have the names
        if (qobject_cast<QAbstractSpinBox*>(w->parentWidget())) continue;
        QAccessibleInterface* found = interface_of(w);
        const QString name = found ? found->text(QAccessible::Name) : QString();
        if (name.trimmed().isEmpty() || name.contains(id)) bad << told(w) + " is named \"" + name + '"';
        // The name of a list of choices is what is chosen: what it is for is said by a label or the description.
        if (qobject_cast<QComboBox*>(w) && found->relations(QAccessible::Label).isEmpty()
            && found->text(QAccessible::Description).isEmpty())
            bad << told(w) + " does not say what it is for";
    }
    QVERIFY(nothing_in(bad));
}

void tst_accessible::tab_follows_the_order_of_reading() {
    QFETCH(QString, page);
    Desk d;
    open_page(d, page);
    d.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&d.window));
    const auto focus = [] { return QApplication::focusWidget(); };
    if (!focus() || !focus()->isVisible()) QTest::keyClick(&d.window, Qt::Key_Tab);
    std::vector<QWidget*> order{focus()};
    QVERIFY(order[0]);
    for (int i = 0; i < 400; ++i) {
        QTest::keyClick(focus(), Qt::Key_Tab);
        QVERIFY2(focus(), qPrintable("nothing has the keyboard after " + told(order.back())));
        QVERIFY2(focus() != order.back() || order.size() == 1, qPrintable("Tab stays in " + told(order.back())));
        if (std::find(order.begin(), order.end(), focus()) != order.end()) break;
        order.push_back(focus());
    }
    QVERIFY(order.size() > 5 && order.size() < 400);
    QCOMPARE(focus(), order[0]);  // it goes round
    // Once round there is one way back, from the end to the beginning.
    QStringList back;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const QWidget *from = order[i], *to = order[(i + 1) % order.size()];
        if (!is_read_after(from, to)) back << told(from) + "  ->  " + told(to);
    }
    QVERIFY(back.size() <= 1 || nothing_in(back));
}

void tst_accessible::found_inputs_are_reached_in_their_order() {
    Desk d;
    d.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&d.window));
    auto* search = d.find<QLineEdit>("find_input");
    search->setFocus();
    QTest::keyClicks(search, "bandwidth");  // groups change places
    d.settle();
    QTest::keyClick(search, Qt::Key_Tab);
    const QWidget* before = QApplication::focusWidget();
    for (int i = 0; i < 12; ++i) {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        const QWidget* now = QApplication::focusWidget();
        if (!d.window.inputs()->isAncestorOf(now)) break;
        QVERIFY2(is_read_after(before, now), qPrintable(told(before) + "  ->  " + told(now)));
        before = now;
    }
}

void tst_accessible::what_would_work_is_reached_after_the_input() {
    Desk d;
    d.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&d.window));
    d.type("layout.tensor_parallel.editor", "7");
    d.settle();
    auto* message = d.find<QLabel>("layout.tensor_parallel.message");
    QVERIFY(message->isVisible());
    QWidget* editor = d.find<QWidget>("layout.tensor_parallel.editor");
    editor->setFocus(Qt::TabFocusReason);
    QTest::keyClick(editor, Qt::Key_Tab);
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(message));
}

void tst_accessible::the_keyboard_can_be_seen_data() {
    QTest::addColumn<bool>("dark");
    QTest::addColumn<QString>("page");
    for (const char* page : {"overview", "layouts", "timeline", "validation", "calibrate", "start"}) {
        QTest::addRow("%s, light", page) << false << page;
        QTest::addRow("%s, dark", page) << true << page;
    }
}

// Where the keyboard is, enough pixels change so much that they stand out from what was there: 3:1.
void tst_accessible::the_keyboard_can_be_seen() {
    QFETCH(bool, dark);
    QFETCH(QString, page);
    Desk d;
    d.window.set_theme(dark ? Theme::dark : Theme::light);
    if (page != "overview") d.find<QDockWidget>("inputs")->hide();  // they are the same on every page
    open_page(d, page);
    d.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&d.window));
    QStringList unseen;
    std::set<QWidget*> seen;
    QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget() : &d.window, Qt::Key_Tab);
    for (int i = 0; i < 400; ++i) {
        QWidget* w = QApplication::focusWidget();
        if (!w || !seen.insert(w).second) break;
        // Text fields have a caret besides, and views without rows nothing to mark.
        const QRect box(w->mapTo(&d.window, QPoint()), w->size());
        const QRect around = box.adjusted(-3, -3, 3, 3).intersected(d.window.rect());
        const QImage with = d.window.grab(around).toImage();
        w->clearFocus();
        const QImage without = d.window.grab(around).toImage();
        w->setFocus(Qt::TabFocusReason);
        int changed = 0;
        for (int y = 0; y < with.height(); ++y)
            for (int x = 0; x < with.width(); ++x)
                changed += contrast(with.pixelColor(x, y), without.pixelColor(x, y)) >= 3;
        if (changed < 12) unseen << told(w) + QString(": %1 pixels").arg(changed);
        QTest::keyClick(w, Qt::Key_Tab);
    }
    QVERIFY(nothing_in(unseen));
    QVERIFY(seen.size() > 5);
}

void tst_accessible::text_stands_out_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

// Text as it is painted: from the palette that each widget has, on the ground below it.
void tst_accessible::text_stands_out() {
    QFETCH(bool, dark);
    constexpr double least = 4.5;
    Desk d;
    d.window.set_theme(dark ? Theme::dark : Theme::light);
    QStringList faint;
    const auto judge = [&](const QString& what, const QColor& ink, const QColor& ground) {
        const QString short_of = too_faint(what, ink, ground, least);
        if (!short_of.isEmpty() && !faint.contains(short_of)) faint << short_of;
    };
    for (const QString& page : d.window.page_names() + QStringList{"start"}) {
        open_page(d, page);
        for (QWidget* w : d.window.findChildren<QWidget*>()) {
            if (!w->isVisible() || !w->isEnabled()) continue;  // what is disabled need not be read
            const QPalette p = w->palette();
            if (qobject_cast<QLabel*>(w)) judge(told(w), p.color(w->foregroundRole()), ground_of(w));
            if (qobject_cast<QAbstractButton*>(w))
                judge(told(w), p.color(QPalette::ButtonText), p.color(QPalette::Button));
            if (qobject_cast<QLineEdit*>(w)) {
                judge(told(w), p.color(QPalette::Text), p.color(QPalette::Base));
                judge(told(w) + " hint", p.color(QPalette::PlaceholderText), p.color(QPalette::Base));
            }
            auto* view = qobject_cast<QAbstractItemView*>(w);
            if (!view || !view->model()) continue;
            judge(told(w) + " selected", p.color(QPalette::HighlightedText), p.color(QPalette::Highlight));
            for (int row = 0; row < std::min(300, view->model()->rowCount()); ++row)
                for (int column = 0; column < view->model()->columnCount(); ++column) {
                    const QModelIndex at = view->model()->index(row, column);
                    if (!(at.flags() & Qt::ItemIsEnabled)) continue;
                    const QVariant own = at.data(Qt::ForegroundRole), below = at.data(Qt::BackgroundRole);
                    const QColor ink = own.isValid() ? own.value<QBrush>().color() : p.color(QPalette::Text);
                    if (below.isValid()) judge(told(w), ink, below.value<QBrush>().color());
                    for (const auto role : {QPalette::Base, QPalette::AlternateBase})
                        if (!below.isValid()) judge(told(w), ink, p.color(role));
                }
        }
    }
    const QPalette p = QApplication::palette();
    for (const auto ground : {QPalette::Window, QPalette::Base, QPalette::AlternateBase, QPalette::Button,
                              QPalette::ToolTipBase}) {
        const QColor below = p.color(ground);
        for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::PlaceholderText,
                                QPalette::ToolTipText, QPalette::Link, QPalette::LinkVisited})
            judge(QString("role %1").arg(role), p.color(role), below);
        for (const QColor& meaning : {alert_colour(p), warn_colour(p), good_colour(p), faint_colour(p)})
            judge("a colour with a meaning", meaning, below);
    }
    const ChartTheme& chart = dark ? dark_chart() : light_chart();
    for (const QColor& ink : {chart.text, chart.faint, chart.limit, chart.here}) judge("chart", ink, chart.background);
    QVERIFY(nothing_in(faint));
}

void tst_accessible::edges_and_series_stand_out_data() { text_stands_out_data(); }

void tst_accessible::edges_and_series_stand_out() {
    QFETCH(bool, dark);
    constexpr double least = 3;
    apply_theme(dark ? Theme::dark : Theme::light);
    const QPalette p = QApplication::palette();
    QStringList faint;
    for (const auto role : {QPalette::Window, QPalette::Base, QPalette::AlternateBase, QPalette::Button}) {
        faint << too_faint("edges", outline_colour(p), p.color(role), least);
        faint << too_faint("focus", p.color(QPalette::Highlight), p.color(role), least);
    }
    const ChartTheme& chart = dark ? dark_chart() : light_chart();
    for (const QColor& line : {chart.axis, chart.ideal, chart.limit, chart.here})
        faint << too_faint("line of a chart", line, chart.background, least);
    for (int i = 0; i < 2 * int(chart.series.size()); ++i)
        faint << too_faint(QString("series %1").arg(i), look_of(chart, i).colour, chart.background, least);
    faint.removeAll(QString());
    QVERIFY(nothing_in(faint));
}

void tst_accessible::ink_is_read_on_every_fill() {
    for (int r = 0; r < 256; r += 15)
        for (int g = 0; g < 256; g += 15)
            for (int b = 0; b < 256; b += 15) {
                const QColor fill(r, g, b);
                QVERIFY2(contrast(ink_on(fill), fill) >= 4.5, qPrintable(fill.name()));
            }
}

// Without any colour the words of the tile and its icon still differ.
void tst_accessible::a_state_is_more_than_a_colour() {
    Desk d;
    std::map<QString, QImage> icon_of;
    for (const char* sequences : {"1", "4", "8", "16", "32", "64"}) {
        d.type("layout.micro_batch.editor", sequences);
        d.settle();
        if (d.workspace.told().stale()) continue;
        const TileText& t = d.window.tiles()->tiles()[5]->content();
        const QString word = t.value.section(' ', 0, 0).section(',', 0, 0);
        icon_of[word] = t.icon.pixmap(18, 18).toImage().convertToFormat(QImage::Format_Grayscale8);
    }
    QVERIFY2(icon_of.size() >= 2, qPrintable(icon_of.begin()->first));
    for (const auto& [word, icon] : icon_of)
        for (const auto& [other, its_icon] : icon_of) QCOMPARE(icon == its_icon, word == other);
}

void tst_accessible::what_the_pointer_tells_the_keyboard_tells_too() {
    Desk d;
    QVERIFY(what_is(*d.window.tiles()->tiles()[0]).contains("Time to train"));
    QVERIFY2(what_is(*d.chart("time-vs-nodes")).contains(to_qt(d.chart("time-vs-nodes")->figure()->title)),
             qPrintable(what_is(*d.chart("time-vs-nodes"))));
    QVERIFY(what_is(*d.window.badge()).contains("published") || what_is(*d.window.badge()).contains("runs"));
    QVERIFY(!what_is(*d.nodes()).isEmpty());
    open_page(d, "layouts");
    QTableView* ranking = nullptr;
    for (auto* view : d.window.layouts()->findChildren<QTableView*>())
        if (view->accessibleName() == "Layouts, best first") ranking = view;
    QVERIFY(ranking && ranking->currentIndex().isValid());
    QVERIFY2(what_is(*ranking).contains(ranking->model()->headerData(1, Qt::Horizontal).toString().simplified()),
             qPrintable(what_is(*ranking)));
    for (QWidget* w : d.window.findChildren<QWidget*>())
        if (w->isVisible() && w->focusPolicy() != Qt::NoFocus && !w->toolTip().isEmpty())
            QVERIFY2(!what_is(*w).isEmpty(), qPrintable(told(w)));
}

PLIMSOLL_TEST(tst_accessible)
#include "tst_accessible.moc"
