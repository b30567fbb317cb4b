// What a whole run takes: one rule for time, node-hours, charges and energy.
#include "registered_test.h"

#include "core/answers/campaign/totals.h"
#include "core/answers/curves/figures.h"
#include "core/answers/explain/explain.h"
#include "random_plans.h"
#include "near.h"

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

Totals of(const Scenario& s, Counting counting = Counting::automatic) {
    return totals(s, headline(s, *estimate(s)), counting);
}

Scenario of_tokens(Scenario s, double tokens) {
    s.recipe.tokens = tokens;
    return s;
}

Scenario with_bins(Scenario s, Seconds walltime) {
    s.machine.scheduler.bins = {{.min_nodes = 1, .max_nodes = 1000, .walltime = walltime}};
    return s;
}

}  // namespace

class TotalsTest : public QObject {
    Q_OBJECT

private slots:
    void runs_longer_than_a_day_count_failures() {
        const Scenario lasting = gpt3_on_selene(), brief = of_tokens(gpt3_on_selene(), 1e9);
        QVERIFY(headline(lasting, *estimate(lasting)).run > day);
        QVERIFY(headline(brief, *estimate(brief)).run < day);
        QVERIFY(of(lasting).all && !of(brief).all);
        QVERIFY(of(brief, Counting::all).all && !of(lasting, Counting::training).all);
        QVERIFY(of(lasting).time > headline(lasting, *estimate(lasting)).run);
        QCOMPARE(of(brief).time, headline(brief, *estimate(brief)).run);
    }

    void one_rule_holds_for_all_of_them() {
        for (const Scenario& s : random_plans(drawn(200))) {
            const Outcome o = estimate(s);
            if (!o) continue;
            const Headline h = headline(s, *o);
            for (const Counting counting : {Counting::all, Counting::training}) {
                const Totals t = totals(s, h, counting);
                const bool alone = s.machine.accounting.by_device;
                const double nodes = alone ? 1.0 * s.layout.devices / s.machine.devices_per_node : nodes_used(s);
                QVERIFY(near(t.node_hours, nodes * (t.time / hour)));
                QVERIFY(near(t.device_hours, s.layout.devices * (t.time / hour)));
                if (!t.ends()) continue;
                QVERIFY(near(t.facility_energy / joule, h.facility_energy / joule * (t.time / h.wall))
                        || !h.resilience.makes_progress());
                QVERIFY(near(t.device_energy / joule, h.device_energy / joule * (t.time / h.wall))
                        || !h.resilience.makes_progress());
            }
            QVERIFY(!(totals(s, h, Counting::all).time < h.wall));
        }
    }

    void ends_of_jobs_are_counted() {
        const Scenario s = gpt3_on_selene();
        const Totals free = of(s, Counting::all), chained = of(with_bins(s, 12 * hour), Counting::all),
                     shorter = of(with_bins(s, 2 * hour), Counting::all);
        QCOMPARE(free.jobs, 0.0);
        QVERIFY(chained.jobs > 1 && shorter.jobs > chained.jobs);
        QVERIFY(free.time < chained.time && chained.time < shorter.time);
    }

    void explanations_follow_the_same_numbers() {
        int compared = 0;
        for (Scenario s : random_plans(drawn(400))) {
            if (compared % 2) s = with_bins(s, 12 * hour);
            const Outcome o = estimate(s);
            if (!o) continue;
            for (const Counting counting : {Counting::all, Counting::training}) {
                const Totals t = totals(s, headline(s, *o), counting);
                const std::string prefix = counting == Counting::all ? "total." : "training.";
                const auto explained = [&](const char* what) { return explain(s, prefix + what)->value; };
                QVERIFY(near(explained("seconds"), t.time / second));
                QVERIFY(near(explained("node_hours"), t.node_hours));
                QVERIFY(near(explained("device_hours"), t.device_hours));
                QVERIFY(near(explained("energy_MWh"), t.device_energy / megawatt_hour));
                QVERIFY(near(explained("facility_energy_MWh"), t.facility_energy / megawatt_hour));
            }
            ++compared;
        }
        QVERIFY(compared > drawn(30));
    }

    void curves_count_what_the_plan_counts() {
        const Scenario s = gpt3_on_selene();
        for (const Counting counting : {Counting::all, Counting::training})
            for (const Figure& f : figures(s, {}, counting)) {
                if (f.id != "time-vs-nodes") continue;
                const Series& line = f.series.front();
                const auto here = std::find(line.x.begin(), line.x.end(), f.here_x) - line.x.begin();
                QCOMPARE(line.y[std::size_t(here)], of(s, counting).time / day);
                QCOMPARE(f.caption.find(" Counted: failures") != std::string::npos, counting == Counting::all);
            }
    }

    void what_was_counted_is_said() {
        QVERIFY(say_counted(of(gpt3_on_selene(), Counting::training)).find("without failures") == 0);
        const std::string chained = say_counted(of(with_bins(gpt3_on_selene(), 12 * hour)));
        QVERIFY2(chained.find("job ends") != std::string::npos, chained.c_str());
    }
};

PLIMSOLL_TEST(TotalsTest)
#include "tst_totals.moc"
