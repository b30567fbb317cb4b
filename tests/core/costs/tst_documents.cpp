// Documents that attention keeps apart: how much of the scores they leave, how much that varies, and who waits.
#include "registered_test.h"

#include "core/answers/plan/estimate.h"
#include "core/answers/explain/explain.h"
#include "core/costs/kernels/layer.h"
#include "core/values/basics/normal.h"
#include "core/values/plan/documents.h"
#include "scenarios.h"

#include <cmath>
#include <random>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

// Documents drawn one after the other, and sequences cut from them: mean share of the scores, and its spread.
struct Drawn {
    double mean, variation;
};
Drawn draw(const Documents& d, int tokens, int window) {
    std::mt19937 random{7};
    const double variance = std::log1p(d.variation * d.variation);
    std::lognormal_distribution<double> lengths(std::log(d.length) - variance / 2, std::sqrt(variance));
    std::uniform_real_distribution<double> start(0, 1);
    const int sequences = 6000;
    const double full = 1.0 * tokens * tokens, w = window > 0 ? window : tokens;
    double sum = 0, squares = 0, left = d.variation > 0 ? lengths(random) * start(random) : 0;
    for (int i = 0; i < sequences; ++i) {
        if (d.variation <= 0) left = d.length * start(random);
        double at = 0, scores = 0;
        while (at < tokens) {
            const double piece = std::min(left, tokens - at);
            scores += piece <= w ? piece * piece : w * (2 * piece - w);
            at += piece;
            left -= piece;
            if (left <= 0) left = d.variation > 0 ? lengths(random) : d.length;
        }
        sum += scores / full;
        squares += scores / full * scores / full;
    }
    const double mean = sum / sequences;
    return {mean, std::sqrt(std::max(0.0, squares / sequences - mean * mean)) / mean};
}

Scenario packed(double length, double variation, Attention attention = Attention::flash) {
    Scenario s = gpt3_on_selene();
    s.stack.kernels.attention = attention;
    s.recipe.document_length = length;
    s.recipe.document_variation = variation;
    return s;
}

}  // namespace

class DocumentsTest : public QObject {
    Q_OBJECT

private slots:
    void scores_inside_documents_are_those_of_documents_drawn_data() {
        QTest::addColumn<double>("length");
        QTest::addColumn<double>("variation");
        QTest::addColumn<int>("window");
        QTest::newRow("short documents, all as long") << 100.0 << 0.0 << 0;
        QTest::newRow("short documents that differ") << 100.0 << 1.0 << 0;
        QTest::newRow("some longer than the sequence") << 2000.0 << 2.0 << 0;
        QTest::newRow("as long as the sequence") << 8192.0 << 0.0 << 0;
        QTest::newRow("as long as the sequence on average") << 8192.0 << 1.0 << 0;
        QTest::newRow("longer than the sequence") << 30000.0 << 0.5 << 0;
        QTest::newRow("a window shorter than documents") << 3000.0 << 1.0 << 512;
        QTest::newRow("a window longer than documents") << 300.0 << 1.0 << 4096;
        QTest::newRow("a window longer than the sequence") << 2000.0 << 1.0 << 9000;
    }
    void scores_inside_documents_are_those_of_documents_drawn() {
        QFETCH(double, length);
        QFETCH(double, variation);
        QFETCH(int, window);
        const Documents documents{length, variation};
        const Sequence sequence{8192, documents};
        const Drawn drawn = draw(documents, 8192, window);
        const double density = window_density(window, false, sequence);
        QVERIFY2(std::abs(density / drawn.mean - 1) < 0.03,
                 qPrintable(QString("%1 against %2 drawn").arg(density).arg(drawn.mean)));
        const double varies = density_variation(window, false, sequence);
        QVERIFY2(std::abs(varies - drawn.variation) < 0.05 + 0.25 * drawn.variation,
                 qPrintable(QString("spread %1 against %2 drawn").arg(varies).arg(drawn.variation)));
    }

