// What to change so that a plan runs.
#include "registered_test.h"

#include "core/answers/campaign/totals.h"
#include "core/answers/plan/rules.h"
#include "core/answers/campaign/headline.h"
#include "core/answers/search/remedies.h"
#include "core/files/presets/scenario_json.h"
#include "core/files/text/disk.h"
#include "core/values/knobs/knobs.h"
#include "core/answers/search/search.h"
#include "random_plans.h"
#include "shipped.h"
#include "turned.h"

#include <set>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

void plans_in_trouble() {
    QTest::addColumn<Scenario>("plan");
    const Scenario s = gpt3_on_selene();
    QTest::newRow("replicated states do not fit") << too_big_for_memory();
    QTest::newRow("activations do not fit") << turned(turned(s, "layout.recompute", 0), "layout.micro_batch", 8);
    QTest::newRow("tensor width does not divide the heads") << turned(s, "layout.tensor_parallel", 5);
    QTest::newRow("batch is no multiple") << turned(s, "recipe.global_batch_sequences", 1000);
    QTest::newRow("batch is smaller than one round") << turned(s, "recipe.global_batch_sequences", 8);
    QTest::newRow("machine is too small") << turned(s, "nodes", 1000);
    QTest::newRow("degrees do not multiply to the devices") << with_layout(s, [](Layout& l) { l.devices = 1000; });
    QTest::newRow("device lacks the format") << turned(s, "recipe.precision", double(Precision::fp8));
    QTest::newRow("pipeline refuses full sharding") << turned(s, "layout.zero_stage", 3);
    QTest::newRow("two obstacles at once")
        << turned(turned(s, "recipe.global_batch_sequences", 1000), "recipe.precision", double(Precision::fp8));
}

}  // namespace

class RemediesTest : public QObject {
    Q_OBJECT

private slots:
    void a_plan_that_surely_fits_needs_none() {
        Scenario s = gpt3_on_selene();
        s.machine.device.memory = 2 * estimate(s)->worst().total();
        QCOMPARE(fit_verdict(*estimate(s)), FitVerdict::fits);
        QVERIFY(remedies(s).empty());
    }

    // One device of eight cannot hold a model that two of them can.
    void the_rest_of_the_node_comes_before_another_one() {
        for (const int batch : {1, 8}) {
            Scenario s = gpt3_on_selene();
            s.model.layers = 32;
            s.model.hidden = 4096;
            s.model.heads = s.model.kv_heads = 32;
            s.model.ffn = 11008;
            s.layout = {};
            s.layout.recompute = Recompute::full;
            s.recipe.global_batch_sequences = batch;
            s.recipe.tokens = 1e9;
            QVERIFY(!runs(estimate(s)));
            const std::vector<Remedy> found = remedies(s);
            QVERIFY(!found.empty());
            QCOMPARE(found.front().estimate.nodes, 1);
            QVERIFY(found.front().estimate.devices <= 8);
            QVERIFY2(found.front().name.find("devices") != std::string::npos
                         || found.front().name.find("Devices") != std::string::npos
                         || found.front().name.find("1 node") != std::string::npos,
                     found.front().name.c_str());
        }
    }

    void every_remedy_runs_data() { plans_in_trouble(); }
    void every_remedy_runs() {
        QFETCH(Scenario, plan);
        QVERIFY(!runs(estimate(plan)));
        const auto found = remedies(plan);
        QVERIFY(!found.empty() && found.size() <= 3);
        for (const Remedy& r : found) {
            const Outcome o = estimate(r.scenario);
            QVERIFY2(runs(o), r.name.c_str());
            QCOMPARE(*o, r.estimate);
        }
    }

