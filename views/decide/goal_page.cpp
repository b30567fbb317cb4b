#include "views/decide/goal_page.h"

#include "core/answers/curves/figure_units.h"
#include "core/answers/search/wording.h"
#include "core/values/knobs/wording.h"
#include "views/parts/language.h"
#include "views/parts/text.h"
#include "views/parts/widgets.h"

#include <QGroupBox>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace plimsoll {

GoalPage::GoalPage(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      state_(paragraph(tr("The answer"))),
      note_(paragraph(tr("What to know of the answer"))),
      table_(new TextTable(tr("Plans within the limits"),
                           {tr("Plan"), tr("Time"), tr("Node-hours"), tr("Energy"), tr("Power"), tr("Cost, at most"),
                            tr("Nodes"), tr("Parameters"), tr("Model"), tr("Tokens"), tr("Memory"), tr("Layout")},
                           {1, 2, 3, 4, 5, 6, 7, 9, 10})),
      apply_(new QPushButton(tr("&Use this plan"))) {
    table_->stretch(11);
    apply_->setObjectName(QStringLiteral("goal.apply"));
    apply_->setToolTip(tr("Puts the selected row into the plan, as one step that can be undone"));
    search_.button()->setObjectName(QStringLiteral("goal.search"));
    auto* inputs = new QHBoxLayout;
    inputs->addWidget(build_limits(), 3);
    inputs->addWidget(build_moves(), 2);
    auto* actions = new FlowLayout;
    for (QWidget* each : std::initializer_list<QWidget*>{search_.button(), search_.bar(), apply_})
        actions->addWidget(each);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 6, 4, 4);
    column->addLayout(inputs);
    column->addLayout(actions);
    column->addWidget(state_);
    column->addWidget(note_);
    column->addWidget(table_, 1);
    note_->setText(tr("The plan has changed since: these were searched for the plan before."));
    connect(search_.button(), &QPushButton::clicked, this, [this] { busy() ? cancel() : search(); });
    connect(&search_, &BackgroundSearch::busy_changed, this, &GoalPage::follow);
    connect(&search_, &BackgroundSearch::busy_changed, this, &GoalPage::busy_changed);
    connect(&search_, &BackgroundSearch::failed, this, [this](const QString& why) { state_->setText(why); });
    connect(apply_, &QPushButton::clicked, this, &GoalPage::apply);
    connect(table_, &QTableWidget::currentCellChanged, this, &GoalPage::show_selection);
    connect(table_, &QTableWidget::cellActivated, this, &GoalPage::apply);
    connect(&workspace_, &Workspace::changed, this, [this] {
        if (isVisible()) follow();
    });
    follow();
}

QDoubleSpinBox* GoalPage::limit(const char* name, const QString& text, const QString& unit) {
    auto* box = new QDoubleSpinBox;
    box->setRange(0, 1e12);
    box->setDecimals(unit == tr(" d") ? 1 : unit == tr(" MW") ? 3 : 0);
    box->setGroupSeparatorShown(true);
    box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    box->setSpecialValueText(tr("no limit"));
    box->setSuffix(unit);
    box->setObjectName(QStringLiteral("goal.") + QString::fromLatin1(name));
    box->setAccessibleName(text);
    WheelGuard::install(box);
    connect(box, &QDoubleSpinBox::valueChanged, this, &GoalPage::follow);
    return box;
}

QWidget* GoalPage::build_limits() {
    auto* group = new QGroupBox(tr("What must hold"));
    auto* line = new FlowLayout(group);
    days_ = limit("days", tr("Longest time"), tr(" d"));
    node_hours_ = limit("node_hours", tr("Most node-hours"), {});
    energy_ = limit("energy", tr("Most energy of the facility"), tr(" MWh"));
    power_ = limit("power", tr("Most power of the facility"), tr(" MW"));
    power_->setToolTip(tr("While it trains, PUE counted. Without one the limit of the preferences holds"));
    money_ = limit("money", tr("Most money"), {});
    money_->setToolTip(tr("In the currency of the machine's price, at its upper end"));
    line->addWidget(labelled(tr("&Time"), days_));
    line->addWidget(labelled(tr("Node-&hours"), node_hours_));
    line->addWidget(labelled(tr("&Energy"), energy_));
    line->addWidget(labelled(tr("&Power"), power_));
    line->addWidget(labelled(tr("&Cost"), money_));
    return group;
}

QWidget* GoalPage::build_moves() {
    auto* group = new QGroupBox(tr("What may change"));
    auto* line = new FlowLayout(group);
    const auto box = [&](const char* name, const QString& text, const QString& tip, bool on) {
        auto* check = new QCheckBox(text);
        check->setObjectName(QStringLiteral("goal.move.") + QString::fromLatin1(name));
        check->setToolTip(tip);
        check->setChecked(on);
        connect(check, &QCheckBox::toggled, this, &GoalPage::follow);
        line->addWidget(check);
        return check;
    };
    nodes_ = box("nodes", tr("N&odes"), tr("Up to the whole machine"), true);
    layout_ = box("layout", tr("&Layout"), tr("Parallel degrees, micro-batch, recomputation: the common choices"),
                  true);
    size_ = box("size", tr("Model &size"),
                tr("Width, heads and layers together, from a sixteenth to sixteen times the parameters"), false);
    tokens_ = box("tokens", tr("To&kens"), tr("As many as the limits pay for"), false);
    return group;
}

