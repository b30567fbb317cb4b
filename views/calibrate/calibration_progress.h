#pragma once
// A calibration while it runs: how far it is, the points and losses as they
// arrive, what disturbs it, and the button that ends it.

#include "core/evidence/calibration/plan/experiments.h"
#include "views/charts/chart.h"
#include "views/charts/scatter_chart.h"
#include "views/jobs/engine_session.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QWidget>

namespace plimsoll {

class CalibrationProgress : public QWidget {
    Q_OBJECT
public:
    explicit CalibrationProgress(QWidget* parent = nullptr);

    void present(const EngineSession&, const ExperimentPlan&, Seconds elapsed);

    QString state() const { return state_->text(); }
    QString contention() const { return contention_->text(); }
    QProgressBar* bar() const { return bar_; }
    QPushButton* cancel_button() const { return cancel_; }
    ScatterChart* points() const { return points_; }
    Chart* loss() const { return loss_; }
    QString messages() const { return messages_->toPlainText(); }

signals:
    void cancel();

private:
    void show_state(const EngineSession&, const ExperimentPlan&, Seconds elapsed);
    void show_points(const CalibrationLog&);

    QLabel *state_, *contention_;
    QProgressBar* bar_;
    QPushButton* cancel_;
    ScatterChart* points_;
    Chart* loss_;
    QPlainTextEdit* messages_;
    std::size_t drawn_ = 0;                     // points of the bench that is shown
    std::string shown_;                         // its id
};

}  // namespace plimsoll
