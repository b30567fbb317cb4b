// Chart parts that need no window: looks, hatches, labels, cursor readings.
#include "registered_test.h"

#include "shipped.h"
#include "views/charts/chart.h"
#include "views/charts/drawing.h"
#include "views/charts/export.h"
#include "views/charts/look.h"
#include "views/charts/plot_frame.h"
#include "views/charts/shown.h"
#include "views/document/document.h"
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
    void a_logarithmic_axis_has_two_labels_at_least_data();
    void a_logarithmic_axis_has_two_labels_at_least();
    void counts_of_nodes_are_labelled_at_powers_of_two_data();
    void counts_of_nodes_are_labelled_at_powers_of_two();
    void labels_of_counts_are_whole();
    void parts_that_are_nothing_are_left_out_and_named();
    void the_smallest_parts_share_a_row_where_there_is_little_room();
    void parts_keep_their_colour_when_others_are_left_out();
    void a_stack_without_a_part_does_not_list_it();
    void names_of_rows_have_room_data();
    void names_of_rows_have_room();
    void a_low_chart_of_many_parts_has_its_legend_beside();
    void a_legend_of_many_lines_is_shown_whole();
    void a_machine_of_one_node_plots_devices();
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
    QTest::newRow("millions like thousands") << 3e6 << "3,000,000";
    QTest::newRow("what nobody can count") << 2e9 << "2e+09";
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

void tst_charts::a_logarithmic_axis_has_two_labels_at_least_data() {
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::addColumn<int>("most");
    QTest::newRow("around one decade line") << 6.0 << 70.0 << 3;
    QTest::newRow("between decade lines") << 12.0 << 95.0 << 2;
    QTest::newRow("a third of a decade") << 3.1 << 6.4 << 4;
    QTest::newRow("a sliver of a decade") << 41.0 << 43.5 << 4;
    QTest::newRow("many decades, little room") << 1e-3 << 2e7 << 3;
    QTest::newRow("many decades, much room") << 1.0 << 1e5 << 9;
}

void tst_charts::a_logarithmic_axis_has_two_labels_at_least() {
    QFETCH(double, low);
    QFETCH(double, high);
    QFETCH(int, most);
    const QVector<double> ticks = LogTicks(most).ticks({low, high});
    QVERIFY2(ticks.size() >= 2, qPrintable(QString::number(ticks.size())));
    QVERIFY2(ticks.size() <= std::max(2, most), qPrintable(QString::number(ticks.size())));
    QSet<QString> labels;
    for (const double tick : ticks) {
        QVERIFY(tick >= low && tick <= high);
        labels << tick_label(tick);
    }
    QCOMPARE(labels.size(), ticks.size());
}

void tst_charts::counts_of_nodes_are_labelled_at_powers_of_two_data() {
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::addColumn<int>("most");
    QTest::addColumn<QVector<double>>("ticks");
    QTest::newRow("every one has room") << 0.9 << 70.0 << 8 << QVector<double>{1, 2, 4, 8, 16, 32, 64};
    QTest::newRow("every other has room") << 0.9 << 70.0 << 4 << QVector<double>{1, 4, 16, 64};
    QTest::newRow("a machine of 9,408 nodes") << 7.0 << 9800.0 << 5 << QVector<double>{8, 64, 512, 4096};
    QTest::newRow("two at least") << 11.0 << 14.5 << 5 << QVector<double>{};
}

void tst_charts::counts_of_nodes_are_labelled_at_powers_of_two() {
    QFETCH(double, low);
    QFETCH(double, high);
    QFETCH(int, most);
    QFETCH(QVector<double>, ticks);
    const QVector<double> found = LogTicks(most, true).ticks({low, high});
    if (ticks.isEmpty()) QVERIFY(found.size() >= 2);  // no power of two lies there: others that are whole
    else QCOMPARE(found, ticks);
}

