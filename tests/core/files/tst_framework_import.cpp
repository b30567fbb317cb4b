// Configurations of training frameworks as plans: what each setting means, what is said of the others, and that a
// script of `launch` is read back to the plan it was made from.
#include "registered_test.h"

#include "configurations.h"
#include "core/answers/plan/estimate.h"
#include "core/files/import/framework_import.h"
#include "core/files/launch/launch.h"
#include "core/files/presets/plan_link.h"
#include "core/files/presets/scenario_json.h"
#include "core/files/settings/settings.h"
#include "core/values/knobs/knobs.h"
#include "random_plans.h"
#include "shipped.h"

#include <cmath>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

// DeepSpeed's file does not say what is trained: a model's config.json lies beside it.
Expected<ImportedPlan, Problems> imported(const std::string& file, const std::string& text, PlanImportOptions o = {}) {
    const NamedText files[] = {{file, text}, {"config.json", llama_config}};
    return import_plan({files, file.ends_with(".json") ? 2u : 1u}, library(), o);
}

// The least that a plan needs besides.
const std::string small_model = "python --num-layers 4 --hidden-size 512 --num-attention-heads 8 --seq-length 512 "
                                "--micro-batch-size 1 ";

double value(const Scenario& s, const char* knob) { return find_knob(knob)->get(s); }

const ImportRemark* remark_of(const ImportedPlan& p, const std::string& key) {
    for (const ImportRemark& r : p.remarks)
        if (r.key == key) return &r;
    return nullptr;
}

// The values that a script cannot say, as `launch` and a framework's own words have them.
Scenario as_a_script_says_it(Scenario s) {
    s.name.clear();
    s.recipe.checkpoint_interval = s.recipe.checkpoint_time = {};
    s.recipe.document_length = s.recipe.document_variation = 0;   // masks are asked for; how long documents are is not
    if (s.layout.pipeline_parallel == 1) s.layout.schedule = Schedule::one_f_one_b;
    if (s.recipe.precision != Precision::fp8) s.recipe.fp8_recipe = Fp8Recipe::delayed;
    if (s.recipe.precision == Precision::fp32) s.recipe.state_format = StateFormat::fp32_moments;
    if (s.layout.recompute == Recompute::none) s.layout.recompute_layers = 0;
    if (s.layout.zero_stage == 0) s.layout.shard_group = 0;
    if (s.layout.zero_stage < 3) s.layout.secondary_shard = 0;
    if (s.layout.context_parallel == 1) s.layout.context_mode = ContextMode::ring;
    return s;
}

// Of machine and software a script says which presets they are.
QString differences(const Scenario& a, const Scenario& b) {
    QString all;
    for (const Knob& k : knobs())
        if (k.get(a) != k.get(b) && idle_reason(k, a).empty() && k.group != KnobGroup::stack
            && k.group != KnobGroup::machine)
            all += QString("%1: %2, read back %3\n").arg(k.id.c_str()).arg(k.get(a)).arg(k.get(b));
    return all;
}

}  // namespace

