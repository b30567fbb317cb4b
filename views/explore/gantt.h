#pragma once
// The tasks of one step as a picture, and the widget that shows and zooms it.

#include "core/answers/curves/timeline.h"
#include "views/charts/look.h"
#include "views/parts/data_table.h"

#include <QPainter>
#include <QPixmap>
#include <QWidget>

#include <vector>

namespace plimsoll {

inline constexpr double narrowest_bar = 3;  // pixels

// A timeline as a picture: stages as rows, time to the right, idle time left
// empty. Forward, backward and weight gradient differ in colour and hatch; later
// chunks of a stage stand out more.
//
// Where tasks would be narrower than `narrowest_bar` on average, a row becomes columns two pixels wide whose filled
// height is the share of time at work, split by kind: nothing is dropped. Tasks that follow each other touch, so that
// only idle time has the colour of the ground.
struct GanttView {
    QRectF area;           // everything, legend and axes included
    Seconds from, to;      // what is in view
    int stages = 0;
    double head = 26;      // height of the legend; 0: there is none
    bool on_screen = true; // hints of what can be done with it are shown
    bool bare = false;     // rows alone, without axes

    QRectF rows() const;   // where the bars are
    QRectF row(int stage) const;
    double x_of(Seconds) const;
    Seconds time_at(double x) const;
    int stage_at(double y) const;   // -1 beside the rows
};

// What the legend takes of the height, in as many lines as a picture of this width needs.
double legend_height(const Timeline&, const QFont&, double width);
void paint_gantt(QPainter&, const Timeline&, const GanttView&, const ChartTheme&);
// The first 2 p micro-batches of every plan's step for a row of a table, all to one scale: lengths can be compared.
std::vector<QPixmap> small_timelines(const std::vector<Scenario>&, QSize, double pixel_ratio, const ChartTheme&);

// The task of `stage` at this time; null while it is idle.
const TimelineTask* task_at(const Timeline&, int stage, Seconds);

// A timeline to move about in: W and S, + and -, or the wheel zoom; A and D or
// dragging pan; 0 shows everything. Hovering names a task; Left and Right go
// from task to task of a stage, Up and Down to another stage.
class Gantt : public QWidget, public DataTable {
    Q_OBJECT
public:
    explicit Gantt(QWidget* parent = nullptr);

    // What is in view stays in view while the step keeps its length, roughly.
    void present(Timeline, bool stale);
    const Timeline& timeline() const { return timeline_; }
    GanttView view() const;
    void zoom(double factor, double x);   // around a place in the widget
    void zoom(double factor);
    void pan(double share);               // of what is in view
    void show_all();
    QString text_at(const QPointF&) const;
    QString text_of_cursor() const;       // the task that the arrow keys have led to; empty: none

    QStringList data_headings() const override;
    int data_rows() const override { return int(timeline_.tasks.size()); }
    QString data_cell(int row, int column) const override;
    int data_cursor() const override { return cursor_; }
    QSize minimumSizeHint() const override { return {300, 160}; }

protected:
    void paintEvent(QPaintEvent*) override;
    void keyPressEvent(QKeyEvent*) override;
    void wheelEvent(QWheelEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void mouseMoveEvent(QMouseEvent*) override;
    void mouseReleaseEvent(QMouseEvent*) override;
    void changeEvent(QEvent*) override;
    void contextMenuEvent(QContextMenuEvent*) override;
    void focusInEvent(QFocusEvent*) override;
    void focusOutEvent(QFocusEvent*) override;

private:
    void look_at(double from, double to);
    void move_cursor(int task);
    bool move_by_key(int key);
    void paint_cursor(QPainter&, const ChartTheme&) const;
    QString text_of(const TimelineTask&) const;

    Timeline timeline_;
    bool stale_ = false;
    double from_ = 0, to_ = 1;   // in view, as shares of the whole
    double dragged_from_ = -1;
    int cursor_ = -1;            // of the tasks; -1: none
};

}  // namespace plimsoll
