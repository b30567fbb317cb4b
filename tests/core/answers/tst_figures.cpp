// The charts as data: lengths, sums, units, and the same bytes every time.
#include "registered_test.h"

#include "core/answers/compare/compare_figures.h"
#include "core/answers/plan/headroom.h"
#include "core/answers/plan/rules.h"
#include "core/answers/curves/figures.h"
#include "core/answers/campaign/headline.h"
#include "core/answers/curves/sweep.h"
#include "scenarios.h"

#include <algorithm>
#include <cmath>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

void plans() {
    QTest::addColumn<Scenario>("plan");
    QTest::newRow("model parallel on many nodes") << gpt3_on_selene();
    QTest::newRow("interleaved schedule") << gpt3_interleaved();
    QTest::newRow("one node") << small_on_one_node();
    QTest::newRow("does not fit in memory") << too_big_for_memory();
    QTest::newRow("part of a node") << with_layout(small_on_one_node(),
                                                   [](Layout& l) { l.devices = l.data_parallel = 2; });
    QTest::newRow("ninety-six stages") << with_layout(gpt3_on_selene(), [](Layout& l) {
        l.pipeline_parallel = 96;
        l.data_parallel = 1;
        l.devices = 768;
    });
}

Figure figure(const Scenario& s, const char* id) {
    for (Figure& f : figures(s))
        if (f.id == id) return f;
    return {};
}

const Series& series(const Figure& f, const char* id) {
    return *std::find_if(f.series.begin(), f.series.end(), [&](const Series& s) { return s.id == id; });
}

QStringList lines(const std::string& csv) {
    QStringList all = QString::fromStdString(csv).split('\n');
    all.removeIf([](const QString& line) { return line.isEmpty() || line.startsWith('#'); });
    return all;
}

}  // namespace

class FiguresTest : public QObject {
    Q_OBJECT

private slots:
    void come_in_order() {
        QStringList ids;
        for (const Figure& f : figures(gpt3_on_selene())) ids << QString::fromStdString(f.id);
        QCOMPARE(ids, (QStringList{"time-vs-nodes", "step-breakdown", "step-vs-nodes", "memory-per-stage",
                                   "energy-vs-nodes", "power-vs-nodes", "efficiency-vs-nodes", "node-hours-vs-nodes",
                                   "checkpoint-tradeoff"}));
    }

    void are_empty_for_an_impossible_plan() {
        QVERIFY(figures(with_layout(gpt3_on_selene(), [](Layout& l) { l.tensor_parallel = 5; })).empty());
    }

    void are_complete_data() { plans(); }
    void are_complete() {
        QFETCH(Scenario, plan);
        const auto all = figures(plan);
        QCOMPARE(all.size(), std::size_t(9));
        for (const Figure& f : all) {
            QVERIFY(!f.title.empty() && !f.x.label.empty() && !f.y.label.empty() && !f.caption.empty()
                    && !f.series.empty());
            for (const Series& s : f.series) {
                QVERIFY(!s.id.empty() && !s.label.empty() && !s.y.empty());
                if (s.mark == Mark::limit) QCOMPARE(s.y.size(), std::size_t(1));
                else QCOMPARE(s.x.size(), s.y.size());
                QVERIFY(s.fits.empty() || s.fits.size() == s.y.size());
                for (double y : s.y) QVERIFY(std::isfinite(y) && y >= 0);
                if (s.mark == Mark::stacked_bar) QCOMPARE(s.y.size(), f.categories.size());
            }
        }
    }

    void agree_with_the_headline_data() { plans(); }
    void agree_with_the_headline() {
        QFETCH(Scenario, plan);
        const Headline h = headline(plan, *estimate(plan));
        const Figure f = figure(plan, "time-vs-nodes");
        const Series& s = series(f, "modelled");
        const auto at = std::find(s.x.begin(), s.x.end(), f.here_x);
        QVERIFY(at != s.x.end());
        const Seconds unit = f.y.unit == "days" ? day : f.y.unit == "hours" ? hour : minute;
        QCOMPARE(s.y[at - s.x.begin()], totals(plan, h).time / unit);
    }

    void step_parts_sum_to_the_step_data() { plans(); }
    void step_parts_sum_to_the_step() {
        QFETCH(Scenario, plan);
        const Figure f = figure(plan, "step-breakdown");
        double sum = 0;
        for (double y : f.series.front().y) sum += y;
        const Seconds unit = f.y.unit == "ms" ? millisecond : second;
        QVERIFY(qFuzzyCompare(sum, estimate(plan)->step.total() / unit));
    }

