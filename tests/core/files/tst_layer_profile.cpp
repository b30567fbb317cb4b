// Measured layer profiles: read, refused with reasons, and searched to the optimum their authors publish.
#include "registered_test.h"

#include "core/answers/strategies/per_layer.h"
#include "core/papers/galvatron.h"
#include "core/files/import/layer_profile.h"
#include "core/files/text/disk.h"
#include "near.h"

#include <QTemporaryDir>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <set>

using namespace plimsoll;
using Json = nlohmann::json;

namespace {

const std::filesystem::path fixture = std::filesystem::path(PLIMSOLL_TESTS_DIR) / "data/galvatron/llama2-7b-8gpu.json";

Json fixture_json() { return Json::parse(*read_text(fixture)); }

PerLayer searched(int micro_batches, bool as_galvatron = true, bool uneven = false) {
    const auto profile = read_layer_profile(fixture, 8);
    const auto calibration = at_length(*profile, 8192);
    PerLayerQuestion q;
    q.space = {.devices = 8, .layers = 28};
    q.batches = {64};
    if (micro_batches > 0) q.micro_batches = {micro_batches};
    q.memory = searched_memory(36 * gibibyte);
    q.uneven_stages = uneven;
    q.weigh = as_galvatron ? Weigh::one_micro_batch : Weigh::whole_step;
    ProfiledShape shape{4096, 8192, 8};
    shape.as_galvatron = as_galvatron;
    return best_per_layer(q, profiled_prices(*calibration, shape));
}

void write(const std::filesystem::path& path, const Json& json) { std::ofstream(path) << json; }

}  // namespace

class LayerProfileTest : public QObject {
    Q_OBJECT
private slots:
    // 28 layers of Llama 2 7B's width, 8,192 tokens, batch 64, 8 devices of 36 GiB. 32 fine and 8 coarse are
    // Galvatron's
    // own unit test (test_parallelsim_optimization.py); the others were computed by running its code (cea12ff).
    void galvatrons_optima_are_found_data() {
        QTest::addColumn<int>("micro_batches");
        QTest::addColumn<double>("per_layer");
        QTest::addColumn<double>("uniform");
        QTest::addColumn<int>("pipeline");
        QTest::newRow("8 micro-batches: published coarse optimum") << 8 << 2.528983990982465 << 2.5246283459057333 << 1;
        QTest::newRow("16 micro-batches") << 16 << 2.563995017537269 << 2.4572809716781125 << 1;
        QTest::newRow("32 micro-batches: published fine-grained optimum")
            << 32 << 2.6485091403918064 << 2.4272308067733106 << 1;
        QTest::newRow("64 micro-batches: a pipeline of two") << 64 << 2.9118267509535194 << 2.84922476940545 << 2;
    }
    void galvatrons_optima_are_found() {
        QFETCH(int, micro_batches);
        QFETCH(double, per_layer);
        QFETCH(double, uniform);
        QFETCH(int, pipeline);
        const PerLayer found = searched(micro_batches);
        QVERIFY(found.best && found.uniform);
        QVERIFY2(near(found.best->throughput(), per_layer, 1e-6),
                 qPrintable(QString::number(found.best->throughput(), 'g', 12)));
        QVERIFY2(near(found.uniform->throughput(), uniform, 1e-6),
                 qPrintable(QString::number(found.uniform->throughput(), 'g', 12)));
        QCOMPARE(found.best->pipeline, pipeline);
        QCOMPARE(found.strategies, 50);
        for (const Bytes& used : found.best->memory) QVERIFY(used <= searched_memory(36 * gibibyte));
        QCOMPARE(found.best->layers.size(), std::size_t(28));
    }

    void handing_over_at_its_bandwidth_finds_a_faster_plan() {
        const PerLayer galvatron = searched(32), ours = searched(32, false);
        QVERIFY(ours.best->throughput() > 1.003 * galvatron.best->throughput());
        std::set<int> widths;
        for (const LayerStrategy& s : ours.best->layers) widths.insert(s.width());
        QVERIFY2(widths.size() > 1, "it mixes widths");
    }

