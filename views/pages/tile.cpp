#include "views/pages/tile.h"

#include "views/parts/colours.h"
#include "views/plan/text.h"

#include <QPainter>

namespace plimsoll {

Tile::Tile(const QString& caption, const std::string& explains, QWidget* parent)
    : QAbstractButton(parent), explains_(explains) {
    setText(caption);
    setObjectName(QStringLiteral("tile.") + to_qt(explains));
    setAccessibleName(caption);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
}

QSize Tile::sizeHint() const {
    const int line = fontMetrics().height();
    const int lines = 3 + (compact_ ? 0 : 1) + (text_.delta.isEmpty() ? 0 : 1);
    return {150, line * lines + line / 2 + 16};
}

void Tile::set_compact(bool compact) {
    compact_ = compact;
    updateGeometry();
}

void Tile::set_text(const TileText& text, bool stale) {
    const bool same = text.value == text_.value && text.detail == text_.detail && text.range == text_.range && text.judged == text_.judged && text.delta == text_.delta
                   && text.alert == text_.alert && stale == stale_;
    if (same) return;
    if (text.delta.isEmpty() != text_.delta.isEmpty()) updateGeometry();
    text_ = text;
    stale_ = stale;
    QString spoken = text.spoken.isEmpty() ? text.value + QStringLiteral(", ") + text.detail : text.spoken;
    if (!text.range.isEmpty()) spoken += QStringLiteral("\n") + tr("Likely %1. %2").arg(text.range, text.judged);
    setAccessibleDescription(spoken);
    setToolTip(spoken + QStringLiteral("\n") + tr("Click to see how this number comes about"));
    update();
}

namespace {

// Shrinks the font until the text fits, then elides.
void draw_fitted(QPainter& painter, QRect box, QFont font, const QString& text) {
    while (font.pixelSize() > 12 && QFontMetrics(font).horizontalAdvance(text) > box.width())
        font.setPixelSize(font.pixelSize() - 1);
    painter.setFont(font);
    painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(font).elidedText(text, Qt::ElideRight, box.width()));
}

}  // namespace

void Tile::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor edge = text_.alert                ? alert_colour(palette())
                      : hasFocus() || underMouse() ? palette().color(QPalette::Highlight)
                                                   : palette().color(QPalette::Mid);
    painter.setPen(QPen(edge, text_.alert || hasFocus() ? 2 : 1));
    painter.setBrush(palette().base());
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 5, 5);

    const int line = fontMetrics().height(), left = 10, width = this->width() - 2 * left;
    const QColor faint = faint_colour(palette());
    painter.setPen(faint);
    painter.setFont(font());
    painter.drawText(QRect(left, 6, width, line), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(text(), Qt::ElideRight, width));

    QRect value(left, 6 + line, width, line * 3 / 2 + 4);
    if (!text_.icon.isNull()) {
        const int side = line + 2;
        text_.icon.paint(&painter, QRect(left, value.center().y() - side / 2, side, side));
        value.setLeft(left + side + 6);
    }
    QFont big = font();
    big.setBold(true);
    big.setPixelSize(line * 5 / 4 + 1);
    painter.setPen(stale_ ? faint : text_.alert ? alert_colour(palette()) : palette().color(QPalette::Text));
    draw_fitted(painter, value, big, text_.value);

    QFont small = font();
    small.setPixelSize(std::max(11, QFontInfo(font()).pixelSize() - 1));
    painter.setPen(stale_ ? faint : palette().color(QPalette::Text));
    QRect under(left, value.bottom() + 1, width, line);
    draw_fitted(painter, under, small, text_.range);
    painter.setPen(faint);
    const bool cramped = !text_.brief.isEmpty() && QFontMetrics(small).horizontalAdvance(text_.detail) > width;
    if (!compact_) draw_fitted(painter, under.translated(0, line), small, cramped ? text_.brief : text_.detail);
    if (!text_.delta.isEmpty()) {
        small.setBold(true);
        painter.setPen(palette().color(QPalette::Text));
        draw_fitted(painter, under.translated(0, compact_ ? line : 2 * line), small, text_.delta);
    }
}

}  // namespace plimsoll
