#include "views/parts/section.h"

namespace plimsoll {

Section::Section(const QString& title, Level level, bool open, QWidget* parent)
    : QWidget(parent), title_(title), heading_(new QToolButton), body_(new QWidget) {
    heading_->setText(title);
    heading_->setAccessibleName(title);
    heading_->setCheckable(true);
    heading_->setChecked(open);
    heading_->setAutoRaise(true);
    heading_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    heading_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    if (level == Level::group) {
        QFont font = heading_->font();
        font.setBold(true);
        heading_->setFont(font);
    }
    content_ = new QVBoxLayout(body_);
    content_->setContentsMargins(level == Level::details ? 8 : 4, 0, 0, 4);
    content_->setSpacing(2);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(2);
    all->addWidget(heading_);
    all->addWidget(body_);
    connect(heading_, &QToolButton::toggled, this, &Section::refresh);
    refresh();
}

void Section::set_idle(const QString& reason) {
    const QString text = reason.isEmpty() ? title_ : tr("%1 (not used: %2)").arg(title_, reason);
    if (text == heading_->text()) return;
    heading_->setText(text);
    heading_->setAccessibleName(text);
}

void Section::set_filtered(bool filtering, bool any_match) {
    filtering_ = filtering;
    setVisible(!filtering || any_match);
    refresh();
}

void Section::refresh() {
    const bool open = filtering_ || heading_->isChecked();
    heading_->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    body_->setVisible(open);
}

}  // namespace plimsoll
