#pragma once
// The data behind a picture, as rows and columns with headings. To a screen reader a widget that has such data is a
// table, walked cell by cell; everybody can open the same table from the picture's menu.
//
//   class Chart : public QCustomPlot, public DataTable { ... };
//   data_changed(*chart);      // other numbers
//   cursor_moved(*chart);      // the cursor stands on another row, which is read out

#include <QString>
#include <QStringList>

#include <functional>

class QDialog;
class QKeyEvent;
class QMenu;
class QWidget;

namespace plimsoll {

class DataTable {
public:
    DataTable();  // the first one tells Qt how such widgets are read
    virtual ~DataTable() = default;

    virtual QStringList data_headings() const = 0;
    virtual int data_rows() const = 0;
    virtual QString data_cell(int row, int column) const = 0;
    virtual int data_cursor() const = 0;  // the row the cursor stands on; -1: none
};

// Both do nothing while nobody reads the window.
void data_changed(QWidget& picture);
void cursor_moved(QWidget& picture);

// "Nodes: 24, Time to train (days): 12.3".
QString data_row(const DataTable&, int row);

// The data in a window of its own, from where they can be copied. Its title is the picture's accessible name and its
// text the accessible description.
QDialog* show_as_table(QWidget& picture);
// "Show as table", "Copy the numbers", "Copy as a picture" (by `copy`), "Save as a spreadsheet...".
void add_table_action(QMenu& menu, QWidget& picture, const std::function<void()>& copy = {});
// Copies the picture itself for Ctrl+C, as it is on the screen where there is no `copy`; whether it was that key.
bool copies_picture(const QKeyEvent&, QWidget& picture, const std::function<void()>& copy = {});

}  // namespace plimsoll
