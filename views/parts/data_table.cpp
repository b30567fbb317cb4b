#include "views/parts/data_table.h"

#include "views/parts/arrange.h"
#include "views/parts/tables.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QHash>
#include <QKeyEvent>
#include <QMenu>
#include <QPointer>

namespace plimsoll {

namespace {

DataTable* data_of(QObject* picture) { return dynamic_cast<DataTable*>(picture); }

constexpr int heading_row = -1;

// One cell, or a heading. It reads the picture's present data whenever it is asked.
class PictureCell : public QAccessibleInterface, public QAccessibleTableCellInterface {
public:
    PictureCell(QWidget* picture, int row, int column) : picture_(picture), row_(row), column_(column) {}

    bool isValid() const override {
        const DataTable* data = data_of(picture_);
        return data && row_ < data->data_rows() && column_ < data->data_headings().size();
    }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return table() ? table()->window() : nullptr; }
    QAccessibleInterface* parent() const override { return table(); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QRect rect() const override { return table() ? table()->rect() : QRect(); }
    QAccessible::Role role() const override {
        return row_ == heading_row ? QAccessible::ColumnHeader : QAccessible::Cell;
    }
    void setText(QAccessible::Text, const QString&) override {}
    QString text(QAccessible::Text what) const override {
        const DataTable* data = data_of(picture_);
        if (!isValid()) return {};
        if (what == QAccessible::Name || what == QAccessible::Value)
            return row_ == heading_row ? data->data_headings().value(column_) : data->data_cell(row_, column_);
        // The row that the cursor stands on says all of itself at once.
        return what == QAccessible::Description && at_cursor() ? data_row(*data, row_) : QString();
    }
    QAccessible::State state() const override {
        QAccessible::State s;
        s.readOnly = true;
        s.invalid = !isValid();
        if (row_ == heading_row || s.invalid) return s;
        s.focusable = s.selectable = true;
        s.selected = isSelected();
        s.focused = at_cursor() && picture_->hasFocus();
        return s;
    }
    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::TableCellInterface ? static_cast<QAccessibleTableCellInterface*>(this) : nullptr;
    }

    int columnExtent() const override { return 1; }
    int rowExtent() const override { return 1; }
    int columnIndex() const override { return column_; }
    int rowIndex() const override { return row_; }
    bool isSelected() const override { return isValid() && row_ == data_of(picture_)->data_cursor(); }
    QList<QAccessibleInterface*> columnHeaderCells() const override {
        return row_ == heading_row || !table() ? QList<QAccessibleInterface*>{} : QList{table()->child(column_)};
    }
    QList<QAccessibleInterface*> rowHeaderCells() const override {
        if (row_ == heading_row || column_ == 0 || !table()) return {};
        return {table()->tableInterface()->cellAt(row_, 0)};
    }
    QAccessibleInterface* table() const override {
        return picture_ ? QAccessible::queryAccessibleInterface(picture_) : nullptr;
    }

private:
    bool at_cursor() const { return column_ == 0 && isSelected(); }

    QPointer<QWidget> picture_;
    int row_, column_;
};

// Its children are the headings and then the cells, row by row, as in Qt's own tables.
class PictureTable : public QAccessibleWidget, public QAccessibleTableInterface {
public:
    explicit PictureTable(QWidget* picture) : QAccessibleWidget(picture, QAccessible::Table) {}

    void* interface_cast(QAccessible::InterfaceType type) override {
        if (type == QAccessible::TableInterface) return static_cast<QAccessibleTableInterface*>(this);
        return QAccessibleWidget::interface_cast(type);
    }
    int childCount() const override { return rowCount() > 0 ? (rowCount() + 1) * columnCount() : 0; }
    QAccessibleInterface* child(int index) const override {
        if (index < 0 || index >= childCount()) return nullptr;
        return cell(index / columnCount() - 1, index % columnCount());
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        const auto* cell = const_cast<QAccessibleInterface*>(child)->tableCellInterface();
        return cell ? (cell->rowIndex() + 1) * columnCount() + cell->columnIndex() : -1;
    }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    QAccessibleInterface* focusChild() const override {
        const DataTable* data = data_of(object());
        return data && widget()->hasFocus() && data->data_cursor() >= 0 ? cellAt(data->data_cursor(), 0) : nullptr;
    }

