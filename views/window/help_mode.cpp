#include "views/window/help_mode.h"

#include "views/parts/text.h"

#include <QAbstractItemView>
#include <QTextDocument>
#include <QWhatsThis>
#include <QWidget>

namespace plimsoll {

namespace {

// Every cell under its heading, in the order of the columns, and what the current one says besides.
QString current_row(const QAbstractItemView& view) {
    const QModelIndex at = view.currentIndex();
    if (!at.isValid()) return {};
    const QAbstractItemModel& model = *view.model();
    QStringList lines;
    for (int column = 0; column < model.columnCount(at.parent()); ++column) {
        const QString cell = model.index(at.row(), column, at.parent()).data().toString().simplified();
        const QString heading = model.headerData(column, Qt::Horizontal).toString().simplified();
        if (cell.isEmpty()) continue;
        const bool alone = model.columnCount(at.parent()) == 1 || heading.isEmpty();
        const QString meaning = model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().simplified();
        const QString line = alone ? cell : QStringLiteral("%1: %2").arg(heading, cell);
        lines << (meaning.isEmpty() ? line : QStringLiteral("%1 (%2)").arg(line, meaning));
    }
    const QString tip = at.data(Qt::ToolTipRole).toString();
    if (!tip.isEmpty() && !Qt::mightBeRichText(tip) && tip != at.data().toString()) lines << tip;
    return plain_text(lines.join(u'\n'));
}

}  // namespace

QString what_is(const QWidget& widget) {
    if (const auto* view = qobject_cast<const QAbstractItemView*>(&widget))
        if (const QString row = current_row(*view); !row.isEmpty()) return row;
    for (const QWidget* w = &widget; w && !w->isWindow(); w = w->parentWidget()) {
        if (!w->whatsThis().isEmpty()) return w->whatsThis();
        if (!w->toolTip().isEmpty()) return w->toolTip();
        if (!w->accessibleDescription().isEmpty()) return plain_text(w->accessibleDescription());
    }
    return {};
}

bool say_what_it_is(QWidget* widget) {
    const QString text = widget ? what_is(*widget) : QString();
    if (text.isEmpty()) return false;
    QWhatsThis::showText(widget->mapToGlobal(widget->rect().center()), text, widget);
    return true;
}

}  // namespace plimsoll
