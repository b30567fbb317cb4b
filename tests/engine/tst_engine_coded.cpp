// Groups whose messages are encoded: what all ranks get, what is left alone, what feedback makes up for, and that
// parameters which tensor ranks share stay shared.
#include "registered_test.h"

#include "engine/comm/coded.h"
#include "engine/comm/comm.h"
#include "engine/kernels/cpu.h"
#include "engine/train/run.h"
#include "engine/train/trainer.h"
#include "thread_ranks.h"

#include <QTest>

#include <cmath>

using namespace plimsoll::engine;

namespace {

MessageCodec codec_named(const QString& name) { return codecs_of("data=" + name.toStdString())->data; }

// The same for everybody who asks: between -1 and 1.
double number(int rank, int step, std::size_t i) {
    const double x = std::sin(double(i) * 12.9898 + rank * 78.233 + step * 37.719) * 43758.5453;
    return 2 * (x - std::floor(x)) - 1;
}
template <class T> std::vector<T> numbers(int rank, int step, std::size_t n) {
    std::vector<T> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = T(number(rank, step, i));
    return x;
}
std::vector<double> sums(int ranks, int step, std::size_t n) {
    std::vector<double> sum(n);
    for (int r = 0; r < ranks; ++r)
        for (std::size_t i = 0; i < n; ++i) sum[i] += number(r, step, i);
    return sum;
}
template <class T> double apart(const std::vector<T>& a, const std::vector<double>& b) {
    double most = a.size() == b.size() ? 0 : 1e300;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) most = std::max(most, std::abs(double(a[i]) - b[i]));
    return most;
}
double length(const std::vector<double>& x) {
    double sum = 0;
    for (const double v : x) sum += v * v;
    return std::sqrt(sum);
}

// What ranks have after f(group, rank), which returns it.
template <class T, class F> std::vector<std::vector<T>> each(int ranks, const MessageCodec& codec, bool feedback, F f) {
    std::vector<std::vector<T>> results(std::size_t(ranks), std::vector<T>{});
    on_ranks(ranks, [&](std::unique_ptr<ThreadComm> comm) {
        const int rank = comm->rank();
        CodedComm group(std::move(comm), codec, feedback);
        results[std::size_t(rank)] = f(group, rank);
    });
    return results;
}

// Sum over steps of what an all-reduce with feedback gave, less what went in.
struct Balance {
    std::vector<double> left;
    void add(const std::vector<double>& got, const std::vector<double>& given) {
        if (left.empty()) left.resize(got.size());
        for (std::size_t i = 0; i < got.size(); ++i) left[i] += got[i] - given[i];
    }
};

}  // namespace

class TestEngineCoded : public QObject {
    Q_OBJECT

private slots:
    void all_reduce_data() {
        QTest::addColumn<QString>("codec");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("count");
        QTest::newRow("fp8, two ranks") << "fp8" << 2 << 5000;
        QTest::newRow("fp8, three ranks and a short last part") << "fp8" << 3 << 1000;
        QTest::newRow("fp8, five ranks, parts of a block and a bit") << "fp8" << 5 << 651;
        QTest::newRow("fixed:8, two ranks, odd count") << "fixed:8" << 2 << 777;
        QTest::newRow("fixed:5, three ranks, parts end inside a byte") << "fixed:5" << 3 << 1003;
        QTest::newRow("topk, a third of the values") << "topk:0.3" << 3 << 1000;
    }

    // Values are at most 1. Each of P contributions is off by at most e, and their sum, at most P (1 + e), by e of
    // that.
    void all_reduce() {
        QFETCH(QString, codec);
        QFETCH(int, ranks);
        QFETCH(int, count);
        const MessageCodec c = codec_named(codec);
        const double e = c.kind == MessageCodec::Kind::fp8   ? 0x1p-4
                       : c.kind == MessageCodec::Kind::fixed ? 1 / (std::ldexp(1, c.bits) - 2)
                                                      : 1;
        const double bound = ranks * e * (2 + e) + 1e-5;
        const auto n = std::size_t(count);
        const auto sum_of = [&]<class T>(T) {
            return each<T>(ranks, c, false, [&](Comm& group, int rank) {
                auto x = numbers<T>(rank, 0, n);
                group.all_reduce(x.data(), n, type_of<T>);
                return x;
            });
        };
        const auto floats = sum_of(float()), again = sum_of(float());
        const auto doubles = sum_of(double());
        for (int r = 0; r < ranks; ++r) {  // identical bits: no value here is a negative zero or not a number
            QCOMPARE(floats[std::size_t(r)], floats[0]);
            QCOMPARE(again[std::size_t(r)], floats[0]);
            QCOMPARE(doubles[std::size_t(r)], doubles[0]);
        }
        QVERIFY(apart(floats[0], sums(ranks, 0, n)) <= bound);
        QVERIFY(apart(doubles[0], sums(ranks, 0, n)) <= bound);
        QVERIFY(apart(doubles[0], sums(ranks, 0, n)) > 0);  // it did go through the codec
    }

