#include "views/validation/summary_table.h"

#include "views/plan/text.h"
#include "views/validation/record_text.h"

#include <QHeaderView>

#include <cmath>

namespace plimsoll {

namespace {

// Sorts by its number, not by its text.
class NumberItem : public QTableWidgetItem {
public:
    NumberItem(const QString& text, double number) : QTableWidgetItem(text), number_(number) {
        setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    }
    bool operator<(const QTableWidgetItem& other) const override {
        return number_ < static_cast<const NumberItem&>(other).number_;
    }

private:
    double number_;
};

QString share_text(double share) { return QLocale::c().toString(100 * share, 'f', 1) + QStringLiteral(" %"); }

}  // namespace

SummaryTable::SummaryTable(const QString& group, QWidget* parent) : QTableWidget(0, 8, parent) {
    setHorizontalHeaderLabels({group, tr("Scored"), tr("Mean"), tr("Median"), tr("Bias"), tr("Worst"), tr("Not scored"), tr("Devices")});
    setAccessibleName(tr("Errors by %1").arg(group.toLower()));
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setAlternatingRowColors(true);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    const char* tips[] = {"", "Runs with a prediction", "Mean of the errors' sizes", "Median of the errors' sizes",
                          "Mean of the signed errors: positive is predicted too slow", "Largest error, with its run"};
    for (int i = 1; i < 6; ++i) horizontalHeaderItem(i)->setToolTip(tr(tips[i]));
}

void SummaryTable::present(const std::vector<ErrorSummary>& groups) {
    setSortingEnabled(false);
    setRowCount(int(groups.size()));
    for (int i = 0; i < rowCount(); ++i) {
        const ErrorSummary& g = groups[i];
        const bool any = g.counted() > 0;
        const auto number = [any](double value, const QString& text) { return new NumberItem(any ? text : QString(), any ? value : -1); };
        setItem(i, 0, new QTableWidgetItem(to_qt(g.name)));
        setItem(i, 1, new NumberItem(grouped(g.counted()), g.counted()));
        setItem(i, 2, number(g.mean_absolute, share_text(g.mean_absolute)));
        setItem(i, 3, number(g.median_absolute, share_text(g.median_absolute)));
        setItem(i, 4, number(g.bias, signed_percent(g.bias)));
        setItem(i, 5, number(std::abs(g.worst), signed_percent(g.worst)));
        setItem(i, 6, new NumberItem(grouped(g.excluded), g.excluded));
        setItem(i, 7, new QTableWidgetItem(to_qt(g.family)));
        item(i, 5)->setToolTip(to_qt(g.worst_id));
    }
    setSortingEnabled(true);
    sortByColumn(0, Qt::AscendingOrder);
    resizeColumnsToContents();
}

}  // namespace plimsoll
