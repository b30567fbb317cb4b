// Failures, checkpoints and chains of jobs: closed forms, and what must always hold.
#include "registered_test.h"

#include "core/answers/explain/explain.h"
#include "core/answers/plan/rules.h"
#include "core/answers/plan/headline.h"
#include "core/answers/campaign/job_chain.h"
#include "core/answers/plan/cards.h"
#include "core/costs/campaign/resilience.h"
#include "core/files/presets/library.h"
#include "core/values/knobs/knobs.h"
#include "random_plans.h"

#include <algorithm>
#include <cmath>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

double off(double found, double expected) { return std::abs(found / expected - 1); }

Scenario turned(const Scenario& s, const char* knob, double value) { return *with(s, *find_knob(knob), value); }

Headline head(const Scenario& s) { return headline(s, *estimate(s)); }

const Machine& shipped(const char* id) {
    static const std::filesystem::path presets[] = {PLIMSOLL_PRESETS_DIR};
    static const Library library = load_library(presets);
    return library.machines.at(id);
}

}  // namespace

class ResilienceTest : public QObject {
    Q_OBJECT

private slots:
    void published_intervals_come_out_data() {
        QTest::addColumn<double>("found");
        QTest::addColumn<double>("expected");
        QTest::addColumn<double>("tolerance");
        QTest::newRow("44: a minute every six hours, Young in s")
            << young_interval(minute, 6 * hour) / second << 1610.0 << 1e-4;
        QTest::newRow("five minutes every ten hours, Young in min")
            << young_interval(5 * minute, 10 * hour) / minute << 77.5 << 1e-3;
        QTest::newRow("five minutes every ten hours, Daly in min")
            << daly_interval(5 * minute, 10 * hour) / minute << 74.2 << 1e-3;
        QTest::newRow("Daly of a checkpoint as long as two intervals between failures")
            << daly_interval(2 * hour, hour) / hour << 1.0 << 1e-12;
        QTest::newRow("Llama 3 405B: 3.1 hours between failures on 2,048 nodes")
            << job_mtbf({.failures_per_1000_node_days = 3.8}, 2048) / hour << 3.09 << 3e-3;
    }
    void published_intervals_come_out() {
        QFETCH(double, found);
        QFETCH(double, expected);
        QFETCH(double, tolerance);
        QVERIFY2(off(found, expected) <= tolerance, qPrintable(QString::number(found, 'g', 8)));
    }

    // What somebody types who measured both: five minutes a save, a failure in ten hours.
    void five_minutes_every_ten_hours_cost_thirteen_percent() {
        Scenario s = turned(gpt3_on_selene(), "recipe.checkpoint_s", 300);
        s = turned(s, "machine.reliability.job_mtbf_h", 10);
        const Resilience r = resilience(s);
        QVERIFY(off(r.mtbf / hour, 10) < 1e-9 && r.checkpoint == 5 * minute && r.optimal);
        QVERIFY(r.interval == r.young && off(r.young / minute, 77.46) < 1e-3);
        QVERIFY(off(r.overhead.checkpointing + r.overhead.rework, 0.129) < 2e-3);
        QVERIFY(std::abs(r.goodput() + r.overhead.total() - 1) < 1e-12);
    }

    void a_checkpoint_holds_weights_and_optimizer_state_data() {
        QTest::addColumn<Recipe>("recipe");
        QTest::addColumn<double>("bytes");
        const auto recipe = [](Precision p, int bytes, Optimizer o = Optimizer::adam) {
            Recipe r;
            r.precision = p;
            r.bytes_per_parameter = bytes;
            r.optimizer = o;
            return r;
        };
        QTest::newRow("16-byte recipe") << recipe(Precision::bf16, 16) << 14.0;
        QTest::newRow("fp32 gradients are not saved") << recipe(Precision::bf16, 18) << 14.0;
        QTest::newRow("nor is their fp32 copy") << recipe(Precision::bf16, 20) << 14.0;
        QTest::newRow("fp32") << recipe(Precision::fp32, 16) << 12.0;
        QTest::newRow("one moment") << recipe(Precision::bf16, 16, Optimizer::sgd) << 10.0;
    }
    void a_checkpoint_holds_weights_and_optimizer_state() {
        QFETCH(Recipe, recipe);
        QFETCH(double, bytes);
        QCOMPARE(checkpoint_bytes_per_parameter(recipe), bytes);
        const Scenario s = edited(gpt3_on_selene(), [&](Scenario& e) { e.recipe = recipe; });
        QCOMPARE(resilience(s).checkpoint_size / byte, bytes * parameters(s.model));
    }

    void writing_is_as_fast_as_the_narrower_of_nodes_and_file_system() {
        Scenario s = gpt3_on_selene();
        s.machine.storage = {50 * gigabyte / second, 80 * gigabyte / second, 1 * gigabyte / second};
        s.layout.zero_stage = 0;  // one replica writes: 8 stages, each within a node
        QCOMPARE(writing_nodes(s), 8);
        QVERIFY(write_rate(s) == 8 * gigabyte / second);
        s.layout.zero_stage = 1;  // every rank holds a part
        QCOMPARE(writing_nodes(s), nodes_used(s));
        QVERIFY(write_rate(s) == 50 * gigabyte / second);
    }

