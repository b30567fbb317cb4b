#include "views/inputs/layer_cells.h"

#include "views/charts/look.h"
#include "views/parts/widgets.h"

namespace plimsoll {

void LayerCells::next_line() {
    x_ = left_;
    y_ += side() + between_lines;
}

QRectF LayerCells::place() {
    const QRectF box(x_, y_, side(), side());
    x_ += side() + between_cells;
    return box;
}

QRectF LayerCells::add_mark() {
    if (x_ + side() > right_ && !begins_a_line()) next_line();
    return place();
}

void LayerCells::add(std::span<const PatternRun> runs) {
    for (const PatternRun& run : runs) {
        if (run.times > 1) add_repeated(run);
        else
            for (const char letter : run.letters) cells.push_back({add_mark(), letter});
        space();
    }
}

void LayerCells::add_repeated(const PatternRun& run) {
    const QString times = QStringLiteral("%1×").arg(run.times);
    const double label = metrics_.horizontalAdvance(times) + 3;
    const double whole = label + double(run.letters.size()) * (side() + between_cells);
    if (x_ + whole > right_ && !begins_a_line()) next_line();
    groups.push_back({{}, times, {x_, y_, label, side()}});
    x_ += label;
    for (const char letter : run.letters) {
        const bool breaks = x_ + side() > right_ && !groups.back().box.isNull();
        if (breaks) {
            next_line();
            groups.push_back({});
        }
        cells.push_back({place(), letter});
        groups.back().box = groups.back().box.united(cells.back().box);
    }
}

void paint_layer_cell(QPainter& painter, const QRectF& box, const QColor& fill, const QString& letter) {
    painter.fillRect(box, fill);
    painter.setPen(ink_on(fill));
    painter.drawText(box, Qt::AlignCenter, letter);
}

void paint_groups(QPainter& painter, const std::vector<LayerCells::Group>& groups, const QPalette& palette) {
    painter.setBrush(Qt::NoBrush);
    for (const LayerCells::Group& g : groups) {
        painter.setPen(QPen(outline_colour(palette), 1));
        painter.drawRect(g.box.adjusted(-1.5, -1.5, 1.5, 1.5));
        painter.setPen(palette.color(QPalette::WindowText));
        painter.drawText(g.times_box, Qt::AlignLeft | Qt::AlignVCenter, g.times);
    }
}

QColor colour_of_kind(int kind, const QPalette& palette) {
    return look_of(is_dark(palette) ? dark_chart() : light_chart(), kind).colour;
}

}  // namespace plimsoll
