#pragma once
// Hardware against the model: calibrations of this computer, which become machine
// presets, jobs that do the same elsewhere, trials of one layout, and jobs that run already.

#include "views/calibrate/measure_page.h"
#include "views/jobs/drift_page.h"
#include "views/jobs/job_page.h"
#include "views/jobs/trial_page.h"

#include <QTabWidget>

namespace plimsoll {

class CalibratePage : public QTabWidget {
    Q_OBJECT
public:
    explicit CalibratePage(Workspace& workspace)
        : measure_(new MeasurePage(workspace)),
          job_(new JobPage(workspace)),
          trial_(new TrialPage(workspace.library())),
          drift_(new DriftPage(workspace)) {
        setDocumentMode(true);
        addTab(measure_, tr("Calibrate this computer"));
        addTab(job_, tr("Batch job"));
        addTab(trial_, tr("Trial run"));
        addTab(drift_, tr("Running job"));
    }

    MeasurePage* measure() const { return measure_; }
    JobPage* job() const { return job_; }
    TrialPage* trial() const { return trial_; }
    DriftPage* drift() const { return drift_; }
    void show_measure() { setCurrentWidget(measure_); }
    void show_job() { setCurrentWidget(job_); }
    void show_trial() { setCurrentWidget(trial_); }
    void show_drift() { setCurrentWidget(drift_); }
    bool busy() const { return measure_->session().busy() || trial_->session().busy(); }

private:
    MeasurePage* measure_;
    JobPage* job_;
    TrialPage* trial_;
    DriftPage* drift_;
};

}  // namespace plimsoll
