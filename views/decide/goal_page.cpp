#include "views/decide/goal_page.h"

#include "core/answers/curves/figure_units.h"
#include "core/answers/curves/goal_figure.h"
#include "core/answers/search/wording.h"
#include "core/values/knobs/wording.h"
#include "views/parts/arrange.h"
#include "views/parts/language.h"
#include "views/parts/text.h"

#include <QGridLayout>
#include <QGroupBox>

#include <algorithm>
#include <cmath>

namespace plimsoll {

namespace {

constexpr int parameters_column = 8, model_column = 9, tokens_column = 10, layout_column = 12;

// Two digits: a limit that somebody would set.
double rounded_up(double value) {
    const double digit = std::pow(10, std::floor(std::log10(value)) - 1);
    return std::ceil(value / digit) * digit;
}

}  // namespace

GoalPage::GoalPage(Workspace& workspace, QWidget* parent)
    : AnswerPage(workspace, "goal",
                 {tr("The best plan within these limits, looked for beside the window"),
                  tr("Stop; half a search answers nothing")},
                 "goal"),
      table_(new TextTable(tr("Plans within the limits"),
                           {tr("Plan"), tr("Time"), tr("Nodes"), tr("Node-hours"), tr("Energy"), tr("Power"),
                            tr("Cost, at most"), tr("Carbon"), tr("Parameters"), tr("Model"), tr("Tokens"),
                            tr("Memory"), tr("Layout")},
                           {1, 2, 3, 4, 5, 6, 7, 8, 10, 11})) {
    setParent(parent);
    table_->stretch(layout_column);
    take_rows_of(*table_);
    curve_->set_empty_text(tr("The best plan on every number of nodes, the limit and the answer stand here once a goal "
                              "was searched. Three examples above begin with one click."));
    setLayout(below({build_examples(), build_limits(), build_moves(), flow({search_.button(), search_.bar(), apply_}),
                     state_, stale_, {split(Qt::Horizontal, {{curve_, 1}, {table_, 1}}), 1}},
                    page_margins));
    follow();
}

QDoubleSpinBox* GoalPage::limit(const char* name, const QString& text, const QString& unit, int decimals) {
    QDoubleSpinBox* box = number(name, decimals, tr("no limit"), unit);
    box->setAccessibleName(text);
    box->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);   // columns share the width
    box->setMinimumWidth(80);
    connect(box, &QDoubleSpinBox::valueChanged, this, &GoalPage::follow);
    return box;
}

// Labels and fields in columns, so that all fields begin and end below each other.
QWidget* GoalPage::build_limits() {
    auto* group = new QGroupBox(tr("What is aimed at, and what must hold"));
    auto* grid = new QGridLayout(group);
    aim_ = as_input(new QComboBox, "goal.aim");
    aim_->setAccessibleName(tr("Aim"));
    aim_->setAccessibleDescription(aim_->accessibleName());  // a list's own name is its value
    aim_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    for (std::size_t i = 0; i < names_of<GoalAim>().size(); ++i) aim_->addItem(worded(label_of(GoalAim(i))));
    connect(aim_, &QComboBox::currentIndexChanged, this, &GoalPage::follow);
    days_ = limit("days", tr("Longest time"), tr(" d"), 1);
    end_ = as_input(new QDateEdit, "goal.end", tr("The day by which it has to end if it starts today"));
    end_->setAccessibleName(tr("Last day"));
    end_->setCalendarPopup(true);
    end_->setDateRange(QDate::currentDate(), QDate::currentDate().addYears(50));
    end_->setSpecialValueText(tr("no limit"));
    end_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    most_nodes_ = limit("most_nodes", tr("Most nodes"), {}, 0);
    node_hours_ = limit("node_hours", tr("Most node-hours"), {}, 0);
    energy_ = limit("energy", tr("Most energy of the facility"), tr(" MWh"), 0);
    power_ = limit("power", tr("Most power of the facility"), tr(" MW"), 3);
    power_->setToolTip(tr("Power of the facility during training, PUE included. Without a value the limit of the "
                          "preferences holds"));
    money_ = limit("money", tr("Most money"), {}, 0);
    headroom_ = limit("headroom", tr("Device memory to keep free"), tr(" %"), 0);
    headroom_->setMaximum(100 * most_headroom);
    headroom_->setToolTip(tr("That of the verdict: what is changed here changes it too"));
    connect(headroom_, &QDoubleSpinBox::valueChanged, this, [this](double share) {
        Preferences p = workspace_.preferences();
        p.headroom = share / 100;
        workspace_.set_preferences(p);
    });
    connect(end_, &QDateEdit::dateChanged, this, [this](QDate date) {
        if (date != QDate::currentDate().addDays(qint64(std::ceil(days_->value()))))
            days_->setValue(double(QDate::currentDate().daysTo(date)));
    });
    const std::pair<QString, QWidget*> fields[] = {
        {tr("&Aim"), aim_},          {tr("&Time"), days_},          {tr("En&ds by"), end_},
        {tr("&Nodes"), most_nodes_}, {tr("Node-&hours"), node_hours_}, {tr("&Energy"), energy_},
        {tr("&Power"), power_},      {tr("&Cost"), money_}, {tr("&Free memory"), headroom_}};
    constexpr int pairs = 3;
    int place = 0;
    for (const auto& [text, field] : fields) {
        auto* label = new QLabel(text);
        label->setBuddy(field);
        grid->addWidget(label, place / pairs, 2 * (place % pairs));
        grid->addWidget(field, place / pairs, 2 * (place % pairs) + 1);
        ++place;
    }
    for (int c = 0; c < pairs; ++c) grid->setColumnStretch(2 * c + 1, 1);
    return group;
}

