// The shipped models with experts: exact counts from their shapes, against the
// published labels, and the closed forms of the BigMac paper.
#include "registered_test.h"

#include "core/files/presets/preset_json.h"
#include "shipped.h"
#include "near.h"

#include <cmath>

using namespace plimsoll;

namespace {

const Model& model(const char* id) { return library().models.at(id); }

}  // namespace

class ExpertModelsTest : public QObject {
    Q_OBJECT

private slots:
    void counts_are_exact_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<double>("all");
        QTest::addColumn<double>("active");
        const auto row = [](const char* id, double all, double active) {
            QTest::newRow(id) << QString(id) << all << active;
        };
        row("mixtral-8x7b", 46702792704, 12879925248);
        row("mixtral-8x22b", 140630071296, 39161468928);
        row("deepseek-v2-lite", 15706484224, 2661150208);
        row("deepseek-v2", 235741434880, 21375800320);
        row("deepseek-v3", 671026419200, 37552297472);
        row("kimi-k2-1t", 1026408232448, 32861500928);
        row("dbrx-132b", 131596523520, 36469708800);
        row("qwen3-30b-a3b", 30532122624, 3353032704);
        row("qwen3-235b-a22b", 235093634560, 22190763520);
        row("gpt-oss-20b", 20914757184, 4187440704);
        row("gpt-oss-120b", 116829156672, 5711982912);
        row("llama4-scout", 107769861120, 17172894720);
        row("llama4-maverick", 400711848960, 17184691200);
        row("glm4.5-air", 106852251264, 13424129664);
        row("glm4.5", 352797829024, 33632266144);
    }
    void counts_are_exact() {
        QFETCH(QString, id);
        QFETCH(double, all);
        QFETCH(double, active);
        const Model& m = model(id.toUtf8().constData());
        QCOMPARE(parameters(m), all);
        QCOMPARE(active_parameters(m), active);
    }

    void dense_counts_are_the_published_ones_data() {
        QTest::addColumn<QString>("id");
        for (const char* id : {"gemma3-1b", "gemma3-4b", "gemma3-12b", "gemma3-27b", "apertus-8b", "apertus-70b",
                               "phi4-14b", "mistral-nemo-12b", "mistral-small-24b", "smollm3-3b", "nemotron4-15b"})
            QTest::newRow(id) << QString(id);
    }
    void dense_counts_are_the_published_ones() {
        QFETCH(QString, id);
        const Model& m = model(id.toUtf8().constData());
        QVERIFY(!has_experts(m) && off(parameters(m), m.published_parameters) < 0.002);
    }

    void labels_are_met() {
        int seen = 0;
        for (const auto& [id, m] : library().models) {
            if (!has_experts(m)) continue;
            ++seen;
            QVERIFY2(off(parameters(m), m.published_parameters) < 0.015, id.c_str());
        }
        QVERIFY(seen >= 13);
    }

    void the_active_share_is_the_published_one_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<double>("billions");
        const auto row = [](const char* id, double billions) { QTest::newRow(id) << QString(id) << billions; };
        // Labels, with or without the input embedding as their authors count.
        row("mixtral-8x7b", 12.9);
        row("mixtral-8x22b", 39);
        row("deepseek-v2", 21);
        row("deepseek-v3", 37);
        row("kimi-k2-1t", 32);
        row("dbrx-132b", 36);
        row("qwen3-30b-a3b", 3.3);
        row("qwen3-235b-a22b", 22);
        row("llama4-scout", 17);
        row("llama4-maverick", 17);
    }
    void the_active_share_is_the_published_one() {
        QFETCH(QString, id);
        QFETCH(double, billions);
        QVERIFY(off(active_parameters(model(id.toUtf8().constData())), billions * 1e9) < 0.03);
    }

    void gpt_oss_counts_leave_the_input_embedding_out() {
        for (const auto& [id, billions] : {std::pair{"gpt-oss-20b", 3.61}, {"gpt-oss-120b", 5.13}}) {
            const Model& m = model(id);
            QVERIFY2(off(active_parameters(m) - embedding_parameters(m, m.vocabulary), billions * 1e9) < 2e-3, id);
        }
    }

    // 38, 39
    void bigmac_closed_forms_hold() {
        const Model &fine = model("deepseekmoe-gpt-3.7b"), &big = model("bigmac-gpt-3.7b");
        QCOMPARE(parameters(fine), 3728906240.0);
        QCOMPARE(parameters(big) - parameters(fine), 50331648.0);
        QVERIFY(std::abs((parameters(big) / parameters(fine) - 1) * 100 - 1.35) < 0.005);
        const auto step = [](const Model& m) { return model_flop(m, 256, 2048, padded_vocabulary(m, 1)) / teraflop; };
        QCOMPARE(padded_vocabulary(fine, 1), 50304);
        QVERIFY(std::abs(step(fine) - 3490.67) < 0.005);
        QVERIFY(std::abs(step(big) - 3649.00) < 0.005);
        QVERIFY(std::abs((step(big) / step(fine) - 1) * 100 - 4.54) < 0.005);
    }

    void the_two_orders_differ_by_the_shared_projections_only() {
        Model m = model("deepseekmoe-gpt-3.7b");
        const double routed = expert_parameters(m);
        m.experts.order = ExpertOrder::dcca;
        QCOMPARE(expert_parameters(m), routed);
        QCOMPARE(parameters(m), parameters(model("bigmac-gpt-3.7b")));
        QCOMPARE(exchange_width(m), 512.0);
    }

    void dense_first_and_sparse_layers_are_counted() {
        Model m = model("deepseek-v3");
        const auto before = [&](int n) { return Layers(m).with_experts(Layers(m).before(n)); };
        QCOMPARE(before(61), 58);
        QCOMPARE(before(3), 0);
        QCOMPARE(before(5), 2);
        m.experts.every = 2;  // layers 4, 6, ..., 60
        QCOMPARE(before(5), 1);
        QCOMPARE(before(61), 29);
        for (int i = 0; i < m.layers; ++i)
            QCOMPARE(Layers(m)[Layers(m).of_layer(i)].feed == Feed::experts, i >= 3 && i % 2 == 0);
    }

    void a_mixture_survives_its_file() {
        for (const auto& [id, m] : not_empty(library().models)) {
            const auto again = read_model(write_model(m));
            QVERIFY2(again.has_value(), id.c_str());
            QCOMPARE(again->model.experts, m.experts);
            QCOMPARE(again->model.latent, m.latent);
        }
    }
};

PLIMSOLL_TEST(ExpertModelsTest)
#include "tst_expert_models.moc"