    // Over random plans and rates.
    void what_always_holds() {
        int computed = 0;
        for (Scenario s : random_plans(2000)) {
            if (!check(s).empty()) continue;
            const Resilience r = resilience(s);
            const double best = overhead_at(r.young, r).total();
            for (double factor : {0.5, 0.9, 1.1, 3.0}) QVERIFY(overhead_at(factor * r.young, r).total() > best);
            QVERIFY(r.goodput() >= 0 && r.goodput() < 1 && r.daly < r.young);
            Scenario worse = s;
            worse.machine.reliability.failures_per_1000_node_days *= 2;
            QVERIFY(resilience(worse).goodput() <= r.goodput());
            Scenario faster = s;
            faster.machine.storage.write_per_node = 10 * s.machine.storage.write_per_node;
            QVERIFY(resilience(faster).goodput() >= r.goodput());
            const Outcome o = estimate(s);
            if (!o) continue;
            ++computed;
            const Headline h = headline(s, *o);
            QVERIFY(h.wall >= h.run && off(h.failures, h.wall / r.mtbf) < 1e-12 && h.checkpoints >= 1);
            const auto explained = [&](const char* id, double value) {
                const double found = evaluate(*explain(s, id));
                return std::abs(found - value) <= 1e-9 * std::abs(value);
            };
            QVERIFY(explained("run.wall_seconds", h.wall / second));
            QVERIFY(explained("resilience.goodput", r.goodput()));
            QVERIFY(explained("resilience.overhead", r.overhead.total()));
            QVERIFY(explained("resilience.failures", h.failures));
            QVERIFY(explained("resilience.mtbf_seconds", r.mtbf / second));
            QVERIFY(explained("resilience.checkpoint_bytes", r.checkpoint_size / byte));
            QVERIFY(explained("resilience.checkpoint_seconds", r.checkpoint / second));
            QVERIFY(explained("resilience.interval_seconds", r.interval / second));
        }
        QVERIFY(computed > 100);
    }

    void failures_change_no_step_and_no_failure_free_run() {
        const Scenario s = gpt3_on_selene(), worse = turned(s, "machine.reliability.failures_per_1000_node_days", 100);
        QVERIFY(*estimate(s) == *estimate(worse));
        QVERIFY(head(s).run == head(worse).run && head(s).wall < head(worse).wall);
    }

    void failures_before_a_checkpoint_is_done_allow_no_progress() {
        Scenario s = turned(gpt3_on_selene(), "recipe.checkpoint_s", 1200);
        s = turned(s, "machine.reliability.job_mtbf_h", 0.25);
        const Headline h = head(s);
        QVERIFY(!h.resilience.makes_progress());
        QCOMPARE(h.resilience.goodput(), 0.0);
        QVERIFY(std::isinf(h.wall / second));
        QVERIFY(resilience_verdict(h.resilience).starts_with("No progress"));
        QCOMPARE(explain(s, "resilience.goodput")->value, 0.0);
        s.machine.scheduler.bins = {{1, 4608, 24 * hour}};
        QVERIFY(job_chain(s, head(s)).kind == ChainKind::no_progress);
        for (const CardRow& row : resilience_card(s, head(s)))
            QVERIFY2(row.value.find("inf") == row.value.npos, row.value.c_str());
    }

    void a_set_interval_is_used_as_it_is() {
        const Resilience r = resilience(turned(gpt3_on_selene(), "recipe.checkpoint_interval_s", 7200));
        QVERIFY(!r.optimal && r.interval == 2 * hour && r.overhead.total() > overhead_at(r.young, r).total());
    }

    // ---- Chains of jobs

    void thirty_days_on_frontier_are_chained_data() {
        QTest::addColumn<int>("nodes");
        QTest::addColumn<double>("hours");
        QTest::addColumn<double>("fewest");
        QTest::newRow("184 nodes get twelve hours") << 184 << 12.0 << 60.0;
        QTest::newRow("183 nodes get six hours") << 183 << 6.0 << 120.0;
        QTest::newRow("91 nodes get two hours") << 91 << 2.0 << 360.0;
    }
    void thirty_days_on_frontier_are_chained() {
        QFETCH(int, nodes);
        QFETCH(double, hours);
        QFETCH(double, fewest);
        const JobChain bare = job_chain(shipped("frontier"), nodes, 30 * day, Seconds{});
        QVERIFY(bare.kind == ChainKind::jobs && bare.bin.walltime == hours * hour);
        QCOMPARE(bare.jobs, fewest);
        const JobChain real = job_chain(shipped("frontier"), nodes, 30 * day, 10 * minute);
        QVERIFY(real.jobs > fewest && real.total > 30 * day && real.walltime == hours * hour);
        QVERIFY(!real.as_of.empty() && real.source.kind == SourceKind::vendor);
    }

    void a_chain_says_why_there_is_none_data() {
        QTest::addColumn<int>("nodes");
        QTest::addColumn<double>("lost_minutes");
        QTest::addColumn<int>("kind");
        QTest::newRow("more nodes than any bin admits") << 9473 << 10.0 << int(ChainKind::no_bin);
        QTest::newRow("a job ends before it has started") << 50 << 120.0 << int(ChainKind::too_short);
        QTest::newRow("there is a chain") << 50 << 10.0 << int(ChainKind::jobs);
    }
    void a_chain_says_why_there_is_none() {
        QFETCH(int, nodes);
        QFETCH(double, lost_minutes);
        QFETCH(int, kind);
        const JobChain c = job_chain(shipped("frontier"), nodes, 30 * day, lost_minutes * minute);
        QCOMPARE(int(c.kind), kind);
        QVERIFY(!say(c).empty());
    }

    void a_site_without_bins_has_no_policy() {
        QVERIFY(job_chain(shipped("selene"), 8, day, minute).kind == ChainKind::no_policy);
    }

    void a_short_run_asks_for_its_own_time() {
        const JobChain c = job_chain(shipped("frontier"), 184, 5 * hour, 10 * minute);
        QCOMPARE(c.jobs, 1.0);
        QVERIFY(c.walltime == 5 * hour + 10 * minute);
    }
};

PLIMSOLL_TEST(ResilienceTest)
#include "tst_resilience.moc"
