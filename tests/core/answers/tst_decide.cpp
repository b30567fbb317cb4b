// Plans against each other, the best within limits, and what an answer hangs on.
#include "registered_test.h"

#include "core/answers/compare/compare_figures.h"
#include "core/answers/compare/compare_sheet.h"
#include "core/answers/curves/goal_figure.h"
#include "core/answers/curves/tornado.h"
#include "core/answers/plan/rules.h"
#include "core/answers/search/goal.h"
#include "core/answers/search/sizes.h"
#include "core/values/knobs/knobs.h"
#include "random_plans.h"
#include "scenarios.h"
#include "shipped.h"
#include "turned.h"

#include <cctype>
#include <set>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

bool same_within(double a, double b, double size) { return std::abs(a - b) <= 1e-9 * std::abs(size); }

// GPT-3 with a small space around it: a few degrees and micro-batches.
Scenario small_plan() {
    Scenario s = gpt3_on_selene();
    s.recipe.tokens = 3e9;
    s.machine.usd_per_device_hour_low = 1;
    s.machine.usd_per_device_hour_high = 2;
    return s;
}

Space small_space() {
    Space space = common_space(small_plan());
    space.name = "small";
    space.tensor_parallel = {4, 8};
    space.pipeline_parallel = {8, 16};
    space.virtual_stages = {1};
    space.micro_batch = {1, 2};
    space.recompute = {Recompute::selective, Recompute::full};
    space.zero_stages = {0, 1};
    return space;
}

GoalSpace goal_space() { return {{64, 96, 128}, {48, 96}, small_space(), 1}; }

}  // namespace

class tst_decide : public QObject {
    Q_OBJECT

private slots:
    // ---- compare

    void parts_of_a_waterfall_sum_to_the_difference() {
        const std::vector<Scenario> plans = random_plans(drawn(120));
        std::vector<std::pair<Scenario, Estimate>> fine;
        for (const Scenario& s : plans)
            if (const Outcome o = estimate(s); o && totals(s, headline(s, *o), Counting::all).ends())
                fine.emplace_back(s, *o);
        QVERIFY(fine.size() > 1);  // sanitizers draw few
        for (std::size_t i = 1; i < fine.size(); ++i) {
            const Waterfall w = waterfall(fine[0].first, fine[0].second, fine[i].first, fine[i].second);
            QVERIFY(same_within(w.sum() / second, (w.to - w.from) / second, max(w.to, w.from) / second));
        }
    }

    void only_inputs_that_differ_are_listed() {
        const Scenario a = gpt3_on_selene();
        const std::vector<Scenario> same{a, a}, two{a, turned(a, "layout.tensor_parallel", 4)};
        QVERIFY(compare(same)->inputs.empty());
        const auto c = compare(two);
        QVERIFY(c);
        const auto row = std::find_if(c->inputs.begin(), c->inputs.end(),
                                      [](const ComparedRow& r) { return r.id == "layout.tensor_parallel"; });
        QVERIFY(row != c->inputs.end());
        QCOMPARE(row->values, (std::vector<std::string>{"8", "4"}));
        for (const ComparedRow& r : c->inputs) QVERIFY(r.differs);
    }

    void six_plans_have_a_value_each_and_five_waterfalls() {
        std::vector<Scenario> plans;
        for (const double micro : {1, 2, 4, 1, 2, 4})
            plans.push_back(turned(gpt3_on_selene(), "layout.micro_batch", micro));
        const auto c = compare(plans);
        QVERIFY(c);
        QCOMPARE(c->waterfalls.size(), std::size_t(5));
        for (const ComparedRow& r : c->answers) QCOMPARE(r.values.size(), plans.size());
    }

    void a_plan_that_cannot_be_computed_is_named() {
        const Scenario a = gpt3_on_selene();
        Scenario broken = a;
        broken.layout.tensor_parallel = 7;
        const auto c = compare(std::vector<Scenario>{a, broken});
        QVERIFY(!c);
        QCOMPARE(c.error().plan, 1);
    }

