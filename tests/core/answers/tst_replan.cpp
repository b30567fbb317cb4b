// A job that runs otherwise than predicted: when that is drift, what it may mean, and when another layout pays.
#include "registered_test.h"

#include "core/answers/plan/estimate.h"
#include "core/answers/replan/replan.h"
#include "core/files/measured/measured_steps.h"
#include "shipped.h"

#include <cmath>

using namespace plimsoll;

namespace {

// 6.7 billion parameters on 4 nodes of A100: small enough to search in a blink, with more than one good layout.
Scenario job() {
    Scenario s;
    s.model = library().models.at("gpt3-6.7b");
    s.machine = library().machines.at("selene");
    s.stack = library().stacks.at("megatron-lm-2021");
    s.layout.devices = 32, s.layout.data_parallel = 8, s.layout.tensor_parallel = 4;
    s.layout.micro_batch = 2;
    s.recipe.global_batch_sequences = 128;
    s.recipe.sequence_length = 2048;
    return s;
}

MeasuredSteps steady(double factor, double scatter = 0.005) {
    MeasuredSteps m;
    const Seconds step = estimate(job())->step.total();
    for (int i = 0; i < 31; ++i) m.steps.push_back(factor * (1 + scatter * std::sin(i)) * step);
    return m;
}

}  // namespace

class ReplanTest : public QObject {
    Q_OBJECT

private slots:
    void drift_is_what_the_whole_interval_says_data() {
        QTest::addColumn<double>("factor");
        QTest::addColumn<double>("scatter");
        QTest::addColumn<bool>("departs");
        QTest::newRow("as predicted") << 1.0 << 0.005 << false;
        QTest::newRow("a fifth slower") << 1.2 << 0.005 << true;
        QTest::newRow("a fifth faster") << 0.8 << 0.005 << true;
        QTest::newRow("a tenth slower is at the threshold") << 1.1 << 0.005 << false;
        QTest::newRow("an eighth slower, but steps differ by half") << 1.125 << 0.5 << false;
    }
    void drift_is_what_the_whole_interval_says() {
        QFETCH(double, factor);
        QFETCH(double, scatter);
        QFETCH(bool, departs);
        QCOMPARE(drift_of(job(), steady(factor, scatter)).departs(0.1), departs);
    }
    void no_steps_are_no_drift() {
        const Drift d = drift_of(job(), {});
        QVERIFY(!d.departs(0));
        QVERIFY(replan(job(), d, 1000, common_space()).empty());
    }

    void every_reading_explains_what_was_measured() {
        const Drift d = drift_of(job(), steady(1.3));
        const auto readings = replan(job(), d, 1000, common_space());
        QCOMPARE(int(readings.size()), 3);
        for (const Replan& r : readings) QVERIFY2(std::abs(r.step / d.measured - 1) < 0.02, r.reading.c_str());
    }
    void parts_that_are_known_leave_one_reading() {
        MeasuredSteps m = steady(1);
        m.parts = estimate(job())->step;
        m.parts->tensor_parallel *= 3;
        for (Seconds& s : m.steps) s = m.parts->total();
        const auto readings = replan(job(), drift_of(job(), m), 1000, common_space());
        QCOMPARE(int(readings.size()), 1);
        QCOMPARE(QString::fromStdString(readings[0].reading), QString("parts as measured"));
        QVERIFY(std::abs(readings[0].step / m.parts->total() - 1) < 0.02);
    }
    void a_slower_network_asks_for_less_of_it() {
        const auto readings = replan(job(), drift_of(job(), steady(1.6)), 1e5, common_space());
        const auto slow = std::find_if(readings.begin(), readings.end(),
                                       [](const Replan& r) { return r.reading == "communication is slower"; });
        QVERIFY(slow != readings.end());
        QVERIFY(slow->best && slow->best->layout.tensor_parallel < job().layout.tensor_parallel);
        QVERIFY(slow->net() > Seconds{});
    }

    void the_least_gain_is_over_all_readings() {
        const auto readings = replan(job(), drift_of(job(), steady(1.6)), 1e5, common_space());
        for (const Replan& r : not_empty(readings)) {
            QVERIFY(r.least_gain <= r.gain());
            if (r.stays()) continue;
            for (const Replan& other : readings)
                QVERIFY(r.least_gain
                        <= other.step - estimate(with_layout(other.corrected, r.best->layout))->step.total());
        }
    }

    void gain_is_weighed_against_stopping_and_starting() {
        const Drift d = drift_of(job(), steady(1.6));
        for (const Replan& r : not_empty(replan(job(), d, 1, common_space()))) {
            QVERIFY(r.stays() || r.cost() > Seconds{});
            QVERIFY(r.stays() || r.net() < Seconds{});             // one step never pays for a restart of minutes
            if (r.break_even() && !r.stays()) {
                Replan later = r;
                later.steps_left = *r.break_even();
                QVERIFY(std::abs(later.net() / second) < 1e-6 * (r.cost() / second));
            }
        }
    }

    void tables_are_read_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("first_s");
        QTest::addColumn<int>("steps");
        QTest::addColumn<bool>("parts");
        QTest::newRow("seconds with commas") << "step_s\n12.5\n12.25\n" << 12.5 << 2 << false;
        QTest::newRow("milliseconds among other columns") << "step,loss,step_time_ms\n1,3.2,500\n2,3.1,250\n"
                                                          << 0.5 << 2 << false;
        QTest::newRow("parts, tabs and Windows' line ends") << "step_s\tgemm\tdata_parallel\r\n2\t1.5\t0.5\r\n"
                                                            << 2.0 << 1 << true;
        QTest::newRow("comments and blank lines") << "# job 17\n\nseconds\n3\n\n" << 3.0 << 1 << false;
    }
    void tables_are_read() {
        QFETCH(QString, text);
        QFETCH(double, first_s);
        QFETCH(int, steps);
        QFETCH(bool, parts);
        const auto m = read_measured_steps(text.toStdString());
        QVERIFY2(m.has_value(), m ? "" : say(m.error()).c_str());
        QCOMPARE(int(m->steps.size()), steps);
        QCOMPARE(m->steps[0] / second, first_s);
        QCOMPARE(m->parts.has_value(), parts);
        if (parts) QCOMPARE(m->parts->data_parallel / second, 0.5);
    }

    void files_that_say_nothing_say_why_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("why");
        QTest::newRow("empty") << "" << "step_s";
        QTest::newRow("no step time among the columns") << "loss,lr\n3,0.1\n" << "found the columns loss, lr";
        QTest::newRow("a word instead of a number") << "step_s\nfast\n" << "line 2: found \"fast\"";
        QTest::newRow("a negative time") << "step_s\n1\n-1\n" << "line 3";
        QTest::newRow("a header alone") << "step_s\n" << "no steps";
        QTest::newRow("an engine's log without steps")
            << "{\"type\":\"hello\",\"run\":\"r\",\"seq\":0,\"t_s\":0,\"schema\":1}\n"
            << "at least two steps";
    }
    void files_that_say_nothing_say_why() {
        QFETCH(QString, text);
        QFETCH(QString, why);
        const auto m = read_measured_steps(text.toStdString(), "job.csv");
        QVERIFY(!m);
        QVERIFY2(QString::fromStdString(say(m.error())).contains(why), say(m.error()).c_str());
    }
};

PLIMSOLL_TEST(ReplanTest)
#include "tst_replan.moc"
