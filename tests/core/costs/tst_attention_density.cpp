// Sparse attention: what is not computed costs neither FLOP, time nor memory.
#include "registered_test.h"

#include "core/answers/plan/estimate.h"
#include "core/costs/kernels/layer.h"
#include "core/costs/memory/memory.h"
#include "scenarios.h"

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

Scenario sparse(double density, double layers, Attention attention = Attention::flash) {
    Scenario s = gpt3_on_selene();
    s.stack.kernels.attention = attention;
    s.model.attention_density = density;
    s.model.sparse_layers = layers;
    return s;
}

}  // namespace

class AttentionDensityTest : public QObject {
    Q_OBJECT

private slots:
    void the_mean_over_layers_counts_data() {
        QTest::addColumn<double>("density");
        QTest::addColumn<double>("layers");
        QTest::addColumn<double>("mean");
        QTest::newRow("a dense model") << 1.0 << 1.0 << 1.0;
        QTest::newRow("sparse throughout") << 0.25 << 1.0 << 0.25;
        QTest::newRow("dense and sparse alternate") << 0.25 << 0.5 << 0.625;
        QTest::newRow("no layer is sparse") << 0.25 << 0.0 << 1.0;
    }
    void the_mean_over_layers_counts() {
        QFETCH(double, density);
        QFETCH(double, layers);
        QFETCH(double, mean);
        const Scenario dense = sparse(1, 1), s = sparse(density, layers);
        QCOMPARE(score_density(s.model, dense_layer, s.recipe.sequence_length), mean);
        QCOMPARE(attention_core_flop(s.model, 8, 2048) / flop, mean * attention_core_flop(dense.model, 8, 2048) / flop);
        QCOMPARE(attention_forward(s, dense_layer, rates_of(s)).compute / second,
                 mean * attention_forward(dense, dense_layer, rates_of(dense)).compute / second);
    }

    void a_materialised_score_matrix_holds_what_is_computed() {
        const Scenario dense = sparse(1, 1, Attention::materialised), s = sparse(0.25, 0.5, Attention::materialised);
        const LayerActivations sparse = layer_activations(s, dense_layer), all = layer_activations(dense, dense_layer);
        QCOMPARE(sparse.scores / byte, 0.625 * all.scores / byte);
        QCOMPARE(attention_forward(s, dense_layer, rates_of(s)).memory / second,
                 0.625 * attention_forward(dense, dense_layer, rates_of(dense)).memory / second);
        QCOMPARE(sparse.sharded / byte, all.sharded / byte);
    }

    // Every operation on the scores for itself: 24 bytes an element forward in place of 4, 28 backward in place of 6.
    void a_softmax_spelled_out_moves_more() {
        Scenario fused = sparse(1, 1, Attention::materialised);
        fused.model.dropout = false;
        Scenario apart = fused;
        apart.stack.kernels.fuses_softmax = false;
        const Rates r = rates_of(fused);
        QVERIFY(off(attention_forward(apart, dense_layer, r).memory / second,
                    24.0 / 4 * (attention_forward(fused, dense_layer, r).memory / second)) < 1e-12);
        QVERIFY(off(attention_backward(apart, dense_layer, r).memory / second,
                    28.0 / 6 * (attention_backward(fused, dense_layer, r).memory / second)) < 1e-12);
    }

    // A window of w tokens leaves w s - w^2 / 2 of the s^2 / 2 causal scores; chunks leave a triangle each.
    void a_window_weighs_less_the_longer_the_sequence_data() {
        QTest::addColumn<int>("sequence");
        QTest::addColumn<int>("window");
        QTest::addColumn<bool>("chunks");
        QTest::addColumn<double>("density");
        QTest::newRow("a sequence inside the window") << 2048 << 4096 << false << 1.0;
        QTest::newRow("as long as the window") << 4096 << 4096 << false << 1.0;
        QTest::newRow("twice as long") << 8192 << 4096 << false << 0.75;
        QTest::newRow("four times as long") << 4096 << 1024 << false << 0.4375;
        QTest::newRow("no window") << 4096 << 0 << false << 1.0;
        QTest::newRow("two chunks") << 16384 << 8192 << true << 0.5;
        QTest::newRow("a chunk and a half") << 12288 << 8192 << true << 5.0 / 9;
    }
    void a_window_weighs_less_the_longer_the_sequence() {
        QFETCH(int, sequence);
        QFETCH(int, window);
        QFETCH(bool, chunks);
        QFETCH(double, density);
        Scenario s = gpt3_on_selene(), full = s;
        s.recipe.sequence_length = full.recipe.sequence_length = sequence;
        s.stack.kernels.attention = full.stack.kernels.attention = Attention::flash;
        s.model.window = {window, s.model.layers, chunks};
        const LayerKind windowed{.window = window, .chunks = chunks};
        QCOMPARE(score_density(s.model, windowed, sequence), density);
        QCOMPARE(score_density(s.model, dense_layer, sequence), 1.0);
        QCOMPARE(leaves_out_scores(s.model, sequence), density < 1);
        QCOMPARE(attention_forward(s, windowed, rates_of(s)).compute / second,
                 density * attention_forward(full, dense_layer, rates_of(full)).compute / second);
        QVERIFY(attention_forward(s, dense_layer, rates_of(s)).compute
                == attention_forward(full, dense_layer, rates_of(full)).compute);
        s.model.window.layers = s.model.layers / 2;
        QCOMPARE(attention_core_flop(s.model, 8, sequence) / flop,
                 (window > 0 ? (1 + density) / 2 : 1) * attention_core_flop(full.model, 8, sequence) / flop);
    }

    void materialised_scores_are_masked_not_left_out() {
        Scenario s = sparse(1, 1, Attention::materialised);
        const Scenario full = s;
        s.model.window = {128, s.model.layers};
        const LayerKind windowed{.window = 128};
        QVERIFY(attention_forward(s, windowed, rates_of(s)).compute
                == attention_forward(full, dense_layer, rates_of(full)).compute);
        QVERIFY(layer_activations(s, windowed).scores == layer_activations(full, dense_layer).scores);
    }

    void only_attention_gets_faster() {
        const Outcome dense = estimate(sparse(1, 1)), s = estimate(sparse(0.25, 0.5));
        QVERIFY(dense && s);
        QVERIFY(s->step.attention < dense->step.attention);
        QCOMPARE(s->step.gemm / second, dense->step.gemm / second);
        QCOMPARE(s->step.elementwise / second, dense->step.elementwise / second);
        QVERIFY(s->model_flop < dense->model_flop);
        QCOMPARE(s->parameters, dense->parameters);
    }

    // V = 100,000 is a tenth of a 1.3B model: a head that a smaller vocabulary hides.
    void a_large_vocabulary_is_seen_in_parameters_and_at_the_end() {
        Scenario s = small_on_one_node();
        s.model.tied_embeddings = true;
        Scenario large = s;
        large.model.vocabulary = 100000;
        QCOMPARE(parameters(large.model) - parameters(s.model), (100000.0 - 32000) * s.model.hidden);
        const Outcome a = estimate(s), b = estimate(large);
        QVERIFY(b->step.ends > 2.5 * a->step.ends && b->worst().logits > 3 * a->worst().logits);
    }
};

PLIMSOLL_TEST(AttentionDensityTest)
#include "tst_attention_density.moc"
