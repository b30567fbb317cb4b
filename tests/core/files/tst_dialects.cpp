// Of which trainer a configuration is: each is read in its own words, none in another's, and what is not read is
// refused by its name.
#include "registered_test.h"

#include "core/answers/plan/estimate.h"
#include "core/answers/plan/software.h"
#include "core/files/import/framework_import.h"
#include "core/values/knobs/knobs.h"
#include "dialect_files.h"
#include "shipped.h"

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

using Files = std::vector<NamedText>;

Expected<ImportedPlan, Problems> read_of(const Files& files, PlanImportOptions o = {}) {
    return import_plan(files, library(), o);
}

const ImportRemark* first_remark(const ImportedPlan& p, const std::string& key, SettingFate fate) {
    for (const ImportRemark& r : p.remarks)
        if (r.key == key && r.fate == fate) return &r;
    return nullptr;
}

const std::string gpt = "pretrain_gpt.py --num-layers 24 --hidden-size 2048 --num-attention-heads 16 --seq-length 4096 "
                        "--micro-batch-size 2 --global-batch-size 128 --train-iters 100 --bf16 ";

std::string stack_of(const std::string& switches) {
    const auto plan = read_of({{"a.sh", gpt + switches + "\n"}});
    return plan ? plan->plan.stack.id : say(plan.error());
}

}  // namespace