QWidget* GoalPage::build_moves() {
    auto* moves = new QWidget;
    auto* line = new FlowLayout(moves);
    line->addWidget(new QLabel(tr("What may change:")));
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
    return moves;
}

QWidget* GoalPage::build_examples() {
    auto* examples = new QWidget;
    auto* line = new FlowLayout(examples);
    line->addWidget(new QLabel(tr("Examples:")));
    const std::tuple<Example, QString, QString> all[] = {
        {Example::fewest_nodes, tr("Fewest nodes for this time"),
         tr("The fewest nodes that end it no later than the plan does now")},
        {Example::earliest_end, tr("Earliest end for these node-hours"),
         tr("The earliest end with no more node-hours than the plan takes now")},
        {Example::least_energy, tr("Least energy in twice the time"),
         tr("The least energy that ends it in no more than twice the time it takes now")}};
    for (const auto& [example, text, tip] : all) {
        const std::string name = "goal.example." + std::to_string(int(example));
        line->addWidget(button(text, name.c_str(), tip, this, [this, example = example] { ask_example(example); }));
    }
    return examples;
}

void GoalPage::ask_example(Example example) {
    const auto last = workspace_.snapshot().last_good;
    if (!last) return;
    const Totals now = totals(last->scenario, last->headline, Counting::all);
    if (!now.ends()) return;
    cancel();
    for (QDoubleSpinBox* each : {days_, most_nodes_, node_hours_, energy_, power_, money_}) each->setValue(0);
    for (QCheckBox* each : {nodes_, layout_}) each->setChecked(true);
    for (QCheckBox* each : {size_, tokens_}) each->setChecked(false);
    const GoalAim aims[] = {GoalAim::nodes, GoalAim::time, GoalAim::energy};
    aim_->setCurrentIndex(int(aims[int(example)]));
    if (example == Example::earliest_end) node_hours_->setValue(rounded_up(now.node_hours));
    else days_->setValue(rounded_up((example == Example::least_energy ? 2 : 1) * (now.time / day)));
    search();
}

GoalLimits GoalPage::limits() const {
    GoalLimits l;
    if (days_->value() > 0) l.time = days_->value() * day;
    if (most_nodes_->value() > 0) l.nodes = int(std::min(most_nodes_->value(), 1e9));
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
    return to_qt(cannot_aim(workspace_.scenario(), aimed_at()));
}

void GoalPage::search() {
    if (!hindrance().isEmpty()) return;
    of_ = workspace_.scenario();
    search_.start([this, plan = of_, l = limits(), m = moves(), aim = aimed_at(),
                   most = workspace_.search_threads()](
                      std::stop_token stop, const BackgroundSearch::Progress& note) -> LatestJob::Deliver {
        const ThreadShare share(most);
        const GoalSpace space{{}, {}, common_space(plan), share.count()};
        const auto found = std::make_shared<GoalAnswer>(best_within(plan, l, m, space, aim, stop, note));
        const Speaking english(nullptr);   // as all of a figure, which its chart puts into words
        const auto curve = std::make_shared<Figure>(goal_figure(*found, l, m, aim));
        return [this, found, curve] { adopt(*found, *curve); };
    });
}

