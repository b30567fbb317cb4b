// Scaling laws, the trend of compute and the weather forecast: published numbers, and inverses.
#include "registered_test.h"

#include "core/answers/campaign/scaling.h"
#include "scenarios.h"
#include "near.h"

#include <cmath>

using namespace plimsoll;
using namespace plimsoll::testing;

class ScalingTest : public QObject {
    Q_OBJECT

private slots:
    void published_numbers_come_out_data() {
        QTest::addColumn<double>("found");
        QTest::addColumn<double>("expected");
        QTest::addColumn<double>("tolerance");
        const auto row = [](const char* name, double found, double expected, double tolerance) {
            QTest::newRow(name) << found << expected << tolerance;
        };
        const Flop gopher = 5.76e23 * flop;
        row("41: 20 tokens per parameter", optimum(gopher).parameters, 69.28e9, 1e-4);
        row("41: the law fitted again, parameters", optimum(refit_2024, gopher).parameters, 72.2e9, 0.01);
        row("41: the law fitted again, tokens per parameter", optimum(refit_2024, gopher).tokens_per_parameter(), 18.4,
            0.01);
        row("41: the law as printed, parameters", optimum(printed_2022, gopher).parameters, 32.2e9, 0.01);
        row("41: the law as printed, tokens per parameter", optimum(printed_2022, gopher).tokens_per_parameter(), 92.6,
            0.01);
        const WeatherRun weather;
        row("17: node-hours of the forecast", weather.node_hours(), 517006, 1e-5);
        row("17: GPT-4's 54,000,000 GPU-hours in forecasts", weather.runs_of(54e6), 104.4, 1e-3);
        row("17: the same over the printed 33,230", 54e6 / weather.printed_node_hours, 1625, 1e-3);
        row("43: rate of the forecast in PFLOP/s", weather.rate() / (petaflop / second), 27.89, 1e-3);
        row("a growth of 10^10 in 12 years doubles in 4.3 months", doubling_months(1e10, 12), 4.335, 1e-3);
        row("5.7 months make 4e7 in 12 years", Trend{}.at(2032.4) / Trend{}.work, 4e7, 0.02);
    }
    void published_numbers_come_out() {
        QFETCH(double, found);
        QFETCH(double, expected);
        QFETCH(double, tolerance);
        QVERIFY2(off(found, expected) <= tolerance,
                 qPrintable(QString("found %1, expected %2").arg(found, 0, 'g', 10).arg(expected)));
    }

    void an_optimum_spends_the_budget_at_the_smallest_loss() {
        for (double work : {1e20, 1e23, 1e26}) {
            const Optimum o = optimum(refit_2024, work * flop);
            QVERIFY(off(6 * o.parameters * o.tokens, work) < 1e-9);
            const double least = refit_2024.loss(o.parameters, o.tokens);
            for (double k : {0.5, 0.95, 1.05, 2.0}) QVERIFY(refit_2024.loss(k * o.parameters, o.tokens / k) > least);
        }
    }

    void a_budget_of_the_plan_s_own_hours_trains_the_plan() {
        const Scenario s = gpt3_on_selene();
        const Estimate e = *estimate(s);
        const Headline h = headline(s, e);
        const double tokens = h.steps * s.recipe.global_batch_sequences * s.recipe.sequence_length;
        QVERIFY(off(budget_flop(s, e, h.node_hours) / flop, 6 * e.parameters * tokens) < 1e-9);
        QVERIFY(budget_flop(s, e, 2e5) == 2 * budget_flop(s, e, 1e5));
    }

    void a_trend_reaches_what_it_had() {
        for (double months : {3.4, 5.7, 24.0}) {
            const Trend t{.doubling_months = months};
            QVERIFY(std::abs(t.year_of(t.at(2027.5)) - 2027.5) < 1e-9);
            QVERIFY(off(t.at(t.year + months / 12) / t.work, 2) < 1e-9);
        }
    }
};

PLIMSOLL_TEST(ScalingTest)
#include "tst_scaling.moc"
