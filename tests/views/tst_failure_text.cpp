// Why a calibration ended before its time, in sentences.
#include "registered_test.h"

#include "views/calibrate/calibration_text.h"

using namespace plimsoll;

namespace {

CalibrationLog at_second_of_three() {
    CalibrationLog log;
    for (
        const char* line :
        {R"({"type":"experiment","run":"c","seq":0,"t_s":0,"id":"gemm","role":"measure","label":"Matrix products",)"
         R"("number":1,"of":3})",
         R"({"type":"run","run":"c","seq":1,"t_s":1,"experiment":"gemm","status":"ok"})",
         R"({"type":"experiment","run":"c","seq":2,"t_s":2,"id":"dp2","role":"fit","label":"Two data ranks",)"
         R"("number":2,"of":3})"})
        log.take(line);
    return log;
}

}  // namespace

class FailureTextTest : public QObject {
    Q_OBJECT

private slots:
    void a_killed_rank_is_found_data() {
        QTest::addColumn<QString>("said");
        QTest::addColumn<int>("rank");
        QTest::newRow("Open MPI")
            << "mpirun noticed that process rank 3 with PID 0 on node x exited on signal 9 (Killed)." << 3;
        QTest::newRow("MPICH") << "=   BAD TERMINATION: rank 12 PID 88 RUNNING AT x, KILLED BY SIGNAL: 9" << 12;
        QTest::newRow("nobody says a rank") << "Killed" << -1;
    }
    void a_killed_rank_is_found() {
        QFETCH(QString, said);
        QFETCH(int, rank);
        const CalibrationLog log = at_second_of_three();
        QCOMPARE(killed_rank({log, 137, {}, {"-----", said}}).value_or(-1), rank);
    }

    void a_rank_has_its_own_phase_of_the_beat() {
        const std::string beat = "rank 1 forward, gemm; rank 11 backward, data_parallel";
        QCOMPARE(phase_of_rank(beat, 1), QString("forward, gemm"));
        QCOMPARE(phase_of_rank(beat, 11), QString("backward, data_parallel"));
        QCOMPARE(phase_of_rank(beat, 2), QString());
    }

    void every_end_says_where_and_what_is_kept_data() {
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("begins");
        QTest::newRow("watchdog") << 70
                                  << "The ranks stopped making progress in \"Two data ranks\" and the engine ended the "
                                     "run.\nWhere the ranks last were: rank 0 backward, gemm.";
        QTest::newRow("full disk") << 74 << "The engine ended in \"Two data ranks\": its log could not be written.";
        QTest::newRow("a signal without a rank")
            << 139 << "The engine ended in \"Two data ranks\": ended by signal 11.";
        QTest::newRow("a code that means nothing") << 99 << "The engine ended in \"Two data ranks\" with exit code 99.";
    }
    void every_end_says_where_and_what_is_kept() {
        QFETCH(int, code);
        QFETCH(QString, begins);
        const CalibrationLog log = at_second_of_three();
        const QString text = failure_text({log, code, "rank 0 backward, gemm", {}});
        QVERIFY2(text.startsWith(begins), qPrintable(text));
        QVERIFY2(text.endsWith("1 of 3 runs are complete and kept: Resume goes on from there."), qPrintable(text));
    }

    void without_a_complete_run_nothing_is_promised() {
        const CalibrationLog log;
        QVERIFY(failure_text({log, 6, {}, {}}).endsWith("nothing can be gone on from."));
    }
};

PLIMSOLL_TEST(FailureTextTest)
#include "tst_failure_text.moc"
