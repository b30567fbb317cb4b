#pragma once
// Dialogs on hours, which open with those of a plan.
//
//   HoursDialog(*snapshot.last_good, this).exec();
//   BudgetDialog(*snapshot.last_good, this).exec();

#include "views/document/snapshot.h"
#include "views/parts/tables.h"

#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>

namespace plimsoll {

// An amount of hours in every unit of a machine, and how long so many devices take for it: "1.3M" device-hours on
// 24,576 are 2.2 d.
class HoursDialog : public QDialog {
    Q_OBJECT
public:
    explicit HoursDialog(const Answer& plan, QWidget* parent = nullptr);

    QLineEdit* amount() const { return amount_; }
    QComboBox* unit() const { return unit_; }
    QSpinBox* devices() const { return devices_; }
    TextTable* table() const { return table_; }
    QString said() const { return said_->text(); }

private:
    void present();

    Machine machine_;
    QLineEdit* amount_;
    QComboBox* unit_;     // its data: HourOf
    QSpinBox* devices_;
    QLabel* said_;
    TextTable* table_;
};

// What node-hours would train at the rate of a plan: which model and how many tokens, by two published scaling laws and
// for the plan's own model. The same numbers as `plimsoll budget`.
class BudgetDialog : public QDialog {
    Q_OBJECT
public:
    explicit BudgetDialog(const Answer& plan, QWidget* parent = nullptr);   // opens with the plan's own node-hours

    QLineEdit* node_hours() const { return node_hours_; }
    TextTable* table() const { return table_; }
    QString said() const { return said_->text(); }

private:
    void present();

    Answer plan_;
    QLineEdit* node_hours_;
    QLabel* said_;
    TextTable* table_;
};

}  // namespace plimsoll
