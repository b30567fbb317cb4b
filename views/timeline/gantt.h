#pragma once
// A timeline to move about in: W and S, + and -, or the wheel zoom; A and D,
// the arrows or dragging pan; 0 shows everything. Hovering names the task.

#include <QWidget>  // first: moc loses track of <concepts> where that is the first header it meets

#include "views/timeline/gantt_painting.h"

namespace plimsoll {

class Gantt : public QWidget {
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
    QSize minimumSizeHint() const override { return {300, 160}; }

protected:
    void paintEvent(QPaintEvent*) override;
    void keyPressEvent(QKeyEvent*) override;
    void wheelEvent(QWheelEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void mouseMoveEvent(QMouseEvent*) override;
    void mouseReleaseEvent(QMouseEvent*) override;
    void changeEvent(QEvent*) override;

private:
    void look_at(double from, double to);

    Timeline timeline_;
    bool stale_ = false;
    double from_ = 0, to_ = 1;   // in view, as shares of the whole
    double dragged_from_ = -1;
};

}  // namespace plimsoll
