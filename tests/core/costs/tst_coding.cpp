// Codecs in collectives: ratios, when they pay, and twins that count message by message.
#include "registered_test.h"

#include "core/costs/network/network.h"
#include "near.h"
#include "scenarios.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

// One level, `n` ranks.
Span flat(int n, ByteRate rate, Seconds latency = {}) {
    Span s;
    s.size = n;
    s.hops = n > 1 ? 1 : 0;
    s.hop[0].fan = n;
    s.hop[0].rate = rate;
    s.hop[0].latency = latency;
    return s;
}

Coding zfp(double ratio, ByteRate encode, ByteRate decode, Seconds call = {}) {
    return {CodecKind::zfp, ratio, 1 / encode, 1 / decode, call, false};
}

// The ring all-reduce as its steps happen: every rank encodes a share, sends it, and decodes what arrives.
double ring_step_by_step(int n, Bytes payload, ByteRate rate, Seconds latency, const Coding& c) {
    double t = 0;
    for (int pass = 0; pass < 2; ++pass)
        for (int step = 1; step < n; ++step) {
            const Bytes share = payload / n;
            t += (share * c.encode + c.call + latency + share / c.ratio / rate + share * c.decode + c.call) / second;
        }
    return t;
}

Machine nested() {
    Machine m = selene();
    m.devices_per_node = 4;
    m.nodes = 64;
    m.levels = {testing::level("package", 2, 200 * GBps, 1, 1 * microsecond, ""),
                testing::level("node", 4, 100 * GBps, 1, 2 * microsecond, ""),
                testing::level("system", 256, 10 * GBps, 1, 5 * microsecond, "")};
    return m;
}

}  // namespace

class CodingTest : public QObject {
    Q_OBJECT

private slots:
    void ratios_data() {
        QTest::addColumn<double>("found");
        QTest::addColumn<double>("expected");
        const auto row = [](const char* name, Codec c, double bytes, double expected) {
            QTest::newRow(name) << compression_ratio(c, bytes) << expected;
        };
        const auto rate = [](double r) { return Codec{.kind = CodecKind::zfp, .rate = r}; };
        row("40: zfp at 8 bits of fp32", rate(8), 4, 4);
        row("40: zfp at 16 bits of fp32", rate(16), 4, 2);
        row("40: zfp at 24 bits of fp32", rate(24), 4, 4.0 / 3);
        row("zfp at 8 bits of a 16-bit value", rate(8), 2, 2);
        row("fp8 for 16-bit values", {.kind = CodecKind::fp8}, 2, 2);
        row("fp8 for fp32 values", {.kind = CodecKind::fp8}, 4, 4);
        row("one in a hundred fp32 values, with its index", {.kind = CodecKind::top_k, .density = 0.01}, 4, 50);
        row("half of the 16-bit values with their indices are more than all of them",
            {.kind = CodecKind::top_k, .density = 0.5}, 2, 2 / 3.0);
        row("lossless as far as the data go", {.kind = CodecKind::lossless, .ratio = 1.3}, 2, 1.3);
        row("no codec", {}, 2, 1);
    }
    void ratios() {
        QFETCH(double, found);
        QFETCH(double, expected);
        QVERIFY(near(found, expected));
    }

    // A large message over one link takes less time exactly where the criterion says so.
    void a_message_gains_where_the_criterion_says_so() {
        int yes = 0, no = 0;
        for (double ratio : {0.7, 1.0, 1.2, 2.0, 4.0})
            for (double link : {1.0, 10.0, 100.0, 400.0})
                for (double speed : {20.0, 200.0, 2000.0}) {
                    const Coding c = zfp(ratio, speed * GBps, 1.5 * speed * GBps);
                    const Span pair = flat(2, link * GBps);
                    const bool faster =
                        point_to_point(pair, 1 * gigabyte, c).time < point_to_point(pair, 1 * gigabyte).time;
                    QCOMPARE(gains(c, link * GBps), faster);
                    QCOMPARE(gains(c, link * GBps), all_reduce(flat(16, link * GBps), 1 * gigabyte, c).time
                                                        < all_reduce(flat(16, link * GBps), 1 * gigabyte).time);
                    ++(faster ? yes : no);
                }
        QVERIFY(yes > 10 && no > 10);
    }

