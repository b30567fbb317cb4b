#pragma once
// "I measured this": a step time or a throughput of the current plan, and its memory where it was read. All numbers of
// plans like it start from there. A value that is hard to believe is kept only by somebody who says that it is right.

#include "core/files/results/anchor_json.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace plimsoll {

class AnchorDialog : public QDialog {
    Q_OBJECT
public:
    explicit AnchorDialog(const Scenario& plan, QWidget* parent = nullptr);

    // What was typed; none while it is not a positive number.
    std::optional<MeasuredRun> run() const;

    QLineEdit* value_field() const { return value_; }
    QComboBox* quantity() const { return quantity_; }
    QComboBox* memory_kind() const { return memory_kind_; }
    QCheckBox* all_the_same() const { return all_the_same_; }   // hidden unless there is something to ask
    QPushButton* keep() const { return keep_; }
    QString said() const { return said_->text(); }

private:
    void present();

    Scenario plan_;
    QLineEdit *name_, *value_, *memory_;
    QComboBox *quantity_, *memory_kind_;
    QLabel* said_;
    QCheckBox* all_the_same_;
    QPushButton* keep_;
};

}  // namespace plimsoll
