// Plans of fine-tuning as files of torchtune, axolotl and Megatron-Bridge: what is written is read back, what they
// cannot say is said, and none begins from nothing.
#include "registered_test.h"

#include "core/answers/plan/estimate.h"
#include "core/files/import/framework_import.h"
#include "core/files/launch/launch.h"
#include "core/files/settings/settings.h"
#include "core/values/knobs/knobs.h"
#include "shipped.h"

#include <QRegularExpression>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

Scenario tuning_plan(const char* model, const char* stack, int devices) {
    Scenario s;
    s.model = library().models.at(model);
    s.machine = library().machines.at("dgx-h100");
    s.stack = library().stacks.at(stack);
    s.layout.devices = s.layout.data_parallel = devices;
    s.layout.recompute = Recompute::full;
    s.recipe.global_batch_sequences = 32;
    s.recipe.sequence_length = 4096;
    s.recipe.tokens = 500.0 * 32 * 4096;
    s.method = {.purpose = Purpose::finetune, .trained = Trained::adapters, .rank = 24};
    s.method.adapted.mixer = s.method.adapted.experts = false;
    return s;
}

Scenario of_torchtune(int devices) {
    Scenario s = tuning_plan("llama3-8b", "torchtune-compile", devices);
    s.layout.zero_stage = devices > 1 ? 3 : 0;
    s.recipe.state_format = StateFormat::all_16bit;
    return s;
}

Scenario of_bridge() {
    Scenario s = tuning_plan("llama3-70b", "megatron-core", 16);
    s.layout.tensor_parallel = 2;
    s.layout.pipeline_parallel = 4;
    s.layout.data_parallel = 2;
    s.layout.sequence_parallel = true;
    s.layout.zero_stage = 1;
    s.recipe.state_format = StateFormat::fp32_moments_fp32_sums;
    s.method.fused_adapters = true;
    return s;
}

QString tuning_differences(const Scenario& a, const Scenario& b) {
    QString all;
    for (const Knob& k : knobs())
        if (k.get(a) != k.get(b) && idle_reason(k, a).empty() && k.group != KnobGroup::machine)
            all += QString("%1: %2, read back %3\n").arg(k.id.c_str()).arg(k.get(a)).arg(k.get(b));
    return all;
}

}  // namespace

