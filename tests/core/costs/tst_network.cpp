// Collectives on nested levels: closed forms, choices and monotony.
#include "registered_test.h"

#include "core/costs/kernels/tensor.h"
#include "core/costs/network/network.h"
#include "scenarios.h"
#include "near.h"

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

// Two packages of two in a node of four, 64 nodes; no latency, full efficiency.
Machine nested_machine() {
    Machine m = selene();
    m.devices_per_node = 4;
    m.nodes = 64;
    m.levels = {level("package", 2, 200 * gigabyte / second, 1, {}, ""),
                level("node", 4, 100 * gigabyte / second, 1, {}, ""),
                level("system", 256, 10 * gigabyte / second, 1, {}, "")};
    return m;
}

// AWS p5: H100 behind NVSwitch, 3,200 Gb/s of EFA a node.
Machine p5() {
    Machine m = selene();
    m.devices_per_node = 8;
    m.levels = {level("node", 8, 450 * gigabyte / second, 0.84, 0.77 * microsecond, "NVSwitch"),
                level("system", 4096, 50 * gigabyte / second, 0.9, 10 * microsecond, "EFA")};
    m.levels[0].start = 4.65 * microsecond;
    m.levels[0].half_size = 4.5 * megabyte;
    m.levels[0].gather_factor = m.levels[0].scatter_factor = 0.94;
    m.levels[0].switch_reduction = 0.82;
    m.levels[1].start = 34 * microsecond;
    m.levels[1].half_size = 30 * megabyte;
    return m;
}

}  // namespace

class NetworkTest : public QObject {
    Q_OBJECT

private slots:
    void times_data() {
        QTest::addColumn<double>("found");
        QTest::addColumn<double>("expected");
        const Machine m = nested_machine();
        const auto reduce = [&](Group g) { return milliseconds(all_reduce(span_of(m, g), 1 * gigabyte).time); };
        QTest::newRow("44: ring all-reduce of 1 GB over 8 ranks at 100 GB/s") << [] {
            Machine flat = nested_machine();
            flat.levels = {level("switch", 8, 100 * gigabyte / second, 1, {}, "")};
            return milliseconds(all_reduce(span_of(flat, {8, 1}), 1 * gigabyte).time);
        }() << 17.5;
        QTest::newRow("a group of one has nothing to do") << reduce({1, 1}) << 0.0;
        QTest::newRow("a package pair uses the package link") << reduce({2, 1}) << 5.0;
        QTest::newRow("two ranks of different packages use the node link") << reduce({2, 2}) << 10.0;
        QTest::newRow("one rank per node has its share of the network") << reduce({64, 4}) << 2.0 * 63 / 64 * 100;
        // Between nodes each rank adds up a quarter; the phases inside nodes go on meanwhile.
        QTest::newRow("whole nodes enter the network with all their shares")
            << reduce({256, 1}) << 2.0 * 63 / 64 * 1000 / 4 / 10;
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
        Machine m = nested_machine();
        for (Level& level : m.levels) {
            level.latency = 5 * microsecond;
            level.start = 3 * microsecond;
            level.half_size = 2 * megabyte;
        }
        const Span span = span_of(m, {ranks, stride});
        Coding coding;
        if (coded_once) coding = {CodecKind::zfp, 4, second / terabyte, second / terabyte, {}, true};
        for (const Collective kind :
             {Collective::all_reduce, Collective::all_gather, Collective::reduce_scatter, Collective::message}) {
            Legs legs;
            const Transfer t = transfer(kind, span, payload_bytes * byte, coding, &legs);
            Seconds sum = t.latency + t.codec;
            for (const Leg& leg : legs) {
                const Hop& hop = span.hop[leg.hop];
                sum += with_half_size(hop, leg.sent / coding.ratio, leg.members)
                     / (leg.members * rate_at(hop, leg.message));
            }
            QVERIFY(legs.count > 0);
            QVERIFY(std::abs(sum / t.time - 1) < 1e-12);
        }
    }

