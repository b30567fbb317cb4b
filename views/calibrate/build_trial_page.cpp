// Widgets of the page and where they stand.
#include "views/calibrate/trial_page.h"
#include "views/parts/colours.h"

#include <QHeaderView>
#include <QSplitter>
#include <QVBoxLayout>

namespace plimsoll {

void TrialPage::build() {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 6, 0, 0);
    column->addWidget(build_head());
    column->addWidget(build_tabs(), 1);
}

QWidget* TrialPage::build_charts() {
    loss_ = new Chart("run-loss");
    loss_->set_empty_text(tr("The loss of every step, once the first is done."));
    steps_ = new Chart("run-steps");
    steps_->set_empty_text(tr("No prediction for this layout."));
    auto* charts = new QSplitter(Qt::Horizontal);
    charts->addWidget(loss_);
    charts->addWidget(steps_);
    charts->setStretchFactor(0, 2);
    charts->setStretchFactor(1, 3);
    charts->setSizes({400, 600});
    charts->setChildrenCollapsible(false);
    return charts;
}

QWidget* TrialPage::build_head() {
    form_ = new TrialForm;
    start_ = new QPushButton(tr("Start"));
    start_->setObjectName(QStringLiteral("start_trial"));
    start_->setToolTip(tr("Train for the steps given; Stop keeps what was measured up to then"));
    const auto text = [](const QString& name) {
        auto* label = new QLabel;
        label->setWordWrap(true);
        label->setAccessibleName(name);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        return label;
    };
    state_ = text(tr("State of the run"));
    figures_ = text(tr("Figures of the run"));
    auto* line = new QHBoxLayout;
    line->setSpacing(10);
    line->addWidget(start_);
    line->addWidget(state_, 1);
    auto* head = new QWidget;
    auto* column = new QVBoxLayout(head);
    column->setContentsMargins(4, 0, 4, 0);
    column->setSpacing(6);
    column->addWidget(form_);
    column->addLayout(line);
    column->addWidget(figures_);
    return head;
}

QWidget* TrialPage::build_parts() {
    parts_ = new QTableWidget(0, 4);
    parts_->setHorizontalHeaderLabels({tr("Part of a step"), tr("Measured"), tr("Predicted"), tr("Predicted / measured")});
    parts_->setAccessibleName(tr("Measured parts beside predicted ones"));
    parts_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    parts_->setSelectionBehavior(QAbstractItemView::SelectRows);
    parts_->setAlternatingRowColors(true);
    parts_->setTabKeyNavigation(false);
    parts_->verticalHeader()->hide();
    parts_->verticalHeader()->setDefaultSectionSize(parts_->fontMetrics().height() + 6);
    parts_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    note_ = new QLabel;
    note_->setWordWrap(true);
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(4, 6, 4, 4);
    column->addWidget(parts_, 1);
    column->addWidget(note_);
    return page;
}

QWidget* TrialPage::build_tabs() {
    messages_ = new QPlainTextEdit;
    messages_->setReadOnly(true);
    messages_->setTabChangesFocus(true);
    messages_->setAccessibleName(tr("What engine and launcher said besides"));
    messages_->setPlaceholderText(tr("Warnings, errors, and whatever was said that is no measurement."));
    tabs_ = new QTabWidget;
    tabs_->addTab(build_charts(), tr("Charts"));
    tabs_->addTab(build_parts(), tr("Parts"));
    tabs_->addTab(messages_, tr("Messages"));
    return tabs_;
}

void TrialPage::set_theme(const ChartTheme& theme) {
    for (Chart* chart : {loss_, steps_}) chart->set_theme(theme);
}

}  // namespace plimsoll