    void shares_sum_to_a_hundred_data() { plans(); }
    void shares_sum_to_a_hundred() {
        QFETCH(Scenario, plan);
        const Figure f = figure(plan, "step-vs-nodes");
        QVERIFY(!f.categories.empty() && f.categories.size() <= 12);
        for (std::size_t i = 0; i < f.categories.size(); ++i) {
            double sum = 0;
            for (const Series& s : f.series) sum += s.y[i];
            QVERIFY(std::abs(sum - 100) < 1e-9);
        }
    }

    void stages_stack_up_to_their_memory_data() { plans(); }
    void stages_stack_up_to_their_memory() {
        QFETCH(Scenario, plan);
        const Estimate e = *estimate(plan);
        const Figure f = figure(plan, "memory-per-stage");
        QVERIFY(f.categories.size() <= 65);
        for (std::size_t i = 0; i < f.categories.size(); ++i) {
            double sum = 0;
            for (const Series& s : f.series)
                if (s.mark == Mark::stacked_bar) sum += s.y[i];
            const int stage = std::stoi(f.categories[i]) - 1;
            QVERIFY(qFuzzyCompare(sum, e.stages[stage].total() / gibibyte));
        }
        const std::string worst = std::to_string(e.worst_stage + 1);
        QVERIFY(std::find(f.categories.begin(), f.categories.end(), worst) != f.categories.end());
        QCOMPARE(series(f, "limit").y.front(), plan.machine.device.memory / gibibyte);
    }

    // A plan may be told not to fit although its stacks end far below what the device has.
    void stacks_end_below_a_line_where_the_plan_surely_fits_data() { plans(); }
    void stacks_end_below_a_line_where_the_plan_surely_fits() {
        QFETCH(Scenario, plan);
        const Estimate e = *estimate(plan);
        const double line = series(figure(plan, "memory-per-stage"), "surely_fits").y.front();
        QVERIFY(line < e.memory_limit / gibibyte);
        QCOMPARE(e.worst().total() / gibibyte <= line, fit_verdict(share_of_device(e)) == FitVerdict::fits);
    }

    void plans_compared_end_below_the_same_line_where_it_is_one() {
        const Scenario plan = gpt3_on_selene();
        Scenario other = plan;
        const std::vector<std::string> names{"one", "other"};
        const auto compared = [&] { return compare_figures(std::vector{plan, other}, names, false).at(1); };
        const double line = series(figure(plan, "memory-per-stage"), "surely_fits").y.front();
        QCOMPARE(series(compared(), "surely_fits").y.front(), line);
        other.stack.memory.context = plan.stack.memory.context + 1 * gigabyte;
        const Figure apart = compared();
        QVERIFY(std::ranges::none_of(apart.series, [](const Series& s) { return s.id == "surely_fits"; }));
    }

    void facility_is_never_below_the_devices_data() { plans(); }
    void facility_is_never_below_the_devices() {
        QFETCH(Scenario, plan);
        for (const char* id : {"energy-vs-nodes", "power-vs-nodes"}) {
            const Figure f = figure(plan, id);
            for (std::size_t i = 0; i < f.series[0].y.size(); ++i)
                QVERIFY(series(f, "facility").y[i] >= series(f, "devices").y[i]);
        }
    }

    void ideal_meets_the_model_where_the_plan_first_fits() {
        const Figure f = figure(gpt3_on_selene(), "time-vs-nodes");
        const Series &modelled = series(f, "modelled"), &ideal = series(f, "ideal");
        const auto first = std::find(modelled.fits.begin(), modelled.fits.end(), true) - modelled.fits.begin();
        QVERIFY(qFuzzyCompare(modelled.y[first], ideal.y[first]));
        for (std::size_t i = 0; i < ideal.x.size(); ++i)
            QVERIFY(qFuzzyCompare(ideal.y[i] * ideal.x[i], ideal.y[0] * ideal.x[0]));
    }

    void smallest_plan_that_fits_is_fully_efficient() {
        const Figure f = figure(gpt3_on_selene(), "efficiency-vs-nodes");
        const Series& s = series(f, "parallel_efficiency");
        const auto first = std::find(s.fits.begin(), s.fits.end(), true) - s.fits.begin();
        QCOMPARE(s.y[first], 100.0);
    }

