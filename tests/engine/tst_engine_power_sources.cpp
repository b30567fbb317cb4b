// What each source of energy says of a machine that is not here, and why it says nothing.
#include "registered_test.h"

#include "counter_trees.h"
#include "engine/power/sources/files.h"
#include "fake_counters.h"

#include <unistd.h>

using namespace plimsoll;
using namespace plimsoll::engine::power;

namespace {

double joules(Reader& reader, std::size_t domain, double now_s) {
    const auto readings = reader.read(now_s);
    return readings[domain] ? readings[domain]->joules : -1;
}
QString why(const Opened& opened) { return opened ? "it was opened" : QString::fromStdString(opened.error()); }
const Domain* named(const Reader& reader, const std::string& name) {
    for (const Domain& d : reader.domains()) if (d.name == name) return &d;
    return nullptr;
}

// Reads as a user that is not root, in this process alone.
class Nobody {
public:
    Nobody() { if (root_) was_set_ = seteuid(65534) == 0; }
    ~Nobody() { if (was_set_ && seteuid(0) != 0) qFatal("root is lost"); }

private:
    const bool root_ = geteuid() == 0;
    bool was_set_ = false;
};

}  // namespace

class TestEnginePowerSources : public QObject {
    Q_OBJECT

private slots:
    void init() { fake_counters(PLIMSOLL_FAKE_COUNTERS) = FakeCounters{}; }

    void a_machine_without_counters_gives_reasons() {
        const CounterTree tree;
        const auto sources = open_sources(tree.places());
        QCOMPARE(sources.size(), std::size_t(6));
        for (const CounterSource& s : sources) {
            QVERIFY2(!s.reader, s.name.c_str());
            QVERIFY2(!s.reason.empty(), s.name.c_str());
        }
    }

    void rapl_zones_nest_as_the_tree_does() {
        CounterTree tree;
        tree.with_zone("0", "package-0", 1000000)
            .with_zone("0:0", "core", 500000)
            .with_zone("0:1", "dram", 100000)
            .with_zone("1", "package-1", 0)
            .with_zone("1:0", "core", 0)
            .with(CounterTree::zone("0") / "constraint_0_power_limit_uw", "205000000")
            .with_zone("10", "psys", 0);
        const auto opened = open_rapl(tree.places());
        QVERIFY2(opened.has_value(), qPrintable(why(opened)));
        const Reader& r = **opened;
        QCOMPARE(r.domains().size(), std::size_t(6));
        QCOMPARE(named(r, "package-0")->nested_in, std::string("psys"));
        QCOMPARE(*named(r, "package-0")->limit_W, 205.0);
        QCOMPARE(named(r, "package-1/core")->nested_in, std::string("package-1"));
        QCOMPARE(int(named(r, "package-0/dram")->scope), int(Scope::dram));
        QCOMPARE(named(r, "package-0/dram")->nested_in, std::string("psys"));  // not in the package's number
        QCOMPARE(int(named(r, "psys")->scope), int(Scope::node));
    }
    // Each of them may be all of the platform or a socket's part of it: nothing tells which.
    void two_platform_zones_are_told_apart_and_doubted() {
        CounterTree tree;
        tree.with_zone("0", "package-0", 0).with_zone("10", "psys", 0).with_zone("11", "psys", 0);
        const auto opened = open_rapl(tree.places());
        QVERIFY2(opened.has_value(), qPrintable(why(opened)));
        const Reader& r = **opened;
        QVERIFY(named(r, "psys-10") && named(r, "psys-11"));
        QVERIFY(QString::fromStdString(named(r, "psys-11")->doubt).contains("2 zones count the platform"));
        QVERIFY(named(r, "package-0")->doubt.empty());
        QVERIFY(!named(r, "package-0")->nested_in.empty());
    }
    void a_board_that_somebody_else_computes_on_is_said() {
        FakeCounters& fake = fake_counters(PLIMSOLL_FAKE_COUNTERS);
        fake.boards = 2;
        fake.processes[1] = 3;
        const CounterTree tree;
        auto places = tree.places();
        places.nvml = PLIMSOLL_FAKE_COUNTERS;
        const auto opened = open_nvml(places);
        QVERIFY2(opened.has_value(), qPrintable(why(opened)));
        QVERIFY((*opened)->domains()[0].doubt.empty());
        QVERIFY(QString::fromStdString((*opened)->domains()[1].doubt).contains("somebody else computed on gpu1"));
    }
    void rapl_counts_from_its_opening_through_a_wrap() {
        CounterTree tree;
        tree.with_zone("0", "package-0", 4294000000, 4294967295);   // 32 bits of uJ: 4.3 kJ
        const auto opened = open_rapl(tree.places());
        QCOMPARE(joules(**opened, 0, 0), 0.0);
        tree.with_zone("0", "package-0", 4294900000, 4294967295);
        QCOMPARE(joules(**opened, 0, 0.1), 0.9);
        tree.with_zone("0", "package-0", 32705, 4294967295);
        QVERIFY(std::abs(joules(**opened, 0, 0.2) - 1.0) < 1e-5);
    }
    void rapl_without_permission_says_since_when() {
        CounterTree tree;
        tree.with_zone("0", "package-0", 1);
        namespace fs = std::filesystem;
        fs::permissions(tree.root(), fs::perms(0755));
        fs::permissions(tree.root() / CounterTree::zone("0") / "energy_uj", fs::perms(0));
        const Nobody nobody;
        const QString said = why(open_rapl(tree.places()));
        QVERIFY2(said.contains("CVE-2020-8694") && said.contains("root alone"), qPrintable(said));
    }
    void rapl_that_vanishes_is_an_error_not_a_zero() {
        CounterTree tree;
        tree.with_zone("0", "package-0", 5000000);
        const auto opened = open_rapl(tree.places());
        QCOMPARE(joules(**opened, 0, 0), 0.0);
        std::filesystem::remove(tree.root() / CounterTree::zone("0") / "energy_uj");
        QVERIFY(!(*opened)->read(1)[0]);
        tree.with_zone("0", "package-0", 9000000);
        QCOMPARE(joules(**opened, 0, 2), 0.0);   // what was used meanwhile is not known
    }

