// Configurations of fine-tuning as plans: what is trained, with which adapters, beside weights of which format; what is
// not modelled is said, and what no plan has is refused.
#include "registered_test.h"

#include "configurations.h"
#include "core/answers/plan/estimate.h"
#include "core/files/import/framework_import.h"
#include "core/values/knobs/knobs.h"
#include "dialect_files.h"
#include "shipped.h"
#include "tuning_files.h"

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

using TuningFiles = std::vector<NamedText>;

Expected<ImportedPlan, Problems> tuned(const TuningFiles& files) { return import_plan(files, library(), {}); }

TuningFiles bridge_of_llama(const std::string& yaml) {
    return {{"over.yaml", yaml}, {"config.json", llama_config}};
}

}  // namespace

class TuningImportTest : public QObject {
    Q_OBJECT

private slots:
    void a_setting_of_fine_tuning_means_data() {
        QTest::addColumn<TuningFiles>("files");
        QTest::addColumn<std::string>("whose");
        QTest::addColumn<std::string>("knob");
        QTest::addColumn<double>("is");
        const auto rows = [](const char* what, const char* whose, const TuningFiles& files,
                             std::initializer_list<std::pair<const char*, double>> values) {
            for (const auto& [knob, is] : values)
                QTest::addRow("%s: %s", what, knob) << files << std::string(whose) << std::string(knob) << is;
        };
        const double adapters = int(Trained::adapters), finetune = int(Purpose::finetune);
        rows("torchtune's YAML", "torchtune", {{"ours.yaml", torchtune_yaml}},
             {{"method.purpose", finetune},
              {"method.trained", adapters},
              {"method.rank", 24},
              {"method.adapted.q_proj", 1},
              {"method.adapted.v_proj", 0},
              {"method.adapted.o_proj", 1},
              {"method.adapted.down_proj", 1},
              {"method.frozen", int(FrozenFormat::as_products)},
              {"model.layers", 32},
              {"model.vocabulary", 128256},
              {"layout.micro_batch", 2},
              {"layout.zero_stage", 3},
              {"layout.recompute", int(Recompute::full)},
              {"layout.offload.activations", int(Tier::host)},
              {"stack.loss_chunks", 8},
              {"recipe.sequence_length", 4096},
              {"recipe.bytes_per_parameter", 1},
              {"recipe.tokens", 2 * 300.0 * 8 * 2 * 4 * 4096}});
        rows("torchtune's command", "torchtune",
             {{"ours.yaml", torchtune_yaml},
              {"run.sh", "tune run --nproc_per_node 4 lora_finetune_distributed --config ours.yaml batch_size=1\n"}},
             {{"layout.devices", 4}, {"layout.micro_batch", 1}, {"recipe.global_batch_sequences", 16}});
        rows("torchtune on one device", "torchtune",
             {{"8B_qlora_single_device.yaml", reworded(torchtune_yaml, ".lora_", ".qlora_")}},
             {{"layout.devices", 1}, {"layout.zero_stage", 0}, {"method.frozen", int(FrozenFormat::nf4_double)}});
        rows("torchtune, matrices of attention alone", "torchtune",
             {{"ours.yaml", reworded(torchtune_yaml, "  apply_lora_to_mlp: True\n", "")}},
             {{"method.adapted.q_proj", 1}, {"method.adapted.gate_proj", 0}});
        rows("torchtune, all weights", "torchtune", {{"full.yaml", torchtune_full}},
             {{"method.purpose", finetune},
              {"method.trained", int(Trained::all)},
              {"model.layers", 16},
              {"stack.loss_chunks", 1},
              {"recipe.optimizer", int(Optimizer::adam_8bit)},
              {"recipe.updates_in_backward", 1},
              {"layout.offload.optimizer_state", int(Tier::host)},
              {"layout.offload.paged_optimizer", 1}});
        const double longest = int(RowKind::padded_to_longest);
        rows("torchtune that pads", "torchtune",
             {{"ours.yaml", reworded(torchtune_yaml, "packed: True", "packed: False")}},
             {{"recipe.rows", longest}, {"recipe.epochs", 2}});
        rows("torchtune that packs", "torchtune", {{"ours.yaml", torchtune_yaml}},
             {{"recipe.rows", int(RowKind::packed)}});
        rows("axolotl that pads", "axolotl", {{"a.yaml", reworded(axolotl_qlora, "packing: true", "packing: false")}},
             {{"recipe.rows", longest}});
        rows("axolotl that pads to the length of a sequence", "axolotl",
             {{"a.yaml", reworded(axolotl_qlora, "packing: true", "packing: false\npad_to_sequence_len: true")}},
             {{"recipe.rows", int(RowKind::padded)}});
        rows("LLaMA-Factory that does not pack", "Hugging Face Trainer",
             {{"sft.yaml", factory_yaml + "packing: false\n"}}, {{"recipe.rows", longest}});
        rows("TRL without padding", "Hugging Face Trainer",
             {{"job.sh", reworded(trl_script, "--lora_target_modules", "--padding_free true --lora_target_modules")}},
             {{"recipe.rows", int(RowKind::padding_free)}});
        rows("axolotl", "axolotl", {{"a.yaml", axolotl_qlora}},
             {{"method.trained", adapters},
              {"method.rank", 32},
              {"method.adapted.k_proj", 1},
              {"method.adapted.down_proj", 1},
              {"method.trains_tables", 1},
              {"method.frozen", int(FrozenFormat::nf4_double)},
              {"model.layers", 28},
              {"layout.recompute", int(Recompute::full)},
              {"recipe.optimizer", int(Optimizer::adam_8bit)}});
        rows("axolotl's dropout and DoRA", "axolotl", {{"a.yaml", axolotl_qlora + "peft_use_dora: true\n"}},
             {{"method.magnitudes", 1}, {"method.adapter_dropout", 1}});
        rows("torchtune's DoRA without dropout", "torchtune",
             {{"ours.yaml", reworded(torchtune_yaml, "  lora_rank", "  use_dora: True\n  lora_rank")}},
             {{"method.magnitudes", 1}, {"method.adapter_dropout", 0}});
        rows("LLaMA-Factory's DoRA", "Hugging Face Trainer", {{"sft.yaml", factory_yaml + "use_dora: true\n"}},
             {{"method.magnitudes", 1}, {"method.rank", 12}});
        rows("axolotl, all weights", "axolotl", {{"a.yaml", axolotl_yaml}},
             {{"method.purpose", finetune}, {"method.trained", int(Trained::all)}});
        rows("axolotl from plain text", "axolotl", {{"a.yaml", axolotl_yaml + "pretraining_dataset: ours/texts\n"}},
             {{"method.purpose", int(Purpose::pretrain)}});
        rows("LLaMA-Factory", "Hugging Face Trainer", {{"sft.yaml", factory_yaml}},
             {{"method.trained", adapters},
              {"method.rank", 12},
              {"method.adapted.v_proj", 1},
              {"method.adapted.k_proj", 0},
              {"method.adapted.gate_proj", 0},
              {"method.frozen", int(FrozenFormat::int8)},
              {"layout.micro_batch", 1},
              {"recipe.sequence_length", 2048}});
        rows("LLaMA-Factory that leaves out what is trained", "Hugging Face Trainer",
             {{"sft.yaml", reworded(reworded(factory_yaml, "finetuning_type: lora\n", ""), "lora_rank: 12\n", "")}},
             {{"method.trained", adapters}, {"method.rank", 8}});
        rows("LLaMA-Factory, all weights", "Hugging Face Trainer",
             {{"sft.yaml", reworded(reworded(factory_yaml, "type: lora", "type: full"), "quantization_bit: 8\n", "")}},
             {{"method.purpose", finetune}, {"method.trained", int(Trained::all)}});
        rows("TRL's arguments", "Hugging Face Trainer", {{"job.sh", trl_script}},
             {{"method.trained", adapters},
              {"method.rank", 64},
              {"method.adapted.o_proj", 1},
              {"method.adapted.up_proj", 0},
              {"method.frozen", int(FrozenFormat::nf4)},
              {"layout.devices", 8},
              {"recipe.global_batch_sequences", 64},
              {"recipe.tokens", 400.0 * 64 * 2048}});
        rows("TRL's arguments without matrices", "Hugging Face Trainer",
             {{"job.sh", reworded(trl_script, "--lora_target_modules q_proj k_proj v_proj o_proj ", "")}},
             {{"method.adapted.q_proj", 1}, {"method.adapted.v_proj", 1}, {"method.adapted.o_proj", 0}});
        rows("Megatron-Bridge", "Megatron-Bridge", bridge_of_llama(bridge_lora),
             {{"method.trained", adapters},
              {"method.rank", 20},
              {"method.fused_adapters", 1},
              {"method.adapted.v_proj", 1},
              {"method.adapted.o_proj", 1},
              {"method.adapted.gate_proj", 0},
              {"layout.pipeline_parallel", 2},
              {"recipe.tokens", 200.0 * 32 * 4096}});
        rows("Megatron-Bridge, all weights", "Megatron-Bridge",
             bridge_of_llama(reworded(bridge_lora, bridge_lora.substr(bridge_lora.find("peft:"),
                                                                      bridge_lora.find("model:")
                                                                          - bridge_lora.find("peft:")), "")),
             {{"method.purpose", finetune}, {"method.trained", int(Trained::all)}});
        rows("NeMo", "NeMo", {{"nemo.yaml", nemo_lora}},
             {{"method.trained", adapters},
              {"method.rank", 10},
              {"method.fused_adapters", 1},
              {"method.adapted.k_proj", 1},
              {"method.adapted.o_proj", 0}});
        rows("NeMo AutoModel", "NeMo AutoModel", {{"r.yaml", automodel_lora}},
             {{"method.trained", adapters}, {"method.rank", 6}, {"method.adapted.down_proj", 1},
              {"method.fused_adapters", 0}});
        const double preference = int(Purpose::preference), adapters_off = int(Reference::adapters_off),
                     resident = int(Reference::resident), precomputed = int(Reference::precomputed);
        rows("preferences in torchtune, adapters", "torchtune", {{"a.yaml", torchtune_dpo}},
             {{"method.purpose", preference},
              {"method.trained", adapters},
              {"method.reference", adapters_off},
              {"layout.micro_batch", 8},   // four pairs
              {"stack.loss_chunks", 1}});
        rows("preferences in torchtune by its command", "torchtune",
             {{"a.yaml", torchtune_dpo},
              {"run.sh", "tune run --nproc_per_node 2 full_dpo_distributed --config a.yaml "
                         "model._component_=torchtune.models.llama3_1.llama3_1_8b\n"}},
             {{"method.trained", int(Trained::all)},
              {"method.reference", resident},
              {"layout.devices", 2},
              {"recipe.global_batch_sequences", 2 * 2 * 4 * 8}});
        rows("preferences in axolotl", "axolotl", {{"a.yaml", axolotl_dpo}},
             {{"method.purpose", preference},
              {"method.trained", adapters},
              {"method.reference", adapters_off},
              {"layout.micro_batch", 4}});
        rows("axolotl, a reference beside adapters", "axolotl",
             {{"a.yaml", axolotl_dpo + "rl_adapter_ref_model: true\n"}}, {{"method.reference", resident}});
        rows("axolotl, all weights and probabilities of before", "axolotl",
             {{"a.yaml", reworded(axolotl_dpo, "adapter: lora\nlora_r: 8\nlora_target_linear: true\n", "")
                             + "precompute_ref_log_probs: true\n"}},
             {{"method.trained", int(Trained::all)}, {"method.reference", precomputed}});
        rows("axolotl without a reference model", "axolotl", {{"a.yaml", reworded(axolotl_dpo, "rl: dpo", "rl: orpo")}},
             {{"method.purpose", preference}, {"method.reference", precomputed}, {"layout.micro_batch", 4}});
        rows("axolotl with answers that stand alone", "axolotl",
             {{"a.yaml", reworded(axolotl_dpo, "rl: dpo", "rl: kto")}},
             {{"method.purpose", preference}, {"method.reference", adapters_off}, {"layout.micro_batch", 2}});
        rows("preferences in LLaMA-Factory", "Hugging Face Trainer",
             {{"dpo.yaml", reworded(factory_yaml, "stage: sft", "stage: dpo\npref_beta: 0.1\npref_loss: sigmoid")}},
             {{"method.purpose", preference},
              {"method.trained", adapters},
              {"method.rank", 12},
              {"method.reference", adapters_off},
              {"layout.micro_batch", 2},
              {"recipe.global_batch_sequences", 16.0 * 8}});
        rows("LLaMA-Factory, pairs and all weights", "Hugging Face Trainer",
             {{"dpo.yaml", reworded(reworded(reworded(factory_yaml, "stage: sft", "stage: dpo"), "type: lora",
                                             "type: full"), "quantization_bit: 8\n", "")}},
             {{"method.trained", int(Trained::all)}, {"method.reference", resident}});
        rows("LLaMA-Factory without a reference model", "Hugging Face Trainer",
             {{"dpo.yaml", reworded(factory_yaml, "stage: sft", "stage: dpo\npref_loss: simpo")}},
             {{"method.reference", precomputed}});
        rows("preferences in TRL's arguments", "Hugging Face Trainer",
             {{"job.sh",
               reworded(reworded(trl_script, " sft.py", " trl/scripts/dpo.py"), "--packing ", "--beta 0.1 ")}},
             {{"method.purpose", preference},
              {"method.trained", adapters},
              {"method.reference", adapters_off},
              {"layout.micro_batch", 8},
              {"recipe.global_batch_sequences", 128},
              {"recipe.tokens", 400.0 * 128 * 2048}});
        rows("TRL with probabilities of before", "Hugging Face Trainer",
             {{"job.sh", reworded(reworded(trl_script, " sft.py", " dpo.py"), "--packing",
                                  "--precompute_ref_log_probs True")}},
             {{"method.reference", precomputed}});
        rows("TRL's program", "Hugging Face Trainer", {{"train.py", trl_program}},
             {{"method.purpose", preference},
              {"method.reference", resident},
              {"layout.micro_batch", 4},
              {"recipe.sequence_length", 1024}});
    }
    void a_setting_of_fine_tuning_means() {
        QFETCH(TuningFiles, files);
        QFETCH(std::string, whose);
        QFETCH(std::string, knob);
        QFETCH(double, is);
        const auto plan = tuned(files);
        QVERIFY2(plan.has_value(), plan ? "" : say(plan.error()).c_str());
        QCOMPARE(std::string(say(plan->dialect)), whose);
        QCOMPARE(find_knob(knob)->get(plan->plan), is);
        QVERIFY2(plan->obstacles.empty(), plan->obstacles.empty() ? "" : plan->obstacles[0].c_str());
        for (const ImportRemark& r : plan->remarks)
            QVERIFY2(r.fate != SettingFate::not_understood, (r.key + " " + r.value + ": " + r.done).c_str());
    }