    void checkpoint_curve_has_its_minimum_at_the_optimum_data() { plans(); }
    void checkpoint_curve_has_its_minimum_at_the_optimum() {
        QFETCH(Scenario, plan);
        for (double set : {0.0, 60.0, 86400.0}) {
            const Scenario s = edited(plan, [&](Scenario& e) { e.recipe.checkpoint_interval = set * second; });
            const Figure f = figure(s, "checkpoint-tradeoff");
            const Series &all = series(f, "total"), &best = series(f, "optimum");
            QCOMPARE(best.y.front(), *std::min_element(all.y.begin(), all.y.end()));
            const std::map<std::string, std::string> written{
                {"s", "s"}, {"minutes", "min"}, {"hours", "h"}, {"days", "d"}};
            QVERIFY2(best.label.ends_with(' ' + written.at(f.x.unit)), best.label.c_str());  // in the unit of the axis
            QVERIFY(std::find(all.x.begin(), all.x.end(), best.x.front()) != all.x.end());
            QVERIFY(std::find(all.x.begin(), all.x.end(), f.here_x) != all.x.end());
            QVERIFY(set > 0 || f.here_x == best.x.front());
            for (std::size_t i = 0; i < all.y.size(); ++i)
                QVERIFY(qFuzzyCompare(all.y[i], series(f, "checkpointing").y[i] + series(f, "rework").y[i]
                                                    + series(f, "restarting").y[i]));
        }
    }

    void node_counts_are_worth_drawing_data() { plans(); }
    void node_counts_are_worth_drawing() {
        QFETCH(Scenario, plan);
        for (int most : {2, 5, 12, 40}) {
            const auto counts = node_counts(plan, most);
            QVERIFY(!counts.empty() && static_cast<int>(counts.size()) <= most);
            QVERIFY(std::is_sorted(counts.begin(), counts.end()));
            QVERIFY(std::adjacent_find(counts.begin(), counts.end()) == counts.end());
            QVERIFY(std::find(counts.begin(), counts.end(), nodes_used(plan)) != counts.end());
            for (double n : counts) QVERIFY(n >= 1 && n <= plan.machine.nodes);
        }
    }

    void node_counts_can_be_computed() {
        for (const Scenario& s : {gpt3_on_selene(), gpt3_interleaved()})
            for (double n : not_empty(node_counts(s))) QVERIFY(check(*with(s, *find_knob("nodes"), n)).empty());
    }

    void sweep_answers_every_value() {
        const double values[] = {1, 3, 8, 5000};
        const auto points = sweep(gpt3_on_selene(), *find_knob("layout.tensor_parallel"), values);
        QCOMPARE(points.size(), std::size_t(4));
        for (std::size_t i = 0; i < 4; ++i) QCOMPARE(points[i].value, values[i]);
        QVERIFY(points[2].outcome.has_value());
        QVERIFY(!points[3].outcome.has_value());  // beyond the knob's range
        QCOMPARE(points[2].scenario, gpt3_on_selene());
    }

    void csv_is_the_same_every_time_data() { plans(); }
    void csv_is_the_same_every_time() {
        QFETCH(Scenario, plan);
        const auto once = figures(plan), again = figures(plan);
        for (std::size_t i = 0; i < once.size(); ++i) QCOMPARE(to_csv(once[i], plan), to_csv(again[i], plan));
    }

    void csv_rows_have_the_header_s_columns_data() { plans(); }
    void csv_rows_have_the_header_s_columns() {
        QFETCH(Scenario, plan);
        for (Figure& f : not_empty(figures(plan))) {
            for (std::string& c : f.categories) std::replace(c.begin(), c.end(), ',', ' ');  // quoted commas aside
            const QStringList rows = lines(to_csv(f, plan));
            QVERIFY(rows.size() >= 2);
            for (const QString& row : rows) QCOMPARE(row.count(','), rows.front().count(','));
        }
    }

    void csv_says_its_units_and_plan() {
        const Scenario s = gpt3_on_selene();
        const QString csv = QString::fromStdString(to_csv(figure(s, "memory-per-stage"), s));
        QVERIFY(csv.startsWith("# Device memory (GiB)\n"));
        QVERIFY2(csv.contains("\npipeline_stage,weights_GiB,gradients_GiB,") && csv.contains("limit_GiB,fits\n"),
                 qPrintable(csv));
        QVERIFY(csv.contains("tensor 8 x pipeline 8 x data 16"));
        QVERIFY(
            QString::fromStdString(to_csv(figure(s, "step-breakdown"), s)).contains("\n\"Embedding, head, loss\","));
    }

    void csv_numbers_read_back_exactly() {
        const Scenario s = gpt3_on_selene();
        const Figure f = figure(s, "energy-vs-nodes");
        const QStringList rows = lines(to_csv(f, s));
        for (std::size_t i = 0; i < f.series[0].y.size(); ++i)
            QVERIFY(rows[int(i) + 1].split(',')[1].toDouble() == f.series[0].y[i]);
    }

    void captions_say_what_is_left_out() {
        const Scenario s = gpt3_on_selene();
        const QString text = QString::fromStdString(captions(figures(s), s));
        for (const char* part : {"Not counted", "failures", "queue", "Selene", "time-vs-nodes", "modelled"})
            QVERIFY2(text.contains(part), part);
    }
};

PLIMSOLL_TEST(FiguresTest)
#include "tst_figures.moc"
