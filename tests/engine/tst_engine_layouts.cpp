// Every layout trains the same model. In fp64 the runs below agree with one rank to 1e-12 in every gradient of the
// first step, in its norm and in the losses of twenty steps; rounding alone is a thousand times smaller. Then the
// same with bugs put in on purpose, which must not go unseen, and the same in fp32.
#include "registered_test.h"

#include "layout_runs.h"

using namespace plimsoll;

namespace {

// Sixteen sequences a step whatever the layout: data ranks x micro-batch x accumulate.
struct Situation {
    const char* name;
    const char* options;
};

constexpr Situation gpt2_matrix[] = {
    {"one rank", "--micro-batch 16"},
    {"one rank, four micro-batches", "--micro-batch 4 --accumulate 4"},
    {"one rank, selective recomputation", "--micro-batch 16 --recompute selective"},
    {"one rank, full recomputation, four micro-batches", "--micro-batch 4 --accumulate 4 --recompute full"},
    {"dp2", "--dp 2 --micro-batch 8"},
    {"dp2, reductions overlap the backward pass", "--dp 2 --micro-batch 2 --accumulate 4 --overlap"},
    {"dp2, ZeRO-1, reductions overlap", "--dp 2 --micro-batch 2 --accumulate 4 --zero 1 --overlap"},
    {"dp2, ZeRO-1, four micro-batches, selective",
     "--dp 2 --micro-batch 2 --accumulate 4 --zero 1 --recompute selective"},
    {"dp2, ZeRO-2", "--dp 2 --micro-batch 8 --zero 2"},
    {"dp2, ZeRO-2, four micro-batches, full", "--dp 2 --micro-batch 2 --accumulate 4 --zero 2 --recompute full"},
    {"dp2, ZeRO-3, selective", "--dp 2 --micro-batch 8 --zero 3 --recompute selective"},
    {"dp2, ZeRO-3, four micro-batches", "--dp 2 --micro-batch 2 --accumulate 4 --zero 3"},
    {"dp4, four micro-batches", "--dp 4 --micro-batch 1 --accumulate 4"},
    {"dp4, ZeRO-1, full", "--dp 4 --micro-batch 4 --zero 1 --recompute full"},
    {"dp4, ZeRO-2, selective, four micro-batches",
     "--dp 4 --micro-batch 1 --accumulate 4 --zero 2 --recompute selective"},
    {"dp4, ZeRO-3, full", "--dp 4 --micro-batch 4 --zero 3 --recompute full"},
    {"dp8, ZeRO-3, two micro-batches", "--dp 8 --micro-batch 1 --accumulate 2 --zero 3"},
    {"tp2", "--tp 2 --micro-batch 16"},
    {"tp2, full, four micro-batches", "--tp 2 --micro-batch 4 --accumulate 4 --recompute full"},
    {"tp4, selective", "--tp 4 --micro-batch 16 --recompute selective"},
    {"tp2 with sequence parallelism", "--tp 2 --sp --micro-batch 16"},
    {"tp2 with sequence parallelism, selective, four micro-batches",
     "--tp 2 --sp --micro-batch 4 --accumulate 4 --recompute selective"},
    {"tp4 with sequence parallelism, full", "--tp 4 --sp --micro-batch 16 --recompute full"},
    {"pp2, four micro-batches", "--pp 2 --micro-batch 4 --accumulate 4"},
    {"pp2, one micro-batch, full", "--pp 2 --micro-batch 16 --recompute full"},
    {"pp2 interleaved in two chunks", "--pp 2 --chunks 2 --micro-batch 4 --accumulate 4"},
    {"pp2 interleaved, as many micro-batches as stages",
     "--pp 2 --chunks 2 --micro-batch 8 --accumulate 2 --recompute selective"},
    {"pp4, four micro-batches, selective", "--pp 4 --micro-batch 4 --accumulate 4 --recompute selective"},
    {"pp4, one micro-batch", "--pp 4 --micro-batch 16"},
    {"pp3, uneven stages", "--pp 3 --micro-batch 4 --accumulate 4"},
    {"dp2.tp2, ZeRO-1, four micro-batches", "--dp 2 --tp 2 --micro-batch 2 --accumulate 4 --zero 1"},
    {"dp2.tp2 with sequence parallelism, ZeRO-2, full", "--dp 2 --tp 2 --sp --micro-batch 8 --zero 2 --recompute full"},
    {"dp2.tp4 with sequence parallelism, ZeRO-3", "--dp 2 --tp 4 --sp --micro-batch 2 --accumulate 4 --zero 3"},
    {"dp2.pp2, four micro-batches, full", "--dp 2 --pp 2 --micro-batch 2 --accumulate 4 --recompute full"},
    {"dp2.pp2, ZeRO-2, selective", "--dp 2 --pp 2 --micro-batch 8 --zero 2 --recompute selective"},
    {"dp2.pp4, ZeRO-3, four micro-batches", "--dp 2 --pp 4 --micro-batch 2 --accumulate 4 --zero 3"},
    {"tp2.pp2, four micro-batches", "--tp 2 --pp 2 --micro-batch 4 --accumulate 4"},
    {"tp2.pp4 with sequence parallelism, full", "--tp 2 --pp 4 --sp --micro-batch 4 --accumulate 4 --recompute full"},
    {"dp2.tp2.pp2", "--dp 2 --tp 2 --pp 2 --micro-batch 2 --accumulate 4"},
    {"dp2.tp2.pp2, ZeRO-1, selective, one micro-batch",
     "--dp 2 --tp 2 --pp 2 --micro-batch 8 --zero 1 --recompute selective"},
    {"dp2.tp2.pp2 with sequence parallelism, interleaved, ZeRO-3, full",
     "--dp 2 --tp 2 --pp 2 --sp --chunks 2 --micro-batch 2 --accumulate 4 --zero 3 --recompute full"},
};

constexpr Situation llama_matrix[] = {
    {"llama on one rank", "--micro-batch 16"},
    {"llama, dp2, ZeRO-3, full", "--dp 2 --micro-batch 2 --accumulate 4 --zero 3 --recompute full"},
    {"llama, dp4, ZeRO-2, selective", "--dp 4 --micro-batch 4 --zero 2 --recompute selective"},
    {"llama, tp2 with two key-value heads", "--tp 2 --micro-batch 16"},
    {"llama, tp2 with sequence parallelism, full", "--tp 2 --sp --micro-batch 4 --accumulate 4 --recompute full"},
    {"llama, pp4", "--pp 4 --micro-batch 4 --accumulate 4"},
    {"llama, dp2.pp2 interleaved", "--dp 2 --pp 2 --chunks 2 --micro-batch 2 --accumulate 4"},
    {"llama, dp2.tp2.pp2 with sequence parallelism, ZeRO-1, selective",
     "--dp 2 --tp 2 --pp 2 --sp --micro-batch 2 --accumulate 4 --zero 1 --recompute selective"},
};

constexpr Situation fp32_matrix[] = {
    {"one rank", "--micro-batch 16"},
    {"dp2", "--dp 2 --micro-batch 8"},
    {"dp4", "--dp 4 --micro-batch 1 --accumulate 4"},
    {"tp2", "--tp 2 --micro-batch 16"},
    {"tp2 with sequence parallelism", "--tp 2 --sp --micro-batch 16"},
    {"pp2", "--pp 2 --micro-batch 4 --accumulate 4"},
    {"pp4", "--pp 4 --micro-batch 4 --accumulate 4"},
    {"dp2.tp2", "--dp 2 --tp 2 --micro-batch 8"},
    {"dp2.pp2", "--dp 2 --pp 2 --micro-batch 2 --accumulate 4"},
    {"tp2.pp2", "--tp 2 --pp 2 --micro-batch 4 --accumulate 4"},
    {"dp2.tp2.pp2, ZeRO-3", "--dp 2 --tp 2 --pp 2 --micro-batch 2 --accumulate 4 --zero 3"},
};

// Which of the layouts above a bug shows in.
struct Bug {
    const char* name;
    const char* seeded;
    const char* options;
};
constexpr Bug bugs[] = {
    {"a norm's gradient is not added up over sequence shards", "norm-not-reduced", "--tp 2 --sp --micro-batch 16"},
    {"gradients are summed over data ranks, not averaged", "sum-for-mean", "--dp 2 --micro-batch 8"},
    {"a row-parallel bias is added on every tensor rank", "bias-twice", "--tp 2 --micro-batch 16"},
    {"a query sees the key after it", "wrong-mask", "--micro-batch 16"},
    {"a ZeRO shard is not gathered again", "stale-shard", "--dp 2 --micro-batch 8 --zero 1"},
    {"the tied head's gradient is not added up over the pipeline", "tied-head-not-reduced",
     "--pp 2 --micro-batch 4 --accumulate 4"},
    {"the loss is not divided by the number of micro-batches", "micro-batch-scale", "--micro-batch 4 --accumulate 4"},
    {"the last micro-batch is dropped", "last-micro-batch", "--micro-batch 4 --accumulate 4"},
};

QStringList small_model(const char* flavour, const char* precision) {
    QStringList options{"--model", flavour, "--layers", "4", "--width", "32", "--heads", "4", "--vocabulary", "50",
                        "--sequence", "16", "--steps", "20", "--clip", "1", "--rate", "1e-3", "--precision", precision};
    if (QString(flavour) == "llama") options << "--kv-heads" << "2" << "--ffn" << "48";
    return options;
}
template <std::size_t n> std::vector<LayoutRun> runs_of(const Situation (&rows)[n]) {
    std::vector<LayoutRun> runs;
    for (const Situation& s : rows) runs.push_back({s.name, s.options});
    return runs;
}

}  // namespace

