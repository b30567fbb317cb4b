// Parameters of a curve from measured values: found where the points tell them, honest where they do not.
#include "registered_test.h"

#include "core/evidence/fitting/least_squares.h"

#include <cmath>
#include <random>

using namespace plimsoll;

namespace {

// t = a + b x at 1, 2, 4 ... 512.
std::vector<double> line(std::span<const double> p) {
    std::vector<double> t;
    for (double x = 1; x < 1000; x *= 2) t.push_back(p[0] + p[1] * x);
    return t;
}
const double truth[] = {3.0, 0.05};
const std::vector<CurveParameter> wide{{1, 2}, {1, 3}};

std::vector<double> noisy(double sigma, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal(0, sigma);
    auto t = line(truth);
    for (double& each : t) each *= std::exp(normal(random));
    return t;
}

}  // namespace

class LeastSquaresTest : public QObject {
    Q_OBJECT

private slots:
    void exact_points_give_the_parameters() {
        const CurveFit f = fit_curve(line(truth), wide, line);
        QVERIFY2(std::abs(f.values[0] / truth[0] - 1) < 2e-3, qPrintable(QString::number(f.values[0])));
        QVERIFY(std::abs(f.values[1] / truth[1] - 1) < 2e-3);
        QVERIFY(f.scatter < 2e-3);
    }

    void intervals_hold_the_truth_about_as_often_as_they_say() {
        int inside = 0;
        for (unsigned seed = 1; seed <= 200; ++seed) {
            const CurveFit f = fit_curve(noisy(0.03, seed), wide, line);
            inside += f.low[1] <= truth[1] && truth[1] <= f.high[1];
        }
        QVERIFY2(inside >= 176, qPrintable(QString("%1 of 200").arg(inside)));   // 95 % would be 190
    }

    void one_point_ten_times_too_slow_changes_little() {
        auto t = noisy(0.01, 7);
        t[5] *= 10;
        const CurveFit f = fit_curve(t, wide, line);
        QVERIFY(std::abs(f.values[0] / truth[0] - 1) < 0.03);
        QVERIFY(std::abs(f.values[1] / truth[1] - 1) < 0.05);
    }

    void what_no_point_depends_on_stays_at_its_prior_and_as_wide() {
        const CurveFit f = fit_curve(line(truth), {{1, 2}, {1, 3}, {0.4, 0.5}},
                                     [](std::span<const double> p) { return line(p.first(2)); });
        QCOMPARE(f.values[2], 0.4);
        QVERIFY(std::abs(std::log(f.high[2] / f.low[2]) - 2 * 1.96 * 0.5) < 1e-6);
    }

    void values_stay_inside_their_limits() {
        const CurveFit f = fit_curve(line(truth), {{1, 2, 0, 2.5}, {1, 3}}, line);
        QVERIFY(f.values[0] <= 2.5);
    }
};

PLIMSOLL_TEST(LeastSquaresTest)
#include "tst_least_squares.moc"