class FrameworkImportTest : public QObject {
    Q_OBJECT

private slots:
    void a_setting_means_data() {
        QTest::addColumn<std::string>("file");
        QTest::addColumn<std::string>("text");
        QTest::addColumn<std::string>("knob");
        QTest::addColumn<double>("is");
        const auto rows = [](const char* what, const std::string& file, const std::string& text,
                             std::initializer_list<std::pair<const char*, double>> values) {
            for (const auto& [knob, is] : values)
                QTest::addRow("%s: %s", what, knob) << file << text << std::string(knob) << is;
        };
        rows("a Megatron-LM script", "train.sh", megatron_script,
             {{"model.layers", 32},
              {"model.hidden", 4096},
              {"model.ffn", 14336},
              {"model.kv_heads", 8},
              {"model.vocabulary", 128256},
              {"model.activation", int(Activation::swiglu)},
              {"model.tied_embeddings", 0},
              {"model.mlp_bias", 0},
              {"model.dropout", 0},
              {"layout.devices", 32},
              {"layout.tensor_parallel", 2},
              {"layout.pipeline_parallel", 4},
              {"layout.data_parallel", 4},
              {"layout.virtual_stages", 2},
              {"layout.schedule", int(Schedule::interleaved)},
              {"layout.sequence_parallel", 1},
              {"layout.zero_stage", 1},
              {"layout.recompute", int(Recompute::selective)},
              {"layout.micro_batch", 1},
              {"recipe.global_batch_sequences", 128},
              {"recipe.sequence_length", 8192},
              {"recipe.precision", int(Precision::fp8)},
              {"recipe.bytes_per_parameter", 5},
              {"recipe.tokens", 1000000.0 * 8192}});
        rows("Megatron-LM's YAML", "gpt.yaml", megatron_yaml,
             {{"model.layers", 24},
              {"model.heads", 16},
              {"model.activation", int(Activation::swiglu)},
              {"model.positions", int(Positions::rotary)},
              {"layout.pipeline_parallel", 2},
              {"recipe.precision", int(Precision::bf16)},
              {"recipe.bytes_per_parameter", 6},
              {"recipe.global_batch_sequences", 64}});
        rows("NeMo's YAML", "nemo.yaml", nemo_yaml,
             {{"model.layers", 40},
              {"model.ffn", 20480},
              {"layout.devices", 64},
              {"layout.tensor_parallel", 8},
              {"layout.zero_stage", 1},
              {"layout.recompute", int(Recompute::full)},
              {"layout.recompute_layers", 2},
              {"recipe.sequence_length", 2048},
              {"recipe.precision", int(Precision::bf16)},
              {"recipe.tokens", 1000.0 * 256 * 2048}});
        rows("a recipe of Megatron-Bridge", "llama.py", bridge_recipe,
             {{"model.layers", 32},
              {"model.vocabulary", 128256},
              {"layout.tensor_parallel", 1},
              {"layout.context_parallel", 2},
              {"recipe.sequence_length", 8192},
              {"recipe.global_batch_sequences", 512},
              {"recipe.precision", int(Precision::bf16)}});
        rows("settings of Megatron-Bridge", "over.yaml", bridge_overrides,
             {{"model.layers", 8},
              {"model.experts.count", 48},
              {"model.experts.dense_layers", 1},
              {"layout.expert_parallel", 8},
              {"recipe.tokens", 100.0 * 16 * 4096}});
        rows("torchtitan", "llama3_70b.toml", torchtitan_toml_text,
             {{"model.layers", 80},
              {"layout.devices", 256},
              {"layout.tensor_parallel", 8},
              {"layout.zero_stage", 3},
              {"layout.shard_group", 16},
              {"layout.micro_batch", 2},
              {"layout.sequence_parallel", 1},
              {"layout.recompute", int(Recompute::full)},
              {"recipe.global_batch_sequences", 64},
              {"recipe.precision", int(Precision::fp8)},
              {"recipe.bytes_per_parameter", 5}});
        rows("DeepSpeed", "ds.json", deepspeed_json_text,
             {{"layout.devices", 32},
              {"layout.zero_stage", 3},
              {"layout.micro_batch", 4},
              {"layout.offload.optimizer_state", int(Tier::host)},
              {"recipe.precision", int(Precision::bf16)},
              {"recipe.global_batch_sequences", 256}});
        rows("context ranks that exchange heads in a ring", "t.sh",
             small_model + "--context-parallel-size 8 --cp-comm-type a2a+p2p "
                           "--hierarchical-context-parallel-sizes 2 4\n",
             {{"layout.context_parallel", 8},
              {"layout.context_mode", int(ContextMode::ulysses_ring)},
              {"layout.ulysses_ranks", 2}});
        rows("context ranks that gather keys", "t.sh",
             small_model + "--context-parallel-size 8 --cp-comm-type all_gather\n",
             {{"layout.context_mode", int(ContextMode::all_gather)}});
        rows("experts that drop tokens", "t.sh",
             small_model + "--num-experts 8 --moe-expert-capacity-factor 1.25 --moe-expert-rank-capacity-factor 1.5\n",
             {{"model.experts.capacity", 1.25}, {"model.experts.pads", 0}, {"model.experts.rank_capacity", 1.5}});
        rows("experts that are padded", "t.sh",
             small_model + "--num-experts 8 --moe-pad-expert-input-to-capacity --moe-expert-capacity-factor 1.25\n",
             {{"model.experts.capacity", 1.25}, {"model.experts.pads", 1}});
        std::string hierarchical = deepspeed_json_text;
        hierarchical.replace(hierarchical.find("\"stage\": 3"), 10, R"("stage": 3, "zero_hpz_partition_size": 8)");
        rows("DeepSpeed's ZeRO++", "ds.json", hierarchical, {{"layout.secondary_shard", 8}});
        std::string none = hierarchical;
        none.replace(none.find("size\": 8"), 8, "size\": 1");
        rows("DeepSpeed's ZeRO++ switched off", "ds.json", none, {{"layout.secondary_shard", 0}});
        std::string keeps = torchtitan_toml_text;
        keeps.insert(keeps.find("tensor_parallel_degree"), "fsdp_reshard_after_forward = \"never\"\n");
        rows("torchtitan that keeps gathered weights", "llama3_70b.toml", keeps,
             {{"layout.zero_stage", 3}, {"layout.secondary_shard", 1}});
        rows("documents whose lengths a distribution gives", "a.sh",
             small_model + R"(--varlen-mock-dataset-config-json '{"mode": "distribution", "type": "lognormal", )"
                 R"("min_seq_len": 128, "max_seq_len": 2048, "mean_seq_len": 512, "lognormal_sigma": 0.5}')" "\n",
             {{"recipe.document_length", 512}, {"recipe.document_variation", std::sqrt(std::expm1(0.25))}});
        rows("activations that leave by module", "a.sh",
             small_model + "--fine-grained-activation-offloading --offload-modules [core_attn attn_proj]\n",
             {{"layout.offload.activations", int(Tier::host)}, {"layout.offload.modules.core_attn", 1},
              {"layout.offload.modules.attn_proj", 1}, {"layout.offload.modules.qkv_linear", 0},
              {"layout.offload.solve_share", 0}, {"layout.offload.activation_share", 1}});
        rows("a list of modules that nothing asks for", "a.sh",
             small_model + "--offload-modules core_attn --activation-offload-fraction 0.5\n",
             {{"layout.offload.activations", int(Tier::device)}, {"layout.offload.modules.core_attn", 0}});
        rows("an optimizer of which CPUs update a part", "a.sh",
             small_model + "--use-distributed-optimizer --optimizer-cpu-offload --optimizer-offload-fraction 0.25\n",
             {{"layout.offload.optimizer_state", int(Tier::host)}, {"layout.offload.optimizer_share", 0.25}});
        std::string pure = torchtitan_toml_text;
        pure.insert(pure.find("steps = "), "dtype = \"bfloat16\"\n");
        const std::string aware = small_model + "--bf16 --use-distributed-optimizer --use-precision-aware-optimizer ";
        rows("Megatron-LM's precision-aware optimizer as it comes", "a.sh", aware + "\n",
             {{"recipe.bytes_per_parameter", named_state_count},
              {"recipe.bytes_per_parameter.gradient_format", int(GradientFormat::fp32)},
              {"recipe.bytes_per_parameter.master_format", int(MasterFormat::remainders)},
              {"recipe.bytes_per_parameter.first_moment", int(MomentFormat::fp32)}});
        rows("Megatron-LM's precision-aware optimizer with formats", "a.sh",
             aware + "--main-grads-dtype bf16 --main-params-dtype fp16 --exp-avg-dtype bf16 --exp-avg-sq-dtype fp8\n",
             {{"recipe.bytes_per_parameter.gradient_format", int(GradientFormat::half)},
              {"recipe.bytes_per_parameter.master_format", int(MasterFormat::fp16)},
              {"recipe.bytes_per_parameter.first_moment", int(MomentFormat::bf16)},
              {"recipe.bytes_per_parameter.second_moment", int(MomentFormat::fp8)}});
        rows("fp8 weights with scales of the same step have no remainders", "a.sh",
             aware + "--fp8-format hybrid --fp8-recipe blockwise --exp-avg-dtype bf16 --exp-avg-sq-dtype bf16\n",
             {{"recipe.bytes_per_parameter", 4}});
        rows("formats without the optimizer that has them", "a.sh", small_model + "--bf16 --exp-avg-dtype bf16\n",
             {{"recipe.bytes_per_parameter", 6}});
        rows("SOAP", "a.sh", small_model + "--optimizer soap\n", {{"recipe.optimizer", int(Optimizer::soap)}});
        std::string narrow = torchtitan_toml_text;
        narrow.insert(narrow.find("[optimizer]\n") + 12, "implementation = \"fused_opt_states_bf16\"\n");
        rows("torchtitan with moments in bf16", "llama3_70b.toml", narrow, {{"recipe.bytes_per_parameter", 3}});
        rows("torchtitan with every state in 16 bits", "llama3_70b.toml", pure, {{"recipe.bytes_per_parameter", 1}});
        rows("a vocabulary that is padded to a size", "a.sh",
             small_model + "--pad-vocab-size-to 250880\n", {{"model.vocabulary", 250880}});
        rows("positions of a model with the shape of a preset", "a.sh",
             "python --num-layers 40 --hidden-size 5120 --num-attention-heads 40 --ffn-hidden-size 13824 --swiglu "
             "--seq-length 4096 --max-position-embeddings 4096 --micro-batch-size 1 --use-rotary-position-embeddings\n",
             {{"model.sequence_length", 4096}});
        rows("Primus", "llama3.1_8B.yaml", primus_yaml,
             {{"model.layers", 32},
              {"model.kv_heads", 8},
              {"layout.micro_batch", 2},
              {"recipe.global_batch_sequences", 128},
              {"recipe.tokens", 50.0 * 128 * 8192}});
    }
    void a_setting_means() {
        QFETCH(std::string, file);
        QFETCH(std::string, text);
        QFETCH(std::string, knob);
        QFETCH(double, is);
        const auto plan = imported(file, text);
        QVERIFY2(plan.has_value(), plan ? "" : say(plan.error()).c_str());
        QCOMPARE(value(plan->plan, knob.c_str()), is);
    }

