// Where a calibration can run: every machine that is shipped is one of six kinds, and a refusal says what works.
#include "registered_test.h"

#include "core/evidence/calibration/plan/experiments.h"
#include "core/files/launch/calibration_job.h"
#include "core/files/presets/scenario_json.h"
#include "shipped.h"

#include <algorithm>
#include <set>

using namespace plimsoll;

namespace {

const Machine& machine(const QString& id) { return library().machines.at(id.toStdString()); }
const Stack& engine_here() { return library().stacks.at("plimsoll-engine"); }

QString said(const Expected<CalibrationPlace, std::string>& place) {
    return place ? QString() : QString::fromStdString(place.error());
}

std::string after(const PlannedRun& run, const std::string& option) {
    const auto at = std::find(run.words.begin(), run.words.end(), option);
    return at == run.words.end() || at + 1 == run.words.end() ? "" : *(at + 1);
}

}  // namespace

class PlaceTest : public QObject {
    Q_OBJECT

private slots:
    // All of them, so that a new preset has to say what it is.
    void every_shipped_machine_is_one_of_six() {
        const std::set<std::string> processors{"archer2",      "cpu-2core",  "cpu-node", "fugaku",
                                               "fugaku-boost", "fugaku-cmg", "laptop"};
        const std::set<std::string> foreign{"ascend-910", "aurora", "gaudi2", "mi350x-8",    "mi355x-8", "tpu-7x",
                                            "tpu-v3",     "tpu-v4", "tpu-v5e-256", "tpu-v5p", "tpu-v6e",
                                            "trainium1"};
        const std::set<std::string> amd{"crusher", "el-capitan", "frontier", "hunter",
                                        "jureca-mi250", "lumi", "mi210-4", "mi300x-8", "mi325x-8"};
        const std::set<std::string> modules{"crusher-module", "lumi-module"};
        const std::set<std::string> outdated{"abci-v",           "aws-p3-16xlarge", "dgx-2",  "jean-zay-v100-16",
                                             "jean-zay-v100-32", "lassen",          "summit", "t4-1",
                                             "v100-32-8"};
        std::set<std::string> found_processors, found_foreign, found_outdated, found_amd, found_modules;
        int nvidia = 0;
        for (const auto& [id, m] : library().machines) {
            const DeviceKind kind = device_kind(m);
            if (kind == DeviceKind::processor) found_processors.insert(id);
            if (kind == DeviceKind::foreign) found_foreign.insert(id);
            if (kind == DeviceKind::outdated) found_outdated.insert(id);
            if (kind == DeviceKind::amd) found_amd.insert(id);
            if (kind == DeviceKind::module) found_modules.insert(id);
            nvidia += kind == DeviceKind::nvidia;
            const bool devices = kind == DeviceKind::nvidia || kind == DeviceKind::amd;
            const auto place = place_on(m, engine_here(), {1, m.devices_per_node, 0});
            QCOMPARE(place.has_value(), kind == DeviceKind::processor || devices);
            if (place)
                QVERIFY2(place->accelerator == devices && place->fixed
                             && place->ranks == m.devices_per_node && place->machine == m,
                         id.c_str());
        }
        QCOMPARE(found_processors, processors);
        QCOMPARE(found_foreign, foreign);
        QCOMPARE(found_outdated, outdated);
        QCOMPARE(found_amd, amd);
        QCOMPARE(found_modules, modules);
        QCOMPARE(std::size_t(nvidia), library().machines.size() - processors.size() - foreign.size() - outdated.size()
                                          - amd.size() - modules.size());
    }

    void a_refusal_names_the_device_the_reason_and_what_works_data() {
        QTest::addColumn<QString>("device");
        for (const auto& [id, device] :
             std::initializer_list<std::pair<const char*, const char*>>{{"mi355x-8", "AMD Instinct MI355X"},
                                                                        {"aurora", "Intel Max 1550"},
                                                                        {"tpu-v4", "Google TPU v4"},
                                                                        {"gaudi2", "Intel Gaudi 2"}})
            QTest::newRow(id) << QString(device);
    }
    void a_refusal_names_the_device_the_reason_and_what_works() {
        QFETCH(QString, device);
        const QString why = said(place_on(machine(QTest::currentDataTag()), engine_here(), {2, 8, 7}));
        for (const QString& part : {device, QString("no back end"), QString("NVIDIA"), QString("--trial"),
                                    QString("--bench collectives,p2p")})
            QVERIFY2(why.contains(part), qPrintable(part + " is not in: " + why));
    }

    void a_module_of_two_devices_is_no_device_data() {
        QTest::addColumn<QString>("id");
        QTest::newRow("Crusher") << "crusher-module";
        QTest::newRow("LUMI") << "lumi-module";
    }
    void a_module_of_two_devices_is_no_device() {
        QFETCH(QString, id);
        const QString why = said(place_on(machine(id), engine_here(), {1, 4, 7}));
        QVERIFY2(why.contains("counts GCDs works"), qPrintable(why));
    }