    void cray_knows_node_parts_and_modules() {
        CounterTree tree;
        for (const char* file : {"energy", "cpu_energy", "memory_energy", "accel0_energy", "accel3_energy"})
            tree.with(CounterTree::cray(file), "100 J 0 us");
        tree.with(CounterTree::cray("power"), "400 W 0 us")
            .with(CounterTree::cray("freshness"), "7")
            .with(CounterTree::cray("startup"), "1");
        const auto opened = open_cray(tree.places());
        QVERIFY2(opened.has_value(), qPrintable(why(opened)));
        QCOMPARE((*opened)->domains().size(), std::size_t(5));
        QCOMPARE(int(named(**opened, "accel3")->scope), int(Scope::module));
        QCOMPARE(named(**opened, "cpu")->nested_in, std::string("node"));
    }
    void cray_opens_its_files_anew_each_time() {
        CounterTree tree;
        tree.with(CounterTree::cray("energy"), "100 J 0 us")
            .with(CounterTree::cray("freshness"), "7")
            .with(CounterTree::cray("startup"), "1");
        const auto opened = open_cray(tree.places());
        QCOMPARE(joules(**opened, 0, 0), 0.0);
        tree.with(CounterTree::cray("energy"), "150 J 0 us").with(CounterTree::cray("freshness"), "8");
        QCOMPARE(joules(**opened, 0, 0.1), 50.0);
    }
    void cray_that_began_again_is_discarded_once() {
        CounterTree tree;
        tree.with(CounterTree::cray("energy"), "1000 J 0 us").with(CounterTree::cray("startup"), "1");
        const auto opened = open_cray(tree.places());
        QCOMPARE(joules(**opened, 0, 0), 0.0);
        tree.with(CounterTree::cray("energy"), "1010 J 0 us")
            .with(CounterTree::cray("startup"), "2");  // it even went up
        const auto anew = (*opened)->read(1);
        QVERIFY(!anew[0]);
        QVERIFY(anew[0].error().find("startup") != std::string::npos);
        tree.with(CounterTree::cray("energy"), "1030 J 0 us");
        QCOMPARE(joules(**opened, 0, 2), 20.0);
    }
    void cray_tells_when_its_counter_moved() {
        CounterTree tree;
        const double wall_s =
            std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
        tree.with(CounterTree::cray("energy"),
                  std::string("5 J ").append(std::to_string(std::uint64_t(1e6 * (wall_s - 0.5)))).append(" us"));
        const auto opened = open_cray(tree.places());
        const double stamp = (*opened)->read(100)[0]->stamp_s;
        QVERIFY2(stamp > 90 && stamp < 99.6, qPrintable(QString::number(stamp)));
    }
    void files_are_read_again_while_an_update_comes_in_between_data() {
        QTest::addColumn<std::vector<int>>("freshness");   // at each look at it
        QTest::addColumn<int>("reads");
        QTest::newRow("no update") << std::vector{7, 7} << 1;
        QTest::newRow("one update during the first look") << std::vector{7, 8, 8, 8} << 2;
        QTest::newRow("one update between the looks") << std::vector{7, 8, 9, 9} << 2;
        QTest::newRow("an update whenever it looks") << std::vector{1, 2, 3, 4, 5, 6} << 3;
    }
    void files_are_read_again_while_an_update_comes_in_between() {
        QFETCH(std::vector<int>, freshness);
        QFETCH(int, reads);
        std::size_t at = 0;
        int n = 0;
        QCOMPARE(of_one_update([&] { return freshness.at(at++); }, [&] { return ++n; }), reads);
    }
    void cray_without_freshness_is_read_all_the_same() {
        CounterTree tree;
        tree.with(CounterTree::cray("energy"), "100 J 0 us");
        const auto opened = open_cray(tree.places());
        QVERIFY(opened.has_value());
        QCOMPARE(joules(**opened, 0, 0), 0.0);
    }

