// Menus and shortcuts of the main window.
#include "core/values/knobs/wording.h"
#include "views/decide/questions_page.h"
#include "views/parts/language.h"
#include "views/parts/text.h"
#include "views/window/hours_dialogs.h"
#include "views/window/main_window.h"
#include "views/window/preferences_dialog.h"
#include "views/window/help_mode.h"

#include <QActionGroup>
#include <QApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QStatusBar>
#include <QWhatsThis>

namespace plimsoll {

namespace {

// The choice of the window's language holds from the next start on; `say` shows a sentence to the user.
void add_language_menu(QMenu* view, std::function<void(const QString&)> say) {
    QMenu* menu = view->addMenu(QCoreApplication::translate("LanguageMenu", "Lan&guage"));
    menu->setObjectName(QStringLiteral("languages"));
    auto* group = new QActionGroup(menu);
    const QString now = chosen_language();
    const auto add = [&](const QString& id, const QString& words) {
        QAction* action = group->addAction(menu->addAction(words));
        action->setObjectName(QStringLiteral("language.") + id);
        action->setCheckable(true);
        action->setChecked(id == now);
        QObject::connect(action, &QAction::triggered, menu, [id, say] {
            choose_language(id);
            say(QCoreApplication::translate("LanguageMenu", "The language changes at the next start"));
        });
    };
    add(QStringLiteral("system"), QCoreApplication::translate("LanguageMenu", "As the &desktop"));
    for (const QString& id : languages()) add(id, name_of_language(id));
}

}  // namespace

void MainWindow::build_menus() {
    build_file_menu();
    build_edit_menu();
    build_plan_menu();
    build_view_menu();
    build_help_menu();
}

void MainWindow::build_file_menu() {
    QMenu* file = menuBar()->addMenu(tr("&File"));
    file->addAction(tr("&New plan"), QKeySequence(QKeySequence::New), this, &MainWindow::start_new);
    file->addAction(tr("S&tart page"), this, &MainWindow::show_start);
    file->addAction(tr("&Open..."), QKeySequence(QKeySequence::Open), files_, &FileSession::ask_open);
    file->addAction(tr("&Import model..."), QKeySequence(Qt::CTRL | Qt::Key_I), files_, &FileSession::ask_import);
    file->addAction(tr("Import &framework configuration..."), files_, &FileSession::ask_configuration);
    file->addAction(tr("Import &calibration..."), this, &MainWindow::ask_calibration);
    QMenu* recent = file->addMenu(tr("Open &recent"));
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { files_->fill_recent(*recent); });
    QMenu* examples = file->addMenu(tr("E&xamples"));
    files_->fill_examples(*examples);
    file->addSeparator();
    file->addAction(tr("&Save"), QKeySequence(QKeySequence::Save), files_, &FileSession::save);
    file->addAction(tr("Save &as..."), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), files_, &FileSession::save_as);
    file->addSeparator();
    file->addAction(tr("&Validate runs..."), this, &MainWindow::ask_runs);
    QAction* figures = file->addAction(tr("&Export or print figures..."), exports_, &ExportActions::ask_export);
    figures->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_E), QKeySequence(Qt::CTRL | Qt::Key_P)});
    file->addSeparator();
    file->addAction(tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), this, &QWidget::close);
}

void MainWindow::build_edit_menu() {
    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    QAction* undo = workspace_.plans().history().createUndoAction(this, tr("&Undo"));
    undo->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Z));
    QAction* redo = workspace_.plans().history().createRedoAction(this, tr("&Redo"));
    redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    edit->addActions({undo, redo});
    edit->addSeparator();
    edit->addAction(tr("&Find an input"), QKeySequence(Qt::CTRL | Qt::Key_F), this, [this] {
        inputs_dock_->show();
        inputs_->focus_search();
    });
    edit->addAction(tr("Find &anything..."), QKeySequence(Qt::CTRL | Qt::Key_K), this,
                    [this] { palette_of_commands()->open(command_index()); });
    edit->addAction(tr("&Copy chart"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), exports_,
                    &ExportActions::copy_chart);
    edit->addAction(tr("Copy the &numbers"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_C), exports_,
                    &ExportActions::copy_chart_numbers);
    edit->addAction(tr("Chart as &table"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T), exports_,
                    &ExportActions::show_table);
    edit->addSeparator();
    edit->addAction(tr("&Pin as baseline"), QKeySequence(Qt::CTRL | Qt::Key_B), this,
                    [this] { workspace_.pin_baseline(); });
    unpin_ = edit->addAction(tr("U&npin baseline"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B), this,
                             [this] { workspace_.set_baseline(nullptr); });
    edit->addSeparator();
    edit->addAction(tr("Pre&ferences..."), QKeySequence(Qt::CTRL | Qt::Key_Comma), this,
                    [this] { PreferencesDialog(workspace_, this).exec(); });
}

