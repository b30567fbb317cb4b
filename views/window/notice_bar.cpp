#include "views/window/notice_bar.h"

#include "views/parts/arrange.h"

#include <utility>

namespace plimsoll {

NoticeBar::NoticeBar(QWidget* parent) : QWidget(parent), text_(paragraph(tr("Notice"))) {
    setLayout(beside({{text_, 1}}, {8, 6, 8, 6}));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::AlternateBase);
    hide();
}

void NoticeBar::add(Notice notice) {
    notices_.push_back(std::move(notice));
    if (notices_.size() == 1) show_first();
    else show_text();
}

QPushButton* NoticeBar::button(const QString& name) const {
    return buttons_ ? buttons_->findChild<QPushButton*>(name) : nullptr;
}

void NoticeBar::show_first() {
    if (buttons_) {
        buttons_->hide();
        buttons_->deleteLater();  // it may be one of its buttons that led here
        buttons_ = nullptr;
    }
    setVisible(!notices_.empty());
    if (notices_.empty()) return text_->clear();
    const Notice& notice = notices_.front();
    QBoxLayout* line = beside({}, no_margins);
    for (std::size_t i = 0; i < notice.answers.size(); ++i) {
        const auto& [label, name, act] = notice.answers[i];
        line->addWidget(plimsoll::button(label, name.toUtf8(), {}, this, [this, i] { answered(i); }));
    }
    buttons_ = piece(line);
    layout()->addWidget(buttons_);
    show_text();
}

void NoticeBar::show_text() {
    const QString more = notices_.size() > 1 ? tr(" (1 of %1)").arg(notices_.size()) : QString();
    text_->setText(notices_.front().text + more);
}

void NoticeBar::answered(std::size_t which) {
    const auto act = notices_.front().answers[which].act;  // a copy: it may add a notice
    if (act && !act()) return;
    notices_.pop_front();
    std::erase_if(notices_, [](const Notice& n) { return n.settled && n.settled(); });
    show_first();
}

}  // namespace plimsoll
