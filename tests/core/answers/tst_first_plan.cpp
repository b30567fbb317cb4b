// The plan that the start page makes of a model, a machine and what is known of the run, and the nearest ones where
// that cannot work.
#include "registered_test.h"

#include "core/answers/campaign/totals.h"
#include "core/answers/plan/estimate.h"
#include "core/answers/search/nearest_plans.h"
#include "core/answers/search/ranking.h"
#include "core/answers/search/remedies.h"
#include "core/answers/curves/study.h"
#include "core/values/knobs/wording.h"
#include "shipped.h"

#include <random>

using namespace plimsoll;

class FirstPlanTest : public QObject {
    Q_OBJECT
private slots:
    void it_runs_data();
    void it_runs();
    void it_is_the_fastest_on_its_nodes_that_surely_fits_data();
    void it_is_the_fastest_on_its_nodes_that_surely_fits();
    void where_none_surely_fits_it_is_one_that_may();
    void a_model_too_large_takes_the_whole_machine();
    void one_workstation_is_one_workstation();
    void its_tokens_are_twenty_for_each_active_parameter();
    void its_software_is_as_it_comes();
    void a_card_without_bf16_is_planned_in_fp16_and_offers_it();
    void an_8b_model_is_tuned_on_one_24_gb_card();
    void a_laptop_says_no_to_all_weights_and_offers_what_works();
    void what_is_asked_for_holds();
    void what_cannot_be_held_is_said_with_what_comes_nearest();
    void any_number_of_nodes_has_a_layout();
    void any_choice_works_or_says_why_with_what_does_data();
    void any_choice_works_or_says_why_with_what_does();
};

namespace {

std::string sentences(const std::vector<Obstacle>& obstacles) {
    std::string text;
    for (const Obstacle& o : obstacles) text += say(o) + "\n";
    return text;
}

FirstPlan plan(const std::string& model, const std::string& machine, const FirstAsk& ask = {}) {
    return first_plan(library().models.at(model), library().machines.at(machine), library().stacks, ask);
}

std::vector<NearPlan> near_plans(const std::string& model, const std::string& machine, const FirstAsk& ask = {}) {
    return nearest_plans(library().models.at(model), library().machines.at(machine),
                         {library().models, library().machines, library().stacks}, ask);
}

Totals totals_of(const Scenario& s) { return totals(s, headline(s, *estimate(s)), Counting::all); }

bool has_room(const Scenario& s) {
    const Outcome o = estimate(s);
    return runs(o) && room_of(*o, {usual_headroom}) == Room::enough;
}

}  // namespace

void FirstPlanTest::it_runs_data() {
    QTest::addColumn<std::string>("model");
    QTest::addColumn<std::string>("machine");
    const auto row = [](const char* model, const char* machine) {
        const QString name = QString("%1 on %2").arg(model, machine);
        QTest::newRow(qPrintable(name)) << std::string(model) << std::string(machine);
    };
    row("llama2-70b", "dgx-h100");
    row("llama2-70b", "lumi");
    row("llama3-8b", "frontier");
    row("gpt2-355m", "ws-rtx4090");
    row("mixtral-8x7b", "dgx-h100");
    row("fugaku-llm-13b", "fugaku");
    row("chinchilla-70b", "tpu-v4");
    row("gpt3-175b", "selene");
}

void FirstPlanTest::it_runs() {
    QFETCH(std::string, model);
    QFETCH(std::string, machine);
    const FirstPlan p = plan(model, machine);
    QVERIFY2(p.works, p.why.c_str());
    QCOMPARE(p.scenario.model.id, model);
    QCOMPARE(p.scenario.machine.id, machine);
    const Outcome o = estimate(p.scenario);
    QVERIFY2(o.has_value(), o ? "" : sentences(o.error()).c_str());
    QVERIFY(has_room(p.scenario));
}

void FirstPlanTest::it_is_the_fastest_on_its_nodes_that_surely_fits_data() {
    QTest::addColumn<std::string>("model");
    QTest::addColumn<std::string>("machine");
    QTest::addColumn<int>("nodes");
    const auto row = [](const char* model, const char* machine, int nodes) {
        QTest::addRow("%s on %d nodes of %s", model, nodes, machine)
            << std::string(model) << std::string(machine) << nodes;
    };
    row("llama2-70b", "lumi", 128);
    row("llama2-70b", "dgx-h100", 8);
    row("llama3-8b", "dgx-h100", 2);
    row("gpt3-175b", "selene", 64);
}

void FirstPlanTest::it_is_the_fastest_on_its_nodes_that_surely_fits() {
    QFETCH(std::string, model);
    QFETCH(std::string, machine);
    QFETCH(int, nodes);
    const Scenario s = plan(model, machine, {.nodes = nodes}).scenario;
    QCOMPARE(nodes_used(s), nodes);
    const Headroom asked{usual_headroom};
    const auto sure = best_that_surely_fits(search(s, common_space(s), {.limit = 1, .headroom = asked}));
    QVERIFY(sure.has_value());
    const Candidate taken = *candidate_of(s, asked);
    QCOMPARE(taken.verdict(), FitVerdict::fits);
    QCOMPARE(value_of(taken, Objective::time), value_of(*sure, Objective::time));
}

