// The first weights of a run: the same bits whoever draws them, and no longer drawn than somebody wants.
#include "registered_test.h"

#include "engine/kernels/cpu.h"
#include "engine/model/random.h"
#include "engine/train/run.h"
#include "engine/train/trainer.h"

#include <QTest>

#include <atomic>

using namespace plimsoll::engine;

namespace {

Options small(int pipeline = 1) {
    Options o;
    o.model.layers = 3;
    o.model.width = 32;
    o.model.heads = 4;
    o.model.vocabulary = 101;
    o.model.sequence = 16;
    o.layout.pipeline = pipeline;
    o.layout.micro_batch = 1;
    return o;
}

// What a rank has of the model after drawing it from `from`, tensor after tensor, and whether drawing went to its end.
struct Drawn {
    std::vector<double> weights;
    bool whole = false;
};
Drawn drawn(const Options& o, int rank, const InitialWeights& from) {
    const Shape shape = shape_of(o.model);
    Grid grid = pretended_grid(rank, o.layout);
    const auto kernels = cpu_kernels<float>(1);
    PhaseClock clock;
    const MemoryPlan plan = predict_memory(o, rank);
    void* const memory = kernels->allocate(plan.total);
    kernels->zero(memory, plan.total);
    Drawn all;
    {
        Arena arena(memory, plan.total);
        Trainer<float, float> trainer(o, shape, grid, *kernels, clock, arena);
        all.whole = trainer.states().initialise(from);
        for (const Unit& u : trainer.states().units())
            for (const Parameter& p : u.parameters) {
                const auto unit = trainer.states().owned_weights(u);
                const auto first = unit.begin() + std::ptrdiff_t(p.offset);
                all.weights.insert(all.weights.end(), first, first + std::ptrdiff_t(p.count()));
            }
    }
    kernels->release(memory);
    return all;
}

void by_counter(const Parameter& p, int row, std::span<double> values) { initial_values(p, 7, row, values); }

}  // namespace

class TestEngineWeights : public QObject {
    Q_OBJECT

private slots:
    void the_bits_are_the_same_however_many_threads_draw_them_data() {
        QTest::addColumn<int>("threads");
        for (const int threads : {2, 3, 7, 64}) QTest::addRow("%d threads", threads) << threads;
    }
    void the_bits_are_the_same_however_many_threads_draw_them() {
        QFETCH(int, threads);
        const Drawn one = drawn(small(), 0, {by_counter}), many = drawn(small(), 0, {by_counter, threads});
        QVERIFY(one.whole);
        QVERIFY(many.whole);
        QVERIFY(one.weights.size() > 30000);
        QCOMPARE(many.weights, one.weights);
    }
    void every_element_is_the_number_of_its_place() {
        const Drawn all = drawn(small(), 0, {by_counter, 3});
        for (const int row : {0, 1, 50, 100})  // of the table of tokens, which is the first
            for (const int column : {0, 1, 31}) {
                const std::size_t at = std::size_t(row) * 32 + std::size_t(column);
                QCOMPARE(all.weights[at], double(float(0.02 * normal(7, stream_of("wte"), at))));
            }
    }

    // Ranks agree in the question, so a rank of few elements must ask as often as one of many.
    void every_rank_asks_equally_often_whether_to_go_on() {
        std::vector<int> asked;
        for (int rank = 0; rank < 3; ++rank) {
            int times = 0;
            const Drawn all = drawn(small(3), rank, {by_counter, 2, [&] { return ++times > 0; }});
            QVERIFY(all.whole);
            asked.push_back(times);
        }
        QVERIFY(asked[0] > 10);
        QCOMPARE(asked, (std::vector<int>{asked[0], asked[0], asked[0]}));
    }
    void who_does_not_want_to_go_on_draws_no_further() {
        std::atomic<long> rows = 0, all_rows = 0;
        int times = 0;
        const auto counted = [](std::atomic<long>& count) {
            return [&count](const Parameter& p, int row, std::span<double> values) {
                ++count;
                by_counter(p, row, values);
            };
        };
        QVERIFY(drawn(small(), 0, {counted(all_rows)}).whole);
        QVERIFY(!drawn(small(), 0, {counted(rows), 2, [&] { return ++times < 4; }}).whole);
        QCOMPARE(times, 4);
        QVERIFY2(rows < all_rows / 4, qPrintable(QString("%1 rows of %2").arg(rows).arg(all_rows)));
    }
};

PLIMSOLL_TEST(TestEngineWeights)
#include "tst_engine_weights.moc"