    void fewer_layers_on_the_stages_with_ends_is_never_slower() {
        const PerLayer equal = searched(64, false), free = searched(64, false, true);
        QVERIFY(free.best->throughput() >= equal.best->throughput());
        QVERIFY(free.pipelines > equal.pipelines);
        QVERIFY(free.uniform->throughput() < free.best->throughput());
        for (const LayerStrategy& s : free.uniform->layers) QVERIFY(s == free.uniform->layers.front());
    }

    void the_best_over_all_micro_batches_is_the_best_of_each() {
        double best = 0;
        for (const int m : {1, 2, 4, 8, 16, 32, 64})
            if (const auto found = searched(m, false).best) best = std::max(best, found->throughput());
        QCOMPARE(searched(0, false).best->throughput(), best);
    }

    void one_file_and_a_folder_say_the_same() {
        const Json all = fixture_json();
        QTemporaryDir folder;
        const std::filesystem::path root = folder.path().toStdString();
        std::filesystem::create_directory(root / "hardware_configs");
        write(root / "computation_profiling_bf16_llama_all.json", all["computation"]);
        write(root / "memory_profiling_bf16_llama_all.json", all["memory"]);
        write(root / "hardware_configs/allreduce_bandwidth_1nodes_8gpus_per_node.json", all["allreduce_bandwidth"]);
        write(root / "hardware_configs/allreduce_bandwidth_2nodes_8gpus_per_node.json", Json::object());
        write(root / "hardware_configs/p2p_bandwidth_1nodes_8gpus_per_node.json", all["p2p_bandwidth"]);
        write(root / "hardware_configs/sp_time_1nodes_8gpus_per_node.json", all["sp_time"]);
        write(root / "hardware_configs/overlap_coefficient.json", all["overlap"]);
        const auto read = read_layer_profile(root, 8), one = read_layer_profile(fixture, 8);
        QVERIFY2(read.has_value(), read ? "" : say(read.error()).c_str());
        QCOMPARE(at_length(*read, 8192)->layer_ms.at(2), at_length(*one, 8192)->layer_ms.at(2));
        QCOMPARE(read->all_to_all_ms, one->all_to_all_ms);
        QCOMPARE(read->strided_GBs, one->strided_GBs);
        const auto other = read_layer_profile(root, 32);
        QVERIFY(!other);
        QVERIFY(
            QString::fromStdString(say(other.error())).contains("no file allreduce_bandwidth_*.json for 32 devices"));
    }

    void what_is_wrong_is_said_data() {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("message");
        QTest::newRow("a section is missing") << "/overlap" << "null" << "/overlap: missing";
        QTest::newRow("a time is no number") << "/computation/layertype_0_bsz1_seq4096"
                                             << "\"12\""
                                             << "/computation/layertype_0_bsz1_seq4096: found";
        QTest::newRow("a time is nothing") << "/computation/layertype_0_bsz1_seq4096"
                                           << "null"
                                           << "missing, expected a number above 0";
        QTest::newRow("a second kind of layer") << "/computation/layertype_1_bsz1_seq4096"
                                                << "3"
                                                << "layers are all alike";
        QTest::newRow("a bandwidth below zero") << "/allreduce_bandwidth/allreduce_size_8_consec_1"
                                                << "-1"
                                                << "expected a number above 0";
        QTest::newRow("an overlap below one") << "/overlap/overlap_coe"
                                              << "0.5"
                                              << "expected a number of at least 1, at most 10";
        QTest::newRow("no sequence length") << "/memory/layertype_0_sp"
                                            << "{\"long\": {}}"
                                            << "expected a sequence length like";
        QTest::newRow("a memory without parameters") << "/memory/layertype_0_sp/8192/parameter_size"
                                                     << "null"
                                                     << "parameter_size: missing";
        QTest::newRow("one message size gives no line") << "/sp_time"
                                                        << "{\"allreduce_size_8_1MB_time\": 1}"
                                                        << "at least two message sizes of 8 ranks";
    }
    void what_is_wrong_is_said() {
        QFETCH(QString, pointer);
        QFETCH(QString, value);
        QFETCH(QString, message);
        Json all = fixture_json();
        all[Json::json_pointer(pointer.toStdString())] = Json::parse(value.toStdString());
        const auto read = parse_layer_profile(all.dump(), "profile.json");
        QVERIFY(!read);
        const QString said = QString::fromStdString(say(read.error()));
        QVERIFY2(said.contains(message), qPrintable(said));
    }

