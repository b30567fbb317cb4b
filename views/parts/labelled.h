#pragma once
// An input with its label to the left, as one piece that flows to the next line
// whole. The label's mnemonic moves the focus to the input.
//
//   flow->addWidget(labelled(tr("&Steps"), steps_));

#include <QHBoxLayout>
#include <QLabel>

namespace plimsoll {

inline QWidget* labelled(const QString& text, QWidget* input) {
    auto* both = new QWidget;
    auto* line = new QHBoxLayout(both);
    line->setContentsMargins(0, 0, 0, 0);
    auto* label = new QLabel(text);
    label->setBuddy(input);
    line->addWidget(label);
    line->addWidget(input);
    return both;
}

}  // namespace plimsoll