class TuningLaunchTest : public QObject {
    Q_OBJECT

private slots:
    void a_plan_of_fine_tuning_reads_back_data() {
        QTest::addColumn<Scenario>("plan");
        QTest::addColumn<int>("framework");
        const auto row = [](const char* name, Framework f, Scenario s, auto change) {
            change(s);
            QTest::newRow(name) << s << int(f);
        };
        using enum Framework;
        const auto as_it_is = [](Scenario&) {};
        row("torchtune, adapters on one device", torchtune, of_torchtune(1), as_it_is);
        row("torchtune, adapters on eight", torchtune, of_torchtune(8), as_it_is);
        row("torchtune, some matrices beside NF4", torchtune, of_torchtune(1), [](Scenario& s) {
            s.method.frozen = FrozenFormat::nf4_double;
            s.method.adapted = {true, false, true, true, false, false, false, false, false};
            s.recipe.optimizer = Optimizer::adam_8bit;
        });
        row("torchtune, DoRA with dropout", torchtune, of_torchtune(1),
            [](Scenario& s) { s.method.magnitudes = s.method.adapter_dropout = true; });
        row("axolotl, DoRA with dropout", axolotl, tuning_plan("qwen2.5-7b", "hf-trainer", 8), [](Scenario& s) {
            s.layout.zero_stage = 3;
            s.method.magnitudes = s.method.adapter_dropout = true;
        });
        row("Megatron-Bridge, dropout before adapters", bridge, of_bridge(),
            [](Scenario& s) { s.method.adapter_dropout = true; });
        row("Megatron-Bridge, products in fp8 beside weights in 16 bits", bridge, of_bridge(), [](Scenario& s) {
            s.recipe.precision = Precision::fp8;
            s.recipe.fp8_recipe = Fp8Recipe::tensorwise;
        });
        row("torchtune, all weights, a loss in pieces", torchtune, of_torchtune(8), [](Scenario& s) {
            s.method = {.purpose = Purpose::finetune};
            s.stack = library().stacks.at("torchtune");
            s.stack.loss.chunks = 8;
            s.layout.zero_stage = 2;
        });
        row("torchtune, inputs of layers on the host", torchtune, of_torchtune(8), [](Scenario& s) {
            s.layout.offload.activations = Tier::host;
            s.layout.offload.solve_share = false;
        });
        row("axolotl, adapters", axolotl, tuning_plan("qwen2.5-7b", "hf-trainer", 8),
            [](Scenario& s) { s.layout.zero_stage = 3; });
        row("axolotl, tables and some matrices beside int8", axolotl, tuning_plan("qwen2.5-7b", "hf-trainer", 4),
            [](Scenario& s) {
                s.method.frozen = FrozenFormat::int8;
                s.method.trains_tables = true;
                s.method.adapted = {true, false, true, false, false, true, true, false, false};
            });
        row("axolotl, NF4 with plain scales", axolotl, tuning_plan("qwen2.5-7b", "unsloth", 1),
            [](Scenario& s) { s.method.frozen = FrozenFormat::nf4; });
        row("axolotl, all weights in 16 bits", axolotl, tuning_plan("qwen2.5-7b", "hf-trainer-fused", 8),
            [](Scenario& s) {
                s.method = {.purpose = Purpose::finetune};
                s.layout.zero_stage = 3;
                s.recipe.state_format = StateFormat::all_16bit;
            });
        const auto pairs = [](Scenario& s) {
            s.method.purpose = Purpose::preference;
            s.method.reference = Reference::adapters_off;
            s.layout.micro_batch = 2;
        };
        row("torchtune, pairs on one device", torchtune, of_torchtune(1), [&](Scenario& s) {
            pairs(s);
            s.stack.loss.chunks = 1;
        });
        row("torchtune, pairs beside a copy of all weights", torchtune, of_torchtune(8), [](Scenario& s) {
            s.method = {.purpose = Purpose::preference};
            s.stack.loss.chunks = 1;
            s.layout.micro_batch = 4;
        });
        row("axolotl, pairs", axolotl, tuning_plan("qwen2.5-7b", "hf-trainer", 4), pairs);
        row("axolotl, pairs beside a copy", axolotl, tuning_plan("qwen2.5-7b", "hf-trainer", 4), [&](Scenario& s) {
            pairs(s);
            s.method.reference = Reference::resident;
        });
        row("axolotl, pairs with probabilities of before", axolotl, tuning_plan("qwen2.5-7b", "hf-trainer", 4),
            [&](Scenario& s) {
                pairs(s);
                s.method.reference = Reference::precomputed;
            });
        row("axolotl over DeepSpeed", axolotl, tuning_plan("qwen2.5-7b", "hf-deepspeed-2023", 8),
            [](Scenario& s) { s.layout.zero_stage = 3; });
        row("axolotl over DeepSpeed, pairs of all weights", axolotl, tuning_plan("qwen2.5-7b", "deepspeed-zero3", 8),
            [](Scenario& s) {
                s.method = {.purpose = Purpose::preference};
                s.layout.zero_stage = 3;
                s.layout.micro_batch = 4;
            });
        row("Megatron-Bridge, adapters of fused matrices", bridge, of_bridge(), as_it_is);
        row("Megatron-Bridge, adapters of some matrices alone", bridge, of_bridge(), [](Scenario& s) {
            s.method.fused_adapters = false;
            s.method.adapted = {true, false, true, true, false, false, true, false, false};
        });
        row("Megatron-Bridge, all weights", bridge, of_bridge(),
            [](Scenario& s) {
                s.method = {.purpose = Purpose::finetune};
                s.model = library().models.at("llama3-8b");
            });
    }
    void a_plan_of_fine_tuning_reads_back() {
        QFETCH(Scenario, plan);
        QFETCH(int, framework);
        const auto script = launch_script(plan, Framework(framework));
        QVERIFY2(script.has_value(), script ? "" : script.error()[0].c_str());
        const NamedText files[] = {{"job.sh", *script}};
        const auto again = import_plan(files, library(), {});
        QVERIFY2(again.has_value(), again ? "" : (say(again.error()) + *script).c_str());
        QVERIFY2(tuning_differences(plan, again->plan).isEmpty(),
                 qPrintable(tuning_differences(plan, again->plan) + script->c_str()));
        QCOMPARE(again->plan.model.id, plan.model.id);
        QCOMPARE(again->plan.machine.id, plan.machine.id);
        QCOMPARE(again->plan.stack.id, plan.stack.id);
        for (const ImportRemark& r : again->remarks)
            QVERIFY2(r.fate != SettingFate::not_understood, (r.key + " " + r.value + "\n" + *script).c_str());
    }

