#pragma once
// A timeline as a picture file, on the page and in the palette of the exported figures.

#include "views/timeline/gantt_painting.h"

#include <QByteArray>

namespace plimsoll {

// What `view` shows, as "svg", "pdf" or "png" (300 dpi); empty for any other format.
QByteArray gantt_picture(const Timeline&, GanttView view, const QString& format, const QString& title);

}  // namespace plimsoll
