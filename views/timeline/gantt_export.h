#pragma once
// A timeline as a file: a trace, a table, or a picture on the page and in the
// palette of the exported figures.

#include "core/files/text/problem.h"
#include "views/timeline/gantt_painting.h"

#include <QByteArray>

namespace plimsoll {

// What `view` shows, as "svg", "pdf" or "png" (300 dpi); empty for any other format.
QByteArray gantt_picture(const Timeline&, GanttView view, const QString& format, const QString& title);

// A trace (.json), table (.csv) or picture of what is in view (.svg, .png, .pdf), by the ending.
Problems save_timeline(const Timeline&, const GanttView&, const Scenario&, const QString& path);
// The whole step of a plan as <stem>-pipeline-timeline.<format> for each format.
Problems export_timeline(const Scenario&, const QString& stem, const std::vector<std::string>& formats);

}  // namespace plimsoll