    void each_difference_says_in_percent_and_by_a_sign_whether_it_is_better_data() {
        QTest::addColumn<QString>("row");
        QTest::addColumn<double>("to");
        QTest::addColumn<QString>("change");
        QTest::newRow("a shorter time is better") << "time" << 88.0 << "▲ -12 %";
        QTest::newRow("a longer one is worse, small ones to a tenth") << "time" << 103.14 << "▼ +3.1 %";
        QTest::newRow("a higher utilisation is better") << "mfu" << 120.0 << "▲ +20 %";
        QTest::newRow("more nodes are neither") << "nodes" << 200.0 << "+100 %";
        QTest::newRow("ten times and more is a factor") << "time" << 1066.0 << "▼ x 10.7";
        QTest::newRow("what reads alike is no difference") << "time" << 100.0 << "";
    }
    void each_difference_says_in_percent_and_by_a_sign_whether_it_is_better() {
        QFETCH(QString, row);
        QFETCH(double, to);
        QFETCH(QString, change);
        const std::vector<Scenario> plans{small_plan(), small_plan()};
        const auto c = compare(plans);
        ComparedRow r = *std::ranges::find(c->answers, row.toStdString(), &ComparedRow::id);
        r.numbers = {100, to};
        r.values = {"100", to == 100 ? "100" : "another"};
        QCOMPARE(QString::fromStdString(say_change(r, 1)), change);
        QCOMPARE(say_change(r, 0), std::string());
    }
    void plans_are_named_by_what_differs_data() {
        QTest::addColumn<std::vector<Scenario>>("plans");
        QTest::addColumn<QStringList>("names");
        const Scenario a = gpt3_on_selene();
        const Scenario interleaved = turned(turned(a, "layout.tensor_parallel", 4), "layout.virtual_stages", 3);
        const QString own = QString("TP%1 PP%2").arg(a.layout.tensor_parallel).arg(a.layout.pipeline_parallel);
        QTest::newRow("degrees, with the chunks of a stage")
            << std::vector{a, interleaved}
            << QStringList{a.layout.virtual_stages > 1 ? own + QString(" x%1").arg(a.layout.virtual_stages) : own,
                           QString("TP4 PP%1 x3").arg(interleaved.layout.pipeline_parallel)};
        QTest::newRow("one other input") << std::vector{a, turned(a, "layout.micro_batch", 2)}
                                         << QStringList{"MBS 1", "MBS 2"};
        const QString level = QString::fromStdString("Network, " + a.machine.levels[1].name + ": bandwidth ")
                            + QString::number(a.machine.levels[1].bandwidth / (gigabyte / second));
        QTest::newRow("several, a comma between them, by the machine's names and with units")
            << std::vector{a, turned(turned(a, "layout.micro_batch", 2), "machine.levels.1.bandwidth_GBps", 50)}
            << QStringList{level + " GB/s, MBS 1", level.section(' ', 0, -2) + " 50 GB/s, MBS 2"};
        QTest::newRow("nodes") << std::vector{a, turned(a, "nodes", 64)}
                               << QStringList{QString("%1 nodes").arg(nodes_used(a)), "64 nodes"};
        QTest::newRow("nothing") << std::vector{a, a} << QStringList{"Plan 1", "Plan 2"};
        Scenario elsewhere = a;
        elsewhere.machine.name = "Another";
        QTest::newRow("machines") << std::vector{a, elsewhere}
                                  << QStringList{QString::fromStdString(a.machine.name), "Another"};
    }
    void plans_are_named_by_what_differs() {
        QFETCH(std::vector<Scenario>, plans);
        QFETCH(QStringList, names);
        QStringList found;
        for (const std::string& each : names_by_difference(plans, *compare(plans)))
            found << QString::fromStdString(each);
        QCOMPARE(found, names);
    }
    void no_two_names_are_alike() {
        std::vector<Scenario> plans;
        for (const Scenario& s : random_plans(drawn(40)))
            if (estimate(s) && plans.size() < 6) plans.push_back(s);
        plans.push_back(plans.front());
        const auto names = names_by_difference(plans, *compare(plans));
        QCOMPARE(std::set(names.begin(), names.end()).size(), plans.size());
    }
    void a_sheet_has_a_column_for_each_plan_and_can_leave_out_what_is_alike() {
        const std::vector<Scenario> plans{small_plan(), turned(small_plan(), "layout.micro_batch", 2)};
        const auto c = compare(plans);
        const auto names = names_by_difference(plans, *c);
        const Sheet all = compare_sheet(*c, names, false), some = compare_sheet(*c, names, true);
        QCOMPARE(all.rows.size(), c->inputs.size() + c->answers.size());
        QVERIFY(some.rows.size() < all.rows.size());
        for (const auto& row : all.rows) QCOMPARE(row.size(), std::size_t(3));
        const std::string text = to_markdown(all);
        QVERIFY2(text.find("| MBS 1 | MBS 2 |") != text.npos, text.c_str());
        QVERIFY(text.find("▲") != text.npos || text.find("▼") != text.npos);
    }
    void money_of_all_plans_has_three_digits() {
        const auto c = compare(std::vector<Scenario>{small_plan(), turned(small_plan(), "layout.micro_batch", 2)});
        const auto cost = *std::ranges::find(c->answers, "cost", &ComparedRow::id);
        for (const std::string& value : cost.values) {
            std::string digits;
            for (const char each : value.substr(value.find(' '), value.find(" to ") - value.find(' ')))
                if (std::isdigit(each)) digits += each;
            QVERIFY2(digits.find_last_not_of('0') < 3, value.c_str());
        }
        QCOMPARE(cost.numbers.size(), std::size_t(2));
    }
    void a_run_of_many_times_the_length_flattens_no_other() {
        const Scenario a = small_plan();
        const std::vector<std::string> names{"a", "b"};
        const auto time = [&](double longer) {
            const std::vector<Scenario> plans{a, turned(a, "recipe.tokens", longer * a.recipe.tokens)};
            return compare_figures(plans, names, false).front();
        };
        QCOMPARE(time(2).y.unit, compare_figures(std::vector{a}, std::vector<std::string>{"a"}, false).front().y.unit);
        const Figure f = time(200);
        QCOMPARE(f.y.unit, std::string("%"));
        for (const std::size_t plan : {0, 1}) {
            double sum = 0;
            for (const Series& s : f.series) sum += s.y[plan];
            QVERIFY(same_within(sum, 100, 100));
        }
    }