    void amd_s_devices_are_asked_for_by_hip_and_the_plan_says_that_nobody_has_tried_data() {
        QTest::addColumn<bool>("copies");  // between host and device, which an APU has not
        QTest::newRow("frontier") << true;
        QTest::newRow("lumi") << true;
        QTest::newRow("el-capitan") << false;
        QTest::newRow("mi300x-8") << true;
    }
    void amd_s_devices_are_asked_for_by_hip_and_the_plan_says_that_nobody_has_tried() {
        QFETCH(bool, copies);
        const Machine& m = machine(QTest::currentDataTag());
        const auto place = place_on(m, engine_here(), {1, m.devices_per_node, 7});
        QVERIFY2(place.has_value(), qPrintable(said(place)));
        const auto plan = plan_experiments(some_scenario(), *place);
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().front().c_str());
        for (const PlannedRun& run : plan->runs) QCOMPARE(after(run, "--device"), std::string("hip"));
        QCOMPARE(std::any_of(plan->runs.begin(), plan->runs.end(),
                             [](const PlannedRun& run) { return run.id == "hostlink"; }),
                 copies);
        QVERIFY(say_subject(*plan).find("has not run on an AMD GPU yet") != std::string::npos);
    }

    // Not after a night in the queue.
    void gpus_before_the_a100_are_refused_when_the_plan_is_made_data() {
        QTest::addColumn<QString>("device");
        QTest::newRow("summit") << "NVIDIA V100 SXM2 16GB";
        QTest::newRow("dgx-2") << "NVIDIA V100 SXM";
    }
    void gpus_before_the_a100_are_refused_when_the_plan_is_made() {
        QFETCH(QString, device);
        const QString why = said(place_on(machine(QTest::currentDataTag()), engine_here(), {1, 1, 7}));
        for (const QString& part : {device, QString("compute capability 8.0"), QString("A100"), QString("--trial")})
            QVERIFY2(why.contains(part), qPrintable(part + " is not in: " + why));
    }
    // A V100 of this computer's is no device of the engine's either: its cores are measured.
    void gpus_before_the_a100_are_not_used_here() {
        Scenario subject = some_scenario();
        subject.machine = machine("v100-32-8");
        Computer here;
        here.cores = 2;
        here.gpus = {"Tesla V100-SXM2-32GB"};
        QVERIFY(!place_here(subject, machine("cpu-2core"), engine_here(), here).accelerator);
    }

    void ranks_that_are_no_devices_are_refused_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<int>("nodes");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("cores");
        QTest::addColumn<QString>("says");   // empty: works
        QTest::newRow("a rank for every core of two") << "cpu-2core" << 1 << 2 << 0 << "";
        QTest::newRow("one of two cores") << "cpu-2core" << 1 << 1 << 0 << "";
        QTest::newRow("more ranks than cores") << "cpu-2core" << 1 << 3 << 0 << "--ranks-per-node 2 works";
        QTest::newRow("four ranks on a node that is one device")
            << "fugaku" << 2 << 4 << 12 << "--ranks-per-node 1 works";
        QTest::newRow("a rank for every such node") << "fugaku" << 2 << 1 << 48 << "";
        QTest::newRow("four ranks on a node of four memory groups") << "fugaku-cmg" << 2 << 4 << 12 << "";
        QTest::newRow("one rank where two nodes have four devices each")
            << "fugaku-cmg" << 2 << 1 << 12 << "--ranks-per-node 4 works";
        QTest::newRow("nodes whose cores nobody told") << "fugaku" << 2 << 1 << 0 << "cores_per_rank";
        QTest::newRow("half of a node's GPUs") << "dgx-h100" << 1 << 4 << 0 << "";
        QTest::newRow("half of the GPUs of two nodes, between which the preset has none idle")
            << "dgx-h100" << 2 << 4 << 0 << "--ranks-per-node 8 works";
        QTest::newRow("all of the GPUs of two nodes") << "dgx-h100" << 2 << 8 << 0 << "";
    }
    void ranks_that_are_no_devices_are_refused() {
        QFETCH(QString, id);
        QFETCH(int, nodes);
        QFETCH(int, ranks);
        QFETCH(int, cores);
        QFETCH(QString, says);
        const auto place = place_on(machine(id), engine_here(), {nodes, ranks, cores});
        QCOMPARE(place.has_value(), says.isEmpty());
        QVERIFY2(said(place).contains(says), qPrintable(said(place)));
        if (place) QCOMPARE(place->ranks, nodes * ranks);
    }

    // A device is what a rank computes with: all cores of a node that is one device, one core where cores are devices.
    void a_rank_has_the_threads_of_its_device_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("threads");
        QTest::newRow("a core") << "cpu-2core" << int(BatchKind::slurm) << "1";
        QTest::newRow("all cores of a node, which the engine counts") << "cpu-node" << int(BatchKind::slurm) << "0";
        QTest::newRow("all cores of an A64FX, which its site tells") << "fugaku" << int(BatchKind::pjm) << "48";
        QTest::newRow("the cores of one memory group") << "fugaku-cmg" << int(BatchKind::pjm) << "12";
        QTest::newRow("one that drives a GPU") << "perlmutter" << int(BatchKind::slurm) << "1";
    }
    void a_rank_has_the_threads_of_its_device() {
        QFETCH(QString, id);
        QFETCH(int, kind);
        QFETCH(QString, threads);
        const Machine& m = machine(id);
        JobRequest request;
        request.nodes = std::min(2, m.nodes), request.ranks_per_node = m.devices_per_node, request.account = "PROJ",
        request.plan = "{}\n";
        const JobShape shape = job_shape(m, BatchKind(kind), request);
        const auto place = place_on(m, engine_here(), {shape.nodes, shape.ranks_per_node, shape.cores_per_rank});
        QVERIFY2(place.has_value(), qPrintable(said(place)));
        const auto plan = plan_experiments(some_scenario(), *place);
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().front().c_str());
        for (const PlannedRun& run : plan->runs) QCOMPARE(QString::fromStdString(after(run, "--threads")), threads);
        const auto job = calibration_job(m, BatchKind(kind), request);   // and the job says nothing else
        QVERIFY(job.has_value());
        for (const JobFile& file : job->files)
            QVERIFY2(file.name != "args" || file.text.find("--threads") == std::string::npos, file.text.c_str());
    }

