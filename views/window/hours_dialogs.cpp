#include "views/window/hours_dialogs.h"

#include "core/answers/campaign/scaling.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/knobs.h"
#include "core/values/knobs/wording.h"
#include "views/document/preferences.h"
#include "views/parts/arrange.h"
#include "views/parts/text.h"

#include <QFormLayout>

#include <cmath>

namespace plimsoll {

namespace {

// "1.3M"; nothing of what is no positive number.
std::optional<double> hours_in(const QLineEdit& field) {
    const auto hours = parse_value(*find_knob("recipe.tokens"), field.text().trimmed().toStdString());
    return hours && *hours > 0 && std::isfinite(*hours) ? std::optional(*hours) : std::nullopt;
}

}  // namespace

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
    const auto amount = hours_in(*amount_);
    if (!amount) {
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

BudgetDialog::BudgetDialog(const Answer& plan, QWidget* parent)
    : QDialog(parent),
      plan_(plan),
      node_hours_(new QLineEdit(QString::number(plan.headline.node_hours, 'f', 0))),
      said_(paragraph(tr("What the budget pays for"))),
      table_(new TextTable(tr("What the budget would train"),
                           {tr("By"), tr("Parameters"), tr("Tokens"), tr("Tokens per parameter")}, {1, 2, 3})) {
    setWindowTitle(tr("What a budget would train"));
    node_hours_->setObjectName(QStringLiteral("budget.node_hours"));
    node_hours_->setAccessibleName(tr("Node-hours"));
    node_hours_->setToolTip(tr("A number with or without k, M, B or T, such as 250k"));
    node_hours_->selectAll();
    auto* form = new QFormLayout;
    form->addRow(tr("&Node-hours:"), node_hours_);
    setLayout(below({form, said_, {table_, 1}, close_button(*this)}));
    resize(640, 300);
    connect(node_hours_, &QLineEdit::textChanged, this, &BudgetDialog::present);
    present();
}

void BudgetDialog::present() {
    const auto hours = hours_in(*node_hours_);
    const bool trains = plan_.headline.resilience.makes_progress();
    if (!hours || !trains) {
        said_->setText(trains ? tr("A number of node-hours is needed.")
                              : tr("Failures and checkpoints take all of the time: no budget trains anything."));
        return table_->show_rows({});
    }
    const Flop work = budget_flop(plan_.scenario, plan_.estimate, *hours);
    said_->setText(tr("%1 on %2 at %3 of the peak, failures included, pay for %4 FLOP (6 x parameters x tokens).")
                       .arg(tr("%1 node-hours").arg(to_qt(say_count(*hours))), to_qt(plan_.scenario.machine.name),
                            to_qt(percent(plan_.headline.mfu)), to_qt(significant(work / flop, 3)))
                   + (fit_verdict(plan_.estimate) == FitVerdict::fits
                          ? QString()
                          : u' ' + to_qt(say_fit_verdict(plan_.estimate))));
    const auto row = [](const QString& by, const Optimum& o) -> QStringList {
        return {by, to_qt(say_count(o.parameters)), to_qt(say_count(o.tokens)), grouped(o.tokens_per_parameter())};
    };
    const double p = parameters(plan_.scenario.model);
    table_->show_rows({row(tr("20 tokens per parameter (Hoffmann et al. 2022)"), optimum(work)),
                       row(tr("Loss law fitted again (Besiroglu et al. 2024)"), optimum(refit_2024, work)),
                       row(tr("The plan's model"), {p, work / flop / 6 / p})});
}

}  // namespace plimsoll
