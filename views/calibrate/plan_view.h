#pragma once
// Before a calibration: what it would run and measure, how long that takes, and
// the command it would start. Nothing runs until start() is emitted.
//
//   view->set_subjects(plans);  view->present(plan, command);

#include "core/evidence/calibration/plan/experiments.h"
#include "views/parts/tables.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QWidget>

namespace plimsoll {

class PlanView : public QWidget {
    Q_OBJECT
public:
    explicit PlanView(QWidget* parent = nullptr);

    using Planned = Expected<ExperimentPlan, std::vector<std::string>>;
    // `command` is what Start would run; where it cannot, `obstacle` says why.
    void present(const Planned&, const QString& command, const QString& obstacle);
    // What becomes of the plan's machine, which is mostly another computer than this.
    void show_machine(const QString& sentences);
    void name_plan(const QString& name);       // of the first subject, the window's own plan
    void show_failure(const QString& why);       // of an attempt that measured nothing; empty: none

    int subject() const { return subject_->currentIndex(); }   // 0: the window's plan; then trial_models()
    Seconds budget() const;                                     // zero: as usual
    QPushButton* start_button() const { return start_; }
    QComboBox* subject_box() const { return subject_; }
    QComboBox* budget_box() const { return budget_; }
    TextTable* runs() const { return runs_; }
    TextTable* constants() const { return constants_; }
    QString summary() const { return summary_->text(); }
    QString machine() const { return machine_->text(); }
    QString command() const { return command_->text(); }

signals:
    void changed();       // another subject or budget
    void start();
    void import_asked();

private:
    QWidget* build_head();

    QComboBox *subject_, *budget_;
    QPushButton* start_;
    QLabel *machine_, *summary_, *failed_, *command_;
    TextTable *runs_, *constants_;
};

}  // namespace plimsoll
