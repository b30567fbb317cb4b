#include "views/parts/word_filter.h"

#include <algorithm>

namespace plimsoll {

namespace {

bool contains(const QString& text, const QString& word) {
    const bool number = word.back().isDigit();
    for (qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive); at >= 0; at = text.indexOf(word, at + 1, Qt::CaseInsensitive)) {
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
    return std::all_of(words_.begin(), words_.end(), [&](const QString& word) { return contains(text, word); });
}

}  // namespace plimsoll
