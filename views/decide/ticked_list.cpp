#include "views/decide/ticked_list.h"

#include "views/parts/arrange.h"

#include <QMenu>
#include <QWidgetAction>

namespace plimsoll {

namespace {
constexpr int lines_in_view = 12, letters_in_view = 44;
}

TickedList::TickedList(const QString& title, QWidget* parent)
    : QToolButton(parent), title_(title), filter_(new QLineEdit), list_(new QListWidget) {
    setPopupMode(QToolButton::InstantPopup);
    setFocusPolicy(Qt::StrongFocus);
    filter_->setPlaceholderText(tr("Words to find"));
    filter_->setAccessibleName(tr("Words to find"));
    filter_->setClearButtonEnabled(true);
    list_->setAccessibleName(title);
    const QFontMetrics metrics = list_->fontMetrics();
    list_->setMinimumSize(letters_in_view * metrics.averageCharWidth(), lines_in_view * (metrics.height() + 4));
    QPushButton* all = button(tr("&All"), "", {}, this, [this] { tick_shown(true); });
    QPushButton* none = button(tr("&None"), "", {}, this, [this] { tick_shown(false); });
    auto* menu = new QMenu(this);
    auto* content = new QWidgetAction(menu);
    content->setDefaultWidget(piece(below({beside({filter_, all, none}), list_})));
    menu->addAction(content);
    setMenu(menu);
    connect(menu, &QMenu::aboutToShow, filter_, [this] { filter_->setFocus(); });
    connect(filter_, &QLineEdit::textChanged, this, [this](const QString& words) {
        for (int i = 0; i < count(); ++i) {
            bool found = true;
            for (const QString& word : words.split(u' ', Qt::SkipEmptyParts))
                found &= list_->item(i)->text().contains(word, Qt::CaseInsensitive);
            list_->item(i)->setHidden(!found);
        }
    });
    connect(list_, &QListWidget::itemChanged, this, [this](QListWidgetItem* item) {
        show_count();
        emit ticked(item->data(Qt::UserRole).toString(), item->checkState() == Qt::Checked);
    });
    show_count();
}

void TickedList::offer(const std::vector<Line>& lines) {
    const QSignalBlocker quiet(list_);
    while (count() > int(lines.size())) delete list_->takeItem(count() - 1);
    for (int i = 0; i < int(lines.size()); ++i) {
        const Line& line = lines[std::size_t(i)];
        QListWidgetItem* item = i < count() ? list_->item(i) : new QListWidgetItem(list_);
        item->setText(line.text);
        item->setData(Qt::UserRole, line.id);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(line.on ? Qt::Checked : Qt::Unchecked);
    }
    show_count();
}

QStringList TickedList::ticked_ids() const {
    QStringList ids;
    for (int i = 0; i < count(); ++i)
        if (list_->item(i)->checkState() == Qt::Checked) ids << list_->item(i)->data(Qt::UserRole).toString();
    return ids;
}

void TickedList::tick_shown(bool on) {
    for (int i = 0; i < count(); ++i)
        if (!list_->item(i)->isHidden()) list_->item(i)->setCheckState(on ? Qt::Checked : Qt::Unchecked);
}

void TickedList::show_count() {
    setText(tr("%1: %2 of %3").arg(title_).arg(ticked_ids().size()).arg(count()) + QStringLiteral("  "));
}

}  // namespace plimsoll