    void reduce_scatter_and_gather_are_the_halves_of_it() {
        constexpr std::size_t n = 400;
        const auto whole = each<float>(3, codec_named("fixed:8"), false, [&](Comm& group, int rank) {
            auto x = numbers<float>(rank, 0, 3 * n);
            group.all_reduce(x.data(), 3 * n, Type::f32);
            return x;
        });
        const auto halves = each<float>(3, codec_named("fixed:8"), false, [&](Comm& group, int rank) {
            const auto x = numbers<float>(rank, 0, 3 * n);
            std::vector<float> part(n), all(3 * n);
            group.reduce_scatter(x.data(), part.data(), n, Type::f32);
            group.all_gather(part.data(), all.data(), n, Type::f32);
            return all;
        });
        for (std::size_t r = 0; r < 3; ++r) QCOMPARE(halves[r], whole[0]);
    }

    void a_part_gathered_in_place_stays_whole_where_it_is() {
        constexpr std::size_t n = 400;
        const auto gathered = each<float>(2, codec_named("fp8"), false, [&](Comm& group, int rank) {
            std::vector<float> all(2 * n, -9);
            const auto own = numbers<float>(rank, 0, n);
            std::copy(own.begin(), own.end(), all.begin() + rank * int(n));
            group.all_gather(all.data() + std::size_t(rank) * n, all.data(), n, Type::f32);
            return all;
        });
        for (int r = 0; r < 2; ++r) {
            const auto own = numbers<float>(r, 0, n);
            const auto there = gathered[std::size_t(r)].begin() + r * int(n),
                       elsewhere = gathered[std::size_t(1 - r)].begin() + r * int(n);
            QVERIFY(std::equal(own.begin(), own.end(), there));
            QVERIFY(!std::equal(own.begin(), own.end(), elsewhere));
            for (std::size_t i = 0; i < n; ++i) QVERIFY(std::abs(elsewhere[int(i)] - own[i]) <= 0x1p-4);
        }
    }

    void what_is_left_alone_data() {
        QTest::addColumn<int>("verb");
        QTest::newRow("a maximum") << 0;
        QTest::newRow("an exact sum") << 1;
        QTest::newRow("a sum below 1 KiB") << 2;
        QTest::newRow("a broadcast") << 3;
        QTest::newRow("a gather under topk") << 4;
        QTest::newRow("a small message sent") << 5;
    }
    void what_is_left_alone() {
        QFETCH(int, verb);
        const auto run = [&](const QString& codec) {
            return each<float>(2, codec_named(codec), true, [&](Comm& group, int rank) {
                auto x = numbers<float>(rank, 0, 600), y = numbers<float>(7, 7, 1200);
                if (verb == 0) group.all_reduce(x.data(), 600, Type::f32, Reduction::max);
                if (verb == 1) group.all_reduce(x.data(), 600, Type::f32, Reduction::exact_sum);
                if (verb == 2) group.all_reduce(x.data(), 255, Type::f32);
                if (verb == 3) group.broadcast(x.data(), 600, Type::f32, 1);
                if (verb == 4) group.all_gather(x.data(), y.data(), 600, Type::f32);
                if (verb == 5) {
                    Request in = group.receive(y.data(), 255, Type::f32, 1 - rank, 0),
                            out = group.send(x.data(), 255, Type::f32, 1 - rank, 0);
                    group.wait(in);
                    group.wait(out);
                }
                x.insert(x.end(), y.begin(), y.end());
                x.push_back(float(group.saved_bytes()));  // nothing
                return x;
            });
        };
        QCOMPARE(run("topk:0.01"), run("none"));
    }

