// The user's own scaling runs as points on the charts of a plan.
#include "registered_test.h"

#include "core/answers/plan/estimate.h"
#include "core/answers/campaign/headline.h"
#include "core/answers/propose/measured_points.h"
#include "near.h"
#include "scenarios.h"

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

ScalingRun run(int nodes, double step_s, ScalingKind kind = ScalingKind::strong) {
    ScalingRun r;
    r.nodes = nodes;
    r.step = step_s * second;
    r.kind = kind;
    return r;
}

const MeasuredScaling four{{run(16, 40), run(32, 22), run(32, 24), run(64, 16)}, 0.75, "CSC Roihu"};

std::vector<Figure> with(const MeasuredScaling& measured, const Scenario& s = gpt3_on_selene()) {
    std::vector<Figure> all = figures(s);
    add_measured(all, s, measured);
    return all;
}

const Figure& figure(const std::vector<Figure>& all, const char* id) {
    for (const Figure& f : all)
        if (f.id == id) return f;
    qFatal("no figure %s", id);
}

const Series* series(const Figure& f, const char* id) {
    for (const Series& s : f.series)
        if (s.id == id) return &s;
    return nullptr;
}

}  // namespace

class tst_measured_points : public QObject {
    Q_OBJECT
private slots:
    void a_point_is_the_mean_step_times_the_steps() {
        const Scenario s = gpt3_on_selene();
        const double steps = headline(s, *estimate(s)).steps;
        const std::vector<Figure> all = with(four, s);
        const Figure& time = figure(all, "time-vs-nodes");
        const Series* points = series(time, "measured");
        QVERIFY(points && points->mark == Mark::point);
        QCOMPARE(points->x, (std::vector<double>{16, 32, 64}));
        const double unit = time.y.unit == "days" ? 86400 : time.y.unit == "hours" ? 3600 : 60;
        QVERIFY(near(points->y[1], steps * 23 / unit, 1e-12));
        QCOMPARE(points->names[1], std::string("2 runs"));
        const Series* hours = series(figure(all, "node-hours-vs-nodes"), "measured");
        QVERIFY(hours && near(hours->y[2], steps * 16 / 3600 * 64, 1e-12));
    }
    void efficiency_is_against_the_smallest_size_with_the_floor_of_the_programme() {
        const std::vector<Figure> all = with(four);
        const Figure& f = figure(all, "efficiency-vs-nodes");
        const Series* points = series(f, "measured");
        QVERIFY(points);
        QVERIFY(near(points->y[0], 100, 1e-12));
        QVERIFY(near(points->y[1], 100.0 * 16 * 40 / (32 * 23), 1e-12));
        QVERIFY(near(points->y[2], 100.0 * 16 * 40 / (64 * 16), 1e-12));
        const Series* floor = series(f, "floor");
        QVERIFY(floor && floor->mark == Mark::limit);
        QCOMPARE(floor->y, std::vector<double>{75});
        QVERIFY2(f.caption.find("CSC Roihu, held by the measured runs up to 32 nodes") != std::string::npos,
                 f.caption.c_str());
    }
    void weak_scaling_has_points_of_efficiency_alone() {
        const std::vector<ScalingRun> weak{run(8, 10, ScalingKind::weak), run(16, 12.5, ScalingKind::weak)};
        const std::vector<Figure> all = with({weak, 0, {}});
        QVERIFY(!series(figure(all, "time-vs-nodes"), "measured"));
        const Figure& f = figure(all, "efficiency-vs-nodes");
        QVERIFY(!series(f, "measured") && !series(f, "floor"));
        QVERIFY(near(series(f, "measured_weak")->y[1], 80, 1e-12));
    }
    // A prediction that is three times too fast moves no measured point.
    void no_number_of_the_model_enters_a_point() {
        Scenario fast = gpt3_on_selene();
        for (FlopRate* peak : {&fast.machine.device.fp16, &fast.machine.device.bf16}) *peak = 3 * *peak;
        const std::vector<Figure> slow_ones = with(four), fast_ones = with(four, fast);
        const Series *one = series(figure(slow_ones, "node-hours-vs-nodes"), "measured"),
                     *two = series(figure(fast_ones, "node-hours-vs-nodes"), "measured");
        QVERIFY(one && two);
        QCOMPARE(one->y, two->y);
        for (const Figure& f : slow_ones)
            for (const Series& s : f.series)
                if (s.id.starts_with("measured")) QVERIFY2(s.label.starts_with("Measured"), s.label.c_str());
                else QVERIFY2(s.label.find("easured") == std::string::npos, s.label.c_str());
    }
    void the_table_of_a_chart_has_the_curve_and_the_points() {
        const std::vector<Figure> all = with(four);
        const std::string csv = to_csv(figure(all, "time-vs-nodes"), gpt3_on_selene());
        for (const char* column : {"modelled", "measured"}) QVERIFY2(csv.find(column) != csv.npos, csv.c_str());
        QVERIFY(captions(all, gpt3_on_selene()).find("none is a measurement") == std::string::npos);
        QVERIFY(captions(with({}), gpt3_on_selene()).find("none is a measurement") != std::string::npos);
    }
    void without_runs_nothing_changes() {
        const std::vector<Figure> plain = figures(gpt3_on_selene()), asked = with({{}, 0.75, "CSC Roihu"});
        QCOMPARE(asked.size(), plain.size());
        for (std::size_t i = 0; i < plain.size(); ++i) {
            QCOMPARE(asked[i].series.size(), plain[i].series.size());
            QCOMPARE(asked[i].caption, plain[i].caption);
        }
    }
    void charts_over_devices_have_no_place_for_nodes() {
        Scenario s = gpt3_on_selene();
        s.machine.nodes = 1;
        std::vector<Figure> one = figures(gpt3_on_selene());
        const std::size_t before = one.front().series.size();
        add_measured(one, s, four);
        QCOMPARE(one.front().series.size(), before);
    }
};

PLIMSOLL_TEST(tst_measured_points)
#include "tst_measured_points.moc"
