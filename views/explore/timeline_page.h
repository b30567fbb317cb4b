#pragma once
// The step as the pipeline works through it. Simulated only while in view, so
// that sliders stay as quick as they are.

#include "views/charts/export.h"
#include "views/document/workspace.h"
#include "views/explore/gantt.h"

#include <QByteArray>
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

// A timeline as a file: a trace, a table, or a picture on the page and in the
// palette of the exported figures.

// What `view` shows, as "svg", "pdf" or "png" (300 dpi); empty for any other format.
QByteArray gantt_picture(const Timeline&, GanttView view, const QString& format, const QString& title);

// A trace (.json), table (.csv) or picture of what is in view (.svg, .png, .pdf), by the ending.
ExportFile timeline_file(const Timeline&, const GanttView&, const Scenario&, const QString& path);
// The whole step of a plan as <stem>-pipeline-timeline.<format> for each format.
ExportFiles timeline_files(const Scenario&, const QString& stem, const std::vector<std::string>& formats);

}  // namespace plimsoll