void MainWindow::build_plan_menu() {
    QMenu* plan = menuBar()->addMenu(tr("&Plan"));
    plan->addAction(automatic_.action());
    plan->addAction(tr("&Search layouts"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L), this, [this] {
        show_page(QStringLiteral("layouts"));
        layouts_->search();
        layouts_->table()->setFocus(Qt::ShortcutFocusReason);  // Enter applies what it finds
    });
    const auto add = [&](const QString& text, const char* name, auto* does_it, auto does, const QString& tip = {}) {
        QAction* action = plan->addAction(text, does_it, does);
        action->setObjectName(QLatin1String(name));
        action->setStatusTip(tip);
    };
    add(tr("Fe&west nodes that fit"), "plan.fewest_nodes", &automatic_, &AutoLayout::take_fewest_nodes,
        tr("The smallest number of nodes with a layout that fits in memory, and the best of these"));
    plan->addAction(jobs_->cancel_all());
    const auto plan_a_budget = [this] {
        if (const auto answer = workspace_.snapshot().last_good) BudgetDialog(*answer, this).exec();
    };
    add(tr("What a &budget would train..."), "plan.budget", this, plan_a_budget,
        tr("The model and tokens that node-hours pay for at the rate of this plan"));
    add(tr("Hours in &other units..."), "plan.hours", this, &MainWindow::convert_hours,
        tr("Node-, device- and core-hours, what the site charges, and the time on so many devices"));
    add_questions(*plan);
    plan->addSeparator();
    commands_->add_splits(*plan);
    plan->addSeparator();
    add(tr("I &measured this..."), "plan.measured", this, &MainWindow::ask_measured,
        tr("A measured step or memory of this plan: predictions of plans like it start from there"));
    add(tr("F&orget measured runs"), "plan.forget_measured", this, &MainWindow::forget_measured);
    add(tr("Add measured scaling &runs..."), "plan.add_scaling", this, &MainWindow::ask_scaling,
        tr("A table of your own runs, nodes and step_s: points beside the curves over nodes"));
    add(tr("Remo&ve the scaling runs"), "plan.remove_scaling", this, &MainWindow::remove_scaling);
    plan->addSeparator();
    commands_->add_tab_actions(*plan);
    plan->addSeparator();
    files_->add_workspace_actions(*plan);
    plan->addSeparator();
    plan->addAction(tr("&Calibrate on this computer"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_K), this,
                    [this] {
                        show_page(QStringLiteral("calibrate"));
                        calibrate_->show_measure();
                    });
}

// Each question by its title: so the palette finds it, and choosing it asks.
void MainWindow::add_questions(QMenu& plan) {
    QMenu* menu = plan.addMenu(tr("&Questions"));
    for (const auto& [id, title] : QuestionsPage::kinds()) {
        QAction* action = menu->addAction(title, this, [this, id = id] {
            show_page(QStringLiteral("questions"));
            questions_->choose(id);
        });
        action->setObjectName(QStringLiteral("question.") + id);
    }
}

void MainWindow::convert_hours() {
    if (const auto answer = workspace_.snapshot().last_good) HoursDialog(*answer, this).exec();
}

void MainWindow::build_view_menu() {
    QMenu* view = menuBar()->addMenu(tr("&View"));
    int shortcuts = 0;
    const PageGroup* group = nullptr;
    const std::vector<WindowPage> all = pages();
    for (const WindowPage& each : all) {
        if (!group || *group != each.group) view->addSection(name_of(each.group));
        group = &each.group;
        QAction* page = view->addAction(each.title, this, [this, id = each.id] { show_page(id); });
        page->setObjectName(QStringLiteral("page.") + each.id);
        page->setStatusTip(each.questions);
        if (each.inside.isEmpty() && ++shortcuts <= 9)
            page->setShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_0 + shortcuts)));
    }
    view->addSeparator();
    for (QDockWidget* dock : {inputs_dock_, explain_dock_, history_dock_}) view->addAction(dock->toggleViewAction());
    QAction* focus = view->addAction(tr("Charts &only"), this, [this](bool on) { focus_mode(on); });
    focus->setCheckable(true);
    focus->setShortcut(QKeySequence(Qt::Key_F11));
    view->addSeparator();
    // Their keys are letters, which lists and fields need: keyPressEvent() gets those that nobody else wants.
    view->addAction(tr("Logarithmic &x axis of the chart") + QStringLiteral("\tX"), this,
                    [this] { exports_->toggle_axis(Qt::Horizontal); });
    view->addAction(tr("Logarithmic &y axis of the chart") + QStringLiteral("\tY"), this,
                    [this] { exports_->toggle_axis(Qt::Vertical); });
    view->addAction(tr("Count in the next &unit") + QStringLiteral("\tU"), this, &MainWindow::count_next_hours);
    view->addSeparator();
    view->addAction(tr("&Next pane"), QKeySequence(Qt::Key_F6), this, [this] { go_to_pane(1); });
    view->addAction(tr("P&revious pane"), QKeySequence(Qt::SHIFT | Qt::Key_F6), this, [this] { go_to_pane(-1); });
    view->addSeparator();
    themes_ = new QActionGroup(this);
    const std::pair<QString, Theme> choices[] = {
        {tr("Colours of the &desktop"), Theme::system}, {tr("&Light"), Theme::light}, {tr("&Dark"), Theme::dark}};
    for (const auto& [text, theme] : choices) {
        QAction* action = themes_->addAction(view->addAction(text, this, [this, theme = theme] { set_theme(theme); }));
        action->setCheckable(true);
        action->setData(int(theme));
    }
    add_language_menu(view, [this](const QString& text) { statusBar()->showMessage(text, 8000); });
}

