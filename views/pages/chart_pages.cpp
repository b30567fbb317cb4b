#include "views/pages/chart_pages.h"

#include "core/answers/campaign/cards.h"
#include "core/papers/ornl_study.h"
#include "views/parts/language.h"
#include "views/parts/text.h"
#include "views/parts/widgets.h"

#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace plimsoll {

ChartPage::ChartPage(Workspace& workspace, const std::vector<std::string>& figures, int columns, QWidget* parent,
                     const std::vector<std::string>& sometimes)
    : QWidget(parent),
      workspace_(workspace),
      always_(figures.size()),
      rows_((int(figures.size()) + columns - 1) / columns) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 6, 0, 0);
    grid->setSpacing(6);
    for (std::size_t i = 0; i < figures.size(); ++i) {
        charts_.push_back(new Chart(figures[i]));
        const int row = static_cast<int>(i) / columns, column = static_cast<int>(i) % columns;
        grid->addWidget(charts_.back(), row, column);
        grid->setRowStretch(row, 1);
        grid->setColumnStretch(column, 1);
    }
    for (const std::string& figure : sometimes) {
        charts_.push_back(new Chart(figure));
        charts_.back()->hide();
        grid->addWidget(charts_.back(), rows_ + int(charts_.size() - always_) - 1, 0, 1, columns);
    }
    connect(&workspace, &Workspace::changed, this, [this](const Snapshot& s) {
        if (isVisible()) present(s);
        else behind_ = true;
    });
}

void ChartPage::present(const Snapshot& s) {
    behind_ = false;
    for (Chart* chart : charts_) chart->present(s);
    auto* grid = static_cast<QGridLayout*>(layout());
    for (std::size_t i = always_; i < charts_.size(); ++i) {
        const bool there = charts_[i]->figure();
        if (charts_[i]->isVisibleTo(this) != there) charts_[i]->setVisible(there);
        grid->setRowStretch(rows_ + int(i - always_), there ? 1 : 0);
    }
}

void ChartPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (behind_) present(workspace_.snapshot());
}

PaperPage::PaperPage(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      table_(new TextTable(
          tr("Rule of thumb"),
          {tr("Quantity"), tr("Study's formula"), tr("This model"), tr("Unit"), tr("Formula")}, {1, 2})) {
    table_->wrap({0, 4});  // a narrow window has no room for either in one line
    auto* note = new QLabel(
        tr("The equations of Yin et al. (2023), an ORNL study of training on Frontier, for the current plan: what each "
           "gives as printed, and what it has to be read as, or the full model's figure where there is one."));
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
    std::vector<QStringList> cells;
    for (const PaperRow& r : rows)
        cells.push_back({worded(r.label), grouped(r.printed), grouped(r.corrected), worded(r.unit), worded(r.formula)});
    table_->show_rows(cells);
    table_->setEnabled(!s.stale());
}

ResiliencePage::ResiliencePage(Workspace& workspace, QWidget* parent)
    : ChartPage(workspace, {"checkpoint-tradeoff"}, 1, parent),
      plan_(workspace),
      verdict_(new PlainLabel),
      table_(new TextTable(tr("Failures and checkpoints"), {tr("Failures and checkpoints"), tr("This plan")})) {
    verdict_->setWordWrap(true);
    verdict_->setAccessibleName(tr("Verdict on failures"));
    table_->wrap({1});
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
    const QString verdict = to_qt(resilience_verdict(answer.headline.resilience));
    verdict_->setText(s.stale() ? tr("Of the last plan that could be computed: %1").arg(verdict) : verdict);
    table_->setEnabled(!s.stale());
    const std::vector<CardRow> rows = resilience_card(answer.scenario, answer.headline);
    std::vector<QStringList> cells;
    for (const CardRow& r : rows) cells.push_back({to_qt(r.label), to_qt(r.value)});
    table_->show_rows(cells);
    for (int i = 0; i < table_->rowCount(); ++i) {
        const QString id = to_qt(rows[std::size_t(i)].id);
        table_->item(i, 0)->setData(Qt::UserRole, id);
        if (!id.isEmpty()) table_->item(i, 0)->setToolTip(tr("Enter or double-click explains it"));
    }
}

}  // namespace plimsoll
