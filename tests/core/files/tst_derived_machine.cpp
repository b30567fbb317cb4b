// A machine that was measured becomes a preset of its own: where its numbers
// come from, what is written where, and what is never overwritten.
#include "registered_test.h"

#include "core/files/presets/derived_machine.h"
#include "core/answers/explain/explain.h"
#include "core/files/presets/library.h"
#include "core/files/presets/preset_json.h"
#include "core/files/text/disk.h"
#include "core/values/basics/fingerprint.h"
#include "calibrations.h"

#include <QTemporaryDir>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

namespace fs = std::filesystem;

// The base with a better ceiling and heavier elementwise traffic, on one node of it.
Calibrated measured(const Machine& base) {
    Calibrated c;
    c.machine = base;
    c.machine.device.efficiency.gemm_ceiling = 0.893;
    c.machine.nodes = 1;
    c.machine.levels.resize(1);
    c.stack = megatron();
    c.stack.kernels.elementwise_factor = 1.12;
    const Calibration record = a_calibration();
    c.constants = record.constants;
    c.experiments = record.experiments;
    return c;
}

Calibration of_run(const std::string& hash) {
    Calibration c = a_calibration();
    c.prediction_hash = hash;
    return c;
}

std::size_t files_below(const fs::path& directory) {
    std::size_t n = 0;
    for (const auto& entry : fs::recursive_directory_iterator(directory)) n += entry.is_regular_file();
    return n;
}

}  // namespace

class tst_derived_machine : public QObject {
    Q_OBJECT

    QTemporaryDir place_;
    fs::path fresh(const char* name) {
        const fs::path directory = fs::path(place_.path().toStdString()) / name;
        fs::remove_all(directory);
        return directory;
    }

private slots:
    void a_hash_follows_the_content() {
        Machine m = selene();
        const std::string before = hash_of(m);
        QCOMPARE(before.size(), std::string("sha256:").size() + 64);
        QCOMPARE(hash_of(selene()), before);
        m.device.efficiency.gemm_ceiling += 1e-9;
        QVERIFY(hash_of(m) != before);
    }
    void a_base_recorded_before_sha_256_is_recognised() {
        Calibration c = a_calibration();
        Machine base = selene();
        c.based_on_hash = hex16(fnv1a(write_machine(base)));
        QVERIFY(!changed_since(c, &base));
        base.device.efficiency.gemm_ceiling += 1e-9;
        QVERIFY(changed_since(c, &base).has_value());
    }
    void measured_numbers_tell_interval_points_and_what_they_were() {
        const Machine m = derived(selene(), measured(selene()), a_calibration());
        const Source s = source_of(m.sources, "/device/efficiency/gemm_ceiling");
        QVERIFY(s.kind == SourceKind::measured);
        QCOMPARE(s.text,
                 std::string("on 2026-11-21: 0.893 [0.881, 0.904] from 21 points of matrix products, was 0.75"));
        QVERIFY(source_of(m.sources, "/device/memory_GiB") == source_of(selene().sources, "/device/memory_GiB"));
    }
    void an_explanation_prints_the_measured_source() {
        Scenario s = gpt3_on_selene();
        s.machine = derived(selene(), measured(selene()), a_calibration());
        const auto term = explain(s, "step_seconds");
        QVERIFY(term.has_value());
        QVERIFY(to_text(*term).find(
                    "[measured: on 2026-11-21: 0.893 [0.881, 0.904] from 21 points of matrix products, was 0.75]")
                != std::string::npos);
    }
    void a_cluster_keeps_its_size() {
        const Machine m = derived(selene(), measured(selene()), a_calibration());
        QCOMPARE(m.nodes, selene().nodes);
        QVERIFY(m.levels == selene().levels);
        QCOMPARE(m.device.efficiency.gemm_ceiling, 0.893);
        Machine same = m;
        same.device.efficiency.gemm_ceiling = selene().device.efficiency.gemm_ceiling;
        QVERIFY(same.device == selene().device);
    }
    void a_computer_takes_the_size_that_was_measured() {
        Machine computer = selene();
        computer.nodes = 1;
        computer.levels.resize(1);
        computer.levels[0].devices = computer.devices_per_node;
        Calibrated c = measured(computer);
        c.machine.device.memory = 7 * gibibyte;
        QVERIFY(derived(computer, c, a_calibration()).device.memory == 7 * gibibyte);
    }
    void a_second_calibration_starts_from_the_name_of_the_first_base() {
        const Machine once = derived(selene(), measured(selene()), a_calibration());
        Calibration later = a_calibration();
        later.date = "2027-01-02";
        const Machine twice = derived(once, measured(once), later);
        QCOMPARE(twice.id, std::string("selene-measured-2027-01-02"));
        QCOMPARE(twice.calibration->based_on, once.id);
        QVERIFY(twice.name.find("2026") == std::string::npos);
    }

