// Chart parts that need no window: looks, hatches, labels, cursor readings.
#include "registered_test.h"

#include "views/charts/chart.h"
#include "views/charts/drawing.h"
#include "views/charts/look.h"
#include "views/charts/plot_frame.h"
#include "views/parts/text.h"

#include <set>

using namespace plimsoll;

class tst_charts : public QObject {
    Q_OBJECT
private slots:
    void twelve_series_differ_in_colour_or_hatch();
    void neighbours_differ_without_colour();
    void hatches_stay_inside_their_box();
    void tick_labels_data();
    void tick_labels();
    void numbers_keep_three_digits_data();
    void numbers_keep_three_digits();
    void an_interval_is_drawn_at_its_own_point_data();
    void an_interval_is_drawn_at_its_own_point();
    void readings_add_up();
    void nearest_stop_is_by_ratio_on_a_logarithmic_axis();
};

void tst_charts::twelve_series_differ_in_colour_or_hatch() {
    for (const ChartTheme* theme : {&light_chart(), &dark_chart()}) {
        std::set<std::pair<QRgb, Hatch>> looks;
        for (int i = 0; i < 12; ++i) looks.insert({look_of(*theme, i).colour.rgb(), look_of(*theme, i).hatch});
        QCOMPARE(looks.size(), std::size_t(12));
    }
}

void tst_charts::neighbours_differ_without_colour() {
    for (int i = 0; i + 1 < 8; ++i) {
        const SeriesLook a = look_of(light_chart(), i), b = look_of(light_chart(), i + 1);
        QVERIFY(a.hatch != b.hatch);
        QVERIFY(a.dash != b.dash && a.marker != b.marker);
    }
}

void tst_charts::hatches_stay_inside_their_box() {
    const QRectF box(10, 20, 37, 11);
    for (const Hatch h : {Hatch::rising, Hatch::falling, Hatch::level, Hatch::upright}) {
        const auto lines = hatch_lines(h, box, 4);
        QVERIFY(!lines.isEmpty());
        const QRectF room = box.adjusted(-1e-6, -1e-6, 1e-6, 1e-6);
        for (const QLineF& line : lines) QVERIFY(room.contains(line.p1()) && room.contains(line.p2()));
    }
    QVERIFY(hatch_lines(Hatch::none, box, 4).isEmpty());
}

void tst_charts::tick_labels_data() {
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("label");
    QTest::newRow("thousands are grouped") << 4096.0 << "4,096";
    QTest::newRow("fractions are plain") << 0.5 << "0.5";
    QTest::newRow("zero despite rounding") << 1e-17 << "0";
    QTest::newRow("very large") << 2e6 << "2e+06";
}

void tst_charts::tick_labels() {
    QFETCH(double, value);
    QTEST(tick_label(value), "label");
}

void tst_charts::numbers_keep_three_digits_data() {
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("text");
    QTest::newRow("small") << 12.3456 << "12.3";
    QTest::newRow("whole thousands stay exact") << 1204.0 << "1,204";
    QTest::newRow("fractions above a thousand are rounded") << 63218.7 << "63,200";
    QTest::newRow("millions") << 21234567.8 << "21,200,000";
    QTest::newRow("nothing") << 0.0 << "0";
}

void tst_charts::numbers_keep_three_digits() {
    QFETCH(double, value);
    QTEST(grouped(value), "text");
}

void tst_charts::an_interval_is_drawn_at_its_own_point_data() {
    QTest::addColumn<bool>("lying");
    QTest::newRow("points of numbers, unsorted and two of the same x") << false;
    QTest::newRow("strips of categories") << true;
}

void tst_charts::an_interval_is_drawn_at_its_own_point() {
    QFETCH(bool, lying);
    Series s{"measured", "Measured", Mark::point, {2, 0, 1, 1}, {20, 5, 10, 12}, {}};
    s.low = {18, 4, 9, 6}, s.high = {25, 6, 11, 13};
    Figure f{"f", "F", {"X", ""}, {"Y", ""}, {}, {s}, 0, {}};
    if (lying) f.categories = {"a", "b", "c"};
    QCustomPlot plot;
    Drawing d;
    d.figure = &f;
    d.theme = &light_chart();
    draw_series(plot, d);
    const QCPErrorBars* bars = nullptr;
    for (int i = 0; i < plot.plottableCount(); ++i)
        if (auto* each = qobject_cast<QCPErrorBars*>(plot.plottable(i))) bars = each;
    QVERIFY(bars);
    const auto* graph = qobject_cast<QCPGraph*>(bars->dataPlottable());
    QCOMPARE(graph->dataCount(), 4);
    for (int i = 0; i < 4; ++i) {
        const double y = graph->dataMainValue(i);
        const auto at = std::size_t(std::find(s.y.begin(), s.y.end(), y) - s.y.begin());
        QCOMPARE(graph->dataMainKey(i), s.x[at]);
        QCOMPARE(y - (*bars->data())[i].errorMinus, s.low[at]);
        QCOMPARE(y + (*bars->data())[i].errorPlus, s.high[at]);
    }
    const QCPRange range = range_of(d, lying ? Qt::Horizontal : Qt::Vertical);
    QVERIFY(range.contains(25) && range.contains(4));
    draw_series(plot, d);                                   // another drawing leaves none of the last
    QCOMPARE(plot.plottableCount(), 2);
    f.series[0].low.clear();
    draw_series(plot, d);
    QCOMPARE(plot.plottableCount(), 1);
}

void tst_charts::readings_add_up() {
    Figure f;
    f.x = {"Stage", "", false};
    f.y = {"Memory", "GiB", false};
    f.categories = {"1", "2"};
    f.series = {{"a", "Weights", Mark::stacked_bar, {0, 1}, {3, 4}, {}},
                {"b", "Gradients", Mark::stacked_bar, {0, 1}, {2, 5}, {}}};
    QCOMPARE(reading(f, 1), QStringList({"Stage: 2", "Total: 9 GiB", "Gradients: 5 GiB", "Weights: 4 GiB"}));
    QVERIFY(reading(f, 2).isEmpty());
}

void tst_charts::nearest_stop_is_by_ratio_on_a_logarithmic_axis() {
    Figure f;
    f.series = {{"a", "A", Mark::line, {1, 100}, {1, 1}, {}}};
    QCOMPARE(nearest_stop(f, 20, true), 1);
    QCOMPARE(nearest_stop(f, 20, false), 0);
}

PLIMSOLL_TEST(tst_charts)
#include "tst_charts.moc"
