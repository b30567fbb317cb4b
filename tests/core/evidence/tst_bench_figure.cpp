// Points of a bench as a figure: what they are drawn over, and which stand apart.
#include "registered_test.h"

#include "core/evidence/calibration/proof/figures.h"
#include "core/evidence/calibration/fit/measurements.h"

using namespace plimsoll;

namespace {

BenchPoint point(const char* kind, double flop, double bytes, double ms, bool contended = false) {
    BenchPoint p;
    p.kind = kind;
    p.flop = flop;
    p.bytes = bytes * byte;
    p.median = p.low = p.high = ms * millisecond;
    if (contended) p.flags = {"contended"};
    return p;
}

std::size_t points_of(const Figure& f) {
    std::size_t n = 0;
    for (const Series& s : f.series) n += s.x.size();
    return n;
}

}  // namespace

class BenchFigureTest : public QObject {
    Q_OBJECT

private slots:
    void the_axis_is_what_every_point_has_data() {
        QTest::addColumn<double>("flop");
        QTest::addColumn<double>("bytes");
        QTest::addColumn<QString>("unit");
        QTest::addColumn<double>("second_x");
        QTest::newRow("work, where all count it") << 3e6 << 4096.0 << "FLOP" << 6e6;
        QTest::newRow("size, where work is not counted") << 0.0 << 4096.0 << "bytes" << 8192.0;
        QTest::newRow("their order, where there is neither") << 0.0 << 0.0 << "" << 2.0;
    }
    void the_axis_is_what_every_point_has() {
        QFETCH(double, flop);
        QFETCH(double, bytes);
        QFETCH(QString, unit);
        QFETCH(double, second_x);
        const std::vector<BenchPoint> points{point("x", flop, bytes, 1.5), point("x", 2 * flop, 2 * bytes, 3)};
        const Figure f = bench_figure("A bench", points);
        QCOMPARE(QString::fromStdString(f.x.unit), unit);
        QCOMPARE(f.series.size(), std::size_t(1));
        QCOMPARE(f.series[0].x[1], second_x);
        QCOMPARE(f.series[0].y[1], 3.0);   // milliseconds
    }

    void disturbed_points_stand_apart_and_none_is_lost() {
        std::vector<BenchPoint> points;
        for (int i = 1; i <= 12; ++i) points.push_back(point("gemm", i * 1e6, 0, i, i % 3 == 0));
        const Figure f = bench_figure("Products", points);
        QCOMPARE(f.series.size(), std::size_t(2));
        QCOMPARE(f.series[1].id, std::string("contended"));
        QCOMPARE(f.series[1].x.size(), std::size_t(4));
        QCOMPARE(points_of(f), points.size());
    }

    void without_points_there_is_nothing_to_draw() { QVERIFY(bench_figure("Products", {}).series.empty()); }

    void a_point_is_called_by_its_shape_or_its_words() {
        BenchPoint product = point("gemm", 1, 1, 1);
        product.words = {{"product", "qkv"}, {"form", "forward"}};
        product.numbers = {{"m", 256}, {"n", 1152}, {"k", 384}};
        QCOMPARE(label_of(product), std::string("qkv forward, 256 x 1152 x 384"));
        BenchPoint message = point("collective", 0, 65536, 1);
        message.words = {{"collective", "all_gather"}, {"dimension", "data"}, {"cache", "cold"}};
        QCOMPARE(label_of(message), std::string("all_gather, cold, data, 64 KiB"));
        QCOMPARE(label_of(point("launch", 0, 0, 1)), std::string("launch"));
    }
};

PLIMSOLL_TEST(BenchFigureTest)
#include "tst_bench_figure.moc"
