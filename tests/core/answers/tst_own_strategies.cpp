// Strategies priced by our own cost model: one for all layers costs what estimate() says, one per layer never more.
#include "registered_test.h"

#include "core/answers/plan/rules.h"
#include "core/answers/plan/estimate.h"
#include "core/answers/strategies/own_tables.h"
#include "core/answers/strategies/per_layer.h"
#include "core/files/presets/scenario_json.h"
#include "shipped.h"

#include <cmath>
#include <numeric>

using namespace plimsoll;

namespace {

Scenario plan_of(const char* id, int devices, int batch) {
    Scenario s = read_scenario(*read_text(library().scenarios.at(id)), library())->scenario;
    s.layout.devices = devices;
    s.recipe.global_batch_sequences = batch;
    return s;
}

PipelineTask task_of(const Scenario& s, int pipeline, int micro_batches) {
    const StrategySpace space{.devices = s.layout.devices, .layers = s.model.layers, .widest = 8};
    return {s.recipe.global_batch_sequences, micro_batches, pipeline, s.model.layers, strategies_of(space, pipeline)};
}

PerLayerQuestion question(const Scenario& s, Bytes memory) {
    PerLayerQuestion q;
    q.space = {.devices = s.layout.devices, .layers = s.model.layers, .widest = 8};
    q.batches = {s.recipe.global_batch_sequences};
    q.memory = memory;
    return q;
}

PerLayer answer(const Scenario& s, Bytes memory) { return best_per_layer(question(s, memory), own_prices(s)); }

// Only pipelines of this length have a price.
PriceList pipelines_of(int length, PriceList prices) {
    return [length, prices = std::move(prices)](const PipelineTask& t) {
        return t.pipeline == length ? prices(t) : StrategyTables{};
    };
}

}  // namespace

class OwnStrategiesTest : public QObject {
    Q_OBJECT
private slots:
    void one_strategy_for_all_costs_what_the_estimate_says_data() {
        QTest::addColumn<QString>("scenario");
        QTest::addColumn<int>("devices");
        QTest::addColumn<int>("batch");
        QTest::addColumn<int>("pipeline");
        QTest::addColumn<int>("micro_batches");
        QTest::newRow("Llama 2 7B on 8, one stage") << "llama2-7b-galvatron" << 8 << 64 << 1 << 4;
        QTest::newRow("Llama 2 7B on 16, two stages") << "llama2-7b-galvatron" << 16 << 64 << 2 << 8;
        QTest::newRow("Llama 2 7B on 16, four stages") << "llama2-7b-galvatron" << 16 << 64 << 4 << 8;
        QTest::newRow("Llama 2 7B with FSDP on Perlmutter, one micro-batch")
            << "llama2-7b-perlmutter-fsdp" << 16 << 32 << 1 << 1;
        QTest::newRow("GPT-3 175B on 64 A100, 8 stages") << "gpt3-175b-1024-a100" << 64 << 64 << 8 << 16;
    }
    void one_strategy_for_all_costs_what_the_estimate_says() {
        QFETCH(QString, scenario);
        QFETCH(int, devices);
        QFETCH(int, batch);
        QFETCH(int, pipeline);
        QFETCH(int, micro_batches);
        const Scenario plan = plan_of(scenario.toUtf8().constData(), devices, batch);
        const PipelineTask task = task_of(plan, pipeline, micro_batches);
        const StrategyTables tables = own_prices(plan)(task);
        QVERIFY(!tables.strategies.empty());
        for (std::size_t i = 0; i < tables.strategies.size(); ++i) {
            const Outcome o = estimate(with_strategy(plan, task, tables.strategies[i]));
            QVERIFY(o.has_value());
            std::vector<StageSum> sums;
            for (int stage = 0; stage < pipeline; ++stage) {
                const int n = task.layers / pipeline;
                const LayerCost &layer = tables.layer[stage][i], &ends = tables.ends[stage][i];
                sums.push_back({n * layer.forward + ends.forward, n * layer.backward + ends.backward,
                                n * layer.after + ends.after, ends.micro()});
                const double units = n * double(layer.units) + ends.units + tables.transient[i];
                const double needed = o->stages[stage].total() / memory_unit;
                QVERIFY2(units >= needed - 1e-6, say(tables.strategies[i]).c_str());   // nothing is forgotten
                // Each layer and either rest is rounded up, and the layer being recomputed may be that of any stage.
                if (pipeline == 1) QVERIFY2(units <= needed + n + 2, say(tables.strategies[i]).c_str());
            }
            const double ratio = tables.step(sums) / o->step.total();
            QVERIFY2(std::abs(ratio - 1) < 1e-9, (say(tables.strategies[i]) + ": " + std::to_string(ratio)).c_str());
        }
    }

    void strategies_the_plan_refuses_have_no_price() {
        Scenario plan = plan_of("llama2-7b-galvatron", 8, 64);
        plan.model.heads = plan.model.kv_heads = 4;   // not over 8 ranks
        const PipelineTask task = task_of(plan, 1, 4);
        for (const LayerStrategy& s : not_empty(own_prices(plan)(task).strategies)) {
            QVERIFY(s.width() <= 4);
            QVERIFY(check(with_strategy(plan, task, s)).empty());
        }
    }