class TestEngineLayouts : public QObject {
    Q_OBJECT
    Runs gpt2_, llama_, single_, again_, mutants_;

private slots:
    void initTestCase() {
        gpt2_ = run_all(PLIMSOLL_ENGINE_PROGRAM, small_model("gpt2", "fp64"), runs_of(gpt2_matrix));
        QVERIFY2(gpt2_.problem.isEmpty(), qPrintable(gpt2_.problem));
        llama_ = run_all(PLIMSOLL_ENGINE_PROGRAM, small_model("llama", "fp64"), runs_of(llama_matrix));
        QVERIFY2(llama_.problem.isEmpty(), qPrintable(llama_.problem));
    }

    void trains_the_same_model_data() { rows(); }
    void trains_the_same_model() {
        QFETCH(QString, name);
        const bool llama = name.startsWith("llama");
        const Runs& runs = llama ? llama_ : gpt2_;
        const QString found =
            departures(runs.of(name), runs.of(llama ? "llama on one rank" : "one rank"), 1e-12, 1e-12);
        QVERIFY2(found.isEmpty(), qPrintable(found));
    }

    // A dry run of the step tells what it will take, to the byte.
    void takes_the_memory_that_was_predicted_data() { rows(); }
    void takes_the_memory_that_was_predicted() {
        QFETCH(QString, name);
        const LayoutResult& r = (name.startsWith("llama") ? llama_ : gpt2_).of(name);
        QVERIFY(r.predicted > 0);
        QCOMPARE(r.measured, r.predicted);
    }

