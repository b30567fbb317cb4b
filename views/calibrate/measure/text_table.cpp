#include "views/calibrate/measure/text_table.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>

#include <algorithm>

namespace plimsoll {

TextTable::TextTable(const QString& name, const QStringList& headings, std::set<int> numbers, QWidget* parent)
    : QTableWidget(0, int(headings.size()), parent), numbers_(std::move(numbers)) {
    setHorizontalHeaderLabels(headings);
    setAccessibleName(name);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setAlternatingRowColors(true);
    setTabKeyNavigation(false);
    setWordWrap(false);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    horizontalHeader()->setHighlightSections(false);
    for (int c = 0; c < columnCount(); ++c)
        horizontalHeaderItem(c)->setTextAlignment(Qt::AlignVCenter | (numbers_.contains(c) ? Qt::AlignRight : Qt::AlignLeft));
}

void TextTable::show_rows(const std::vector<QStringList>& rows) {
    setRowCount(int(rows.size()));
    for (int r = 0; r < rowCount(); ++r)
        for (int c = 0; c < columnCount(); ++c) {
            auto* cell = new QTableWidgetItem(rows[std::size_t(r)].value(c));
            if (numbers_.contains(c)) cell->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            cell->setToolTip(cell->text());
            setItem(r, c, cell);
        }
    fit();
}

// Columns as wide as their text; the stretched one takes what is left, or is cut to it where that leaves enough to read.
void TextTable::fit() {
    resizeColumnsToContents();
    int others = 0;
    for (int c = 0; c < columnCount(); ++c) others += c == stretched_ ? 0 : columnWidth(c);
    const int least = std::min(columnWidth(stretched_), 32 * fontMetrics().averageCharWidth());
    setColumnWidth(stretched_, std::max(least, viewport()->width() - others));
}

QString TextTable::as_text() const {
    QStringList lines, cells;
    for (int c = 0; c < columnCount(); ++c) cells << horizontalHeaderItem(c)->text().replace(u'\n', u' ');   // a narrow column's is on two lines
    lines << cells.join(u'\t');
    for (int r = 0; r < rowCount(); ++r) {
        cells.clear();
        for (int c = 0; c < columnCount(); ++c) cells << item(r, c)->text();
        lines << cells.join(u'\t');
    }
    return lines.join(u'\n');
}

void TextTable::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) return QApplication::clipboard()->setText(as_text());
    QTableWidget::keyPressEvent(event);
}

void TextTable::resizeEvent(QResizeEvent* event) {
    QTableWidget::resizeEvent(event);
    fit();
}

}  // namespace plimsoll
