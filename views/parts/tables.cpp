#include "views/parts/tables.h"

#include "core/files/results/spreadsheet.h"
#include "core/files/text/disk.h"
#include "views/parts/arrange.h"
#include "views/parts/text.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QHeaderView>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QScrollBar>
#include <QTextDocument>

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
    fit_height();
}

void TextTable::fit_to_rows() {
    as_high_as_rows_ = true;
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    fit_height();
}

void TextTable::fit_height() {
    if (!as_high_as_rows_) return;
    if (!wrapped_.empty()) resizeRowsToContents();
    int height = horizontalHeader()->sizeHint().height() + 2 * frameWidth()
               + horizontalScrollBar()->sizeHint().height();
    for (int r = 0; r < rowCount(); ++r) height += rowHeight(r);
    setFixedHeight(height);
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
    fit_height();
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

namespace {

QString in_one_line(QString text) { return text.replace(u'\n', u' ').replace(u'\t', u' '); }

std::string bytes(const QString& text) { return text.toStdString(); }

class CopyMenu : public QObject {
public:
    explicit CopyMenu(QTableView& table) : QObject(&table), table_(table) {
        table.installEventFilter(this);
        table.viewport()->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
            const bool markdown = table_.property(copies_markdown).toBool();
            markdown ? copy_markdown(cells_of(table_)) : copy_numbers(cells_of(table_));
            return true;
        }
        if (event->type() != QEvent::ContextMenu || !table_.model() || table_.model()->rowCount() == 0) return false;
        QMenu menu(&table_);
        add_copies(menu, table_, [this] { return cells_of(table_); });
        menu.exec(static_cast<QContextMenuEvent*>(event)->globalPos());
        return true;
    }

private:
    QTableView& table_;
};

}  // namespace

CellTable cells_of(const QTableView& view) {
    CellTable t;
    t.title = view.accessibleName();
    const QAbstractItemModel* model = view.model();
    if (!model) return t;
    std::vector<int> shown;
    const QHeaderView* header = view.horizontalHeader();
    for (int at = 0; at < header->count(); ++at)
        if (const int column = header->logicalIndex(at); !view.isColumnHidden(column)) shown.push_back(column);
    for (const int column : shown) t.headings << in_one_line(model->headerData(column, Qt::Horizontal).toString());
    for (int row = 0; row < model->rowCount(); ++row) {
        if (view.isRowHidden(row)) continue;
        QStringList cells;
        for (const int column : shown) cells << in_one_line(model->index(row, column).data().toString());
        t.rows.push_back(std::move(cells));
    }
    return t;
}

CellTable cells_of(const DataTable& data, const QString& title) {
    CellTable t{title, data.data_headings(), {}};
    for (int row = 0; row < data.data_rows(); ++row) {
        QStringList cells;
        for (int column = 0; column < t.headings.size(); ++column)
            cells << in_one_line(data.data_cell(row, column));
        t.rows.push_back(std::move(cells));
    }
    return t;
}

Sheet as_sheet(const CellTable& t) {
    Sheet s;
    s.title = bytes(t.title);
    for (int column = 0; column < t.headings.size(); ++column) {
        bool number = false, other = false;
        for (const QStringList& row : t.rows) {
            const QString cell = row.value(column);
            if (cell.isEmpty()) continue;
            (number_of_cell(bytes(cell)) ? number : other) = true;
        }
        s.columns.push_back({bytes(t.headings[column]), {}, number && !other});
    }
    for (const QStringList& row : t.rows) {
        s.rows.emplace_back();
        for (const QString& cell : row) s.rows.back().push_back(bytes(cell));
    }
    return s;
}

QString with_tabs(const CellTable& t) {
    QStringList lines{t.headings.join(u'\t')};
    for (const QStringList& row : t.rows) lines << row.join(u'\t');
    return lines.join(u'\n');
}

QImage image_of(const CellTable& t) {
    constexpr int enlarged = 2, margin = 8;
    QTextDocument text;
    QFont font = QApplication::font();
    font.setStyleStrategy(QFont::NoSubpixelAntialias);
    text.setDefaultFont(font);
    text.setDefaultStyleSheet(QStringLiteral("td, th { padding: 2px 8px; color: #1a1a1a }"));
    text.setHtml(to_qt(to_html(as_sheet(t))));
    text.setTextWidth(std::clamp(text.idealWidth(), 100.0, 1600.0));
    const QSizeF size = text.size() + QSizeF(2 * margin, 2 * margin);
    QImage image((size * enlarged).toSize(), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.scale(enlarged, enlarged);
    painter.translate(margin, margin);
    text.drawContents(&painter);
    return image;
}

void copy_numbers(const CellTable& t) {
    const Sheet s = as_sheet(t);
    auto* data = new QMimeData;
    data->setText(with_tabs(t));
    data->setHtml(to_qt(to_html(s)));
    data->setData(QStringLiteral("text/csv"), QByteArray::fromStdString(to_csv(s)));
    QApplication::clipboard()->setMimeData(data);
}

void copy_markdown(const CellTable& t) { QApplication::clipboard()->setText(to_qt(to_markdown(as_sheet(t)))); }

void copy_image(const CellTable& t) { QApplication::clipboard()->setImage(image_of(t)); }

void ask_spreadsheet(QWidget& parent, const CellTable& t) {
    QString name;
    for (const QChar c : t.title) name += c.isLetterOrNumber() ? c : QChar(u'-');
    QString path = QFileDialog::getSaveFileName(&parent, QObject::tr("Save as a spreadsheet"),
                                                (name.isEmpty() ? QStringLiteral("table") : name)
                                                    + QStringLiteral(".xlsx"),
                                                QObject::tr("Spreadsheets (*.xlsx)"));
    if (path.isEmpty()) return;
    if (!path.endsWith(QStringLiteral(".xlsx"), Qt::CaseInsensitive)) path += QStringLiteral(".xlsx");
    const auto book = to_xlsx({as_sheet(t)});
    const auto written = book ? write_atomically(path.toStdString(), *book) : Unexpected{book.error()};
    if (!written) warn(&parent, QObject::tr("Save as a spreadsheet"), written.error());
}

void add_copies(QMenu& menu, QWidget& parent, const std::function<CellTable()>& table,
                const std::function<void()>& picture) {
    menu.addAction(QObject::tr("Copy the &numbers"), &parent, [table] { copy_numbers(table()); })
        ->setObjectName(QStringLiteral("copy.numbers"));
    menu.addAction(QObject::tr("Copy as &Markdown"), &parent, [table] { copy_markdown(table()); })
        ->setObjectName(QStringLiteral("copy.markdown"));
    menu.addAction(QObject::tr("Copy as a &picture"), &parent, [table, picture] {
        if (picture) picture();
        else copy_image(table());
    })->setObjectName(QStringLiteral("copy.picture"));
    QAction* save = menu.addAction(QObject::tr("Save as a &spreadsheet..."), &parent,
                                   [&parent, table] { ask_spreadsheet(parent, table()); });
    save->setObjectName(QStringLiteral("copy.spreadsheet"));
    save->setEnabled(spreadsheets_are_here());
}

void give_copies(QTableView& table) { new CopyMenu(table); }

}  // namespace plimsoll
