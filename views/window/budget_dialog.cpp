#include "views/window/budget_dialog.h"

#include "core/answers/campaign/scaling.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/knobs.h"
#include "core/values/knobs/wording.h"
#include "views/parts/arrange.h"
#include "views/parts/text.h"

#include <QFormLayout>

#include <cmath>

namespace plimsoll {

BudgetDialog::BudgetDialog(const Answer& plan, QWidget* parent)
    : QDialog(parent),
      plan_(plan.scenario),
      estimate_(plan.estimate),
      headline_(plan.headline),
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
    const auto hours = parse_value(*find_knob("recipe.tokens"), node_hours_->text().trimmed().toStdString());
    const bool trains = headline_.resilience.makes_progress();
    if (!hours || !(*hours > 0) || !std::isfinite(*hours) || !trains) {
        said_->setText(trains ? tr("A number of node-hours is needed.")
                              : tr("Failures and checkpoints take all of the time: no budget trains anything."));
        return table_->show_rows({});
    }
    const Flop work = budget_flop(plan_, estimate_, *hours);
    said_->setText(tr("%1 on %2 at %3 of the peak, failures included, pay for %4 FLOP (6 x parameters x tokens).")
                       .arg(tr("%1 node-hours").arg(to_qt(say_count(*hours))), to_qt(plan_.machine.name),
                            to_qt(percent(headline_.mfu)), to_qt(significant(work / flop, 3)))
                   + (estimate_.fits()
                          ? QString()
                          : QStringLiteral(" ") + tr("The plan does not fit in memory; its rate is hypothetical.")));
    const auto row = [](const QString& by, const Optimum& o) -> QStringList {
        return {by, to_qt(say_count(o.parameters)), to_qt(say_count(o.tokens)), grouped(o.tokens_per_parameter())};
    };
    const double p = parameters(plan_.model);
    table_->show_rows({row(tr("20 tokens per parameter (Hoffmann et al. 2022)"), optimum(work)),
                       row(tr("Loss law fitted again (Besiroglu et al. 2024)"), optimum(refit_2024, work)),
                       row(tr("The plan's model"), {p, work / flop / 6 / p})});
}

}  // namespace plimsoll