    void what_became_of_a_setting_is_said_data() {
        QTest::addColumn<std::string>("file");
        QTest::addColumn<std::string>("text");
        QTest::addColumn<std::string>("key");
        QTest::addColumn<int>("fate");
        QTest::addColumn<std::string>("says");
        const auto row = [](const char* name, const char* file, const std::string& text, const char* key,
                            SettingFate fate, const char* says) {
            QTest::newRow(name) << std::string(file) << text << std::string(key) << int(fate) << std::string(says);
        };
        row("a degree is named after the knob", "t.sh", megatron_script, "--tensor-model-parallel-size",
            SettingFate::taken, "Tensor parallel: 2");
        row("a rate of learning changes nothing", "t.sh", megatron_script, "--lr", SettingFate::no_effect, "");
        row("an unknown switch", "t.sh", megatron_script, "--enable-warp-drive", SettingFate::not_understood,
            "not known; it is not in the plan");
        row("a value from elsewhere", "t.sh", small_model + "--ffn-hidden-size $FROM_OUTSIDE\n", "--ffn-hidden-size",
            SettingFate::not_understood, "this value of Feed-forward width is not known");
        row("no machine is named", "t.sh", megatron_script, "machine", SettingFate::missing,
            "configurations do not name the machine: dgx-h100 is taken");
        row("no vocabulary is named", "g.yaml", megatron_yaml, "vocabulary", SettingFate::missing,
            "the tokenizer has it");
        row("nobody says how long documents are", "t.sh", small_model + "--reset-attention-mask\n", "document length",
            SettingFate::missing, "attention keeps documents apart");
        const std::string titan = "[model]\nname = \"llama3\"\nflavor = \"8B_flex\"\n[training]\nseq_len = 512\n"
                                  "local_batch_size = 1\n";
        row("nor does torchtitan", "t.toml", titan, "document length", SettingFate::missing, "state it");
        row("a kernel that keeps documents apart is of the same model", "t.toml", titan, "model", SettingFate::assumed,
            "the preset llama3-8b");
        row("nor where a loader marks where they end", "t.sh",
            small_model + "--dataloader-inter-document-masking\n", "document length", SettingFate::missing, "state it");
        row("the model by its name", "p.yaml", primus_yaml, "model", SettingFate::assumed, "the preset llama3-8b");
        row("software besides what is set", "p.yaml", primus_yaml, "stack", SettingFate::assumed, "the preset primus");
        row("one of two recipes", "llama.py", bridge_recipe, "def", SettingFate::assumed,
            "the file has 2 recipes; the first is taken");
        row("a pipeline that is not modelled", "t.toml",
            "[model]\nname = \"llama3\"\nflavor = \"8B\"\n[parallelism]\n"
            "pipeline_parallel_schedule = \"LoopedBFS\"\npipeline_parallel_degree = 2\n"
            "[training]\nseq_len = 512\nlocal_batch_size = 4\n",
            "parallelism.pipeline_parallel_schedule", SettingFate::not_understood, "Schedule");
        row("how long to train", "t.toml",
            "[model]\nname = \"llama3\"\nflavor = \"8B\"\n[training]\nseq_len = 512\nlocal_batch_size = 1\n", "tokens",
            SettingFate::missing,
            "state the tokens. Until then as many as the model was published with stand in the plan: 15T");
        row("a value that an undecided branch sets", "t.sh",
            "if [ -n \"$SITE\" ]; then T=1; else T=2; fi\n" + small_model + "--tensor-model-parallel-size $T\n",
            "--tensor-model-parallel-size", SettingFate::missing,
            "1 or 2, by the condition of line 1: none is taken; state it");
        row("a switch that an undecided branch gives", "t.sh",
            "A=()\n[ \"$SITE\" = x ] && A+=(--swiglu)\n" + small_model + "\"${A[@]}\"\n", "--swiglu",
            SettingFate::missing, "given or left out, by the condition of line 2");
        row("a default of a variable that the site may set", "t.sh", small_model + "--ffn-hidden-size ${FFN:-2048}\n",
            "$FFN", SettingFate::assumed, "is not set in the script: 2048 stands for it");
        row("a typed count of devices", "t.sh",
            "#SBATCH -N 2\n#SBATCH --gpus-per-node=mi250:8\nsrun " + small_model + "\n", "#--gpus-per-node",
            SettingFate::taken, "Devices a node: 8");
        row("an option of srun", "t.sh", "srun --label " + small_model + "\n", "--label", SettingFate::no_effect, "");
        row("an option of a container", "t.sh", "srun singularity exec --nv --bind /a:/b x.sif " + small_model + "\n",
            "--num-layers", SettingFate::taken, "Layers: 4");
        row("two counts of devices", "t.sh",
            "#SBATCH -N 2\n#SBATCH --ntasks-per-node=4\nexport WORLD_SIZE=16\nsrun " + small_model + "\n",
            "$WORLD_SIZE", SettingFate::assumed,
            "it says 16 devices, and what starts the program makes 8: 8 are taken");
        row("a list of values", "t.sh", small_model + "--rampup-batch-size 16 16 6_000_000 --lr 1\n",
            "--rampup-batch-size", SettingFate::not_understood, "not known");
        row("an option of one letter", "t.sh", small_model + "-b 8 --lr 1\n", "-b", SettingFate::not_understood,
            "not known");
        row("an undecided value that changes nothing", "t.sh",
            "[ -d old ] && L=old || L=new\n" + small_model + "--load $L\n", "--load", SettingFate::no_effect, "");
        row("a configuration that the program reads", "t.sh", small_model + "conf/site.yaml\n", "site.yaml",
            SettingFate::missing, "the program reads conf/site.yaml, which was not given");
        row("a file that the script writes from what is not there", "t.sh",
            "sed 's/A/1/' there.json > ds.json\n" + small_model + "--deepspeed_config ds.json\n", "ds.json",
            SettingFate::missing, "the script writes this file, and it cannot be read");
        row("a file of a name that is not known whole", "t.sh",
            "echo '{\"train_batch_size\": 12}' > ds.$SITE.json\n" + small_model + "--deepspeed_config ds.$SITE.json\n",
            "train_batch_size", SettingFate::taken, "Global batch: 12");
        row("a part that is not known in a file that the script writes", "t.sh",
            "echo \"{\\\"train_batch_size\\\": $OUTSIDE}\" > ds.json\n" + small_model
                + "--deepspeed_config ds.json\n",
            "train_batch_size", SettingFate::not_understood, "this value of Global batch is not known");
        row("DeepSpeed's file that was not given", "a.yaml",
            "model_name_or_path: Qwen/Qwen3-8B\nper_device_train_batch_size: 1\nmax_seq_length: 512\n"
            "deepspeed: conf/ours.json\n",
            "ZeRO stage", SettingFate::missing, "conf/ours.json says it and was not given");
        row("a script without end", "t.sh", "while true; do A+=x; done\n" + small_model + "\n", "--num-layers",
            SettingFate::taken, "Layers: 4");
    }
    void what_became_of_a_setting_is_said() {
        QFETCH(std::string, file);
        QFETCH(std::string, text);
        QFETCH(std::string, key);
        QFETCH(int, fate);
        QFETCH(std::string, says);
        const auto plan = imported(file, text);
        QVERIFY2(plan.has_value(), plan ? "" : say(plan.error()).c_str());
        const ImportRemark* remark = remark_of(*plan, key);
        QVERIFY2(remark, key.c_str());
        QCOMPARE(int(remark->fate), fate);
        QVERIFY2(remark->done.find(says) != std::string::npos, remark->done.c_str());
        QVERIFY(!rows_of(*plan, true).empty());
    }

