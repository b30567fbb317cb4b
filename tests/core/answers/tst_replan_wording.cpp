// What is said of a running job's drift, on the command line and in the window.
#include "registered_test.h"

#include "core/values/knobs/wording.h"
#include "core/answers/replan/replan_wording.h"

using namespace plimsoll;

namespace {

Drift drift_between(double low, double middle, double high) {
    Drift d;
    d.predicted = 10 * second, d.low = low * second, d.measured = middle * second, d.high = high * second;
    d.steps = 31;
    return d;
}

// Of a job with `left` steps: another layout gains `gain` seconds a step in this reading and `least` at worst, for 100
// s.
Replan reading(double gain, double least, double left, const char* name = "everything alike") {
    Replan r;
    r.reading = name;
    r.corrected.layout.data_parallel = 8;
    r.step = 13 * second;
    r.best = Candidate{{}, r.step - gain * second, {}, {}};
    r.stop = 40 * second, r.restart = 60 * second;
    r.steps_left = left;
    r.least_gain = least * second;
    return r;
}
Replan staying() {
    Replan r = reading(0, 0, 1000);
    r.best->layout = r.corrected.layout;
    return r;
}

}  // namespace

class ReplanWordingTest : public QObject {
    Q_OBJECT

private slots:
    void the_verdict_follows_from_interval_and_share_data() {
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("middle");
        QTest::addColumn<double>("high");
        QTest::addColumn<QString>("says");
        QTest::newRow("as predicted") << 9.9 << 10.0 << 10.1
                                      << "That is within 10 %: the plan holds, nothing was searched.";
        QTest::newRow("steps that scatter say less than their median")
            << 10.5 << 12.0 << 14.0 << "But the steps differ so much that it may be within 10 %";
        QTest::newRow("all of the interval is beyond it") << 11.5 << 12.0 << 12.5 << "";
    }
    void the_verdict_follows_from_interval_and_share() {
        QFETCH(double, low);
        QFETCH(double, middle);
        QFETCH(double, high);
        QFETCH(QString, says);
        const Drift d = drift_between(low, middle, high);
        const QString said = QString::fromStdString(say_verdict(d, 0.1));
        QCOMPARE(said.isEmpty(), d.departs(0.1));
        QVERIFY2(said.startsWith(says), qPrintable(said));
    }
    void the_drift_is_said_with_interval_count_and_sign() {
        QCOMPARE(say_drift(drift_between(12, 13, 14)),
                 std::string("measured 13 s a step (12 s to 14 s, 31 steps), predicted 10 s: +30.0 %"));
    }

    void the_advice_is_what_the_readings_are_worth_data() {
        QTest::addColumn<std::vector<Replan>>("readings");
        QTest::addColumn<QString>("says");
        using All = std::vector<Replan>;
        QTest::newRow("no reading") << All{} << "Neither the machine nor its software can be corrected";
        QTest::newRow("the present layout is the best")
            << All{staying()} << "Go on as it is: the present layout stays the best.";
        QTest::newRow("known parts and a layout that pays")
            << All{reading(1, 1, 1000)} << "saves 15 min, stopping and starting included.";
        QTest::newRow("a layout that pays whichever reading is right")
            << All{reading(2, 1, 1000), reading(1, 1, 1000)}
            << "at least 15 min until the end, whichever reading of the measurements is right.";
        QTest::newRow("a layout that pays in one reading alone")
            << All{reading(2, -1, 1000, "computation is slower"), staying()} << "Find out more before changing";
        QTest::newRow("too few steps are left")
            << All{reading(1, 1, 50)} << "Go on as it is: no other layout pays for stopping and starting";
    }
    void the_advice_is_what_the_readings_are_worth() {
        QFETCH(std::vector<Replan>, readings);
        QFETCH(QString, says);
        const QString said = QString::fromStdString(say_advice(readings));
        QVERIFY2(said.contains(says), qPrintable(said));
    }

    void the_safest_is_not_the_boldest() {
        const std::vector<Replan> all{reading(5, 0.5, 1000), reading(2, 1, 1000), staying()};
        QCOMPARE(safest(all), std::optional<std::size_t>(1));
        QVERIFY(!safest({reading(5, -1, 1000), staying()}));
    }

    void a_reading_has_a_cell_for_every_heading_and_its_verdict_last_data() {
        QTest::addColumn<Replan>("reading");
        QTest::addColumn<QString>("pays_after");
        QTest::addColumn<QString>("verdict");
        Replan none = reading(1, -13, 1000);
        none.best.reset();
        QTest::newRow("it pays") << reading(1, 1, 1000) << "100 steps" << "saves 15 min";
        QTest::newRow("it pays too late") << reading(1, -1, 50) << "100 steps" << "costs more than it saves";
        QTest::newRow("nothing is better") << staying() << "" << "the present layout stays the best";
        QTest::newRow("nothing fits") << none << "" << "no layout fits";
    }
    void a_reading_has_a_cell_for_every_heading_and_its_verdict_last() {
        QFETCH(Replan, reading);
        QFETCH(QString, pays_after);
        QFETCH(QString, verdict);
        const auto cells = replan_cells(reading);
        QCOMPARE(cells.size(), replan_headings().size());
        QCOMPARE(QString::fromStdString(cells[6]), pays_after);
        QCOMPARE(QString::fromStdString(cells.back()), verdict);
    }
};

PLIMSOLL_TEST(ReplanWordingTest)
#include "tst_replan_wording.moc"
