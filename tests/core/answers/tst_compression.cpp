// Codecs of whole plans: named schemes, warnings, obstacles, and the published run.
#include "registered_test.h"

#include "core/answers/plan/compression.h"
#include "core/answers/explain/explain.h"
#include "core/answers/plan/rules.h"
#include "core/answers/campaign/headline.h"
#include "core/files/presets/scenario_json.h"
#include "core/files/text/disk.h"
#include "core/values/knobs/knobs.h"
#include "scenarios.h"
#include "shipped.h"

#include <cmath>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

Scenario with_scheme(Scenario s, Scheme scheme) {
    s.compression.scheme = scheme;
    return s;
}

Scenario with_codec(Traffic t, Codec codec) {
    Scenario s = gpt3_on_selene();
    entry(s.compression, t) = codec;
    return s;
}

double rate_of(const Scenario& s) { return headline(s, *estimate(s)).per_device / (teraflop / second); }
double gain(const Scenario& s, Scheme scheme) {
    return rate_of(with_scheme(s, scheme)) / rate_of(with_scheme(s, Scheme::custom)) - 1;
}

Scenario neox_on_lassen() {
    const auto text = read_text(library().scenarios.at("neox-20b-lassen-zhybrid"));
    return read_scenario(*text, library())->scenario;
}

// How fast the run's network was is not published: every link is scaled alike until the naive scheme gains what it did.
Scenario fitted_to_naive(Scenario s, double published) {
    double slow = 0.05, fast = 4;
    for (int i = 0; i < 60; ++i) {
        const double middle = std::sqrt(slow * fast);
        Scenario trial = s;
        for (Level& l : trial.machine.levels) l.efficiency *= middle;
        (gain(trial, Scheme::naive) > published ? slow : fast) = middle;
    }
    for (Level& l : s.machine.levels) l.efficiency *= slow;
    return s;
}

bool has(const Term& t, const std::string& label) {
    if (t.label == label) return true;
    return std::any_of(t.children.begin(), t.children.end(), [&](const Term& c) { return has(c, label); });
}

}  // namespace

class CompressionTest : public QObject {
    Q_OBJECT

private slots:
    void schemes_are_tables_data() {
        QTest::addColumn<int>("scheme");
        QTest::addColumn<int>("traffic");
        QTest::addColumn<int>("kind");
        QTest::addColumn<double>("ratio");
        const auto row = [](const char* name, Scheme s, Traffic t, CodecKind k, double ratio) {
            QTest::newRow(name) << int(s) << int(t) << int(k) << ratio;
        };
        row("naive shrinks gradients to a quarter", Scheme::naive, Traffic::gradients, CodecKind::zfp, 4);
        row("naive shrinks activations likewise", Scheme::naive, Traffic::tensor, CodecKind::zfp, 4);
        row("mzhybrid keeps every bit of activations", Scheme::mzhybrid, Traffic::tensor, CodecKind::lossless, 1.25);
        row("mzhybrid keeps every bit of weights", Scheme::mzhybrid, Traffic::weights, CodecKind::lossless, 1.25);
        row("mzhybrid shrinks gradients to a quarter", Scheme::mzhybrid, Traffic::gradients, CodecKind::zfp, 4);
        row("zhybrid halves activations between stages", Scheme::zhybrid, Traffic::pipeline, CodecKind::zfp, 2);
        row("zhybrid shrinks gradients to a quarter", Scheme::zhybrid, Traffic::gradients, CodecKind::zfp, 4);
    }
    void schemes_are_tables() {
        QFETCH(int, scheme);
        QFETCH(int, traffic);
        QFETCH(int, kind);
        QFETCH(double, ratio);
        const Traffic t{traffic};
        // Gradients of 2 and of 4 bytes.
        for (const StateFormat format : {StateFormat::fp32_moments, StateFormat::fp32_moments_fp32_sums}) {
            Scenario s = with_scheme(gpt3_on_selene(), Scheme(scheme));
            s.recipe.state_format = format;
            QCOMPARE(int(codec_of(s, t).kind), kind);
            QCOMPARE(compression_ratio(codec_of(s, t), value_bytes(s, t)), ratio);
        }
    }

