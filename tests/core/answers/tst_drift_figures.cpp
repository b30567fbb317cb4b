// A running job's steps as a figure: every step is there, beside what was predicted.
#include "registered_test.h"

#include "core/answers/plan/estimate.h"
#include "core/answers/replan/replan_wording.h"
#include "shipped.h"

using namespace plimsoll;

namespace {

const Series* series_of(const Figure& f, const std::string& id) {
    for (const Series& s : f.series)
        if (s.id == id) return &s;
    return nullptr;
}

Drift drift(double predicted_s) {
    Drift d;
    d.predicted = predicted_s * second, d.low = d.measured = d.high = 3 * second, d.steps = 3;
    return d;
}

const MeasuredSteps three{{2 * second, 3 * second, 4 * second}, {}};

}  // namespace

class DriftFiguresTest : public QObject {
    Q_OBJECT

private slots:
    void every_step_is_drawn_in_its_order_beside_the_prediction() {
        const Figure f = drift_steps(three, drift(2.5), 0.2);
        QCOMPARE(f.y.unit, std::string("s"));
        QCOMPARE(series_of(f, "measured")->y, (std::vector<double>{2, 3, 4}));
        QCOMPARE(series_of(f, "measured")->x, (std::vector<double>{1, 2, 3}));
        QCOMPARE(series_of(f, "measured")->names.size(), std::size_t(3));
        QCOMPARE(series_of(f, "predicted")->y, std::vector<double>{2.5});
        QCOMPARE(series_of(f, "median")->y.front(), 3.0);
        QCOMPARE(series_of(f, "near")->y.front(), 2.0);
        QCOMPARE(series_of(f, "near")->high.front(), 3.0);
        QCOMPARE(series_of(f, "near")->label, std::string("Within 20 % of it"));
    }
    void without_a_share_there_is_no_band() { QVERIFY(!series_of(drift_steps(three, drift(2.5), 0), "near")); }
    void without_a_prediction_there_is_nothing_to_draw() { QVERIFY(drift_steps(three, Drift{}, 0.1).series.empty()); }

    void parts_stand_beside_each_other_and_add_up() {
        StepTime predicted, measured;
        predicted.gemm = 2 * second, predicted.bubble = 1 * second;
        measured.gemm = 2.5 * second, measured.data_parallel = 1.5 * second;
        const Figure f = drift_parts(measured, predicted);
        QCOMPARE(f.series.size(), std::size_t(3));   // those that are nothing in both are left out
        double sums[2] = {0, 0};
        for (const Series& s : f.series)
            for (int bar : {0, 1}) sums[bar] += s.y[std::size_t(bar)];
        QCOMPARE(sums[0], predicted.total() / second);
        QCOMPARE(sums[1], measured.total() / second);
    }
};

PLIMSOLL_TEST(DriftFiguresTest)
#include "tst_drift_figures.moc"