    void every_setting_of_a_file_is_in_the_report() {
        for (const auto& [file, text] : not_empty(configurations())) {
            const auto plan = imported(file, text);
            QVERIFY2(plan.has_value(), file.c_str());
            const auto settings = files::read_settings(file, text);
            std::size_t placed = 0;
            for (const ImportRemark& r : plan->remarks)
                placed += r.place.find(':') != r.place.npos && !r.key.starts_with("$");
            if (!file.ends_with(".py") && !file.ends_with(".json") && !file.ends_with(".sh"))
                QCOMPARE(placed, settings->all.size());
        }
    }

    // Of launchers and of the program: each option under its name, with all the words that it takes.
    void every_option_of_a_script_is_in_the_report_data() {
        QTest::addColumn<std::string>("script");
        const auto row = [](const char* name, const std::string& script) { QTest::newRow(name) << script; };
        row("arguments of Megatron-LM", megatron_script);
        row("Slurm, a container and torchrun",
            "#SBATCH -N 2\n#SBATCH --gres=gpu:8\nsrun -l --container-image a.sqsh --mpi=pmix singularity exec --nv "
            "--bind /a:/b x.sif torchrun --nnodes 2 --nproc-per-node=8 train.py "
                + small_model.substr(7) + "--swiglu --lr 1e-4\n");
        row("mpirun", "mpirun -np 16 --map-by ppr:8:node -x PATH --mca pml ob1 python -u " + small_model.substr(7)
                          + "--data-path 0.5 a 0.5 b --warp 9 10 -v 3\n");
        row("resource sets", "#BSUB -nnodes 2\njsrun -n12 -r 6 -a 1 -g1 -c 7 -b rs " + small_model + "\n");
        row("Flux", "#flux: -N 2\nflux run -N2 -n 16 -g 1 -o x.y=z " + small_model + "\n");
        row("a launcher with a file",
            "accelerate launch --config_file acc.yaml --num_processes 8 " + small_model + "\n");
    }
    void every_option_of_a_script_is_in_the_report() {
        QFETCH(std::string, script);
        const auto plan = imported("t.sh", script);
        QVERIFY2(plan.has_value(), plan ? "" : say(plan.error()).c_str());
        const auto is_option = [](const std::string& w) {
            return w.size() > 1 && w[0] == '-' && !std::isdigit(static_cast<unsigned char>(w[1]));
        };
        const files::Settings read = files::read_script(script);
        std::string option;
        for (const files::ShellWord& word : read.script.runs.front().commands.back().words) {
            const std::string& w = word.text;
            if (is_option(w)) option = w.substr(0, w.find_first_of("= "));
            if (option == "-u" || option.empty()) continue;   // Python's own; the first program
            const bool found = std::ranges::any_of(plan->remarks, [&](const ImportRemark& r) {
                const bool joined = option.size() > 2 && option[1] != '-' && r.key == option.substr(0, 2);
                if (r.key != option && !joined) return false;
                return w == option || joined
                    || r.value.find(is_option(w) ? w.substr(w.find_first_of("= ") + 1) : w) != r.value.npos;
            });
            const bool program = w.find('.') != w.npos || w == "singularity" || w == "exec" || w == "torchrun"
                              || w == "python";
            QVERIFY2(found || program, (option + ": " + w).c_str());
        }
    }

