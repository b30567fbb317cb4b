#pragma once
// Which short runs of the user's own software tell most about the plan in front, what they cost, and the job that makes
// them for the framework in use.
//
//   view.save_to(folder);      // scripts, job.sh and the predictions; written() says where

#include "core/files/launch/probe_job.h"
#include "views/document/workspace.h"
#include "views/parts/background.h"
#include "views/parts/tables.h"

#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QWidget>

namespace plimsoll {

class ProbesToRun : public QWidget {
    Q_OBJECT
public:
    explicit ProbesToRun(Workspace&, QWidget* parent = nullptr);

    Problems save_to(const QString& folder);
    bool busy() const { return search_.busy(); }

    QComboBox* framework() const { return framework_; }
    QSpinBox* nodes() const { return nodes_; }
    QSpinBox* minutes() const { return minutes_; }
    QSpinBox* steps() const { return steps_; }
    QSpinBox* visits() const { return visits_; }
    QPushButton* write_button() const { return write_; }
    TextTable* table() const { return table_; }
    QString summary() const { return summary_->text(); }   // what they cost and leave, or why there are none
    QString unseen() const { return unseen_->text(); }
    QString script() const { return preview_->toPlainText(); }   // the job, and what it runs

signals:
    void written(const QString& folder);

protected:
    void changeEvent(QEvent*) override;

private:
    // What the page asks, and what is answered to it.
    struct Asked {
        Scenario plan;
        ProbeLimits limits;
        Framework framework = Framework::megatron;
    };
    using Reasons = std::vector<std::string>;
    struct Found {
        Asked asked;
        Expected<ProbePlan, Reasons> probes = Unexpected{Reasons{}};
        Reasons no_job;                // why the framework cannot run them; empty: it can
        std::vector<JobFile> files;    // in English, as every file is
    };

    QWidget* build_form();
    Asked asked() const;
    void follow_stack();
    void refresh();
    void adopt(Found);
    void show_probes();
    QString say_cost(const ProbePlan&);
    void ask_write();

    Workspace& workspace_;
    std::optional<Found> found_;       // of what is asked now; nothing while it is worked out
    std::string stack_;                // whose framework the form shows
    QComboBox* framework_;
    QSpinBox *nodes_, *minutes_, *steps_, *visits_;
    QPushButton* write_;
    QLabel *summary_, *unseen_;
    QPlainTextEdit* preview_;
    TextTable* table_;
    LatestJob search_;                 // last: it ends before the others go
};

}  // namespace plimsoll
