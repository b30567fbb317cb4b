#include "views/calibrate/calibrate_page.h"

namespace plimsoll {

CalibratePage::CalibratePage(Workspace& workspace, QWidget* parent)
    : QTabWidget(parent),
      measure_(new MeasurePage(workspace)),
      job_(new JobPage(workspace)),
      trial_(new TrialPage(workspace.library())),
      drift_(new DriftPage(workspace)) {
    setDocumentMode(true);
    addTab(measure_, tr("Calibrate this computer"));
    addTab(job_, tr("Batch job"));
    addTab(trial_, tr("Trial run"));
    addTab(drift_, tr("Running job"));
}

}  // namespace plimsoll