    void it_is_training() {
        const auto& losses = gpt2_.of("one rank").dump.losses;
        QCOMPARE(losses.size(), std::size_t(20));
        QVERIFY2(losses.back() < losses.front() - 0.2,
                 qPrintable(QString("%1 to %2").arg(losses.front()).arg(losses.back())));
    }

    // Sharding must save what it says: of 16 bytes a parameter ZeRO-3 on four ranks keeps a quarter.
    void sharded_states_take_less() {
        const double whole = gpt2_.of("dp4, four micro-batches").measured;
        QVERIFY(gpt2_.of("dp4, ZeRO-2, selective, four micro-batches").measured < whole);
        QVERIFY(gpt2_.of("dp4, ZeRO-3, full").measured < gpt2_.of("dp4, ZeRO-1, full").measured);
    }

    void a_seeded_bug_is_seen_data() {
        QTest::addColumn<QString>("seeded");
        for (const Bug& bug : bugs) QTest::newRow(bug.name) << QString(bug.seeded);
    }
    void a_seeded_bug_is_seen() {
        QFETCH(QString, seeded);
        if (QByteArray(PLIMSOLL_ENGINE_MUTANT).isEmpty()) QSKIP("the engine with seeded bugs is not built here");
        if (mutants_.results.empty()) {
            std::vector<LayoutRun> runs{{"none", "--micro-batch 16"}};
            for (const Bug& bug : bugs) runs.push_back({bug.seeded, QString(bug.options) + " --mutate " + bug.seeded});
            mutants_ = run_all(PLIMSOLL_ENGINE_MUTANT, small_model("gpt2", "fp64"), runs);
        }
        QVERIFY2(mutants_.problem.isEmpty(), qPrintable(mutants_.problem));
        const QString unchanged = departures(mutants_.of("none"), gpt2_.of("one rank"), 1e-12, 1e-12);
        QVERIFY2(unchanged.isEmpty(), qPrintable("without a bug: " + unchanged));
        QVERIFY2(!departures(mutants_.of(seeded), gpt2_.of("one rank"), 1e-12, 1e-12).isEmpty(),
                 "the matrix does not see it");
    }