    void turning_one_codec_starts_from_the_scheme() {
        const Scenario s = with_scheme(gpt3_on_selene(), Scheme::zhybrid);
        const Scenario own = *with(s, *find_knob("compression.gradients.rate"), 6);
        QCOMPARE(int(own.compression.scheme), int(Scheme::custom));
        QCOMPARE(codec_of(own, Traffic::gradients).rate, 6.0);
        QCOMPARE(int(codec_of(own, Traffic::tensor).kind), int(CodecKind::zfp));
        QCOMPARE(codec_of(own, Traffic::tensor).rate, codec_of(s, Traffic::tensor).rate);
    }

    // Amdahl: with free codecs and no latency only what is exposed on the wire shrinks.
    void without_codec_time_the_wire_alone_shrinks() {
        Scenario s = with_layout(gpt3_on_selene(), [](Layout& l) { l.pipeline_parallel = 1, l.data_parallel = 128; });
        for (Level& l : s.machine.levels) l.latency = Seconds{};
        s.machine.device.codecs.zfp = {1e12, 1e12};
        s.machine.device.efficiency.kernel_floor = Seconds{};
        const StepTime plain = estimate(s)->step, naive = estimate(with_scheme(s, Scheme::naive))->step;
        const double wire = (plain.tensor_parallel + plain.data_parallel) / plain.total();
        QVERIFY(wire > 0.05);
        QVERIFY(std::abs(naive.total() / plain.total() - (1 - wire * (1 - 1.0 / 4))) < 1e-6);
        // 40: where 24.49 % of the step can shrink, a ratio of 4 is a rate 22.5 % higher.
        for (Level& l : s.machine.levels) l.bandwidth *= wire / (1 - wire) * (1 - 0.2449) / 0.2449;
        QVERIFY(std::abs(estimate(s)->step.total() / estimate(with_scheme(s, Scheme::naive))->step.total() - 1.225)
                < 1e-4);
    }

    void warnings_data() {
        QTest::addColumn<Scenario>("plan");
        QTest::addColumn<bool>("risk");
        const Codec half{.kind = CodecKind::zfp, .rate = 8}, quarter{.kind = CodecKind::zfp, .rate = 4},
            few{.kind = CodecKind::top_k, .density = 0.01};
        const auto once = [](Scenario s) { return s.compression.encoding = Encoding::once, s; };
        QTest::newRow("half the bits of activations are safe") << with_codec(Traffic::tensor, half) << false;
        QTest::newRow("a quarter of them is not") << with_codec(Traffic::tensor, quarter) << true;
        QTest::newRow("a quarter of the gradients is") << with_codec(Traffic::gradients, quarter) << false;
        QTest::newRow("few activations are not") << with_codec(Traffic::pipeline, few) << true;
        QTest::newRow("few gradients with error feedback are") << once(with_codec(Traffic::gradients, few)) << false;
        Scenario forgets = once(with_codec(Traffic::gradients, few));
        forgets.compression.error_feedback = false;
        QTest::newRow("without it they are not") << forgets << true;
        Scenario stricter = with_codec(Traffic::tensor, half);
        stricter.compression.safe_ratio = 1.5;
        QTest::newRow("what is safe is the user's to say") << stricter << true;
        QTest::newRow("lossless is always safe")
            << with_codec(Traffic::tensor, {.kind = CodecKind::lossless, .ratio = 5}) << false;
    }
    void warnings() {
        QFETCH(Scenario, plan);
        QFETCH(bool, risk);
        QVERIFY(check(plan).empty());
        const auto uses = codec_uses(plan);
        QCOMPARE(int(uses.size()), 1);
        QCOMPARE(uses[0].loss_risk, risk);
        const auto said = codec_warnings(plan);
        QCOMPARE(std::any_of(said.begin(), said.end(),
                             [](const std::string& w) { return w.find("loss may suffer") != w.npos; }),
                 risk);
    }

