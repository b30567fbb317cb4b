#pragma once
// What node-hours would train at the rate of a plan: which model and how many tokens, by two published scaling laws and
// for the plan's own model. The same numbers as `plimsoll budget`.
//
//   BudgetDialog(*snapshot.last_good, this).exec();

#include "views/document/snapshot.h"
#include "views/parts/tables.h"

#include <QDialog>
#include <QLabel>
#include <QLineEdit>

namespace plimsoll {

class BudgetDialog : public QDialog {
    Q_OBJECT
public:
    explicit BudgetDialog(const Answer& plan, QWidget* parent = nullptr);   // opens with the plan's own node-hours

    QLineEdit* node_hours() const { return node_hours_; }
    TextTable* table() const { return table_; }
    QString said() const { return said_->text(); }

private:
    void present();

    Scenario plan_;
    Estimate estimate_;
    Headline headline_;
    QLineEdit* node_hours_;
    QLabel* said_;
    TextTable* table_;
};

}  // namespace plimsoll