    // fp32 rounds, so its bounds are those of rounding: no more than an order above what was seen.
    void single_precision_follows_data() {
        QTest::addColumn<QString>("name");
        for (const Situation& s : fp32_matrix) QTest::newRow(s.name) << QString(s.name);
    }
    void single_precision_follows() {
        QFETCH(QString, name);
        if (single_.results.empty())
            single_ = run_all(PLIMSOLL_ENGINE_PROGRAM, small_model("gpt2", "fp32"), runs_of(fp32_matrix));
        QVERIFY2(single_.problem.isEmpty(), qPrintable(single_.problem));
        const QString found = departures(single_.of(name), single_.of("one rank"), 1e-5, 2e-5);
        QVERIFY2(found.isEmpty(), qPrintable(found));
    }

    // Weights that are gathered ahead, into rooms that others left, are the very weights that ZeRO-2 keeps.
    void weights_gathered_ahead_train_bit_for_bit_as_weights_kept_data() {
        QTest::addColumn<QString>("layout");
        QTest::newRow("one micro-batch") << "--dp 2 --micro-batch 8";
        QTest::newRow("micro-batches, full recomputation")
            << "--dp 2 --micro-batch 2 --accumulate 4 --recompute full";
        QTest::newRow("stages") << "--dp 2 --pp 2 --micro-batch 2 --accumulate 4";
        QTest::newRow("stages, interleaved") << "--dp 2 --pp 2 --chunks 2 --micro-batch 2 --accumulate 4";
    }
    void weights_gathered_ahead_train_bit_for_bit_as_weights_kept() {
        QFETCH(QString, layout);
        const Runs runs = run_all(PLIMSOLL_ENGINE_PROGRAM, small_model("gpt2", "fp32"),
                                  {{"kept", layout + " --zero 2"}, {"gathered", layout + " --zero 3"}}, 4);
        QVERIFY2(runs.problem.isEmpty(), qPrintable(runs.problem));
        QCOMPARE(runs.of("gathered").dump.losses, runs.of("kept").dump.losses);
        QVERIFY(runs.of("gathered").bytes == runs.of("kept").bytes);
    }

    void the_same_run_gives_the_same_bits() {
        const std::vector<LayoutRun> runs{{"one rank", "--micro-batch 16"},
                                          {"dp2.tp2.pp2", "--dp 2 --tp 2 --pp 2 --micro-batch 2 --accumulate 4"},
                                          {"dp4, ZeRO-3, full", "--dp 4 --micro-batch 4 --zero 3 --recompute full"}};
        const Runs again = run_all(PLIMSOLL_ENGINE_PROGRAM, small_model("gpt2", "fp64"), runs);
        QVERIFY2(again.problem.isEmpty(), qPrintable(again.problem));
        for (const LayoutRun& run : runs)
            QVERIFY2(again.of(run.name).bytes == gpt2_.of(run.name).bytes, qPrintable(run.name));
    }

private:
    static void rows() {
        QTest::addColumn<QString>("name");
        for (const Situation& s : gpt2_matrix) QTest::newRow(s.name) << QString(s.name);
        for (const Situation& s : llama_matrix) QTest::newRow(s.name) << QString(s.name);
    }
};

PLIMSOLL_TEST(TestEngineLayouts)
#include "tst_engine_layouts.moc"
