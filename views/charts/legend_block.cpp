#include "views/charts/legend_block.h"

#include <algorithm>

namespace plimsoll {

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

std::vector<QPoint> LegendBlock::places() const {
    std::vector<QPoint> at;
    const int room = parentPlot()->viewport().width() - margins().left() - margins().right();
    QPoint next(0, 0);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        const bool wraps = place_ == Place::beside || next.x() + cell_width(i) > room;
        if (i > 0 && wraps) next = QPoint(0, next.y() + line_);
        at.push_back(next);
        next.rx() += cell_width(i);
    }
    return at;
}

QSize LegendBlock::needed() const {
    if (entries_.empty()) return {0, 0};
    int widest = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i) widest = std::max(widest, cell_width(i));
    return {widest + margins().left() + margins().right(),
            places().back().y() + line_ + margins().top() + margins().bottom()};
}

QSize LegendBlock::maximumOuterSizeHint() const {
    return place_ == Place::beside ? QSize(needed().width(), QWIDGETSIZE_MAX)
                                   : QSize(QWIDGETSIZE_MAX, needed().height());
}

void LegendBlock::draw(QCPPainter* painter) {
    painter->setFont(font_);
    const std::vector<QPoint> at = places();
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        const QRect box(rect().topLeft() + at[i], QSize(cell_width(i), line_));
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
            painter->setPen(QPen(QColor(0, 0, 0, 130), 0.8));
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
