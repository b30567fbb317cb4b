// Which layers are of which kind, counted layer by layer and at once.
#include "registered_test.h"

#include "core/answers/plan/price.h"
#include "core/values/plan/share.h"
#include "scenarios.h"

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

Model with(int layers, int windowed, int experts, int dense_first, int every) {
    Model m = gpt3_on_selene().model;
    m.layers = layers;
    m.window = {512, windowed};
    m.experts.count = experts;
    m.experts.dense_layers = dense_first;
    m.experts.every = every;
    return m;
}

// A letter a layer: d and e without a window, D and E with one.
std::string letters(const Model& m) {
    const Layers layers(m);
    std::string all;
    for (int i = 0; i < m.layers; ++i) {
        const LayerKind& kind = layers[layers.of_layer(i)];
        all += kind.feed == Feed::dense ? (kind.window > 0 ? 'D' : 'd') : kind.window > 0 ? 'E' : 'e';
    }
    return all;
}

}  // namespace

class LayersTest : public QObject {
    Q_OBJECT

private slots:
    void layers_with_a_window_come_first_in_their_group_data() {
        QTest::addColumn<Model>("model");
        QTest::addColumn<QString>("pattern");
        QTest::newRow("no window") << with(4, 0, 0, 0, 1) << "dddd";
        QTest::newRow("windows everywhere, as Mistral 7B") << with(4, 4, 0, 0, 1) << "DDDD";
        QTest::newRow("every other layer, as Gemma 2") << with(6, 3, 0, 0, 1) << "DdDdDd";
        QTest::newRow("five of six, as Gemma 3") << with(12, 10, 0, 0, 1) << "DDDDDdDDDDDd";
        QTest::newRow("every other layer with experts, as GPT-OSS") << with(4, 2, 8, 0, 1) << "EeEe";
        QTest::newRow("three of four and experts in every other, as Llama 4 Maverick")
            << with(8, 6, 8, 0, 2) << "EDEdEDEd";
        QTest::newRow("a dense layer first, then experts") << with(4, 2, 8, 1, 1) << "DeEe";
    }
    void layers_with_a_window_come_first_in_their_group() {
        QFETCH(Model, model);
        QFETCH(QString, pattern);
        QCOMPARE(QString::fromStdString(letters(model)), pattern);
    }

    // before() in closed form against the layers one by one, for every model of up to 13 layers.
    void counts_are_those_of_the_layers_one_by_one() {
        int models = 0;
        for (int n = 1; n <= 13; ++n)
            for (int windowed = 0; windowed <= n; ++windowed)
                for (const int every : {0, 1, 2, 3})
                    for (const int dense_first : {0, 1, 4}) {
                        const Model m = with(n, windowed, every > 0 ? 8 : 0, dense_first, std::max(every, 1));
                        const Layers layers(m);
                        LayerCounts counted;
                        int with_window = 0, with_experts = 0;
                        for (int i = 0; i < n; ++i) {
                            QCOMPARE(layers.before(i), counted);
                            const Kind k = layers.of_layer(i);
                            ++counted[k];
                            with_window += layers[k].window > 0;
                            const bool routed = every > 0 && i >= dense_first && i % every == 0;
                            QCOMPARE(layers[k].feed == Feed::experts, routed);
                            with_experts += routed;
                        }
                        QCOMPARE(layers.all(), counted);
                        QCOMPARE(with_window, windowed);
                        QCOMPARE(layers.with_experts(), with_experts);
                        ++models;
                    }
        QCOMPARE(models, 12 * (13 * 14 / 2 + 13));
    }

    // A feed-forward block alone, which no shipped model has yet: half of a layer, and nothing of attention.
    void a_layer_without_a_mixer_is_its_feed_forward_block() {
        Scenario plan = gpt3_on_selene();
        plan.stack.kernels.attention = Attention::materialised;
        const LayerKind whole = dense_layer, half{.mixer = Mixer::none};
        double attention = plan.model.norms_per_layer / 2.0 * 2 * plan.model.hidden;   // one of the layer norms
        for (const Weight& w : not_empty(weights_of(plan.model, whole)))
            if (w.id == std::string_view("qkv") || w.id == std::string_view("attention_out"))
                attention += w.matrix() + w.biases;
        const auto parameters_of = [&](const LayerKind& k) { return layer_parameters(plan.model, k).all.total(); };
        QCOMPARE(parameters_of(whole) - parameters_of(half), attention);
        const Work s(plan);
        const LayerTime all = layer_time(s, whole), alone = layer_time(s, half);
        QCOMPARE(alone.forward.attention / second, 0.0);
        QCOMPARE(alone.backward.tensor / second, all.backward.tensor / second / 2);
        QCOMPARE(elementwise_forward(s, half).kernels, elementwise_forward(s, whole).kernels / 2);
        QVERIFY(alone.forward.gemm > Seconds{} && alone.forward.gemm < all.forward.gemm);
        QCOMPARE(layer_activations(s, half).scores / byte, 0.0);
        QVERIFY(layer_activations(s, half).total() < layer_activations(s, whole).total());
        QCOMPARE(attention_core_flop(plan.model, half, 8, 2048) / flop, 0.0);
    }

    // Six layers of which the last alone sees the whole sequence: the stage that has it is the slowest.
    void a_stage_of_layers_without_a_window_takes_longer() {
        Scenario s = gpt3_on_selene();
        s.stack.kernels.attention = Attention::flash;
        s.model.layers = 6;
        s.model.window = {256, 5};
        s.recipe.sequence_length = 8192;
        s.layout.virtual_stages = 1;
        s.layout.schedule = Schedule::one_f_one_b;
        s.layout.pipeline_parallel = 6;
        s.layout.devices = 6 * s.layout.tensor_parallel * s.layout.data_parallel;
        const std::vector<StageTime> stages = stage_times(Work(s));
        QCOMPARE(stages[2].forward / second, stages[1].forward / second);
        QVERIFY(stages[5].micro.attention > 5 * stages[4].micro.attention);
        QVERIFY(stages[5].forward > stages[4].forward);
    }
};

PLIMSOLL_TEST(LayersTest)
#include "tst_layers.moc"