class DialectsTest : public QObject {
    Q_OBJECT

private slots:
    void each_is_read_in_its_own_words_data() {
        QTest::addColumn<Files>("files");
        QTest::addColumn<std::string>("whose");
        QTest::addColumn<std::string>("knob");
        QTest::addColumn<double>("is");
        const auto rows = [](const char* whose, const Files& files,
                             std::initializer_list<std::pair<const char*, double>> values) {
            for (const auto& [knob, is] : values)
                QTest::addRow("%s: %s", whose, knob) << files << std::string(whose) << std::string(knob) << is;
        };
        rows("Hugging Face Trainer", {{"job.sh", trainer_script}, {"ds.json", ds_auto}},
             {{"model.layers", 32},
              {"model.vocabulary", 32000},
              {"layout.devices", 24},
              {"layout.micro_batch", 8},
              {"layout.zero_stage", 2},
              {"layout.recompute", int(Recompute::full)},
              {"recipe.global_batch_sequences", 24 * 8 * 2},
              {"recipe.sequence_length", 2048},
              {"recipe.precision", int(Precision::bf16)}});
        rows("Hugging Face Trainer", {{"sft.yaml", trainer_yaml}, {"acc.yaml", accelerate_yaml}},
             {{"layout.devices", 16},
              {"layout.zero_stage", 3},
              {"layout.recompute", int(Recompute::full)},
              {"recipe.global_batch_sequences", 16 * 2 * 4},
              {"recipe.tokens", 500.0 * 128 * 4096}});
        rows("axolotl", {{"a.yaml", axolotl_yaml}},
             {{"model.hidden", 4096},
              {"layout.micro_batch", 2},
              {"layout.zero_stage", 3},
              {"recipe.sequence_length", 8192},
              {"layout.recompute", int(Recompute::full)},
              {"recipe.precision", int(Precision::bf16)}});
        rows("LLM Foundry", {{"f.yaml", foundry_yaml}},
             {{"model.hidden", 2560},
              {"model.layers", 20},
              {"model.heads", 20},
              {"model.ffn", 4 * 2560},
              {"model.vocabulary", 50368},
              {"model.tied_embeddings", 1},
              {"model.mlp_bias", 0},
              {"model.positions", int(Positions::alibi)},
              {"layout.micro_batch", 4},
              {"layout.zero_stage", 3},
              {"recipe.global_batch_sequences", 256},
              {"recipe.sequence_length", 2048},
              {"recipe.precision", int(Precision::bf16)},
              {"recipe.tokens", 3000.0 * 256 * 2048}});
        rows("OLMo", {{"o.yaml", olmo_yaml}},
             {{"model.hidden", 3072},
              {"model.ffn", 3072 * 4},
              {"model.vocabulary", 50304},
              {"model.positions", int(Positions::rotary)},
              {"model.activation", int(Activation::swiglu)},
              {"model.tied_embeddings", 0},
              {"model.dropout", 0},
              {"layout.zero_stage", 2},
              {"recipe.global_batch_sequences", 1024},
              {"recipe.tokens", 2e11}});
        rows("OLMo-core", {{"run.json", olmo_core_json}},
             {{"model.layers", 16},
              {"model.heads", 16},
              {"model.ffn", 8192},
              {"layout.micro_batch", 4},
              {"recipe.global_batch_sequences", 512},
              {"recipe.sequence_length", 4096},
              {"recipe.tokens", 5e10}});
        rows("OLMo-core", {{"run.sh", olmo_core_command}, {"config.json", tiny_config}},
             {{"layout.micro_batch", 2}, {"recipe.global_batch_sequences", 256}, {"recipe.sequence_length", 8192}});
        rows("NeMo AutoModel", {{"r.yaml", automodel_yaml}},
             {{"model.layers", 16},
              {"layout.tensor_parallel", 2},
              {"layout.micro_batch", 4},
              {"layout.zero_stage", 3},
              {"recipe.global_batch_sequences", 64},
              {"recipe.sequence_length", 2048},
              {"recipe.tokens", 200.0 * 64 * 2048}});
        rows("nanotron", {{"n.yaml", nanotron_yaml}},
             {{"model.layers", 24},
              {"model.kv_heads", 4},
              {"model.ffn", 5632},
              {"layout.devices", 64},
              {"layout.tensor_parallel", 4},
              {"layout.pipeline_parallel", 2},
              {"layout.sequence_parallel", 1},
              {"layout.zero_stage", 1},
              {"layout.micro_batch", 2},
              {"recipe.global_batch_sequences", 8 * 2 * 16},
              {"recipe.tokens", 1000.0 * 256 * 4096}});
        rows("MaxText", {{"m.yml", maxtext_yaml}},
             {{"model.layers", 32},
              {"model.hidden", 4096},
              {"model.kv_heads", 8},
              {"layout.devices", 64},
              {"layout.tensor_parallel", 4},
              {"layout.micro_batch", 8},
              {"layout.zero_stage", 3},
              {"recipe.global_batch_sequences", 128},
              {"recipe.tokens", 300.0 * 128 * 2048}});
        rows("NeMo", {{"overrides.yaml", nemo_overrides}},
             {{"model.layers", 30},
              {"model.kv_heads", 10},
              {"layout.devices", 32},
              {"layout.tensor_parallel", 2},
              {"layout.recompute", int(Recompute::selective)},
              {"layout.zero_stage", 1},
              {"recipe.global_batch_sequences", 96},
              {"recipe.sequence_length", 4096}});
        rows("torchtitan", {{"t.toml", titan_of_2024}},
             {{"layout.tensor_parallel", 2},
              {"layout.devices", 64},
              {"layout.shard_group", 8},
              {"layout.context_parallel", 2},
              {"layout.micro_batch", 6},
              {"recipe.global_batch_sequences", 16 * 6}});
        rows("DeepSpeed", {{"m.sh", megatron_deepspeed}, {"ds.json", ds_of_megatron}},
             {{"model.head_dim", 128},
              {"model.kv_heads", 8},
              {"layout.zero_stage", 1},
              {"layout.recompute", int(Recompute::full)},
              {"recipe.global_batch_sequences", 256}});
        rows("DeepSpeed", {{"m.sh", megatron_deepspeed}}, {{"model.head_dim", 128}, {"layout.zero_stage", 1}});
        // What files of sites have besides.
        rows("OLMo",
             {{"shards where nothing is said.yaml",
               reworded(olmo_yaml, "distributed_strategy: fsdp\nfsdp: {sharding_strategy: SHARD_GRAD_OP, ",
                        "fsdp: {")}},
             {{"layout.zero_stage", 3}});
        rows("OLMo",
             {{"o.yaml", olmo_yaml}, {"no sharding.args", "run --fsdp.sharding_strategy=NO_SHARD\n"}},
             {{"layout.zero_stage", 0}});
        rows("OLMo",
             {{"o.yaml", olmo_yaml},
              {"every other.sh", "torchrun train.py o.yaml --activation_checkpointing=one_in_two\n"}},
             {{"layout.recompute", int(Recompute::full)}, {"layout.recompute_layers", 13}});
        rows("MaxText", {{"primus.yaml", primus_of_maxtext}},
             {{"model.layers", 80},
              {"layout.micro_batch", 4},
              {"layout.zero_stage", 3},
              {"recipe.sequence_length", 4096}});
        rows("NeMo", {{"sums.yaml", nemo_with_sums}},
             {{"model.ffn", 15360}, {"layout.zero_stage", 1}, {"model.vocabulary_padding", 128}});
        rows("NeMo", {{"recipe.py", nemo_recipe}}, {{"model.layers", 80}, {"layout.tensor_parallel", 4}});
        rows("Hugging Face Trainer",
             {{"named stage.yaml", trainer_yaml + "deepspeed: examples/deepspeed/ds_z3_config.json\nfp8: true\n"}},
             {{"layout.zero_stage", 3}, {"recipe.precision", int(Precision::fp8)}});
        rows("DeepSpeed",
             {{"older key.sh", megatron_deepspeed}, {"ds.json", reworded(ds_of_megatron, "bf16", "bfloat16")}},
             {{"recipe.precision", int(Precision::bf16)}});
        rows("DeepSpeed",
             {{"experts.sh", reworded(megatron_deepspeed, "--swiglu",
                                      "--swiglu --num-experts 16 --moe-expert-parallel-size 8 "
                                      "--ds-sequence-parallel-size 2")}},
             {{"model.experts.every", 2},
              {"model.experts.top_k", 1},
              {"layout.expert_parallel", 8},
              {"layout.context_parallel", 2},
              {"layout.context_mode", int(ContextMode::ulysses)}});
        rows("DeepSpeed", {{"template.sh", "sed 's/STAGE/2/' t.json | sed 's/BATCH/96/' > ds.json\n"
                                           + reworded(reworded(megatron_deepspeed, "--zero-stage 1 ", ""),
                                                      "--global-batch-size 256 ", "")},
                           {"t.json", "{\"train_batch_size\": BATCH, \"zero_optimization\": {\"stage\": STAGE}}"}},
             {{"layout.zero_stage", 2}, {"recipe.global_batch_sequences", 96}});
    }
    void each_is_read_in_its_own_words() {
        QFETCH(Files, files);
        QFETCH(std::string, whose);
        QFETCH(std::string, knob);
        QFETCH(double, is);
        const auto plan = read_of(files);
        QVERIFY2(plan.has_value(), plan ? "" : say(plan.error()).c_str());
        QCOMPARE(std::string(say(plan->dialect)), whose);
        QCOMPARE(find_knob(knob)->get(plan->plan), is);
        for (const ImportRemark& r : plan->remarks)
            QVERIFY2(r.fate != SettingFate::not_understood, (r.key + " " + r.value + ": " + r.done).c_str());
    }

