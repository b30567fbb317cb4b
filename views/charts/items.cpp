#include "views/charts/items.h"

#include "views/parts/language.h"
#include "views/parts/text.h"

#include <algorithm>

namespace plimsoll {

void HatchedBars::set_label(const QString& text, const QFont& font, const QColor& colour) {
    label_ = text;
    font_ = font;
    text_ = colour;
}

void HatchedBars::draw(QCPPainter* painter) {
    QCPBars::draw(painter);
    if (hatch_ != Hatch::none) draw_hatch(painter);
    if (!label_.isEmpty()) draw_label(painter);
}

void HatchedBars::draw_hatch(QCPPainter* painter) const {
    painter->setPen(QPen(hatch_ink(brush().color()), 0.8));
    for (const QCPBarsData& bar : *data()) {
        const QRectF box = getBarRect(bar.key, bar.value).normalized().adjusted(0.5, 0.5, -0.5, -0.5);
        if (box.width() > 2 && box.height() > 2) painter->drawLines(hatch_lines(hatch_, box, 6));
    }
}

void HatchedBars::draw_label(QCPPainter* painter) const {
    painter->setPen(text_);
    painter->setFont(font_);
    for (const QCPBarsData& bar : *data()) {
        const QRectF box = getBarRect(bar.key, bar.value).normalized();
        const double high = QFontMetricsF(font_).height() + 2;
        const QRectF room(box.right() + 5, box.center().y() - high / 2, 10, high);
        painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, label_);
    }
}

LabelledLine::LabelledLine(QCustomPlot& plot, const std::vector<std::string>& labels, const QFont& font,
                           const ChartTheme& theme)
    : QCPGraph(plot.xAxis, plot.yAxis), font_(font), text_(theme.text), ground_(theme.background) {
    ground_.setAlpha(170);
    for (const std::string& label : labels) labels_.append(worded(label));
}

// On the side the line bends away from: below it first, for the best lies below all others.
void LabelledLine::draw(QCPPainter* painter) {
    QCPGraph::draw(painter);
    painter->setFont(font_);
    const QFontMetricsF metrics(font_, painter->device());
    const QRectF plot = keyAxis()->axisRect()->rect();
    std::vector<QRectF> taken;
    const auto free = [&](const QRectF& box) {
        return plot.contains(box)
            && std::none_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(box); });
    };
    const int count = std::min(dataCount(), int(labels_.size()));
    for (int i = 0; i < count; ++i) {
        if (i > 0 && labels_[i] == labels_[i - 1]) continue;
        const QPointF at = point(i);
        const bool falls = count > 1 && point(std::min(i + 1, count - 1)).y() > point(std::max(i - 1, 0)).y();
        const QSizeF size(metrics.horizontalAdvance(labels_[i]) + 6, metrics.height());
        const double left = at.x() - size.width() - 3, right = at.x() + 3, above = at.y() - size.height() - 4,
                     below = at.y() + 4;
        for (const QPointF& corner : {QPointF(falls ? left : right, below), QPointF(falls ? right : left, above),
                                      QPointF(at.x() - size.width() / 2, below + 4)}) {
            const QRectF box(corner, size);
            if (!free(box)) continue;
            taken.push_back(box);
            painter->fillRect(box, ground_);
            painter->setPen(text_);
            painter->drawText(box, Qt::AlignCenter, labels_[i]);
            break;
        }
    }
}

LegendBlock::LegendBlock(QCustomPlot* plot, Place place) : QCPLayoutElement(plot), place_(place) {}

void LegendBlock::set_entries(std::vector<LegendEntry> entries) {
    entries_ = std::move(entries);
    const QFontMetrics metrics(font_);
    widths_.clear();
    for (const LegendEntry& e : entries_) widths_.push_back(metrics.horizontalAdvance(e.label));
}

void LegendBlock::set_style(const QFont& font, const QColor& text) {
    font_ = font;
    text_ = text;
    line_ = QFontMetrics(font_).height() + 3;
    set_entries(std::move(entries_));
}

std::vector<QPoint> LegendBlock::places(const std::vector<int>& widths) const {
    std::vector<QPoint> at;
    const int at_the_end = least_lines_ > 0 ? gap() : 0;   // which may lie beyond the edge
    const int room = parentPlot()->viewport().width() - margins().left() - margins().right() + at_the_end;
    QPoint next(0, 0);
    for (std::size_t i = 0; i < widths.size(); ++i) {
        const bool wraps = place_ == Place::beside || next.x() + cell_width(widths[i]) > room;
        if (i > 0 && wraps) next = QPoint(0, next.y() + line_);
        at.push_back(next);
        next.rx() += cell_width(widths[i]);
    }
    return at;
}

int LegendBlock::lines_of(const std::vector<int>& widths) const {
    return widths.empty() ? 0 : places(widths).back().y() / line_ + 1;
}

int LegendBlock::lines() const { return entries_.empty() ? 0 : std::max(least_lines_, lines_of(widths_)); }

QSize LegendBlock::needed() const {
    if (entries_.empty()) return {0, 0};
    int widest = least_width_;
    for (const int label : widths_) widest = std::max(widest, cell_width(label));
    return {widest + margins().left() + margins().right(), lines() * line_ + margins().top() + margins().bottom()};
}

void LegendBlock::keep_room(const QStringList& labels, int lines) {
    const QFontMetrics metrics(font_);
    std::vector<int> widths;
    for (const QString& label : labels) widths.push_back(metrics.horizontalAdvance(label));
    least_lines_ = std::max(1, lines);
    if (place_ == Place::below) least_lines_ = std::max(least_lines_, lines_of(widths));
    least_width_ = widths.empty() ? 0 : cell_width(*std::ranges::max_element(widths));
}

QSize LegendBlock::maximumOuterSizeHint() const {
    return place_ == Place::beside ? QSize(needed().width(), QWIDGETSIZE_MAX)
                                   : QSize(QWIDGETSIZE_MAX, needed().height());
}

void LegendBlock::draw(QCPPainter* painter) {
    painter->setFont(font_);
    const std::vector<QPoint> at = places(widths_);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        const QRect box(rect().topLeft() + at[i], QSize(cell_width(widths_[i]), line_));
        draw_icon(painter, entries_[i], QRectF(box.left(), box.top(), icon_, line_));
        painter->setPen(text_);
        painter->drawText(box.adjusted(icon_ + 6, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextDontClip,
                          entries_[i].label);
    }
}

void LegendBlock::draw_icon(QCPPainter* painter, const LegendEntry& e, const QRectF& box) const {
    const QPointF centre = box.center();
    painter->setAntialiasing(true);
    painter->setPen(e.pen);
    painter->setBrush(e.fill);
    switch (e.kind) {
        case LegendEntry::Kind::swatch: {
            const QRectF swatch(centre.x() - 8, centre.y() - 5, 16, 10);
            painter->drawRect(swatch);
            painter->setPen(QPen(hatch_ink(e.fill.color()), 0.8));
            painter->drawLines(hatch_lines(e.hatch, swatch, 5));
            break;
        }
        case LegendEntry::Kind::upright:
            painter->drawLine(QPointF(centre.x(), box.top() + 2), QPointF(centre.x(), box.bottom() - 2));
            break;
        case LegendEntry::Kind::line:
            if (e.pen.style() != Qt::NoPen)
                painter->drawLine(QPointF(box.left(), centre.y()), QPointF(box.right(), centre.y()));
            if (!e.marker.isNone()) {
                e.marker.applyTo(painter, e.pen);
                e.marker.drawShape(painter, centre);
            }
            break;
    }
}

}  // namespace plimsoll