    void a_ring_encodes_at_every_hop() {
        const Coding c = zfp(4, 180 * GBps, 225 * GBps, 4 * microsecond);
        for (int n : {2, 3, 8, 64}) {
            const Transfer t = all_reduce(flat(n, 10 * GBps, 5 * microsecond), 4 * gigabyte, c);
            QCOMPARE(int(t.algorithm), int(Algorithm::ring));
            QVERIFY(near(t.time / second, ring_step_by_step(n, 4 * gigabyte, 10 * GBps, 5 * microsecond, c)));
        }
    }

    void encoding_once_does_less_codec_work() {
        Coding hop = zfp(4, 100 * GBps, 100 * GBps), once = hop;
        once.once = true;
        const Span span = flat(16, 10 * GBps);
        const Transfer a = all_reduce(span, 1 * gigabyte, hop), b = all_reduce(span, 1 * gigabyte, once);
        QVERIFY(b.codec < a.codec);
        QVERIFY(near((a.time - a.codec) / second, (b.time - b.codec) / second));  // the same bytes on the wire
        // (n-1)/n and 1/n encoded, twice (n-1)/n decoded.
        QVERIFY(near(b.codec / second, (1.0 + 2.0 * 15 / 16) * 1e9 / 100e9));
        QVERIFY(all_gather(span, 1 * gigabyte, once).time < all_gather(span, 1 * gigabyte, hop).time);
    }

    // One rank's messages, each over the innermost level that joins the two; levels work side by side.
    void all_to_all_message_by_message() {
        const Machine m = nested();
        const Coding c = zfp(4, 100 * GBps, 200 * GBps, 1 * microsecond);
        for (int size : {2, 4, 8, 64, 256}) {
            std::array<double, 3> busy{};
            double codec = 0;
            const Bytes share = 1 * gigabyte / size;
            for (int other = 1; other < size; ++other) {
                const int level = other < 2 ? 0 : other < 4 ? 1 : 2;
                busy[level] += (m.levels[level].latency + share / c.ratio / m.levels[level].bandwidth) / second;
                codec += (share * c.encode + share * c.decode + 2 * c.call) / second;
            }
            const double slowest = *std::max_element(busy.begin(), busy.end());
            QVERIFY(near(all_to_all(span_of(m, {size, 1}), 1 * gigabyte, c).time / second, slowest + codec, 1e-9));
        }
    }

    void a_group_of_one_encodes_nothing() {
        const Coding c = zfp(4, 1 * GBps, 1 * GBps, 1 * second);
        for (const Collective kind :
             {Collective::all_reduce, Collective::all_gather, Collective::reduce_scatter, Collective::message})
            QCOMPARE(transfer(kind, flat(1, 1 * GBps), 1 * gigabyte, c).time / second, 0.0);
    }

    void faster_codecs_are_never_slower() {
        const Span span = span_of(nested(), {64, 1});
        for (bool once : {false, true})
            for (double payload : {1e3, 1e6, 1e9}) {
                Seconds last = 1e9 * second;
                for (double speed : {1.0, 10.0, 100.0, 1000.0}) {
                    Coding c = zfp(2, speed * GBps, speed * GBps, 1 * microsecond);
                    c.once = once;
                    const Seconds t = all_reduce(span, payload * byte, c).time;
                    QVERIFY(t <= last);
                    last = t;
                }
            }
    }
};

PLIMSOLL_TEST(CodingTest)
#include "tst_coding.moc"
#include "levels.h"
#include "near.h"
