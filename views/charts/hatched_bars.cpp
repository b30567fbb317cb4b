#include "views/charts/hatched_bars.h"

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
    painter->setPen(QPen(QColor(0, 0, 0, 130), 0.8));
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
        const QRectF room(box.right() + 5, box.center().y() - 10, 200, 20);
        painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter, label_);
    }
}

}  // namespace plimsoll
