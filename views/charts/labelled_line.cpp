#include "views/charts/labelled_line.h"

#include "views/plan/text.h"

#include <algorithm>

namespace plimsoll {

LabelledLine::LabelledLine(QCustomPlot& plot, const std::vector<std::string>& labels, const QFont& font, const ChartTheme& theme)
    : QCPGraph(plot.xAxis, plot.yAxis), font_(font), text_(theme.text), ground_(theme.background) {
    ground_.setAlpha(170);
    for (const std::string& label : labels) labels_.append(to_qt(label));
}

// On the side the line bends away from: below it first, for the best lies below all others.
void LabelledLine::draw(QCPPainter* painter) {
    QCPGraph::draw(painter);
    painter->setFont(font_);
    const QFontMetricsF metrics(font_, painter->device());
    const QRectF plot = keyAxis()->axisRect()->rect();
    std::vector<QRectF> taken;
    const auto free = [&](const QRectF& box) {
        return plot.contains(box) && std::none_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(box); });
    };
    const int count = std::min(dataCount(), int(labels_.size()));
    for (int i = 0; i < count; ++i) {
        if (i > 0 && labels_[i] == labels_[i - 1]) continue;
        const QPointF at = point(i);
        const bool falls = count > 1 && point(std::min(i + 1, count - 1)).y() > point(std::max(i - 1, 0)).y();
        const QSizeF size(metrics.horizontalAdvance(labels_[i]) + 6, metrics.height());
        const double left = at.x() - size.width() - 3, right = at.x() + 3, above = at.y() - size.height() - 4, below = at.y() + 4;
        for (const QPointF& corner : {QPointF(falls ? left : right, below), QPointF(falls ? right : left, above), QPointF(at.x() - size.width() / 2, below + 4)}) {
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

}  // namespace plimsoll