    void a_model_beside_the_configuration_is_taken() {
        const NamedText files[] = {{"ds.json", deepspeed_json_text}, {"config.json", llama_config}};
        const auto plan = import_plan(files, library());
        QVERIFY2(plan.has_value(), plan ? "" : say(plan.error()).c_str());
        QCOMPARE(plan->plan.model.layers, 22);
        QCOMPARE(plan->plan.model.vocabulary, 32000);
    }

    void of_presets_with_one_shape_that_with_the_vocabulary_is_the_model() {
        const std::string shape = "pretrain_gpt.py --num-layers 80 --hidden-size 8192 --num-attention-heads 64 "
                                  "--swiglu --group-query-attention --num-query-groups 8 --ffn-hidden-size 28672 "
                                  "--seq-length 4096 --micro-batch-size 1 --vocab-size ";
        QCOMPARE(imported("a.sh", shape + "128256\n")->plan.model.name, std::string("Llama 3 70B"));
        QCOMPARE(imported("a.sh", shape + "32000\n")->plan.model.name, std::string("Llama 2 70B"));
    }
    void what_is_asked_for_goes_before_what_is_assumed() {
        const auto plan =
            imported("p.yaml", primus_yaml, {.machine = "lumi", .devices = 64, .recipe = {}, .name = "mine"});
        QVERIFY(plan.has_value());
        QCOMPARE(plan->plan.machine.id, "lumi");
        QCOMPARE(plan->plan.layout.devices, 64);
        QCOMPARE(plan->plan.name, "mine");
        QVERIFY(!imported("p.yaml", primus_yaml, {.machine = "no-such"}).has_value());
        const auto second = imported("l.py", bridge_recipe, {.recipe = "llama3_70b_pretrain_config"});
        QVERIFY(second.has_value());
        QCOMPARE(second->plan.layout.tensor_parallel, 4);
        QCOMPARE(second->plan.model.layers, 80);
    }

    void a_setting_of_Megatron_that_is_left_out_is_as_Megatron_has_it() {
        const auto plan =
            imported("a.sh", "pretrain_gpt.py --num-layers 12 --hidden-size 768 --num-attention-heads 12 "
                             "--seq-length 1024 --micro-batch-size 4\n");
        QVERIFY(plan.has_value());
        const Model& m = plan->plan.model;
        QCOMPARE(m.ffn, 4 * 768);
        QCOMPARE(m.kv_heads, 12);
        QVERIFY(m.tied_embeddings && m.qkv_bias && m.mlp_bias && m.dropout);
        QVERIFY(m.positions == Positions::learned && m.norm == Norm::layer_norm && m.activation == Activation::gelu);
        QCOMPARE(plan->plan.recipe.precision, Precision::fp32);
    }

    // ---- The way back

    void a_hybrid_on_uneven_stages_is_written_with_their_borders() {
        Scenario s;
        s.model = library().models.at("nemotron-nano-9b-v2");   // 56 half layers
        s.machine = library().machines.at("dgx-h100");
        s.stack = library().stacks.at("megatron-core");
        s.layout.devices = 48;
        s.layout.pipeline_parallel = 6;
        s.layout.data_parallel = 8;
        s.recipe.global_batch_sequences = 1024;
        s.recipe.sequence_length = 8192;
        s.recipe.tokens = 1e12;
        const auto script = launch_script(s, Framework::megatron);
        QVERIFY2(script.has_value(), script ? "" : script.error().front().c_str());
        const std::string first = s.model.pattern.substr(0, std::size_t(layers_of_stage(s, 0)));
        QVERIFY(script->find("--hybrid-layer-pattern '" + first + "|") != script->npos);
        const auto again = imported("job.sh", *script);
        QVERIFY2(again.has_value(), again ? "" : say(again.error()).c_str());
        QCOMPARE(again->plan.model.pattern, s.model.pattern);
        QCOMPARE(again->plan.layout.stages.stages(), 6);
        for (int i = 0; i < 6; ++i) QCOMPARE(again->plan.layout.stages.layers(i), layers_of_stage(s, i));
    }

