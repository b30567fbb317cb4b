#pragma once
// Trains a small model on this computer and shows, while it runs, its loss and
// where the time of its steps goes, beside what the planner predicted for them.
//
// The prediction is the plan's of the form as long as nothing runs, and that of
// the run from its start on. Closing the window ends the run.

#include "core/answers/plan/estimate.h"
#include "core/evidence/calibration/plan/trial.h"
#include "core/files/presets/library.h"
#include "views/charts/chart.h"
#include "views/jobs/engine_session.h"
#include "views/parts/tables.h"
#include "views/parts/widgets.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QWidget>

namespace plimsoll {

// What a trial trains and how it is spread, to be chosen.
class TrialForm : public QWidget {
    Q_OBJECT
public:
    explicit TrialForm(QWidget* parent = nullptr);

    TrialRun trial() const;
    void set_trial(const TrialRun&);

signals:
    void changed();

private:
    void add(QWidget* field, const char* name, const QString& label, const QString& help);
    QSpinBox* number(const char* name, const QString& label, const QString& help, int most);
    QComboBox* choice(const char* name, const QString& label, const QString& help, const QStringList& items);

    FlowLayout* flow_;
    QComboBox* model_;
    QSpinBox *data_, *tensor_, *pipeline_;
    QComboBox *zero_, *recompute_;
    QCheckBox* sequence_;
    QSpinBox *micro_, *accumulate_, *steps_;
};

class TrialPage : public QWidget {
    Q_OBJECT
public:
    explicit TrialPage(const Library&, QWidget* parent = nullptr);

    void start();
    void stop() { session_.stop(); }

    const EngineSession& session() const { return session_; }
    TrialForm* form() const { return form_; }
    QPushButton* start_button() const { return start_; }
    QString state() const { return state_->text(); }          // what goes on, or went wrong
    QString figures() const { return figures_->text(); }      // of the run so far
    QTabWidget* tabs() const { return tabs_; }
    TextTable* parts() const { return parts_; }
    QString messages() const { return messages_->toPlainText(); }
    Chart* loss() const { return loss_; }
    Chart* steps() const { return steps_; }
    void set_log_directory(const QString& dir) { logs_ = dir; }   // where runs are kept

protected:
    void showEvent(QShowEvent*) override;
    void changeEvent(QEvent*) override;

private:
    QWidget* build_head();
    QWidget* build_tabs();
    QWidget* build_charts();
    QWidget* build_parts();
    Scenario plan() const;
    void follow_form();
    void show_run();
    void show_state();
    void show_figures();
    void show_charts();
    void show_parts();
    void show_messages();
    void set_state(const QString& text, bool alert);
    QString log_file() const;

    const Library& library_;
    EngineSession session_{100};               // milliseconds between two drawings
    Scenario plan_;                            // of the form, or of the run that is shown
    std::optional<Estimate> predicted_;
    QString kept_;                             // where the run's log is
    QString refusal_;                          // why it could not even be started
    QString logs_;
    TrialForm* form_;
    QPushButton* start_;
    QLabel *state_, *figures_, *note_;
    Chart *loss_, *steps_;
    QTabWidget* tabs_;
    TextTable* parts_;
    QPlainTextEdit* messages_;
};

}  // namespace plimsoll