    // Checkpoints that are further apart than failures: whatever fits never gets to the end.
    void what_fits_and_never_ends_is_no_remedy() {
        Scenario s = too_big_for_memory();
        QVERIFY(!remedies(s).empty());
        s = turned(turned(s, "recipe.checkpoint_interval_s", 1e6), "machine.reliability.job_mtbf_h", 1);
        for (const Remedy& r : remedies(s, 8))
            QVERIFY2(totals(r.scenario, headline(r.scenario, r.estimate)).ends(), r.name.c_str());
    }

    void remedies_of_random_plans_run_and_are_priced_as_estimate_does() {
        int found = 0;
        for (const Scenario& s : random_plans(drawn(120)))
            for (const Remedy& r : remedies(s, 4, {0.05})) {
                const Outcome o = estimate(r.scenario);
                QVERIFY2(runs(o), r.name.c_str());
                QCOMPARE(*o, r.estimate);
                QCOMPARE(room_of(*o, {0.05}) == Room::tight, r.tight);
                ++found;
            }
        QVERIFY(found > drawn(60));
    }

    // Three remedies, all of them 2 % to 10 % apart, while a layout twice as fast was never offered.
    // "2.33 years instead of 600 d; the plan is short by 36.7 GiB" among what helps.
    void a_remedy_helps_and_says_what_it_costs() {
        int slower = 0, larger = 0;
        for (const Scenario& plan : random_plans(drawn(200))) {
            const Outcome here = estimate(plan);
            for (const Remedy& r : remedies(plan, 3, {0.05})) {
                QVERIFY2(r.estimate.fits(), r.name.c_str());
                QCOMPARE(r.cost.find("nodes instead of") != r.cost.npos, r.estimate.nodes > nodes_used(plan));
                if (!here) continue;
                const double times = headline(r.scenario, r.estimate).run / headline(plan, *here).run;
                if (std::abs(times - 1.005) > 1e-6) QCOMPARE(r.cost.find("slower") != r.cost.npos, times > 1.005);
                slower += times > 1.005;
                larger += r.estimate.nodes > nodes_used(plan);
            }
        }
        // The sanitizers draw too few to meet both.
        QVERIFY2(one_in > 1 || (slower > 0 && larger > 0), qPrintable(QString("%1 %2").arg(slower).arg(larger)));
    }

    void the_fastest_layout_of_the_devices_is_among_them() {
        Scenario s = gpt3_on_selene();
        s.layout.tensor_parallel = 2;
        s.layout.pipeline_parallel = 4;
        s.layout.data_parallel = 128;
        s.layout.recompute = Recompute::none;
        QVERIFY(!runs(estimate(s)));
        const SearchResult all = search(s, common_space(s), {.limit = 1});
        const auto found = remedies(s, 3);
        QVERIFY(!found.empty());
        const auto as_fast = [&](const Remedy& r) { return r.estimate.step.total() <= all.top.front().step; };
        QVERIFY(std::ranges::any_of(found, as_fast));
    }

    void a_plan_larger_than_its_machine_is_brought_onto_it() {
        Scenario s = small_on_one_node();
        s.layout.devices = s.layout.data_parallel = 64;
        const auto found = remedies(s);
        QVERIFY(!found.empty());
        for (const Remedy& r : found) QVERIFY(r.scenario.layout.devices <= s.machine.devices());
    }

    void a_model_too_large_for_one_node_is_given_more_nodes() {
        Scenario s = gpt3_on_selene();
        s.machine = one_node();
        s.layout = {};
        s.layout.devices = s.layout.data_parallel = 8;
        const auto found = remedies(s);
        QVERIFY(!found.empty());
        QVERIFY2(found.front().name.find("A machine of") == 0, found.front().name.c_str());
        QVERIFY(found.front().scenario.machine.nodes > 1);
    }

