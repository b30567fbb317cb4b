// What the steps of a layout amount to, and when something disturbed them.
#include "registered_test.h"

#include "core/evidence/calibration/fit/calibrate.h"

using namespace plimsoll;

class MeasurementsTest : public QObject {
    Q_OBJECT

private slots:
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