    void a_file_of_nobody_or_of_a_trainer_that_is_not_read_is_refused_data() {
        QTest::addColumn<Files>("files");
        QTest::addColumn<std::string>("says");
        const auto row = [](const char* name, const Files& files, const char* says) {
            QTest::newRow(name) << files << std::string(says);
        };
        row("words that every trainer uses", {{"a.yaml", "vocab_size: 32000\nprecision: bf16\nnum_layers: 12\n"}},
            "tells whose configuration it is");
        row("the layers and widths of somebody", {{"a.yaml", "n_layer: 12\nn_embd: 768\nbatch_size: 8\n"}},
            "tells whose configuration it is");
        row("a script of no trainer", {{"a.sh", "python train.py --lr 1e-4 --batch 8\n"}},
            "tells whose configuration it is");
        row("LitGPT", {{"a.yaml", "model_name: pythia\ntrain:\n  max_tokens: 3e12\n  max_seq_length: 2048\n"}},
            "LitGPT, which is not read");
        row("reinforcement learning",
            {{"a.sh", "python3 -m verl.trainer.main_ppo actor_rollout_ref.model.path=x --nnodes 2\n"}},
            "verl (reinforcement learning), which is not read");
        row("rewards", {{"a.yaml", trainer_yaml + "reward_funcs: [ours]\n"}},
            "a trainer of rewards, or by them, which is not read: plans have no reward models");
        row("a PaddleNLP run with the words of a trainer",
            {{"a.json", R"({"per_device_train_batch_size": 2, "tensor_parallel_degree": 4, "max_steps": 10})"}},
            "PaddleNLP, which is not read");
        row("adapters of a trainer whose words for them are not read", {{"a.yaml", foundry_yaml + "lora_r: 16\n"}},
            "lora_r 16 asks for adapters or quantised weights");
        row("a model that no preset is called", {{"a.yaml", reworded(axolotl_yaml, "Llama-3.1-8B", "Llama-9-5B")}},
            "no preset is called meta-llama/Llama-9-5B");
        row("no batch",
            {{"a.sh", "pretrain --num-layers 4 --hidden-size 512 --num-attention-heads 8 --seq-length 9\n"}},
            "do not say the batch: state --global-batch-size");
        row("no length", {{"a.yaml", reworded(axolotl_yaml, "sequence_len: 8192\n", "")}},
            "do not say the sequence length: state --seq-length");
        row("a width that cannot be read", {{"a.sh", reworded(gpt, "2048", "$OUTSIDE") + "\n"}},
            "--hidden-size is $OUTSIDE, which cannot be read");
        row("experts in words that are not known",
            {{"a.yaml", reworded(foundry_yaml, "  no_bias", "  ffn_config: {ffn_type: mb_moe}\n  no_bias")}},
            "model.ffn_config.ffn_type is mb_moe, which cannot be read");
        row("state spaces among OLMo's blocks",
            {{"a.yaml", reworded(olmo_yaml, "  rope", "  block_type: mamba\n  rope")}},
            "model.block_type is mamba, which cannot be read");
        row("heads of one element", {{"a.sh", reworded(gpt, "--num-attention-heads 16", "--num-attention-heads 2048")}},
            "no head can be one element wide");
    }
    void a_file_of_nobody_or_of_a_trainer_that_is_not_read_is_refused() {
        QFETCH(Files, files);
        QFETCH(std::string, says);
        const auto plan = read_of(files);
        QVERIFY(!plan.has_value());
        QVERIFY2(say(plan.error()).find(says) != std::string::npos, say(plan.error()).c_str());
    }

