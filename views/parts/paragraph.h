#pragma once
// Text of any length, which wraps and can be copied.
//
//   summary_ = paragraph(tr("What will run"));    // the name is for screen readers; the text comes later

#include <QLabel>

namespace plimsoll {

inline QLabel* paragraph(const QString& name) {
    auto* label = new QLabel;
    label->setWordWrap(true);
    label->setAccessibleName(name);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

}  // namespace plimsoll