    void software_of_fine_tuning_follows_from_its_settings_data() {
        QTest::addColumn<std::string>("file");
        QTest::addColumn<std::string>("text");
        QTest::addColumn<std::string>("stack");
        const auto row = [](const char* name, const char* file, const std::string& text, const char* stack) {
            QTest::newRow(name) << std::string(file) << text << std::string(stack);
        };
        row("torchtune with compile", "a.yaml", torchtune_yaml, "torchtune-compile");
        row("torchtune without", "a.yaml", torchtune_full, "torchtune");
        row("kernels of Liger", "job.sh", trl_script, "hf-trainer-fused");
        row("kernels of Unsloth", "a.yaml", factory_yaml + "use_unsloth: true\n", "unsloth");
        row("axolotl as it comes", "a.yaml", axolotl_qlora, "hf-trainer");
    }
    void software_of_fine_tuning_follows_from_its_settings() {
        QFETCH(std::string, file);
        QFETCH(std::string, text);
        QFETCH(std::string, stack);
        const auto plan = tuned({{file, text}});
        QVERIFY2(plan.has_value(), plan ? "" : say(plan.error()).c_str());
        QCOMPARE(plan->plan.stack.id, stack);
    }

    void what_is_not_modelled_is_said_data() {
        QTest::addColumn<std::string>("file");
        QTest::addColumn<std::string>("text");
        QTest::addColumn<std::string>("key");
        QTest::addColumn<int>("fate");
        QTest::addColumn<std::string>("says");
        const auto row = [](const char* name, const char* file, const std::string& text, const char* key,
                            SettingFate fate, const char* says) {
            QTest::newRow(name) << std::string(file) << text << std::string(key) << int(fate) << std::string(says);
        };
        using enum SettingFate;
        row("another scale of adapters", "a.yaml", axolotl_qlora, "peft_use_rslora", no_effect, "");
        row("an adapter of the head", "a.yaml", reworded(torchtune_yaml, "to_output: False", "to_output: True"),
            "model.apply_lora_to_output", assumed, "an adapter of the head is not modelled");
        row("a matrix that is not known", "a.yaml", reworded(factory_yaml, "q_proj,v_proj", "q_proj,warp_drive"),
            "lora_target", not_understood, "is not known");
        row("nobody says which matrices", "job.sh",
            reworded(trl_script, "--lora_target_modules q_proj k_proj v_proj o_proj ", ""), "matrices with adapters",
            missing, "q_proj, v_proj");
        row("nobody says how long the documents are", "a.yaml", torchtune_yaml, "document length", missing,
            "attention keeps documents apart");
        row("pairs are two sequences", "a.yaml", axolotl_dpo, "pairs of answers", assumed,
            "the plan counts their sequences, two of each");
        row("a method without a reference model", "a.yaml", reworded(axolotl_dpo, "rl: dpo", "rl: simpo"),
            "reference model", assumed, "costs a step what probabilities cost that were computed before");
        row("another reference model", "a.yaml", reworded(factory_yaml, "stage: sft", "stage: dpo\nref_model: ours/it"),
            "ref_model", assumed, "a copy of the one that is trained");
        row("passes of KTO besides", "a.yaml", reworded(axolotl_dpo, "rl: dpo", "rl: kto"), "preferences", assumed,
            "are not modelled");
        row("nobody says how long padded examples are", "a.yaml",
            reworded(torchtune_yaml, "packed: True", "packed: False"), "document length", missing,
            "Until then rows are full");
        row("epochs of data that nobody counts", "a.yaml", axolotl_qlora, "tokens", missing,
            "Until then a thousand steps stand in the plan");
    }
    void what_is_not_modelled_is_said() {
        QFETCH(std::string, file);
        QFETCH(std::string, text);
        QFETCH(std::string, key);
        QFETCH(int, fate);
        QFETCH(std::string, says);
        const auto plan = tuned({{file, text}});
        QVERIFY2(plan.has_value(), plan ? "" : say(plan.error()).c_str());
        const auto remark = std::ranges::find(plan->remarks, key, &ImportRemark::key);
        QVERIFY2(remark != plan->remarks.end(), key.c_str());
        QCOMPARE(int(remark->fate), fate);
        QVERIFY2(remark->done.find(says) != std::string::npos, remark->done.c_str());
    }

