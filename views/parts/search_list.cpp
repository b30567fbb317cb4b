#include "views/parts/search_list.h"

#include "views/parts/arrange.h"
#include "views/parts/text.h"

#include <QApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace plimsoll {

namespace {

constexpr int most_found = 80;
constexpr int group_role = Qt::UserRole + 1, detail_role = Qt::UserRole + 2, entry_role = Qt::UserRole + 3,
              faint_role = Qt::UserRole + 4;

int row_height(const QFontMetrics& metrics) { return metrics.height() + 8; }

// Group, label and detail on one line; the detail gives way first.
class EntryDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
        return {120, row_height(option.fontMetrics)};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& given, const QModelIndex& index) const override {
        QStyleOptionViewItem option = given;
        initStyleOption(&option, index);
        const QString label = option.text;
        option.text.clear();
        QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &option, painter, option.widget);
        painter->save();
        const bool heading = !index.data(entry_role).isValid();
        QFont font = option.font;
        font.setBold(heading);
        painter->setFont(font);
        const QFontMetrics metrics(font);
        const bool marked = option.state & QStyle::State_Selected;
        const QColor text = option.palette.color(marked ? QPalette::HighlightedText : QPalette::Text);
        const QColor faint = marked ? text : faint_colour(option.palette);
        QRect room = option.rect.adjusted(8, 0, -8, 0);
        const auto write = [&](const QRect& box, Qt::Alignment side, const QString& what, const QColor& colour) {
            painter->setPen(colour);
            painter->drawText(box, int(side | Qt::AlignVCenter) | Qt::TextSingleLine,
                              metrics.elidedText(what, Qt::ElideRight, box.width()));
        };
        if (const QString group = index.data(group_role).toString(); !group.isEmpty()) {
            const int wide = metrics.horizontalAdvance(QObject::tr("Not modelled")) + 18;
            write(QRect(room.left(), room.top(), wide - 8, room.height()), Qt::AlignLeft, group, faint);
            room.setLeft(room.left() + wide);
        } else if (!heading) {
            room.setLeft(room.left() + 10);
        }
        const int label_width = std::min(metrics.horizontalAdvance(label), room.width());
        write(room, Qt::AlignLeft, label, index.data(faint_role).toBool() ? faint : text);
        room.setLeft(room.left() + label_width + 16);
        if (room.width() > 30) write(room, Qt::AlignRight, index.data(detail_role).toString(), faint);
        painter->restore();
    }
};

}  // namespace

SearchList::SearchList(Groups groups, const QString& invitation, QWidget* parent)
    : QFrame(parent), groups_(groups), field_(new QLineEdit), list_(new QListWidget), nothing_(new PlainLabel) {
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    field_->setPlaceholderText(invitation);
    field_->setAccessibleName(invitation);
    field_->setClearButtonEnabled(true);
    field_->installEventFilter(this);
    list_->setAccessibleName(tr("What was found"));
    list_->setItemDelegate(new EntryDelegate(list_));
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setUniformItemSizes(true);
    nothing_->setForegroundRole(QPalette::PlaceholderText);
    nothing_->setMargin(6);
    nothing_->setWordWrap(true);
    QBoxLayout* column = below({field_, {list_, 1}, nothing_}, {8, 8, 8, 8}, 6);
    column->addStretch();
    setLayout(column);
    connect(field_, &QLineEdit::textChanged, this, &SearchList::refill);
    connect(list_, &QListWidget::itemClicked, this, &SearchList::choose);
}

void SearchList::set_entries(std::vector<SearchEntry> entries) {
    entries_ = std::move(entries);
    found_by_.clear();
    for (const SearchEntry& e : entries_) found_by_.emplace_back(e.found_by);
    refill();
}

void SearchList::start(const QString& typed) {
    field_->setText(typed);
    refill();
    field_->setFocus(Qt::ShortcutFocusReason);
}

QStringList SearchList::labels() const {
    QStringList all;
    for (int i = 0; i < list_->count(); ++i)
        if (list_->item(i)->data(entry_role).isValid()) all << list_->item(i)->text();
    return all;
}

QString SearchList::marked() const {
    const QListWidgetItem* item = list_->currentItem();
    return item ? item->text() : QString();
}