void MainWindow::build_help_menu() {
    QMenu* menu = menuBar()->addMenu(tr("&Help"));
    menu->addAction(tr("&Help pages"), QKeySequence(Qt::Key_F1), this, [this] {
        const HelpTopic topic = help_topic_of(QApplication::focusWidget());
        help()->show_page(topic.page, topic.word);
    });
    menu->addAction(tr("What is &this?"), QKeySequence(Qt::SHIFT | Qt::Key_F1), this, [this] {
        if (!inputs_->say_what_has_the_keyboard() && !say_what_it_is(QApplication::focusWidget()))
            QWhatsThis::enterWhatsThisMode();
    });
    for (const HelpPage& page : help_pages())
        if (page.name != QStringLiteral("index"))
            menu->addAction(page.title, this, [this, name = page.name] { help()->show_page(name); })
                ->setObjectName(QStringLiteral("help.") + page.name);
    menu->addSeparator();
    menu->addAction(tr("Take the t&our"), this, &MainWindow::take_tour);
    menu->addAction(tr("What is &new"), this, [this] { help()->show_news(); });
    menu->addAction(tr("&Keyboard shortcuts") + QStringLiteral("\t?"), this, [this] { show_shortcuts(this); });
    menu->addAction(tr("&About Plimsoll"), this, [this] {
        QMessageBox::about(
            this, tr("About Plimsoll"),
            tr("<b>Plimsoll %1</b><p>What it takes to pre-train or fine-tune a large language model on a "
               "supercomputer: time, memory, energy and node-hours of a plan.</p><p>Qt %2, QCustomPlot.</p>")
                .arg(QApplication::applicationVersion(), QString::fromLatin1(qVersion())));
    });
}

// Letters come here only from widgets that have no use for them.
void MainWindow::keyPressEvent(QKeyEvent* event) {
    const QString letter = event->text().toLower();
    const bool command = event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier);
    if (!command && letter == QStringLiteral("x")) return exports_->toggle_axis(Qt::Horizontal);
    if (!command && letter == QStringLiteral("y")) return exports_->toggle_axis(Qt::Vertical);
    if (!command && letter == QStringLiteral("u")) return count_next_hours();
    if (!command && letter == QStringLiteral("?")) return show_shortcuts(this);
    QMainWindow::keyPressEvent(event);
}

void MainWindow::count_next_hours() {
    const Machine& machine = workspace_.scenario().machine;
    Preferences p = workspace_.preferences();
    p.hours = next_hours(p.hours, machine);
    workspace_.set_preferences(p);
    statusBar()->showMessage(to_qt(say_gpu_hour(machine)), 8000);
}

// Inputs, numbers with their page, explanation, history: those in view, in turn. Each gets the keyboard where it was
// left, or at its beginning.
void MainWindow::go_to_pane(int by) {
    std::vector<QWidget*> panes;
    for (QWidget* pane : {inputs_dock_->widget(), centralWidget(), explain_dock_->widget(), history_dock_->widget()}) {
        const QWidget* seen = childAt(pane->mapTo(this, pane->rect().center()));  // of docks in tabs only one is
        if (pane->isVisible() && (seen == pane || pane->isAncestorOf(seen))) panes.push_back(pane);
    }
    if (panes.empty()) return;
    const QWidget* now = QApplication::focusWidget();
    const int count = int(panes.size());
    int at = by > 0 ? -1 : count;
    for (int i = 0; i < count; ++i)
        if (panes[std::size_t(i)] == now || (now && panes[std::size_t(i)]->isAncestorOf(now))) at = i;
    QWidget* pane = panes[std::size_t((at + by + count) % count)];
    const auto takes_keys = [pane](const QWidget* w) {
        return (w == pane || pane->isAncestorOf(w)) && w->isVisible() && w->isEnabled()
            && (w->focusPolicy() & Qt::TabFocus) == Qt::TabFocus;
    };
    QWidget* target = pane->focusWidget();
    if (!target || !takes_keys(target)) {
        target = pane;
        do target = target->nextInFocusChain();
        while (target != pane && !takes_keys(target));
    }
    target->setFocus(Qt::ShortcutFocusReason);
}

}  // namespace plimsoll
