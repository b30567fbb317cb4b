#include "views/pages/chart_page.h"

#include <QGridLayout>

namespace plimsoll {

ChartPage::ChartPage(Workspace& workspace, const std::vector<std::string>& figures, int columns, QWidget* parent)
    : QWidget(parent), workspace_(workspace) {
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
    connect(&workspace, &Workspace::changed, this, [this](const Snapshot& s) {
        if (isVisible()) present(s);
        else behind_ = true;
    });
}

void ChartPage::present(const Snapshot& s) {
    behind_ = false;
    for (Chart* chart : charts_) chart->present(s);
}

void ChartPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (behind_) present(workspace_.snapshot());
}

void ChartPage::set_theme(const ChartTheme& theme) {
    for (Chart* chart : charts_) chart->set_theme(theme);
}

}  // namespace plimsoll