void GoalPage::adopt(const GoalAnswer& answer, const Figure& curve) {
    lines_.clear();
    if (answer.best) lines_.push_back({tr("Best within all limits"), *answer.best});
    for (const GoalRelaxed& r : answer.relaxed)
        if (r.better && r.best)
            lines_.push_back({tr("Without the limit of %1").arg(worded(label_of(r.limit))), *r.best});
    const QString tried = grouped(double(answer.tried));
    QStringList text{tr("No plan is within all limits; %1 were tried.").arg(tried)};
    if (const auto& best = answer.best)
        text = {tr("%1 on %2 nodes, %3 node-hours; %4 plans tried.")
                    .arg(to_qt(say(best->totals.time)), grouped(nodes_used(best->plan)),
                         grouped(best->totals.node_hours), tried)};
    QStringList binding;
    for (const GoalLimit each : answer.binds) binding << worded(label_of(each));
    text << (!binding.isEmpty() ? tr("What binds: %1.").arg(binding.join(QStringLiteral(", ")))
             : answer.best      ? tr("No single limit keeps a better plan away.")
                                : tr("Without any single one of the limits there is none either."));
    if (answer.ends_at_largest())
        text << tr("No model of more than %1 parameters was tried: a larger answer begins from a larger model.")
                    .arg(to_qt(say_count(answer.most_parameters)));
    fill();
    curve_->present(snapshot_of({in_shown_units(curve, of_.machine, shown_by_.hours)}));
    if (!lines_.empty()) table_->selectRow(0);
    answer_ = text.join(u' ');
    follow();
}

// In the units of the preferences.
void GoalPage::fill() {
    shown_by_ = workspace_.preferences();
    const Machine& machine = of_.machine;
    const auto rate = hours_per_node_hour(machine, shown_by_.hours);
    table_->horizontalHeaderItem(3)->setText(to_qt(hours_label(rate ? shown_by_.hours : HourOf::node, machine)));
    std::vector<QStringList> cells;
    for (const Line& l : lines_) {
        const GoalPlan& g = l.plan;
        cells.push_back({l.name, to_qt(say(g.totals.time)), grouped(nodes_used(g.plan)),
                         grouped(g.totals.node_hours * rate.value_or(1)), to_qt(say(g.totals.facility_energy)),
                         to_qt(say(g.power)),
                         g.money ? to_qt(say_money(*g.money, cost_of(g.plan, g.totals)->currency)) : tr("unknown"),
                         g.carbon_kg ? to_qt(say_kg(*g.carbon_kg)) : tr("unknown"), to_qt(say_count(g.parameters)),
                         to_qt(say_shape(g.plan.model)), to_qt(say_count(g.tokens)),
                         to_qt(with_doubt(say(g.memory), g.verdict)),
                         to_qt(say_layout(g.plan.layout))});
    }
    const auto any = [&](auto differs) { return std::any_of(lines_.begin(), lines_.end(), differs); };
    const bool resized = any([&](const Line& l) { return !(l.plan.plan.model == of_.model); });
    for (const int column : {parameters_column, model_column}) table_->setColumnHidden(column, !resized);
    const bool retold = any([&](const Line& l) { return l.plan.tokens != tokens_read(of_.recipe); });
    table_->setColumnHidden(tokens_column, !retold);
    table_->show_rows(cells);
}

void GoalPage::follow_end() {
    const QSignalBlocker quiet(end_);
    end_->setDate(QDate::currentDate().addDays(qint64(std::ceil(std::min(days_->value(), 18000.0)))));
}

void GoalPage::follow() {
    const QSignalBlocker quiet(headroom_);
    headroom_->setValue(100 * workspace_.preferences().headroom);
    const Scenario& plan = workspace_.scenario();
    const Machine& m = plan.machine;
    const QString currency = m.price.amount > 0 ? to_qt(m.price.currency) : QStringLiteral("USD");
    const QString unknown = to_qt(cannot_aim(plan, GoalAim::money));
    money_->setPrefix(currency + u' ');
    money_->setEnabled(unknown.isEmpty());
    money_->setToolTip(unknown.isEmpty() ? tr("In the currency of the machine's price, at its upper end") : unknown);
    follow_end();
    const QString why = hindrance();
    if (!lines_.empty() && !(shown_by_ == workspace_.preferences())) fill();
    show_stale(!lines_.empty());
    search_.button()->setEnabled(busy() || why.isEmpty());
    if (!why.isEmpty()) state_->setText(why);
    else if (!answer_.isEmpty()) state_->setText(answer_);
    else
        state_->setText(tr("Choose an aim, set what must hold and tick what may change; failures and ends of jobs are "
                           "counted. Where tokens may change most tokens win, and where the size may, the largest "
                           "model; the aim decides among those."));
    show_selection();
}

std::optional<AnswerPage::Offer> GoalPage::selected() const {
    const int row = table_->currentRow();
    if (row < 0 || row >= int(lines_.size())) return std::nullopt;
    const Line& line = lines_[std::size_t(row)];
    return Offer{line.name, line.plan.plan};
}

}  // namespace plimsoll
