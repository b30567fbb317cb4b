#include "views/decide/tornado_page.h"

#include "core/values/basics/text.h"
#include "views/parts/language.h"
#include "views/parts/text.h"
#include "views/parts/widgets.h"

#include <QHeaderView>
#include <QSplitter>
#include <QVBoxLayout>

namespace plimsoll {

namespace {

constexpr TornadoOf numbers[] = {TornadoOf::time, TornadoOf::node_hours, TornadoOf::energy, TornadoOf::cost};

QString number(double value) { return to_qt(significant(value, 4)); }

}  // namespace

TornadoPage::TornadoPage(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      of_(new QComboBox),
      state_(paragraph(tr("What is varied"))),
      table_(new TextTable(tr("What the answer hangs on"),
                           {tr("Input"), tr("From"), tr("To"), tr("At the lower end"), tr("At the upper end"),
                            tr("Change"), tr("Ends")},
                           {1, 2, 3, 4, 5})),
      chart_(new ScatterChart),
      curve_(new Chart("tornado-curve")) {
    of_->addItems({tr("Time to train"), tr("Node-hours"), tr("Energy, facility"), tr("Cost")});
    of_->setObjectName(QStringLiteral("tornado.of"));
    WheelGuard::install(of_);
    table_->stretch(6);
    chart_->setAccessibleName(tr("What the answer hangs on"));
    chart_->set_empty_text(tr("Nothing can be varied."));
    curve_->set_empty_text(tr("Select a row to see its curve."));
    auto* head = new FlowLayout;
    head->addWidget(labelled(tr("What hangs on &it:"), of_));
    auto* charts = new QSplitter(Qt::Horizontal);
    charts->addWidget(chart_);
    charts->addWidget(curve_);
    charts->setChildrenCollapsible(false);
    charts->setSizes({500, 500});
    auto* halves = new QSplitter(Qt::Vertical);
    halves->addWidget(charts);
    halves->addWidget(table_);
    halves->setStretchFactor(0, 3);
    halves->setStretchFactor(1, 2);
    halves->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 6, 4, 4);
    column->addLayout(head);
    column->addWidget(state_);
    column->addWidget(halves, 1);
    connect(of_, &QComboBox::currentIndexChanged, this, &TornadoPage::present);
    connect(table_, &QTableWidget::currentCellChanged, this, &TornadoPage::show_curve);
    connect(chart_, &ScatterChart::picked, this, [this](const QString& name) {
        for (std::size_t i = 0; i < bars_.size(); ++i)
            if (name.startsWith(to_qt(bars_[i].what))) table_->selectRow(int(i));
    });
    connect(&workspace_, &Workspace::changed, this, [this] {
        if (isVisible()) present();
        else behind_ = true;
    });
}

void TornadoPage::set_theme(const ChartTheme& theme) {
    chart_->set_theme(theme);
    curve_->set_theme(theme);
}

void TornadoPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (behind_) present();
}

void TornadoPage::present() {
    behind_ = false;
    plan_ = workspace_.scenario();
    const TornadoOf of = numbers[std::max(of_->currentIndex(), 0)];
    const auto here = tornado_value(plan_, of);
    bars_ = here ? tornado(plan_, of) : std::vector<TornadoBar>{};
    if (here) {
        state_->setText(tr("One input at a time at both ends of what it may be, all else as in the plan: what was "
                           "measured over its interval, a market price over its range, everything else from 0.80 to "
                           "1.25 times the preset's. Failures and ends of jobs are counted."));
        chart_->present(tornado_figure(plan_, of, bars_));
    } else {
        state_->setText(!estimate(plan_)      ? tr("The plan cannot be computed as it stands.")
                        : of == TornadoOf::cost ? tr("No price of an hour is known: the machine's preset states none. "
                                                     "A machine of your own may have one.")
                                                : tr("Failures take all of the time: the run never ends."));
        chart_->present({});
    }
    std::vector<QStringList> cells;
    for (const TornadoBar& b : bars_) {
        cells.push_back({worded(b.what), number(b.low_value), number(b.high_value), number(b.at_low), number(b.at_high),
                         signed_share(b.at_low / *here - 1) + QStringLiteral(" \u2026 ")
                             + signed_share(b.at_high / *here - 1),
                         to_qt(b.ends)});
    }
    table_->show_rows(cells);
    if (table_->currentRow() < 0 && !bars_.empty()) table_->selectRow(0);
    show_curve();
}

void TornadoPage::show_curve() {
    const int row = table_->currentRow();
    std::vector<Figure> shown;
    if (row >= 0 && row < int(bars_.size()))
        shown.push_back(tornado_curve(plan_, numbers[std::max(of_->currentIndex(), 0)], bars_[std::size_t(row)]));
    curve_->present(snapshot_of(std::move(shown)));
}

}  // namespace plimsoll
