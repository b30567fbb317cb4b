// Stages of a pipeline: how a walk by cost fills them, where the head and the loss lie, and what hosts and messages
// add to a stage.
#include "registered_test.h"

#include "core/answers/plan/estimate.h"
#include "core/answers/plan/rules.h"
#include "core/costs/memory/memory.h"
#include "core/costs/step/step.h"
#include "core/values/plan/share.h"
#include "random_plans.h"

#include <algorithm>
#include <vector>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

// Models of nanotron's scaling benchmarks: vocabulary 131,072, gated feed-forward.
Scenario benchmark(int layers, int hidden, int ffn, int stages) {
    Scenario s = gpt3_on_selene();
    s.model.layers = layers;
    s.model.hidden = hidden;
    s.model.heads = s.model.kv_heads = hidden / 128;
    s.model.head_dim = 128;
    s.model.ffn = ffn;
    s.model.activation = Activation::swiglu;
    s.model.vocabulary = 131072;
    s.model.tied_embeddings = false;
    s.layout.tensor_parallel = 1;
    s.layout.pipeline_parallel = stages;
    s.layout.data_parallel = 2;
    s.layout.devices = 2 * stages;
    s.layout.stage_split = StageSplit::by_cost;
    s.recipe.global_batch_sequences = 64;
    return s;
}

// The walk itself, block by block.
struct Walked {
    std::vector<int> layers;
    int head = 0, loss = 0;
};
Walked walk(double layer, double head, int layers, int stages) {
    Walked w{std::vector<int>(stages), 0, 0};
    double so_far = 0;
    int stage = 0;
    const double all = layers * layer + head;
    const auto put = [&](double cost) {
        const int here = stage;
        so_far += cost;
        if (so_far > all * (stage + 1) / stages && stage < stages - 1) ++stage;
        return here;
    };
    put(0);                                               // embedding
    for (int i = 0; i < layers; ++i) ++w.layers[put(layer)];
    put(0);                                               // norm
    w.head = put(head);
    put(0);                                               // cast
    w.loss = put(0);
    return w;
}

// What a stage holds, and each of its chunks, layer by layer of the model.
struct CountedStage : LayersHeld {
    std::vector<LayersHeld> chunks;
    Parameters parameters;
};
// Layers of modules stand behind the stage's own, and are recomputed where all layers are.
void add_modules(const Scenario& s, const Layers& layers, std::vector<CountedStage>& stages) {
    const bool again = s.layout.recompute != Recompute::none && !s.layout.recomputes_some();
    const LayerCounts module = layers.of_module();
    for (int depth = 0; depth < s.model.further.depths; ++depth) {
        const Slot at = module_slot(s);
        CountedStage& stage = stages[std::size_t(at.stage)];
        for (LayersHeld* one : {static_cast<LayersHeld*>(&stage), &stage.chunks[std::size_t(at.chunk)]}) {
            one->layers += module;
            if (again) one->recomputed += module;
        }
    }
}

std::vector<CountedStage> counted_stages(const Scenario& s) {
    const Layers layers(s.model);
    const ChunkPlace& place = schedule_kind(s.layout.schedule).place;
    const int p = s.layout.pipeline_parallel, v = s.layout.virtual_stages;
    std::vector<CountedStage> stages(p);
    for (CountedStage& stage : stages) stage.chunks.resize(v);
    int layer = 0;
    for (int at = 0; at < p * v; ++at) {
        const Slot slot = place.slot(at, p);
        CountedStage& stage = stages[slot.stage];
        const int held = layers_of_chunk(s, slot.stage, slot.chunk), recomputed = recomputed_of(s.layout, held);
        for (int i = 0; i < held; ++i, ++layer)
            for (LayersHeld* one : {static_cast<LayersHeld*>(&stage), &stage.chunks[slot.chunk]}) {
                ++one->layers[layers.of_layer(layer)];
                one->recomputed[layers.of_layer(layer)] += i < recomputed;
            }
    }
    std::array<KindParameters, most_kinds> each;
    for (Kind k = 0; k < layers.kinds(); ++k) each[k] = kind_parameters(s.model, layers[k], s.method);
    for (int i = 0; i < p; ++i) stages[i].parameters = stage_parameters(s, i, stages[i].layers, each);
    add_modules(s, layers, stages);
    return stages;
}

