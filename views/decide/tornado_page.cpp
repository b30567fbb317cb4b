#include "views/decide/tornado_page.h"

#include "core/answers/curves/figure_units.h"
#include "core/evidence/published/band.h"
#include "core/values/basics/shown_units.h"
#include "core/values/basics/text.h"
#include "views/parts/arrange.h"
#include "views/parts/language.h"
#include "views/parts/text.h"

#include <QHeaderView>

#include <cmath>

namespace plimsoll {

namespace {

constexpr TornadoOf numbers[] = {TornadoOf::time, TornadoOf::node_hours, TornadoOf::energy, TornadoOf::cost};

QString number(double value) { return to_qt(significant(value, 4)); }

// How the number is shown: so many of the unit for each of core's.
struct NumberUnit {
    double by = 1;
    QString name;
};
NumberUnit unit_shown(TornadoOf of, const Machine& machine, HourOf hours) {
    if (of == TornadoOf::time && shown_units().durations == DurationUnit::hours)
        return {day / hour, worded("hours")};
    const auto rate = hours_per_node_hour(machine, hours);
    if (of == TornadoOf::node_hours && hours != HourOf::node && rate)
        return {*rate, to_qt(hours_label(hours, machine))};
    return {1, worded(unit_of_tornado(of))};
}

}  // namespace

TornadoPage::TornadoPage(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      of_(as_input(new QComboBox, "tornado.of")),
      state_(paragraph(tr("What is varied"))),
      table_(new TextTable(tr("What the answer hangs on"),
                           {tr("Input"), tr("From"), tr("To"), tr("At the lower end"), tr("At the upper end"),
                            tr("Change"), tr("Ends")},
                           {1, 2, 3, 4, 5})),
      range_(paragraph(tr("The likely range"))),
      parts_(new TextTable(tr("What the likely range is made of"), {tr("Cause"), tr("Alone"), tr("Share")}, {1, 2})),
      chart_(new ScatterChart),
      curve_(new Chart("tornado-curve")) {
    of_->addItems({tr("Time to train"), tr("Node-hours"), tr("Energy, facility"), tr("Cost")});
    table_->stretch(6);
    chart_->setAccessibleName(tr("What the answer hangs on"));
    chart_->set_empty_text(tr("Nothing can be varied."));
    curve_->set_empty_text(tr("Select a row to see its curve."));
    charts_ = split(Qt::Horizontal, {chart_, curve_}, {500, 500});
    parts_->stretch(0);
    parts_->setMinimumHeight(3 * parts_->fontMetrics().height());
    parts_->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
    QWidget* ranges = piece(below({range_, parts_}, no_margins));
    ranges->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    setLayout(below({flow({labelled(tr("&Number:"), of_)}), state_,
                     {split(Qt::Vertical, {{charts_, 3}, {table_, 2}, ranges}), 1}},
                    page_margins));
    connect(of_, &QComboBox::currentIndexChanged, this, &TornadoPage::present);
    connect(table_, &QTableWidget::currentCellChanged, this, &TornadoPage::show_curve);
    connect(chart_, &ScatterChart::picked, this, [this](const QString& name) {
        for (std::size_t i = 0; i < bars_.size(); ++i)
            if (name.startsWith(to_qt(bars_[i].what))) table_->selectRow(int(i));
    });
    auto* seen = new WhenSeen(*this, [this] { present(); });
    connect(&workspace_, &Workspace::changed, seen, &WhenSeen::due);
}

// Beside the names of its inputs a narrow chart has no room for bars.
void TornadoPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    charts_->setOrientation(width() < 90 * fontMetrics().averageCharWidth() ? Qt::Vertical : Qt::Horizontal);
}

void TornadoPage::present() {
    plan_ = workspace_.scenario();
    const TornadoOf of = numbers[std::max(of_->currentIndex(), 0)];
    const auto here = tornado_value(plan_, of);
    bars_ = here ? tornado(plan_, of) : std::vector<TornadoBar>{};
    if (here) {
        state_->setText(tr("One input at a time at both ends of what it may be, all else as in the plan: what was "
                           "measured over its interval, a market price over its range, everything else from 0.80 to "
                           "1.25 times the preset's, which asks what if and is no likely range. Failures and ends of "
                           "jobs are counted."));
        chart_->present(
            in_shown_units(tornado_figure(plan_, of, bars_), plan_.machine, workspace_.preferences().hours));
    } else {
        state_->setText(!estimate(plan_)      ? tr("The plan cannot be computed as it stands.")
                        : of == TornadoOf::cost ? tr("No price of an hour is known: the machine's preset states none. "
                                                     "A machine of your own may have one.")
                                                : tr("Failures take all of the time: the run never ends."));
        chart_->present({});
    }
    const NumberUnit unit = unit_shown(of, plan_.machine, workspace_.preferences().hours);
    std::vector<QStringList> cells;
    for (const TornadoBar& b : bars_) {
        cells.push_back({worded(b.what), number(b.low_value), number(b.high_value), number(unit.by * b.at_low),
                         number(unit.by * b.at_high),
                         signed_share(b.at_low / *here - 1) + QStringLiteral(" \u2026 ")
                             + signed_share(b.at_high / *here - 1),
                         to_qt(b.ends)});
    }
    table_->show_rows(cells);
    if (table_->currentRow() < 0 && !bars_.empty()) table_->selectRow(0);
    show_curve();
    show_range(here);
}

// What the published runs allow, cause by cause; the causes are those of the time, which all of these numbers follow.
void TornadoPage::show_range(const std::optional<double>& here) {
    const auto answer = workspace_.snapshot().last_good;
    const bool judged = here && answer && answer->scenario == plan_ && answer->band && workspace_.record()
                     && !answer->band->time_parts.empty();
    range_->setVisible(here.has_value());
    parts_->setVisible(judged);
    if (!judged)
        return range_->setText(tr("The likely range is not known: the published runs are not compared yet, or none is "
                                  "like this plan."));
    const Band& band = *answer->band;
    const LikelyRange<double> range = range_around(*here, band.time);
    const NumberUnit unit = unit_shown(numbers[std::max(of_->currentIndex(), 0)], plan_.machine,
                                       workspace_.preferences().hours);
    range_->setText(tr("Likely range: %1 to %2 %3, %4 either way. %5")
                        .arg(number(unit.by * range.low), number(unit.by * range.high), unit.name,
                             to_qt(percent(band.time)), to_qt(say_part_rule())));
    const double whole = std::log1p(band.time) * std::log1p(band.time);
    // The answer's own sentences are English, for figures that become files; here they are put into the window's words.
    const Band here_in_words = anchored(plan_, workspace_.record()->evidence).band;
    std::vector<QStringList> rows;
    for (std::size_t i = 0; i < band.time_parts.size(); ++i) {
        const BandPart& p = band.time_parts[i];
        const bool same = i < here_in_words.time_parts.size();
        rows.push_back({same ? to_qt(here_in_words.time_parts[i].cause) : worded(p.cause),
                        to_qt(percent(p.alone())), to_qt(percent(p.variance / whole, 0))});
    }
    parts_->show_rows(rows);
    const int lines = parts_->verticalHeader()->length() + parts_->horizontalHeader()->height();
    parts_->setMaximumHeight(lines + 2 * parts_->frameWidth() + 2);
}

void TornadoPage::show_curve() {
    const int row = table_->currentRow();
    std::vector<Figure> shown;
    if (row >= 0 && row < int(bars_.size()))
        shown.push_back(in_shown_units(
            tornado_curve(plan_, numbers[std::max(of_->currentIndex(), 0)], bars_[std::size_t(row)])));
    curve_->present(snapshot_of(std::move(shown)));
}

}  // namespace plimsoll