    void what_no_plan_has_is_refused_data() {
        QTest::addColumn<std::string>("file");
        QTest::addColumn<std::string>("text");
        QTest::addColumn<std::string>("says");
        const auto row = [](const char* name, const char* file, const std::string& text, const char* says) {
            QTest::newRow(name) << std::string(file) << text << std::string(says);
        };
        row("weights of GPTQ", "a.yaml", reworded(factory_yaml, "Qwen3-8B", "Qwen3-8B-GPTQ-Int4"),
            "asks for training that is not modelled");
        row("weights of AWQ", "a.yaml", factory_yaml + "quantization_method: awq\n",
            "quantization_method awq asks for training that is not modelled");
        row("some layers alone", "a.yaml", reworded(factory_yaml, "type: lora", "type: freeze"),
            "finetuning_type freeze asks for training that is not modelled");
        row("another kind of adapters", "a.yaml", reworded(axolotl_qlora, "adapter: qlora", "adapter: llama-adapter"),
            "asks for training that is not modelled");
        row("quantised weights without adapters", "a.yaml", axolotl_yaml + "load_in_4bit: true\n",
            "load_in_4bit true quantises the weights, and no setting asks for adapters");
        row("rewards in LLaMA-Factory", "a.yaml", reworded(factory_yaml, "stage: sft", "stage: rm"),
            "plans have no reward models and generate no answers");
        row("generated answers in LLaMA-Factory", "a.yaml", reworded(factory_yaml, "stage: sft", "stage: ppo"),
            "Nearest: preference training on answers that are given");
        row("generated answers in torchtune", "a.yaml",
            reworded(torchtune_yaml, "modules.loss.CEWithChunkedOutputLoss", "rlhf.loss.PPOLoss"),
            "plans have no reward models and generate no answers");
        row("generated answers in axolotl", "a.yaml", reworded(axolotl_dpo, "rl: dpo", "rl: grpo"),
            "plans have no reward models and generate no answers");
        row("generated answers in TRL", "job.sh", reworded(trl_script, " sft.py", " trl/scripts/grpo.py"),
            "plans have no reward models and generate no answers");
        row("adapters in words that are not read", "a.yaml", foundry_yaml + "peft_config: {lora_r: 8}\n",
            "not read in the words of this trainer");
        row("no length of rows", "a.yaml", reworded(torchtune_yaml, "max_seq_len: 4096", "max_seq_len: null"),
            "do not say the sequence length");
    }
    void what_no_plan_has_is_refused() {
        QFETCH(std::string, file);
        QFETCH(std::string, text);
        QFETCH(std::string, says);
        const auto plan = tuned({{file, text}});
        QVERIFY(!plan.has_value());
        QVERIFY2(say(plan.error()).find(says) != std::string::npos, say(plan.error()).c_str());
    }
};

PLIMSOLL_TEST(TuningImportTest)
#include "tst_tuning_import.moc"
