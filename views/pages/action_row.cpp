#include "views/pages/action_row.h"

namespace plimsoll {

namespace {
constexpr int gap_between_actions = 6;
}  // namespace

ActionRow::ActionRow(QWidget* before) : before_(before), more_(new QToolButton(this)) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    more_->setObjectName(QStringLiteral("more_actions"));
    more_->setPopupMode(QToolButton::InstantPopup);
    more_->setText(tr("More (%1)").arg(8));   // as wide as it becomes
    more_->setMenu(&menu_);
    more_->hide();
    connect(&menu_, &QMenu::aboutToShow, this, &ActionRow::fill_menu);
}

void ActionRow::add(QPushButton* button) {
    button->setParent(this);
    setTabOrder(buttons_.isEmpty() ? before_ : buttons_.back(), button);
    buttons_ << button;
    place();
}

void ActionRow::clear() {
    qDeleteAll(buttons_);
    buttons_.clear();
    place();
}

void ActionRow::place() {
    const int for_more = more_->sizeHint().width() + gap_between_actions;
    int left = 0, seen = 0;
    for (; seen < buttons_.size(); ++seen) {
        QPushButton* button = buttons_[seen];
        const int wide = button->sizeHint().width();
        const bool last = seen + 1 == buttons_.size();
        if (left + wide + (last ? 0 : for_more) > width()) break;
        button->setGeometry(left, 0, wide, height());
        button->show();
        left += wide + gap_between_actions;
    }
    for (qsizetype i = seen; i < buttons_.size(); ++i) buttons_[i]->hide();
    more_->setVisible(seen < buttons_.size());
    more_->setText(tr("More (%1)").arg(buttons_.size() - seen));
    more_->setGeometry(left, 0, more_->sizeHint().width(), height());
}

void ActionRow::fill_menu() {
    menu_.clear();
    for (QPushButton* button : buttons_)
        if (button->isHidden()) menu_.addAction(QString(button->text()).replace(u'&', QStringLiteral("&&")), button,
                                                &QPushButton::click);
}

}  // namespace plimsoll
