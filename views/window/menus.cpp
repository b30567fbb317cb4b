// Menus and shortcuts of the main window.
#include "core/values/knobs/wording.h"
#include "views/parts/text.h"
#include "views/window/main_window.h"

#include <QActionGroup>
#include <QApplication>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QStatusBar>

namespace plimsoll {

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
    file->addAction(tr("&Open..."), QKeySequence(QKeySequence::Open), this, &MainWindow::ask_open);
    file->addAction(tr("&Import model..."), QKeySequence(Qt::CTRL | Qt::Key_I), this, &MainWindow::ask_import);
    file->addAction(tr("Import &calibration..."), this, &MainWindow::ask_calibration);
    QMenu* recent = file->addMenu(tr("Open &recent"));
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fill_recent(*recent); });
    QMenu* examples = file->addMenu(tr("E&xamples"));
    fill_examples(*examples);
    file->addSeparator();
    file->addAction(tr("&Save"), QKeySequence(QKeySequence::Save), this, &MainWindow::save);
    file->addAction(tr("Save &as..."), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), this, &MainWindow::save_as);
    file->addSeparator();
    file->addAction(tr("&Validate runs..."), this, &MainWindow::ask_runs);
    file->addAction(tr("&Export all figures..."), QKeySequence(Qt::CTRL | Qt::Key_E), this, &MainWindow::ask_export);
    file->addSeparator();
    file->addAction(tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), this, &QWidget::close);
}

void MainWindow::build_edit_menu() {
    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    QAction* undo = document_.history().createUndoAction(this, tr("&Undo"));
    undo->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Z));
    QAction* redo = document_.history().createRedoAction(this, tr("&Redo"));
    redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    edit->addActions({undo, redo});
    edit->addSeparator();
    edit->addAction(tr("&Find an input"), QKeySequence(Qt::CTRL | Qt::Key_F), this, [this] {
        inputs_dock_->show();
        inputs_->focus_search();
    });
    edit->addAction(tr("Find &anything..."), QKeySequence(Qt::CTRL | Qt::Key_K), this,
                    [this] { palette_of_commands()->open(everything()); });
    edit->addAction(tr("&Copy chart"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), this, [this] {
        if (Chart* chart = current_chart()) chart->copy();
    });
    edit->addSeparator();
    edit->addAction(tr("&Pin as baseline"), QKeySequence(Qt::CTRL | Qt::Key_B), this,
                    [this] { workspace_.pin_baseline(); });
    unpin_ = edit->addAction(tr("U&npin baseline"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B), this,
                             [this] { workspace_.unpin_baseline(); });
}

void MainWindow::build_plan_menu() {
    QMenu* plan = menuBar()->addMenu(tr("&Plan"));
    plan->addAction(automatic_.action());
    plan->addAction(tr("&Search layouts"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L), this, [this] {
        show_page(QStringLiteral("layouts"));
        layouts_->search();
    });
    plan->addSeparator();
    QAction* rule = plan->addAction(tr("Fit first, then &data parallel"), this,
                                    [this] { take_split(&Splits::rule, tr("Fit first, then data parallel")); });
    rule->setObjectName(QStringLiteral("plan.fit_first"));
    rule->setStatusTip(tr("The smallest tensor x pipeline split inside a node that fits in memory"));
    QAction* fastest =
        plan->addAction(tr("&Fastest split"), this, [this] { take_split(&Splits::fastest, tr("Fastest split")); });
    fastest->setObjectName(QStringLiteral("plan.fastest_split"));
    fastest->setStatusTip(tr("Of all tensor x pipeline splits that fit, the one with the shortest step"));
    plan->addSeparator();
    QAction* measured = plan->addAction(tr("I &measured this..."), this, &MainWindow::ask_measured);
    measured->setObjectName(QStringLiteral("plan.measured"));
    measured->setStatusTip(tr("A measured step or memory of this plan: predictions of plans like it start from there"));
    plan->addAction(tr("F&orget measured runs"), this, &MainWindow::forget_measured)
        ->setObjectName(QStringLiteral("plan.forget_measured"));
    plan->addAction(tr("&Calibrate on this computer"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_K), this,
                    [this] {
                        show_page(QStringLiteral("calibrate"));
                        calibrate_->show_measure();
                    });
}