    void each_bar_of_the_waterfall_begins_where_the_one_above_it_ends() {
        const Scenario a = small_plan();
        const Outcome from = estimate(a);
        int longer_ones = 0, shorter_ones = 0;
        for (const Scenario& b : random_plans(drawn(60))) {
            const Outcome to = estimate(b);
            if (!to || !totals(b, headline(b, *to), Counting::all).ends()) continue;
            const Figure f = waterfall_figure(waterfall(a, *from, b, *to), "a", "b");
            std::vector<std::pair<double, double>> bars(f.categories.size(), {-1, -1});   // begins, ends
            for (const Series& s : f.series)
                for (std::size_t i = 0; i < s.x.size(); ++i) {
                    const bool longer = s.id == "longer";
                    const double begins = s.mark != Mark::change ? s.y[i] : longer ? s.low[i] : s.high[i];
                    bars[std::size_t(s.x[i])] = {begins, s.y[i]};
                    if (s.mark == Mark::change) QCOMPARE(s.y[i], longer ? s.high[i] : s.low[i]);
                    if (s.mark == Mark::change) ++(longer ? longer_ones : shorter_ones);
                }
            for (std::size_t i = 1; i < bars.size(); ++i)
                QVERIFY(same_within(bars[i].first, bars[i - 1].second, bars[0].first + bars.back().second));
        }
        QVERIFY(longer_ones > 0 && shorter_ones > 0);
    }