    void messages_arrive_encoded_and_in_order() {
        const auto received = each<float>(2, codec_named("fixed:8"), false, [&](Comm& group, int rank) {
            std::vector<float> in(3 * 500);
            std::vector<Request> requests;
            for (int m = 0; m < 3; ++m) {
                auto out = numbers<float>(rank, m, 500);
                requests.push_back(group.send(out.data(), 500, Type::f32, 1 - rank, 4));  // `out` may go: it is encoded
                requests.push_back(group.receive(in.data() + m * 500, 500, Type::f32, 1 - rank, 4));
            }
            while (!group.test(requests[1])) std::this_thread::yield();
            for (Request& r : requests) {
                group.arrive(r);
                group.wait(r);
            }
            in.push_back(float(group.saved_bytes()));
            return in;
        });
        for (int rank = 0; rank < 2; ++rank)
            for (int m = 0; m < 3; ++m)
                for (std::size_t i = 0; i < 500; ++i)
                    QVERIFY(std::abs(received[std::size_t(rank)][std::size_t(m) * 500 + i] - number(1 - rank, m, i))
                            <= 1. / 254 + 1e-6);
        QCOMPARE(received[0].back(), float(2 * 3 * (2000 - (500 + 8 * 4))));
    }

    // What the wrapped group was given, against what is said to be saved of a payload of n floats.
    void bytes_are_those_that_are_sent() {
        constexpr std::size_t n = 4096;
        for (const int ranks : {2, 4})
            on_ranks(ranks, [&](std::unique_ptr<ThreadComm> comm) {
                ThreadComm* const wire = comm.get();
                CodedComm group(std::move(comm), codec_named("fp8"), false);
                std::vector<float> x(n, 1);
                group.all_reduce(x.data(), n, Type::f32);
                const double payload = 4 * n - group.saved_bytes();
                QCOMPARE(payload, double(n + n / 128 * 4));
                QCOMPARE(wire->sent, 2 * payload * (ranks - 1) / ranks);  // as a ring's two halves send
            });
    }

    // With feedback what has been given out is behind what was put in by a remainder that does not grow; without, by
    // more every step. What is left comes when nothing else is to be sent: each step takes the largest tenth away.
    void feedback_makes_up_for_what_was_left_out() {
        constexpr std::size_t n = 600;
        constexpr int ranks = 3, steps = 200, idle = 40;
        const auto balance = [&](bool feedback, std::vector<double>& lengths) {
            const auto results = each<double>(ranks, codec_named("topk:0.1"), feedback, [&](Comm& group, int rank) {
                Balance b;
                for (int step = 0; step < steps + idle; ++step) {
                    group.begin_step();
                    auto x = numbers<double>(rank, step % 8, n);  // a gradient that comes back: leaving it out adds up
                    if (step >= steps) std::fill(x.begin(), x.end(), 0.);
                    group.all_reduce(x.data(), n, Type::f64);
                    b.add(x, step < steps ? sums(ranks, step % 8, n) : std::vector<double>(n));
                    if (rank == 0 && (step + 1 == 50 || step + 1 == steps || step + 1 == steps + idle))
                        lengths.push_back(length(b.left));
                }
                return b.left;
            });
        };
        std::vector<double> with, without;
        balance(true, with);
        balance(false, without);
        qInfo("left out after 50 and 200 steps: %.0f and %.0f with feedback, %.0f and %.0f without", with[0], with[1],
              without[0], without[1]);
        QVERIFY(with[1] < 1.5 * with[0]);
        QVERIFY(without[1] > 3 * without[0]);
        QVERIFY(with[2] < 1e-11 * with[1]);
        QVERIFY(without[2] > 0.9 * without[1]);
    }

    // Three sums a step, two of one size through one piece of memory: each gets its own remainder back.
    void feedback_goes_by_the_order_of_calls() {
        const auto left = each<double>(2, codec_named("topk:0.2"), true, [&](Comm& group, int rank) {
            constexpr std::size_t counts[] = {400, 400, 301};
            Balance balances[3];
            std::vector<double> memory(400);
            for (int step = 0; step < 60; ++step) {
                group.begin_step();
                for (int call = 0; call < 3; ++call) {
                    const std::size_t n = counts[call];
                    std::vector<double> given(n);
                    if (step < 30) {
                        given = sums(2, 100 * call + step, n);
                        memory = numbers<double>(rank, 100 * call + step, n);
                    }
                    else std::fill(memory.begin(), memory.end(), 0.);
                    memory.resize(400);
                    group.all_reduce(memory.data(), n, Type::f64);
                    balances[call].add({memory.begin(), memory.begin() + std::ptrdiff_t(n)}, given);
                }
            }
            return std::vector<double>{length(balances[0].left), length(balances[1].left), length(balances[2].left)};
        });
        for (const double l : left[0]) QVERIFY2(l < 1e-11, qPrintable(QString::number(l)));
    }