    void a_launched_script_reads_back_as_its_plan_data() {
        QTest::addColumn<int>("framework");
        int number = 0;
        for (const std::string_view name : framework_names()) {   // that of fine-tuning alone: tst_tuning_launch
            if (*framework_from(name) < Framework::torchtune) QTest::newRow(std::string(name).c_str()) << number;
            ++number;
        }
    }
    void a_launched_script_reads_back_as_its_plan() {
        QFETCH(int, framework);
        std::vector<Scenario> plans;
        for (const auto& [id, path] : library().scenarios)
            plans.push_back(read_scenario(*read_text(path), library(), id)->scenario);
        // Layouts that every framework can start, of models that have names everywhere.
        for (const char* model : {"llama3-8b", "qwen3-8b", "llama3-70b", "nemotron-nano-9b-v2"})
            for (const int zero : {0, 2, 3})
                for (const auto& [tensor, pipeline, context] : {std::array{1, 1, 1}, {2, 1, 1}, {8, 1, 2}, {2, 4, 1}}) {
                    Scenario s;
                    s.model = library().models.at(model);
                    s.machine = library().machines.at("dgx-h100");
                    s.stack = library().stacks.at(framework == int(Framework::bridge) ? "megatron-core"
                                                                                      : "torchtitan-compile");
                    s.layout.devices = 256;
                    s.layout.tensor_parallel = tensor;
                    s.layout.pipeline_parallel = pipeline;
                    s.layout.context_parallel = context;
                    s.layout.data_parallel = 256 / (tensor * pipeline * context);
                    s.layout.zero_stage = zero;
                    s.layout.sequence_parallel = tensor > 1;
                    s.layout.recompute = Recompute::full;
                    s.recipe.global_batch_sequences = 1024;
                    s.recipe.sequence_length = 8192;
                    s.recipe.tokens = 1e12;
                    plans.push_back(s);
                }
        int written = 0;
        for (const Scenario& s : plans) {
            const auto script = launch_script(s, Framework(framework));
            if (!script) continue;
            ++written;
            const auto plan = imported("job.sh", *script);
            QVERIFY2(plan.has_value(), plan ? "" : (say(plan.error()) + *script).c_str());
            Scenario again = as_a_script_says_it(plan->plan), was = as_a_script_says_it(s);
            // With fused attention nothing is left for selective recomputation: DeepSpeed has none, FSDP whole layers.
            if (was.layout.recompute == Recompute::selective && framework == int(Framework::deepspeed))
                was.layout.recompute = Recompute::none;
            if (was.layout.recompute == Recompute::selective && framework == int(Framework::fsdp))
                was.layout.recompute = Recompute::full;
            // TorchTitan has one word for weights that are kept whole and for those that wait for the backward pass.
            if (framework == int(Framework::torchtitan) && was.layout.zero_stage == 2
                && was.layout.pipeline_parallel == 1)
                was.layout.zero_stage = 3, was.layout.secondary_shard = 1;
            QVERIFY2(differences(was, again).isEmpty(),
                     qPrintable(QString::fromStdString(s.name) + "\n" + differences(was, again) + script->c_str()));
            QCOMPARE(plan->plan.model.id, s.model.id);
            QCOMPARE(plan->plan.machine.id, s.machine.id);
            QCOMPARE(plan->plan.stack.id, s.stack.id);
            for (const ImportRemark& r : plan->remarks)
                QVERIFY2(r.fate != SettingFate::not_understood, (r.key + " " + r.value + "\n" + *script).c_str());
        }
        QVERIFY2(written >= 3, qPrintable(QString::number(written)));
    }

    void a_list_of_modules_reads_back_data() {
        QTest::addColumn<Framework>("framework");
        QTest::newRow("of Megatron-LM") << Framework::megatron;
        QTest::newRow("of Megatron-Bridge") << Framework::bridge;
    }
    void a_list_of_modules_reads_back() {
        QFETCH(Framework, framework);
        Scenario s;
        s.model = library().models.at("qwen3-30b-a3b");
        s.machine = library().machines.at("dgx-h100");
        s.stack = library().stacks.at("megatron-core");
        s.layout.devices = s.layout.data_parallel = 16;
        s.layout.expert_parallel = 8;
        s.layout.zero_stage = 1;
        s.layout.recompute = Recompute::selective;
        s.layout.recompute_modules = {.core_attn = false, .layernorm = true, .moe = true};
        s.layout.offload.optimizer = Tier::host;
        s.layout.offload.optimizer_share = 0.5;
        s.layout.offload.activations = Tier::host;
        s.layout.offload.modules = {.core_attn = true, .attn_proj = true, .mlp_norm = true};
        s.layout.offload.solve_share = false;
        s.layout.offload.activation_share = 0.8;
        s.recipe.global_batch_sequences = 256;
        s.recipe.sequence_length = 4096;
        s.recipe.tokens = 1e12;
        const auto script = launch_script(s, framework);
        QVERIFY(script && script->find("layernorm") != std::string::npos);
        const auto plan = imported("job.sh", *script);
        QVERIFY2(plan.has_value(), script->c_str());
        QVERIFY2(plan->plan.layout.recompute_modules == s.layout.recompute_modules, script->c_str());
        QCOMPARE(plan->plan.layout.recompute, Recompute::selective);
        QVERIFY2(plan->plan.layout.offload == s.layout.offload, script->c_str());
        for (const ImportRemark& r : plan->remarks)
            QVERIFY2(r.fate != SettingFate::not_understood, (r.key + " " + r.value + "\n" + *script).c_str());
    }

