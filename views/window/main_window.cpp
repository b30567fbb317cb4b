#include "views/window/main_window.h"

#include "views/charts/scatter_chart.h"
#include "views/decide/goal_page.h"
#include "views/decide/proposal_page.h"
#include "views/decide/questions_page.h"
#include "views/evidence/run_table.h"
#include "views/explore/split_map.h"
#include "views/parts/arrange.h"
#include "views/parts/text.h"
#include "views/window/preferences_dialog.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QFileInfo>
#include <QIcon>
#include <QKeyEvent>
#include <QLineEdit>
#include <QResizeEvent>
#include <QScreen>
#include <QScrollArea>
#include <QStatusBar>
#include <QStyleHints>
#include <QUndoView>

#include <utility>

// A static library's resources are linked in only when asked for; the macro
// declares a function, so it has to stand outside the namespace.
static void use_resources() { Q_INIT_RESOURCE(plimsoll); }

namespace plimsoll {

namespace {

// Ctrl+Z in a field undoes what was typed there; where nothing was, it undoes the last edit of the plan, as everywhere
// else in the window. Qt's fields would swallow it.
class FieldUndo : public QObject {
public:
    // Watches the fields that are in it now.
    explicit FieldUndo(QWidget& window) : QObject(&window) {
        for (QLineEdit* field : window.findChildren<QLineEdit*>()) field->installEventFilter(this);
        // A spin box hands keys to its field without the event loop, so that it has to be watched itself.
        for (QAbstractSpinBox* box : window.findChildren<QAbstractSpinBox*>()) box->installEventFilter(this);
    }

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::ShortcutOverride) return false;
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool undo = key->matches(QKeySequence::Undo), redo = key->matches(QKeySequence::Redo);
        if (!undo && !redo) return false;
        const auto* field = qobject_cast<QLineEdit*>(watched);
        if (!field) field = watched->findChild<QLineEdit*>();
        if (field && (undo ? field->isUndoAvailable() : field->isRedoAvailable())) return false;
        event->ignore();
        return true;
    }
};

}  // namespace

