// What this computer has: read from files as Linux and its drivers write them.
#include "registered_test.h"

#include "core/files/launch/this_computer.h"

#include <fstream>

using namespace plimsoll;
namespace fs = std::filesystem;

class ThisComputerTest : public QObject {
    Q_OBJECT

    QTemporaryDir home_;
    fs::path root() const { return home_.path().toStdString(); }
    void write(const char* file, const char* text) const {
        fs::create_directories((root() / file).parent_path());
        std::ofstream(root() / file) << text;
    }

private slots:
    void cleanup() {
        for (const auto& each : fs::directory_iterator(root())) fs::remove_all(each);
        qunsetenv("CUDA_VISIBLE_DEVICES");
        qunsetenv("ROCR_VISIBLE_DEVICES");
    }

    void there_is_a_core_and_memory() {
        QVERIFY(this_computer().cores >= 1);
        QVERIFY(this_computer().memory > 256 * mebibyte);
    }
    void nothing_is_found_in_an_empty_tree() {
        QVERIFY(this_computer(root()).gpus.empty());
        QVERIFY(!this_computer(root()).energy_counters);
    }
    void counters_that_can_be_read_are_counters() {
        write("sys/class/powercap/intel-rapl:0/energy_uj", "12345\n");
        QVERIFY(this_computer(root()).energy_counters);
    }

    void gpus_are_those_of_the_driver_that_cuda_may_see_data() {
        QTest::addColumn<QByteArray>("visible");
        QTest::addColumn<int>("gpus");
        QTest::newRow("all, where nothing is hidden") << QByteArray("unset") << 2;
        QTest::newRow("none, where all are hidden") << QByteArray("") << 0;
        QTest::newRow("none, as some write it") << QByteArray("-1") << 0;
        QTest::newRow("one of two") << QByteArray("1") << 1;
        QTest::newRow("no more than there are") << QByteArray("0,1,2") << 2;
    }
    void gpus_are_those_of_the_driver_that_cuda_may_see() {
        QFETCH(QByteArray, visible);
        QFETCH(int, gpus);
        write("proc/driver/nvidia/gpus/0000:17:00.0/information", "Model: \t\t NVIDIA H200\nIRQ:   \t\t 18\n");
        write("proc/driver/nvidia/gpus/0000:65:00.0/information", "Model: \t\t NVIDIA H200\n");
        if (visible != "unset") qputenv("CUDA_VISIBLE_DEVICES", visible);
        const Computer here = this_computer(root());
        QCOMPARE(int(here.gpus.size()), gpus);
        if (gpus) QCOMPARE(here.gpus.front(), std::string("NVIDIA H200"));
    }

    void amd_s_boards_are_those_with_a_name_that_rocm_may_see() {
        write("sys/class/drm/card0/device/vendor", "0x1a03\n");   // the service processor's screen
        for (const char* card : {"card1", "card2"}) {
            write((std::string("sys/class/drm/") + card + "/device/vendor").c_str(), "0x1002\n");
            write((std::string("sys/class/drm/") + card + "/device/product_name").c_str(), "AMD Instinct MI300X\n");
        }
        write("sys/class/drm/card1-DP-1/status", "connected\n");
        QCOMPARE(this_computer(root()).gpus, (std::vector<std::string>(2, "AMD Instinct MI300X")));
        qputenv("ROCR_VISIBLE_DEVICES", "0");
        QCOMPARE(this_computer(root()).gpus.size(), std::size_t(1));
    }
};

PLIMSOLL_TEST(ThisComputerTest)
#include "tst_this_computer.moc"
