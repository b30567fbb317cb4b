#pragma once
// Tables to read, to copy from and to filter, not to edit.
//
//   TextTable* table = new TextTable(tr("What will run"), {tr("Run"), tr("Seconds")}, {1});
//   table->show_rows({{"Matrix products", "3.4"}});

#include "core/answers/propose/sheet.h"
#include "views/parts/data_table.h"

#include <QImage>
#include <QSortFilterProxyModel>
#include <QTableWidget>

#include <functional>
#include <set>
#include <vector>

namespace plimsoll {

// What every table of the window has in common: whole rows are selected, one at a time; nothing is edited; Tab leaves
// the table; lines are low and of alternating grounds; its menu copies it and saves it as a spreadsheet, Ctrl+C copies
// its numbers. `name` is for screen readers.
void set_up_table(QTableView&, const QString& name);

// Headings, rows of text, numbers to the right.
class TextTable : public QTableWidget {
    Q_OBJECT
public:
    // `numbers` are the columns that stand to the right.
    TextTable(const QString& name, const QStringList& headings, std::set<int> numbers = {}, QWidget* parent = nullptr);

    // Columns are as wide as their text; the stretched one takes what is left of the width, or is cut to it.
    void stretch(int column);
    // Long text wraps: rows become as high as they need, and stretched columns share the width that others leave.
    void wrap(const std::set<int>& stretched);

    // As high as its rows, however wide it is: there are few of them, and what stands below has the rest.
    void fit_to_rows();

    void show_rows(const std::vector<QStringList>&);  // keeps the selected row where there still is one
    // Sorts by these numbers and not by the text of the cells: one for each row, of the column.
    void set_sort_keys(int column, const std::vector<double>& keys);
    QString as_text() const;                          // tabs and line ends, with headings: what Ctrl+C copies

protected:
    void resizeEvent(QResizeEvent*) override;

private:
    void fit();
    void fit_wrapped();
    void fit_height();

    std::set<int> numbers_;
    int stretched_ = 0;
    bool as_high_as_rows_ = false;
    std::set<int> wrapped_;   // the columns that share the width; empty: no text wraps
};

// Keeps the rows of a table that contain every word of a filter; sorts by any column. A word that ends in a digit does
// not match inside a longer number: "TP8" is not "TP80".
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

// ---- A table of the window taken elsewhere: its numbers to the clipboard, a picture of it, a spreadsheet
//
//   add_copies(menu, *this, [this] { return cells_of(*table_); });

struct CellTable {
    QString title;
    QStringList headings;
    std::vector<QStringList> rows;
};

CellTable cells_of(const QTableView&);                       // columns in view, rows as they are sorted and filtered
CellTable cells_of(const DataTable&, const QString& title);

// Columns whose every cell is a number are numbers.
Sheet as_sheet(const CellTable&);
QString with_tabs(const CellTable&);                         // lines, with headings
QImage image_of(const CellTable&);                           // on white

void copy_numbers(const CellTable&);                         // as text with tabs, as HTML and as CSV
void copy_markdown(const CellTable&);
void copy_image(const CellTable&);
void ask_spreadsheet(QWidget& parent, const CellTable&);

// "Copy the numbers", "Copy as Markdown", "Copy as a picture", "Save as a spreadsheet...". `picture` copies the
// picture; without it, it is one of the table.
void add_copies(QMenu&, QWidget& parent, const std::function<CellTable()>& table,
                const std::function<void()>& picture = {});

// Its menu has these, and Ctrl+C copies its numbers where it does not do so by itself; as Markdown where the table has
// this property.
inline constexpr const char* copies_markdown = "copies_markdown";
void give_copies(QTableView&);

}  // namespace plimsoll
