#include "views/window/hours_dialog.h"

#include "core/values/knobs/knobs.h"
#include "core/values/knobs/wording.h"
#include "views/document/preferences.h"
#include "views/parts/arrange.h"
#include "views/parts/text.h"

#include <QFormLayout>

#include <cmath>

namespace plimsoll {

HoursDialog::HoursDialog(const Answer& plan, QWidget* parent)
    : QDialog(parent),
      machine_(plan.scenario.machine),
      amount_(new QLineEdit),
      unit_(new QComboBox),
      devices_(new QSpinBox),
      said_(paragraph(tr("What an hour is of"))),
      table_(new TextTable(tr("The same hours"), {tr("Unit"), tr("Amount")}, {1})) {
    setWindowTitle(tr("Hours in other units"));
    amount_->setObjectName(QStringLiteral("hours.amount"));
    amount_->setAccessibleName(tr("Amount"));
    amount_->setToolTip(tr("A number with or without k, M, B or T, such as 1.3M"));
    if (plan.totals.ends()) amount_->setText(QString::number(plan.totals.node_hours, 'f', 0));
    amount_->selectAll();
    for (const auto& [of, words] : hour_choices())
        if (hours_per_node_hour(machine_, of)) unit_->addItem(words, int(of));
    devices_->setRange(1, 100000000);
    devices_->setGroupSeparatorShown(true);
    devices_->setValue(plan.scenario.layout.devices);
    auto* form = new QFormLayout;
    form->addRow(tr("&Amount:"), amount_);
    form->addRow(tr("&Unit:"), unit_);
    form->addRow(tr("On so many &devices:"), devices_);
    table_->stretch(0);
    setLayout(below({form, {table_, 1}, said_, close_button(*this)}));
    resize(560, 380);
    connect(amount_, &QLineEdit::textChanged, this, &HoursDialog::present);
    connect(unit_, &QComboBox::currentIndexChanged, this, &HoursDialog::present);
    connect(devices_, &QSpinBox::valueChanged, this, &HoursDialog::present);
    present();
}

void HoursDialog::present() {
    const auto amount = parse_value(*find_knob("recipe.tokens"), amount_->text().trimmed().toStdString());
    if (!amount || !(*amount > 0) || !std::isfinite(*amount)) {
        said_->setText(tr("A number of hours is needed."));
        return table_->show_rows({});
    }
    said_->setText(to_qt(say_gpu_hour(machine_)));
    const double node_hours = to_node_hours(machine_, *amount, HourOf(unit_->currentData().toInt())).value_or(0);
    std::vector<QStringList> rows;
    for (int i = 0; i < unit_->count(); ++i) {
        const auto same = from_node_hours(machine_, node_hours, HourOf(unit_->itemData(i).toInt()));
        rows.push_back({unit_->itemText(i), grouped(same.value_or(0))});
    }
    const double nodes = double(devices_->value()) / machine_.devices_per_node;
    rows.push_back({tr("Time on %1 devices").arg(grouped(devices_->value())), to_qt(say(node_hours / nodes * hour))});
    table_->show_rows(rows);
}

}  // namespace plimsoll