    void no_text_is_a_profile_by_accident() {
        for (const char* text : {"", "[]", "{", "{}", "{\"computation\": 1}"}) QVERIFY(!parse_layer_profile(text, "x"));
    }

    void a_length_nobody_measured_is_said() {
        auto profile = *read_layer_profile(fixture, 8);
        profile.layer = {{8, 4096, 11.2}};
        QVERIFY(QString::fromStdString(at_length(profile, 8192).error())
                    .contains("no forward time of a layer at sequence length 8192"));
        QVERIFY(at_length(profile, 4096).has_value());
    }

    // Handing activations on to two ranks has no price then, and asking for one ended the program.
    void a_width_without_a_bandwidth_has_no_price() {
        auto profile = *read_layer_profile(fixture, 8);
        const auto searched = [&] {
            PerLayerQuestion q;
            q.space.devices = 8;
            q.space.layers = 4;
            q.batches = {16};
            q.memory = 24 * gibibyte;
            return best_per_layer(q, profiled_prices(*at_length(profile, 8192), {4096, 8192, 8}));
        };
        const int unpriced = searched().unpriced;
        profile.neighbours_GBs.erase(2);
        const PerLayer found = searched();
        QVERIFY(found.best && found.unpriced > unpriced);
    }

    // The search for the order of such a pipeline did not end.
    void a_time_that_bends_the_others_below_zero_is_said() {
        auto profile = *read_layer_profile(fixture, 8);
        for (auto& timing : profile.layer)
            if (timing.sequence == 4096) timing.ms_per_sample = 1;   // 12.4 as measured
        const auto wrong = at_length(profile, 2048);
        QVERIFY(!wrong);
        QVERIFY2(QString::fromStdString(wrong.error()).contains("far from the curve through the others"),
                 wrong.error().c_str());
    }

    void batches_give_a_line_and_lengths_a_parabola() {
        auto profile = *read_layer_profile(fixture, 8);
        profile.layer.clear();
        for (int b = 1; b <= 10; ++b) profile.layer.push_back({b, 2048, (4 * b + 3.0) / b});
        const auto line = at_length(profile, 2048);
        QVERIFY(near(line->layer_ms.at(6), 27));
        QVERIFY(near(line->layer_ms.at(0.5), 5));
        profile.layer.clear();
        for (const int s : {1024, 2048, 4096, 8192}) profile.layer.push_back({1, s, 2 + 1e-3 * s + 1e-6 * s * s});
        QVERIFY(near(at_length(profile, 6000)->layer_ms.at(1), 44));
        QVERIFY(near(at_length(profile, 6000)->layer_ms.at(2), 88));
    }

    void strategies_without_a_measurement_have_no_price() {
        Json all = fixture_json();
        for (int size = 1; size <= 1024; size *= 2)
            all["sp_time"].erase("all2all_size_8_" + std::to_string(size) + "MB_time");
        const auto profile = parse_layer_profile(all.dump(), "profile.json");
        QVERIFY(profile.has_value());
        PerLayerQuestion q;
        q.space = {.devices = 8, .layers = 4};
        q.batches = {8};
        q.memory = 36 * gibibyte;
        const PerLayer found = best_per_layer(q, profiled_prices(*at_length(*profile, 8192), {4096, 8192, 8}));
        QCOMPARE(found.unpriced, 2);   // Ulysses over 8, with and without checkpointing
    }
};

PLIMSOLL_TEST(LayerProfileTest)
#include "tst_layer_profile.moc"