    void states_in_formats_of_their_own_read_back_data() {
        QTest::addColumn<StateFormat>("states");
        QTest::addColumn<int>("precision");
        const auto row = [](const char* name, StateFormat f, Precision p = Precision::bf16) {
            QTest::newRow(name) << f << int(p);
        };
        using G = GradientFormat;
        using M = MasterFormat;
        using F = MomentFormat;
        const auto products = WeightFormat::as_products;
        row("remainders alone", {products, G::fp32, M::remainders, F::fp32, F::fp32});
        row("16-bit gradients and moments", {products, G::half, M::remainders, F::bf16, F::bf16});
        row("master weights in fp16, moments that differ", {products, G::fp32, M::fp16, F::fp8, F::fp16});
        row("for fp8 products, by name", StateFormat::master_weights_fp32_sums, Precision::fp8);
    }
    void states_in_formats_of_their_own_read_back() {
        QFETCH(StateFormat, states);
        QFETCH(int, precision);
        Scenario s;
        s.model = library().models.at("llama3-8b");
        s.machine = library().machines.at("dgx-h100");
        s.stack = library().stacks.at("megatron-core");
        s.layout.devices = s.layout.data_parallel = 64;
        s.layout.zero_stage = 1;
        s.layout.recompute = Recompute::full;
        s.recipe.precision = Precision(precision);
        s.recipe.fp8_recipe = Fp8Recipe::blockwise;
        s.recipe.state_format = states;
        s.recipe.global_batch_sequences = 256;
        s.recipe.sequence_length = 4096;
        s.recipe.tokens = 1e12;
        const auto script = launch_script(s, Framework::megatron);
        QVERIFY2(script.has_value(), script ? "" : script.error()[0].c_str());
        const auto plan = imported("job.sh", *script);
        QVERIFY2(plan.has_value(), script->c_str());
        QVERIFY2(plan->plan.recipe.state_format.same_formats(states), script->c_str());
        for (const ImportRemark& r : plan->remarks)
            QVERIFY2(r.fate != SettingFate::not_understood, (r.key + " " + r.value + "\n" + *script).c_str());
    }

    void number_formats_read_back_data() {
        QTest::addColumn<Framework>("framework");
        QTest::addColumn<Fp8Recipe>("recipe");
        QTest::addColumn<bool>("alone");
        QTest::addColumn<int>("last");
        QTest::newRow("Megatron-LM, MXFP8 alone, the last two layers in bf16")
            << Framework::megatron << Fp8Recipe::mxfp8 << true << 2;
        QTest::newRow("Megatron-LM, NVFP4 beside 16 bits") << Framework::megatron << Fp8Recipe::nvfp4 << false << 0;
        QTest::newRow("Megatron-LM, NVFP4 alone") << Framework::megatron << Fp8Recipe::nvfp4 << true << 14;
        QTest::newRow("Megatron-Bridge's MXFP8") << Framework::bridge << Fp8Recipe::mxfp8 << true << 0;
        QTest::newRow("Megatron-Bridge's scales of tensors") << Framework::bridge << Fp8Recipe::tensorwise << true << 1;
        QTest::newRow("Megatron-Bridge, NVFP4 beside 16 bits") << Framework::bridge << Fp8Recipe::nvfp4 << false << 4;
        QTest::newRow("Megatron-Bridge, MXFP8 with wide layers") << Framework::bridge << Fp8Recipe::mxfp8 << true << 2;
        QTest::newRow("torchtitan's MXFP8") << Framework::torchtitan << Fp8Recipe::mxfp8 << false << 0;
    }
    void number_formats_read_back() {
        QFETCH(Framework, framework);
        QFETCH(Fp8Recipe, recipe);
        QFETCH(bool, alone);
        QFETCH(int, last);
        Scenario s;
        s.model = library().models.at("llama3-8b");
        s.machine = library().machines.at("dgx-b200");
        const bool titan = framework == Framework::torchtitan;
        s.stack = library().stacks.at(titan ? "torchtitan-2025" : "megatron-core");
        s.layout.devices = s.layout.data_parallel = 16;
        s.layout.zero_stage = titan ? 3 : 1;
        s.recipe.global_batch_sequences = 256;
        s.recipe.sequence_length = 4096;
        s.recipe.tokens = 1e12;
        s.recipe.precision = Precision::fp8;
        s.recipe.fp8_recipe = recipe;
        s.recipe.converted_weights_alone = alone;
        s.model.wide = {recipe == Fp8Recipe::tensorwise ? 1 : 0, last, false};
        const auto script = launch_script(s, framework);
        QVERIFY(script.has_value());
        const auto plan = imported("job.sh", *script);
        QVERIFY2(plan.has_value(), script->c_str());
        QVERIFY2(plan->plan.recipe.fp8_recipe == recipe, script->c_str());
        QVERIFY2(plan->plan.recipe.converted_weights_alone == alone, script->c_str());
        QVERIFY2(plan->plan.recipe.gathers_into_gradients, script->c_str());
        QVERIFY2(plan->plan.model.wide == s.model.wide, script->c_str());
        for (const ImportRemark& r : plan->remarks)
            QVERIFY2(r.fate != SettingFate::not_understood, (r.key + " " + r.value + "\n" + *script).c_str());
    }

