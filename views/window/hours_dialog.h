#pragma once
// An amount of hours in every unit of a machine, and how long so many devices take for it.
//
//   HoursDialog(answer, this).exec();    // opens with the plan's own hours; "1.3M" device-hours on 24,576 are 2.2 d

#include "views/document/snapshot.h"
#include "views/parts/tables.h"

#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>

namespace plimsoll {

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

}  // namespace plimsoll