    void every_shipped_plan_that_tunes_has_a_script() {
        int written = 0;
        for (const auto& [id, path] : not_empty(library().scenarios)) {
            const Scenario s = shipped_plan(id);
            if (!tunes(s.method)) continue;
            const auto script = launch_script(s, usual_framework(s).value_or(Framework::megatron));
            QVERIFY2(script.has_value(), (id + ": " + (script ? "" : script.error()[0])).c_str());
            ++written;
        }
        QVERIFY(written >= 3);
    }

    void rows_are_written_as_the_plan_fills_them_data() {
        QTest::addColumn<int>("framework");
        QTest::addColumn<int>("rows");
        QTest::addColumn<std::string>("says");
        const auto row = [](const char* name, Framework f, RowKind rows, const char* says) {
            QTest::newRow(name) << int(f) << int(rows) << std::string(says);
        };
        using enum Framework;
        row("torchtune packs", torchtune, RowKind::packed, "packed: true");
        row("torchtune pads to the longest", torchtune, RowKind::padded_to_longest, "packed: false");
        row("torchtune pads to nothing longer", torchtune, RowKind::padded, "");
        row("torchtune reads a data set three times", torchtune, RowKind::padded_to_longest, "epochs: 3\n");
        row("torchtune and the steps of one time", torchtune, RowKind::padded_to_longest, "steps_per_epoch: 200\n");
        row("axolotl packs", axolotl, RowKind::packed, "sample_packing: true\n");
        row("axolotl pads to the longest", axolotl, RowKind::padded_to_longest,
            "sample_packing: false\npad_to_sequence_len: false\n");
        row("axolotl pads to the length", axolotl, RowKind::padded,
            "sample_packing: false\npad_to_sequence_len: true\n");
        row("axolotl always pads or packs", axolotl, RowKind::padding_free, "");
        row("Megatron-Bridge packs", bridge, RowKind::packed,
            "enable_offline_packing: true\n  offline_packing_specs: {packed_sequence_size: 4096}\n");
        row("Megatron-Bridge pads to the longest", bridge, RowKind::padded_to_longest,
            "enable_offline_packing: false\n  offline_packing_specs: null\n  dataset_kwargs: {pad_to_max_length: "
            "false}\n");
        row("Megatron-Bridge pads to the length", bridge, RowKind::padded,
            "dataset_kwargs: {pad_to_max_length: true}\n");
        row("Megatron-Bridge always pads or packs", bridge, RowKind::padding_free, "");
    }
    // Nothing: refused, with what works.
    void rows_are_written_as_the_plan_fills_them() {
        QFETCH(int, framework);
        QFETCH(int, rows);
        QFETCH(std::string, says);
        Scenario s = Framework(framework) == Framework::bridge ? of_bridge() : of_torchtune(1);
        s.recipe.document_length = 300, s.recipe.document_variation = 0.5;
        s.recipe.rows = RowKind(rows);
        s.recipe.examples = 6400, s.recipe.epochs = 3;
        const auto script = launch_script(s, Framework(framework));
        QCOMPARE(script.has_value(), !says.empty());
        if (script) QVERIFY2(script->find(says) != script->npos, script->c_str());
    }