    void degrees_that_ask_for_other_devices_are_said_and_turned() {
        Scenario s = small_on_one_node();
        s.layout.devices = 4;
        s.layout.tensor_parallel = 2;
        s.layout.pipeline_parallel = 4;
        s.layout.data_parallel = 1;
        const std::vector<Obstacle> obstacles = check(s);
        QVERIFY(!obstacles.empty());
        QCOMPARE(QString::fromStdString(say(obstacles.front(), s)),
                 QString("4 devices, but the layout asks for 2 x 1 x 1 x 4 = 8 (tensor x context x data x pipeline)."));
        std::set<std::string> names;
        for (const Remedy& r : remedies(s, 8)) names.insert(r.name);
        QVERIFY(names.contains("Tensor parallel 1"));
        QVERIFY(names.contains("Pipeline parallel 2") || names.contains("Pipeline parallel 1"));
    }

    void what_clears_every_obstacle_is_offered_where_nothing_fits() {
        Scenario s = small_on_one_node();
        s.machine.device.memory = 1 * mebibyte;
        s.layout.tensor_parallel = 3;
        QVERIFY(remedies(s).empty());
        const auto found = clearings(s);
        QVERIFY(!found.empty());
        for (const Remedy& r : found) {
            QVERIFY2(check(r.scenario).empty(), r.name.c_str());
            QCOMPARE(*estimate(r.scenario), r.estimate);
        }
    }

    // A plan that tunes all weights of 8B on a card of 24 GB.
    void to_tune_a_model_adapters_are_offered_in_place_of_all_weights() {
        Scenario s = read_scenario(*read_text(library().scenarios.at("llama3-8b-qlora-rtx4090")), library())->scenario;
        s.method.trained = Trained::all;
        s.method.frozen = FrozenFormat::as_products;
        QStringList names;
        bool adapters = false;
        for (const Remedy& r : not_empty(remedies(s, 100))) {
            adapters |= trains_adapters(r.scenario.method);
            names << QString::fromStdString(r.name);
        }
        QVERIFY2(adapters, qPrintable(names.join("; ")));
    }
    void frozen_weights_are_offered_in_formats_that_the_software_has_data() {
        QTest::addColumn<std::string>("stack");
        QTest::addColumn<FrozenFormat>("format");
        QTest::newRow("torchtune has NF4 alone") << std::string("torchtune-compile") << FrozenFormat::nf4_double;
        QTest::newRow("PEFT has int8 too, and it fits") << std::string("hf-trainer") << FrozenFormat::int8;
    }
    void frozen_weights_are_offered_in_formats_that_the_software_has() {
        QFETCH(std::string, stack);
        QFETCH(FrozenFormat, format);
        Scenario s = shipped_plan("llama3-8b-qlora-rtx4090");
        s.machine = library().machines.at("dgx-h100");
        s.stack = library().stacks.at(stack);
        s.method.frozen = FrozenFormat::as_products;
        int found = 0;
        for (const Remedy& r : not_empty(savings(s))) {
            if (r.scenario.method.frozen == s.method.frozen) continue;
            QCOMPARE(r.scenario.method.frozen, format);
            ++found;
        }
        QCOMPARE(found, 1);
    }
    void what_is_trained_is_never_a_remedy_of_pre_training() {
        for (const Remedy& r : not_empty(remedies(too_big_for_memory(), 100))) {
            QCOMPARE(r.scenario.method, Method{});
            QCOMPARE(r.scenario.recipe.optimizer, too_big_for_memory().recipe.optimizer);
            QCOMPARE(r.scenario.recipe.sequence_length, too_big_for_memory().recipe.sequence_length);
        }
    }
    void each_change_alone_needs_less_than_the_plan() {
        Scenario s = read_scenario(*read_text(library().scenarios.at("llama3-70b-lora-8-h100")), library())->scenario;
        const Bytes here = estimate(s)->worst().total();
        Bytes before{};
        for (const Remedy& r : savings(s)) {
            QVERIFY(r.estimate.worst().total() < here && r.estimate.worst().total() >= before);
            QCOMPARE(*estimate(r.scenario), r.estimate);
            before = r.estimate.worst().total();
        }
        QVERIFY(before > Bytes{});
    }