void FirstPlanTest::where_none_surely_fits_it_is_one_that_may() {
    const Model& model = library().models.at("llama2-70b");
    Machine machine = library().machines.at("dgx-h100");
    const FirstAsk ask{.nodes = 4};
    const Scenario roomy = first_plan(model, machine, library().stacks, ask).scenario;
    const SearchResult least = search(roomy, common_space(roomy), {.objective = Objective::memory, .limit = 1});
    machine.device.memory = least.top.front().memory / 0.9;
    const FirstPlan p = first_plan(model, machine, library().stacks, ask);
    QVERIFY2(p.works, p.why.c_str());
    QVERIFY(has_room(p.scenario));
    QCOMPARE(fit_verdict(*estimate(p.scenario)), FitVerdict::may_not_fit);
}

void FirstPlanTest::a_model_too_large_takes_the_whole_machine() {
    const FirstPlan p = plan("gpt3-175b", "ws-rtx4090");
    QVERIFY(!p.works);
    QVERIFY2(p.why.find("fits") != std::string::npos, p.why.c_str());
    QCOMPARE(p.scenario.layout.devices, int(p.scenario.machine.devices()));
    const Outcome o = estimate(p.scenario);
    QVERIFY(!o || !o->fits());
}

void FirstPlanTest::one_workstation_is_one_workstation() {
    const auto near = near_plans("llama2-7b", "ws-rtx4090");
    QVERIFY(near.size() >= 2);
    for (const NearPlan& p : near)
        if (p.scenario.machine.id == "ws-rtx4090") QCOMPARE(p.scenario.machine.nodes, 1);
    QVERIFY(std::ranges::any_of(near, [](const NearPlan& p) { return p.scenario.model.id != "llama2-7b"; }));
    QVERIFY(std::ranges::any_of(near, [](const NearPlan& p) { return p.scenario.machine.id != "ws-rtx4090"; }));
}

void FirstPlanTest::its_tokens_are_twenty_for_each_active_parameter() {
    QCOMPARE(plan("gpt3-6.7b", "dgx-h100").scenario.recipe.tokens, 20 * 6.7e9);
    QCOMPARE(plan("gpt3-6.7b", "dgx-h100", {.tokens = 1e12}).scenario.recipe.tokens, 1e12);
}

void FirstPlanTest::its_software_is_as_it_comes() {
    for (const auto& [id, machine] : library().machines) {
        const Stack s = *chosen_software({.device = machine.device.name}, library().stacks);
        QVERIFY2(s.tuning == Tuning::unknown || s.tuning == Tuning::as_it_comes, (id + ": " + s.id).c_str());
    }
}

void FirstPlanTest::a_card_without_bf16_is_planned_in_fp16_and_offers_it() {
    const FirstPlan first = plan("gpt2-124m", "t4-1", {.tokens = 1e9});
    QVERIFY2(first.works, first.why.c_str());
    QCOMPARE(first.scenario.recipe.precision, Precision::fp16);
    Scenario wanted = first.scenario;
    wanted.recipe.precision = Precision::bf16;
    const Outcome refused = estimate(wanted);
    QVERIFY(!refused);
    QCOMPARE(refused.error().front().reason, Reason::unsupported_precision);
    const auto found = remedies(wanted);
    QVERIFY(!found.empty());
    QCOMPARE(found.front().scenario.recipe.precision, Precision::fp16);
}

void FirstPlanTest::an_8b_model_is_tuned_on_one_24_gb_card() {
    const Method qlora{.purpose = Purpose::finetune, .trained = Trained::adapters, .frozen = FrozenFormat::nf4_double};
    const Library& l = library();
    const FirstPlan p =
        first_plan(l.models.at("llama3-8b"), l.machines.at("ws-rtx4090"), l.stacks, {.method = qlora});
    QVERIFY2(p.works, p.why.c_str());
    QVERIFY(p.scenario.method == qlora);
    QCOMPARE(p.scenario.recipe.tokens, 1e8);
    QCOMPARE(p.scenario.recipe.sequence_length, 2048);
    const Headline h = headline(p.scenario, *estimate(p.scenario));
    QVERIFY(h.run > 2 * hour && h.run < 2 * day);
}

void FirstPlanTest::a_laptop_says_no_to_all_weights_and_offers_what_works() {
    const FirstAsk all{.method = {.purpose = Purpose::finetune}};
    const Library& l = library();
    const Model& m = l.models.at("llama2-7b");
    const Machine& laptop = l.machines.at("laptop-rtx4060");
    const FirstPlan p = first_plan(m, laptop, l.stacks, all);
    QVERIFY(!p.works && !p.why.empty());
    const auto near = nearest_plans(m, laptop, {l.models, l.machines, l.stacks}, all);
    QVERIFY2(near.size() >= 3, std::to_string(near.size()).c_str());
    QVERIFY(std::ranges::any_of(near, [](const NearPlan& n) { return quantises_frozen(n.scenario.method); }));
    for (const NearPlan& n : near) QVERIFY(tunes(n.scenario.method) && runs(estimate(n.scenario)));
}