    void saved_files_load_as_they_were() {
        const fs::path own = fresh("own");
        const auto saved = save_calibrated(selene(), measured(selene()), of_run("1"), own);
        QVERIFY2(saved.has_value(), saved ? "" : say(saved.error()).c_str());
        QCOMPARE(saved->files.size(), std::size_t(2));
        const Library l = load_library(std::vector<fs::path>{own});   // elsewhere: the base is not installed
        QCOMPARE(say(l.problems), std::string());
        QVERIFY(l.machines.at("selene-measured-2026-11-21") == saved->machine);
        QVERIFY(l.stacks.at(saved->machine.calibration->stack) == *saved->stack);
        QCOMPARE(l.stacks.begin()->second.kernels.elementwise_factor, 1.12);
    }
    void without_a_measured_constant_of_it_the_stack_stays() {
        Calibration record = of_run("1");
        record.constants.pop_back();
        const auto saved = save_calibrated(selene(), measured(selene()), record, fresh("one"));
        QVERIFY(saved.has_value() && !saved->stack);
        QCOMPARE(saved->files.size(), std::size_t(1));
        QCOMPARE(saved->machine.calibration->stack, megatron().id);
    }
    void the_same_measurement_replaces_its_file_and_another_gets_its_own() {
        const fs::path own = fresh("twice");
        for (int i = 0; i < 2; ++i)
            QVERIFY(save_calibrated(selene(), measured(selene()), of_run("1"), own).has_value());
        QCOMPARE(files_below(own), std::size_t(2));
        const auto other = save_calibrated(selene(), measured(selene()), of_run("2"), own);
        QCOMPARE(other->machine.id, std::string("selene-measured-2026-11-21-2"));
        QCOMPARE(files_below(own), std::size_t(4));
        QCOMPARE(say(load_library(std::vector<fs::path>{own}).problems), std::string());
    }
    void what_is_no_calibration_is_not_overwritten_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("a preset of somebody") << QString::fromStdString(write_machine(selene()));
        QTest::newRow("a text") << "notes";
    }
    void what_is_no_calibration_is_not_overwritten() {
        QFETCH(QString, text);
        const fs::path own = fresh("foreign"), file = own / "machines/selene-measured-2026-11-21.json";
        fs::create_directories(file.parent_path());
        QVERIFY(write_atomically(file, text.toStdString()).has_value());
        const auto saved = save_calibrated(selene(), measured(selene()), of_run("1"), own);
        QVERIFY(!saved.has_value());
        QVERIFY(say(saved.error()).find("is not overwritten") != std::string::npos);
        QCOMPARE(*read_text(file), text.toStdString());
        QCOMPARE(files_below(own), std::size_t(1));
    }
    void what_leads_out_of_the_folder_is_not_saved_data() {
        QTest::addColumn<std::string>("id");
        QTest::addColumn<std::string>("date");
        QTest::newRow("a machine's id upwards") << std::string("../../ESCAPED") << std::string("2026-11-21");
        QTest::newRow("a machine's id downwards") << std::string("a/b") << std::string("2026-11-21");
        QTest::newRow("a date of its log") << std::string("selene") << std::string("../../2026");
    }
    void what_leads_out_of_the_folder_is_not_saved() {
        QFETCH(std::string, id);
        QFETCH(std::string, date);
        Machine base = selene();
        base.id = id;
        Calibration record = of_run("1");
        record.date = date;
        const fs::path own = fresh("outside") / "presets";
        const auto saved = save_calibrated(base, measured(base), record, own);
        QVERIFY(!saved.has_value());
        QVERIFY2(say(saved.error()).find("would be the name of a file") != std::string::npos,
                 say(saved.error()).c_str());
        QVERIFY(!fs::exists(own.parent_path()) || files_below(own.parent_path()) == 0);
    }
    void a_disturbed_calibration_is_not_saved() {
        Calibration record = of_run("1");
        for (ProofRow& row : record.proof) row.contended = true;
        const fs::path own = fresh("disturbed");
        QVERIFY(!save_calibrated(selene(), measured(selene()), record, own).has_value());
        QVERIFY(!fs::exists(own));
    }
    void a_base_that_changed_is_a_caution_and_deleting_the_files_restores_it() {
        const fs::path shipped = fresh("shipped"), own = fresh("mine");
        fs::create_directories(shipped / "machines");
        QVERIFY(write_atomically(shipped / "machines/selene.json", write_machine(selene())).has_value());
        const auto saved = save_calibrated(selene(), measured(selene()), of_run("1"), own);
        QCOMPARE(say(load_library(std::vector<fs::path>{shipped, own}).problems), std::string());
        Machine newer = selene();
        newer.device.efficiency.stream_fraction = 0.5;
        QVERIFY(write_atomically(shipped / "machines/selene.json", write_machine(newer)).has_value());
        const Library changed = load_library(std::vector<fs::path>{shipped, own});
        QVERIFY(!has_errors(changed.problems));
        QVERIFY(say(changed.problems).find("/calibration/based_on_hash") != std::string::npos);
        QCOMPARE(changed.machines.size(), std::size_t(2));
        for (const fs::path& file : saved->files) fs::remove(file);
        const Library without = load_library(std::vector<fs::path>{shipped, own});
        QCOMPARE(say(without.problems), std::string());
        QVERIFY(without.machines.at("selene") == newer);
    }
};

PLIMSOLL_TEST(tst_derived_machine)
#include "tst_derived_machine.moc"
