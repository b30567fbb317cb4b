// Questions that other plans answer: the batch, ZeRO stages, machines, node counts, and a limit of power.
#include "registered_test.h"

#include "core/answers/ask/ask.h"
#include "core/answers/campaign/critical_batch.h"
#include "core/answers/campaign/hours.h"
#include "core/answers/curves/figure_units.h"
#include "core/answers/campaign/cautions.h"
#include "core/answers/plan/power_limit.h"
#include "core/answers/search/goal.h"
#include "core/answers/search/largest.h"
#include "core/answers/search/winner.h"
#include "core/answers/search/wording.h"
#include "core/files/presets/scenario_json.h"
#include "core/values/basics/shown_units.h"
#include "core/values/knobs/wording.h"
#include "core/values/plan/schedules.h"
#include "random_plans.h"
#include "scenarios.h"
#include "shipped.h"

#include <algorithm>
#include <cmath>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

Scenario dense_plan() {
    Scenario s = gpt3_on_selene();
    s.recipe.tokens = 300e9;
    return s;
}

Scenario plan_of_file(const std::string& id) {
    return read_scenario(*read_text(library().scenarios.at(id)), library())->scenario;
}

Space few_layouts() {
    Space space = common_space(dense_plan());
    space.tensor_parallel = {4, 8};
    space.pipeline_parallel = {8, 16};
    space.virtual_stages = {1};
    space.micro_batch = {1, 2};
    space.zero_stages = {0, 1};
    return space;
}

bool alike_to(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

// The units are the program's: a test that turns them gives them back.
struct TurnedUnits {
    explicit TurnedUnits(const ShownUnits& units) { show_units(units); }
    ~TurnedUnits() { show_units({}); }
};

}  // namespace

class tst_ask : public QObject {
    Q_OBJECT

private slots:
    // ---- The batch

    void the_two_laws_agree_within_a_third_data() {
        QTest::addColumn<double>("tokens");
        for (const double tokens : {1e9, 1e10, 1e11, 1e12, 1e13})
            QTest::newRow(say_count(tokens).append(" tokens").c_str()) << tokens;
    }
    void the_two_laws_agree_within_a_third() {
        QFETCH(double, tokens);
        Scenario s = dense_plan();
        s.recipe.global_batch_sequences = 1;
        s.recipe.tokens = tokens;
        const auto laws = critical_batches(s);
        QCOMPARE(laws.size(), 2u);
        QVERIFY(laws[1].tokens / laws[0].tokens > 0.75 && laws[1].tokens / laws[0].tokens < 1.34);
    }
    void at_the_critical_batch_half_of_the_tokens_are_its_price() {
        QCOMPARE(extra_tokens(3e6, 3e6), 1.0);
        QCOMPARE(tokens_with_batch(2e12, 3e6, 1, 3e6) / 1e12, 1.0 + 1 / 3e6);
    }
    void another_batch_and_back_is_the_same_number_of_tokens() {
        const double there = tokens_with_batch(1e12, 2e6, 8e6, 3e7);
        QVERIFY(there > 1e12);
        QVERIFY(alike_to(tokens_with_batch(there, 8e6, 2e6, 3e7), 1e12));
    }
    void a_law_is_solved_for_the_plans_own_tokens() {
        // Bergsma et al.: B_crit = 0.0471 D_min^0.462 sequences of 2,048 tokens, and D = D_min (1 + B / B_crit).
        const Scenario s = dense_plan();
        const CriticalBatch law = critical_batches(s).front();
        const double least = s.recipe.tokens / (1 + tokens_of_step(s.recipe) / law.tokens);
        QVERIFY(std::abs(2048 * 0.0471 * std::pow(least, 0.462) / law.tokens - 1) < 1e-9);
    }
    void what_nobody_published_is_unknown_data() {
        QTest::addColumn<Scenario>("plan");
        Scenario experts = dense_plan();
        experts.model.experts.count = 8;
        Scenario shampoo = dense_plan();
        shampoo.recipe.optimizer = Optimizer::shampoo;
        Scenario tuned = dense_plan();
        tuned.method.purpose = Purpose::finetune;
        QTest::newRow("a model that is tuned") << tuned;
        QTest::newRow("a mixture of experts") << experts;
        QTest::newRow("an optimizer other than Adam") << shampoo;
    }
    void what_nobody_published_is_unknown() {
        QFETCH(Scenario, plan);
        QVERIFY(critical_batches(plan).empty());
        QVERIFY(no_critical_batch(plan).starts_with("Unknown"));
    }
    void a_model_beyond_the_fits_is_called_extrapolated() {
        for (const CriticalBatch& c : critical_batches(dense_plan())) QVERIFY(c.extrapolated);
        const Asked a = ask(dense_plan(), PlanQuestion::batch);
        QVERIFY(std::any_of(a.notes.begin(), a.notes.end(),
                            [](const std::string& n) { return n.find("extrapolated") != n.npos; }));
    }
    void each_batch_reads_the_tokens_of_the_same_loss() {
        const Scenario plan = dense_plan();
        const double critical = critical_batches(plan).front().tokens, batch = tokens_of_step(plan.recipe);
        const Asked a = ask(plan, PlanQuestion::batch);
        int plans = 0;
        for (const AskedRow& row : a.rows) {
            if (!row.plan) continue;
            ++plans;
            const double other = tokens_of_step(row.plan->recipe);
            QVERIFY(alike_to(row.plan->recipe.tokens, tokens_with_batch(plan.recipe.tokens, batch, other, critical)));
            QCOMPARE(row.cells[3], say_count(row.plan->recipe.tokens));
            QCOMPARE(row.cells[1], say_count(other));
        }
        QVERIFY(plans >= 3);
    }