int SearchList::marked_entry() const {
    const QListWidgetItem* item = list_->currentItem();
    return item && item->data(entry_role).isValid() ? item->data(entry_role).toInt() : -1;
}

void SearchList::add_heading(const QString& text) {
    auto* item = new QListWidgetItem(text, list_);
    item->setFlags(Qt::ItemIsEnabled);
}

void SearchList::add(int entry, bool with_group) {
    const SearchEntry& e = entries_[std::size_t(entry)];
    auto* item = new QListWidgetItem(e.found_by.label, list_);
    if (with_group) item->setData(group_role, e.group);
    item->setData(detail_role, e.detail);
    item->setData(entry_role, entry);
    item->setData(faint_role, !e.usable);
    item->setToolTip(plain_text(e.found_by.label + (e.detail.isEmpty() ? QString() : u'\n' + e.detail)));
    item->setData(Qt::AccessibleTextRole, QStringLiteral("%1: %2, %3").arg(e.group, e.found_by.label, e.detail));
}

void SearchList::refill() {
    const Typed typed(field_->text());
    list_->clear();
    if (typed.empty() && groups_ == Groups::headings) {
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            if (i == 0 || entries_[i].group != entries_[i - 1].group) add_heading(entries_[i].group);
            add(int(i), false);
        }
    } else {
        for (const int i : ranking(typed, found_by_)) {
            if (list_->count() == most_found) break;
            if (typed.empty() || !entries_[std::size_t(i)].only_untyped) add(i, groups_ == Groups::column);
        }
    }
    set_row(0);
    nothing_->setText(tr("Nothing is called \"%1\".").arg(field_->text().trimmed()));
    nothing_->setVisible(list_->count() == 0);
    list_->setVisible(list_->count() > 0);
    emit refilled();
}

int SearchList::height_for(int most_rows) const {
    const int rows = std::clamp(list_->count(), 2, most_rows);
    return field_->sizeHint().height() + 30 + rows * row_height(list_->fontMetrics());
}

void SearchList::mark(int entry) {
    for (int i = 0; i < list_->count(); ++i) {
        const QVariant at = list_->item(i)->data(entry_role);
        if (!at.isValid() || at.toInt() != entry) continue;
        list_->setCurrentRow(i);
        list_->scrollToItem(list_->item(i), QAbstractItemView::PositionAtCenter);
        return;
    }
}

// The first line from here on that is no heading.
void SearchList::set_row(int row) {
    while (row < list_->count() && !list_->item(row)->data(entry_role).isValid()) ++row;
    if (row >= list_->count()) return;
    list_->setCurrentRow(row);
    field_->setAccessibleDescription(list_->currentItem()->data(Qt::AccessibleTextRole).toString());
}

void SearchList::move_mark(int by) {
    const int last = list_->count() - 1;
    int row = std::clamp(list_->currentRow() + by, 0, std::max(0, last));
    const int step = by < 0 ? -1 : 1;
    while (row >= 0 && row <= last && !list_->item(row)->data(entry_role).isValid()) row += step;
    if (row < 0) {  // above the first heading there is nothing
        list_->scrollToTop();
        return;
    }
    if (row <= last) set_row(row);
}

void SearchList::choose() {
    const QListWidgetItem* item = list_->currentItem();
    if (!item || !item->data(entry_role).isValid()) return;
    const int entry = item->data(entry_role).toInt();
    if (entries_[std::size_t(entry)].usable) emit chosen(entry);
}

bool SearchList::eventFilter(QObject* watched, QEvent* event) {
    if (watched != field_ || event->type() != QEvent::KeyPress) return QFrame::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Escape) emit cancelled();
    else if (key == Qt::Key_Return || key == Qt::Key_Enter) choose();
    else if (key == Qt::Key_Down || key == Qt::Key_Up) move_mark(key == Qt::Key_Down ? 1 : -1);
    else if (key == Qt::Key_PageDown || key == Qt::Key_PageUp) move_mark(key == Qt::Key_PageDown ? 10 : -10);
    else return key == Qt::Key_Tab || key == Qt::Key_Backtab;  // the list is worked from the field
    return true;
}

}  // namespace plimsoll
