#include "views/calibrate/calibration_progress.h"

#include "core/evidence/calibration/proof/figures.h"
#include "views/calibrate/calibration_text.h"
#include "views/document/snapshot.h"
#include "views/parts/arrange.h"
#include "views/parts/language.h"
#include "views/parts/text.h"

namespace plimsoll {

namespace {

constexpr int quiet_alarm = 10, bar_steps = 1000;   // seconds without a line; of the progress bar

}  // namespace

CalibrationProgress::CalibrationProgress(QWidget* parent)
    : QWidget(parent),
      state_(paragraph(tr("State of the calibration"))),
      contention_(paragraph(tr("Disturbances"))),
      bar_(new QProgressBar),
      cancel_(button(tr("Cancel"), "calibrate.cancel",
                     tr("Ends it after this step, pressed again at once; what is complete is kept"), this,
                     &CalibrationProgress::cancel)),
      points_(new ScatterChart),
      loss_(new Chart("run-loss")),
      messages_(message_list()) {
    bar_->setRange(0, bar_steps);
    bar_->setAccessibleName(tr("Share that is done"));
    points_->set_empty_text(tr("The points of every bench as they arrive."));
    loss_->set_empty_text(tr("The loss of the running training layout, once its first step is done."));
    QSplitter* charts = split(Qt::Horizontal, {points_, loss_}, {500, 500});
    setLayout(below({state_, beside({{bar_, 1}, cancel_}), contention_,
                     {split(Qt::Vertical, {{charts, 5}, {messages_, 1}}), 1}},
                    page_margins));
}

void CalibrationProgress::present(const EngineSession& session, const ExperimentPlan& plan, Seconds elapsed) {
    const CalibrationLog& log = session.calibration();
    show_state(session, plan, elapsed);
    if (!isVisible()) return;
    show_points(log);
    Figure loss = run_loss(log.engine.latest(), log.engine.layout ? log.engine.layout->loss_floor : std::nullopt);
    if (!log.measurements.runs.empty() && !log.experiments.empty())
        for (const ExperimentState& e : log.experiments)
            if (e.said.id == log.measurements.runs.back().id)
                loss.title = tr("Loss: %1").arg(worded_kept(e.said.label)).toStdString();
    loss_->present(snapshot_of({loss}));
    const QString text = session.messages();
    if (text != messages_->toPlainText()) messages_->setPlainText(text);
}

void CalibrationProgress::show_state(const EngineSession& session, const ExperimentPlan& plan, Seconds elapsed) {
    const bool stopping = session.phase() == EngineSession::Phase::stopping;
    cancel_->setText(stopping ? tr("Cancel now") : tr("Cancel"));
    cancel_->setEnabled(session.busy());
    QString text = stopping ? tr("Cancelling after this step...") : say_going(session.calibration(), plan, elapsed);
    const int quiet = session.quiet_seconds();
    if (!stopping && quiet >= quiet_alarm)
        text += QStringLiteral(". ")
              + tr("No line for %1 s: the engine ends by itself when its ranks make no progress.").arg(quiet);
    state_->setText(text);
    bar_->setValue(int(bar_steps * share_done(session.calibration(), plan)));
    const QString disturbed = say_contention(session.calibration());
    set_text_colour(*contention_, alert_colour(palette()));
    contention_->setText(disturbed);
    contention_->setVisible(!disturbed.isEmpty());
}

// Of the latest bench; drawn again only when it has more points.
void CalibrationProgress::show_points(const CalibrationLog& log) {
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
        if (e.said.id == id) title = worded_kept(e.said.label).toStdString();
    points_->present(bench_figure(title, points));
}

}  // namespace plimsoll
