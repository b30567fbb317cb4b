#include "views/window/main_window.h"

#include "views/decide/compare_page.h"
#include "views/decide/goal_page.h"
#include "views/decide/proposal_page.h"
#include "views/decide/questions_page.h"
#include "views/decide/tornado_page.h"
#include "views/evidence/run_table.h"
#include "views/explore/timeline_page.h"
#include "views/pages/chart_pages.h"
#include "views/pages/energy_page.h"
#include "views/parts/text.h"
#include "views/window/field_undo.h"
#include "views/window/preferences_dialog.h"

#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QIcon>
#include <QScreen>
#include <QScrollArea>
#include <QStatusBar>
#include <QStyleHints>
#include <QTabBar>
#include <QUndoView>
#include <QVBoxLayout>

#include <utility>

// A static library's resources are linked in only when asked for; the macro
// declares a function, so it has to stand outside the namespace.
static void use_resources() { Q_INIT_RESOURCE(plimsoll); }

namespace plimsoll {

MainWindow::MainWindow(Workspace& workspace, Session session) : workspace_(workspace), session_(session) {
    use_resources();
    setObjectName(QStringLiteral("main_window"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/plimsoll.svg")));
    setAcceptDrops(true);
    // Within the screen, with room for the window's frame.
    resize(QSize(1400, 900).boundedTo(screen()->availableGeometry().size() - QSize(8, 36)));
    build_centre();
    build_docks();
    build_tabs();
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
        workspace_.set_preferences(stored_preferences());
        connect(&workspace_, &Workspace::preferences_changed, this, [this] { store(workspace_.preferences()); });
        begin_first_time();
        calibrate_->measure()->look_for_interrupted();
    }
    refresh_title();
    new FieldUndo(*this);
    inputs_->nodes()->slider()->setFocus();
}

void MainWindow::add_page(const QString& name, const QString& title, QWidget* page) {
    page->setObjectName(QStringLiteral("contents.") + name);
    auto* scroll = new QScrollArea;  // what a low window has no room for
    scroll->setObjectName(QStringLiteral("page.") + name);
    scroll->setAccessibleName(title);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidgetResizable(true);
    scroll->setWidget(page);
    pages_->addTab(scroll, title);
    auto* charts = qobject_cast<ChartPage*>(page);
    if (!charts) return;
    chart_pages_.push_back(charts);
    for (Chart* chart : charts->charts()) connect(chart, &Chart::touched, this, [this, chart] { touched_ = chart; });
}

void MainWindow::build_centre() {
    auto* centre = new QWidget;
    centre->setAutoFillBackground(true);   // a text that changes does not repaint the window behind it
    verdict_ = new Verdict(workspace_);
    tiles_ = new TileBar;
    notices_ = new NoticeBar;
    pages_ = new QTabWidget;
    pages_->setDocumentMode(true);
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(6, 6, 6, 4);
    column->setSpacing(6);
    column->addWidget(notices_);
    column->addWidget(tiles_);
    column->addWidget(verdict_);
    column->addWidget(pages_, 1);
    const auto charts = [this](std::vector<std::string> figures, int columns) {
        return new ChartPage(workspace_, figures, columns);
    };
    add_page(QStringLiteral("overview"), tr("Overview"),
             charts({"time-vs-nodes", "memory-per-stage", "step-breakdown", "energy-vs-nodes"}, 2));
    add_page(QStringLiteral("time"), tr("Time"),
             charts({"time-vs-nodes", "efficiency-vs-nodes", "node-hours-vs-nodes", "step-vs-nodes"}, 2));
    add_page(QStringLiteral("step"), tr("Step"), charts({"step-breakdown", "step-vs-nodes"}, 2));
    add_page(QStringLiteral("memory"), tr("Memory"), charts({"memory-per-stage"}, 1));
    layouts_ = new LayoutsPage(workspace_, automatic_);
    add_page(QStringLiteral("layouts"), tr("Layouts"), layouts_);
    add_page(QStringLiteral("energy"), tr("Energy"), new EnergyPage(workspace_));
    auto* resilience = new ResiliencePage(workspace_);
    add_page(QStringLiteral("resilience"), tr("Resilience"), resilience);
    connect(resilience, &ResiliencePage::explain, this, &MainWindow::explain_number);
    add_page(QStringLiteral("paper"), tr("Rule of thumb"), new PaperPage(workspace_));
    add_page(QStringLiteral("timeline"), tr("Timeline"), new TimelinePage(workspace_));
    build_deciding_pages();
    validation_ = new ValidationPage(workspace_);
    add_page(QStringLiteral("validation"), tr("Validation"), validation_);
    calibrate_ = new CalibratePage(workspace_);
    add_page(QStringLiteral("calibrate"), tr("Calibrate"), calibrate_);
    connect(validation_, &ValidationPage::opened, this, [this](const QString& run) {
        statusBar()->showMessage(tr("%1 is a plan without a file now; Ctrl+Z returns to yours").arg(run), 8000);
    });
    connect(layouts_, &LayoutsPage::applied, this, [this](const QString& layout) {
        statusBar()->showMessage(tr("The plan is now %1; Ctrl+Z returns").arg(layout), 8000);
    });
    connect(calibrate_->measure(), &MeasurePage::status_message, this,
            [this](const QString& what) { statusBar()->showMessage(what, 8000); });
    connect(calibrate_->job(), &JobPage::status_message, this,
            [this](const QString& what) { statusBar()->showMessage(what, 8000); });
    connect(calibrate_->drift(), &DriftPage::applied, this, [this](const QString& layout) {
        statusBar()->showMessage(tr("The plan is now %1; Ctrl+Z returns").arg(layout), 8000);
    });
    connect(&automatic_, &AutoLayout::status_message, this,
            [this](const QString& what) { statusBar()->showMessage(what, 8000); });
    connect(verdict_, &Verdict::show_layouts, this, [this] { show_page(QStringLiteral("layouts")); });
    connect(tiles_, &TileBar::explain, this, &MainWindow::explain_number);
    connect(tiles_, &TileBar::hours_wanted, this, &MainWindow::convert_hours);
    connect(tiles_, &TileBar::units_wanted, this, [this] { PreferencesDialog(workspace_, this).exec(); });
    centre_ = new QStackedWidget;
    centre_->addWidget(centre);
}

// Plans against each other and against limits, and what becomes of them.
void MainWindow::build_deciding_pages() {
    compare_ = new ComparePage(workspace_);
    add_page(QStringLiteral("compare"), tr("Compare"), compare_);
    goal_ = new GoalPage(workspace_);
    add_page(QStringLiteral("goal"), tr("Goal"), goal_);
    questions_ = new QuestionsPage(workspace_);
    add_page(QStringLiteral("questions"), tr("Questions"), questions_);
    tornado_ = new TornadoPage(workspace_);
    add_page(QStringLiteral("tornado"), tr("Tornado"), tornado_);
    proposal_ = new ProposalPage(workspace_);
    add_page(QStringLiteral("proposal"), tr("Proposal"), proposal_);
    const auto note = [this](const QString& plan) {
        statusBar()->showMessage(tr("The plan is now %1; Ctrl+Z returns").arg(plan), 8000);
    };
    connect(goal_, &GoalPage::applied, this, note);
    connect(questions_, &QuestionsPage::applied, this, note);
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
    exports_ = new ExportJob;
    connect(exports_, &ExportJob::finished, this, [this](const QString& folder) {
        statusBar()->showMessage(tr("Everything is in %1").arg(QDir::toNativeSeparators(folder)), 8000);
    });
    connect(exports_, &ExportJob::cancelled, this, [this](int written, int all) {
        statusBar()->showMessage(tr("Export cancelled: %1 of %2 files are written").arg(written).arg(all), 8000);
    });
    connect(exports_, &ExportJob::failed, this,
            [this](const Problems& problems) { show_problems(tr("The export has stopped."), problems); });
    connect(validation_, &ValidationPage::export_wanted, exports_, &ExportJob::start);
    connect(proposal_, &ProposalPage::export_wanted, exports_, &ExportJob::start);
    connect(exports_, &ExportJob::finished, proposal_, &ProposalPage::say_written);
    connect(calibrate_->measure(), &MeasurePage::export_wanted, exports_, &ExportJob::start);
    follow_jobs();
    statusBar()->addPermanentWidget(jobs_);
    statusBar()->addPermanentWidget(exports_);
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

void MainWindow::refresh_title() {
    const QString title = document().title(), name = title.isEmpty() ? tr("Untitled") : title;
    const QString together = workspace_.plans().file_name();
    setWindowTitle(together.isEmpty() ? tr("%1[*] - Plimsoll").arg(name)
                                      : tr("%1[*] - %2 - Plimsoll").arg(name, together));
    setWindowModified(document().modified());
}

void MainWindow::set_theme(Theme theme) {
    theme_ = theme;
    apply_theme(theme);
    const ChartTheme& charts = shown_theme(theme) == Theme::dark ? dark_chart() : light_chart();
    for (ChartPage* page : chart_pages_) page->set_theme(charts);
    validation_->set_theme(charts);
    layouts_->set_theme(charts);
    calibrate_->set_theme(charts);
    compare_->set_theme(charts);
    tornado_->set_theme(charts);
    proposal_->set_theme(charts);
    for (QAction* action : themes_->actions()) action->setChecked(action->data().toInt() == int(theme));
}

QStringList MainWindow::page_names() const {
    QStringList names;
    for (int i = 0; i < pages_->count(); ++i) names << pages_->widget(i)->objectName().section(u'.', 1);
    return names;
}

bool MainWindow::show_page(const QString& name) {
    show_plan();
    const int page = int(page_names().indexOf(name));
    if (page >= 0) pages_->setCurrentIndex(page);
    return page >= 0;
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

std::vector<Chart*> MainWindow::visible_charts() const {
    std::vector<Chart*> charts;
    for (const ChartPage* page : chart_pages_)
        for (Chart* chart : page->charts())
            if (chart->isVisible()) charts.push_back(chart);
    return charts;
}

Chart* MainWindow::current_chart() const {
    Chart* hovered = nullptr;
    for (Chart* chart : visible_charts()) {
        if (chart->underMouse()) hovered = chart;
        if (chart->hasFocus()) return chart;
    }
    return touched_ && touched_->isVisible() ? touched_.data() : hovered;
}

void MainWindow::toggle_axis(Qt::Orientation side) {
    if (Chart* chart = current_chart()) chart->toggle_logarithmic(side);
    else statusBar()->showMessage(tr("Point at a chart or click one first"), 4000);
}

// Only the charts: what a projector or a small screen wants.
void MainWindow::focus_mode(bool on) {
    if (on) before_focus_ = saveState();
    for (QDockWidget* dock : {inputs_dock_, explain_dock_, history_dock_})
        if (on) dock->hide();
    if (!on) restoreState(std::exchange(before_focus_, {}));
    show_tabs();
    tiles_->setVisible(!on);
    verdict_->setVisible(!on);
}

}  // namespace plimsoll