    // ---- ZeRO stages, splits, machines, nodes

    void a_stage_that_needs_more_memory_says_which_part() {
        const Scenario plan = plan_of_file("llama2-7b-perlmutter-fsdp");
        const Asked a = ask(plan, PlanQuestion::zero);
        QVERIFY(a.rows.size() >= 3);
        QCOMPARE(a.says.size(), a.rows.size() - 1);
        for (const AskedRow& row : a.rows) {
            if (!row.plan) continue;
            const Outcome e = estimate(*row.plan);
            QVERIFY(e.has_value());
            QCOMPARE(row.cells[row.cells.size() - 2], say(e->step.total()));
        }
    }
    void every_schedule_is_a_plan_or_a_reason() {
        const Scenario plan = plan_of_file("opt-30b-zero-bubble");
        const Asked a = ask(plan, PlanQuestion::schedules);
        const auto refused = std::ranges::count_if(schedule_kinds, [&](const ScheduleKind& kind) {
            const std::string named = std::string(kind.name) + ": ";
            return std::ranges::any_of(a.notes, [&](const std::string& note) { return note.starts_with(named); });
        });
        QCOMPARE(a.rows.size() + std::size_t(refused), std::size(schedule_kinds));
        QCOMPARE(refused, 1);   // passes in pairs: the model has no experts whose exchange they would hide
        for (const AskedRow& row : a.rows) {
            QCOMPARE(row.cells.size(), a.headings.size());
            if (!row.plan) continue;
            QCOMPARE(row.cells[2], say(estimate(*row.plan)->step.total()));
        }
        Scenario megatron = plan;
        megatron.stack.pipeline.schedules = ScheduleSet::interleaved;
        megatron.layout.schedule = Schedule::one_f_one_b;
        const Asked few = ask(megatron, PlanQuestion::schedules);
        QCOMPARE(few.rows.size(), std::size_t(3));
        QCOMPARE(few.notes.size(), std::size(schedule_kinds) - 3 + 1);
    }
    void rows_of_machines_are_their_own_best_layouts() {
        const Scenario plan = plan_of_file("llama3-8b-alps");
        std::map<std::string, Machine> few;
        for (const char* id : {"alps-clariden", "frontier", "fugaku", "selene"})
            if (library().machines.contains(id)) few.emplace(id, library().machines.at(id));
        QVERIFY(few.size() >= 3);
        const Asked a = ask(plan, PlanQuestion::machines, {}, few);
        QVERIFY(a.rows.size() >= 3);
        Seconds before{};
        for (std::size_t i = 1; i < a.rows.size(); ++i) {
            if (!a.rows[i].plan) continue;
            const Scenario& s = *a.rows[i].plan;
            const Outcome e = estimate(s);
            QVERIFY(runs(e));
            QCOMPARE(s.layout.devices % s.machine.devices_per_node, 0);
            QVERIFY(s.layout.devices >= plan.layout.devices);
            const Seconds time = totals(s, headline(s, *e)).time;
            QVERIFY(time >= before);
            before = time;
        }
    }
    void a_machine_that_cannot_run_it_stands_there_with_its_reason() {
        const Scenario plan = plan_of_file("llama3-8b-alps");
        const Machine& fugaku = library().machines.at("fugaku");
        std::map<std::string, Machine> two{{"fugaku", fugaku}, {"one", plan.machine}};
        two["one"].nodes = 1;
        two["one"].name = "A single node";
        const Asked a = ask(plan, PlanQuestion::machines, {}, two);
        const auto reason = [&](const std::string& name) {
            const auto row = std::ranges::find_if(a.rows, [&](const AskedRow& r) { return r.cells[0] == name; });
            return row == a.rows.end() ? std::string("missing") : row->cells.back();
        };
        QVERIFY2(reason(fugaku.name).find("bf16") != std::string::npos, reason(fugaku.name).c_str());
        QVERIFY2(reason("A single node").find("1 node, ") != std::string::npos, reason("A single node").c_str());
    }
    void what_is_held_equal_is_chosen() {
        const Scenario plan = plan_of_file("llama3-8b-alps");
        const Machine& other = library().machines.at("selene");
        const std::map<std::string, Machine> one{{"selene", other}};
        AskOptions o;
        for (const Basis basis : {Basis::devices, Basis::nodes, Basis::peak}) {
            o.basis = basis;
            const Asked a = ask(plan, PlanQuestion::machines, o, one);
            QCOMPARE(a.rows.size(), std::size_t(2));
            QVERIFY2(a.rows[1].plan, a.rows[1].cells.back().c_str());
            const int nodes = nodes_used(*a.rows[1].plan);
            const double devices = plan.layout.devices;
            const NumberFormat format = matrix_format(plan.recipe.precision);
            const double peak = devices * (plan.machine.device.peak(format) / other.device.peak(format));
            const double wanted = basis == Basis::nodes ? nodes_used(plan) * other.devices_per_node
                                : basis == Basis::peak  ? peak : devices;
            QVERIFY(nodes * other.devices_per_node >= wanted * (1 - 1e-9));
            QVERIFY(nodes * other.devices_per_node <= 1.5 * wanted + other.devices_per_node);
        }
    }
    void the_fewest_devices_hold_a_plan_and_one_less_share_of_a_node_does_not() {
        const Scenario plan = plan_of_file("llama3-70b-lora-8-h100");
        std::map<std::string, Machine> few;
        for (const char* id : {"dgx-h100", "ws-rtx4090-8", "mi300x-8", "alps-clariden"})
            if (library().machines.contains(id)) few.emplace(id, library().machines.at(id));
        QVERIFY(few.size() >= 2);
        AskOptions o;
        o.basis = Basis::fewest;
        const Asked a = ask(plan, PlanQuestion::machines, o, few);
        Bytes before{};
        int found = 0;
        for (std::size_t i = 1; i < a.rows.size(); ++i) {
            if (!a.rows[i].plan) continue;
            const Scenario& s = *a.rows[i].plan;
            QVERIFY(runs(estimate(s)));
            QVERIFY(s.layout.devices < s.machine.devices_per_node
                    || s.layout.devices % s.machine.devices_per_node == 0);
            const Bytes memory = double(s.layout.devices) * s.machine.device.memory;
            QVERIFY(memory >= before);
            before = memory;
            ++found;
            if (s.layout.devices % 2 != 0 || s.layout.devices > s.machine.devices_per_node) continue;
            Scenario half = s;
            half.layout.devices = s.layout.devices / 2;
            QVERIFY(search(half, common_space(half), {.limit = 1, .ranking_only = true}).top.empty());
        }
        QVERIFY(found > 0);
        QVERIFY2(a.says.front().starts_with("The least memory that holds it"), a.says.front().c_str());
    }
    // The card of the plan surely holds it, and a faster layout of it may not.
    void the_fewest_devices_are_no_more_than_those_of_a_plan_that_fits() {
        Scenario plan = plan_of_file("llama3-8b-qlora-rtx4090");
        plan.method.frozen = FrozenFormat::as_products;
        QCOMPARE(fit_verdict(*estimate(plan)), FitVerdict::fits);
        AskOptions o;
        o.basis = Basis::fewest;
        const std::map<std::string, Machine> machines{{"ws-rtx4090", plan.machine},
                                                      {"dgx-h100", library().machines.at("dgx-h100")}};
        const Asked a = ask(plan, PlanQuestion::machines, o, machines);
        QVERIFY2(a.says.front().find("1 x NVIDIA GeForce RTX 4090") != std::string::npos, a.says.front().c_str());
    }
    void what_needs_less_memory_says_what_it_brings_data() {
        QTest::addColumn<Scenario>("plan");
        QTest::addColumn<std::string>("change");
        const auto without_quantised = [] {
            Scenario s = plan_of_file("llama3-8b-qlora-rtx4090");
            s.method.frozen = FrozenFormat::as_products;
            return s;
        };
        const auto whole = [&] {
            Scenario s = without_quantised();
            s.method.trained = Trained::all;
            return s;
        };
        QTest::newRow("adapters beside weights in few bits") << without_quantised() << std::string("Frozen weights");
        QTest::newRow("adapters in place of all weights") << whole() << std::string("Trained adapters");
        QTest::newRow("states in 8 bits") << whole() << std::string("Optimizer adam-8bit");
        QTest::newRow("shorter sequences of pre-training") << dense_plan() << std::string("Sequence length");
    }
    void what_needs_less_memory_says_what_it_brings() {
        QFETCH(Scenario, plan);
        QFETCH(std::string, change);
        const Asked a = ask(plan, PlanQuestion::memory);
        const auto row =
            std::ranges::find_if(a.rows, [&](const AskedRow& r) { return r.cells[0].starts_with(change); });
        QStringList names;
        for (const AskedRow& r : a.rows) names << QString::fromStdString(r.cells[0]);
        QVERIFY2(row != a.rows.end(), qPrintable(names.join("; ")));
        QVERIFY(row->plan);
        QVERIFY(estimate(*row->plan)->worst().total() < estimate(plan)->worst().total());
        const std::string& brings = row->cells.back();
        QVERIFY2(brings.find(" less") != std::string::npos, brings.c_str());
    }
    void a_machine_on_which_nobody_measured_the_software_wins_by_extrapolation_only() {
        const Scenario plan = plan_of_file("llama3-8b-alps");
        std::map<std::string, Machine> two;
        for (const char* id : {"dgx-h100", "lumi"}) two.emplace(id, library().machines.at(id));
        AskOptions o;
        const auto say_first = [&](auto measured) {
            o.measured = measured;
            return ask(plan, PlanQuestion::machines, o, two).says.front();
        };
        const Asked plain = ask(plan, PlanQuestion::machines, o, two);
        const std::string fastest = plain.rows[1].cells[0], other = plain.rows[2].cells[0];
        const std::string nobody = say_first([](const Scenario&) { return 0; });
        QVERIFY2(nobody.find("extrapolation") != std::string::npos, nobody.c_str());
        const std::string slower = say_first([&](const Scenario& s) { return s.machine.name == other ? 3 : 0; });
        QVERIFY2(slower.find("ends first on " + other) != std::string::npos, slower.c_str());
        QVERIFY2(slower.find("extrapolation") != std::string::npos, slower.c_str());
        const Asked a = ask(plan, PlanQuestion::machines, o, two);
        QVERIFY(a.rows[1].cells[8].find("extrapolated") != std::string::npos);
        QCOMPARE(a.rows[2].cells[8], std::string("3 runs"));
    }
    void a_rate_is_stated_or_prices_stay_in_their_own_currency() {
        const Scenario plan = plan_of_file("llama3-8b-alps");
        std::map<std::string, Machine> two{{"a", plan.machine}, {"b", plan.machine}};
        two["a"].price = {2, PerHour::node_hour, "CHF", "2026"};
        two["b"].price = {2, PerHour::node_hour, "USD", "2026"};
        AskOptions o;
        const auto prices = [&] {
            std::set<std::string> all;
            const Asked a = ask(plan, PlanQuestion::machines, o, two);
            for (std::size_t i = 1; i < a.rows.size(); ++i) all.insert(a.rows[i].cells[3]);
            return all;
        };
        QCOMPARE(prices(), (std::set<std::string>{"CHF 2", "USD 2"}));
        o.dollars_for = {{"CHF", 1.5}};
        QCOMPARE(prices(), (std::set<std::string>{"USD 3", "USD 2"}));
    }
    void a_sweep_shows_the_utilisation_of_each_batch() {
        const Scenario plan = dense_plan();
        const Asked a = ask(plan, PlanQuestion::sweep);
        QVERIFY(a.figure && a.figure->series.front().x.size() > 3);
        int plans = 0;
        for (const AskedRow& row : a.rows) {
            if (!row.plan) continue;
            ++plans;
            QCOMPARE(row.cells[2], percent(headline(*row.plan, *estimate(*row.plan)).mfu));
        }
        QVERIFY(plans > 3);
        QVERIFY2(a.says.front().starts_with("Yes: ") || a.says.front().starts_with("No: "), a.says.front().c_str());
    }
    void each_part_alone_would_have_to_make_up_the_whole_difference() {
        const Scenario plan = dense_plan();
        const Estimate e = *estimate(plan);
        AskOptions o;
        o.likely_range = 0.1;
        for (const double factor : {0.9, 1.05, 1.4}) {
            o.measured_step = factor * e.step.total();
            const Asked a = ask(plan, PlanQuestion::gap, o);
            for (const auto& part : step_parts) {
                const Seconds predicted = e.step.*part.value, alone = predicted + o.measured_step - e.step.total();
                const auto row = std::ranges::find_if(a.rows, [&](const AskedRow& r) {
                    return r.cells[0] == part.label;
                });
                QCOMPARE(row != a.rows.end(), predicted > Seconds{});
                if (row != a.rows.end() && alone >= Seconds{}) QCOMPARE(row->cells[3], say(alone));
            }
            const bool inside = factor < 1.1 && factor > 1 / 1.1;
            QCOMPARE(a.says.front().find("within the likely range") != std::string::npos, inside);
        }
    }

