#include "views/charts/overlay.h"

#include <QPainter>

namespace plimsoll {

void paint_value_label(QPainter& painter, const ChartTheme& theme, const QStringList& lines, const QPointF& at,
                       const QSize& size) {
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setPixelSize(11);
    painter.setFont(font);
    const QString text = lines.join(QLatin1Char('\n'));
    const int x = static_cast<int>(at.x());
    QRect box = QFontMetrics(font).boundingRect(QRect(0, 0, 600, 600), Qt::AlignLeft, text).adjusted(-7, -5, 7, 5);
    box.moveTopLeft(QPoint(x + 10, static_cast<int>(at.y()) + 8));
    if (box.right() > size.width() - 4) box.moveRight(x - 10);
    if (box.left() < 2) box.moveLeft(2);
    if (box.bottom() > size.height() - 4) box.moveBottom(static_cast<int>(at.y()) - 8);
    painter.setPen(theme.axis);
    painter.setBrush(theme.background);
    painter.drawRect(box);
    painter.setPen(theme.text);
    painter.drawText(box.adjusted(7, 5, -7, -5), Qt::AlignLeft, text);
}

void paint_focus(const QWidget& widget, QPainter& painter) {
    if (!widget.hasFocus()) return;
    painter.setPen(QPen(widget.palette().color(QPalette::Highlight), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(widget.rect().adjusted(0, 0, -1, -1));
}

}  // namespace plimsoll
