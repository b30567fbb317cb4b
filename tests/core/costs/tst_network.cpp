// Collectives on nested levels: closed forms, choices and monotony.
#include "registered_test.h"

#include "core/costs/network/network.h"
#include "scenarios.h"

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

// Two packages of two in a node of four, 64 nodes; no latency, full efficiency.
Machine nested() {
    Machine m = selene();
    m.devices_per_node = 4;
    m.nodes = 64;
    m.levels = {level("package", 2, 200 * gigabyte / second, 1, {}, ""),
                level("node", 4, 100 * gigabyte / second, 1, {}, ""),
                level("system", 256, 10 * gigabyte / second, 1, {}, "")};
    return m;
}

double milliseconds(Seconds t) { return t / millisecond; }

}  // namespace

class NetworkTest : public QObject {
    Q_OBJECT

private slots:
    void times_data() {
        QTest::addColumn<double>("found");
        QTest::addColumn<double>("expected");
        const Machine m = nested();
        const auto reduce = [&](Group g) { return milliseconds(all_reduce(span_of(m, g), 1 * gigabyte).time); };
        QTest::newRow("44: ring all-reduce of 1 GB over 8 ranks at 100 GB/s") << [] {
            Machine flat = nested();
            flat.levels = {level("switch", 8, 100 * gigabyte / second, 1, {}, "")};
            return milliseconds(all_reduce(span_of(flat, {8, 1}), 1 * gigabyte).time);
        }() << 17.5;
        QTest::newRow("a group of one has nothing to do") << reduce({1, 1}) << 0.0;
        QTest::newRow("a package pair uses the package link") << reduce({2, 1}) << 5.0;
        QTest::newRow("two ranks of different packages use the node link") << reduce({2, 2}) << 10.0;
        QTest::newRow("one rank per node has its share of the network") << reduce({64, 4}) << 2.0 * 63 / 64 * 100;
        // Entering a node together, four ranks have four shares: the ring beats nested rings here.
        QTest::newRow("whole nodes enter the network with all their shares")
            << reduce({256, 1}) << 2.0 * 255 / 256 * 1000 / 40;
        QTest::newRow("a gather is half a reduction")
            << milliseconds(all_gather(span_of(m, {64, 4}), 1 * gigabyte).time) << 63.0 / 64 * 100;
        // 1 GB a rank: 1/4 to the package neighbour at 200 GB/s, half to the other package at 100 GB/s.
        QTest::newRow("an all-to-all takes as long as its slowest level")
            << milliseconds(all_to_all(span_of(m, {4, 1}), 1 * gigabyte).time) << 5.0;
        QTest::newRow("an all-to-all of one rank has nothing to do")
            << milliseconds(all_to_all(span_of(m, {1, 1}), 1 * gigabyte).time) << 0.0;
    }
    void times() {
        QFETCH(double, found);
        QFETCH(double, expected);
        QVERIFY2(std::abs(found - expected) < 1e-9 + 1e-9 * expected,
                 qPrintable(QString("%1 against %2").arg(found).arg(expected)));
    }

    // What explanations show of a transfer is what it was priced by.
    void legs_add_up_to_the_time_on_the_wire_data() {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("stride");
        QTest::addColumn<double>("payload_bytes");
        QTest::addColumn<bool>("coded_once");
        QTest::newRow("a pair inside a package") << 2 << 1 << 1e9 << false;
        QTest::newRow("whole nodes by one ring") << 256 << 1 << 1e9 << false;
        QTest::newRow("one rank per node") << 64 << 4 << 1e9 << false;
        QTest::newRow("a small payload by a tree") << 256 << 1 << 1e3 << false;
        QTest::newRow("a codec that encodes sums once") << 64 << 4 << 1e9 << true;
    }
    void legs_add_up_to_the_time_on_the_wire() {
        QFETCH(int, ranks);
        QFETCH(int, stride);
        QFETCH(double, payload_bytes);
        QFETCH(bool, coded_once);
        Machine m = nested();
        for (Level& level : m.levels) level.latency = 5 * microsecond;
        const Span span = span_of(m, {ranks, stride});
        Coding coding;
        if (coded_once) coding = {CodecKind::zfp, 4, second / terabyte, second / terabyte, {}, true};
        for (const Collective kind :
             {Collective::all_reduce, Collective::all_gather, Collective::reduce_scatter, Collective::message}) {
            Legs legs;
            const Transfer t = transfer(kind, span, payload_bytes * byte, coding, &legs);
            Seconds sum = t.latency + t.codec;
            for (const Leg& leg : legs)
                sum += leg.sent / coding.ratio / (leg.members * rate_at(span.hop[leg.hop], leg.message));
            QVERIFY(legs.count > 0);
            QVERIFY(std::abs(sum / t.time - 1) < 1e-12);
        }
    }

    void groups_that_do_not_divide_a_node_cross_it() {
        Machine m = nested();
        m.devices_per_node = 6;
        m.levels = {level("triple", 3, 100 * gigabyte / second, 1, {}, ""),
                    level("node", 6, 10 * gigabyte / second, 1, {}, ""),
                    level("system", 60, 4 * gigabyte / second, 1, {}, "")};
        const Span twelve = span_of(m, {12, 1});
        QCOMPARE(twelve.hops, 3);
        QCOMPARE(twelve.hop[0].fan, 3);
        QCOMPARE(twelve.hop[1].fan, 2);
        QCOMPARE(twelve.hop[2].fan, 2);
        QCOMPARE(span_of(m, {8, 1}).hops, 3);  // eight ranks do not fit a node of six
        QCOMPARE(span_of(m, {3, 1}).hops, 1);
    }

    void small_payloads_take_the_tree() {
        Machine m = nested();
        m.levels.back().latency = 5 * microsecond;
        QCOMPARE(int(all_reduce(span_of(m, {64, 4}), 1 * kilobyte).algorithm), int(Algorithm::tree));
        QVERIFY(all_reduce(span_of(m, {64, 4}), 10 * gigabyte).algorithm != Algorithm::tree);
    }

    void more_bandwidth_is_never_slower() {
        for (int size : {2, 3, 4, 8, 24, 64})
            for (int stride : {1, 2, 4})
                for (double payload : {1e3, 1e6, 1e9})
                    for (std::size_t level = 0; level < 3; ++level) {
                        Machine m = nested();
                        for (Level& l : m.levels) l.latency = 5 * microsecond;
                        const Seconds before = all_reduce(span_of(m, {size, stride}), payload * byte).time;
                        m.levels[level].bandwidth *= 2;
                        QVERIFY(all_reduce(span_of(m, {size, stride}), payload * byte).time <= before);
                    }
    }

    void bigger_payloads_never_take_less() {
        const Span span = span_of(nested(), {64, 1});
        Seconds last;
        for (double payload = 1; payload < 1e11; payload *= 3) {
            const Seconds t = all_reduce(span, payload * byte).time;
            QVERIFY(t >= last);
            last = t;
        }
    }
};

PLIMSOLL_TEST(NetworkTest)
#include "tst_network.moc"
