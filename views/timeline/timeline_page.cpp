#include "views/timeline/timeline_page.h"

#include "views/charts/export.h"
#include "views/timeline/gantt_export.h"
#include "views/plan/text.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QMessageBox>
#include <QPushButton>
#include <QVBoxLayout>

namespace plimsoll {

namespace {

QPushButton* button(const QString& text, const QString& name, const QString& tip) {
    auto* b = new QPushButton(text);
    b->setAccessibleName(name);
    b->setToolTip(tip);
    return b;
}

}  // namespace

TimelinePage::TimelinePage(Workspace& workspace, QWidget* parent)
    : QWidget(parent), workspace_(workspace), gantt_(new Gantt), note_(new QLabel) {
    note_->setWordWrap(true);
    auto* nearer = button(tr("+"), tr("Zoom in"), tr("Zoom in (W or +)"));
    auto* further = button(tr("\u2212"), tr("Zoom out"), tr("Zoom out (S or \u2212); A and D move"));
    auto* all = button(tr("Whole step"), tr("Whole step"), tr("Show the whole step (0)"));
    auto* save_as = button(tr("Save..."), tr("Save the timeline"), tr("As a trace for Perfetto, a table or a picture"));
    for (QPushButton* b : {nearer, further}) b->setMaximumWidth(36);
    connect(nearer, &QPushButton::clicked, gantt_, [this] { gantt_->zoom(1.5); });
    connect(further, &QPushButton::clicked, gantt_, [this] { gantt_->zoom(1 / 1.5); });
    connect(all, &QPushButton::clicked, gantt_, &Gantt::show_all);
    connect(save_as, &QPushButton::clicked, this, &TimelinePage::ask_save);
    auto* head = new QHBoxLayout;
    head->addWidget(note_, 1);
    for (QPushButton* b : {nearer, further, all, save_as}) head->addWidget(b);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 6, 0, 0);
    column->addLayout(head);
    column->addWidget(gantt_, 1);
    connect(&workspace, &Workspace::changed, this, [this](const Snapshot& s) {
        if (isVisible()) present(s);
        else behind_ = true;
    });
}

void TimelinePage::present(const Snapshot& s) {
    behind_ = false;
    shown_ = s.stale() && s.last_good ? s.last_good->scenario : s.scenario;
    gantt_->present(timeline(without_sources(shown_)), s.stale());
    note_->setText(to_qt(note(gantt_->timeline())));
}

void TimelinePage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (behind_) present(workspace_.snapshot());
}

Problems TimelinePage::save(const QString& path) const { return save_timeline(gantt_->timeline(), gantt_->view(), shown_, path); }

void TimelinePage::ask_save() {
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Save the timeline"), file_stem(shown_) + QStringLiteral("-pipeline-timeline.json"),
        tr("Trace for Perfetto (*.json);;Table (*.csv);;Picture (*.svg *.png *.pdf)"));
    if (path.isEmpty()) return;
    const Problems problems = save(path);
    if (!problems.empty()) QMessageBox::warning(this, tr("Save the timeline"), to_qt(say(problems)));
}

}  // namespace plimsoll