MainWindow::MainWindow(Workspace& workspace, Session session) : workspace_(workspace), session_(session) {
    use_resources();
    setObjectName(QStringLiteral("main_window"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/plimsoll.svg")));
    setAcceptDrops(true);
    // Its place is the window manager's choice.
    resize(QSize(1400, 900).boundedTo(screen()->availableGeometry().marginsRemoved(frame_room).size()));
    build_head();
    build_centre();
    build_docks();
    follow_files();
    build_menus();
    build_status();
    connect(&workspace_, &Workspace::changed, this, &MainWindow::present);
    connect(&workspace_, &Workspace::file_changed, this, &MainWindow::refresh_title);
    set_theme(Theme::system);
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    connect(QGuiApplication::styleHints(), &QStyleHints::colorSchemeChanged, this, [this] { set_theme(theme_); });
#endif
    if (session_ == Session::remembered) {
        restore_session();
        inputs_->remember_presets();
        proposal_->remember_looks();
        own_software_->read()->remember_folders();
        workspace_.set_preferences(stored_preferences());
        connect(&workspace_, &Workspace::preferences_changed, this, [this] { store(workspace_.preferences()); });
        begin_first_time();
        calibrate_->measure()->look_for_interrupted();
    }
    refresh_title();
    show_tabs();
    new FieldUndo(*this);
    inputs_->nodes()->slider()->setFocus();
}

// Above the docks and as wide as the window: whichever docks are open, the answers stay where they are.
void MainWindow::build_head() {
    tabs_ = new PlanTabs(workspace_.plans());
    plans_line_ = piece(beside({{tabs_, 1}, tabs_->list()}, no_margins));
    tiles_ = new TileBar;
    verdict_ = new Verdict(workspace_);
    answers_ = piece(below({tiles_, verdict_}, {2, 2, 2, 0}, 4));
    QWidget* both = piece(below({plans_line_, answers_}, no_margins, 0));
    both->setAutoFillBackground(true);   // a text that changes does not repaint the window behind it
    both->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    head_ = new QToolBar(tr("Plans"));
    head_->setObjectName(QStringLiteral("plans"));
    head_->setMovable(false);
    head_->toggleViewAction()->setVisible(false);
    head_->addWidget(both);
    addToolBar(Qt::TopToolBarArea, head_);
    commands_ = new PlanCommands(workspace_, *tabs_, this, [this] { return files_->may_discard(); });
    connect(commands_, &PlanCommands::about_to_act, this, [this] { inputs_->commit(); });
    connect(commands_, &PlanCommands::compare_asked, this, [this] { show_page(QStringLiteral("compare")); });
    connect(&workspace_.plans(), &Plans::listed, this, &MainWindow::show_tabs);
    connect(verdict_, &Verdict::show_layouts, this, [this] { show_page(QStringLiteral("layouts")); });
    connect(tiles_, &TileBar::explain, this, &MainWindow::explain_number);
    connect(tiles_, &TileBar::hours_wanted, this, &MainWindow::convert_hours);
    connect(tiles_, &TileBar::units_wanted, this, [this] { PreferencesDialog(workspace_, this).exec(); });
}

void MainWindow::build_centre() {
    notices_ = new NoticeBar;
    pages_ = new PageTabs;
    QWidget* centre = piece(below({notices_, {pages_, 1}}, {6, 2, 6, 4}, 4));
    centre->setAutoFillBackground(true);
    for (const WindowPage& page : pages()) pages_->add(page, page.make(workspace_, automatic_));
    centre_ = new QStackedWidget;
    centre_->addWidget(centre);
    layouts_ = pages_->findChild<LayoutsPage*>();
    goal_ = pages_->findChild<GoalPage*>();
    questions_ = pages_->findChild<QuestionsPage*>();
    proposal_ = pages_->findChild<ProposalPage*>();
    validation_ = pages_->findChild<ValidationPage*>();
    calibrate_ = pages_->findChild<CalibratePage*>();
    own_software_ = pages_->findChild<OwnSoftwarePage*>();
    exports_ = new ExportActions(workspace_, *pages_, loader_, session_ == Session::remembered, this);
    follow_pages();
}

void MainWindow::follow_pages() {
    connect(pages_->findChild<ResiliencePage*>(), &ResiliencePage::explain, this, &MainWindow::explain_number);
    connect(validation_, &ValidationPage::opened, this, [this](const QString& run) {
        statusBar()->showMessage(tr("%1 is a plan without a file now; Ctrl+Z returns to yours").arg(run), 8000);
    });
    const auto tell = [this](const QString& what) { statusBar()->showMessage(what, 8000); };
    const auto note = [tell](const QString& plan) { tell(tr("The plan is now %1; Ctrl+Z returns").arg(plan)); };
    connect(layouts_, &LayoutsPage::applied, this, note);
    connect(goal_, &GoalPage::applied, this, note);
    connect(questions_, &QuestionsPage::applied, this, note);
    connect(calibrate_->drift(), &DriftPage::applied, this, note);
    connect(calibrate_->measure(), &MeasurePage::status_message, this, tell);
    connect(calibrate_->job(), &JobPage::status_message, this, tell);
    connect(own_software_, &OwnSoftwarePage::status_message, this, tell);
    connect(&automatic_, &AutoLayout::status_message, this, tell);
    connect(commands_, &PlanCommands::status_message, this, tell);
    connect(exports_, &ExportActions::status_message, this, tell);
    connect(exports_, &ExportActions::failed, this,
            [this](const QString& what, const Problems& why) { show_problems(this, what, why); });
    connect(validation_, &ValidationPage::export_wanted, exports(), &ExportJob::start);
    connect(proposal_, &ProposalPage::export_wanted, exports(), &ExportJob::start);
    connect(exports(), &ExportJob::finished, proposal_, &ProposalPage::say_written);
    connect(calibrate_->measure(), &MeasurePage::export_wanted, exports(), &ExportJob::start);
}

void MainWindow::follow_files() {
    const FileSession::Elsewhere elsewhere{[this](const QString& path) { return show_calibration(path); },
                                           [this](const QString& path) { return add_scaling(path); },
                                           [this](const QString& path) { return show_probes(path); },
                                           [this](const TrainingLog& log, const QString& name) {
                                               return show_steps(log, name);
                                           }};
    files_ = new FileSession(workspace_, *inputs_, *notices_, elsewhere, session_ == Session::remembered, this);
    connect(files_, &FileSession::status_message, this,
            [this](const QString& text, int milliseconds) { statusBar()->showMessage(text, milliseconds); });
    connect(files_, &FileSession::plan_wanted, this, &MainWindow::show_plan);
    connect(files_, &FileSession::reopened, this, &MainWindow::refresh_title);
}

void MainWindow::build_docks() {
    const auto dock = [this](const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area) {
        auto* d = new QDockWidget(title);
        d->setObjectName(name);
        d->setWidget(content);
        addDockWidget(area, d);
        return d;
    };
    inputs_ = new InputsPanel(workspace_);
    inputs_->setMinimumWidth(370);
    inputs_->setAutoFillBackground(true);
    inputs_->offer_automatic(automatic_.action());
    connect(inputs_, &InputsPanel::find_everywhere, this, [this](const QString& words) {
        palette_of_commands()->open(command_index());
        palette_of_commands()->start(words);
    });
    inputs_dock_ = dock(QStringLiteral("inputs"), tr("Inputs"), inputs_, Qt::LeftDockWidgetArea);
    setCentralWidget(centre_);  // here: Tab goes through the parts of the window in the order in which it gets them
    explain_ = new ExplainPanel(workspace_);
    explain_->setMinimumWidth(330);
    explain_dock_ = dock(QStringLiteral("explain"), tr("Explain"), explain_, Qt::RightDockWidgetArea);
    auto* history = new QUndoView(&workspace_.plans().history());
    history->setEmptyLabel(tr("As opened"));
    history->setAccessibleName(tr("History"));
    history_dock_ = dock(QStringLiteral("history"), tr("History"), history, Qt::RightDockWidgetArea);
    tabifyDockWidget(explain_dock_, history_dock_);
    resizeDocks({inputs_dock_, explain_dock_}, {400, 380}, Qt::Horizontal);
    explain_dock_->hide();
    history_dock_->hide();
    // The tabs of docks are Qt's own widget, which stays when no dock is in view: Tab passes it by then.
    const auto mind_tabs = [this] {
        for (QTabBar* tabs : findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
            tabs->setFocusPolicy(explain_dock_->isHidden() || history_dock_->isHidden() ? Qt::NoFocus : Qt::TabFocus);
    };
    for (QDockWidget* d : {explain_dock_, history_dock_})
        connect(d, &QDockWidget::visibilityChanged, this, mind_tabs, Qt::QueuedConnection);
    QMetaObject::invokeMethod(this, mind_tabs, Qt::QueuedConnection);
}

// What the predictions are worth, always in view.
void MainWindow::build_status() {
    setStatusBar(new QStatusBar);
    badge_ = new QToolButton;
    badge_->setObjectName(QStringLiteral("badge"));
    badge_->setAutoRaise(true);
    badge_->setText(tr("Checking against published runs..."));
    badge_->setToolTip(tr("Computed by this program from the runs that ship with it. Click to see every one"));
    connect(badge_, &QToolButton::clicked, this, [this] { show_page(QStringLiteral("validation")); });
    const auto present_record = [this] { badge_->setText(record_line(*workspace_.record())); };
    connect(&workspace_, &Workspace::record_changed, this, present_record);
    if (workspace_.record()) present_record();
    connect(&loader_, &RecordLoader::failed, this,
            [this] { badge_->setText(tr("The published runs could not be priced")); });
    auto* automatic = new QToolButton;
    automatic->setDefaultAction(automatic_.action());
    automatic->setAutoRaise(true);
    automatic->setAccessibleName(tr("Automatic layout"));
    follow_jobs();
    statusBar()->addPermanentWidget(jobs_);
    statusBar()->addPermanentWidget(exports());
    statusBar()->addPermanentWidget(automatic);
    statusBar()->addPermanentWidget(badge_);
}

void MainWindow::follow_jobs() {
    jobs_->add(tr("Search of layouts"), [this] { return layouts_->busy(); }, [this] { layouts_->cancel(); });
    jobs_->add(tr("Automatic layout"), [this] { return automatic_.busy(); },
               [this] { automatic_.action()->setChecked(false); });
    jobs_->add(tr("Fewest nodes that fit"), [this] { return automatic_.counting(); },
               [this] { automatic_.stop_counting(); });
    jobs_->add(tr("Changes that help"), [this] { return verdict_->busy(); }, [this] { verdict_->cancel(); });
    jobs_->add(tr("The best plan within limits"), [this] { return goal_->busy(); }, [this] { goal_->cancel(); });
    jobs_->add(tr("Answer to a question"), [this] { return questions_->busy(); }, [this] { questions_->cancel(); });
    jobs_->add(tr("Layouts for the running job"), [this] { return calibrate_->drift()->busy(); },
               [this] { calibrate_->drift()->cancel(); });
    jobs_->add(tr("Trial run"), [this] { return calibrate_->trial()->session().busy(); },
               [this] { calibrate_->trial()->stop(); });
    jobs_->add(tr("Calibration"), [this] { return calibrate_->measure()->session().busy(); },
               [this] { calibrate_->measure()->cancel(); });
    connect(layouts_, &LayoutsPage::busy_changed, jobs_, &RunningJobs::look);
    connect(goal_, &GoalPage::busy_changed, jobs_, &RunningJobs::look);
    connect(questions_, &QuestionsPage::busy_changed, jobs_, &RunningJobs::look);
    connect(&automatic_, &AutoLayout::busy_changed, jobs_, &RunningJobs::look);
    connect(verdict_, &Verdict::busy_changed, jobs_, &RunningJobs::look);
    connect(calibrate_->drift(), &DriftPage::busy_changed, jobs_, &RunningJobs::look);
    connect(&calibrate_->trial()->session(), &EngineSession::changed, jobs_, &RunningJobs::look);
    connect(&calibrate_->measure()->session(), &EngineSession::changed, jobs_, &RunningJobs::look);
}

void MainWindow::present(const Snapshot& s) {
    tiles_->present(s);
    verdict_->present(s);
    unpin_->setEnabled(s.baseline != nullptr);
}

// The plan's name, then the file that it or the workspace has.
void MainWindow::refresh_title() {
    const QString own = to_qt(document().scenario().name), name = own.isEmpty() ? tr("Untitled") : own;
    QString file = QFileInfo(document().file()).fileName();
    if (file.isEmpty()) file = workspace_.plans().file_name();
    setWindowTitle(file.isEmpty() ? tr("%1[*] - Plimsoll").arg(name) : tr("%1[*] - %2 - Plimsoll").arg(name, file));
    setWindowModified(document().modified());
}

void MainWindow::set_theme(Theme theme) {
    theme_ = theme;
    apply_theme(theme);
    const ChartTheme& charts = shown_theme(theme) == Theme::dark ? dark_chart() : light_chart();
    for (Chart* chart : pages_->findChildren<Chart*>()) chart->set_theme(charts);
    for (ScatterChart* chart : pages_->findChildren<ScatterChart*>()) chart->set_theme(charts);
    for (SplitMap* map : pages_->findChildren<SplitMap*>()) map->set_theme(charts);
    for (QAction* action : themes_->actions()) action->setChecked(action->data().toInt() == int(theme));
}

bool MainWindow::show_page(const QString& name) {
    show_plan();
    return pages_->show_page(name);
}

HelpWindow* MainWindow::help() {
    if (!help_) help_ = new HelpWindow(this);
    return help_;
}

void MainWindow::explain_number(const QString& id) {
    explain_dock_->show();
    explain_dock_->raise();
    explain_->explain_id(id);
}

// Only the charts: what a projector or a small screen wants. Panels are shown again one by one: Qt 6.4's restoreState()
// ends the program where a panel had been dragged out.
void MainWindow::focus_mode(bool on) {
    if (on) {
        before_focus_ = saveState();
        for (QDockWidget* dock : {inputs_dock_, explain_dock_, history_dock_})
            if (dock->isVisible()) put_away_.insert(dock->visibleRegion().isEmpty() ? 0 : put_away_.size(), dock);
        for (QDockWidget* dock : put_away_) dock->hide();
    } else {
        before_focus_.clear();
        for (QDockWidget* dock : std::exchange(put_away_, {})) {
            dock->show();
            dock->raise();   // of panels in tabs the last is the one that was in front
        }
    }
    answers_->setVisible(!on);
    show_tabs();
}

// A scroll area follows the keyboard only from one of its own widgets to the next: what Tab enters from outside may lie
// out of view.
bool MainWindow::focusNextPrevChild(bool next) {
    if (!QMainWindow::focusNextPrevChild(next)) return false;
    QWidget* now = focusWidget();
    for (QWidget* w = now; w && w != this; w = w->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(w); area && area != now) area->ensureWidgetVisible(now);
    return true;
}

// A low window leaves the room to the charts.
void MainWindow::resizeEvent(QResizeEvent* event) {
    constexpr int low = 600;
    QMainWindow::resizeEvent(event);
    tiles_->set_compact(event->size().height() < low);
    // A toolbar does not say by itself that what it holds has another height.
    for (QWidget* w = tiles_; w != this; w = w->parentWidget()) w->updateGeometry();
}

}  // namespace plimsoll
