#pragma once
// The step as the pipeline works through it. Simulated only while in view, so
// that sliders stay as quick as they are.

#include "views/charts/export.h"
#include "views/document/workspace.h"
#include "views/explore/gantt.h"

#include <QLabel>

namespace plimsoll {

class TimelinePage : public QWidget {
    Q_OBJECT
public:
    explicit TimelinePage(Workspace& workspace, QWidget* parent = nullptr);

    Gantt* gantt() const { return gantt_; }
    // A trace (.json), table (.csv) or picture of what is in view (.svg, .png, .pdf), by the ending.
    Problems save(const QString& path) const;

private:
    void present(const Snapshot&);
    void ask_save();

    Workspace& workspace_;
    Gantt* gantt_;
    QLabel* note_;
    Scenario shown_;
};

// A timeline as a file: a trace, a table, or a picture like those of figures.

// What `view` shows.
Picture picture_of(const Timeline&, const GanttView& view, const FigureOptions&);
// A trace (.json), table (.csv) or picture of what is in view (.svg, .png, .pdf), by the ending.
ExportFile timeline_file(const Timeline&, const GanttView&, const Scenario&, const QString& path,
                         const ExportOptions& = {});
inline constexpr const char* timeline_id = "pipeline-timeline";   // among the figures of an export
Picture timeline_picture(const Scenario&, const FigureOptions&);  // of the whole step
// The whole step of a plan as <stem>-pipeline-timeline.<format> for each format, and as a trace where `trace` says so.
ExportFiles timeline_files(const Scenario&, const QString& stem, const ExportOptions&, bool trace = false);

}  // namespace plimsoll