void tst_charts::labels_of_counts_are_whole() {
    for (const QCPRange range : {QCPRange(0.4, 2.5), QCPRange(0.9, 8.8), QCPRange(1, 300)}) {
        const QVector<double> ticks = LogTicks(6, true).ticks(range);
        QVERIFY(!ticks.isEmpty());
        for (const double tick : ticks) QVERIFY(tick >= 1 && tick == std::round(tick));
    }
}

namespace {

// A step of six parts, two of them nothing.
Figure step_of_parts() {
    Figure f;
    f.id = "step";
    f.x = {"Part of the step", ""};
    f.y = {"Time", "s"};
    f.categories = {"Matrix products", "Offload wait", "Attention", "Pipeline bubble", "Tensor wait", "Optimizer"};
    f.series = {{"step", "One step", Mark::stacked_bar, {0, 1, 2, 3, 4, 5}, {6, 0, 2, 1e-9, 0.5, 1}, {}}};
    return f;
}

}  // namespace

void tst_charts::parts_that_are_nothing_are_left_out_and_named() {
    const Shown shown = shown_of(step_of_parts(), 20);
    QCOMPARE(shown.figure.categories,
             std::vector<std::string>({"Matrix products", "Attention", "Tensor wait", "Optimizer"}));
    QCOMPARE(shown.figure.series[0].y, std::vector<double>({6, 2, 0.5, 1}));
    QCOMPARE(say_none(shown.none), QString("None: Offload wait, Pipeline bubble."));
    QVERIFY(figure_svg(step_of_parts()).contains("Attention"));
    QVERIFY(!figure_svg(step_of_parts()).contains("Offload wait"));
    QVERIFY(to_csv(step_of_parts(), {}).find("Offload wait") != std::string::npos);  // data keep all
    Chart chart("step");
    chart.resize(500, 300);
    chart.present(snapshot_of({step_of_parts()}));
    QVERIFY(chart.accessibleDescription().contains("None: Offload wait"));
}

void tst_charts::the_smallest_parts_share_a_row_where_there_is_little_room() {
    const Shown shown = shown_of(step_of_parts(), 3);
    QCOMPARE(shown.figure.categories, std::vector<std::string>({"Matrix products", "Attention", "2 smaller parts"}));
    QCOMPARE(shown.figure.series[0].y, std::vector<double>({6, 2, 1.5}));
}

void tst_charts::parts_keep_their_colour_when_others_are_left_out() {
    QCOMPARE(shown_of(step_of_parts(), 20).looks, std::vector<int>({0, 2, 4, 5}));
    QCOMPARE(shown_of(step_of_parts(), 3).looks, std::vector<int>({0, 2, -1}));
}

void tst_charts::a_stack_without_a_part_does_not_list_it() {
    Figure f;
    f.categories = {"1", "2"};
    f.series = {{"a", "Weights", Mark::stacked_bar, {0, 1}, {30, 40}, {}},
                {"b", "Experts", Mark::stacked_bar, {0, 1}, {0, 1e-6}, {}}};
    QCustomPlot plot;
    Drawing d;
    d.figure = &f;
    d.theme = &light_chart();
    const auto entries = draw_series(plot, d);
    QCOMPARE(entries.size(), std::size_t(1));
    QCOMPARE(entries[0].label, QString("Weights"));
    QCOMPARE(shown_of(f, 9).none, QStringList{"Experts"});
}

void tst_charts::names_of_rows_have_room_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("large") << QSize(700, 500);
    QTest::newRow("as on the overview of a small window") << QSize(330, 190);
    QTest::newRow("the least a chart has") << QSize(215, 170);
}

