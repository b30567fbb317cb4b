#pragma once
// A table of the window taken elsewhere: its numbers to the clipboard, a picture of it, a spreadsheet.
//
//   add_copies(menu, *this, [this] { return cells_of(*table_); });

#include "core/answers/propose/sheet.h"
#include "views/parts/data_table.h"

#include <QImage>
#include <QString>
#include <QStringList>

#include <functional>
#include <vector>

class QTableView;

namespace plimsoll {

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