    void software_of_a_plan_says_what_it_is_written_for() {
        QCOMPARE(usual_framework(of_torchtune(8)).value(), Framework::torchtune);
        QCOMPARE(usual_framework(tuning_plan("qwen2.5-7b", "unsloth", 1)).value(), Framework::axolotl);
        QCOMPARE(usual_framework(of_bridge()).value(), Framework::bridge);
        QCOMPARE(usual_framework(tuning_plan("qwen2.5-7b", "hf-deepspeed-2023", 8)).value(), Framework::axolotl);
        QVERIFY(!usual_framework(tuning_plan("llama3-8b", "maxtext", 8)));
        Scenario derived = of_torchtune(8);
        derived.stack.id = "ours";   // as a preset that a user makes of it
        QCOMPARE(usual_framework(derived).value(), Framework::torchtune);
        QVERIFY(launch_script(derived, Framework::torchtune)->find("compile: true") != std::string::npos);
        Scenario pretrained = of_bridge();
        pretrained.method = {};
        QCOMPARE(usual_framework(pretrained).value(), Framework::megatron);
    }

    void a_name_stays_out_of_the_files() {
        for (Scenario s : {of_torchtune(8), tuning_plan("qwen2.5-7b", "hf-trainer", 4), of_bridge()}) {
            const Framework f = usual_framework(s).value();
            const auto plain = launch_script(s, f);
            QVERIFY2(plain.has_value(), plain ? "" : plain.error()[0].c_str());
            for (std::string* name : {&s.model.name, &s.machine.name, &s.stack.name, &s.name})
                *name = "x\nEOF\ntouch /tmp/y\r\x1b[2J: &a [*a] # \"";
            const auto script = launch_script(s, f);
            QVERIFY(script.has_value());
            const auto lines = [](const std::string& text) { return QString::fromStdString(text).split(u'\n'); };
            QCOMPARE(lines(*script).size(), lines(*plain).size());
            for (const QString& line : lines(*script))
                QVERIFY2(line.startsWith("# ") || !line.contains("touch"), qPrintable(line));
            QVERIFY(!QString::fromStdString(*script).contains(QRegularExpression("[\\r\\x1b]")));
        }
    }