    void what_a_file_leaves_out_may_be_stated_beside_it() {
        const auto plan = read_of({{"a.yaml", reworded(axolotl_yaml, "sequence_len: 8192\n", "")},
                                   {"length.args", "--seq-length 4096 --train-tokens 2e9\n"}});
        QVERIFY2(plan.has_value(), plan ? "" : say(plan.error()).c_str());
        QCOMPARE(plan->plan.recipe.sequence_length, 4096);
        QCOMPARE(plan->plan.recipe.tokens, 2e9);
    }

    void tokens_that_are_stated_and_not_read_are_asked_for() {
        const std::string llama = "pretrain_gpt.py --num-layers 32 --hidden-size 4096 --num-attention-heads 32 "
                                  "--group-query-attention --num-query-groups 8 --ffn-hidden-size 14336 --swiglu "
                                  "--seq-length 8192 --micro-batch-size 1 ";
        const auto unread = read_of({{"a.sh", llama + "--train-samples $OUTSIDE\n"}});
        QVERIFY(unread.has_value());
        QVERIFY(first_remark(*unread, "tokens", SettingFate::missing)->done.find("could not be read")
                != std::string::npos);
        QVERIFY(unread->plan.recipe.tokens < 1e12);
        const auto epochs = read_of({{"a.yaml", axolotl_yaml}});
        QVERIFY(first_remark(*epochs, "tokens", SettingFate::missing)->done.find("epochs") != std::string::npos);
    }

    // axolotl loads weights in 16 bits; DeepSpeed keeps fp32 ones beside them, a device alone does not.
    void all_in_16_bits_is_a_word_of_the_file() {
        const auto states = [](const std::string& word) {
            return read_of({{"a.yaml", reworded(axolotl_yaml, "bf16: auto", word)}})->plan.recipe.state_format;
        };
        QVERIFY(states("bf16: auto") == StateFormat::fp32_moments);
        QVERIFY(states("bf16: true") == StateFormat::fp32_moments);
        QVERIFY(states("bf16: full") == StateFormat::all_16bit);
        const std::string alone = reworded(axolotl_yaml, "deepspeed: deepspeed_configs/zero3_bf16.json\n", "");
        const auto states_alone = [&](const std::string& more) {
            return read_of({{"a.yaml", alone + more}})->plan.recipe.state_format;
        };
        QVERIFY(states_alone("") == StateFormat::all_16bit);
        QVERIFY(states_alone("adapter: lora\nlora_r: 8\n") == StateFormat::fp32_moments);
        QVERIFY(states_alone("fsdp_version: 2\n") == StateFormat::fp32_moments);
    }

