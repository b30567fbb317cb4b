// The start page, the tour and the news in the main window.
#include "views/parts/text.h"
#include "views/parts/widgets.h"
#include "views/start/start_page.h"
#include "views/start/tour.h"
#include "views/window/main_window.h"

#include <QScrollArea>
#include <QSettings>
#include <QStackedWidget>

namespace plimsoll {

namespace {

const QString tour_answered = QStringLiteral("tour_answered");

}  // namespace

void MainWindow::show_start() {
    if (!start_) {
        start_ = new StartPage(workspace_);
        start_->model()->remember(session_ == Session::remembered);
        start_->machine()->remember(session_ == Session::remembered);
        auto* scroll = new QScrollArea;  // as for pages: a window may be lower than what it shows
        scroll->setFrameShape(QFrame::NoFrame);
        scroll->setFocusPolicy(Qt::NoFocus);
        scroll->setWidgetResizable(true);
        scroll->setWidget(start_);
        centre_->addWidget(scroll);
        set_tab_order_of({inputs_, start_});  // where the plan has its place
        connect(start_, &StartPage::example_asked, files_, &FileSession::open_example);
        connect(start_, &StartPage::file_asked, files_, &FileSession::open);
        connect(start_->form(), &FirstPlanForm::planned, this,
                [this](const Scenario& plan) { workspace_.plans().start(new_plan(plan)); });
        connect(start_, &StartPage::open_asked, files_, &FileSession::ask_open);
        connect(start_, &StartPage::import_asked, files_, &FileSession::ask_configuration);
        connect(start_, &StartPage::tour_asked, this, &MainWindow::take_tour);
        connect(start_, &StartPage::back_asked, this, &MainWindow::show_plan);
        const auto note_answer = [this] {
            if (session_ == Session::remembered) QSettings().setValue(tour_answered, true);
        };
        connect(start_, &StartPage::tour_asked, this, note_answer);
        connect(start_, &StartPage::tour_declined, this, note_answer);
        // Whatever becomes of the plan, it is the plan that is worked on then.
        connect(&workspace_.plans(), &Plans::changed, this, &MainWindow::show_plan);
        connect(&workspace_.plans(), &Plans::shown, this, &MainWindow::show_plan);
    }
    if (session_ == Session::remembered)
        start_->show_recent(QSettings().value(QStringLiteral("recent")).toStringList());
    start_->offer_tour(session_ == Session::remembered && !QSettings().value(tour_answered).toBool());
    put_in_centre(1);
    start_->gallery()->setFocus();
}

// The answers are the plan's.
void MainWindow::put_in_centre(int which) {
    centre_->setCurrentIndex(which);
    answers_->setVisible(which == 0);
    show_tabs();
}

// A first start has no plan to return to.
void MainWindow::begin_first_time() {
    QSettings settings;
    if (!settings.value(QStringLiteral("recent")).toStringList().isEmpty()) return;
    show_start();
}

void MainWindow::take_tour() {
    show_plan();
    inputs_dock_->show();
    if (!tour_) tour_ = new Tour(this);
    tour_->begin({
        {inputs_->nodes(), tr("Drag the nodes"),
         tr("Tiles, curves and memory follow while you drag. Every other input is below; Ctrl+F finds one by name.")},
        {tiles_, tr("Six numbers and how sure they are"),
         tr("Click a number to open it into its parts, down to the constants and their sources.")},
        {verdict_, tr("Whether it runs, and what to do"),
         tr("Where the plan does not fit or cannot be computed, this line says why and offers changes that help.")},
        {pages_->groups(), tr("Pages in five groups"),
         tr("Plan has curves over nodes, the parts of a step, memory and energy. Layouts searches the best split of "
            "the devices, Decide compares plans, Proposal writes one, and Evidence holds the predictions against "
            "published runs.")},
        {menuBar(), tr("Anything by name"),
         tr("Ctrl+K finds commands, inputs, models, machines, pages and numbers. The Help menu has this tour again.")},
    });
}

}  // namespace plimsoll