void FirstPlanTest::what_is_asked_for_holds() {
    const FirstPlan soon = plan("llama2-70b", "dgx-h100", {.time = 30 * day});
    QVERIFY2(soon.works, soon.why.c_str());
    QVERIFY(totals_of(soon.scenario).time <= 30 * day);
    const FirstPlan later = plan("llama2-70b", "dgx-h100", {.time = 60 * day});
    QVERIFY(nodes_used(later.scenario) < nodes_used(soon.scenario));
    const FirstPlan sparing = plan("llama2-70b", "dgx-h100", {.node_hours = 1e5});
    QVERIFY2(sparing.works, sparing.why.c_str());
    QVERIFY(totals_of(sparing.scenario).node_hours <= 1e5);
    QVERIFY(totals_of(sparing.scenario).time < totals_of(later.scenario).time);   // more nodes within the hours
}

void FirstPlanTest::what_cannot_be_held_is_said_with_what_comes_nearest() {
    const FirstPlan at_once = plan("llama2-70b", "eos", {.time = 1 * day});
    QVERIFY(!at_once.works && has_room(at_once.scenario));
    QVERIFY2(at_once.why.find("1 d") != std::string::npos || at_once.why.find("24 h") != std::string::npos,
             at_once.why.c_str());
    const FirstPlan too_little = plan("llama2-70b", "eos", {.node_hours = 10});
    QVERIFY(!too_little.works && has_room(too_little.scenario));
    const FirstPlan too_many = plan("llama3-8b", "gaudi2", {.nodes = 100});
    QVERIFY(!too_many.works);
    QCOMPARE(nodes_used(too_many.scenario), 8);
    const auto near = near_plans("llama2-70b", "eos", {.time = 1 * day});
    QVERIFY(std::ranges::any_of(near, [](const NearPlan& p) { return p.time <= 1 * day; }));
    QVERIFY(std::ranges::is_sorted(near, {}, &NearPlan::time));
}

void FirstPlanTest::any_number_of_nodes_has_a_layout() {
    for (const int nodes : {3, 7, 25, 100, 121}) {
        const FirstPlan p = plan("llama3-8b", "dgx-h100", {.nodes = nodes});
        QVERIFY2(p.works, p.why.c_str());
        QCOMPARE(nodes_used(p.scenario), nodes);
    }
}

// Every machine, with models and requests drawn for it; under the sanitizers, for which each is a search of many
// seconds, one in fifteen.
void FirstPlanTest::any_choice_works_or_says_why_with_what_does_data() {
    QTest::addColumn<std::string>("machine");
    int drawn = 0;
    for (const auto& [id, machine] : library().machines)
        if (drawn++ % (testing::one_in > 1 ? 3 * testing::one_in : 1) == 0) QTest::newRow(id.c_str()) << id;
}

void FirstPlanTest::any_choice_works_or_says_why_with_what_does() {
    QFETCH(std::string, machine);
    std::mt19937 random{std::random_device{}()};
    const auto seed = random();
    random.seed(seed);
    const auto draw = [&](int most) { return int(random() % unsigned(most)); };
    const Machine& m = library().machines.at(machine);
    const auto model = std::next(library().models.begin(), draw(int(library().models.size())))->first;
    FirstAsk ask;
    const int kind = draw(4);
    if (kind == 1) ask.nodes = 1 + draw(m.nodes);
    if (kind == 2) ask.time = (1 + draw(200)) * day;
    if (kind == 3) ask.node_hours = std::pow(10, 1 + draw(6));
    const std::string said = model + " on " + machine + ", kind " + std::to_string(kind) + ", seed "
                             + std::to_string(seed) + ": ";
    const FirstPlan p = plan(model, machine, ask);
    QVERIFY2(p.works == p.why.empty(), said.c_str());
    QVERIFY2(p.scenario.machine.nodes == m.nodes, said.c_str());
    if (p.works) {
        QVERIFY2(has_room(p.scenario), said.c_str());
        QVERIFY2(!ask.nodes || nodes_used(p.scenario) == *ask.nodes, said.c_str());
        QVERIFY2(!ask.time || totals_of(p.scenario).time <= *ask.time, said.c_str());
        QVERIFY2(!ask.node_hours || totals_of(p.scenario).node_hours <= *ask.node_hours, said.c_str());
        return;
    }
    const auto near = near_plans(model, machine, ask);
    QVERIFY2(!near.empty(), (said + p.why).c_str());
    for (const NearPlan& n : near) QVERIFY2(has_room(n.scenario), (said + n.name).c_str());
}

PLIMSOLL_TEST(FirstPlanTest)
#include "tst_first_plan.moc"
