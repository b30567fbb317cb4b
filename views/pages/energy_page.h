#pragma once
// What the run draws and costs: energy and power over the nodes, and beneath them energy, money and carbon with what
// each rests on. A price of one's own goes into the plan's machine.

#include "views/pages/chart_pages.h"

#include <QLineEdit>

namespace plimsoll {

class EnergyPage : public ChartPage {
    Q_OBJECT
public:
    explicit EnergyPage(Workspace& workspace, QWidget* parent = nullptr);

    QLineEdit* price() const { return price_; }
    TextTable* table() const { return table_; }
    QString trouble() const { return trouble_->text(); }  // why a price was not taken; empty: it was

protected:
    void showEvent(QShowEvent*) override;

private:
    void fill(const Snapshot&);
    void take_price();

    Workspace& plan_;
    QLineEdit* price_;
    QLabel* trouble_;
    TextTable* table_;
};

}  // namespace plimsoll