// One undo step; the status bar says what it was worth.
void MainWindow::take_split(std::optional<PricedSplit> Splits::*split, const QString& name) {
    const Splits found = splits(workspace_.scenario());
    const Outcome before = estimate(workspace_.scenario());
    const std::optional<PricedSplit>& pick = found.*split;
    if (!pick)
        return statusBar()->showMessage(tr("None of %1 splits of these devices fits in memory").arg(found.tried), 8000);
    const Layout& l = pick->scenario.layout;
    QString text = tr("%1: tensor %2, pipeline %3, data %4; step %5")
                       .arg(name)
                       .arg(l.tensor_parallel)
                       .arg(l.pipeline_parallel)
                       .arg(l.data_parallel)
                       .arg(to_qt(say(pick->step())));
    if (runs(before)) text += tr(" after %1").arg(to_qt(say(before->step.total())));
    if (found.fastest->step() < pick->step())
        text += tr("; the fastest split takes %1").arg(to_qt(say(found.fastest->step())));
    workspace_.propose(pick->scenario, name);
    statusBar()->showMessage(text, 8000);
}

void MainWindow::build_view_menu() {
    QMenu* view = menuBar()->addMenu(tr("&View"));
    for (int i = 0; i < pages_->count(); ++i) {
        QAction* page = view->addAction(pages_->tabText(i), this, [this, i] { pages_->setCurrentIndex(i); });
        page->setObjectName(pages_->widget(i)->objectName());
        if (i < 9) page->setShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + i)));
    }
    view->addSeparator();
    for (QDockWidget* dock : {inputs_dock_, explain_dock_, history_dock_}) view->addAction(dock->toggleViewAction());
    QAction* focus = view->addAction(tr("Charts &only"), this, [this](bool on) { focus_mode(on); });
    focus->setCheckable(true);
    focus->setShortcut(QKeySequence(Qt::Key_F11));
    view->addSeparator();
    view->addAction(tr("Logarithmic &x axis of the chart"), QKeySequence(Qt::Key_X), this,
                    [this] { toggle_axis(Qt::Horizontal); });
    view->addAction(tr("Logarithmic &y axis of the chart"), QKeySequence(Qt::Key_Y), this,
                    [this] { toggle_axis(Qt::Vertical); });
    view->addSeparator();
    auto* themes = new QActionGroup(this);
    light_ = view->addAction(tr("&Light"), this, [this] { set_theme(Theme::light); });
    dark_ = view->addAction(tr("&Dark"), this, [this] { set_theme(Theme::dark); });
    for (QAction* action : {light_, dark_}) {
        action->setCheckable(true);
        themes->addAction(action);
    }
}

void MainWindow::build_help_menu() {
    QMenu* menu = menuBar()->addMenu(tr("&Help"));
    menu->addAction(tr("&Help pages"), QKeySequence(Qt::Key_F1), this, [this] { help()->show_page({}); });
    for (const HelpPage& page : help_pages())
        if (page.name != QStringLiteral("index"))
            menu->addAction(page.title, this, [this, name = page.name] { help()->show_page(name); })
                ->setObjectName(QStringLiteral("help.") + page.name);
    menu->addSeparator();
    menu->addAction(tr("&Keyboard shortcuts"), QKeySequence(Qt::Key_Question), this, [this] { show_shortcuts(this); });
    menu->addAction(tr("&About Plimsoll"), this, [this] {
        QMessageBox::about(
            this, tr("About Plimsoll"),
            tr("<b>Plimsoll %1</b><p>What it takes to pre-train a large language model on a supercomputer: "
               "time, memory, energy and node-hours of a plan.</p><p>Qt %2, QCustomPlot.</p>")
                .arg(QApplication::applicationVersion(), QString::fromLatin1(qVersion())));
    });
}

}  // namespace plimsoll