    void groups_that_do_not_divide_a_node_cross_it() {
        Machine m = nested_machine();
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

    // nccl-tests of NCCL 2.27 inside a node of eight H100 (aiconfigurator), and between two of AWS p5.
    void measured_collectives_data() {
        QTest::addColumn<Collective>("kind");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<double>("megabytes");
        QTest::addColumn<double>("microseconds");
        QTest::addColumn<double>("within");
        const auto row = [](const char* name, Collective kind, int ranks, double mebibytes, double time,
                            double within) {
            QTest::newRow(name) << kind << ranks << mebibytes * 1.048576 << time << within;
        };
        row("all-reduce of 8 KiB over eight", Collective::all_reduce, 8, 1.0 / 128, 15.6, 0.15);
        row("all-reduce of 64 MiB over eight", Collective::all_reduce, 8, 64, 326.6, 0.12);
        row("all-reduce of 512 MiB over eight", Collective::all_reduce, 8, 512, 2111, 0.12);
        row("all-gather of 8 KiB over eight", Collective::all_gather, 8, 1.0 / 128, 10.7, 0.15);
        row("all-gather of 512 MiB over eight", Collective::all_gather, 8, 512, 1402, 0.12);
        row("reduce-scatter of 64 MiB over eight", Collective::reduce_scatter, 8, 64, 200, 0.15);
        row("all-reduce of 64 MiB over two nodes", Collective::all_reduce, 16, 64, 601.5, 0.12);
        row("all-reduce of 512 MiB over two nodes", Collective::all_reduce, 16, 512, 2559, 0.12);
        row("all-reduce of 8 GiB over two nodes", Collective::all_reduce, 16, 8192, 33605, 0.12);
    }
    void measured_collectives() {
        QFETCH(Collective, kind);
        QFETCH(int, ranks);
        QFETCH(double, megabytes);
        QFETCH(double, microseconds);
        QFETCH(double, within);
        const double found = transfer(kind, span_of(p5(), {ranks, 1}), megabytes * megabyte).time / microsecond;
        QVERIFY2(std::abs(found / microseconds - 1) < within,
                 qPrintable(QString("%1 us against %2 us").arg(found).arg(microseconds)));
    }

    // A half size halves nothing by itself: at V bytes the rate is 1 / (1 + sqrt(half / V)) of the full one.
    void a_transfer_as_large_as_the_half_size_reaches_half_the_rate() {
        Machine m = nested_machine();
        const Seconds full = all_gather(span_of(m, {64, 4}), 1 * gigabyte).time;
        m.levels.back().half_size = 63.0 / 64 * gigabyte;
        QVERIFY(std::abs(all_gather(span_of(m, {64, 4}), 1 * gigabyte).time / full - 2) < 1e-12);
    }

    void every_level_that_is_crossed_adds_its_start() {
        Machine m = nested_machine();
        const Seconds before = all_reduce(span_of(m, {64, 1}), 1 * gigabyte).time;
        m.levels[1].start = 4 * microsecond;
        m.levels[2].start = 20 * microsecond;
        const Seconds after = all_reduce(span_of(m, {64, 1}), 1 * gigabyte).time;
        QVERIFY(std::abs((after - before) / microsecond - 24) < 1e-6);
    }

    // (1 + 1/8) of the payload against 2 x 7/8 in a ring.
    void a_switch_that_adds_up_moves_less() {
        Machine m = nested_machine();
        m.levels = {level("switch", 8, 100 * gigabyte / second, 1, {}, "")};
        m.levels[0].switch_reduction = 0.9;
        const Span span = span_of(m, {8, 1});
        QVERIFY(std::abs(milliseconds(all_reduce(span, 1 * gigabyte).time) - 1.125 / 0.9 * 10) < 1e-9);
        QVERIFY(std::abs(milliseconds(all_gather(span, 1 * gigabyte).time) - 0.875 * 10) < 1e-9);
        m.levels[0].switch_reduction = 0.5;   // no gain: the ring stays
        QVERIFY(std::abs(milliseconds(all_reduce(span_of(m, {8, 1}), 1 * gigabyte).time) - 17.5) < 1e-9);
    }

    // Phases inside nodes and between them work on different parts of a large buffer.
    void the_slower_phase_of_a_large_all_reduce_counts() {
        Machine m = nested_machine();
        m.levels = {level("node", 4, 100 * gigabyte / second, 1, {}, ""),
                    level("system", 256, 50 * gigabyte / second, 1, {}, "")};
        // Inside: 2 x 3/4 at 100 GB/s. Between two nodes: 2 x 1/2 of a quarter at 50 GB/s.
        QVERIFY(std::abs(milliseconds(all_reduce(span_of(m, {8, 1}), 1 * gigabyte).time) - 15) < 1e-9);
    }

    void gathers_and_scatters_have_no_tree() {
        Machine m = nested_machine();
        for (Level& l : m.levels) l.latency = 5 * microsecond;
        for (const double payload : {1e3, 1e6, 1e9})
            for (const Collective kind : {Collective::all_gather, Collective::reduce_scatter})
                QVERIFY(transfer(kind, span_of(m, {256, 1}), payload * byte).algorithm != Algorithm::tree);
    }

    // The way through 64 nodes of four: 63 steps between nodes, the rest inside.
    void a_ring_pays_each_levels_latency_for_the_steps_that_cross_it() {
        Machine m = nested_machine();
        m.levels = {level("node", 4, 100 * gigabyte / second, 1, 1 * microsecond, ""),
                    level("system", 256, 25 * gigabyte / second, 1, 10 * microsecond, "")};
        const Transfer t = all_gather(span_of(m, {256, 1}), 1 * gigabyte);
        QCOMPARE(int(t.algorithm), int(Algorithm::ring));
        QVERIFY(std::abs(t.latency / microsecond - (63 * 10 + 192)) < 1e-6);
    }

    void groups_that_straddle_a_node_cross_it_data() {
        QTest::addColumn<int>("per_node");
        QTest::addColumn<int>("size");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("hops");
        QTest::newRow("four ranks on nodes of six: ranks 4 to 7 lie on two") << 6 << 4 << 12 << 2;
        QTest::newRow("three on nodes of eight: ranks 6 to 8") << 8 << 3 << 48 << 2;
        QTest::newRow("six on nodes of eight") << 8 << 6 << 48 << 2;
        QTest::newRow("eight on nodes of twelve") << 12 << 8 << 48 << 2;
        QTest::newRow("three on nodes of six fit") << 6 << 3 << 12 << 1;
        QTest::newRow("four on nodes of eight fit") << 8 << 4 << 64 << 1;
        QTest::newRow("two groups of three on one node of eight fit") << 8 << 3 << 6 << 1;
        QTest::newRow("a rack of 72 is handed out in servers: groups of 32 take 64 of it") << 72 << 32 << 256 << 1;
    }
    void groups_that_straddle_a_node_cross_it() {
        QFETCH(int, per_node);
        QFETCH(int, size);
        QFETCH(int, ranks);
        QFETCH(int, hops);
        Machine m = nested_machine();
        m.devices_per_node = per_node;
        m.levels = {level("node", per_node, 100 * gigabyte / second, 1, {}, ""),
                    level("system", 96 * per_node, 10 * gigabyte / second, 1, {}, "")};
        const Span span = span_of(m, {size, 1, ranks});
        QCOMPARE(span.hops, hops);
        if (hops == 2) QCOMPARE(span.hop[1].fan, 2);
    }

    void a_straddling_tensor_group_is_priced_between_nodes() {
        Scenario s = gpt3_on_selene();
        s.machine.devices_per_node = 6;
        s.machine.nodes = 640;
        s.machine.levels[0].devices = 6;
        s.machine.levels[1].devices = 3840;
        const auto time = [&](int tensor) {
            s.layout.tensor_parallel = tensor;
            s.layout.devices = int(s.layout.model_parallel()) * s.layout.data_parallel;
            return tensor_all_reduce(s).time / second;
        };
        QVERIFY(time(4) > 2 * time(3));
        QVERIFY(time(4) > 2 * time(6));
    }

    void many_domains_slow_a_network_that_says_so() {
        Machine m = nested_machine();
        m.levels.back().per_doubling = 0.15;
        const auto of = [&](int nodes) { return all_gather(span_of(m, {nodes, 4}), 1 * gigabyte).time; };
        const Machine even = nested_machine();
        const auto plain = [&](int nodes) { return all_gather(span_of(even, {nodes, 4}), 1 * gigabyte).time; };
        QVERIFY(std::abs(of(2) / plain(2) - 1) < 1e-12);
        QVERIFY(std::abs(of(16) / plain(16) - 1.45) < 1e-12);
    }

    // A tensor group has one axis of a torus; those around it have two of what is left.
    void a_torus_gives_groups_its_axes() {
        Machine m = nested_machine();
        m.levels = {level("torus", 256, 10 * gigabyte / second, 1, {}, "")};
        m.levels[0].axes = 3;
        const auto rate = [&](Group g) { return span_of(m, g).hop[0].rate / (gigabyte / second); };
        QCOMPARE(rate({4, 1, 256, 1}), 10.0);
        QCOMPARE(rate({64, 4, 256}), 20.0);
        QCOMPARE(rate({256, 1, 256}), 20.0);
        m.levels[0].axes = 2;
        QCOMPARE(rate({64, 4, 256}), 10.0);
        QCOMPARE(rate({256, 1, 256}), 20.0);
    }

    void small_payloads_take_the_tree() {
        Machine m = nested_machine();
        m.levels.back().latency = 5 * microsecond;
        QCOMPARE(int(all_reduce(span_of(m, {64, 4}), 1 * kilobyte).algorithm), int(Algorithm::tree));
        QVERIFY(all_reduce(span_of(m, {64, 4}), 10 * gigabyte).algorithm != Algorithm::tree);
    }

    void more_bandwidth_is_never_slower() {
        for (int size : {2, 3, 4, 8, 24, 64})
            for (int stride : {1, 2, 4})
                for (double payload : {1e3, 1e6, 1e9})
                    for (std::size_t level = 0; level < 3; ++level) {
                        Machine m = nested_machine();
                        for (Level& l : m.levels) l.latency = 5 * microsecond;
                        const Seconds before = all_reduce(span_of(m, {size, stride}), payload * byte).time;
                        m.levels[level].bandwidth *= 2;
                        QVERIFY(all_reduce(span_of(m, {size, stride}), payload * byte).time <= before);
                    }
    }

    void bigger_payloads_never_take_less() {
        const Span span = span_of(nested_machine(), {64, 1});
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
