#include "views/window/import_dialog.h"

#include "core/values/knobs/wording.h"
#include "views/parts/arrange.h"
#include "views/parts/meanwhile.h"
#include "views/parts/text.h"

#include <QFileInfo>
#include <QFormLayout>

namespace plimsoll {

ImportDialog::ImportDialog(std::vector<NamedText> files, const Library& library, const Scenario& now, QWidget* parent)
    : QDialog(parent),
      files_(std::move(files)),
      library_(library),
      head_(paragraph({})),
      machine_(new PresetPicker(PresetKind::machine, library)),
      devices_(as_input(new QSpinBox, "import.devices")),
      all_(new QCheckBox(tr("Also settings that change neither &time nor memory"))),
      table_(new TextTable(tr("What became of each setting"),
                           {tr("Result"), tr("Setting"), tr("Value"), tr("What became of it"), tr("Where")})),
      said_(paragraph({})),
      keeps_(new QCheckBox(tr("&Keep what the log measured, as \"I measured this\" does"))),
      take_(nullptr) {
    setWindowTitle(tr("Import a framework's configuration"));
    machine_->setObjectName(QStringLiteral("import.machine"));
    devices_->setRange(0, 1 << 24);
    devices_->setGroupSeparatorShown(true);
    devices_->setSpecialValueText(tr("as the files say"));
    // The machine that the files name goes before that of the plan that is open.
    read({});
    const bool named = imported_ && std::ranges::none_of(imported_->remarks, [](const ImportRemark& r) {
        return r.fate == SettingFate::missing && r.key == "machine";
    });
    machine_->show_preset(named ? imported_->plan.machine.id : now.machine.id);

    auto* form = new QFormLayout;
    form->addRow(tr("&Machine:"), machine_);
    form->addRow(tr("&Devices:"), devices_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    take_ = buttons->addButton(tr("Make it the plan"), QDialogButtonBox::AcceptRole);
    for (QAbstractButton* button : buttons->buttons()) qobject_cast<QPushButton*>(button)->setAutoDefault(false);
    take_->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    table_->wrap({1, 3});
    keeps_->setChecked(true);
    setLayout(below({head_, form, {table_, 1}, all_, said_, keeps_, buttons}));
    resize(900, 620);
    const auto again = [this] {
        read({.machine = machine_->shown(), .devices = devices_->value()});
        present();
    };
    connect(machine_, &PresetPicker::picked, this, [this, again](const QString& id) {
        machine_->show_preset(id.toStdString());
        again();
    });
    connect(devices_, &QSpinBox::valueChanged, this, again);
    connect(all_, &QCheckBox::toggled, this, &ImportDialog::present);
    again();
}

void ImportDialog::read(const PlanImportOptions& options) {
    auto imported = meanwhile(to_qt(files_.front().file), [files = files_, library = library_, options] {
        return import_plan(files, library, options);
    });
    problems_ = imported ? Problems{} : imported.error();
    imported_ = imported ? std::optional(*std::move(imported)) : std::nullopt;
}

const TrainingLog* ImportDialog::log() const {
    const auto found = std::ranges::find_if(files_, [](const NamedText& f) { return f.log != nullptr; });
    return found != files_.end() ? found->log.get() : nullptr;
}

std::optional<MeasuredRun> ImportDialog::measured() const {
    if (!log() || !imported_ || !imported_->obstacles.empty() || !keeps_->isChecked()) return std::nullopt;
    const MeasuredRun run = measured_run(*log(), imported_->plan);
    return run.step ? std::optional(run) : std::nullopt;
}

// Which steps count, and what was measured beside the prediction.
QString ImportDialog::say_log() const {
    QString text;
    for (const std::string& each : say_counting(*log())) text += to_qt(each) + u' ';
    for (const auto& row : rows_beside(*log(), imported_->plan)) {
        text += u'\n';
        text += row[2].empty() ? tr("%1: %2").arg(to_qt(row[0]), to_qt(row[1]))
                               : tr("%1: %2 measured, %3 predicted, %4")
                                     .arg(to_qt(row[0]), to_qt(row[1]), to_qt(row[2]), to_qt(row[3]));
    }
    for (const std::string& each : doubts_of(*log(), imported_->plan)) text += u'\n' + to_qt(each);
    return text;
}

void ImportDialog::present() {
    take_->setEnabled(imported_.has_value());
    keeps_->setVisible(log() && imported_ && step_of(*log(), imported_->plan));
    if (!imported_) {
        head_->setText(to_qt(say(problems_)));
        table_->show_rows({});
        return said_->setText({});
    }
    QStringList names;
    for (const NamedText& f : files_) names << QFileInfo(to_qt(f.file)).fileName();
    head_->setText(tr("%1, read as a configuration of %2. Nothing of it is executed, and nothing has changed yet.")
                       .arg(names.join(QStringLiteral(", ")), to_qt(std::string(say(imported_->dialect)))));
    std::vector<QStringList> rows;
    for (const auto& row : rows_of(*imported_, all_->isChecked())) rows.push_back(to_qt(row));
    table_->show_rows(rows);
    QString text = to_qt(say_plan(imported_->plan));
    for (const std::string& why : imported_->obstacles) text += u'\n' + tr("Stands in its way: %1").arg(to_qt(why));
    if (log()) text += u'\n' + say_log();
    said_->setText(text);
}

}  // namespace plimsoll
