#include "views/window/import_dialog.h"

#include "core/evidence/published/copies.h"
#include "core/files/results/measured_figures.h"
#include "core/values/knobs/wording.h"
#include "views/parts/arrange.h"
#include "views/parts/language.h"
#include "views/parts/meanwhile.h"
#include "views/parts/text.h"

#include <QFileInfo>
#include <QFormLayout>

namespace plimsoll {

ImportDialog::ImportDialog(std::vector<NamedText> files, const Library& library, const Scenario& now, QWidget* parent)
    : QDialog(parent),
      files_(std::move(files)),
      library_(library),
      now_(now),
      head_(paragraph({})),
      machine_(new PresetPicker(PresetKind::machine, library)),
      devices_(as_input(new QSpinBox, "import.devices")),
      all_(new QCheckBox(tr("Also settings that change neither &time nor memory"))),
      table_(new TextTable(tr("What became of each setting"),
                           {tr("Result"), tr("Setting"), tr("Value"), tr("What became of it"), tr("Where")})),
      steps_(nullptr),
      said_(paragraph({})),
      keeps_(new QCheckBox(tr("&Keep what the log measured, as \"I measured this\" does"))),
      take_(nullptr),
      compare_(nullptr) {
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
    if (imported_ && !named) note_ = tr("The files do not name the machine: choose the one that they are for.");
    machine_->show_preset(named ? imported_->plan.machine.id : now.machine.id);

    auto* form = new QFormLayout;
    form->addRow(tr("&Machine:"), machine_);
    form->addRow(tr("&Devices:"), devices_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    take_ = buttons->addButton(tr("Make it the plan"), QDialogButtonBox::AcceptRole);
    compare_ = buttons->addButton(tr("&Compare with the plan in front"), QDialogButtonBox::AcceptRole);
    compare_->setObjectName(QStringLiteral("import.compare"));
    compare_->setVisible(has_steps());
    for (QAbstractButton* button : buttons->buttons()) qobject_cast<QPushButton*>(button)->setAutoDefault(false);
    take_->setDefault(true);
    connect(compare_, &QPushButton::clicked, this, [this] { compares_ = true; });   // before it is accepted
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    table_->wrap({1, 3});
    setLayout(below({head_, form, {build_body(), 1}, said_, keeps_, buttons}));
    resize(QSize(900, 620).boundedTo(screen()->availableSize()));
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

// Settings, and in a second tab the steps of the log.
QWidget* ImportDialog::build_body() {
    QWidget* settings = piece(below({{table_, 1}, all_}, no_margins));
    if (!log() || log()->steps.empty()) return settings;
    steps_ = new ScatterChart;
    {
        const Speaking english(nullptr);   // charts put figures into words
        steps_->present(log_figure(*log()));
    }
    steps_->set_theme(is_dark(palette()) ? dark_chart() : light_chart());
    QLabel* counting = paragraph(tr("Which steps count"));
    counting->setText(to_qt(say_counting(*log())).join(u' '));
    auto* tabs = new QTabWidget;
    tabs->setDocumentMode(true);
    tabs->addTab(settings, tr("S&ettings"));
    tabs->addTab(piece(below({{steps_, 1}, counting}, no_margins)), tr("&Steps of the log"));
    if (!imported_) tabs->setCurrentIndex(1);
    return tabs;
}

void ImportDialog::note(const QString& about_the_files) {
    if (about_the_files.isEmpty()) return;
    note_ += (note_.isEmpty() ? QString() : QStringLiteral("\n")) + about_the_files;
    present();
}

bool ImportDialog::has_steps() const { return log() && step_of(*log(), now_); }

void ImportDialog::read(const PlanImportOptions& options) {
    auto imported = meanwhile(to_qt(files_.front().file), [files = files_, library = library_, options] {
        return import_plan(files, library, options);
    });
    problems_ = imported ? Problems{} : imported.error();
    imported_ = imported ? std::optional(*std::move(imported)) : std::nullopt;
    keeps_->setChecked(imported_ && log() && hard_to_believe().isEmpty());
}

// What is hard to believe of the log as a run of its plan.
QStringList ImportDialog::hard_to_believe() const {
    const auto anchor = anchor_of(measured_run(*log(), ran()));
    return anchor ? to_qt(doubts_of(*anchor)) : QStringList{};
}

const TrainingLog* ImportDialog::log() const {
    const auto found = std::ranges::find_if(files_, [](const NamedText& f) { return f.log != nullptr; });
    return found != files_.end() ? found->log.get() : nullptr;
}

std::optional<MeasuredRun> ImportDialog::measured() const {
    if (!log() || !keeps_->isChecked() || (imported_ && !imported_->obstacles.empty())) return std::nullopt;
    const MeasuredRun run = measured_run(*log(), ran());
    return run.step ? std::optional(run) : std::nullopt;
}

// Which steps count, and what was measured beside the prediction.
QString ImportDialog::say_log() const {
    QString text;
    for (const auto& row : rows_beside(*log(), ran())) {
        text += u'\n';
        text += row[2].empty() ? tr("%1: %2").arg(to_qt(row[0]), to_qt(row[1]))
                               : tr("%1: %2 measured, %3 predicted, %4")
                                     .arg(to_qt(row[0]), to_qt(row[1]), to_qt(row[2]), to_qt(row[3]));
    }
    for (const QString& each : hard_to_believe() + to_qt(doubts_of(*log(), ran()))) text += u'\n' + each;
    const QString difference = say_difference();
    return difference.isEmpty() ? text : text + u'\n' + difference;
}

// The plan in front may be another than what ran: the comparison is with it as it stands.
QString ImportDialog::say_difference() const {
    if (!imported_ || !has_steps()) return {};
    QStringList labels;
    if (now_.model.layers != ran().model.layers) labels << tr("Layers");
    if (now_.layout.devices != ran().layout.devices) labels << tr("Devices");
    for (const std::string& each : copy_differences(now_, ran())) labels << worded(each);
    constexpr qsizetype most = 6;
    if (labels.size() > most)
        labels = labels.mid(0, most - 1) << tr("%1 more").arg(labels.size() - most + 1);
    return labels.isEmpty() ? tr("The plan in front is what ran.")
                            : tr("The plan in front differs from what ran: %1.").arg(labels.join(QStringLiteral(", ")));
}

void ImportDialog::present() {
    take_->setEnabled(imported_.has_value());
    take_->setDefault(imported_.has_value());
    compare_->setDefault(!imported_);
    keeps_->setVisible(log() && step_of(*log(), ran()));
    if (!imported_) {
        const QString why = log() && files_.size() == 1 && !states_model(*log())
                              ? tr("The log does not say which model ran. Open it together with its script to plan it; "
                                   "as it is, it can be compared with the plan in front.")
                              : to_qt(say(problems_)).trimmed();
        head_->setText(note_.isEmpty() ? why : note_ + u'\n' + why);
        table_->show_rows({});
        return said_->setText(log() ? say_log().trimmed() : QString());
    }
    QStringList names;
    for (const NamedText& f : files_) names << QFileInfo(to_qt(f.file)).fileName();
    head_->setText(tr("%1, read as a configuration of %2. Nothing of it is executed, and nothing has changed yet.")
                       .arg(names.join(QStringLiteral(", ")), to_qt(std::string(say(imported_->dialect))))
                   + (note_.isEmpty() ? QString() : u'\n' + note_));
    std::vector<QStringList> rows;
    for (const auto& row : rows_of(*imported_, all_->isChecked())) rows.push_back(to_qt(row));
    table_->show_rows(rows);
    QString text = to_qt(say_plan(imported_->plan));
    for (const std::string& why : imported_->obstacles) text += u'\n' + tr("Stands in its way: %1").arg(to_qt(why));
    if (log()) text += u'\n' + say_log().trimmed();
    said_->setText(text);
}

}  // namespace plimsoll
