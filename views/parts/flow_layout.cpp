#include "views/parts/flow_layout.h"

#include <QWidget>

#include <algorithm>

namespace plimsoll {

FlowLayout::FlowLayout(QWidget* parent, int gap) : QLayout(parent), gap_(gap) { setContentsMargins(0, 0, 0, 0); }

FlowLayout::~FlowLayout() {
    for (QLayoutItem* item : items_) delete item;
}

QLayoutItem* FlowLayout::takeAt(int i) {
    if (i < 0 || i >= count()) return nullptr;
    QLayoutItem* item = items_[i];
    items_.erase(items_.begin() + i);
    return item;
}

QSize FlowLayout::minimumSize() const {
    QSize size;
    for (const QLayoutItem* item : items_)
        if (!item->isEmpty()) size = size.expandedTo(item->minimumSize());
    return size;
}

void FlowLayout::setGeometry(const QRect& area) {
    QLayout::setGeometry(area);
    place(area, true);
}

int FlowLayout::place(const QRect& area, bool really) const {
    int x = area.left(), y = area.top(), line = 0;
    for (QLayoutItem* item : items_) {
        if (item->isEmpty()) continue;
        QSize size = item->sizeHint();
        size.setWidth(std::min(size.width(), area.width()));
        if (x > area.left() && x + size.width() > area.left() + area.width()) {
            x = area.left();
            y += line + gap_;
            line = 0;
        }
        if (really) item->setGeometry({QPoint(x, y), size});
        x += size.width() + gap_;
        line = std::max(line, size.height());
    }
    return y + line - area.top();
}

}  // namespace plimsoll
