#pragma once
// A training framework's configuration on its way to becoming the plan: what became of every setting is shown first,
// and of a log its steps, with those that count. A log can also be compared with the plan in front, which is all that
// can be done with one that does not say which model ran.
//
//   ImportDialog dialog(texts, library, plan_of_now, this);
//   if (dialog.exec() != QDialog::Accepted) return;
//   if (dialog.compares()) open_steps(file_of_log);
//   else document.turn_into(dialog.plan(), ...);

#include "core/files/import/framework_import.h"
#include "core/files/results/log_run.h"
#include "views/charts/scatter_chart.h"
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
    bool has_plan() const { return imported_.has_value(); }
    Scenario plan() const { return imported_ ? imported_->plan : Scenario{}; }
    const TrainingLog* log() const;              // of a run; null where there is none
    bool has_steps() const;                      // of a log, which can be compared with the plan in front
    bool compares() const { return compares_; }  // rather than become the plan
    void note(const QString& about_the_files);   // said above all else

    PresetPicker* machine() const { return machine_; }
    QSpinBox* devices() const { return devices_; }
    QCheckBox* all() const { return all_; }
    TextTable* table() const { return table_; }
    // Of a log, where it is to be kept: what it measured of plan(), or without one of the plan in front.
    std::optional<MeasuredRun> measured() const;
    QCheckBox* keeps() const { return keeps_; }   // hidden where no log tells a step
    QString said() const { return said_->text(); }
    QPushButton* take() const { return take_; }
    QPushButton* compare() const { return compare_; }
    ScatterChart* steps() const { return steps_; }   // hidden where there is no log

private:
    QWidget* build_body();
    void read(const PlanImportOptions&);
    void present();
    QStringList hard_to_believe() const;
    QString say_log() const;
    QString say_difference() const;
    const Scenario& ran() const { return imported_ ? imported_->plan : now_; }

    std::vector<NamedText> files_;
    const Library& library_;
    Scenario now_;
    std::optional<ImportedPlan> imported_;
    Problems problems_;
    QString note_;
    bool compares_ = false;
    QLabel* head_;
    PresetPicker* machine_;
    QSpinBox* devices_;     // 0: as the files say
    QCheckBox* all_;
    TextTable* table_;
    ScatterChart* steps_;
    QLabel* said_;
    QCheckBox* keeps_;
    QPushButton *take_, *compare_;
};

}  // namespace plimsoll
