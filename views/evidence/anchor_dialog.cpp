#include "views/evidence/anchor_dialog.h"

#include "core/answers/plan/estimate.h"
#include "core/values/basics/text.h"
#include "views/parts/text.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLocale>

namespace plimsoll {

namespace {

enum AnchorQuantity { step_seconds, tokens_per_second };

// A positive number; nothing of anything else.
std::optional<double> positive_number(const QLineEdit& field) {
    bool is_number = false;
    const double value = QLocale::c().toDouble(field.text().trimmed(), &is_number);
    return is_number && value > 0 ? std::optional(value) : std::nullopt;
}

}  // namespace

AnchorDialog::AnchorDialog(const Scenario& plan, QWidget* parent)
    : QDialog(parent),
      plan_(plan),
      name_(new QLineEdit(to_qt(plan.name.empty() ? plan.model.name : plan.name))),
      value_(new QLineEdit),
      memory_(new QLineEdit),
      quantity_(new QComboBox),
      said_(new QLabel) {
    setWindowTitle(tr("I measured this"));
    quantity_->addItems({tr("Seconds of a step"), tr("Tokens per second, all devices")});
    quantity_->setAccessibleName(tr("What was measured"));
    value_->setAccessibleName(tr("Measured value"));
    memory_->setPlaceholderText(tr("not measured"));
    memory_->setAccessibleName(tr("Measured memory in GiB"));
    name_->setAccessibleName(tr("Name of the run"));
    said_->setWordWrap(true);
    auto* explained = new QLabel(tr("Of the plan as it stands: the median step once it runs steadily, and the memory "
                                    "of the fullest device. Predictions of plans on this machine and software start "
                                    "from it, the more the liker they are."));
    explained->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    keep_ = buttons->addButton(tr("Keep"), QDialogButtonBox::AcceptRole);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* form = new QFormLayout(this);
    form->addRow(explained);
    form->addRow(tr("Name"), name_);
    form->addRow(quantity_, value_);
    form->addRow(tr("Memory, GiB"), memory_);
    form->addRow(said_);
    form->addRow(buttons);
    for (QLineEdit* field : {value_, memory_}) connect(field, &QLineEdit::textChanged, this, &AnchorDialog::present);
    connect(quantity_, &QComboBox::currentIndexChanged, this, &AnchorDialog::present);
    value_->setFocus();
    present();
}

std::optional<MeasuredRun> AnchorDialog::run() const {
    MeasuredRun run{name_->text().trimmed().toStdString(), plan_, {}, {}};
    if (const auto value = positive_number(*value_)) {
        const double tokens = double(plan_.recipe.global_batch_sequences) * plan_.recipe.sequence_length;
        run.step = (quantity_->currentIndex() == tokens_per_second ? tokens / *value : *value) * second;
    } else if (!value_->text().trimmed().isEmpty()) {
        return std::nullopt;
    }
    if (const auto memory = positive_number(*memory_)) run.memory = *memory * gibibyte;
    else if (!memory_->text().trimmed().isEmpty()) return std::nullopt;
    return run.step || run.memory ? std::optional(run) : std::nullopt;
}

void AnchorDialog::present() {
    const auto measured = run();
    if (!measured) {
        keep_->setEnabled(false);
        return said_->setText({});
    }
    const auto anchor = anchor_of(*measured);
    keep_->setEnabled(anchor.has_value());
    if (!anchor) return said_->setText(to_qt(anchor.error()));
    QStringList lines;
    if (anchor->time_error)
        lines.append(tr("The step was predicted %1 off.").arg(signed_share(*anchor->time_error)));
    if (anchor->memory_error)
        lines.append(tr("The memory was predicted %1 off.").arg(signed_share(*anchor->memory_error)));
    said_->setText(lines.join(u' '));
}

}  // namespace plimsoll