    void every_question_is_answered_in_as_many_cells_as_it_has_headings() {
        const Scenario plan = plan_of_file("llama3-8b-alps");
        const std::map<std::string, Machine> one{{plan.machine.id, plan.machine}};
        for (const PlanQuestionWords& q : not_empty(plan_questions())) {
            AskOptions options;
            options.node_hours = 1e6;
            const Asked a = ask(plan, q.question, options, one);
            QVERIFY2(!a.says.empty(), q.id);
            QVERIFY2(a.complete, q.id);
            for (const AskedRow& row : a.rows) {
                QVERIFY2(row.cells.size() == a.headings.size(), q.id);
                if (row.plan) QVERIFY2(estimate(*row.plan).has_value(), q.id);
            }
            QCOMPARE(question_named(q.id), std::optional(q.question));
        }
    }
    void a_stopped_answer_is_not_complete() {
        std::stop_source stop;
        stop.request_stop();
        const Asked a = ask(dense_plan(), PlanQuestion::nodes, {}, {}, stop.get_token());
        QVERIFY(!a.complete);
        QVERIFY(a.rows.empty());
    }
    void the_largest_model_is_that_of_the_search() {
        const Asked a = ask(dense_plan(), PlanQuestion::largest);
        const auto all = largest_models(dense_plan());
        QCOMPARE(a.rows.size(), all.size());
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all[i].layers > 0) QCOMPARE(a.rows[i].plan->model.layers, all[i].layers);
    }

    // ---- A limit of power

    void a_power_is_read_with_its_unit_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("megawatts");
        QTest::newRow("megawatts") << "20MW" << 20.0;
        QTest::newRow("with a space") << " 1.5 MW " << 1.5;
        QTest::newRow("kilowatts in small letters") << "500 kw" << 0.5;
        QTest::newRow("watts") << "20000 W" << 0.02;
        for (const char* wrong : {"20", "MW", "-3 MW", "0 MW", "1e999 MW", "20 GWh", "", "nan MW"})
            QTest::newRow(wrong) << wrong << 0.0;
    }
    void a_power_is_read_with_its_unit() {
        QFETCH(QString, text);
        QFETCH(double, megawatts);
        const auto read = parse_power(text.toStdString());
        QCOMPARE(read.has_value(), megawatts > 0);
        if (read) QVERIFY(alike_to(*read / megawatt, megawatts));
    }
    void no_layout_of_a_search_draws_more_than_the_limit() {
        const Scenario plan = dense_plan();
        const SearchResult all = search(plan, few_layouts());
        QVERIFY(all.top.size() > 2);
        std::vector<Watts> drawn;
        for (const Candidate& c : all.top) drawn.push_back(c.energy / c.step);
        std::sort(drawn.begin(), drawn.end());
        SearchOptions options;
        options.most_power = drawn[drawn.size() / 2];
        const SearchResult some = search(plan, few_layouts(), options);
        QVERIFY(!some.top.empty());
        for (const auto* list : {&some.top, &some.front})
            for (const Candidate& c : *list) QVERIFY(c.energy / c.step <= options.most_power);
        const SearchResult plainly = search_plainly(plan, few_layouts(), options);
        QVERIFY(some.top == plainly.top);
        QVERIFY(some.front == plainly.front);
    }
    void the_best_within_a_power_equals_the_exhaustive_twin() {
        Scenario plan = dense_plan();
        plan.recipe.tokens = 3e9;
        const GoalSpace space{{64, 96, 128}, {}, few_layouts(), 1};
        const GoalMoves moves{.nodes = true, .layout = true};
        for (const double megawatts : {0.2, 0.35, 0.5, 5.0}) {
            GoalLimits limits;
            limits.power = megawatts * megawatt;
            limits.headroom = 0;
            const GoalAnswer found = best_within(plan, limits, moves, space);
            const auto twin = best_within_plainly(plan, limits, moves, space);
            QCOMPARE(found.best.has_value(), twin.has_value());
            if (!twin) continue;
            QCOMPARE(found.best->totals.time / second, twin->totals.time / second);
            QVERIFY(found.best->power <= *limits.power);
            QCOMPARE(found.best->power / watt, power_of(*estimate(found.best->plan)) / watt);
        }
    }
    void a_plan_that_draws_more_is_cautioned_with_a_size_that_does_not() {
        const Scenario plan = dense_plan();
        const Watts drawn = power_of(*estimate(plan));
        const auto told = [&](Watts most) {
            std::vector<Caution> found;
            for (const Caution& c : cautions(plan, most))
                if (c.id == std::string("more_power_than_allowed")) found.push_back(c);
            return found;
        };
        QVERIFY(told({}).empty());
        QVERIFY(told(1.01 * drawn).empty());
        const auto over = told(0.6 * drawn);
        QCOMPARE(over.size(), 1u);
        QVERIFY(say(over.front()).find(say(drawn)) != std::string::npos);
        for (const double nodes : over.front().better)
            QVERIFY(power_of(*estimate(*with(plan, *find_knob("nodes"), nodes))) <= 0.6 * drawn);
        QVERIFY(!over.front().better.empty());
    }

    // ---- Units

    void hours_are_named_in_the_plural_where_there_are_several_data() {
        QTest::addColumn<double>("amount");
        QTest::addColumn<QString>("unit");
        QTest::addColumn<QString>("name");
        QTest::newRow("eight GPU-hours") << 8.0 << "GPU-hour" << "GPU-hours";
        QTest::newRow("one") << 1.0 << "GPU-hour" << "GPU-hour";
        QTest::newRow("half of one") << 0.5 << "SU" << "SUs";
        QTest::newRow("already several") << 8.0 << "node-hours" << "node-hours";
    }
    void hours_are_named_in_the_plural_where_there_are_several() {
        QFETCH(double, amount);
        QFETCH(QString, unit);
        QFETCH(QString, name);
        QCOMPARE(QString::fromStdString(unit_after(amount, unit.toStdString())), name);
    }
    void a_site_charges_eight_gpu_hours_per_node_hour() {
        for (const auto& [id, m] : not_empty(library().machines)) {
            const std::string& unit = m.accounting.unit;
            if (unit != "GPU-hour" || m.accounting.units_per_node_hour == 1) continue;
            QVERIFY2(say_gpu_hour(m).find(" GPU-hours per node-hour") != std::string::npos, say_gpu_hour(m).c_str());
        }
    }
    void quantities_are_said_in_the_wished_units_data() {
        QTest::addColumn<int>("memory");
        QTest::addColumn<int>("durations");
        QTest::addColumn<QString>("gigabytes");
        QTest::addColumn<QString>("long_time");
        QTest::addColumn<QString>("short_time");
        QTest::newRow("as always") << 0 << 0 << "64 GiB" << "36 d" << "36 h";
        QTest::newRow("GB") << 1 << 0 << "68.7 GB" << "36 d" << "36 h";
        QTest::newRow("hours") << 0 << 1 << "64 GiB" << "864 h" << "36 h";
        QTest::newRow("days") << 0 << 2 << "64 GiB" << "36 d" << "1.5 d";
    }
    void quantities_are_said_in_the_wished_units() {
        QFETCH(int, memory);
        QFETCH(int, durations);
        QFETCH(QString, gigabytes);
        QFETCH(QString, long_time);
        QFETCH(QString, short_time);
        const TurnedUnits units({ByteUnit(memory), DurationUnit(durations)});
        QCOMPARE(QString::fromStdString(say(64 * gibibyte)), gigabytes);
        QCOMPARE(QString::fromStdString(say(36 * day)), long_time);
        QCOMPARE(QString::fromStdString(say(36 * hour)), short_time);
        QCOMPARE(QString::fromStdString(say(40 * second)), QString("40 s"));
        const UsualUnits the_same_for_everybody;
        QCOMPARE(QString::fromStdString(say(64 * gibibyte)), QString("64 GiB"));
    }
    void a_figure_in_other_units_shows_the_same_quantities() {
        const Scenario plan = dense_plan();
        for (const Figure& f : not_empty(figures(plan))) {
            const TurnedUnits units({ByteUnit::decimal, DurationUnit::hours});
            const Figure g = in_shown_units(f, plan.machine, HourOf::device);
            double by = 1;
            if (f.y.unit == "GiB") by = 1.073741824;
            if (f.y.unit == "days") by = 24;
            if (f.y.label == "Node-hours") by = plan.machine.devices_per_node;
            QCOMPARE(g.y.unit, f.y.unit == "GiB" ? "GB" : f.y.unit == "days" ? "hours" : f.y.unit);
            QCOMPARE(g.y.label, f.y.label == "Node-hours" ? "Device-hours" : f.y.label);
            for (std::size_t s = 0; s < f.series.size(); ++s)
                for (std::size_t i = 0; i < f.series[s].y.size(); ++i)
                    QVERIFY(alike_to(g.series[s].y[i], by * f.series[s].y[i]));
        }
    }
    void with_the_usual_units_no_figure_changes() {
        const Scenario plan = dense_plan();
        for (const Figure& f : not_empty(figures(plan)))
            QCOMPARE(to_csv(in_shown_units(f, plan.machine, HourOf::node), plan), to_csv(f, plan));
    }
};

PLIMSOLL_TEST(tst_ask)
#include "tst_ask.moc"
