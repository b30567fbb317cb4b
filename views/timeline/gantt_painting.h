#pragma once
// A timeline as a picture: stages as rows, time to the right, idle time left
// empty. Forward, backward and weight gradient differ in colour and hatch; later
// chunks of a stage are paler.
//
// With more than `most_bars` in view a row becomes columns two pixels wide whose
// filled height is the share of time at work, split by kind: nothing is dropped.

#include "core/answers/curves/timeline.h"
#include "views/charts/look.h"

#include <QPainter>

namespace plimsoll {

inline constexpr int most_bars = 2000;

struct GanttView {
    QRectF area;           // everything, legend and axes included
    Seconds from, to;      // what is in view
    int stages = 0;

    QRectF rows() const;   // where the bars are
    QRectF row(int stage) const;
    double x_of(Seconds) const;
    Seconds time_at(double x) const;
    int stage_at(double y) const;   // -1 beside the rows
};

void paint_gantt(QPainter&, const Timeline&, const GanttView&, const ChartTheme&);

// The task of `stage` at this time; null while it is idle.
const TimelineTask* task_at(const Timeline&, int stage, Seconds);

}  // namespace plimsoll
