// The record of a calibration: what it says of the machine, what it leaves out,
// and when the measurements are too disturbed to be one.
#include "registered_test.h"

#include "core/evidence/calibration/proof/record.h"
#include "calibrations.h"

#include <algorithm>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

ExperimentPlan a_plan() {
    ExperimentPlan p;
    p.machine = selene();
    p.engine = megatron();
    p.constants = {{"/device/efficiency/gemm_ceiling", "Matrix products", "gemm", ""},
                   {"/device/efficiency/stream_fraction", "Memory stream", "stream", ""},
                   {"/power/device_max_W", "Power of a device", "", "no counter shows it"}};
    return p;
}

Calibrated calibrated() {
    Calibrated c;
    c.machine = selene();
    c.stack = megatron();
    c.experiments = {some_products()};
    c.constants = {{"/device/efficiency/gemm_ceiling", "gemm", 0.75, 0.893, 0.881, 0.904}};
    return c;
}

Measurements on(std::vector<EngineHardware> nodes) {
    Measurements m;
    m.nodes = std::move(nodes);
    return m;
}

bool says(const std::vector<std::string>& all, const char* words) {
    return std::any_of(all.begin(), all.end(),
                       [&](const std::string& s) { return s.find(words) != std::string::npos; });
}

}  // namespace

class tst_calibration_record : public QObject {
    Q_OBJECT

private slots:
    void it_names_its_base_and_what_stays_assumed() {
        const Calibration c = record_of(a_plan(), calibrated(), {held_back("a", 2, 0.1)},
                                        on({{"EPYC", 2, 24 * gibibyte}}), {"2026-11-21", "engine", "ff", ""});
        QCOMPARE(c.based_on, selene().id);
        QCOMPARE(c.stack, megatron().id);
        QCOMPARE(c.host, std::string("EPYC, 2 cores, 24 GiB"));
        QVERIFY(says(c.assumed, "Power of a device: no counter shows it"));
        QVERIFY(says(c.assumed, "Memory stream: its experiment gave no point"));
        QVERIFY(!says(c.assumed, "Matrix products"));
        QCOMPARE(c.proof.size(), std::size_t(1));
    }
    void a_rate_above_the_base_s_counts_as_measured() {
        Calibrated fast = calibrated();
        fast.constants.push_back({"/device/bandwidth_GBps", "stream", 2039, 2100, 2000, 2200});
        QVERIFY(!says(record_of(a_plan(), fast, {}, {}, {}).assumed, "Memory stream"));
    }
    void what_was_measured_without_being_promised_is_not_assumed() {
        Calibrated more = calibrated();
        more.constants.push_back({"/power/device_max_W", "", 400, 420, 410, 430});
        QVERIFY(!says(record_of(a_plan(), more, {}, {}, {}).assumed, "Power of a device"));
    }
    void disturbed_points_and_runs_that_did_not_happen_are_said() {
        ProofRow idle = held_back("b", 2, 0.1);
        idle.measured = {};
        const Calibration c = record_of(a_plan(), calibrated(), {idle}, {}, {"2026-11-21"});
        QVERIFY(says(c.cautions, "3 of 24 points were measured while somebody else"));
        QVERIFY(says(c.cautions, "1 layout that was held back did not run"));
    }
    void no_counter_is_an_answer() {
        Measurements m;
        m.runs.resize(1);
        m.runs[0].steps.resize(4);
        QVERIFY(record_of(a_plan(), calibrated(), {}, m, {}).energy.starts_with("Unavailable"));
        m.runs[0].steps[3].energy = 5 * joule;
        QVERIFY(record_of(a_plan(), calibrated(), {}, m, {}).energy.find("1 of 4 steps") != std::string::npos);
        QCOMPARE(record_of(a_plan(), calibrated(), {}, m, {"", "", "", "RAPL of two packages"}).energy,
                 std::string("RAPL of two packages"));
    }
    void names_of_nodes_do_not_get_in() {
        Measurements m;
        m.runs.resize(1);
        m.runs[0].layout.grid = {{0, 0, 0, 0, "crimson17", "cpu"}};
        Calibrated c = calibrated();
        c.cautions = {"rank 0 on crimson17 was slow"};
        QVERIFY(says(record_of(a_plan(), c, {}, m, {}).cautions, "rank 0 on (removed) was slow"));
    }
    void equal_nodes_are_told_once() {
        const EngineHardware big{"Grace", 72, 480 * gibibyte}, small{"EPYC", 8, 64 * gibibyte};
        QCOMPARE(describe({big, small, big}),
                 std::string("EPYC, 8 cores, 64 GiB; 2 nodes of Grace, 72 cores, 480 GiB"));
        QCOMPARE(describe({}), std::string());
    }
    void devices_of_a_node_are_told_before_its_processor() {
        const EngineHardware host{"EPYC", 96, 768 * gibibyte};
        const EngineDevice first{0, "NVIDIA H200", "0000:06:00.0", 140 * gibibyte},
            second{0, "NVIDIA H200", "0000:07:00.0", 140 * gibibyte}, other{1, "NVIDIA H200", "0000:06:00.0", {}};
        QCOMPARE(describe({host}, {first}), std::string("NVIDIA H200 of 140 GiB beside EPYC, 96 cores, 768 GiB"));
        QCOMPARE(describe({host, host}, {first, second, other}),
                 std::string("2 NVIDIA H200 of 140 GiB beside EPYC, 96 cores, 768 GiB; NVIDIA H200 beside EPYC, 96 "
                             "cores, 768 GiB"));
    }

