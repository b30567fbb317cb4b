#include "views/parts/tables.h"

#include "views/parts/table_copies.h"
#include "views/parts/text.h"

#include <QHeaderView>

#include <algorithm>

namespace plimsoll {

namespace {

constexpr int sort_key_role = Qt::UserRole + 100;

// A cell that sorts by its number where it has one.
class TextCell : public QTableWidgetItem {
public:
    using QTableWidgetItem::QTableWidgetItem;
    bool operator<(const QTableWidgetItem& other) const override {
        const QVariant own = data(sort_key_role), others = other.data(sort_key_role);
        if (own.isValid() && others.isValid()) return own.toDouble() < others.toDouble();
        return QTableWidgetItem::operator<(other);
    }
};

}  // namespace

void set_up_table(QTableView& table, const QString& name) {
    table.setAccessibleName(name);
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.setAlternatingRowColors(true);
    table.setTabKeyNavigation(false);
    table.setWordWrap(false);
    table.verticalHeader()->hide();
    table.verticalHeader()->setDefaultSectionSize(table.fontMetrics().height() + 6);
    give_copies(table);
}

TextTable::TextTable(const QString& name, const QStringList& headings, std::set<int> numbers, QWidget* parent)
    : QTableWidget(0, int(headings.size()), parent), numbers_(std::move(numbers)) {
    set_up_table(*this, name);
    setHorizontalHeaderLabels(headings);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    horizontalHeader()->setHighlightSections(false);
    for (int c = 0; c < columnCount(); ++c) {
        const Qt::Alignment side = numbers_.contains(c) ? Qt::AlignRight : Qt::AlignLeft;
        horizontalHeaderItem(c)->setTextAlignment(Qt::AlignVCenter | side);
    }
}

void TextTable::stretch(int column) {
    stretched_ = column;
    fit();
}

void TextTable::wrap(const std::set<int>& stretched) {
    wrapped_ = stretched;
    setWordWrap(true);
    for (int c = 0; c < columnCount(); ++c) {
        const bool shares = stretched.contains(c);
        horizontalHeader()->setSectionResizeMode(c, shares ? QHeaderView::Stretch : QHeaderView::ResizeToContents);
    }
    verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
}

void TextTable::show_rows(const std::vector<QStringList>& rows) {
    const bool sorted = isSortingEnabled();
    setSortingEnabled(false);  // rows would move while they are filled
    setRowCount(int(rows.size()));
    for (int r = 0; r < rowCount(); ++r)
        for (int c = 0; c < columnCount(); ++c) {
            auto* cell = new TextCell(rows[std::size_t(r)].value(c));
            if (numbers_.contains(c)) cell->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            cell->setToolTip(plain_text(cell->text()));
            setItem(r, c, cell);
        }
    setSortingEnabled(sorted);
    fit();
}

void TextTable::set_sort_keys(int column, const std::vector<double>& keys) {
    const bool sorted = isSortingEnabled();
    setSortingEnabled(false);
    for (int r = 0; r < std::min(rowCount(), int(keys.size())); ++r)
        item(r, column)->setData(sort_key_role, keys[std::size_t(r)]);
    setSortingEnabled(sorted);
}

void TextTable::fit() {
    if (!wrapped_.empty()) return fit_wrapped();
    resizeColumnsToContents();
    int others = 0;
    for (int c = 0; c < columnCount(); ++c) others += c == stretched_ ? 0 : columnWidth(c);
    const int least = std::min(columnWidth(stretched_), 32 * fontMetrics().averageCharWidth());
    setColumnWidth(stretched_, std::max(least, viewport()->width() - others));
}

// The header fits its columns by itself, unless a letter a line would be all that is left for those that share the
// width: then they keep room for a few words, and the table scrolls.
void TextTable::fit_wrapped() {
    int others = 0;
    for (int c = 0; c < columnCount(); ++c) others += wrapped_.contains(c) ? 0 : columnWidth(c);
    const int least = 24 * fontMetrics().averageCharWidth();
    const bool cramped = (viewport()->width() - others) / int(wrapped_.size()) < least;
    for (const int c : wrapped_) {
        horizontalHeader()->setSectionResizeMode(c, cramped ? QHeaderView::Fixed : QHeaderView::Stretch);
        if (cramped) setColumnWidth(c, least);
    }
}

QString TextTable::as_text() const { return with_tabs(cells_of(*this)); }

void TextTable::resizeEvent(QResizeEvent* event) {
    QTableWidget::resizeEvent(event);
    fit();
}

namespace {

bool contains_word(const QString& text, const QString& word) {
    const bool number = word.back().isDigit();
    const auto next = [&](qsizetype from) { return text.indexOf(word, from, Qt::CaseInsensitive); };
    for (qsizetype at = next(0); at >= 0; at = next(at + 1)) {
        const qsizetype end = at + word.size();
        if (!number || end >= text.size() || !text[end].isDigit()) return true;
    }
    return false;
}

}  // namespace

WordFilter::WordFilter(QAbstractItemModel& table, QObject* parent) : QSortFilterProxyModel(parent) {
    setSourceModel(&table);
    setSortRole(sort_role);
    setSortCaseSensitivity(Qt::CaseInsensitive);
}

void WordFilter::set_words(const QString& words) {
    words_ = words.split(u' ', Qt::SkipEmptyParts);
    invalidateFilter();
}

bool WordFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    if (words_.isEmpty()) return true;
    const QString text = sourceModel()->index(row, 0, parent).data(words_role).toString();
    return std::all_of(words_.begin(), words_.end(), [&](const QString& word) { return contains_word(text, word); });
}

}  // namespace plimsoll