    void meters_of_grace_lie_in_one_another() {
        CounterTree tree;
        const char* labels[] = {"Module Power Socket 0", "Grace Power Socket 0", "CPU Power Socket 0",
                                "SysIO Power Socket 0"};
        for (int i = 0; i < 4; ++i) {
            const auto folder =
                std::filesystem::path("sys/class/hwmon") / std::string("hwmon").append(std::to_string(i));
            tree.with(folder / "name", "power_meter")
                .with(folder / "device/power1_oem_info", labels[i])
                .with(folder / "device/power1_average", "200000000");
        }
        tree.with("sys/class/hwmon/hwmon9/name", "nvme").with("sys/class/hwmon/hwmon9/power1_average", "1");
        const auto opened = open_hwmon(tree.places());
        QVERIFY2(opened.has_value(), qPrintable(why(opened)));
        QCOMPARE((*opened)->domains().size(), std::size_t(4));
        QCOMPARE(named(**opened, "grace0")->nested_in, std::string("module0"));
        QCOMPARE(named(**opened, "sysio0")->nested_in, std::string("grace0"));
        QVERIFY(named(**opened, "module0")->with_host);
        joules(**opened, 0, 0);
        QCOMPARE(joules(**opened, 0, 0.5), 100.0);   // 200 W for half a second
    }

    void nvml_counts_boards() {
        FakeCounters& fake = fake_counters(PLIMSOLL_FAKE_COUNTERS);
        fake.boards = 2;
        fake.counter[0] = 5000;
        fake.counter[1] = 77;
        Places places = CounterTree().places();
        places.nvml = PLIMSOLL_FAKE_COUNTERS;
        const auto opened = open_nvml(places);
        QVERIFY2(opened.has_value(), qPrintable(why(opened)));
        QCOMPARE((*opened)->domains().size(), std::size_t(2));
        QCOMPARE(int((*opened)->domains()[1].scope), int(Scope::gpu));
        QCOMPARE(*(*opened)->domains()[0].limit_W, 700.0);
        QCOMPARE(joules(**opened, 0, 0), 0.0);
        fake.counter[0] += 250;
        QCOMPARE(joules(**opened, 0, 1), 0.25);
        fake.counter[0] = 0;                          // the driver was loaded anew
        QVERIFY(!(*opened)->read(2)[0]);
        fake.answers = false;
        QVERIFY(!(*opened)->read(3)[1]);
    }
    void gh200_counts_its_module() {
        FakeCounters& fake = fake_counters(PLIMSOLL_FAKE_COUNTERS);
        std::strcpy(fake.name, "NVIDIA GH200 480GB");
        Places places = CounterTree().places();
        places.nvml = PLIMSOLL_FAKE_COUNTERS;
        const auto opened = open_nvml(places);
        QCOMPARE(int((*opened)->domains()[0].scope), int(Scope::module));
        QVERIFY((*opened)->domains()[0].with_host);
    }
    void a_board_without_counter_is_summed_and_says_so() {
        FakeCounters& fake = fake_counters(PLIMSOLL_FAKE_COUNTERS);
        fake.has_counter = false;
        Places places = CounterTree().places();
        places.nvml = PLIMSOLL_FAKE_COUNTERS;
        const auto opened = open_nvml(places);
        QVERIFY((*opened)->domains()[0].integrated);
        joules(**opened, 0, 0);
        QCOMPARE(joules(**opened, 0, 2), 600.0);
    }

