// What was measured of a machine, in its preset: it comes back as it was, and a
// file that says nonsense is told where.
#include "registered_test.h"

#include "core/files/presets/preset_json.h"
#include "core/files/presets/scenario_json.h"
#include "calibrations.h"

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

std::string put_in(std::string text, const std::string& what, const std::string& with) {
    const auto at = text.find(what);
    return at == text.npos ? "" : text.replace(at, what.size(), with);
}

QString said_of(const std::string& text) {
    const auto read = read_machine(text, "m.json");
    return QString::fromStdString(read ? say(read->warnings) : say(read.error()));
}

}  // namespace

class tst_calibration_json : public QObject {
    Q_OBJECT

private slots:
    void what_is_written_reads_the_same() {
        const Machine m = calibrated_machine();
        const auto read = read_machine(write_machine(m));
        QVERIFY2(read.has_value(), read ? "" : say(read.error()).c_str());
        QCOMPARE(QString::fromStdString(say(read->warnings)), QString());
        QVERIFY(read->machine.calibration);
        QVERIFY(*read->machine.calibration.get() == a_calibration());
        QVERIFY(read->machine == m);
        QCOMPARE(write_machine(read->machine), write_machine(m));
    }
    void times_of_any_length_survive_to_the_last_bit() {
        Calibration c = a_calibration();
        double t = 1e-7;
        for (MeasuredPoint& p : c.experiments[0].points) p.measured = (t *= 3.7) * second;
        c.proof[0].memory_measured = 123456789.0 * byte;
        Machine m = selene();
        m.calibration = c;
        QVERIFY(read_machine(write_machine(m))->machine == m);
    }
    void a_machine_that_was_not_measured_says_nothing_of_it() {
        QCOMPARE(write_machine(selene()).find("calibration"), std::string::npos);
        QVERIFY(!read_machine(write_machine(selene()))->machine.calibration);
    }
    void columns_may_come_in_any_order() {
        const std::string text =
            R"({"points": {"columns": ["size", "label", "fitted_s", "high_s", "low_s", "measured_s", "contended"],
            "rows": [[10, "a", 4, 3, 1, 2, true]]}, "id": "gemm"})";
        Machine m = selene();
        Calibration c = a_calibration();
        c.experiments = {{"gemm", "", "", {}, 0}};
        m.calibration = c;
        const std::string all = write_machine(m);
        const auto begin = all.find("\"experiments\": ["), end = all.find("],\n    \"constants\"");
        const auto read = read_machine(std::string(all).replace(begin, end - begin, "\"experiments\": [" + text));
        QVERIFY2(read.has_value(), read ? "" : say(read.error()).c_str());
        const MeasuredPoint wanted{"a", 10, 2 * second, 1 * second, 3 * second, 4 * second, true};
        QVERIFY(read->machine.calibration->experiments.at(0).points.at(0) == wanted);
    }
    void a_hundred_and_fifty_points_stay_small() {
        Calibration c = a_calibration();
        for (int i = 0; i < 6; ++i) {
            c.experiments.push_back(some_products());
            c.experiments.back().id.append(std::to_string(i));
        }
        Machine m = selene();
        m.calibration = c;
        QVERIFY2(write_machine(m).size() < 60000, qPrintable(QString::number(write_machine(m).size())));
    }
    void a_saved_plan_carries_its_machines_evidence() {
        Scenario s = gpt3_on_selene();
        s.machine = calibrated_machine();
        Library with;
        with.machines[s.machine.id] = s.machine;
        const std::string text = write_scenario(s, with);
        const auto elsewhere = read_scenario(text, {});
        QVERIFY2(elsewhere.has_value(), elsewhere ? "" : say(elsewhere.error()).c_str());
        QVERIFY(elsewhere->scenario.machine == s.machine);
        QVERIFY(read_scenario(write_scenario(s, {}), {})->scenario.machine == s.machine);
    }

    void what_is_wrong_is_told_with_its_place_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("with");
        QTest::addColumn<QString>("told");
        QTest::newRow("no date") << R"("date": "2026-11-21",)" << "" << "/calibration/date: missing";
        QTest::newRow("a value outside its interval")
            << R"("low": 0.881)"
            << R"("low": 0.9)"
            << "/calibration/constants/0/value: expected a value from low to high";
        QTest::newRow("an experiment without points") << R"("experiment": "gemm")"
                                                      << R"("experiment": "gem")"
                                                      << "nearest: \"gemm\"";
        QTest::newRow("a negative time") << R"("measured_s": 1.5)"
                                         << R"("measured_s": -1)"
                                         << "/calibration/proof/0/measured_s: found -1";
        QTest::newRow("a text for a number") << R"(120000000)"
                                             << R"("many")"
                                             << "/calibration/experiments/0/points/rows/0/1: found \"many\"";
        QTest::newRow("a value too many in a row") << R"(120000000,)"
                                                   << R"(120000000, 1,)"
                                                   << "/calibration/experiments/0/points/rows/0: ";
        QTest::newRow("a column misspelt") << R"("fitted_s",)" << R"("fited_s",)" << "expected a column \"fitted_s\"";
        QTest::newRow("a part nobody knows") << R"("gemm": 1.1)"
                                             << R"("gems": 1.1)"
                                             << "/calibration/proof/0/measured_parts_s/gems: warning: unknown key";
        QTest::newRow("a key nobody knows")
            << R"("software": )"
            << R"("softwear": )"
            << "/calibration/softwear: warning: unknown key, ignored; nearest: \"software\"";
        QTest::newRow("a list instead of a record") << R"("calibration": {)"
                                                    << R"("calibration": [], "x": {)"
                                                    << "/calibration: found a list, expected an object";
    }
    void what_is_wrong_is_told_with_its_place() {
        QFETCH(QString, what);
        QFETCH(QString, with);
        QFETCH(QString, told);
        const std::string text = put_in(write_machine(calibrated_machine()), what.toStdString(), with.toStdString());
        QVERIFY2(!text.empty(), "the text to replace is not there");
        QVERIFY2(said_of(text).contains(told), qPrintable(said_of(text)));
    }
};

PLIMSOLL_TEST(tst_calibration_json)
#include "tst_calibration_json.moc"
