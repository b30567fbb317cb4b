// What the log says of the program and of the machine; nothing in it names a host or a folder.
#include "registered_test.h"

#include "engine/report/hardware.h"
#include "engine/report/log.h"

#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

#include <fstream>
#include <unistd.h>

using namespace plimsoll::engine;
using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

// A tree as /proc and /sys would have it.
class Tree {
public:
    explicit Tree(const QString& root) : root_(root.toStdString()) {}
    Tree& with(const fs::path& path, const std::string& text) {
        fs::create_directories((root_ / path).parent_path());
        std::ofstream(root_ / path) << text << "\n";
        return *this;
    }
    Tree& with_cpu(int id, int socket, const std::string& siblings) {
        const fs::path topology = fs::path("sys/devices/system/cpu") / ("cpu" + std::to_string(id)) / "topology";
        return with(topology / "physical_package_id", std::to_string(socket))
            .with(topology / "thread_siblings_list", siblings);
    }
    const fs::path& root() const { return root_; }

private:
    fs::path root_;
};

}  // namespace

class TestEngineHardware : public QObject {
    Q_OBJECT

private slots:
    void two_sockets_with_two_threads_a_core() {
        QTemporaryDir folder;
        Tree tree(folder.path());
        // Four cores, two a socket; thread n + 4 is the second one of core n, as on real two-socket nodes.
        for (int id = 0; id < 8; ++id)
            tree.with_cpu(id, id % 4 / 2, std::to_string(id % 4) + "," + std::to_string(id % 4 + 4));
        const fs::path cpus = "sys/devices/system/cpu", cache = cpus / "cpu0/cache";
        tree.with(cpus / "online", "0-7")
            .with("proc/self/status", "Name:\tengine\nCpus_allowed_list:\t0-1,4-5")
            .with("proc/cpuinfo", "processor\t: 0\nmodel name\t: AMD EPYC 7A53 64-Core Processor")
            .with("sys/devices/system/node/node0/x", "")
            .with("sys/devices/system/node/node1/x", "")
            .with("sys/devices/system/node/possible", "0-1")
            .with(cache / "index0/level", "1")
            .with(cache / "index0/type", "Data")
            .with(cache / "index0/size", "32K")
            .with(cache / "index0/shared_cpu_list", "0,4")
            .with(cache / "index3/level", "3")
            .with(cache / "index3/type", "Unified")
            .with(cache / "index3/size", "32M")
            .with(cache / "index3/shared_cpu_list", "0-7")
            .with(cpus / "cpu0/cpufreq/scaling_governor", "performance")
            .with(cpus / "cpu0/cpufreq/cpuinfo_max_freq", "3500000")
            .with("proc/meminfo", "MemTotal:       526932 kB\nMemAvailable:   1000 kB")
            .with("proc/loadavg", "0.52 0.31 0.2 1/400 99");
        const Json hw = hardware(tree.root());
        QCOMPARE(hw["cpu_model"].get<std::string>(), "AMD EPYC 7A53 64-Core Processor");
        QCOMPARE(hw["sockets"].get<int>(), 2);
        QCOMPARE(hw["cores"].get<int>(), 4);
        QCOMPARE(hw["threads"].get<int>(), 8);
        QCOMPARE(hw["threads_allowed"].get<int>(), 4);
        QCOMPARE(hw["numa_nodes"].get<int>(), 2);
        QCOMPARE(hw["governor"].get<std::string>(), "performance");
        QCOMPARE(hw["max_Hz"].get<double>(), 3.5e9);
        QCOMPARE(hw["caches"].size(), std::size_t(2));
        QCOMPARE(hw["caches"][1]["size_B"].get<double>(), 33554432.0);
        QCOMPARE(hw["caches"][1]["shared_by"].get<int>(), 8);
        QCOMPARE(hw["memory_B"].get<double>(), 526932 * 1024.0);
        QCOMPARE(hw["load_1min"].get<double>(), 0.52);
        QVERIFY(hw["cpu_quota"].is_null());
        QVERIFY(!hw["in_container"].get<bool>());
    }
    void processors_without_a_model_name_data() {
        QTest::addColumn<QString>("cpuinfo");
        QTest::addColumn<QString>("model");
        QTest::newRow("Fugaku's is known by its numbers")
            << "processor\t: 0\nCPU implementer\t: 0x46\nCPU part\t: 0x001" << "Fujitsu A64FX";
        QTest::newRow("another ARM tells implementer and part")
            << "processor\t: 0\nCPU implementer\t: 0x46\nCPU part\t: 0x002" << "ARM implementer 0x46, part 0x002";
        QTest::newRow("POWER calls it cpu") << "processor\t: 0\ncpu\t\t: POWER9, altivec supported"
                                            << "POWER9, altivec supported";
    }
    void processors_without_a_model_name() {
        QFETCH(QString, cpuinfo);
        QFETCH(QString, model);
        QTemporaryDir folder;
        QCOMPARE(QString::fromStdString(
                     hardware(Tree(folder.path()).with("proc/cpuinfo", cpuinfo.toStdString()).root())["cpu_model"]),
                 model);
    }
    void an_empty_tree_is_nulls_not_a_crash() {
        QTemporaryDir folder;
        const Json hw = hardware(folder.path().toStdString());
        for (const char* key :
             {"node_id", "cpu_model", "sockets", "cores", "threads", "governor", "memory_B", "load_1min", "cpu_quota"})
            QVERIFY2(hw.contains(key) && hw[key].is_null(), key);
        QVERIFY(hw["links"].empty() && hw["caches"].empty());
    }
    void containers_are_known_by_their_marks_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("text");
        QTest::newRow("docker") << ".dockerenv" << "";
        QTest::newRow("podman") << "run/.containerenv" << "";
        QTest::newRow("apptainer") << ".singularity.d/env" << "";
        QTest::newRow("kubernetes, by control group") << "proc/1/cgroup" << "0::/kubepods/besteffort/pod1";
    }
    void containers_are_known_by_their_marks() {
        QFETCH(QString, path);
        QFETCH(QString, text);
        QTemporaryDir folder;
        QVERIFY(hardware(Tree(folder.path()).with(path.toStdString(), text.toStdString()).root())["in_container"]
                    .get<bool>());
    }
    void a_quota_is_cores_of_time_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("cores");
        QTest::newRow("two and a half cores") << "sys/fs/cgroup/cpu.max" << "250000 100000" << 2.5;
        QTest::newRow("no limit") << "sys/fs/cgroup/cpu.max" << "max 100000" << -1.0;
        QTest::newRow("no limit, version 1") << "sys/fs/cgroup/cpu/cpu.cfs_quota_us" << "-1" << -1.0;
        QTest::newRow("version 1") << "sys/fs/cgroup/cpu/cpu.cfs_quota_us" << "400000" << 4.0;
    }
    void a_quota_is_cores_of_time() {
        QFETCH(QString, path);
        QFETCH(QString, text);
        QFETCH(double, cores);
        QTemporaryDir folder;
        Tree tree(folder.path());
        tree.with("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000").with(path.toStdString(), text.toStdString());
        const Json quota = hardware(tree.root())["cpu_quota"];
        QCOMPARE(quota.is_null() ? -1.0 : quota.get<double>(), cores);
    }
    void links_tell_bytes_a_second() {
        QTemporaryDir folder;
        Tree tree(folder.path());
        tree.with("sys/class/net/hsn0/speed", "200000")
            .with("sys/class/net/hsn0/device/x", "")
            .with("sys/class/net/eth0/speed", "-1")
            .with("sys/class/net/eth0/device/x", "")
            .with("sys/class/net/lo/speed", "10")
            .with("sys/class/infiniband/mlx5_0/ports/1/rate", "200 Gb/sec (4X HDR)");
        const Json links = hardware(tree.root())["links"];
        QCOMPARE(links.size(), std::size_t(3));
        QVERIFY(links[0]["name"] == "eth0" && links[0]["rate_B_per_s"].is_null());
        QVERIFY(links[1]["name"] == "hsn0" && links[1]["rate_B_per_s"] == 25e9);
        QVERIFY(links[2]["name"] == "mlx5_0/1" && links[2]["rate_B_per_s"] == 25e9);
    }
    void this_machine_tells_its_threads() {
        const Json hw = hardware();
        QVERIFY(hw["threads"].is_null() || hw["threads"].get<int>() >= 1);
        QVERIFY(hw["memory_B"].get<double>() > 1e8);
    }

    void folders_do_not_leave_the_machine_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("told");
        QTest::newRow("an option with a file") << "--out=/scratch/me/run.jsonl" << "--out=run.jsonl";
        QTest::newRow("a file alone") << "/scratch/me/run.jsonl" << "run.jsonl";
        QTest::newRow("a relative one") << "../me/run.jsonl" << "run.jsonl";
        QTest::newRow("an argument file") << "@/scratch/me/args" << "@args";
        QTest::newRow("a list of them") << "/a/b:/c/d,e" << "b:d,e";
        QTest::newRow("no file at all") << "--codecs=data=topk:0.01" << "--codecs=data=topk:0.01";
    }
    void folders_do_not_leave_the_machine() {
        QFETCH(QString, text);
        QFETCH(QString, told);
        QCOMPARE(QString::fromStdString(without_folders(text.toStdString())), told);
    }
    void nor_do_the_host_and_what_nobody_asked_for() {
        char host[256] = {};
        gethostname(host, sizeof host - 1);
        std::string with_host = std::string("NCCL_NET=") + host;
        if (std::string(host).size() < 3) with_host = "NOT_ASKED_FOR=1";  // too short to be told from other words
        const char* const variables[] = {"OMP_NUM_THREADS=2",
                                         "NCCL_TOPO_FILE=/scratch/me/topo.xml",
                                         "SECRET_TOKEN=1",
                                         "SLURM_NODELIST=frontier[1-2]",
                                         "NCCL_COMM_ID=10.0.0.1:99",
                                         with_host.c_str(),
                                         nullptr};
        const Json line = hello({.arguments = {"--steps", "3", "--out=/scratch/me/x"},
                                 .seed = 7,
                                 .ranks = 2,
                                 .blas = "OpenBLAS",
                                 .mpi = "Open MPI v4.1.4\nmore",
                                 .environment = variables});
        QCOMPARE(line["environment"].dump(), R"({"OMP_NUM_THREADS":"2","NCCL_TOPO_FILE":"topo.xml"})");
        QCOMPARE(line["arguments"].dump(), R"(["--steps","3","--out=x"])");
        QCOMPARE(line["mpi"].get<std::string>(), "Open MPI v4.1.4");
        QCOMPARE(line["schema"].get<int>(), 1);
        QVERIFY(line["build_flags"].get<std::string>().find('/') == std::string::npos);
        QTemporaryDir folder;
        const Json hw = hardware(Tree(folder.path()).with("proc/sys/kernel/hostname", "frontier00123").root());
        QCOMPARE(hw["node_id"].get<std::string>(), plimsoll::hex16(plimsoll::fnv1a("frontier00123")));
        QVERIFY(hw.dump().find("frontier") == std::string::npos);
    }
};

PLIMSOLL_TEST(TestEngineHardware)
#include "tst_engine_hardware.moc"
