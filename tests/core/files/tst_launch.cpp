// Job scripts: whole ones as they are pasted, and what all of them have to hold.
#include "registered_test.h"

#include "core/files/launch/launch.h"
#include "core/answers/plan/estimate.h"
#include "core/answers/plan/headroom.h"
#include "core/values/plan/share.h"
#include "random_plans.h"

#include <map>
#include <sstream>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

// "--flag value" of a script, switches with an empty value.
std::map<std::string, std::string> flags_of(const std::string& script) {
    std::map<std::string, std::string> flags;
    std::istringstream lines(script);
    for (std::string line; std::getline(lines, line);) {
        const auto at = line.find("    --");
        if (at != 0) continue;
        std::string name, value;
        std::istringstream(line) >> name >> value;
        flags[name] = value == "\\" ? "" : value;
    }
    return flags;
}

Scenario on_lsf() {
    Scenario s = small_on_one_node();
    s.machine.scheduler = {"LSF", "jsrun", {{1, 45, 2 * hour}}};
    s.machine.as_of = "2020-01";
    return s;
}

}  // namespace

class LaunchTest : public QObject {
    Q_OBJECT

private slots:
    void a_name_stays_inside_its_comment_data() {
        QTest::addColumn<int>("framework");
        for (const auto& [name, framework] :
             {std::pair{"megatron", Framework::megatron}, {"deepspeed", Framework::deepspeed},
              {"fsdp", Framework::fsdp}, {"torchtitan", Framework::torchtitan}, {"bridge", Framework::bridge},
              {"trainer", Framework::trainer}})
            QTest::newRow(name) << int(framework);
    }
    void a_name_stays_inside_its_comment() {
        QFETCH(int, framework);
        Scenario s = small_on_one_node();
        const auto plain = launch_script(s, Framework(framework));
        for (std::string* name : {&s.model.name, &s.machine.name, &s.stack.name, &s.name})
            *name = "x\ntouch /tmp/y\r#SBATCH --exclusive\n\x1b[2J";
        const auto script = launch_script(s, Framework(framework));
        QCOMPARE(script.has_value(), plain.has_value());
        if (!script) QSKIP("no such script of this plan");
        const auto lines = [](const std::string& text) { return QString::fromStdString(text).split(u'\n'); };
        QCOMPARE(lines(*script).size(), lines(*plain).size());
        for (const QString& line : lines(*script))
            QVERIFY2(line.startsWith("# ") || !line.contains("touch"), qPrintable(line));
        QVERIFY(!QString::fromStdString(*script).contains(QRegularExpression("[\\r\\x1b]")));
    }
    void a_megatron_script_on_slurm() {
        Scenario s = gpt3_interleaved();
        s.layout.zero_stage = 1;
        const auto script = launch_script(s, Framework::megatron);
        QVERIFY2(script.has_value(), script ? "" : script.error()[0].c_str());
        QString said = QString::fromStdString(*script);
        said.replace(QRegularExpression("--save-interval \\d+"), "--save-interval N");  // follows from an estimate
        said.replace(QRegularExpression("\\d+ % of a device"), "SHARE of a device");   // likewise
        said.replace(QRegularExpression("every \\d+ steps is one every [0-9.]+ \\w+,"),
                     "every N steps is one every TIME,");
        said.replace(QRegularExpression("sha256:[0-9a-f]{64}"), "sha256:HASH");         // of presets that are improved
        const char* expected = R"(#!/bin/bash
#SBATCH --job-name=gpt3-175b
#SBATCH --nodes=128
#SBATCH --ntasks-per-node=8
#SBATCH --gpus-per-node=8
#SBATCH --partition=FILL_IN
#SBATCH --account=FILL_IN
# GPT-3 175B on Selene: 128 nodes (1,024 devices), tensor 8 x pipeline 8 x data 16, micro-batch 1, global batch 1,)"
                               R"(536 x 2,048 tokens, 300B tokens in all, fp16, full recompute, ZeRO-1, 3 virtual )"
                               R"(stages, software Megatron-LM 2021
# It fits: SHARE of a device, what lives outside the allocator included.
# plimsoll plan sha256:HASH model=gpt3-175b machine=selene stack=megatron-2021 sequence=2048 tokens=3e+11
export PLIMSOLL_PLAN=sha256:HASH
# Fill in what is marked FILL_IN, here and in the lines above.
: "${DATA:=FILL_IN}"   # prefix of the tokenized data
: "${TOKENIZER:=FILL_IN}"   # name or folder of the tokenizer
: "${CHECKPOINTS:=FILL_IN}"   # folder of the checkpoints
: "${LEARNING_RATE:=FILL_IN}"   # the peak; its schedule is the framework's unless you say so
export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1) MASTER_PORT=29500 WORLD_SIZE=1024
export CUDA_DEVICE_MAX_CONNECTIONS=1

# A checkpoint every N steps is one every TIME, by how often nodes are expected to fail.
srun --nodes=128 --ntasks-per-node=8 bash -c 'export RANK=$SLURM_PROCID LOCAL_RANK=$SLURM_LOCALID; exec "$@"' sh )"
                               R"(python -u pretrain_gpt.py \
    --num-layers 96 \
    --hidden-size 12288 \
    --ffn-hidden-size 49152 \
    --num-attention-heads 96 \
    --seq-length 2048 \
    --max-position-embeddings 2048 \
    --vocab-size 50257 \
    --make-vocab-size-divisible-by 128 \
    --position-embedding-type learned_absolute \
    --tensor-model-parallel-size 8 \
    --pipeline-model-parallel-size 8 \
    --micro-batch-size 1 \
    --global-batch-size 1536 \
    --num-virtual-stages-per-pipeline-rank 3 \
    --recompute-granularity full \
    --recompute-method uniform \
    --recompute-num-layers 1 \
    --use-distributed-optimizer \
    --attention-backend unfused \
    --optimizer adam \
    --fp16 \
    --accumulate-allreduce-grads-in-fp32 \
    --train-iters 95368 \
    --save-interval N \
    --lr $LEARNING_RATE \
    --data-path $DATA \
    --tokenizer-type HuggingFaceTokenizer \
    --tokenizer-model $TOKENIZER \
    --save $CHECKPOINTS \
    --load $CHECKPOINTS
)";
        QCOMPARE(said, QString(expected));
    }

    void a_deepspeed_configuration_on_lsf() {
        Scenario s = on_lsf();
        s.layout.zero_stage = 3;
        const auto script = launch_script(s, Framework::deepspeed);
        QVERIFY2(script.has_value(), script ? "" : script.error()[0].c_str());
        const QString said = QString::fromStdString(*script);
        QVERIFY(said.startsWith("#!/bin/bash\n#BSUB -J small-gated\n#BSUB -nnodes 1\n#BSUB -W "));
        QVERIFY(
            said.contains("jsrun --nrs 1 --rs_per_host 1 --tasks_per_rs 8 --gpu_per_rs 8 --cpu_per_rs ALL_CPUS bash -c "
                          "'export RANK=$OMPI_COMM_WORLD_RANK"));
        QVERIFY(said.contains(R"(cat > ds_config.json <<'EOF'
{
  "train_batch_size": 256,
  "train_micro_batch_size_per_gpu": 4,
  "gradient_accumulation_steps": 8,
  "zero_optimization": {
    "stage": 3,
    "overlap_comm": true,
    "reduce_bucket_size": 100000000,
    "stage3_gather_16bit_weights_on_model_save": true
  },
  "bf16": {
    "enabled": true
  },
  "optimizer": {
    "type": "AdamW"
  }
}
EOF
)"));
        QVERIFY(said.endsWith("$TRAIN --deepspeed --deepspeed_config ds_config.json\n"));
    }

    void an_fsdp_configuration() {
        Scenario s = small_on_one_node();
        s.layout.zero_stage = 3;
        s.layout.shard_group = 4;
        s.machine.scheduler = {"Kubernetes", "torchrun", {}};
        const auto script = launch_script(s, Framework::fsdp);
        QVERIFY2(script.has_value(), script ? "" : script.error()[0].c_str());
        const QString said = QString::fromStdString(*script);
        QVERIFY(said.contains("\"sharding_strategy\": \"HYBRID_SHARD\",\n  \"device_mesh\": [\n    2,\n    4\n  ]"));
        QVERIFY(said.contains("\"param_dtype\": \"bfloat16\""));
        QVERIFY(said.contains("torchrun --nnodes=1 --nproc-per-node=8 "));
    }

    void a_megatron_script_says_what_the_plan_says() {
        int written = 0;
        for (const Scenario& s : random_plans(drawn(24000))) {
            const auto script = launch_script(s, Framework::megatron);
            if (!script) continue;
            ++written;
            const Outcome o = estimate(s);
            QVERIFY(o && fit_verdict(*o) != FitVerdict::does_not_fit);
            auto f = flags_of(*script);
            const auto number = [&](const char* name) { return f.contains(name) ? std::stoi(f[name]) : 1; };
            const int t = number("--tensor-model-parallel-size"), p = number("--pipeline-model-parallel-size"),
                      c = number("--context-parallel-size");
            // The framework's own assertions.
            QCOMPARE(s.layout.devices % (t * p * c), 0);
            const int d = s.layout.devices / (t * p * c);
            QCOMPARE(d, s.layout.data_parallel);
            QCOMPARE(number("--global-batch-size") % (number("--micro-batch-size") * d), 0);
            QCOMPARE(number("--num-attention-heads") % t, 0);
            QCOMPARE(number("--ffn-hidden-size"), s.model.ffn);
            QCOMPARE(f.contains("--swiglu"), gated(s.model.activation));
            QCOMPARE(f.contains("--sequence-parallel"), s.layout.sequence_parallel);
            const bool deepspeed = f.contains("--deepspeed");
            const bool distributed = f.contains("--use-distributed-optimizer") || f["--optimizer"] == "dist_muon";
            QCOMPARE(deepspeed ? number("--zero-stage") == 1 : distributed, s.layout.zero_stage == 1);
            QCOMPARE(f.contains("--untie-embeddings-and-output-weights"), !s.model.tied_embeddings);
            if (s.layout.virtual_stages > 1)
                QCOMPARE(number("--num-virtual-stages-per-pipeline-rank"), s.layout.virtual_stages);
            if (p > 1 && s.layout.stage_split != StageSplit::even)
                QCOMPARE(number("--decoder-first-pipeline-num-layers"), layers_of_stage(s, 0));
        }
        QVERIFY2(written > drawn(5), qPrintable(QString::number(written)));
    }

    void megatron_over_deepspeed_has_arguments_of_its_own() {
        Scenario s = small_on_one_node();
        s.stack.software = Software::megatron_deepspeed;
        s.layout.zero_stage = 1;
        s.layout.recompute = Recompute::full;
        const auto script = launch_script(s, Framework::megatron);
        QVERIFY2(script.has_value(), script ? "" : script.error()[0].c_str());
        const auto f = flags_of(*script);
        for (const char* name : {"--deepspeed", "--zero-stage", "--checkpoint-activations", "--lr"})
            QVERIFY2(f.contains(name), name);
        for (const char* name : {"--use-distributed-optimizer", "--attention-backend", "--overlap-grad-reduce",
                                 "--recompute-granularity", "--group-query-attention"})
            QVERIFY2(!f.contains(name), name);
        QVERIFY(script->find("# Put this into ds_config.json: {") != std::string::npos);
    }

    void the_first_layers_of_every_chunk_recompute() {
        Scenario s = gpt3_interleaved();
        s.layout.zero_stage = 1;
        s.layout.recompute_layers = 3;
        const auto script = launch_script(s, Framework::megatron);
        QVERIFY2(script.has_value(), script ? "" : script.error()[0].c_str());
        const QString said = QString::fromStdString(*script);
        QVERIFY(said.contains("full recompute in the first 3 layers of each chunk"));
        QVERIFY(said.contains("--recompute-method block"));
        QVERIFY(said.contains("--recompute-num-layers 3"));
        Scenario small = small_on_one_node();
        small.layout.zero_stage = 2;
        small.layout.recompute = Recompute::full;
        small.layout.recompute_layers = 20;
        const auto fsdp = launch_script(small, Framework::fsdp);
        QVERIFY2(fsdp.has_value(), fsdp ? "" : fsdp.error()[0].c_str());
        QVERIFY(QString::fromStdString(*fsdp).contains("\"activation_checkpointing_layers\": 20"));
    }

    void what_a_framework_cannot_do_is_said_data() {
        QTest::addColumn<Scenario>("plan");
        QTest::addColumn<int>("framework");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, Framework f, const char* says, Scenario s, auto change) {
            change(s);
            QTest::newRow(name) << s << int(f) << QString(says);
        };
        row("obstacles of the plan first", Framework::megatron, "does not divide", gpt3_on_selene(),
            [](Scenario& s) { s.layout.tensor_parallel = 7; });
        row("memory that does not suffice", Framework::megatron, "needs", too_big_for_memory(), [](Scenario&) {});
        row("sharded weights in Megatron", Framework::megatron, "ZeRO stage 1", small_on_one_node(),
            [](Scenario& s) { s.layout.zero_stage = 3; });
        row("zero bubble in Megatron", Framework::megatron, "zero-bubble", gpt3_on_selene(), [](Scenario& s) {
            s.layout.recompute = Recompute::selective;
            s.layout.schedule = Schedule::zb_h1;
        });
        row("whole stages to clusters in Megatron", Framework::megatron, "one transport", gpt3_on_selene(),
            [](Scenario& s) {
                for (Cluster& half : std::span(s.machine.clusters).first(2)) half.nodes = s.machine.nodes / 2;
                s.layout.mapping = Mapping::holmes;
            });
        row("some layers recomputed selectively in Megatron", Framework::megatron, "in every layer", gpt3_on_selene(),
            [](Scenario& s) {
                s.layout.recompute = Recompute::selective;
                s.layout.recompute_layers = 3;
            });
        row("some layers recomputed in DeepSpeed", Framework::deepspeed, "recomputed layers 0", small_on_one_node(),
            [](Scenario& s) {
                s.layout.recompute = Recompute::full;
                s.layout.recompute_layers = 3;
            });
        row("K-FAC in Megatron", Framework::megatron, "K-FAC", gpt3_on_selene(),
            [](Scenario& s) { s.recipe.optimizer = Optimizer::kfac; });
        const auto narrow = [](Scenario& s) {
            s.recipe.precision = Precision::bf16;
            s.layout.zero_stage = 1;
            s.recipe.state_format = {.master = MasterFormat::remainders, .first_moment = MomentFormat::bf16};
        };
        row("remainders without the distributed optimizer", Framework::megatron, "distributed optimizer",
            small_on_one_node(), [&](Scenario& s) { narrow(s), s.layout.zero_stage = 0; });
        row("narrow moments beside whole master weights", Framework::megatron, "remainders", small_on_one_node(),
            [&](Scenario& s) { narrow(s), s.recipe.state_format.master = MasterFormat::fp32; });
        row("moments of blocks in Megatron", Framework::megatron, "16, 18 bytes", small_on_one_node(),
            [&](Scenario& s) { narrow(s), s.recipe.state_format.first_moment = MomentFormat::scaled_8bit; });
        row("remainders in FSDP", Framework::fsdp, "16 bytes", small_on_one_node(),
            [&](Scenario& s) { narrow(s), s.layout.zero_stage = 3; });
        row("tensor ranks in FSDP", Framework::fsdp, "tensor parallel 1", gpt3_on_selene(), [](Scenario&) {});
        row("stages in DeepSpeed's configuration", Framework::deepspeed, "pipeline parallel 1", gpt3_on_selene(),
            [](Scenario&) {});
        row("ZeRO-1 in FSDP", Framework::fsdp, "0, 2, 3", small_on_one_node(), [](Scenario&) {});
    }
    void what_a_framework_cannot_do_is_said() {
        QFETCH(Scenario, plan);
        QFETCH(int, framework);
        QFETCH(QString, says);
        const auto script = launch_script(plan, Framework(framework));
        QVERIFY(!script);
        QString all;
        for (const std::string& why : script.error()) all += QString::fromStdString(why) + '\n';
        QVERIFY2(all.contains(says), qPrintable(all));
    }

    void frameworks_go_by_name() {
        QVERIFY(framework_from("fsdp") == Framework::fsdp);
        QVERIFY(!framework_from("jax"));
    }
};

PLIMSOLL_TEST(LaunchTest)
#include "tst_launch.moc"
