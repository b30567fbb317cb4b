#include "views/evidence/anchor_dialog.h"

#include "core/answers/plan/estimate.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"
#include "views/parts/text.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLocale>

#include <cmath>

namespace plimsoll {

namespace {

constexpr int widest_name = 48;   // characters that show at once

enum AnchorQuantity { step_seconds, tokens_per_second };

// A positive number; nothing of anything else.
std::optional<double> positive_number(const QLineEdit& field) {
    bool is_number = false;
    const double value = QLocale::c().toDouble(field.text().trimmed(), &is_number);
    return is_number && value > 0 ? std::optional(value) : std::nullopt;
}

// "The model alone predicts 14.8 s: 26 % shorter than measured."
QStringList beside(const Estimate& model, const Anchor& measured) {
    QStringList lines;
    const auto share = [](double error) { return to_qt(percent(std::abs(error))); };
    if (const auto error = measured.time_error)
        lines << (*error < 0 ? QObject::tr("The model alone predicts a step of %1, %2 shorter than measured.")
                             : QObject::tr("The model alone predicts a step of %1, %2 longer than measured."))
                     .arg(to_qt(say(model.step.total())), share(*error));
    if (const auto error = measured.memory_error)
        lines << (*error < 0 ? QObject::tr("The model alone predicts %1 of memory, %2 less than measured.")
                             : QObject::tr("The model alone predicts %1 of memory, %2 more than measured."))
                     .arg(to_qt(say(figure_of(model, {measured.memory_kind}))), share(*error));
    return lines;
}

}  // namespace

AnchorDialog::AnchorDialog(const Scenario& plan, QWidget* parent)
    : QDialog(parent),
      plan_(model_alone(plan)),
      name_(new QLineEdit(to_qt(plan.name.empty() ? plan.model.name : plan.name))),
      value_(new QLineEdit),
      memory_(new QLineEdit),
      quantity_(new QComboBox),
      memory_kind_(new QComboBox),
      said_(new QLabel),
      all_the_same_(new QCheckBox(tr("It is right; keep it all the &same"))) {
    setWindowTitle(tr("I measured this"));
    quantity_->addItems({tr("Seconds of a step"), tr("Tokens per second, all devices")});
    quantity_->setAccessibleName(tr("What was measured"));
    value_->setAccessibleName(tr("Measured value"));
    // In the order of MemoryKind.
    memory_kind_->addItems({tr("reserved by the allocator"), tr("allocated to tensors"),
                            tr("used of the device, as nvidia-smi shows it")});
    memory_kind_->setAccessibleName(tr("What the memory is"));
    memory_->setPlaceholderText(tr("not measured"));
    memory_->setAccessibleName(tr("Measured memory in GiB"));
    name_->setAccessibleName(tr("Name of the run"));
    name_->setMinimumWidth(fontMetrics().averageCharWidth() * widest_name);
    name_->setCursorPosition(0);
    said_->setWordWrap(true);
    auto* explained = new QLabel(tr("Of the plan as it stands: the median step once it runs steadily, and the memory "
                                    "of the fullest device. Plans that differ from it in layers, replicas and pipeline "
                                    "stages alone take nearly all of its error; of others on this machine and software "
                                    "it says little."));
    explained->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    keep_ = buttons->addButton(tr("&Keep"), QDialogButtonBox::AcceptRole);
    keep_->setDefault(true);
    buttons->button(QDialogButtonBox::Cancel)->setAutoDefault(false);   // not either while there is nothing to keep
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* form = new QFormLayout(this);
    form->addRow(explained);
    form->addRow(tr("&Name"), name_);
    form->addRow(quantity_, value_);
    form->addRow(tr("&Memory, GiB"), memory_);
    form->addRow(tr("&which is"), memory_kind_);
    form->addRow(said_);
    form->addRow(all_the_same_);
    form->addRow(buttons);
    const auto other_value = [this] {
        all_the_same_->setChecked(false);   // it was said of another one
        present();
    };
    for (QLineEdit* field : {value_, memory_}) connect(field, &QLineEdit::textChanged, this, other_value);
    for (QComboBox* choice : {quantity_, memory_kind_})
        connect(choice, &QComboBox::currentIndexChanged, this, other_value);
    connect(all_the_same_, &QCheckBox::toggled, this, &AnchorDialog::present);
    value_->setFocus();
    present();
}

std::optional<MeasuredRun> AnchorDialog::run() const {
    MeasuredRun run{name_->text().trimmed().toStdString(), plan_, {}, {}};
    if (const auto value = positive_number(*value_)) {
        const double tokens = tokens_of_step(plan_.recipe);
        run.step = (quantity_->currentIndex() == tokens_per_second ? tokens / *value : *value) * second;
    } else if (!value_->text().trimmed().isEmpty()) {
        return std::nullopt;
    }
    if (const auto memory = positive_number(*memory_)) run.memory = *memory * gibibyte;
    else if (!memory_->text().trimmed().isEmpty()) return std::nullopt;
    run.memory_kind = MemoryKind(memory_kind_->currentIndex());
    return run.step || run.memory ? std::optional(run) : std::nullopt;
}

void AnchorDialog::present() {
    QStringList lines;
    bool sure = false, doubted = false;
    if (const auto measured = run()) {
        const auto anchor = anchor_of(*measured);
        if (!anchor) lines << to_qt(anchor.error());
        else {
            const std::vector<std::string> doubts = doubts_of(*anchor);
            doubted = !doubts.empty();
            sure = !doubted || all_the_same_->isChecked();
            lines << to_qt(doubts);
            if (!doubted) lines = beside(*estimate(plan_), *anchor);  // asked: by anchor_of()
        }
    }
    said_->setText(lines.join(u' '));
    all_the_same_->setVisible(doubted);
    keep_->setEnabled(sure);
}

}  // namespace plimsoll
