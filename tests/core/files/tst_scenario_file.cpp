// Scenario files: presets with overrides, and files that carry their presets.
#include "registered_test.h"

#include "core/files/text/disk.h"
#include "core/files/presets/own_values.h"
#include "core/files/presets/scenario_json.h"
#include "core/values/knobs/knobs.h"
#include "scenarios.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <set>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

Library with_presets() {
    Library l;
    for (const Model& m : {gpt3_175b(), small_gated()}) l.models[m.id] = m;
    for (const Machine& m : {selene(), one_node()}) l.machines[m.id] = m;
    l.stacks[megatron().id] = megatron();
    return l;
}

// A plan by its parts; the rest is gpt3_on_selene's.
std::string plan(const char* layout, const char* recipe = R"({"global_batch_sequences": 1536})",
                 const char* model = R"("gpt3-175b")", const char* more = "") {
    return std::string(R"({"schema": "plimsoll/scenario", "version": 1, "name": "p", "model": )") + model
         + R"(, "machine": "selene", "stack": "megatron-2021", "layout": )" + layout + R"(, "recipe": )" + recipe + more
         + "}";
}
std::string plan_with_model(const char* model) {
    return plan(R"({"devices": 64})", R"({"global_batch_sequences": 64})", model);
}

QString said(const std::string& text, const Library& l = with_presets()) {
    const auto s = read_scenario(text, l, "plan.json");
    return QString::fromStdString(s ? say(s->warnings) : say(s.error()));
}

QJsonObject json(const std::string& text) {
    QJsonParseError error;
    const auto document = QJsonDocument::fromJson(QByteArray::fromStdString(text), &error);
    return error.error == QJsonParseError::NoError ? document.object() : QJsonObject();
}

std::vector<std::pair<const char*, Scenario>> plans() {
    Scenario edited_everywhere = gpt3_on_selene();
    edited_everywhere.model.layers = 48;
    edited_everywhere.model.note = "shallow";
    edited_everywhere.machine.device.fp16 = {};
    edited_everywhere.machine.device.fp8 = 1000 * teraflop / second;
    edited_everywhere.machine.levels[1].latency = 7.3 * microsecond;
    edited_everywhere.machine.grid_gCO2e_per_kWh.reset();
    edited_everywhere.machine.sources["/nodes"] = {SourceKind::user, "counted"};
    edited_everywhere.stack.host.layer = 0.123 * millisecond;
    edited_everywhere.machine.device.codecs.zfp = {0.3, 0.4};
    edited_everywhere.machine.clusters[0] = {
        300, Nic::roce, 3 * gigabyte / second, 0.7, 9 * microsecond, 1.5, 100 * teraflop / second};
    edited_everywhere.machine.clusters[2].nodes = 260;
    edited_everywhere.layout.mapping = Mapping::holmes;
    edited_everywhere.compression.gradients = {.kind = CodecKind::top_k, .density = 0.05};
    edited_everywhere.compression.encoding = Encoding::once;
    Scenario strangers = gpt3_on_selene();
    strangers.model.id = "mine";
    strangers.machine.id = "ours";
    strangers.stack.id = "";
    Scenario odd_name = small_on_one_node();
    odd_name.name = "\"quotes\" \\ \xc3\xa9";
    return {{"presets as they are", gpt3_on_selene()},   {"interleaved", gpt3_interleaved()},
            {"one node", small_on_one_node()},            {"too big", too_big_for_memory()},
            {"edited everywhere", edited_everywhere},     {"presets nobody has", strangers},
            {"a name that needs escaping", odd_name}};
}

}  // namespace

class tst_scenario_file : public QObject {
    Q_OBJECT

private slots:
    void a_saved_plan_opens_as_it_was_data() {
        QTest::addColumn<int>("index");
        const auto all = plans();
        for (int i = 0; i < int(all.size()); ++i) QTest::newRow(all[i].first) << i;
    }
    void a_saved_plan_opens_as_it_was() {
        QFETCH(int, index);
        const Scenario s = plans()[index].second;
        const std::string text = write_scenario(s, with_presets());
        for (const Library& l : {with_presets(), Library{}}) {  // with the presets and without
            const auto again = read_scenario(text, l);
            QVERIFY2(again.has_value(), again ? "" : say(again.error()).c_str());
            QVERIFY(without_sources(again->scenario) == without_sources(s));
        }
        const auto here = read_scenario(text, with_presets());
        QVERIFY2(here->warnings.empty(), say(here->warnings).c_str());
        QCOMPARE(write_scenario(here->scenario, with_presets(), here->extra_json), text);
        const auto without = read_scenario(write_scenario(s, Library{}), with_presets());
        QVERIFY2(without && without->scenario == s, "written whole");
    }

