#include "views/pages/energy_page.h"

#include "core/answers/campaign/money.h"
#include "core/answers/campaign/cards.h"
#include "core/values/basics/names.h"
#include "core/values/basics/text.h"
#include "views/parts/language.h"
#include "views/parts/text.h"
#include "views/parts/widgets.h"

#include <QGridLayout>

namespace plimsoll {

namespace {

QString text_of(const HourPrice& price) {
    if (!(price.amount > 0)) return {};
    return to_qt(shortest(price.amount) + ' ' + price.currency + '/' + std::string(name_of(price.per)));
}

}  // namespace

EnergyPage::EnergyPage(Workspace& workspace, QWidget* parent)
    : ChartPage(workspace, {"energy-vs-nodes", "power-vs-nodes"}, 2, parent),
      plan_(workspace),
      price_(new QLineEdit),
      trouble_(new PlainLabel),
      table_(new TextTable(tr("Energy, money and carbon"), {tr("Energy, money and carbon"), tr("This plan")})) {
    price_->setObjectName(QStringLiteral("energy.price"));
    price_->setPlaceholderText(tr("2.69 CHF/node-hour or 1.99 USD/device-hour"));
    price_->setMinimumWidth(290);
    price_->setToolTip(tr("What an hour costs you; Enter takes it. Empty: what the machine's preset says"));
    trouble_->setWordWrap(true);
    trouble_->setAccessibleName(tr("What is wrong with the price"));
    trouble_->hide();
    table_->wrap({1});
    auto* line = new QWidget;
    auto* flow = new FlowLayout(line);
    flow->addWidget(labelled(tr("Price of an &hour"), price_));
    auto* grid = static_cast<QGridLayout*>(layout());
    grid->addWidget(line, 1, 0, 1, 2);
    grid->addWidget(trouble_, 2, 0, 1, 2);
    grid->addWidget(table_, 3, 0, 1, 2);
    grid->setRowStretch(0, 5);
    grid->setRowStretch(3, 4);
    connect(price_, &QLineEdit::editingFinished, this, &EnergyPage::take_price);
    connect(&workspace, &Workspace::changed, this, [this](const Snapshot& s) {
        if (isVisible()) fill(s);
    });
}

void EnergyPage::showEvent(QShowEvent* event) {
    ChartPage::showEvent(event);
    fill(plan_.snapshot());
}

// A plan without numbers leaves the rows of the last one, as its charts do.
void EnergyPage::fill(const Snapshot& s) {
    if (!price_->hasFocus()) price_->setText(text_of(s.scenario.machine.price));
    if (!s.last_good) return;
    table_->setEnabled(!s.stale());
    std::vector<QStringList> cells;
    for (const CardRow& r : cost_card(s.last_good->scenario, s.last_good->estimate.step, s.last_good->totals))
        cells.push_back({worded(r.label), to_qt(r.value)});
    table_->show_rows(cells);
}

void EnergyPage::take_price() {
    const QString text = price_->text().trimmed();
    if (text == text_of(plan_.scenario().machine.price)) return trouble_->hide();
    Scenario next = plan_.scenario();
    if (text.isEmpty()) {
        const auto preset = plan_.library().machines.find(next.machine.id);
        next.machine.price = preset == plan_.library().machines.end() ? HourPrice{} : preset->second.price;
    } else {
        auto price = parse_price(text.toStdString());
        trouble_->setVisible(!price);
        if (!price) {
            trouble_->setText(to_qt(price.error()));
            return set_text_colour(*trouble_, alert_colour(palette()));
        }
        next.machine.price = *std::move(price);
    }
    trouble_->hide();
    plan_.propose(next, text.isEmpty() ? tr("Price of the preset") : tr("Price %1").arg(text));
}

}  // namespace plimsoll