// Every row that is drawn has its name.
void tst_charts::names_of_rows_have_room() {
    QFETCH(QSize, size);
    Figure f = step_of_parts();
    for (int i = 0; i < 12; ++i) {
        f.categories.push_back("Another part " + std::to_string(i));
        f.series[0].x.push_back(double(f.series[0].x.size()));
        f.series[0].y.push_back(0.1 * (i + 1));
    }
    Chart chart("step");
    chart.resize(size);
    chart.setViewport(QRect(QPoint(), size));
    chart.present(snapshot_of({f}));
    chart.replot();
    QCOMPARE(chart.yAxis->tickVectorLabels().size(), chart.plottableCount());
    const double apart = std::abs(chart.yAxis->coordToPixel(1) - chart.yAxis->coordToPixel(0));
    QVERIFY2(apart >= QFontInfo(chart.yAxis->tickLabelFont()).pixelSize(), qPrintable(QString::number(apart)));
}

void tst_charts::a_low_chart_of_many_parts_has_its_legend_beside() {
    Figure f;
    f.id = "shares";
    f.y = {"Share of a step", "%"};
    f.categories = {"1", "2", "4", "8"};
    for (int i = 0; i < 10; ++i)
        f.series.push_back({std::to_string(i), "Part of a step " + std::to_string(i), Mark::stacked_bar, {0, 1, 2, 3},
                            {10, 10, 10, 10}, {}});
    Chart chart("shares");
    const QSize size(330, 205);
    chart.resize(size);
    chart.setViewport(QRect(QPoint(), size));
    chart.present(snapshot_of({f}));
    chart.replot();
    QVERIFY2(chart.axisRect()->height() > size.height() / 2, qPrintable(QString::number(chart.axisRect()->height())));
    QVERIFY2(chart.axisRect()->width() > size.width() / 5, qPrintable(QString::number(chart.axisRect()->width())));
}

// As on the overview of a small window, where the last of nine entries was cut.
void tst_charts::a_legend_of_many_lines_is_shown_whole() {
    Figure f;
    f.id = "memory";
    f.y = {"Memory of a device", "GiB"};
    f.categories = {"1", "2", "3", "4"};
    for (int i = 0; i < 7; ++i)
        f.series.push_back({std::to_string(i), "Communication buffers " + std::to_string(i), Mark::stacked_bar,
                            {0, 1, 2, 3}, {10, 10, 10, 10}, {}});
    Chart chart("memory");
    QSize size(260, 205);
    for (int turn = 0; turn < 2; ++turn) {   // how high it has to be is known once it is laid out
        chart.resize(size);
        chart.setViewport(QRect(QPoint(), size));
        chart.present(snapshot_of({f}));
        size.setHeight(chart.minimumSizeHint().height());
    }
    chart.replot();
    const LegendBlock* legend = nullptr;
    for (QCPLayoutElement* each : chart.plotLayout()->elements(false))
        if (const auto* found = qobject_cast<LegendBlock*>(each)) legend = found;
    QVERIFY(legend);
    QVERIFY2(legend->rect().top() + legend->minimumOuterSizeHint().height() <= size.height(),
             qPrintable(QString("%1 + %2").arg(legend->rect().top()).arg(legend->minimumOuterSizeHint().height())));
    QVERIFY2(chart.axisRect()->height() > 30, qPrintable(QString::number(chart.axisRect()->height())));
}

void tst_charts::a_machine_of_one_node_plots_devices() {
    Scenario s = first_scenario(library());
    s.model = library().models.at("gpt2-124m");
    s.machine = library().machines.at("cloud-8xa100-40");
    set_machine_nodes(s.machine, 1);
    s.recipe.sequence_length = s.model.sequence_length;
    s.layout = {};
    s.layout.devices = s.layout.data_parallel = 4;
    const std::vector<Figure> all = figures(s);
    QVERIFY(!all.empty());
    for (const Figure& f : all) {
        QVERIFY2(f.x.label != "Nodes", f.id.c_str());
        if (f.id != "time-vs-nodes") continue;
        QCOMPARE(f.x.label, std::string("Devices"));
        QCOMPARE(f.series[0].x.front(), 1.0);
        QCOMPARE(f.series[0].x.back(), 8.0);
        QCOMPARE(f.here_x, 4.0);
        QVERIFY2(f.caption.find("grows with the devices") != std::string::npos, f.caption.c_str());
    }
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
