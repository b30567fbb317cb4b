#pragma once
// The step as the pipeline works through it. Simulated only while in view, so
// that sliders stay as quick as they are.

#include "core/files/text/problem.h"
#include "views/timeline/gantt.h"
#include "views/plan/workspace.h"

#include <QLabel>

namespace plimsoll {

class TimelinePage : public QWidget {
    Q_OBJECT
public:
    explicit TimelinePage(Workspace& workspace, QWidget* parent = nullptr);

    Gantt* gantt() const { return gantt_; }
    // A trace (.json), table (.csv) or picture of what is in view (.svg, .png, .pdf), by the ending.
    Problems save(const QString& path) const;

protected:
    void showEvent(QShowEvent*) override;

private:
    void present(const Snapshot&);
    void ask_save();

    Workspace& workspace_;
    Gantt* gantt_;
    QLabel* note_;
    Scenario shown_;
    bool behind_ = true;
};

}  // namespace plimsoll