    void a_search_that_is_stopped_offers_no_less_than_edits() {
        std::stop_source source;
        source.request_stop();
        QVERIFY(!remedies(too_big_for_memory(), 3, {}, source.get_token()).empty());
    }

    void names_are_distinct_data() { plans_in_trouble(); }
    void names_are_distinct() {
        QFETCH(Scenario, plan);
        std::set<std::string> names;
        for (const Remedy& r : not_empty(remedies(plan, 8)))
            QVERIFY2(!r.name.empty() && names.insert(r.name).second, r.name.c_str());
    }

    void those_that_surely_fit_come_first_and_then_the_fastest_data() { plans_in_trouble(); }
    void those_that_surely_fit_come_first_and_then_the_fastest() {
        QFETCH(Scenario, plan);
        std::pair<FitVerdict, Seconds> before;
        for (const Remedy& r : not_empty(remedies(plan, 100))) {
            const std::pair here(r.verdict(), headline(r.scenario, r.estimate).run);
            QVERIFY(before <= here);
            before = here;
        }
    }

    void leaves_model_and_machine_alone_data() { plans_in_trouble(); }
    void leaves_model_and_machine_alone() {
        QFETCH(Scenario, plan);
        for (const Remedy& r : not_empty(remedies(plan, 8))) {
            QCOMPARE(r.scenario.model, plan.model);
            QCOMPARE(r.scenario.machine, plan.machine);
            QCOMPARE(r.scenario.stack, plan.stack);
        }
    }

    // Room for what a third of the optimizer leaves.
    void a_plan_is_offered_the_least_of_its_optimizer_and_the_modules_that_help() {
        Scenario s = shipped_plan("qwen3-235b-256-h100");
        s.stack = library().stacks.at("megatron-core");
        s.layout.recompute = Recompute::none;
        const auto memory = [&](double share) {
            Scenario sent = s;
            sent.layout.offload.optimizer = Tier::host;
            sent.layout.offload.optimizer_share = share;
            return estimate(sent)->worst().total();
        };
        s.machine.device.memory = (memory(0) + (memory(1) - memory(0)) / 3) / 0.75;
        const std::vector<Remedy> found = remedies(s, 100);
        const auto part = std::ranges::find_if(found, [](const Remedy& r) {
            return r.scenario.layout.offload.optimizer_share < 1 && r.scenario.layout.zero_stage == 1;
        });
        QVERIFY(part != found.end());
        QCOMPARE(part->verdict(), FitVerdict::fits);
        const double share = part->scenario.layout.offload.optimizer_share;
        QVERIFY2(share > 0.05 && share < 0.65, part->name.c_str());
        QVERIFY2(part->name.find("Share of the optimizer") != std::string::npos, part->name.c_str());
        const auto modules = std::ranges::find_if(found, [](const Remedy& r) {
            return sends_by_module(r.scenario.model, r.scenario.layout.offload);
        });
        QVERIFY(modules != found.end());
        QVERIFY2(modules->name.find("core_attn") != std::string::npos, modules->name.c_str());
    }

    void keeps_the_sources() {
        Scenario s = too_big_for_memory();
        s.model.sources["/layers"] = {SourceKind::vendor, "paper"};
        for (const Remedy& r : not_empty(remedies(s))) QCOMPARE(r.scenario.model.sources, s.model.sources);
    }

    void gives_up_where_nothing_helps() {
        Scenario s = small_on_one_node();
        s.machine.device.memory = 1 * mebibyte;
        QVERIFY(remedies(s).empty());
    }

    void gives_at_most_what_is_asked() {
        QCOMPARE(remedies(too_big_for_memory(), 1).size(), std::size_t(1));
        QVERIFY(remedies(too_big_for_memory(), 0).empty());
    }
};

PLIMSOLL_TEST(RemediesTest)
#include "tst_remedies.moc"