    void amd_counters_are_believed_after_a_look_at_power_data() {
        QTest::addColumn<quint64>("counts_per_look");
        QTest::addColumn<quint64>("power_uW");
        QTest::addColumn<QString>("says");
        // Looks lie 0.01 s apart, or more on a busy machine; counts are of 15.3 uJ.
        QTest::newRow("a counter that stands still, as on MI100") << quint64(0) << quint64(300000000) << "stands still";
        QTest::newRow("a counter a hundred times too fast")
            << quint64(100000000) << quint64(300000000) << "its counter says";
        QTest::newRow("no power to compare with") << quint64(1000) << quint64(0) << "no power";
    }
    void amd_counters_are_believed_after_a_look_at_power() {
        QFETCH(quint64, counts_per_look);
        QFETCH(quint64, power_uW);
        QFETCH(QString, says);
        FakeCounters& fake = fake_counters(PLIMSOLL_FAKE_COUNTERS);
        std::strcpy(fake.name, "AMD Instinct MI100");
        fake.counts_per_look = counts_per_look;
        fake.power[0] = power_uW;
        Places places = CounterTree().places();
        places.rocm = PLIMSOLL_FAKE_COUNTERS;
        const QString said = why(open_rocm(places));
        QVERIFY2(said.contains(says), qPrintable(said));
    }
    void amd_counters_that_agree_with_power_are_read() {
        FakeCounters& fake = fake_counters(PLIMSOLL_FAKE_COUNTERS);
        std::strcpy(fake.name, "AMD Instinct MI300X");
        fake.running_W = 500;
        fake.power[0] = 500000000;
        Places places = CounterTree().places();
        places.rocm = PLIMSOLL_FAKE_COUNTERS;
        const auto opened = open_rocm(places);
        QVERIFY2(opened.has_value(), qPrintable(why(opened)));
        fake.running_W = 0;
        fake.counter[0] = 1000;
        joules(**opened, 0, 0);
        fake.counter[0] += 1000000;
        QVERIFY(std::abs(joules(**opened, 0, 1) - 15.3) < 1e-4);
    }
    // By its place on the bus: the order in which a launcher shows devices to a rank is another.
    void the_board_a_rank_computes_on_is_found_by_its_bus() {
        FakeCounters& fake = fake_counters(PLIMSOLL_FAKE_COUNTERS);
        fake.boards = 3;
        fake.counter[1] = 2'000'000;
        const auto joules = amd_board_joules(PLIMSOLL_FAKE_COUNTERS, "0001:c1:00.0");
        QVERIFY2(joules.has_value(), joules ? "" : joules.error().c_str());
        QVERIFY(std::abs(*joules - 30.6) < 1e-3);
        const auto elsewhere = amd_board_joules(PLIMSOLL_FAKE_COUNTERS, "0000:c1:00.0");
        QVERIFY(!elsewhere);
        QCOMPARE(elsewhere.error(), std::string("ROCm SMI knows no board at 0000:c1:00.0"));
        const auto second_of_a_package = amd_board_joules(PLIMSOLL_FAKE_COUNTERS, "0001:c2:00.0");
        QVERIFY(!second_of_a_package);
        QCOMPARE(second_of_a_package.error(), std::string("the board at 0001:c2:00.0 has no energy counter"));
    }

    void two_gcds_of_mi250x_are_one_package() {
        FakeCounters& fake = fake_counters(PLIMSOLL_FAKE_COUNTERS);
        std::strcpy(fake.name, "AMD Instinct MI250X");
        fake.boards = 4;
        fake.running_W = 400;
        for (const int first : {0, 2}) {
            fake.power[first] = 400000000;
            fake.power[first + 1] = 0;
        }
        Places places = CounterTree().places();
        places.rocm = PLIMSOLL_FAKE_COUNTERS;
        const auto opened = open_rocm(places);
        QVERIFY2(opened.has_value(), qPrintable(why(opened)));
        QCOMPARE((*opened)->domains().size(), std::size_t(2));
        QCOMPARE((*opened)->domains()[1].name, std::string("gpu2"));
        QCOMPARE(int((*opened)->domains()[1].scope), int(Scope::module));
    }

    void a64fx_measures_the_node() {
        FakeCounters& fake = fake_counters(PLIMSOLL_FAKE_COUNTERS);
        fake.counter[0] = 1000;
        const auto opened = open_a64fx_as(PLIMSOLL_FAKE_COUNTERS, 7, 0, 42);
        QVERIFY2(opened.has_value(), qPrintable(why(opened)));
        QCOMPARE(joules(**opened, 0, 0), 0.0);
        fake.counter[0] = 1120;
        QCOMPARE(joules(**opened, 0, 1), 120.0);
        fake.counter[0] = 3;
        QVERIFY(!(*opened)->read(2)[0]);
        fake.counter[0] = 10;
        QCOMPARE(joules(**opened, 0, 3), 127.0);
        QVERIFY(why(open_a64fx_as(PLIMSOLL_FAKE_COUNTERS, 1, 0, 42)).contains("FX1000"));
        QVERIFY(why(open_a64fx_as(PLIMSOLL_FAKE_COUNTERS, 7, 0, 5)).contains("measured"));
    }
    void a_library_that_is_another_is_refused() {
        Places places = CounterTree().places();
        places.nvml = "libc.so.6";
        QVERIFY(why(open_nvml(places)).contains("not NVIDIA's"));
    }
};

PLIMSOLL_TEST(TestEnginePowerSources)
#include "tst_engine_power_sources.moc"