    void short_documents_count_their_mean_square() {
        // L (1 + v^2) / s
        QVERIFY(std::abs(window_density(0, false, {1 << 20, {500, 1}}) / (500 * 2.0 / (1 << 20)) - 1) < 0.01);
    }
    void one_endless_document_is_the_whole_sequence() {
        QVERIFY(std::abs(window_density(0, false, {4096, {1e9, 1}}) - 1) < 1e-4);
        QVERIFY(std::abs(window_density(1024, false, {4096, {1e9, 1}}) - 0.4375) < 1e-4);
        QVERIFY(std::abs(window_density(1024, true, {4096, {1e9, 1}}) - 0.25) < 1e-4);
        QVERIFY(density_variation(0, false, {4096, {1e9, 1}}) < 0.02);
    }
    void without_documents_nothing_varies() {
        QCOMPARE(window_density(1024, false, {4096}), 0.4375);
        QCOMPARE(density_variation(1024, false, {4096}), 0.0);
    }

    void the_largest_of_many_numbers_is_that_of_numbers_drawn() {
        std::mt19937 random{3};
        std::normal_distribution<double> normal;
        for (const int n : {1, 2, 16, 256}) {
            double sum = 0;
            for (int i = 0; i < 4000; ++i) {
                double most = normal(random);
                for (int k = 1; k < n; ++k) most = std::max(most, normal(random));
                sum += most / 4000;
            }
            QVERIFY2(std::abs(largest_of(n) - sum) < 0.06, qPrintable(QString::number(sum)));
        }
    }

    void fused_kernels_leave_out_what_lies_between_documents() {
        const Outcome whole = estimate(packed(0, 0)), parts = estimate(packed(256, 0));
        QVERIFY(whole && parts);
        QVERIFY(parts->step.attention < 0.6 * whole->step.attention);
        QCOMPARE(parts->step.gemm / second, whole->step.gemm / second);
        QVERIFY(parts->model_flop < whole->model_flop && parts->hardware_flop < whole->hardware_flop);
    }
    void materialised_scores_are_masked_all_the_same() {
        const Outcome whole = estimate(packed(0, 0, Attention::materialised)),
                      parts = estimate(packed(256, 1, Attention::materialised));
        QVERIFY(whole && parts);
        QVERIFY(parts->step.attention == whole->step.attention);
        QVERIFY(parts->model_flop < whole->model_flop);
    }

    void ranks_wait_for_the_longest_documents() {
        const Scenario alike = packed(500, 0), differ = packed(500, 2);
        const SlowestRank none = slowest_rank(alike, dense_layer), some = slowest_rank(differ, dense_layer);
        QVERIFY(none.more() < 0.05 * some.more());
        QCOMPARE(some.ranks, double(differ.layout.weight_replicas()));
        QCOMPARE(some.sequences, double(differ.layout.micro_batch * micro_batches(differ)));
        QCOMPARE(some.more(), some.variation * largest_of(some.ranks) / std::sqrt(some.sequences));
        Scenario alone = differ;
        alone.layout.devices /= alone.layout.data_parallel;
        alone.layout.data_parallel = 1;
        QCOMPARE(slowest_rank(alone, dense_layer).more(), 0.0);
    }
    void ranks_that_gather_weights_meet_in_every_layer() {
        Scenario s = packed(500, 2);
        s.layout.zero_stage = 3;
        QCOMPARE(slowest_rank(s, dense_layer).sequences, double(s.layout.micro_batch));
    }

    void waiting_is_explained() {
        const Scenario s = packed(500, 2);
        const auto term = explain(s, "step.attention");
        QVERIFY(term);
        QVERIFY(std::abs(evaluate(*term) / (estimate(s)->step.attention / second) - 1) < 1e-9);
    }
};

PLIMSOLL_TEST(DocumentsTest)
#include "tst_documents.moc"