    // ---- tornado

    void a_bar_is_two_estimates() {
        for (const TornadoOf of : {TornadoOf::time, TornadoOf::node_hours, TornadoOf::energy, TornadoOf::cost}) {
            const Scenario s = small_plan();
            const auto bars = tornado(s, of);
            QVERIFY(!bars.empty());
            for (std::size_t i = 0; i < bars.size(); ++i) {
                const TornadoBar& b = bars[i];
                QCOMPARE(b.at_low, *tornado_value(b.low, of));
                QCOMPARE(b.at_high, *tornado_value(b.high, of));
                if (i > 0) QVERIFY(bars[i - 1].width() >= b.width());
                if (b.knob.empty()) continue;
                const Knob& knob = *find_knob(b.knob);
                QCOMPARE(b.low, *with(s, knob, b.low_value));
                QCOMPARE(b.high, *with(s, knob, b.high_value));
            }
        }
    }

    void a_market_price_goes_over_its_range() {
        const Scenario s = small_plan();
        const auto bars = tornado(s, TornadoOf::cost);
        const auto price = std::find_if(bars.begin(), bars.end(), [](const TornadoBar& b) { return b.knob.empty(); });
        QVERIFY(price != bars.end());
        QVERIFY(same_within(price->at_high, 2 * price->at_low, price->at_high));
        QVERIFY(same_within((price->at_low + price->at_high) / 2, *tornado_value(s, TornadoOf::cost), price->at_high));
        for (const TornadoBar& b : tornado(s, TornadoOf::time)) QVERIFY(!b.knob.empty());
    }

    void without_a_price_there_is_no_tornado_of_cost() {
        QVERIFY(!tornado_value(gpt3_on_selene(), TornadoOf::cost));
        QVERIFY(tornado(gpt3_on_selene(), TornadoOf::cost).empty());
    }

    // ---- sizes of a family

