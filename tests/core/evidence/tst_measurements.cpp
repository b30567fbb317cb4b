// What the steps of a layout amount to, and when something disturbed them.
#include "registered_test.h"

#include "core/evidence/calibration/fit/calibrate.h"

using namespace plimsoll;

class MeasurementsTest : public QObject {
    Q_OBJECT

private slots:
    // Order statistics: of n values the extremes hold the median with 1 - 2 / 2^n.
    void an_interval_says_how_sure_it_is_data() {
        QTest::addColumn<int>("steps");
        QTest::addColumn<double>("confidence");
        QTest::newRow("of one: nothing") << 1 << 0.0;
        QTest::newRow("of three: three quarters, not 95 %") << 3 << 0.75;
        QTest::newRow("of four") << 4 << 0.875;
        QTest::newRow("of six: the extremes hold it") << 6 << 0.96875;
        QTest::newRow("of nine: without the extremes") << 9 << 1 - 2 * 10 / 512.0;
    }
    void an_interval_says_how_sure_it_is() {
        QFETCH(int, steps);
        QFETCH(double, confidence);
        TrainingRun run;
        for (int i = 0; i < steps + int(warm_up_steps); ++i) run.steps.emplace_back().wall = (1 + 0.01 * i) * second;
        QVERIFY(std::abs(summary_of(run).confidence - confidence) < 1e-12);
    }
    void two_visits_are_one_layout() {
        TrainingRun first, second_visit;
        for (const double s : {9.0, 9.0, 1.0, 1.02, 1.01}) first.steps.emplace_back().wall = s * second;
        for (const double s : {5.0, 5.0, 1.1, 1.11, 1.12}) second_visit.steps.emplace_back().wall = s * second;
        const StepSummary s = summary_of(Visits{&first, &second_visit});
        QCOMPARE(s.steps, 6);
        QCOMPARE(s.visits.size(), std::size_t(2));
        QCOMPARE(s.visits[0] / second, 1.01);
        QCOMPARE(s.visits[1] / second, 1.11);
        QCOMPARE(s.low / second, 1.0);
        QCOMPARE(s.high / second, 1.12);
    }

    void a_layout_is_unsteady_when_half_of_its_steps_are_data() {
        QTest::addColumn<QList<double>>("steps");
        QTest::addColumn<bool>("unsteady");
        QTest::newRow("alike") << QList<double>{9, 9, 1, 1.02, 0.99, 1.01, 1, 1.03} << false;
        QTest::newRow("one that is three times as long") << QList<double>{9, 9, 1, 1.02, 0.99, 3, 1, 1.03} << false;
        QTest::newRow("three of eight a third longer")
            << QList<double>{9, 9, 1, 1.02, 1.35, 1.33, 1, 1.36, 0.99, 1} << true;
        QTest::newRow("first steps never count") << QList<double>{9, 4, 1, 1, 1, 1} << false;
    }
    void a_layout_is_unsteady_when_half_of_its_steps_are() {
        QFETCH(QList<double>, steps);
        QFETCH(bool, unsteady);
        TrainingRun run;
        for (const double s : steps) run.steps.emplace_back().wall = s * second;
        QCOMPARE(summary_of(run).unsteady, unsteady);
        ProofRow fair;
        const ProofRow row = proven(fair, run);
        QCOMPARE(row.contended, unsteady);
        QCOMPARE(row.caution.find("differ too much") != std::string::npos, unsteady);
    }
};

PLIMSOLL_TEST(MeasurementsTest)
#include "tst_measurements.moc"
