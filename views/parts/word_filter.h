#pragma once
// Keeps the rows of a table that contain every word of a filter; sorts by any
// column. A word that ends in a digit does not match inside a longer number:
// "TP8" is not "TP80".

#include <QSortFilterProxyModel>

namespace plimsoll {

class WordFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    // The table answers sort_role with what a column sorts by and words_role with all that a filter looks at.
    static constexpr int sort_role = Qt::UserRole, words_role = Qt::UserRole + 1;
    explicit WordFilter(QAbstractItemModel& table, QObject* parent = nullptr);
    void set_words(const QString&);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QStringList words_;
};

}  // namespace plimsoll