GoalLimits GoalPage::limits() const {
    GoalLimits l;
    if (days_->value() > 0) l.time = days_->value() * day;
    if (node_hours_->value() > 0) l.node_hours = node_hours_->value();
    if (energy_->value() > 0) l.energy = energy_->value() * megawatt_hour;
    if (money_->value() > 0) l.money = money_->value();
    if (power_->value() > 0) l.power = power_->value() * megawatt;
    else if (const Watts most = workspace_.preferences().most_power; most > Watts{}) l.power = most;
    l.headroom = workspace_.preferences().headroom;
    return l;
}

GoalMoves GoalPage::moves() const {
    return {nodes_->isChecked(), layout_->isChecked(), size_->isChecked(), tokens_->isChecked()};
}

QString GoalPage::hindrance() const {
    const GoalMoves m = moves();
    if (!m.nodes && !m.layout && !m.size && !m.tokens) return tr("Tick at least one thing that may change.");
    if (m.tokens && !limits().end_a_run())
        return tr("Where the tokens may change, time, node-hours, energy or cost needs a limit: else there is no "
                  "most.");
    return {};
}

void GoalPage::search() {
    if (!hindrance().isEmpty()) return;
    of_ = workspace_.scenario();
    search_.start([this, plan = of_, l = limits(), m = moves(), most = workspace_.search_threads()](
                      std::stop_token stop, const BackgroundSearch::Progress& note) -> LatestJob::Deliver {
        const ThreadShare share(most);
        const GoalSpace space{{}, {}, common_space(plan), share.count()};
        const auto found = std::make_shared<GoalAnswer>(best_within(plan, l, m, space, stop, note));
        return [this, found] { adopt(*found); };
    });
}

void GoalPage::adopt(const GoalAnswer& answer) {
    lines_.clear();
    if (answer.best) lines_.push_back({tr("Best within all limits"), *answer.best});
    for (const GoalRelaxed& r : answer.relaxed)
        if (r.better && r.best)
            lines_.push_back({tr("Without the limit of %1").arg(worded(label_of(r.limit))), *r.best});
    QString text = answer.best ? tr("%1 plans tried.").arg(grouped(double(answer.tried)))
                               : tr("No plan is within all limits; %1 were tried.").arg(grouped(double(answer.tried)));
    if (!answer.binds.empty()) {
        QStringList binding;
        for (const GoalLimit each : answer.binds) binding << worded(label_of(each));
        text += u' ' + tr("What binds: %1.").arg(binding.join(QStringLiteral(", ")));
    } else if (answer.best) {
        text += u' ' + tr("No single limit keeps a better plan away.");
    } else {
        text += u' ' + tr("Without any single one of the limits there is none either.");
    }
    if (answer.ends_at_largest())
        text += u' ' + tr("No model of more than %1 parameters was tried: a larger answer begins from a larger model.")
                           .arg(to_qt(say_count(answer.most_parameters)));
    fill();
    if (!lines_.empty()) table_->selectRow(0);
    answer_ = text;
    follow();
}

// In the units of the preferences.
void GoalPage::fill() {
    shown_by_ = workspace_.preferences();
    const Machine& machine = of_.machine;
    const auto rate = hours_per_node_hour(machine, shown_by_.hours);
    table_->horizontalHeaderItem(2)->setText(to_qt(hours_label(rate ? shown_by_.hours : HourOf::node, machine)));
    std::vector<QStringList> cells;
    for (const Line& l : lines_) {
        const GoalPlan& g = l.plan;
        cells.push_back({l.name, to_qt(say(g.totals.time)), grouped(g.totals.node_hours * rate.value_or(1)),
                         to_qt(say(g.totals.facility_energy)), to_qt(say(g.power)),
                         g.money ? grouped(*g.money) : tr("unknown"),
                         grouped(nodes_used(g.plan)), to_qt(say_count(g.parameters)), to_qt(say_shape(g.plan.model)),
                         to_qt(say_count(g.tokens)), to_qt(say(g.memory)), to_qt(say_layout(g.plan.layout))});
    }
    const auto resized = [&](const Line& l) { return !(l.plan.plan.model == of_.model); };
    table_->setColumnHidden(8, std::none_of(lines_.begin(), lines_.end(), resized));
    table_->show_rows(cells);
}

void GoalPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    follow();
}

// Lines that were searched for another plan stay to be read, and say so.
void GoalPage::follow() {
    const QString why = hindrance();
    if (!lines_.empty() && !(shown_by_ == workspace_.preferences())) fill();
    note_->setVisible(!lines_.empty() && !busy() && !(of_ == workspace_.scenario()));
    search_.button()->setEnabled(busy() || why.isEmpty());
    if (!why.isEmpty()) state_->setText(why);
    else if (!answer_.isEmpty()) state_->setText(answer_);
    else
        state_->setText(tr("Set what must hold and tick what may change; failures and ends of jobs are counted. Most "
                           "tokens win where tokens may change, else the largest model where its size may, else the "
                           "earliest end."));
    show_selection();
}

void GoalPage::show_selection() {
    const int row = table_->currentRow();
    apply_->setEnabled(row >= 0 && row < int(lines_.size()));
}

void GoalPage::apply() {
    show_selection();
    if (!apply_->isEnabled()) return;
    const Line& line = lines_[std::size_t(table_->currentRow())];
    workspace_.propose(line.plan.plan, line.name);
    emit applied(line.name);
}

}  // namespace plimsoll
