#include "views/parts/widgets.h"

#include "views/parts/text.h"

#include <QWidget>

#include <algorithm>

namespace plimsoll {

void set_text_colour(QWidget& label, const QColor& colour) {
    QPalette colours = label.palette();
    colours.setColor(QPalette::WindowText, colour);
    label.setPalette(colours);
}

PlainLabel::PlainLabel(const QString& text, QWidget* parent) : QLabel(parent) {
    setTextFormat(Qt::PlainText);
    setText(text);
}

PlainLabel::PlainLabel(Markup, QWidget* parent) : QLabel(parent) { setTextFormat(Qt::RichText); }

QSize PlainLabel::bounded(QSize size) const {
    constexpr int most_characters = 60;
    const int widest = most_characters * fontMetrics().averageCharWidth();
    return {size.width() > widest && !text().isEmpty() ? widest : size.width(), size.height()};
}

// Text of no more letters has room where a longer one had: digits are all as wide. Should it need a line more
// nevertheless, release() shows it.
void PlainLabel::set_text_in_place(const QString& text) {
    if (text == this->text()) return;
    const bool fresh = held_ < 0;
    if (!isVisible() || (!fresh && size() != minimumSize())) {
        release();
        return setText(text);
    }
    if (fresh) {
        held_ = this->text().size();
        setFixedSize(size());
    }
    setText(text);
    if (text.size() <= held_) return;
    if (heightForWidth(width()) > height()) {
        const int least = height();
        release();
        setMinimumHeight(least);   // it grows alone while a slider moves
    } else {
        held_ = text.size();
    }
}

void PlainLabel::release() {
    held_ = -1;
    setMinimumSize(0, 0);
    setMaximumSize(QWIDGETSIZE_MAX, QWIDGETSIZE_MAX);
}

QWidget* labelled(const QString& text, QWidget* input) {
    auto* both = new QWidget;
    auto* line = new QHBoxLayout(both);
    line->setContentsMargins(0, 0, 0, 0);
    auto* label = new QLabel(text);
    label->setBuddy(input);
    if (input->accessibleName().isEmpty()) input->setAccessibleName(QString(text).remove(u'&'));
    line->addWidget(label);
    line->addWidget(input);
    return both;
}

void set_tab_order_of(const std::vector<QWidget*>& parts) {
    if (parts.size() < 2) return;
    std::vector<std::vector<QWidget*>> inside(parts.size());
    QWidget* window = parts.front()->window();
    for (QWidget* w = window->nextInFocusChain(); w != window; w = w->nextInFocusChain())
        for (std::size_t i = 0; i < parts.size(); ++i)
            if (w == parts[i] || parts[i]->isAncestorOf(w)) inside[i].push_back(w);
    QWidget* before = nullptr;
    for (const std::vector<QWidget*>& part : inside)
        for (QWidget* w : part) {
            if ((w->focusPolicy() & Qt::TabFocus) != Qt::TabFocus || w->focusProxy()) continue;
            if (before) QWidget::setTabOrder(before, w);
            before = w;
        }
}

QLabel* paragraph(const QString& name) {
    auto* label = new PlainLabel;
    label->setWordWrap(true);
    label->setAccessibleName(name);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QPlainTextEdit* read_only_text(const QString& name, const QString& empty) {
    auto* text = new QPlainTextEdit;
    text->setReadOnly(true);
    text->setTabChangesFocus(true);
    text->setAccessibleName(name);
    text->setPlaceholderText(empty);
    return text;
}

Section::Section(const QString& title, Level level, bool open, QWidget* parent)
    : QWidget(parent), title_(title), heading_(new QToolButton), body_(new QWidget) {
    heading_->setText(title);
    heading_->setAccessibleName(title);
    heading_->setCheckable(true);
    heading_->setChecked(open);
    heading_->setAutoRaise(true);
    heading_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    heading_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    heading_->setMinimumWidth(1);  // a long heading ends in dots instead of pushing its neighbours out of view
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
    set_heading(reason.isEmpty() ? title_ : tr("%1 (not used: %2)").arg(title_, reason));
}

void Section::set_note(const QString& note) {
    set_heading(note.isEmpty() ? title_ : QStringLiteral("%1: %2").arg(title_, note));
}

void Section::set_heading(const QString& text) {
    if (text == heading_->text()) return;
    heading_->setText(text);
    heading_->setAccessibleName(text);
    heading_->setToolTip(plain_text(text == title_ ? QString() : text));
}

void Section::set_filtered(bool filtering, bool any_match) {
    filtering_ = filtering;
    setVisible(!filtering || any_match);
    refresh();
}

void Section::refresh() {
    const bool open = filtering_ || heading_->isChecked();
    heading_->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    heading_->setAccessibleDescription(open ? tr("Unfolded") : tr("Folded"));
    body_->setVisible(open);
}

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