// Everything that is priced once for stages that are alike, against every stage on its own; how many are alike.
int compare_with_every_stage(const Scenario& s) {
    const Work work(s);
    const LayerTimes layers = layer_times(work);
    const Swap swap = swap_of(work, layers);
    const std::vector<StageTime> times = stage_times(work, layers, swap);
    const std::vector<int> may_fill = stages_that_may_fill(work);
    const std::vector<CountedStage> counted = counted_stages(s);
    int alike = 0, heaviest = 0;
    Bytes fullest, fullest_of_those;
    for (int i = 0; i < int(times.size()); ++i) {
        const StageTime alone = stage_time(work, layers, swap, i);
        bool same = times[i].forward == alone.forward && times[i].backward == alone.backward
                 && times[i].weight == alone.weight && times[i].host == alone.host
                 && times[i].ends_forward == alone.ends_forward && times[i].ends_backward == alone.ends_backward;
        for (const auto& part : step_parts) same = same && times[i].micro.*part.value == alone.micro.*part.value;
        const Parameters& own = counted[i].parameters;
        const Parameters known = stage_parameters(work, i);
        same = same && known.all.common() == own.all.common() && known.all.routed() == own.all.routed()
            && known.trained.total() == own.trained.total();
        if (own.trained.total() > counted[heaviest].parameters.trained.total()) heaviest = i;
        same = same && work.stage(i).layers == counted[i].layers && work.stage(i).recomputed == counted[i].recomputed;
        for (int c = 0; c < s.layout.virtual_stages; ++c) same = same && work.chunk(i, c) == counted[i].chunks[c];
        if (!same) return -1;
        const Bytes use = stage_memory(work, swap, i).total();
        fullest = max(fullest, use);
        if (std::ranges::count(may_fill, i)) fullest_of_those = max(fullest_of_those, use);
        alike += work.like_before(i);
    }
    return fullest == fullest_of_those && heaviest_stage(work) == heaviest ? alike : -1;
}

}  // namespace