    void a_strategy_per_layer_is_never_slower_than_one_for_all_data() {
        QTest::addColumn<QString>("scenario");
        QTest::addColumn<int>("devices");
        QTest::newRow("Llama 2 7B on 8 A100") << "llama2-7b-galvatron" << 8;
        QTest::newRow("Llama 2 7B on 16 A100 in two nodes") << "llama2-7b-galvatron" << 16;
        QTest::newRow("Llama 2 7B on Perlmutter") << "llama2-7b-perlmutter-fsdp" << 16;
    }
    void a_strategy_per_layer_is_never_slower_than_one_for_all() {
        QFETCH(QString, scenario);
        QFETCH(int, devices);
        const Scenario plan = plan_of(scenario.toUtf8().constData(), devices, 64);
        double last = 0;
        for (const int gib : {12, 20, 28, 36, 64}) {
            const PerLayer found = answer(plan, gib * gibibyte);
            if (!found.best) {
                QVERIFY2(last == 0 && !found.uniform, "more memory takes nothing away");
                continue;
            }
            QVERIFY(found.best->throughput() >= last);
            last = found.best->throughput();
            QCOMPARE(int(found.best->layers.size()), plan.model.layers);
            QCOMPARE(std::accumulate(found.best->stages.begin(), found.best->stages.end(), 0), plan.model.layers);
            for (const Bytes& used : found.best->memory) QVERIFY(used <= gib * gibibyte);
            int in_runs = 0;
            for (const StrategyRun& r : runs_of(*found.best)) in_runs += r.layers;
            QCOMPARE(in_runs, plan.model.layers);
            // Sharded ends beside layers that are not would have no price for their weights' exchange.
            if (found.best->ends.sharding == Sharding::zero3)
                for (const LayerStrategy& s : found.best->layers) QVERIFY(s.sharding == Sharding::zero3);
            if (!found.uniform) continue;
            QVERIFY(found.best->throughput() >= found.uniform->throughput());
            QVERIFY(found.lost() >= 0 && found.lost() < 1);
            for (const LayerStrategy& s : found.uniform->layers) QCOMPARE(s == found.uniform->layers.front(), true);
            // The uniform plan is one that the estimate can run.
            const PerLayerPlan& u = *found.uniform;
            Scenario same =
                with_strategy(plan, {u.batch, u.micro_batches, u.pipeline, plan.model.layers, {}}, u.layers.front());
            same.machine.device.memory = gib * gibibyte;
            QVERIFY(runs(estimate(same)));
            QVERIFY(std::abs(estimate(same)->step.total() / u.step - 1) < 1e-9);
        }
        QVERIFY(last > 0);
    }

    void short_of_memory_some_layers_are_checkpointed() {
        const Scenario plan = plan_of("llama2-7b-galvatron", 16, 64);
        const PerLayer found = answer(plan, 36 * gibibyte);
        QVERIFY(found.lost() > 0.01);
        const auto checkpointed = std::count_if(found.best->layers.begin(), found.best->layers.end(),
                                                [](const LayerStrategy& s) { return s.checkpoint; });
        QVERIFY(checkpointed > 0 && checkpointed < plan.model.layers);
    }

    void partitions_use_every_layer_once() {
        for (int layers = 1; layers <= 40; ++layers)
            for (int p = 1; p <= std::min(layers, 8); ++p) {
                const auto all = partitions_of(layers, p, true);
                QCOMPARE(all.front(), partitions_of(layers, p, false).front());
                for (std::size_t i = 0; i < all.size(); ++i) {
                    QCOMPARE(int(all[i].size()), p);
                    QCOMPARE(std::accumulate(all[i].begin(), all[i].end(), 0), layers);
                    QVERIFY(*std::min_element(all[i].begin(), all[i].end()) > 0);
                    QCOMPARE(std::count(all.begin(), all.end(), all[i]), 1);
                }
            }
    }

    void a_heavy_head_takes_layers_from_its_stage() {
        Scenario plan = plan_of("llama2-7b-galvatron", 8, 64);
        plan.model.vocabulary = 1 << 20;
        plan.recipe.sequence_length = 512;
        PerLayerQuestion q = question(plan, 80 * gibibyte);
        q.space.widest = 2;
        q.space.zero3 = false;
        q.micro_batches = {16};
        const PerLayer equal = best_per_layer(q, pipelines_of(4, own_prices(plan)));
        q.uneven_stages = true;
        const PerLayer free = best_per_layer(q, pipelines_of(4, own_prices(plan)));
        QVERIFY(equal.best && free.best);
        QVERIFY(free.best->throughput() > 1.01 * equal.best->throughput());
        QVERIFY(free.best->stages.back() < free.best->stages[1]);
    }

    void what_cannot_be_priced_apart_is_said() {
        Scenario plan = plan_of("llama2-7b-galvatron", 8, 64);
        QVERIFY(not_priced(plan).empty());
        plan.layout.offload.optimizer = Tier::host;
        QVERIFY(!not_priced(plan).empty());
        plan = plan_of("llama2-7b-galvatron", 8, 64);
        plan.model.experts.count = 8;
        QVERIFY(!not_priced(plan).empty());
    }
};

PLIMSOLL_TEST(OwnStrategiesTest)
#include "tst_own_strategies.moc"