    QAccessibleInterface* caption() const override { return nullptr; }
    QAccessibleInterface* summary() const override { return nullptr; }
    QAccessibleInterface* cellAt(int row, int column) const override {
        return row < 0 || row >= rowCount() || column < 0 || column >= columnCount() ? nullptr : cell(row, column);
    }
    int rowCount() const override { return data_of(object()) ? data_of(object())->data_rows() : 0; }
    int columnCount() const override { return data_of(object()) ? int(data_of(object())->data_headings().size()) : 0; }
    QString columnDescription(int column) const override {
        return data_of(object()) ? data_of(object())->data_headings().value(column) : QString();
    }
    QString rowDescription(int row) const override {
        return row >= 0 && row < rowCount() ? data_of(object())->data_cell(row, 0) : QString();
    }
    QList<int> selectedRows() const override {
        const int row = data_of(object()) ? data_of(object())->data_cursor() : -1;
        return row < 0 ? QList<int>{} : QList<int>{row};
    }
    QList<QAccessibleInterface*> selectedCells() const override {
        QList<QAccessibleInterface*> cells;
        for (const int row : selectedRows())
            for (int column = 0; column < columnCount(); ++column) cells << cellAt(row, column);
        return cells;
    }
    int selectedRowCount() const override { return int(selectedRows().size()); }
    int selectedCellCount() const override { return selectedRowCount() * columnCount(); }
    bool isRowSelected(int row) const override { return selectedRows().contains(row); }
    QList<int> selectedColumns() const override { return {}; }
    int selectedColumnCount() const override { return 0; }
    bool isColumnSelected(int) const override { return false; }
    bool selectRow(int) override { return false; }
    bool selectColumn(int) override { return false; }
    bool unselectRow(int) override { return false; }
    bool unselectColumn(int) override { return false; }
    void modelChange(QAccessibleTableModelChangeEvent*) override { forget(); }

protected:
    ~PictureTable() override { forget(); }

private:
    QAccessibleInterface* cell(int row, int column) const {
        QAccessible::Id& id = cells_[{row, column}];
        QAccessibleInterface* known = id ? QAccessible::accessibleInterface(id) : nullptr;
        if (known) return known;
        auto* made = new PictureCell(widget(), row, column);
        id = QAccessible::registerAccessibleInterface(made);
        return made;
    }
    void forget() {
        for (const QAccessible::Id id : std::as_const(cells_)) QAccessible::deleteAccessibleInterface(id);
        cells_.clear();
    }

    mutable QHash<std::pair<int, int>, QAccessible::Id> cells_;  // those that were asked for
};

QAccessibleInterface* make_picture_table(const QString&, QObject* object) {
    auto* widget = qobject_cast<QWidget*>(object);
    return widget && data_of(widget) ? new PictureTable(widget) : nullptr;
}

}  // namespace

DataTable::DataTable() {
    static const bool installed = (QAccessible::installFactory(make_picture_table), true);
    Q_UNUSED(installed);
}

void data_changed(QWidget& picture) {
    if (!QAccessible::isActive()) return;
    QAccessibleTableModelChangeEvent event(&picture, QAccessibleTableModelChangeEvent::ModelReset);
    QAccessible::updateAccessibility(&event);
}

void cursor_moved(QWidget& picture) {
    const DataTable* data = data_of(&picture);
    if (!QAccessible::isActive() || !data || !picture.hasFocus() || data->data_cursor() < 0) return;
    QAccessibleEvent event(&picture, QAccessible::Focus);
    event.setChild((data->data_cursor() + 1) * int(data->data_headings().size()));  // after the headings
    QAccessible::updateAccessibility(&event);
}

QString data_row(const DataTable& data, int row) {
    const QStringList headings = data.data_headings();
    QStringList cells;
    for (int column = 0; column < headings.size(); ++column)
        if (const QString cell = data.data_cell(row, column); !cell.isEmpty())
            cells << QStringLiteral("%1: %2").arg(headings[column], cell);
    return cells.join(QStringLiteral(", "));
}

QDialog* show_as_table(QWidget& picture) {
    const DataTable* data = data_of(&picture);
    if (!data) return nullptr;
    auto* dialog = new QDialog(picture.window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("data_table"));
    dialog->setWindowTitle(picture.accessibleName());
    auto* summary = new PlainLabel(picture.accessibleDescription());
    summary->setWordWrap(true);
    std::set<int> numbers;  // columns whose cells all begin with a digit or a sign stand to the right
    const QStringList headings = data->data_headings();
    std::vector<QStringList> rows(std::size_t(data->data_rows()));
    for (int column = 0; column < headings.size(); ++column) {
        bool digits = true;
        for (int row = 0; row < data->data_rows(); ++row) {
            const QString cell = data->data_cell(row, column);
            rows[std::size_t(row)] << cell;
            digits = digits && (cell.isEmpty() || cell[0].isDigit() || cell[0] == u'-' || cell[0] == QChar(0x2212));
        }
        if (digits) numbers.insert(column);
    }
    auto* table = new TextTable(picture.accessibleName(), headings, numbers);
    table->show_rows(rows);
    dialog->setLayout(below({summary, {table, 1}, close_button(*dialog)}));
    dialog->resize(720, 480);
    table->setFocus();
    dialog->show();
    dialog->activateWindow();
    return dialog;
}

void add_table_action(QMenu& menu, QWidget& picture, const std::function<void()>& copy) {
    QAction* action = menu.addAction(QObject::tr("Show as &table"), &picture,
                                     [&picture] { show_as_table(picture); });
    const DataTable* data = data_of(&picture);
    const bool there = data && data->data_rows() > 0;
    action->setEnabled(there);
    if (!there) return;
    const auto grabbed = [&picture] { QApplication::clipboard()->setPixmap(picture.grab()); };
    add_copies(menu, picture, [data, &picture] { return cells_of(*data, picture.accessibleName()); },
               copy ? copy : grabbed);
}

bool copies_picture(const QKeyEvent& event, QWidget& picture, const std::function<void()>& copy) {
    const DataTable* data = data_of(&picture);
    if (!event.matches(QKeySequence::Copy) || !data || data->data_rows() == 0) return false;
    if (copy) copy();
    else QApplication::clipboard()->setPixmap(picture.grab());
    return true;
}

}  // namespace plimsoll