    void a_setting_that_a_later_one_replaces_is_said_so() {
        const auto plan = read_of({{"t.toml", titan_of_2024}, {"run.sh", "run --training.batch_size 3\n"}});
        QVERIFY2(plan.has_value(), plan ? "" : say(plan.error()).c_str());
        QCOMPARE(plan->plan.layout.micro_batch, 3);
        const ImportRemark* earlier = first_remark(*plan, "training.batch_size", SettingFate::assumed);
        QVERIFY(earlier && earlier->done.find("a later setting replaces it: 3 in run.sh:1") != std::string::npos);
        QVERIFY(first_remark(*plan, "--training.batch_size", SettingFate::taken));
    }

    void a_command_line_goes_before_the_files_that_it_names() {
        const NamedText script{"run.sh", "run --training.batch_size 3 --job.config_file t.toml\n"},
            file{"t.toml", titan_of_2024};
        for (const Files& files : {Files{script, file}, Files{file, script}}) {
            const auto plan = read_of(files);
            QVERIFY2(plan.has_value(), plan ? "" : say(plan.error()).c_str());
            QCOMPARE(plan->plan.layout.micro_batch, 3);
        }
    }

    void what_the_framework_takes_off_itself_is_said() {
        const auto plan = read_of({{"a.sh", gpt + "--tensor-model-parallel-size 1 --sequence-parallel\n"}});
        QVERIFY(plan.has_value());
        QVERIFY(!plan->plan.layout.sequence_parallel && plan->obstacles.empty());
        QVERIFY(first_remark(*plan, "sequence parallelism", SettingFate::assumed));
    }

    // ---- Switches choose the software

    void switches_choose_the_software() {
        QCOMPARE(stack_of(""), std::string("megatron-core-plain"));
        QCOMPARE(stack_of("--overlap-grad-reduce --overlap-param-gather --tp-comm-overlap"),
                 std::string("megatron-core"));
        const auto local = read_of({{"a.sh", gpt + "--transformer-impl local\n"}});
        QCOMPARE(local->plan.stack.kernels.attention, Attention::materialised);
        const auto fused = read_of({{"a.sh", gpt + "--transformer-impl local --use-flash-attn\n"}});
        QCOMPARE(fused->plan.stack.kernels.attention, Attention::flash);
    }

    void one_function_chooses_for_words_devices_and_switches() {
        const auto& stacks = library().stacks;
        const auto id = [&](SoftwareAsked a) { return chosen_software(a, stacks).value_or(Stack{}).id; };
        QCOMPARE(id({.words = "Megatron-LM 2021", .device = "NVIDIA A100"}), std::string("megatron-lm-2021"));
        QCOMPARE(id({.device = "NVIDIA H100"}), std::string("megatron-core-plain"));
        QCOMPARE(id({.words = "megatron-core", .tuning = Tuning::record}), std::string("megatron-core-record"));
        QCOMPARE(id({.words = "megatron-core", .preset = "maxtext"}), std::string("maxtext"));
        QVERIFY(!chosen_software({.words = "a framework of nobody"}, stacks).has_value());
        QCOMPARE(id({.words = "a framework of nobody", .or_usual = true}), std::string("pytorch-fsdp"));
        QCOMPARE(id({.words = "torchtitan compile"}), std::string("pytorch-compile"));
        QCOMPARE(id({.words = "torchtitan compile", .year = 2024}), std::string("torchtitan-compile"));
        QCOMPARE(id({.device = "NVIDIA GeForce RTX 4090"}), std::string("pytorch-compile"));
    }
};

PLIMSOLL_TEST(DialectsTest)
#include "tst_dialects.moc"
