#pragma once
// Short runs of the user's own software that tell nearly all of the error that a plan's prediction has there: which to
// make, and what they measured.

#include "core/values/basics/phrase.h"
#include "views/jobs/probes_read.h"
#include "views/jobs/probes_to_run.h"
#include "views/parts/text.h"

#include <QDir>
#include <QTabWidget>

namespace plimsoll {

class OwnSoftwarePage : public QTabWidget {
    Q_OBJECT
public:
    explicit OwnSoftwarePage(Workspace& workspace)
        : to_run_(new ProbesToRun(workspace)), read_(new ProbesRead(workspace)) {
        setDocumentMode(true);
        addTab(to_run_, tr("Runs to make"));
        addTab(read_, tr("What they measured"));
        connect(to_run_, &ProbesToRun::written, this, [this](const QString& folder) {
            show_folder(folder);
            emit status_message(tr("The job is in %1: submit job.sh there").arg(QDir::toNativeSeparators(folder)));
        });
        connect(read_, &ProbesRead::kept, this, [this](int runs) {
            emit status_message(tr("For plans like this one count from here on: %1. Undo takes them back")
                                    .arg(to_qt(numbered(runs, "run", "runs"))));
        });
    }

    ProbesToRun* to_run() const { return to_run_; }
    ProbesRead* read() const { return read_; }
    void show_folder(const QString& folder) {
        read_->read(folder);
        setCurrentWidget(read_);
    }

signals:
    void status_message(const QString& text);

private:
    ProbesToRun* to_run_;
    ProbesRead* read_;
};

}  // namespace plimsoll