    void what_a_trainer_cannot_do_is_said_data() {
        QTest::addColumn<Scenario>("plan");
        QTest::addColumn<int>("framework");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, Framework f, const char* says, Scenario s, auto change) {
            change(s);
            QTest::newRow(name) << s << int(f) << QString(says);
        };
        using enum Framework;
        const auto as_it_is = [](Scenario&) {};
        row("a script that begins from nothing", megatron,
            "would train from nothing. Fine-tuning with this plan's software is written for Megatron-Bridge",
            of_bridge(), as_it_is);
        row("the Trainer's made-up tokens", trainer, "is written for axolotl",
            tuning_plan("llama3-8b", "hf-trainer", 1), as_it_is);
        row("software without a writer", megatron, "none is written for fine-tuning with",
            tuning_plan("llama3-8b", "maxtext", 8), [](Scenario& s) { s.layout.zero_stage = 3; });
        const auto pairs = [](Scenario& s) {
            s.method.purpose = Purpose::preference;
            s.method.reference = Reference::adapters_off;
            s.layout.micro_batch = 2;
        };
        row("preferences in Megatron-Bridge", bridge, "those of torchtune and axolotl are", of_bridge(), pairs);
        row("half a pair", axolotl, "an even micro-batch", tuning_plan("qwen2.5-7b", "hf-trainer", 4),
            [](Scenario& s) { s.method.purpose = Purpose::preference; });
        row("another reference in torchtune", torchtune, "the model without its adapters", of_torchtune(1),
            [&](Scenario& s) {
                pairs(s);
                s.method.reference = Reference::resident;
            });
        row("preferences of all weights on one device of torchtune", torchtune, "Nearest: adapters.",
            of_torchtune(1), [](Scenario& s) {
                s.method = {.purpose = Purpose::preference};
                s.model = library().models.at("llama3.2-1b");
                s.layout.micro_batch = 2;
            });
        row("fused adapters beside int8 in axolotl", axolotl, "do not go with weights in int8",
            tuning_plan("qwen2.5-7b", "hf-trainer", 1), [](Scenario& s) {
                s.stack.kernels.adapter_fusion = 0.5;
                s.method.frozen = FrozenFormat::int8;
            });
        row("pre-training with torchtune", torchtune, "goes on from weights that are there", of_torchtune(8),
            [](Scenario& s) { s.method = {}; });
        row("a model that torchtune has not", torchtune, "This one it has not", of_torchtune(1),
            [](Scenario& s) { s.model.layers = 30; });
        row("half a block in torchtune", torchtune, "all of a feed-forward block or nothing", of_torchtune(1),
            [](Scenario& s) { s.method.adapted.up = false; });
        row("plain NF4 in torchtune", torchtune, "double quantisation", of_torchtune(1),
            [](Scenario& s) { s.method.frozen = FrozenFormat::nf4; });
        row("wide states of all weights in torchtune", torchtune, "8 bytes per parameter", of_torchtune(8),
            [](Scenario& s) {
                s.method = {.purpose = Purpose::finetune};
                s.recipe.state_format = StateFormat::fp32_moments;
            });
        row("tensor ranks in axolotl", axolotl, "tensor, pipeline, context and expert parallel 1",
            tuning_plan("qwen2.5-7b", "hf-trainer", 8), [](Scenario& s) {
                s.layout.tensor_parallel = 2;
                s.layout.data_parallel = 4;
            });
        row("quantised weights in Megatron-Bridge", bridge, "in the format of the products", of_bridge(),
            [](Scenario& s) { s.method.frozen = FrozenFormat::nf4_double; });
        row("DoRA in Megatron-Bridge", bridge, "name no magnitudes", of_bridge(),
            [](Scenario& s) { s.method.magnitudes = true; });
        row("dropout with fused kernels of adapters", axolotl, "take neither dropout nor magnitudes",
            tuning_plan("qwen2.5-7b", "unsloth", 1), [](Scenario& s) { s.method.adapter_dropout = true; });
        row("a part of a fused matrix", bridge, "queries, keys and values together", of_bridge(),
            [](Scenario& s) { s.method.adapted.key = false; });
    }
    void what_a_trainer_cannot_do_is_said() {
        QFETCH(Scenario, plan);
        QFETCH(int, framework);
        QFETCH(QString, says);
        const auto script = launch_script(plan, Framework(framework));
        QVERIFY2(!script, script ? script->c_str() : "");
        QString all;
        for (const std::string& why : script.error()) all += QString::fromStdString(why) + '\n';
        QVERIFY2(all.contains(says), qPrintable(all));
    }

    // Bytes that an adapter's parameters have more or less are said in the file.
    void formats_of_adapters_alone_are_said_in_a_comment() {
        Scenario s = of_torchtune(1);
        s.recipe.state_format = StateFormat::fp32_moments;
        const auto script = launch_script(s, Framework::torchtune);
        QVERIFY2(script.has_value(), script ? "" : script.error()[0].c_str());
        QVERIFY2(script->find("# torchtune keeps 8 bytes per trained parameter here, the plan 16.") != script->npos,
                 script->c_str());
    }
};

PLIMSOLL_TEST(TuningLaunchTest)
#include "tst_tuning_launch.moc"