private:
    static Scenario some_scenario() {
        return read_scenario(*read_text(library().scenarios.at("gpt2-124m-laptop")), library())->scenario;
    }

    void gpus_are_known_by_the_word_that_numbers_them_data() {
        QTest::addColumn<QString>("preset");
        QTest::addColumn<QString>("driver");
        QTest::addColumn<bool>("same");
        QTest::newRow("an H200") << "NVIDIA H200 SXM5 141GB" << "NVIDIA H200" << true;
        QTest::newRow("an A100 with dashes") << "NVIDIA A100 SXM4 80GB" << "NVIDIA A100-SXM4-80GB" << true;
        QTest::newRow("a V100 of the old name") << "NVIDIA V100 SXM2 16GB" << "Tesla V100-SXM2-16GB" << true;
        QTest::newRow("a board for desks") << "NVIDIA GeForce RTX 4090" << "NVIDIA GeForce RTX 4090" << true;
        QTest::newRow("an H100 is no H200") << "NVIDIA H200 SXM5 141GB" << "NVIDIA H100 80GB HBM3" << false;
        QTest::newRow("a GH200 is neither") << "NVIDIA H200 SXM5 141GB" << "NVIDIA GH200 480GB" << false;
        QTest::newRow("a die of AMD's module") << "AMD MI250X GCD (half module)"
                                                << "AMD INSTINCT MI250X (MCM) OAM AC MBA" << true;
        QTest::newRow("an MI300A is no MI300X") << "AMD MI300A APU" << "AMD Instinct MI300X" << false;
        QTest::newRow("no number, no GPU") << "NVIDIA H200 SXM5 141GB" << "" << false;
    }
    void gpus_are_known_by_the_word_that_numbers_them() {
        QFETCH(QString, preset);
        QFETCH(QString, driver);
        QFETCH(bool, same);
        QCOMPARE(same_gpu(preset.toStdString(), driver.toStdString()), same);
    }

    void this_computer_s_gpus_are_measured_where_the_plan_is_of_such_data() {
        QTest::addColumn<QString>("machine_id");
        QTest::addColumn<int>("gpus");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<bool>("accelerator");
        QTest::newRow("one H200 of a plan for nodes of eight") << "dgx-h200" << 1 << 1 << true;
        QTest::newRow("all eight") << "dgx-h200" << 8 << 8 << true;
        QTest::newRow("a plan for other GPUs: the cores") << "dgx-h100" << 1 << 6 << false;
        QTest::newRow("no GPU: the cores") << "dgx-h200" << 0 << 6 << false;
    }
    void this_computer_s_gpus_are_measured_where_the_plan_is_of_such() {
        QFETCH(QString, machine_id);
        QFETCH(int, gpus);
        QFETCH(int, ranks);
        QFETCH(bool, accelerator);
        Scenario subject;
        subject.machine = machine(machine_id);
        const CalibrationPlace place =
            place_here(subject, machine("cpu-2core"), engine_here(),
                       {6, 32 * gibibyte, false, std::vector<std::string>(std::size_t(gpus), "NVIDIA H200")});
        QCOMPARE(place.ranks, ranks);
        QCOMPARE(place.accelerator, accelerator);
        QCOMPARE(place.power, accelerator);
        QCOMPARE(place.machine.id, accelerator ? machine_id.toStdString() : std::string("cpu-2core"));
    }
};

PLIMSOLL_TEST(PlaceTest)
#include "tst_place.moc"
