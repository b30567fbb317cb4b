#pragma once
// Cells with letters, a layer each, in groups where they repeat: "5 x [MEMEM*E]". They go from left to right and on to
// the next line, as words do. The strips of a model's layers and of its stages are made of them.

#include "core/values/plan/pattern.h"

#include <QColor>
#include <QFontMetricsF>
#include <QPainter>
#include <QPalette>
#include <QRectF>
#include <QString>

#include <span>
#include <vector>

namespace plimsoll {

class LayerCells {
public:
    struct Cell {
        QRectF box;
        char letter;
    };
    struct Group {            // what repeats: its cells, and how often; on two lines it has two boxes
        QRectF box;
        QString times;
        QRectF times_box;
    };
    LayerCells(const QFontMetricsF& metrics, double left, double right, double top)
        : metrics_(metrics), left_(left), right_(right), x_(left), y_(top) {}

    static double side(const QFontMetricsF& metrics) { return metrics.height() + 2; }
    double side() const { return side(metrics_); }
    void add(std::span<const PatternRun>);   // what repeats keeps together where a line has room for it
    QRectF add_mark();                       // room for one cell that is no layer
    void space() { x_ += between_groups; }
    bool has_room_for(std::size_t cells) const { return x_ + double(cells) * (side() + between_cells) <= right_; }
    void next_line();
    bool begins_a_line() const { return x_ == left_; }
    double top() const { return y_; }        // of the line

    std::vector<Cell> cells;
    std::vector<Group> groups;

    static constexpr double between_cells = 1, between_groups = 6, between_lines = 3;

private:
    QRectF place();
    void add_repeated(const PatternRun&);

    QFontMetricsF metrics_;
    double left_, right_, x_, y_;
};

void paint_layer_cell(QPainter&, const QRectF& box, const QColor& fill, const QString& letter);
void paint_groups(QPainter&, const std::vector<LayerCells::Group>&, const QPalette&);
// The ground of a kind's cells, by its place in the table of kinds.
QColor colour_of_kind(int kind, const QPalette&);

}  // namespace plimsoll