    void sizes_grow_as_a_family_does_data() {
        QTest::addColumn<Model>("model");
        QTest::addColumn<int>("least");
        for (const char* id : {"gpt3-175b", "llama3-8b", "llama3.1-405b", "gpt2-124m", "qwen2.5-7b", "falcon-7b",
                               "olmo2-7b", "gemma2-9b"})
            QTest::newRow(id) << library().models.at(id) << 25;
        QTest::newRow("a mixture with latent attention") << library().models.at("deepseek-v3") << 25;
        QTest::newRow("a width that no head divides") << library().models.at("ornl-1.4b") << 10;
    }
    void sizes_grow_as_a_family_does() {
        QFETCH(Model, model);
        QFETCH(int, least);
        Scenario s = gpt3_on_selene();
        s.model = model;
        s.layout = {};
        const std::vector<Model> sizes = family_sizes(s, false);
        QVERIFY2(int(sizes.size()) >= least, qPrintable(QString::number(sizes.size())));
        QVERIFY(std::count(sizes.begin(), sizes.end(), model) == 1);
        if (least > 20) QVERIFY(parameters(sizes.front()) < parameters(model) / 4);
        QVERIFY(parameters(sizes.back()) > parameters(model) * 8);
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            const Model& m = sizes[i];
            s.model = m;
            QVERIFY2(check(s).empty(), qPrintable(QString::number(m.hidden)));
            const double off = double(m.hidden) / m.layers / usual_aspect(model, m.hidden);
            QVERIFY2(off <= 2 && off >= 0.5, qPrintable(QString::number(off)));
            QCOMPARE(m.head_dim, model.head_dim);
            QCOMPARE((long long)m.hidden * model.heads, (long long)model.hidden * m.heads);
            if (model.kv_heads > 1) QCOMPARE(m.kv_heads * model.heads, model.kv_heads * m.heads);
            QVERIFY(std::abs(double(m.ffn) / m.hidden / (double(model.ffn) / model.hidden) - 1) < 0.06);
            QCOMPARE(m.experts.count, model.experts.count);
            if (i == 0) continue;
            QVERIFY(parameters(m) > parameters(sizes[i - 1]));
            QVERIFY(m.hidden >= sizes[i - 1].hidden);
        }
    }

    void the_aspect_of_gpt3_goes_from_64_to_128() {
        const Model large = gpt3_175b(), small = library().models.at("gpt3-125m");
        QCOMPARE(usual_aspect(large, 768), 64.0);
        QCOMPARE(usual_aspect(small, 12288), 128.0);
        QCOMPARE(usual_aspect(small, 49152), 128.0);
        QCOMPARE(usual_aspect(library().models.at("llama3-8b"), 16384), 128.0);
    }

    // Also of plans that break rules themselves: no size breaks more.
    void a_layout_that_stays_divides_every_size() {
        std::size_t larger = 0;
        for (Scenario s : random_plans(drawn(60))) {
            const Layout l = s.layout;
            const Model own = s.model;
            const std::size_t broken_rules = check(s).size();
            const bool whole_stages = own.layers % (l.pipeline_parallel * l.virtual_stages) == 0;
            const std::vector<Model> sizes = family_sizes(s, true);
            QVERIFY(std::count(sizes.begin(), sizes.end(), own) == 1);
            larger += sizes.size() > 1;
            for (const Model& m : sizes) {
                s.model = m;
                QVERIFY(check(s).size() <= broken_rules);
                if (own.heads % l.tensor_parallel == 0) QCOMPARE(m.heads % l.tensor_parallel, 0);
                if (whole_stages) QCOMPARE(m.layers % (l.pipeline_parallel * l.virtual_stages), 0);
            }
        }
        QVERIFY(larger > 0);
    }

    void the_largest_model_within_a_budget_is_wider_not_only_deeper() {
        GoalLimits l;
        Scenario s = small_plan();
        l.time = 4 * totals(s, headline(s, *estimate(s)), Counting::all).time;
        GoalSpace space = goal_space();
        space.layer_counts.clear();
        const GoalAnswer a = best_within(s, l, {.layout = true, .size = true}, space);
        QVERIFY(a.best);
        QVERIFY(a.best->parameters > parameters(s.model));
        QVERIFY(a.best->plan.model.hidden > s.model.hidden);
        QVERIFY(a.best->plan.model.layers >= s.model.layers);
        QVERIFY(a.best->plan.model.sources == s.model.sources);
    }

    // ---- goal

    void sizes_that_end_before_the_limits_do_are_said() {
        GoalLimits generous;
        generous.time = 1e6 * day;
        GoalAnswer a = best_within(small_plan(), generous, {.size = true}, goal_space());
        QVERIFY(a.best);
        QCOMPARE(a.most_layers, 96);
        QCOMPARE(a.most_parameters, parameters(small_plan().model));
        QCOMPARE(a.best->plan.model.layers, 96);
        QVERIFY(a.ends_at_largest());
        QVERIFY(!best_within(small_plan(), generous, {}, goal_space()).ends_at_largest());
    }

    void the_best_within_limits_is_that_of_the_slow_twin_data() {
        QTest::addColumn<int>("moves");   // nodes 1, layout 2, size 4
        QTest::addColumn<double>("days");
        QTest::addColumn<double>("node_hours");
        QTest::addColumn<double>("MWh");
        QTest::addColumn<double>("money");
        const auto row = [](const char* name, int moves, double days, double hours, double MWh, double money) {
            QTest::newRow(name) << moves << days << hours << MWh << money;
        };
        row("layouts, no limit", 2, 0, 0, 0, 0);
        row("nodes and layouts, node-hours", 3, 0, 1100, 0, 0);
        row("nodes and layouts, energy", 3, 0, 0, 5, 0);
        row("nodes and layouts, money", 3, 0, 0, 0, 18000);
        row("nodes, days", 1, 0.5, 0, 0, 0);
        row("the largest model within days", 7, 0.4, 0, 0, 0);
        row("the largest model within all of them", 7, 0.5, 1100, 5, 18000);
        row("nothing is within an hour", 3, 0.01, 0, 0, 0);
        row("the largest model of the plan's layout", 4, 0.2, 0, 0, 0);
    }
    void the_best_within_limits_is_that_of_the_slow_twin() {
        QFETCH(int, moves);
        QFETCH(double, days);
        QFETCH(double, node_hours);
        QFETCH(double, MWh);
        QFETCH(double, money);
        GoalLimits l;
        if (days > 0) l.time = days * day;
        if (node_hours > 0) l.node_hours = node_hours;
        if (MWh > 0) l.energy = MWh * megawatt_hour;
        if (money > 0) l.money = money;
        const GoalMoves m{(moves & 1) != 0, (moves & 2) != 0, (moves & 4) != 0, false};
        const GoalAnswer fast = best_within(small_plan(), l, m, goal_space());
        const auto slow = best_within_plainly(small_plan(), l, m, goal_space());
        QCOMPARE(fast.best.has_value(), slow.has_value());
        if (!slow) return;
        QCOMPARE(fast.best->totals.time, slow->totals.time);
        QCOMPARE(fast.best->totals.node_hours, slow->totals.node_hours);
        QCOMPARE(fast.best->parameters, slow->parameters);
    }

    void each_aim_finds_what_the_slow_twin_finds_data() {
        QTest::addColumn<int>("aim");
        QTest::addColumn<int>("limit");
        for (const GoalAim aim : {GoalAim::time, GoalAim::nodes, GoalAim::node_hours, GoalAim::energy,
                                  GoalAim::carbon, GoalAim::money}) {
            const std::string name(name_of(aim));
            QTest::addRow("%s, no limit", name.c_str()) << int(aim) << 0;
            QTest::addRow("%s, within days", name.c_str()) << int(aim) << 1;
            QTest::addRow("%s, within node-hours and nodes", name.c_str()) << int(aim) << 2;
            QTest::addRow("%s, within energy and money", name.c_str()) << int(aim) << 3;
        }
    }
    void each_aim_finds_what_the_slow_twin_finds() {
        QFETCH(int, aim);
        QFETCH(int, limit);
        Scenario s = small_plan();
        s.machine.grid_gCO2e_per_kWh = 300;
        s.machine.embodied_gCO2e_per_node_hour = 40;
        GoalLimits l;
        if (limit == 1) l.time = 0.5 * day;
        if (limit == 2) {
            l.node_hours = 1100;
            l.nodes = 96;
        }
        if (limit == 3) {
            l.energy = 5 * megawatt_hour;
            l.money = 18000;
        }
        const GoalMoves m{.nodes = true, .layout = true};
        const GoalAnswer fast = best_within(s, l, m, goal_space(), GoalAim(aim));
        const auto slow = best_within_plainly(s, l, m, goal_space(), GoalAim(aim));
        QCOMPARE(fast.best.has_value(), slow.has_value());
        for (const auto& [nodes, point] : fast.over_nodes) QCOMPARE(nodes_used(point.plan.plan), nodes);
        if (!slow) return;
        QCOMPARE(*value_of(*fast.best, GoalAim(aim)), *value_of(*slow, GoalAim(aim)));
        QCOMPARE(fast.best->totals.time, slow->totals.time);
        QVERIFY(fast.over_nodes.at(nodes_used(fast.best->plan)).within);
        const Figure f = goal_figure(fast, l, m, GoalAim(aim));
        const auto chosen = std::ranges::find(f.series, "chosen", &Series::id);
        QVERIFY(chosen != f.series.end());
        QCOMPARE(chosen->x.front(), double(nodes_used(fast.best->plan)));
    }
    // The coarse list of node counts leaves out most of them.
    void the_fewest_nodes_within_days_are_the_fewest_of_all() {
        Scenario s = small_plan();
        s.machine.nodes = 128;
        GoalSpace space = goal_space();
        space.node_counts.clear();
        space.layouts.recompute = {Recompute::full};
        space.layouts.zero_stages = {1};
        const GoalMoves m{.nodes = true, .layout = true};
        for (const double days : {0.4, 0.7, 1.3}) {
            GoalLimits l;
            l.time = days * day;
            const GoalAnswer fast = best_within(s, l, m, space, GoalAim::nodes);
            const auto slow = best_within_plainly(s, l, m, space, GoalAim::nodes);
            QCOMPARE(fast.best.has_value(), slow.has_value());
            if (!slow) continue;
            QCOMPARE(nodes_used(fast.best->plan), nodes_used(slow->plan));
            QVERIFY(fast.best->totals.time <= *l.time);
            // The earliest end within the same days takes no fewer.
            const GoalAnswer earliest = best_within(s, l, m, space, GoalAim::time);
            QVERIFY(nodes_used(fast.best->plan) <= nodes_used(earliest.best->plan));
        }
    }
    void what_is_not_known_is_no_aim() {
        QVERIFY(cannot_aim(small_plan(), GoalAim::money).empty());
        QVERIFY(!cannot_aim(gpt3_on_selene(), GoalAim::money).empty());
        Scenario s = small_plan();
        s.machine.grid_gCO2e_per_kWh.reset();
        s.machine.embodied_gCO2e_per_node_hour.reset();
        QVERIFY(!cannot_aim(s, GoalAim::carbon).empty());
        QVERIFY(cannot_aim(s, GoalAim::time).empty());
    }

    void the_most_tokens_are_those_of_trying_every_number_of_steps() {
        Scenario s = small_plan();
        s.recipe.tokens = 1e9;
        const double step = estimate(s)->step.total() / second;
        GoalLimits l;
        l.time = 300.5 * step * second;      // some three hundred steps, less what failures take
        const GoalMoves m{.tokens = true};
        const GoalAnswer fast = best_within(s, l, m, goal_space());
        const auto slow = best_within_plainly(s, l, m, goal_space(), GoalAim::time, 400);
        QVERIFY(fast.best && slow);
        QCOMPARE(fast.best->tokens, slow->tokens);
        QVERIFY(fast.best->tokens > 0);
    }

    void the_limit_that_binds_is_the_one_without_which_there_is_better() {
        GoalLimits l;
        l.node_hours = 1100;
        l.time = 100 * day;                  // far away
        const GoalMoves m{.nodes = true, .layout = true};
        const GoalAnswer a = best_within(small_plan(), l, m, goal_space());
        QVERIFY(a.best);
        for (const GoalRelaxed& r : a.relaxed) {
            if (r.limit == GoalLimit::time) QVERIFY(!r.better);
            GoalLimits rest = l;
            if (r.limit == GoalLimit::time) rest.time.reset();
            if (r.limit == GoalLimit::node_hours) rest.node_hours.reset();
            if (r.limit == GoalLimit::headroom) rest.headroom = 0;
            const auto slow = best_within_plainly(small_plan(), rest, m, goal_space());
            QVERIFY(slow && r.best);
            QCOMPARE(r.best->totals.time, slow->totals.time);
        }
    }

    void what_is_found_keeps_within_every_limit() {
        GoalLimits l;
        l.node_hours = 1100;
        l.money = 18000;
        l.energy = 5 * megawatt_hour;
        const GoalAnswer a = best_within(small_plan(), l, {.nodes = true, .layout = true}, goal_space());
        if (!a.best) return;
        QVERIFY(a.best->totals.node_hours <= 1100);
        QVERIFY(*a.best->money <= 18000);
        QVERIFY(a.best->totals.facility_energy <= 5 * megawatt_hour);
    }

    void an_unknown_price_is_within_no_budget() {
        GoalLimits l;
        l.money = 1e12;
        const Scenario s = gpt3_on_selene();
        QVERIFY(!best_within(s, l, {}, goal_space()).best);
    }
};

PLIMSOLL_TEST(tst_decide)
#include "tst_decide.moc"
