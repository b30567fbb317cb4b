#pragma once
// A training framework's configuration on its way to becoming the plan: what became of every setting is shown first.
//
//   ImportDialog dialog(texts, library, plan_of_now, this);
//   if (dialog.exec() == QDialog::Accepted) document.turn_into(dialog.plan(), ...);

#include "core/files/import/framework_import.h"
#include "core/files/results/log_run.h"
#include "views/inputs/preset_picker.h"
#include "views/parts/tables.h"

#include <QCheckBox>
#include <QDialog>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

#include <optional>

namespace plimsoll {

class ImportDialog : public QDialog {
    Q_OBJECT
public:
    // Configurations do not name the machine: that of `now` is proposed where the files name none.
    ImportDialog(std::vector<NamedText> files, const Library&, const Scenario& now, QWidget* parent = nullptr);

    // Why there is no plan in the files; none where there is one.
    const Problems& problems() const { return problems_; }
    Scenario plan() const { return imported_ ? imported_->plan : Scenario{}; }

    PresetPicker* machine() const { return machine_; }
    QSpinBox* devices() const { return devices_; }
    QCheckBox* all() const { return all_; }
    TextTable* table() const { return table_; }
    // Of a log, where it is to be kept: what it measured of plan().
    std::optional<MeasuredRun> measured() const;
    QCheckBox* keeps() const { return keeps_; }   // hidden where no log tells a step
    QString said() const { return said_->text(); }
    QPushButton* take() const { return take_; }

private:
    void read(const PlanImportOptions&);
    void present();
    const TrainingLog* log() const;
    QString say_log() const;

    std::vector<NamedText> files_;
    const Library& library_;
    std::optional<ImportedPlan> imported_;
    Problems problems_;
    QLabel* head_;
    PresetPicker* machine_;
    QSpinBox* devices_;     // 0: as the files say
    QCheckBox* all_;
    TextTable* table_;
    QLabel* said_;
    QCheckBox* keeps_;
    QPushButton* take_;
};

}  // namespace plimsoll