    void a_call_of_another_size_starts_anew() {
        const auto reduced = [&](bool before) {
            return each<double>(2, codec_named("topk:0.2"), true, [&](Comm& group, int rank) {
                if (before) {
                    auto other = numbers<double>(rank, 3, 500);
                    group.all_reduce(other.data(), 500, Type::f64);
                }
                group.begin_step();
                auto x = numbers<double>(rank, 1, 400);
                group.all_reduce(x.data(), 400, Type::f64);
                return x;
            });
        };
        QCOMPARE(reduced(true), reduced(false));
    }

    // A choice of the largest is among norms and matrices of which each tensor rank has its own columns:
    // without care the norms of tensor ranks drift apart.
    void what_tensor_ranks_share_stays_the_same_data() {
        QTest::addColumn<QString>("codecs");
        QTest::addColumn<int>("zero");
        QTest::newRow("topk of gradients") << "data=topk:0.05" << 0;
        QTest::newRow("ZeRO-2, topk") << "data=topk:0.05" << 2;
    }
    void what_tensor_ranks_share_stays_the_same() {
        QFETCH(QString, codecs);
        QFETCH(int, zero);
        Options o;
        o.model = {.layers = 2, .width = 36, .heads = 2, .vocabulary = 40, .sequence = 16};
        o.layout = {.data = 2, .tensor = 2, .zero = zero, .micro_batch = 2, .codecs = codecs.toStdString()};
        const Shape shape = shape_of(o.model);
        Meeting world(4), rows[2]{Meeting(2), Meeting(2)}, columns[2]{Meeting(2), Meeting(2)};
        std::vector<std::vector<double>> shared(4);
        on_ranks(4, [&](std::unique_ptr<ThreadComm> comm) {
            const int rank = comm->rank();
            const Place at = place_of(rank, o.layout);
            Grid grid = coded({.at = at,
                               .world = std::make_unique<ThreadComm>(world, rank),
                               .tensor = std::make_unique<ThreadComm>(rows[at.data], at.tensor),
                               .data = std::make_unique<ThreadComm>(columns[at.tensor], at.data),
                               .pipeline = std::make_unique<SelfComm>(),
                               .ends = std::make_unique<SelfComm>()},
                              *codecs_of(o.layout.codecs));
            const auto kernels = cpu_kernels<float>(1);
            PhaseClock clock;
            const MemoryPlan plan = predict_memory(o, rank);
            void* const memory = kernels->allocate(plan.total);
            Arena arena(memory, plan.total);
            {
                Trainer<float, float> trainer(o, shape, grid, *kernels, clock, arena);
                trainer.states().initialise({[](const Parameter& p, int row, std::span<double> values) {
                    for (std::size_t c = 0; c < values.size(); ++c)  // what is replicated starts out the same
                        values[c] = (p.name.ends_with("gain") ? 1 : 0)
                                  + 0.1
                                        * number(int(p.name.size()), p.rows,
                                                 std::size_t(row * p.columns + p.first_column) + c);
                }});
                std::vector<std::int32_t> tokens(2 * 2 * 16);
                for (int step = 0; step < 6; ++step) {
                    for (std::size_t i = 0; i < tokens.size(); ++i) tokens[i] = int(20 + 20 * number(at.data, step, i));
                    trainer.step(step, tokens, false);
                }
                for (const Unit& u : trainer.states().units()) {
                    const auto weights = trainer.states().owned_weights(u);
                    const std::size_t n = trainer.states().owned(u).within({0, u.replicated}).count();
                    shared[std::size_t(rank)].insert(shared[std::size_t(rank)].end(), weights.begin(),
                                                     weights.begin() + std::ptrdiff_t(n));
                }
            }
            kernels->release(memory);
        });
        QVERIFY(shared[0].size() > 100);
        QCOMPARE(shared[1], shared[0]);
        QCOMPARE(shared[3], shared[2]);
        if (zero == 0) QCOMPARE(shared[2], shared[0]);
    }
};

PLIMSOLL_TEST(TestEngineCoded)
#include "tst_engine_coded.moc"