    void only_what_differs_is_written() {
        Scenario s = gpt3_on_selene();
        QCOMPARE(json(write_scenario(s, with_presets()))["model"].toString(), QString("gpt3-175b"));
        s.model.layers = 48;
        s.machine.device.memory = 40 * gibibyte;
        const auto file = json(write_scenario(s, with_presets()));
        QCOMPARE(file["model"].toObject(), (QJsonObject{{"preset", "gpt3-175b"}, {"layers", 48}}));
        QCOMPARE(file["machine"].toObject(),
                 (QJsonObject{{"preset", "selene"}, {"device", QJsonObject{{"memory_GiB", 40}}}}));
        QCOMPARE(file["preset_values"].toObject()["model"].toObject()["layers"].toInt(), 96);
    }

    void states_with_a_name_are_a_number_and_others_an_object_data() {
        QTest::addColumn<StateFormat>("states");
        QTest::addColumn<QJsonValue>("written");
        const auto row = [](const char* name, StateFormat f, QJsonValue written) {
            QTest::newRow(name) << f << written;
        };
        const auto object = [](const char* gradients, const char* master, const char* moments) {
            return QJsonObject{{"weight_format", "as_products"}, {"gradient_format", gradients},
                               {"master_format", master}, {"first_moment", moments}, {"second_moment", moments}};
        };
        StateFormat chosen = StateFormat::fp32_moments;
        chosen.one_by_one = true;
        row("18 bytes", StateFormat::fp32_moments_fp32_sums, 18);
        row("6 bytes", StateFormat::eight_bit_moments, 6);
        row("remainders",
            {.gradients = GradientFormat::fp32, .master = MasterFormat::remainders, .one_by_one = true},
            object("fp32", "remainders", "fp32"));
        row("16 bytes that were chosen one by one", chosen, object("half", "fp32", "fp32"));
    }
    void states_with_a_name_are_a_number_and_others_an_object() {
        QFETCH(StateFormat, states);
        QFETCH(QJsonValue, written);
        Scenario s = gpt3_on_selene();
        s.recipe.state_format = states;
        const std::string text = write_scenario(s, with_presets());
        QCOMPARE(json(text)["recipe"].toObject()["bytes_per_parameter"], written);
        QVERIFY(read_scenario(text, with_presets())->scenario.recipe.state_format == states);
    }

    // Whatever a knob can be set to can be saved, and whatever check() lets through.
    void every_knob_survives_at_both_ends_data() {
        QTest::addColumn<QString>("id");
        for (const Knob& k : knobs()) QTest::newRow(k.id.c_str()) << QString::fromStdString(k.id);
    }
    void every_knob_survives_at_both_ends() {
        QFETCH(QString, id);
        const Knob& k = *find_knob(id.toStdString());
        std::set<double> ends{k.low, k.high};
        if (k.valid) ends.insert({k.valid->low, k.valid->high});
        for (const double value : ends) {
            Scenario s = gpt3_on_selene();
            k.set(s, value);
            if (s.layout.devices > find_knob("layout.devices")->valid->high) continue;   // so many replicas of eight
            mark_own(s, gpt3_on_selene(), with_presets(), "yours");
            const auto again = read_scenario(write_scenario(s, with_presets()), with_presets());
            QVERIFY2(again.has_value(), again ? "" : say(again.error()).c_str());
            QVERIFY(again->scenario == s);
        }
    }

