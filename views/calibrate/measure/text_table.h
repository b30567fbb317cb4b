#pragma once
// A table to read and copy from, not to edit: headings, rows of text, numbers to the right.
//
//   TextTable* table = new TextTable(tr("What will run"), {tr("Run"), tr("Seconds")}, {1});
//   table->show_rows({{"Matrix products", "3.4"}});

#include <QTableWidget>

#include <set>
#include <vector>

namespace plimsoll {

class TextTable : public QTableWidget {
    Q_OBJECT
public:
    TextTable(const QString& name, const QStringList& headings, std::set<int> numbers, QWidget* parent = nullptr);

    void show_rows(const std::vector<QStringList>&);   // keeps the selected row where there still is one
    QString as_text() const;                           // tabs and line ends, with headings: what Ctrl+C copies
    void stretch(int column) { stretched_ = column; fit(); }

protected:
    void keyPressEvent(QKeyEvent*) override;
    void resizeEvent(QResizeEvent*) override;

private:
    void fit();

    std::set<int> numbers_;
    int stretched_ = 0;
};

}  // namespace plimsoll
