// What sacct and sstat print, read as joules with their scope, or as no data.
#include "registered_test.h"

#include "core/files/measured/job_energy.h"

using namespace plimsoll;

namespace {

JobEnergy read_energy(const std::string& text) {
    const auto job = read_job_energy(text);
    if (!job) QTest::qFail(say(job.error()).c_str(), __FILE__, __LINE__);
    return job ? *job : JobEnergy{};
}

}  // namespace

class JobEnergyTest : public QObject {
    Q_OBJECT

private slots:
    void a_job_is_its_own_line_and_not_the_sum_of_its_steps() {
        const auto job = read_energy(
            "JobID|Elapsed|NNodes|ConsumedEnergyRaw\n"
            "4711|1-02:03:04|16|123456789\n4711.batch|1-02:03:04|1|7000000\n4711.0|1-02:00:00|16|120000000\n");
        QCOMPARE(job.job, std::string("4711"));
        QCOMPARE(*job.energy / joule, 123456789.0);
        QVERIFY(!job.of_steps);
        QCOMPARE(job.nodes, 16);
        QCOMPARE(*job.elapsed / second, 93784.0);
        QVERIFY(job.scope.find("had them to itself") != std::string::npos);
    }
    void a_job_without_its_own_number_is_the_sum_of_its_steps() {
        const auto job = read_energy(
            "JobID|Elapsed|NNodes|ConsumedEnergyRaw\n8|00:10:00|2|\n8.extern|00:10:00|2|0\n8.0|00:04:00|2|3000\n8.1|00:"
            "05:00|2|4000\n");
        QCOMPARE(*job.energy / joule, 7000.0);
        QVERIFY(job.of_steps);
    }
    void it_is_said_with_its_scope_and_without_its_id() {
        const std::string text = say(read_energy("JobID|Elapsed|NNodes|ConsumedEnergyRaw\n4711|00:10:00|16|7200000\n"));
        for (const char* part : {"counted 2 kWh", "whole job", "on 16 nodes", "had them to itself"})
            QVERIFY2(text.find(part) != std::string::npos, text.c_str());
        QVERIFY(text.find("4711") == std::string::npos);
        const JobEnergy of_steps = read_energy("JobID|ConsumedEnergyRaw\n99.0|52000\n");
        QVERIFY(say(of_steps).find("summed over its steps") != std::string::npos);
        const std::string none = say(read_energy("JobID|Elapsed|NNodes|ConsumedEnergyRaw\n5|00:10:00|1|0\n"));
        QVERIFY2(none.find("no joules") != std::string::npos && none.find("AcctGatherEnergyType") != std::string::npos,
                 none.c_str());
    }
    void joules_that_no_node_can_draw_are_said_to_be_wrong_data() {
        QTest::addColumn<QString>("joules");
        QTest::addColumn<bool>("doubted");
        QTest::newRow("750 W a node") << "7200000" << false;
        QTest::newRow("a node of eight accelerators at 12 kW") << "115200000" << false;
        QTest::newRow("a counter that wrapped: 2 TW a node") << "18446744073709551" << true;
        QTest::newRow("half a watt a node") << "4800" << true;
    }
    void joules_that_no_node_can_draw_are_said_to_be_wrong() {
        QFETCH(QString, joules);
        QFETCH(bool, doubted);
        const std::string text = say(read_energy("JobID|Elapsed|NNodes|ConsumedEnergyRaw\n4711|00:10:00|16|"
                                                 + joules.toStdString() + "\n"));
        QCOMPARE(text.find("is not to be used") != text.npos, doubted);
    }
    void sstat_tells_steps_alone() {
        const auto job = read_energy("JobID|ConsumedEnergyRaw\n99.0|52000\n");
        QCOMPARE(job.job, std::string("99"));
        QCOMPARE(*job.energy / joule, 52000.0);
        QVERIFY(job.of_steps && !job.elapsed);
        QCOMPARE(job.nodes, 0);
    }
    void columns_come_in_any_order_and_lines_from_anywhere() {
        const auto job = read_energy("NNodes|ConsumedEnergyRaw|JobID|State\r\n4|1.5e6|12|COMPLETED\r\n");
        QCOMPARE(*job.energy / joule, 1.5e6);
        QCOMPARE(job.nodes, 4);
    }

    void no_data_is_said_in_words_data() {
        QTest::addColumn<QString>("rows");
        QTest::addColumn<QString>("says");
        QTest::newRow("zero, as without a plug-in") << "5|00:01:00|1|0\n5.batch|00:01:00|1|0\n"
                                                    << "AcctGatherEnergyType=none";
        QTest::newRow("nothing yet") << "5|00:00:00|1|\n" << "no energy of this job";
    }
    void no_data_is_said_in_words() {
        QFETCH(QString, rows);
        QFETCH(QString, says);
        const auto job = read_energy("JobID|Elapsed|NNodes|ConsumedEnergyRaw\n" + rows.toStdString());
        QVERIFY(!job.energy && job.scope.empty());
        QVERIFY2(QString::fromStdString(job.reason).contains(says), job.reason.c_str());
    }

    void what_is_wrong_is_named_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        QTest::newRow("nothing") << "" << "no column JobID";
        QTest::newRow("without -P") << "JobID    Elapsed   NNodes ConsumedEnergyRaw\n" << "no column JobID";
        QTest::newRow("the column for people") << "JobID|ConsumedEnergy\n5|1.2M\n" << "no column ConsumedEnergyRaw";
        QTest::newRow("an unknown job") << "JobID|ConsumedEnergyRaw\n" << "no job below it";
        QTest::newRow("two jobs") << "JobID|ConsumedEnergyRaw\n5|100\n6|100\n" << "line 3: job 6 after job 5";
        QTest::newRow("a number with a unit") << "JobID|ConsumedEnergyRaw\n5|1.2M\n"
                                              << "line 2: ConsumedEnergyRaw is \"1.2M\"";
        QTest::newRow("a time that is none") << "JobID|Elapsed|ConsumedEnergyRaw\n5|yesterday|3\n"
                                             << "line 2: Elapsed is \"yesterday\"";
        QTest::newRow("a time without end") << "JobID|Elapsed|ConsumedEnergyRaw\n5|00:Infinity:00|3\n"
                                            << "line 2: Elapsed is \"00:Infinity:00\"";
        QTest::newRow("a time of ages") << "JobID|Elapsed|ConsumedEnergyRaw\n5|1e17:00:00|3\n" << "line 2: Elapsed is";
        QTest::newRow("more nodes than an int holds") << "JobID|NNodes|ConsumedEnergyRaw\n5|1e12|3\n"
                                                      << "line 2: NNodes is \"1e12\"";
        QTest::newRow("no nodes") << "JobID|NNodes|ConsumedEnergyRaw\n5|none|3\n" << "line 2: NNodes is \"none\"";
    }
    void what_is_wrong_is_named() {
        QFETCH(QString, text);
        QFETCH(QString, says);
        const auto job = read_job_energy(text.toStdString());
        QVERIFY(!job);
        const QString said = QString::fromStdString(say(job.error()));
        QVERIFY2(said.contains(says), qPrintable(said));
    }
};

PLIMSOLL_TEST(JobEnergyTest)
#include "tst_job_energy.moc"
