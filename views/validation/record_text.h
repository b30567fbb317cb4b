#pragma once
// How well predictions do, in a line for the status bar and a paragraph for the page.

#include "core/files/results/track_record.h"

#include <QString>

namespace plimsoll {

QString record_line(const TrackRecord&);     // "1,384 published runs, median error 5.9 %, worst +88 %"
QString record_summary(const TrackRecord&);  // HTML
QString signed_percent(double share);        // "+3.1 %"

}  // namespace plimsoll