    void overrides_merge_into_the_preset() {
        const auto s = read_scenario(R"({"schema": "plimsoll/scenario", "version": 1,
            "model": {"preset": "gpt3-175b", "layers": 12},
            "machine": {"preset": "selene", "device": {"peak_TFLOPS": {"fp8": 500, "tf32": null}},
                        "levels": [{"name": "node", "devices": 8, "bandwidth_GBps": 1},
                                   {"name": "all", "devices": 4480, "bandwidth_GBps": 2}]},
            "stack": "megatron-2021", "layout": {"devices": 8}, "recipe": {"global_batch_sequences": 8}})",
                                     with_presets());
        QVERIFY2(s.has_value(), s ? "" : say(s.error()).c_str());
        QVERIFY(s->warnings.empty());
        const Scenario& plan = s->scenario;
        QCOMPARE(plan.model.layers, 12);
        QCOMPARE(plan.model.hidden, 12288);
        QCOMPARE(plan.machine.device.fp8 / (teraflop / second), 500.0);
        QCOMPARE(plan.machine.device.tf32 / (teraflop / second), 0.0);
        QCOMPARE(plan.machine.device.bf16 / (teraflop / second), 312.0);
        QCOMPARE(plan.machine.levels[1].name, std::string("all"));
        QCOMPARE(plan.machine.levels[1].efficiency, 1.0);
    }

    void what_a_plan_leaves_out_follows() {
        const auto by_devices = read_scenario(plan(R"({"devices": 64, "tensor_parallel": 8})"), with_presets());
        QVERIFY(by_devices.has_value());
        QCOMPARE(by_devices->scenario.layout.data_parallel, 8);
        QCOMPARE(by_devices->scenario.recipe.sequence_length, 2048);
        QCOMPARE(by_devices->scenario.recipe.tokens, 300e9);
        const auto by_data = read_scenario(plan(R"({"data_parallel": 4, "pipeline_parallel": 8})"), with_presets());
        QCOMPARE(by_data->scenario.layout.devices, 32);
        const auto small = read_scenario(
            plan(R"({"devices": 8})", R"({"global_batch_sequences": 8})", R"("small-gated")"), with_presets());
        QCOMPARE(small->scenario.recipe.tokens, 20 * parameters(small_gated()));
    }

    void names_of_the_field_are_understood() {
        const auto read = read_scenario(
            plan(R"({"devices": 64, "zero_stage": "fsdp", "schedule": "one_f_one_b", "recompute": "off"})",
                 R"({"global_batch_sequences": 8, "optimizer": "adamw", "precision": "bfloat16"})"),
            with_presets());
        QVERIFY(read.has_value() && read->warnings.empty());
        QCOMPARE(read->scenario.layout.zero_stage, 3);
        QVERIFY(read->scenario.recipe.optimizer == Optimizer::adam);
        QVERIFY(read->scenario.recipe.precision == Precision::bf16);
        QVERIFY(read->scenario.layout.schedule == Schedule::one_f_one_b);
    }

    void a_machine_is_found_by_the_id_it_had() {
        Library library = with_presets();
        library.machines["selene"].former_ids = {"old-selene"};
        std::string text = plan(R"({"devices": 64})");
        text.replace(text.find("\"selene\""), 8, "\"old-selene\"");
        const auto read = read_scenario(text, library);
        QVERIFY(read.has_value());
        QCOMPARE(read->scenario.machine.id, std::string("selene"));
    }

    void a_wrong_plan_says_what_and_where_data() {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const std::string& text, const char* expected) {
            QTest::newRow(name) << text << QString(expected);
        };
        row("a newer version", R"({"schema": "plimsoll/scenario", "version": 2})",
            "/version: version 2 is newer than 1");
        row("a preset instead of a plan", R"({"schema": "plimsoll/model", "version": 1})",
            "/schema: found \"plimsoll/model\", expected \"plimsoll/scenario\"");
        row("an unknown preset names the nearest", plan_with_model(R"("gpt3-175")"),
            "/model: unknown preset \"gpt3-175\"; nearest: \"gpt3-175b\"");
        row("also where it has overrides", plan_with_model(R"({"preset": "gpt-175b"})"),
            "/model/preset: unknown preset \"gpt-175b\"");
        row("half a model without a preset", plan_with_model(R"({"layers": 2})"), "/model/hidden: missing");
        row("a number for a part", plan_with_model("7"), "/model: found 7, expected an object");
        row("a bad override", plan_with_model(R"({"preset": "gpt3-175b", "layers": -1})"),
            "/model/layers: found -1, expected a whole number from 1 to 10000");
        row("a misspelt override", plan_with_model(R"({"preset": "gpt3-175b", "layer": 1})"),
            "/model/layer: warning: unknown key, ignored; nearest: \"layers\"");
        row("overrides that disagree are left to the estimate",
            plan_with_model(R"({"preset": "gpt3-175b", "kv_heads": 7})"),
            "/model/kv_heads: warning: found 7, expected a divisor of heads 96");
        row("neither devices nor data_parallel", plan("{}"), "/layout/devices: missing");
        row("more devices than anybody has", plan(R"({"data_parallel": 100000000, "tensor_parallel": 8})"),
            "/layout/data_parallel: the degrees multiply");
        row("a degree of zero", plan(R"({"devices": 8, "tensor_parallel": 0})"),
            "/layout/tensor_parallel: found 0, expected a whole number from 1");
        row("a misspelt layout key", plan(R"({"devices": 8, "tensor_paralel": 8})"),
            "/layout/tensor_paralel: warning: unknown key, ignored; nearest: \"tensor_parallel\"");
        row("a part whose id leads elsewhere", plan_with_model(R"({"preset": "gpt3-175b", "id": "../../x"})"),
            "/model/id: found \"../../x\", expected letters, digits, dots");
        row("a model whose name is two lines", plan_with_model(R"({"preset": "gpt3-175b", "name": "a\nb"})"),
            "/model/name: found \"a b\", expected a text on one line");
        row("no batch", plan(R"({"devices": 8})", "{}"), "/recipe/global_batch_sequences: missing");
        row("state bytes nobody keeps",
            plan(R"({"devices": 8})", R"({"global_batch_sequences": 8, "bytes_per_parameter": 17})"),
            "/recipe/bytes_per_parameter: found 17, expected 6, 8, 10, 12, 14, 16, 18 or 20");
        row("a format of states that nobody has",
            plan(R"({"devices": 8})",
                 R"({"global_batch_sequences": 8, "bytes_per_parameter": {"first_moment": "fp4"}})"),
            "/recipe/bytes_per_parameter/first_moment: found \"fp4\", expected");
        row("an unknown part",
            plan(R"({"devices": 8})", R"({"global_batch_sequences": 8})", R"("gpt3-175b")", R"(, "modle": 1)"),
            "/modle: warning: unknown key, kept for saving; nearest: \"model\"");
    }
    void a_wrong_plan_says_what_and_where() {
        QFETCH(std::string, text);
        QFETCH(QString, expected);
        const QString all = said(text);
        QVERIFY2(all.contains("plan.json: " + expected), qPrintable("said: " + all));
    }

    void the_values_in_the_file_win() {
        const std::string text = write_scenario(gpt3_on_selene(), with_presets());
        Library changed = with_presets();
        changed.models["gpt3-175b"].layers = 100;
        QCOMPARE(read_scenario(text, changed)->scenario.model.layers, 96);
        QCOMPARE(said(text, changed),
                 QString("plan.json: /model: warning: preset \"gpt3-175b\" has changed since this file "
                         "was saved; using the values in this file\n"));
        changed.models.erase("gpt3-175b");
        QVERIFY(said(text, changed).contains("preset \"gpt3-175b\" is not installed; using the values in this file"));
        QCOMPARE(read_scenario(text, changed)->scenario.model.layers, 96);
    }

    // Somebody edited the id in the file: the values there belong to the old preset.
    void values_of_another_preset_do_not_count() {
        std::string text = write_scenario(gpt3_on_selene(), with_presets());
        text.replace(text.find("\"gpt3-175b\""), 11, "\"small-gated\"");
        const auto s = read_scenario(text, with_presets());
        QVERIFY(s.has_value() && s->warnings.empty());
        QVERIFY(s->scenario.model == small_gated());
    }

    void unknown_keys_are_kept() {
        const auto first = read_scenario(plan(R"({"devices": 8})", R"({"global_batch_sequences": 8})", R"("gpt3-175b")",
            R"(, "note": "mine", "plugin": {"deep": [1, 2.5, null, {"x": "y"}]})"), with_presets(), "plan.json");
        QVERIFY(first.has_value());
        QCOMPARE(first->warnings.size(), std::size_t(1));  // a note is nothing to warn of
        const auto file = json(write_scenario(first->scenario, with_presets(), first->extra_json));
        QCOMPARE(file["note"].toString(), QString("mine"));
        QCOMPARE(file["plugin"],
                 (QJsonValue(QJsonObject{{"deep", QJsonArray{1, 2.5, QJsonValue(), QJsonObject{{"x", "y"}}}}})));
        for (const std::string bad : {"", "[]", "nonsense", R"({"layout": 1, "preset_values": 1})"})
            QVERIFY(read_scenario(write_scenario(gpt3_on_selene(), with_presets(), bad), with_presets())->scenario
                    == gpt3_on_selene());
    }

    void a_plan_cut_anywhere_is_refused() {
        const std::string text = write_scenario(gpt3_on_selene(), with_presets());
        for (std::size_t n = 0; n + 2 < text.size(); ++n)
            QVERIFY(!read_scenario(text.substr(0, n), with_presets()).has_value());
    }

    void shipped_scenarios_are_clean_and_kept_data() {
        QTest::addColumn<QString>("path");
        for (const QFileInfo& f : QDir(PLIMSOLL_PRESETS_DIR "/scenarios").entryInfoList({"*.json"}))
            QTest::newRow(qPrintable(f.fileName())) << f.filePath();
        QTest::newRow("(there are scenarios)") << QString();
    }
    void shipped_scenarios_are_clean_and_kept() {
        QFETCH(QString, path);
        if (path.isEmpty()) return;
        const std::filesystem::path directories[] = {PLIMSOLL_PRESETS_DIR};
        static const Library library = load_library(directories);
        const auto first = read_scenario(*read_text(path.toStdString()), library, path.toStdString());
        QVERIFY2(first.has_value(), first ? "" : say(first.error()).c_str());
        QCOMPARE(QString::fromStdString(say(first->warnings)), QString());
        const auto again = read_scenario(write_scenario(first->scenario, library), Library{});
        QVERIFY(again.has_value());
        QVERIFY(again->scenario == first->scenario);
    }
};

PLIMSOLL_TEST(tst_scenario_file)
#include "tst_scenario_file.moc"