    void a_script_names_its_plan() {
        const Scenario s = gpt3_interleaved();
        Scenario renamed = s, wider = s, dearer = s;
        renamed.name = "another name";
        wider.layout.micro_batch = 2;
        dearer.machine.power.pue += 0.01;
        QCOMPARE(plan_fingerprint(renamed), plan_fingerprint(s));
        QVERIFY(plan_fingerprint(wider) != plan_fingerprint(s));
        QVERIFY(plan_fingerprint(dearer) != plan_fingerprint(s));
        Scenario runs = s;
        runs.layout.zero_stage = 1;
        for (std::size_t f = 0; f < framework_names().size(); ++f) {
            const auto script = launch_script(runs, Framework(f));
            if (!script) continue;
            const auto link = link_in(*script);
            QVERIFY(link.has_value());
            QCOMPARE(link->plan, plan_fingerprint(runs));
            QVERIFY(script->find("\nexport PLIMSOLL_PLAN=" + link->plan + "\n") != std::string::npos);
        }
        const auto saved = read_scenario(write_scenario(s, library()), library());
        QCOMPARE(plan_fingerprint(saved->scenario), plan_fingerprint(s));
        QVERIFY(!link_in("# plimsoll plan nothing\necho '# plimsoll plan sha256:0'\n").has_value());
    }

    // ---- What others wrote

    void a_configuration_that_is_none_is_refused_data() {
        QTest::addColumn<std::string>("file");
        QTest::addColumn<std::string>("text");
        QTest::addColumn<std::string>("says");
        const auto row = [](const char* name, const char* file, const std::string& text, const char* says) {
            QTest::newRow(name) << std::string(file) << text << std::string(says);
        };
        std::string bomb = "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n", deep, dotted = "x", brackets;
        for (char c = 'b'; c <= 'z'; ++c) {
            bomb += std::string(1, c) + ": &" + c + " [";
            for (int i = 0; i < 10; ++i) bomb += (i ? ", *" : "*") + std::string(1, char(c - 1));
            bomb += "]\n";
        }
        std::string long_key = "{\"zero_optimization\": {\"stage\": 1}, \"" + std::string(100000, 'A') + "\": {",
                    long_table = "[parallelism]\ntensor_parallel_degree = 8\n[" + std::string(100000, 'A') + "]\n",
                    long_alias = "num_layers: 32\na: &x \"" + std::string(100000, 'A') + "\"\nb: [*x",
                    long_call = "def recipe():\n    " + std::string(100000, 'A') + " = f(",
                    long_constant = "A = \"" + std::string(1000000, 'A') + "\"\n";
        for (int i = 0; i < 10000; ++i) {
            const std::string k = "k" + std::to_string(i);
            long_key += (i ? ", \"" : "\"") + k + "\": 1";
            long_table += k + " = 1\n";
            long_alias += ", *x";
            long_call += k + "=1, ";
            long_constant += k + " = A\n";
        }
        row("a long key before many in JSON", "a.json", long_key + "}}", "unfolds to more than 16 MiB");
        row("a long key before many in TOML", "a.toml", long_table, "unfolds to more than 16 MiB");
        row("a long text that is repeated", "a.yaml", long_alias + "]\n", "unfolds to more than 16 MiB");
        row("a long name of a function in Python", "a.py", long_call + ")\n", "unfolds to more than 16 MiB");
        row("a long constant that others repeat", "a.py", long_constant, "unfolds to more than 16 MiB");
        for (int i = 0; i < 100; ++i) deep += std::string(std::size_t(i), ' ') + "a:\n", brackets += "[";
        for (int i = 0; i < 50000; ++i) dotted += ".x";
        row("aliases that repeat each other", "a.yaml", bomb, "holds more than 20000 values");
        row("an alias of nothing", "a.yaml", "num_layers: *later\n", "alias");
        row("nested without end", "a.yaml", deep, "nests deeper than 32");
        row("lists in lists", "a.yaml", "a: " + brackets, "nests deeper than 32");
        row("a table in a table in a table", "a.toml", dotted + " = 1\n", "nests deeper than 32");
        row("broken YAML", "a.yaml", "a: [1, 2\nb: }\n", "line 2");
        row("a list at the top", "a.yaml", "- 1\n- 2\n", "expected keys and values");
        row("broken TOML", "a.toml", "[training\nsteps = 1\n", "line 1");
        row("a table of TOML whose name is a sign", "a.toml", "[?]\nsteps = 1\n", "line 1");
        row("broken JSON", "a.json", "{\"zero_optimization\": ", "a.json");
        row("an unknown kind of file", "a.dat", "hello\n", "is no configuration that is known");
        row("control characters", "a.yaml", "a: 1\x1b[2J\n", "is not text");
        row("a size beyond all", "a.yaml", "a: " + std::string(5 << 20, 'x'), "larger than 4 MiB");
        row("nothing of a framework", "a.yaml", "colour: red\n", "no setting of a training framework");
        row("nothing at all", "a.yaml", "", "no setting of a training framework");
    }
    void a_configuration_that_is_none_is_refused() {
        QFETCH(std::string, file);
        QFETCH(std::string, text);
        QFETCH(std::string, says);
        const auto plan = imported(file, text);
        QVERIFY(!plan.has_value());
        QVERIFY2(say(plan.error()).find(says) != std::string::npos, say(plan.error()).c_str());
    }

    void lists_of_Python_are_read() {
        QCOMPARE(files::list_of("([0]*3+[1]*2)").value(), (std::vector{0, 0, 0, 1, 1}));
        QCOMPARE(files::list_of("[0, 1, 1]").value(), (std::vector{0, 1, 1}));
        for (const char* none : {"", "3", "[0", "[0]*", "[0]*99999999", "((((((((((((([0])))))))))))))", "[0]+", "[x]"})
            QVERIFY2(!files::list_of(none).has_value(), none);
        QCOMPARE(files::list_of("[]*2147483647+[]*2147483647").value(), std::vector<int>{});
        QCOMPARE(files::whole_of("2**20").value(), 1 << 20);
        std::string powers = "2";
        for (int i = 0; i < 1000; ++i) powers += "**1";
        QVERIFY(files::whole_of("2**1**1") && !files::whole_of(powers));
        QVERIFY(!files::whole_of("2**9999") && !files::whole_of("1.5") && !files::whole_of("nan")
                && !files::whole_of(""));
    }
};

PLIMSOLL_TEST(FrameworkImportTest)
#include "tst_framework_import.moc"
