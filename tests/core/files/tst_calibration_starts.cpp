// The table of what happens at Calibrate: the help page quotes it word by word, and every row says what it must.
// With PLIMSOLL_WRITE_GOLDEN=1 the page's table is written anew.
#include "registered_test.h"

#include "core/files/presets/scenario_json.h"
#include "core/files/results/calibration_starts.h"
#include "shipped.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace plimsoll;

namespace {

Scenario small_plan() {
    return read_scenario(*read_text(library().scenarios.at("gpt2-124m-laptop")), library())->scenario;
}

const std::vector<MachineStart>& all_starts() {
    static const auto all = calibration_starts(small_plan(), library());
    return all;
}

CalibrationStart start_on(const char* id) {
    Scenario s = small_plan();
    s.machine = library().machines.at(id);
    return calibration_start(s, library());
}

const QString help_page = QStringLiteral(PLIMSOLL_TESTS_DIR "/../resources/help/calibrate.md");

}  // namespace

class CalibrationStartsTest : public QObject {
    Q_OBJECT

private slots:
    void the_help_page_has_the_table_as_the_program_prints_it() {
        QFile file(help_page);
        QVERIFY(file.open(QFile::ReadOnly));
        QString page = QString::fromUtf8(file.readAll());
        file.close();
        const QString table = QString::fromStdString(to_markdown(all_starts()));
        const QString head = table.left(table.indexOf(u'\n') + 1);
        const qsizetype from = page.indexOf(head);
        QVERIFY2(from > 0, "the page has no such table");
        const qsizetype to = page.indexOf("\n\n", from) + 1;
        if (qEnvironmentVariableIsSet("PLIMSOLL_WRITE_GOLDEN")) {
            page.replace(from, to - from, table);
            QVERIFY(file.open(QFile::WriteOnly) && file.write(page.toUtf8()) > 0);
            return;
        }
        QCOMPARE(page.mid(from, to - from), table);
    }

    void rows_of_the_table_count_every_machine_once() {
        int counted = 0;
        const auto lines = QString::fromStdString(to_markdown(all_starts())).split(u'\n', Qt::SkipEmptyParts);
        for (const QString& line : lines.mid(2)) counted += line.split(u'|').value(3).trimmed().toInt();
        QCOMPARE(std::size_t(counted), library().machines.size());
    }

    void json_says_of_every_machine_one_of_three() {
        const auto rows = QJsonDocument::fromJson(QByteArray::fromStdString(to_json(all_starts()))).array();
        QCOMPARE(std::size_t(rows.size()), library().machines.size());
        for (const auto& value : rows) {
            const QJsonObject row = value.toObject();
            const QString way = row["way"].toString(), id = row["machine"].toString();
            QVERIFY2(way == "here" || way == "script" || way == "refused", qPrintable(id));
            QCOMPARE(way == "refused", row["options"].toArray().isEmpty());
            QCOMPARE(way == "refused", !row["works"].toArray().isEmpty());
            QCOMPARE(way == "script", row["script"].isString());
            QVERIFY2(way == "refused" || row["expected_seconds"].toDouble() > 0, qPrintable(id));
        }
    }

    void the_window_s_sentence_says_which_of_three_data() {
        QTest::addColumn<QString>("says");
        QTest::newRow("cpu-2core") << "is calibrated by Start on that computer itself, on its processors";
        QTest::newRow("ws-rtx4090") << "is calibrated by Start on that computer itself, on its GPUs (CUDA)";
        QTest::newRow("frontier") << "by a job (Batch job): a Slurm script for 2 nodes with 8 ranks each, HIP";
        QTest::newRow("fugaku") << "a PJM script for 2 nodes with 1 rank each, CPU";
        QTest::newRow("fugaku-cmg") << "a PJM script for 2 nodes with 4 ranks each, CPU";
        QTest::newRow("archer2") << "a Slurm script for 1 node with 1 rank each, CPU";
        QTest::newRow("tpu-v4") << "is not calibrated: plimsoll-engine has no back end for Google TPU v4 (what works";
        QTest::newRow("summit") << "needs compute capability 8.0, which NVIDIA V100 SXM2 16GB has not";
        QTest::newRow("lumi-module") << "its preset counts two GCDs as one device";
        QTest::newRow("tsubame4") << "there is no script for Altair Grid Engine";
    }
    void the_window_s_sentence_says_which_of_three() {
        QFETCH(QString, says);
        const char* id = QTest::currentDataTag();
        const QString said = QString::fromStdString(say_start(library().machines.at(id), start_on(id)));
        QVERIFY2(said.contains(says), qPrintable(said));
    }

    void a_module_is_referred_to_its_own_machine_s_dies_data() {
        QTest::addColumn<QString>("dies");
        QTest::newRow("crusher-module") << "machine=crusher";
        QTest::newRow("lumi-module") << "machine=lumi";
    }
    void a_module_is_referred_to_its_own_machine_s_dies() {
        QFETCH(QString, dies);
        const auto start = start_on(QTest::currentDataTag());
        QVERIFY(!start.works.empty());
        QCOMPARE(QString::fromStdString(start.works.front().options.back()), dies);
    }

    void without_the_presets_it_starts_from_nothing_is_calibrated() {
        const auto start = calibration_start(small_plan(), Library{});
        QVERIFY(start.way == CalibrationWay::refused && start.reasons.size() == 1);
    }

    // A machine of somebody's own whose devices nobody knows and whose jobs nobody starts.
    void a_stranger_s_machine_is_refused_with_both_reasons() {
        Scenario s = small_plan();
        s.machine = library().machines.at("tpu-v4");
        s.machine.scheduler.kind = "Borg";
        const auto start = calibration_start(s, library());
        QCOMPARE(start.reasons.size(), std::size_t(2));
        QVERIFY(start.reasons[1].find("Borg") != std::string::npos);
    }
};

PLIMSOLL_TEST(CalibrationStartsTest)
#include "tst_calibration_starts.moc"
