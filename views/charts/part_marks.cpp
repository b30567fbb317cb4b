#include "views/charts/part_marks.h"

#include "views/charts/drawing.h"
#include "views/parts/text.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace plimsoll {

namespace {

// Each part of a bar from its lower to its upper end, in the order of the stack.
void for_each_part(const Figure& f, std::size_t bar,
                   const std::function<void(const Series&, double low, double high)>& visit) {
    double low = 0;
    for (const Series& s : f.series) {
        if (s.mark != Mark::stacked_bar || bar >= s.y.size()) continue;
        visit(s, low, low + s.y[bar]);
        low += s.y[bar];
    }
}

QRectF box_of(const QCustomPlot& plot, std::size_t bar, double low, double high) {
    const double left = plot.xAxis->coordToPixel(double(bar) - bar_width / 2);
    const double right = plot.xAxis->coordToPixel(double(bar) + bar_width / 2);
    const double bottom = plot.yAxis->coordToPixel(low), top = plot.yAxis->coordToPixel(high);
    return QRectF(QPointF(left, top), QPointF(right, bottom));
}

}  // namespace

const Series* find_part(const Figure& f, const std::string& id) {
    const auto at = std::ranges::find_if(
        f.series, [&](const Series& s) { return s.mark == Mark::stacked_bar && s.id == id; });
    return at == f.series.end() ? nullptr : &*at;
}

std::string part_at(const QCustomPlot& plot, const Figure& f, const QPointF& at) {
    const double x = plot.xAxis->pixelToCoord(at.x()), y = plot.yAxis->pixelToCoord(at.y());
    const double bar = std::round(x);
    std::string found;
    if (bar < 0 || bar >= double(f.categories.size()) || std::abs(x - bar) > bar_width / 2) return found;
    for_each_part(f, std::size_t(bar), [&](const Series& s, double low, double high) {
        if (y >= low && y < high) found = s.id;
    });
    return found;
}

std::string next_part(const Figure& f, const std::string& id, int by) {
    std::vector<std::string> parts;
    for (const Series& s : f.series)
        if (s.mark == Mark::stacked_bar) parts.push_back(s.id);
    if (parts.empty()) return {};
    const auto here = std::ranges::find(parts, id);
    if (here == parts.end()) return by > 0 ? parts.front() : parts.back();
    const auto place = std::clamp<std::ptrdiff_t>(here - parts.begin() + by, 0, std::ssize(parts) - 1);
    return parts[std::size_t(place)];
}

QStringList part_values(const Figure& f, const std::string& id) {
    QStringList values;
    if (const Series* part = find_part(f, id))
        for (const double y : part->y) values << with_unit(y, f.y);
    return values;
}

namespace {

// A value stands inside its part where there is room, else above it, on a ground that keeps it readable; upright where
// the next bar is near. The unit is left out where it does not fit.
void write_value(QPainter& painter, const QCustomPlot& plot, const QRectF& box, const QString& with_unit,
                 const QString& number, const ChartTheme& theme) {
    const QFontMetrics metrics(painter.font());
    const double room = plot.xAxis->coordToPixel(1) - plot.xAxis->coordToPixel(0) - 2;
    const auto width = [&](const QString& text) { return metrics.horizontalAdvance(text) + 6.0; };
    const QString text = width(with_unit) <= room ? with_unit : number;
    const bool upright = width(text) > room;
    QRectF chip(0, 0, width(text), metrics.height() + 2);
    if (upright) chip = chip.transposed();
    chip.moveCenter(box.center());
    if (chip.height() > box.height() - 4) chip.moveBottom(box.top() - 3);
    if (chip.top() < plot.axisRect()->top()) chip.moveTop(box.bottom() + 3);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.background);
    painter.drawRect(chip);
    painter.setPen(theme.text);
    if (!upright) return painter.drawText(chip, Qt::AlignCenter, text);
    painter.save();
    painter.translate(chip.center());
    painter.rotate(-90);
    painter.drawText(QRectF(-chip.height() / 2, -chip.width() / 2, chip.height(), chip.width()), Qt::AlignCenter, text);
    painter.restore();
}

}  // namespace

void paint_part(QPainter& painter, const QCustomPlot& plot, const Figure& f, const std::string& id,
                const ChartTheme& theme) {
    const QStringList values = part_values(f, id);
    painter.setFont(chart_font());
    for (int bar = 0; bar < values.size(); ++bar)
        for_each_part(f, std::size_t(bar), [&](const Series& s, double low, double high) {
            if (s.id != id) return;
            const QRectF box = box_of(plot, std::size_t(bar), low, high);
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(theme.background, 4));
            painter.drawRect(box);
            painter.setPen(QPen(theme.text, 2));
            painter.drawRect(box);
            write_value(painter, plot, box, values[bar], grouped(s.y[std::size_t(bar)]), theme);
        });
}

}  // namespace plimsoll
