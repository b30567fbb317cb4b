#include "views/calibrate/measure/going_view.h"

#include "core/evidence/calibration/proof/bench_figure.h"
#include "core/evidence/calibration/proof/run_figures.h"
#include "views/calibrate/measure/calibration_text.h"
#include "views/calibrate/measure/figure_snapshot.h"
#include "views/parts/colours.h"
#include "views/parts/paragraph.h"
#include "views/plan/text.h"

#include <QSplitter>
#include <QVBoxLayout>

namespace plimsoll {

namespace {

constexpr int quiet_alarm = 10, bar_steps = 1000;   // seconds without a line; of the progress bar

}  // namespace

GoingView::GoingView(QWidget* parent)
    : QWidget(parent), state_(paragraph(tr("State of the calibration"))), contention_(paragraph(tr("Disturbances"))), bar_(new QProgressBar),
      cancel_(new QPushButton(tr("Cancel"))), points_(new ScatterChart), loss_(new Chart("run-loss")), messages_(new QPlainTextEdit) {
    bar_->setRange(0, bar_steps);
    bar_->setAccessibleName(tr("Share that is done"));
    cancel_->setObjectName(QStringLiteral("calibrate.cancel"));
    cancel_->setToolTip(tr("Ends it within two seconds; what is complete is kept"));
    connect(cancel_, &QPushButton::clicked, this, &GoingView::cancel);
    points_->set_empty_text(tr("The points of every bench as they arrive."));
    loss_->set_empty_text(tr("The loss of the present training layout, once its first step is done."));
    messages_->setReadOnly(true);
    messages_->setTabChangesFocus(true);
    messages_->setAccessibleName(tr("What engine and launcher said besides"));
    messages_->setPlaceholderText(tr("Warnings, errors, and whatever was said that is no measurement."));
    auto* charts = new QSplitter(Qt::Horizontal);
    charts->addWidget(points_);
    charts->addWidget(loss_);
    charts->setChildrenCollapsible(false);
    charts->setSizes({500, 500});
    auto* all = new QSplitter(Qt::Vertical);
    all->addWidget(charts);
    all->addWidget(messages_);
    all->setStretchFactor(0, 5);
    all->setStretchFactor(1, 1);
    all->setChildrenCollapsible(false);
    auto* line = new QHBoxLayout;
    line->addWidget(bar_, 1);
    line->addWidget(cancel_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 6, 4, 4);
    column->addWidget(state_);
    column->addLayout(line);
    column->addWidget(contention_);
    column->addWidget(all, 1);
}

void GoingView::set_theme(const ChartTheme& theme) {
    points_->set_theme(theme);
    loss_->set_theme(theme);
}

void GoingView::present(const EngineRunner& runner, const ExperimentPlan& plan, Seconds elapsed) {
    const CalibrationLog& log = runner.calibration();
    show_state(runner, plan, elapsed);
    if (!isVisible()) return;
    show_points(log);
    Figure loss = run_loss(log.engine.latest(), log.engine.layout ? log.engine.layout->loss_floor : std::nullopt);
    if (!log.measurements.runs.empty() && !log.experiments.empty())
        for (const ExperimentState& e : log.experiments)
            if (e.said.id == log.measurements.runs.back().id) loss.title = tr("Loss: %1").arg(to_qt(e.said.label)).toStdString();
    loss_->present(snapshot_of({loss}));
    const QString text = messages_of(log, runner.chatter());
    if (text != messages_->toPlainText()) messages_->setPlainText(text);
}

void GoingView::show_state(const EngineRunner& runner, const ExperimentPlan& plan, Seconds elapsed) {
    const bool stopping = runner.phase() == EngineRunner::Phase::stopping;
    cancel_->setEnabled(runner.phase() == EngineRunner::Phase::running);
    QString text = stopping ? tr("Cancelling...") : say_going(runner.calibration(), plan, elapsed);
    const int quiet = runner.quiet_seconds();
    if (!stopping && quiet >= quiet_alarm)
        text += QStringLiteral(". ") + tr("No line for %1 s: the engine ends by itself when its ranks make no progress.").arg(quiet);
    state_->setText(text);
    bar_->setValue(int(bar_steps * share_done(runner.calibration(), plan)));
    const QString disturbed = say_contention(runner.calibration());
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, alert_colour(colours));
    contention_->setPalette(colours);
    contention_->setText(disturbed);
    contention_->setVisible(!disturbed.isEmpty());
}

// Of the latest bench; drawn again only when it has more points.
void GoingView::show_points(const CalibrationLog& log) {
    const auto& all = log.measurements.points;
    if (all.empty()) return;
    const std::string id(all.back().word("experiment"));
    if (all.size() == drawn_ && id == shown_) return;
    drawn_ = all.size();
    shown_ = id;
    std::vector<BenchPoint> points;
    for (const BenchPoint& p : all)
        if (p.word("experiment") == id) points.push_back(p);
    std::string title = id;
    for (const ExperimentState& e : log.experiments)
        if (e.said.id == id) title = e.said.label;
    points_->present(bench_figure(title, points));
}

QString messages_of(const CalibrationLog& log, const QStringList& chatter) {
    QStringList all;
    for (const EngineNote& n : log.engine.notes) {
        const QString who = n.rank && *n.rank >= 0 ? GoingView::tr(", rank %1").arg(*n.rank) : QString();
        all << (n.error ? GoingView::tr("Error") : GoingView::tr("Warning")) + who + QStringLiteral(": ") + to_qt(n.text.empty() ? n.code : n.text);
    }
    for (const Problem& p : log.engine.problems) all << GoingView::tr("Not understood, %1").arg(to_qt(p.message));
    return (all + chatter).join(u'\n');
}

}  // namespace plimsoll