class StagesTest : public QObject {
    Q_OBJECT

private slots:
    void a_walk_by_cost_fills_the_stages_data() {
        QTest::addColumn<int>("layers");
        QTest::addColumn<int>("hidden");
        QTest::addColumn<int>("ffn");
        QTest::addColumn<QList<int>>("expected");
        QTest::addColumn<int>("head");
        QTest::newRow("1B in two: the first overshoots") << 16 << 2048 << 8192 << QList<int>{11, 5} << 1;
        QTest::newRow("1B in four: the head alone") << 16 << 2048 << 8192 << QList<int>{6, 5, 5, 0} << 3;
        QTest::newRow("1B in eight: the head before the last")
            << 16 << 2048 << 8192 << QList<int>{3, 3, 2, 3, 2, 3, 0, 0} << 6;
        QTest::newRow("8B in sixteen") << 32 << 4096 << 14336
                                       << QList<int>{3, 2, 2, 2, 2, 2, 2, 3, 2, 2, 2, 2, 2, 2, 2, 0} << 14;
    }
    void a_walk_by_cost_fills_the_stages() {
        QFETCH(int, layers);
        QFETCH(int, hidden);
        QFETCH(int, ffn);
        QFETCH(QList<int>, expected);
        QFETCH(int, head);
        const Scenario s = benchmark(layers, hidden, ffn, int(expected.size()));
        for (int i = 0; i < expected.size(); ++i) QCOMPARE(layers_of_stage(s, i), expected[i]);
        QCOMPARE(head_stage(s), head);
    }
    void the_closed_form_is_the_walk() {
        for (const double head : {0.0, 0.3, 1.0, 2.5, 4.0, 40.0})
            for (int layers = 1; layers <= 40; layers += 3)
                for (int stages = 2; stages <= 34; ++stages) {
                    const CostSplit split{1, head, layers, stages};
                    const Walked w = walk(1, head, layers, stages);
                    for (int i = 0; i < stages; ++i) QCOMPARE(split.layers_of(i), w.layers[i]);
                    if (head == 0) continue;   // the whole is reached before it
                    QCOMPARE(split.head_stage(), w.head);
                    QCOMPARE(split.loss_stage(), w.loss);
                }
    }
    void a_stack_that_splits_by_cost_does_so_where_the_layout_leaves_it_open() {
        Scenario s = benchmark(16, 2048, 8192, 4);
        s.layout.stage_split = StageSplit::even;
        QCOMPARE(layers_of_stage(s, 0), 4);
        s.stack.pipeline.splits_by_cost = true;
        QCOMPARE(layers_of_stage(s, 0), 6);
        s.layout.stage_split = StageSplit::min_max;
        QVERIFY(stage_split(s) == StageSplit::min_max);
    }
    void stages_that_are_alike_are_priced_once_and_cost_the_same() {
        RandomPlans plans;
        int alike = 0;
        for (int n = 0; n < drawn(1500); ++n) {
            const Scenario s = plans.next();
            if (!check(s).empty()) continue;
            const int found = compare_with_every_stage(s);
            QVERIFY2(found >= 0, qPrintable(QString("plan %1").arg(n)));
            alike += found;
        }
        QVERIFY(alike > 0);
    }
    void stages_filled_by_cost_are_alike_where_they_cost_the_same() {
        int alike = 0;
        for (const int stages : {2, 4, 8, 16}) {
            const int found = compare_with_every_stage(benchmark(16, 2048, 8192, stages));
            QVERIFY(found >= 0);
            alike += found;
        }
        QVERIFY(alike > 0);
    }
    // All the layers and all the parameters are somewhere, whatever the split.
    void nothing_is_lost_between_the_stages() {
        Scenario s = benchmark(16, 2048, 8192, 16);
        const auto parameters_of = [&] {
            double sum = 0;
            for (int i = 0; i < 16; ++i) sum += stage_parameters(s, i).all.total();
            return sum;
        };
        const double by_cost = parameters_of();
        s.layout.stage_split = StageSplit::even;
        QVERIFY(std::abs(by_cost / parameters_of() - 1) < 1e-12);
    }
    void a_stage_without_layers_takes_the_time_of_what_it_holds() {
        const Scenario s = benchmark(16, 2048, 8192, 8);
        const auto stages = stage_times(s);
        QVERIFY(head_stage(s) == 6 && loss_stage(s) == 7);
        QVERIFY(stages[6].ends_forward > Seconds{} && stages[7].ends_forward > Seconds{});
        QCOMPARE(stages[6].micro.gemm / second, 0.0);
        Scenario whole = s;
        whole.layout.stage_split = StageSplit::even;
        const double ends = stage_times(whole)[7].ends_forward / second;
        QVERIFY(std::abs((stages[6].ends_forward + stages[7].ends_forward) / second / ends - 1) < 1e-12);
        QVERIFY(estimate(s).has_value());
    }
    void logits_cross_where_the_loss_lies_behind_the_head() {
        Scenario s = benchmark(16, 2048, 8192, 8);
        QVERIFY(logits_crossing(s, 6) == Seconds{} && logits_crossing(s, 7) > Seconds{});
        const double tokens = s.recipe.sequence_length * s.layout.micro_batch;
        QCOMPARE(crossing_logits(s, 7) / byte, 2 * tokens * 131072);
        s = benchmark(16, 2048, 8192, 16);
        QVERIFY(head_stage(s) == 12 && loss_stage(s) == 14);
        QCOMPARE(crossing_logits(s, 14) / byte, 4 * tokens * 131072);
        QVERIFY(logits_crossing(s, 15) == Seconds{});
    }

    void a_message_is_waited_for_once_per_neighbour_and_pass() {
        Scenario s = benchmark(32, 4096, 14336, 4);
        const auto before = stage_times(s);
        s.stack.pipeline.message = 1 * millisecond;
        const auto after = stage_times(s);
        const int messages[] = {2, 4, 4, 2};
        for (int i = 0; i < 4; ++i) {
            const Seconds more =
                after[i].forward + after[i].backward - before[i].forward - before[i].backward;
            QVERIFY(std::abs(more / millisecond - messages[i]) < 1e-9);
        }
    }
    void a_pipeline_across_nodes_holds_up_the_hosts_of_tensor_ranks() {
        Scenario s = benchmark(32, 4096, 14336, 4);
        s.stack.host.pipeline_tensor = 1 * millisecond;
        const auto host = [&](int tensor, int data) {
            s.layout.tensor_parallel = tensor;
            s.layout.data_parallel = data;
            s.layout.devices = tensor * 4 * data;
            Scenario without = s;
            without.stack.host.pipeline_tensor = {};
            return (stage_times(s)[1].host - stage_times(without)[1].host) / millisecond;
        };
        QCOMPARE(host(1, 8), 0.0);                       // no tensor ranks
        QCOMPARE(host(2, 1), 0.0);                       // inside one node
        const double two = host(2, 2), four = host(4, 2);
        QVERIFY(two > 0 && std::abs(four / two - s.layout.tensor_parallel / 2.0) < 0.35 * four / two);
    }
};

PLIMSOLL_TEST(StagesTest)
#include "tst_stages.moc"