    void a_codec_that_costs_more_than_it_saves_is_named() {
        Scenario s = with_codec(Traffic::tensor, {.kind = CodecKind::lossless, .ratio = 1.05});
        QVERIFY(!codec_uses(s)[0].pays());
        QCOMPARE(int(codec_warnings(s).size()), 1);
        QVERIFY(estimate(s)->step.total() > estimate(gpt3_on_selene())->step.total());
    }

    void traffic_the_layout_does_not_have_is_not_reported() {
        Scenario s = with_scheme(small_on_one_node(), Scheme::naive);  // ZeRO-1, no tensor or pipeline ranks
        QCOMPARE(int(codec_uses(s).size()), 2);
    }

    void obstacles_data() {
        QTest::addColumn<Scenario>("plan");
        QTest::addColumn<QString>("knob");
        QTest::newRow("more bits than a value has")
            << with_codec(Traffic::tensor, {.kind = CodecKind::zfp, .rate = 24}) << "compression.tensor.rate";
        QTest::newRow("nothing is sent") << with_codec(Traffic::weights, {.kind = CodecKind::top_k, .density = 0})
                                         << "compression.weights.density";
        QTest::newRow("sparse sums in a ring")
            << with_codec(Traffic::gradients, {.kind = CodecKind::top_k}) << "compression.encoding";
    }
    void obstacles() {
        QFETCH(Scenario, plan);
        QFETCH(QString, knob);
        const auto found = check(plan);
        QCOMPARE(int(found.size()), 1);
        QCOMPARE(QString::fromStdString(found[0].knob), knob);
        QVERIFY(!found[0].valid.empty());
        QVERIFY(check(*with(plan, *find_knob(found[0].knob), found[0].valid.back())).empty());
    }

    void error_feedback_keeps_a_copy_of_the_gradients() {
        Scenario s = with_codec(Traffic::gradients, {.kind = CodecKind::top_k});
        s.compression.encoding = Encoding::once;
        Scenario forgets = s;
        forgets.compression.error_feedback = false;
        const MemoryUse a = estimate(s)->stages[0], b = estimate(forgets)->stages[0];
        QCOMPARE((a.buffers - b.buffers) / byte, b.gradients / byte);
    }

    void explanations_open_to_the_codec() {
        const Scenario s = with_scheme(gpt3_on_selene(), Scheme::zhybrid);
        for (const char* id : {"step.tensor_parallel", "step.pipeline_transfer", "step.data_parallel"}) {
            QVERIFY2(has(*explain(s, id), "Codec"), id);
            QVERIFY2(!has(*explain(gpt3_on_selene(), id), "Codec"), id);
        }
    }

    // Xu et al. 2024 (arXiv 2409.02423), GPT-NeoX-20B on 192 V100: naive +22.5 % TFLOP/s and +23.6 % samples/s
    // as printed, hybrid +17.3 % and +12.7 %. Fitted to the first figure alone, the hybrid follows within four points.
    void hybrid_follows_from_the_naive_run() {
        const Scenario s = fitted_to_naive(neox_on_lassen(), 0.225);
        QVERIFY(runs(estimate(s)));
        const double naive = gain(s, Scheme::naive), hybrid = gain(s, Scheme::zhybrid);
        const StepTime plain = estimate(with_scheme(s, Scheme::custom))->step;
        qInfo(
            "naive %+.1f %% (printed +22.5 TFLOP/s, +23.6 samples/s), zhybrid %+.1f %% (printed +17.3, +12.7); "
            "tensor %.1f %%, stages %.1f %%, data %.1f %% of the step; links at %.2f of the preset",
            100 * naive, 100 * hybrid, 100 * (plain.tensor_parallel / plain.total()),
            100 * (plain.pipeline_transfer / plain.total()), 100 * (plain.data_parallel / plain.total()),
            s.machine.levels[0].efficiency / neox_on_lassen().machine.levels[0].efficiency);
        QVERIFY(std::abs(naive - 0.225) < 1e-6);
        QVERIFY2(std::abs(hybrid - 0.173) < 0.04, qPrintable(QString::number(hybrid)));
    }
};

PLIMSOLL_TEST(CompressionTest)
#include "tst_compression.moc"
