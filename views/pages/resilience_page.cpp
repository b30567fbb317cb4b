#include "views/pages/resilience_page.h"

#include "core/answers/plan/resilience_card.h"
#include "views/plan/text.h"

#include <QGridLayout>
#include <QHeaderView>

namespace plimsoll {

ResiliencePage::ResiliencePage(Workspace& workspace, QWidget* parent)
    : ChartPage(workspace, {"checkpoint-tradeoff"}, 1, parent), plan_(workspace), verdict_(new QLabel), table_(new QTableWidget(0, 2)) {
    verdict_->setWordWrap(true);
    verdict_->setAccessibleName(tr("Verdict on failures"));
    table_->setHorizontalHeaderLabels({tr("Failures and checkpoints"), tr("This plan")});
    table_->setAccessibleName(tr("Failures and checkpoints"));
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setAlternatingRowColors(true);
    table_->setWordWrap(true);
    table_->verticalHeader()->hide();
    table_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    table_->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    auto* grid = static_cast<QGridLayout*>(layout());
    grid->addWidget(verdict_, 1, 0);
    grid->addWidget(table_, 2, 0);
    grid->setRowStretch(0, 5);
    grid->setRowStretch(2, 4);
    connect(table_, &QTableWidget::cellActivated, this, [this](int row) {
        const QString id = table_->item(row, 0)->data(Qt::UserRole).toString();
        if (!id.isEmpty()) emit explain(id);
    });
    connect(&workspace, &Workspace::changed, this, [this](const Snapshot& s) {
        if (isVisible()) fill(s);
    });
}

void ResiliencePage::showEvent(QShowEvent* event) {
    ChartPage::showEvent(event);
    fill(plan_.snapshot());
}

// A plan without numbers leaves the rows of the last one, as its chart does.
void ResiliencePage::fill(const Snapshot& s) {
    if (!s.last_good) return;
    const Answer& answer = *s.last_good;
    verdict_->setText(to_qt(resilience_verdict(answer.headline.resilience)));
    const std::vector<CardRow> rows = resilience_card(answer.scenario, answer.headline);
    table_->setRowCount(static_cast<int>(rows.size()));
    for (int i = 0; i < table_->rowCount(); ++i) {
        auto* label = new QTableWidgetItem(to_qt(rows[i].label));
        label->setData(Qt::UserRole, to_qt(rows[i].id));
        if (!rows[i].id.empty()) label->setToolTip(tr("Enter or double-click explains it"));
        table_->setItem(i, 0, label);
        table_->setItem(i, 1, new QTableWidgetItem(to_qt(rows[i].value)));
    }
    table_->resizeRowsToContents();
}

}  // namespace plimsoll
