// Failures, checkpoints and chains of jobs: closed forms, and what must always hold.
#include "registered_test.h"

#include "core/answers/explain/explain.h"
#include "core/answers/plan/rules.h"
#include "core/answers/campaign/headline.h"
#include "core/answers/campaign/job_chain.h"
#include "core/answers/campaign/cards.h"
#include "core/costs/campaign/energy.h"
#include "core/costs/campaign/resilience.h"
#include "core/values/knobs/knobs.h"
#include "random_plans.h"
#include "shipped.h"
#include "near.h"
#include "turned.h"

#include <algorithm>
#include <cmath>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

Headline head(const Scenario& s) { return headline(s, *estimate(s)); }

const Machine& shipped_machine(const char* id) { return library().machines.at(id); }

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

    // W = N (1 + C/T) + W/M (T/2 + R): shares of the time on the machine, whatever comes often.
    void shares_are_of_one_time_data() {
        QTest::addColumn<double>("mtbf");
        QTest::addColumn<double>("checkpoint");
        QTest::addColumn<double>("restart");
        QTest::addColumn<double>("interval");
        QTest::addColumn<double>("goodput");
        QTest::newRow("a failure an hour") << 60.0 << 5.0 << 15.0 << std::sqrt(600.0) << 0.4533;
        QTest::newRow("a failure a day") << 1440.0 << 5.0 << 15.0 << 120.0 << 0.96 * (1 - 75.0 / 1440);
        QTest::newRow("no failures to speak of") << 1e9 << 5.0 << 15.0 << 95.0 << 0.95;
        QTest::newRow("checkpoints as long as what lies between") << 1e9 << 60.0 << 15.0 << 60.0 << 0.5;
    }
    void shares_are_of_one_time() {
        QFETCH(double, mtbf);
        QFETCH(double, checkpoint);
        QFETCH(double, restart);
        QFETCH(double, interval);
        QFETCH(double, goodput);
        Resilience r;
        r.mtbf = mtbf * minute;
        r.checkpoint = checkpoint * minute;
        r.restart = restart * minute;
        r.overhead = overhead_at(interval * minute, r);
        QVERIFY2(off(r.goodput(), goodput) < 1e-4, qPrintable(QString::number(r.goodput())));
        // Kept training, its checkpoints, what failures threw away and restarts fill the time.
        const double kept = r.goodput(), written = kept * checkpoint / interval,
                     failed = (interval / 2 + restart) / mtbf;
        QVERIFY(std::abs(kept + written + failed - 1) < 1e-12);
    }

    // Sites charge the time nodes are held.
    void charges_and_energy_are_of_the_wall_time() {
        const Scenario s = turned(gpt3_on_selene(), "machine.reliability.job_mtbf_h", 2);
        const Estimate e = *estimate(s);
        const Headline h = headline(s, e);
        QVERIFY(h.resilience.goodput() < 0.9);
        QCOMPARE(h.node_hours, e.nodes * (h.wall / hour));
        QCOMPARE(h.device_hours, e.devices * (h.wall / hour));
        QCOMPARE(h.accounting_units, h.node_hours * s.machine.accounting.units_per_node_hour);
        QVERIFY(off(h.facility_energy / joule, h.facility_power * h.wall / joule) < 1e-12);
        QVERIFY(off(h.device_energy / joule, e.devices * h.device_power * h.wall / joule) < 1e-12);
    }

    void the_optimizer_has_its_part_of_the_energy() {
        const Scenario s = gpt3_on_selene();
        const Power& p = s.machine.power;
        StepTime step;
        QCOMPARE(optimizer_share_of_energy(s, step), 0.0);
        step.optimizer = second;
        QCOMPARE(optimizer_share_of_energy(s, step), 1.0);
        step.gemm = 3 * second;
        step.preconditioner = 2 * second;
        const Watts range = p.device_max - p.device_idle;
        const Joules own = 3 * p.device_idle * second + (p.memory_weight + 2 * p.compute_weight) * range * second;
        const Joules gemm = 3 * (p.device_idle + p.compute_weight * range) * second;
        QVERIFY(off(optimizer_share_of_energy(s, step), own / (own + gemm)) < 1e-12);
    }

    void unused_devices_of_a_node_draw_their_idle_power() {
        Scenario s = gpt3_on_selene();
        s.layout = {};
        s.layout.devices = s.layout.tensor_parallel = 4;
        StepTime step;
        step.gemm = second;
        const EnergyUse half = energy_of(s, step);
        QCOMPARE(half.unused / joule, 4 * (s.machine.power.device_idle / watt));
        s.layout.devices = s.layout.tensor_parallel = 8;
        QCOMPARE(energy_of(s, step).unused / joule, 0.0);
    }

    // What somebody types who measured both: five minutes a save, a failure in ten hours.
    void five_minutes_every_ten_hours_cost_twelve_percent() {
        Scenario s = turned(gpt3_on_selene(), "recipe.checkpoint_s", 300);
        s = turned(s, "machine.reliability.job_mtbf_h", 10);
        const Resilience r = resilience(s);
        QVERIFY(off(r.mtbf / hour, 10) < 1e-9 && r.checkpoint == 5 * minute && r.optimal);
        QVERIFY(r.interval == r.young && off(r.young / minute, 77.46) < 1e-3);
        QVERIFY(off(r.overhead.checkpointing + r.overhead.rework, 0.121) < 1e-2);
        QVERIFY(std::abs(r.goodput() + r.overhead.total() - 1) < 1e-12);
    }

    void a_checkpoint_holds_weights_and_optimizer_state_data() {
        QTest::addColumn<Recipe>("recipe");
        QTest::addColumn<double>("bytes");
        const auto recipe = [](Precision p, StateFormat format, Optimizer o = Optimizer::adam) {
            Recipe r;
            r.precision = p;
            r.state_format = format;
            r.optimizer = o;
            return r;
        };
        QTest::newRow("16-byte recipe") << recipe(Precision::bf16, StateFormat::fp32_moments) << 14.0;
        QTest::newRow("fp32 gradients are not saved")
            << recipe(Precision::bf16, StateFormat::fp32_moments_fp32_sums) << 14.0;
        QTest::newRow("nor is their fp32 copy") << recipe(Precision::bf16, StateFormat::fp32_moments_both_sums) << 14.0;
        QTest::newRow("fp32") << recipe(Precision::fp32, StateFormat::fp32_moments) << 12.0;
        QTest::newRow("one moment") << recipe(Precision::bf16, StateFormat::fp32_moments, Optimizer::sgd) << 10.0;
    }
    void a_checkpoint_holds_weights_and_optimizer_state() {
        QFETCH(Recipe, recipe);
        QFETCH(double, bytes);
        QCOMPARE(checkpoint_bytes_per_parameter(recipe)[ParameterGroup::matrices], bytes);
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
        for (Scenario s : random_plans(drawn(2000))) {
            if (!check(s).empty()) continue;
            const Resilience r = resilience(s);
            const double best = overhead_at(r.young, r).total();
            // Young's interval is best to first order: near it where checkpoints and restarts are rare.
            if (r.checkpoint + r.restart < 0.05 * r.mtbf)
                for (double factor : {0.5, 2.0}) QVERIFY(overhead_at(factor * r.young, r).total() > best);
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
        QVERIFY(computed > drawn(100));
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
        QTest::newRow("64 nodes get a day in the extended queue") << 64 << 24.0 << 30.0;
    }
    void thirty_days_on_frontier_are_chained() {
        QFETCH(int, nodes);
        QFETCH(double, hours);
        QFETCH(double, fewest);
        const JobChain bare = job_chain(shipped_machine("frontier"), nodes, 30 * day, Seconds{});
        QVERIFY(bare.kind == ChainKind::jobs && bare.bin.walltime == hours * hour);
        QCOMPARE(bare.jobs, fewest);
        const JobChain real = job_chain(shipped_machine("frontier"), nodes, 30 * day, 10 * minute);
        QVERIFY(real.jobs > fewest && real.total > 30 * day && real.walltime == hours * hour);
        QVERIFY(!real.as_of.empty() && real.source.kind == SourceKind::vendor);
    }

    void a_chain_says_why_there_is_none_data() {
        QTest::addColumn<int>("nodes");
        QTest::addColumn<double>("lost_minutes");
        QTest::addColumn<int>("kind");
        QTest::newRow("more nodes than any bin admits") << 9473 << 10.0 << int(ChainKind::no_bin);
        QTest::newRow("a job ends before it has started") << 70 << 120.0 << int(ChainKind::too_short);
        QTest::newRow("there is a chain") << 50 << 10.0 << int(ChainKind::jobs);
    }
    void a_chain_says_why_there_is_none() {
        QFETCH(int, nodes);
        QFETCH(double, lost_minutes);
        QFETCH(int, kind);
        const JobChain c = job_chain(shipped_machine("frontier"), nodes, 30 * day, lost_minutes * minute);
        QCOMPARE(int(c.kind), kind);
        QVERIFY(!say(c).empty());
    }

    void the_queue_with_most_time_is_named_data() {
        QTest::addColumn<QString>("machine");
        QTest::addColumn<int>("nodes");
        QTest::addColumn<QString>("queue");
        QTest::addColumn<double>("hours");
        QTest::newRow("Frontier, small") << "frontier" << 64 << "extended" << 24.0;
        QTest::newRow("Frontier") << "frontier" << 65 << "batch" << 2.0;
        QTest::newRow("Aurora, small") << "aurora" << 16 << "capacity" << 168.0;
        QTest::newRow("Aurora") << "aurora" << 256 << "prod" << 12.0;
        QTest::newRow("Leonardo, small") << "leonardo" << 8 << "boost_qos_lprod" << 96.0;
        QTest::newRow("Leonardo") << "leonardo" << 9 << "boost_usr_prod" << 24.0;
        QTest::newRow("Daint") << "alps-daint" << 1022 << "normal" << 24.0;
        QTest::newRow("Clariden") << "alps-clariden" << 1200 << "normal" << 12.0;
        QTest::newRow("Santis") << "alps-santis" << 430 << "normal" << 24.0;
        QTest::newRow("Horizon, large") << "horizon" << 129 << "gb-large" << 48.0;
    }
    void the_queue_with_most_time_is_named() {
        QFETCH(QString, machine);
        QFETCH(int, nodes);
        QFETCH(QString, queue);
        QFETCH(double, hours);
        const JobChain c = job_chain(shipped_machine(machine.toUtf8().constData()), nodes, 30 * day, 10 * minute);
        QCOMPARE(QString::fromStdString(c.bin.queue), queue);
        QVERIFY(c.bin.walltime == hours * hour);
        QVERIFY(QString::fromStdString(say(c)).contains(queue + ": "));
    }

    void a_site_without_bins_has_no_policy() {
        QVERIFY(job_chain(shipped_machine("selene"), 8, day, minute).kind == ChainKind::no_policy);
    }

    void a_short_run_asks_for_its_own_time() {
        const JobChain c = job_chain(shipped_machine("frontier"), 184, 5 * hour, 10 * minute);
        QCOMPARE(c.jobs, 1.0);
        QVERIFY(c.walltime == 5 * hour + 10 * minute);
    }
};

PLIMSOLL_TEST(ResilienceTest)
#include "tst_resilience.moc"
