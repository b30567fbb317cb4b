#include "views/pages/paper_page.h"

#include "core/papers/ornl_study.h"
#include "views/plan/text.h"

#include <QHeaderView>
#include <QLabel>
#include <QVBoxLayout>

namespace plimsoll {

PaperPage::PaperPage(Workspace& workspace, QWidget* parent)
    : QWidget(parent), workspace_(workspace), table_(new QTableWidget(0, 5)) {
    table_->setHorizontalHeaderLabels(
        {tr("Quantity"), tr("As printed"), tr("As it has to be read"), tr("Unit"), tr("Formula")});
    table_->setAccessibleName(tr("Paper equations"));
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setAlternatingRowColors(true);
    table_->verticalHeader()->hide();
    table_->setWordWrap(true);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->horizontalHeader()->setSectionResizeMode(4, QHeaderView::Stretch);
    auto* note = new QLabel(
        tr("The back-of-envelope of the study this planner started from, for the present plan: each equation as "
           "printed, and as it has to be read, or the full model's figure where there is one."));
    note->setWordWrap(true);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 8, 0, 0);
    all->addWidget(note);
    all->addWidget(table_, 1);
    connect(&workspace, &Workspace::changed, this, [this](const Snapshot& s) {
        if (isVisible()) present(s);
        else behind_ = true;
    });
}

void PaperPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (behind_) present(workspace_.snapshot());
}

void PaperPage::present(const Snapshot& s) {
    behind_ = false;
    const std::vector<PaperRow> rows = paper_study(s.last_good && s.stale() ? s.last_good->scenario : s.scenario);
    table_->setRowCount(static_cast<int>(rows.size()));
    auto set = [this](int row, int column, const QString& text, Qt::Alignment align) {
        auto* item = new QTableWidgetItem(text);
        item->setTextAlignment(align | Qt::AlignVCenter);
        table_->setItem(row, column, item);
    };
    for (int i = 0; i < table_->rowCount(); ++i) {
        const PaperRow& r = rows[i];
        set(i, 0, to_qt(r.label), Qt::AlignLeft);
        set(i, 1, grouped(r.printed), Qt::AlignRight);
        set(i, 2, grouped(r.corrected), Qt::AlignRight);
        set(i, 3, to_qt(r.unit), Qt::AlignLeft);
        set(i, 4, to_qt(r.formula), Qt::AlignLeft);
    }
    table_->resizeRowsToContents();
}

}  // namespace plimsoll