    void what_tells_who_or_where_is_removed_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("left");
        QTest::newRow("a folder") << "wrote /disk/ada/run.json twice" << "wrote (removed) twice";
        QTest::newRow("a folder in quotes") << "in \"~/runs\"" << "in (removed)";
        QTest::newRow("a relative folder") << "see data/sets/own" << "see (removed)";
        QTest::newRow("a host") << "on node7.cluster.example: slow" << "on (removed) slow";
        QTest::newRow("an address") << "from 10.0.0.7" << "from (removed)";
        QTest::newRow("an account") << "ada@login started it" << "(removed) started it";
        QTest::newRow("versions stay") << "OpenBLAS 0.3.21, Open MPI v4.1.4" << "OpenBLAS 0.3.21, Open MPI v4.1.4";
        QTest::newRow("a processor stays") << "Xeon(R) CPU E5-2680 v4 @ 2.40GHz" << "Xeon(R) CPU E5-2680 v4 @ 2.40GHz";
        QTest::newRow("the kernel's own files stay")
            << "no sys/class/powercap/intel-rapl:* nor /sys/cray/pm_counters/energy"
            << "no sys/class/powercap/intel-rapl:* nor /sys/cray/pm_counters/energy";
        QTest::newRow("rates stay") << "2.5 GFLOP/s and 3 GB/s" << "2.5 GFLOP/s and 3 GB/s";
    }
    void what_tells_who_or_where_is_removed() {
        QFETCH(QString, text);
        QFETCH(QString, left);
        QCOMPARE(QString::fromStdString(scrubbed(text.toStdString())), left);
    }

    void a_good_calibration_is_not_refused() { QVERIFY(!refusal(a_calibration())); }
    void more_than_half_of_the_points_disturbed_is_refused() {
        Calibration c = a_calibration();
        for (std::size_t i = 0; i < 13; ++i) c.experiments[0].points[i].contended = true;
        QVERIFY(refusal(c));
        QVERIFY(refusal(c)->find("of 24 points") != std::string::npos);
    }
    void a_calibration_stands_on_the_runs_that_nothing_disturbed_data() {
        QTest::addColumn<int>("held_back");
        QTest::addColumn<int>("disturbed");
        QTest::addColumn<bool>("refused");
        QTest::newRow("none of six is disturbed") << 6 << 0 << false;
        QTest::newRow("two of six are a third: the others test it") << 6 << 2 << false;
        QTest::newRow("three of six are too many") << 6 << 3 << true;
        QTest::newRow("the only one is too many") << 1 << 1 << true;
        QTest::newRow("nothing was held back") << 0 << 0 << false;
    }
    void a_calibration_stands_on_the_runs_that_nothing_disturbed() {
        QFETCH(int, held_back);
        QFETCH(int, disturbed);
        QFETCH(bool, refused);
        Calibration c = a_calibration();
        c.proof.clear();
        for (int i = 0; i < held_back; ++i) {
            c.proof.push_back(::held_back("a", 2, 0.1));
            c.proof.back().contended = i < disturbed;
        }
        QCOMPARE(refusal(c).has_value(), refused);
        if (refused)
            QVERIFY(refusal(c)->find(std::to_string(disturbed) + " of " + std::to_string(held_back))
                    != std::string::npos);
    }
    void disturbance_where_nothing_is_claimed_is_not_refused() {
        Calibration c = a_calibration();
        for (ProofRow& row : c.proof) row.contended = !row.held_out || !row.fair;
        QVERIFY(!refusal(c));
    }
};

PLIMSOLL_TEST(tst_calibration_record)
#include "tst_calibration_record.moc"
