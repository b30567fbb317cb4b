// Logs of training frameworks: what each line is read as, which steps count, and what any damage does to it.
#include "registered_test.h"

#include "core/files/import/framework_import.h"
#include "core/files/measured/training_log.h"
#include "core/files/results/log_run.h"
#include "shipped.h"

#include <random>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

TrainingLog log_of(const std::string& text) {
    auto log = read_training_log(text);
    return log ? *std::move(log) : TrainingLog{};
}

std::string megatron_line(int number, double ms, const std::string& prefix = "") {
    return prefix + " [2026-11-05 08:01:02] iteration " + std::to_string(number) + "/    200 | consumed samples: "
         + std::to_string(number * 32) + " | elapsed time per iteration (ms): " + fixed(ms, 1)
         + " | throughput per GPU (TFLOP/s/GPU): 250.5 | global batch size: 32 | lm loss: 9.0E+00 |"
           " number of skipped iterations:   0 |\n";
}

// One step a line, the first slow.
std::string megatron_log(int steps, double ms = 500, const std::string& prefix = "") {
    std::string text;
    for (int i = 1; i <= steps; ++i) text += megatron_line(i, i == 1 ? 9000 : ms + i % 5, prefix);
    return text;
}

const std::string arguments_of_a_run = R"(------------------------ arguments ------------------------
  accumulate_allreduce_grads_in_fp32 .............. True
  add_bias_linear ................................. False
  bf16 ............................................ True
  context_parallel_size ........................... 1
  ffn_hidden_size ................................. 14336
  global_batch_size ............................... 32
  group_query_attention ........................... True
  hidden_size ..................................... 4096
  kv_lora_rank .................................... 32
  max_position_embeddings ......................... 8192
  micro_batch_size ................................ 1
  moe_router_topk ................................. 2
  multi_latent_attention .......................... False
  normalization ................................... RMSNorm
  num_attention_heads ............................. 32
  num_experts ..................................... None
  num_layers ...................................... 32
  num_query_groups ................................ 8
  pipeline_model_parallel_size .................... 1
  position_embedding_type ......................... rope
  save ............................................ /scratch/somebody/checkpoints
  seq_length ...................................... 8192
  sequence_parallel ............................... True
  swiglu .......................................... True
  tensor_model_parallel_size ...................... 4
  train_iters ..................................... 200
  untie_embeddings_and_output_weights ............. True
  use_distributed_optimizer ....................... True
  vocab_size ...................................... 128256
  world_size ...................................... 16
-------------------- end of arguments ---------------------
)";

bool is(double found, double wanted) { return std::abs(found - wanted) <= 1e-9 * std::abs(wanted); }

}  // namespace

class TrainingLogTest : public QObject {
    Q_OBJECT

private slots:
    void a_line_is_read_as_its_framework_means_it_data() {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<int>("dialect");
        QTest::addColumn<int>("measure");
        QTest::addColumn<double>("last");
        const auto row = [](const char* what, LogDialect d, StepMeasure m, double last, const std::string& text) {
            QTest::newRow(what) << text << int(d) << int(m) << last;
        };
        using D = LogDialect;
        using M = StepMeasure;
        row("Megatron-LM prints the mean of an interval in milliseconds", D::megatron, M::seconds, 0.6125,
            megatron_line(30, 700) + megatron_line(40, 612.5));
        row("an older Megatron-LM prints no date", D::megatron, M::seconds, 1.25,
            " iteration        5/    20 | consumed samples: 320 | elapsed time per iteration (ms): 1250.0 | learning "
            "rate: 5.000E-07 | global batch size:    64 | lm loss: 1.7E+00 |\n");
        row("Megatron-Bridge is known by what it prints besides", D::bridge, M::seconds, 0.6125,
            megatron_line(40, 612.5) + "Step Time : 0.61s GPU utilization: 301.2MODEL_TFLOP/s/GPU\n");
        row("NeMo 2 prints a line a step", D::nemo, M::seconds, 0.7125,
            "Training epoch 0, iteration 19/29 | global_batch_size: 64 | global_step: 19 | reduced_train_loss: 9.1 | "
            "train_step_timing in s: 0.7125 | consumed_samples: 1280\n");
        row("NeMo 1 prints a bar", D::nemo, M::seconds, 0.75,
            "Epoch 0: :  67%|######6   | 20/30 [00:21<00:10, v_num=0, global_step=19.0, train_step_timing in "
            "s=0.750]\n");
        row("Primus prints the latest value before the mean", D::primus, M::seconds, 0.9,
            "[rank-7/8] : iteration 20/30 | elapsed time per iteration (ms): 900.0/915.5 | tokens per GPU "
            "(tokens/s/GPU): 9102/8950 |\n");
        row("Primus since 26.5 names its rate otherwise", D::primus, M::seconds, 0.91,
            "[rank-7/8] : iteration 21/30 | elapsed time per iteration (ms): 910.0/914.9 | tokens/s/GPU "
            "inst/harmonic mean: 9002/8951 |\n");
        row("torchtitan prints tokens a second of a device", D::torchtitan, M::tokens_of_device, 12345,
            "[titan] 2026-11-05 08:01:02,020 - root - INFO - step: 30  loss:  7.1  memory: 20.50GiB(25.9%)  tps: "
            "12,345  tflops: 100.1  mfu: 10.1%\n");
        row("an older torchtitan calls them words, in colours", D::torchtitan, M::tokens_of_device, 3210,
            "[rank0]:2024-11-05 08:01:02,020 - root - INFO - \x1b[31mstep: 30  \x1b[32mloss:  7.1  \x1b[33mmemory: "
            "20.50GiB(25.9%)  \x1b[34mwps: 3,210  \x1b[35mmfu: 10.1%\x1b[39m\n");
        row("DeepSpeed prints samples of all ranks", D::deepspeed, M::samples_of_all, 39.5,
            "[2026-11-05 08:01:02,201] [INFO] [timer.py:264:stop] epoch=0/micro_step=80/global_step=20, "
            "RunningAvgSamplesPerSec=38.9, CurrSamplesPerSec=39.5, MaxMemAllocated=20.5GB\n");
        row("an older DeepSpeed prints one rate", D::deepspeed, M::samples_of_all, 83.5,
            "[2022-11-05 08:01:02,985] [INFO] [timer.py:189:stop] 0/40, SamplesPerSec=83.5, MemAllocated=0.26GB, "
            "MaxMemAllocated=9.02GB\n");
        row("the Trainer prints totals", D::trainer, M::total, 0.8,
            "{'train_runtime': 40.0, 'train_samples_per_second': 80.0, 'train_steps_per_second': 1.25}\n");
        row("a bar without a description is the Trainer's", D::trainer, M::bar, 0.8,
            " 40%|####      | 20/50 [00:18<00:24,  1.25it/s]\r");
        row("axolotl prints a dictionary", D::axolotl, M::tokens_of_device, 4035.5,
            "{'loss': 8.1, 'memory/max_allocated (GiB)': 20.5, 'tokens_per_second_per_gpu': 4035.5}\n");
        row("nanotron prints three digits", D::nanotron, M::seconds, 1.52,
            "11/05/2026 08:01:02 [INFO|DP=0|PP=0|TP=0|n1]: iteration: 21 / 30 | consumed_tokens: 85.8M | "
            "elapsed_time_per_iteration_ms: 1.52K | tokens_per_sec_per_gpu: 12.1K | lm_loss: 9 |\n");
        row("LLM Foundry prints a step over several lines", D::llm_foundry, M::seconds, 0.5,
            "[batch=20/50]:\n\t Train throughput/batches_per_sec: 2.0000\n\t Train throughput/device/tokens_per_sec: "
            "4035.0000\n");
        row("MaxText prints seconds", D::maxtext, M::seconds, 0.655,
            "completed step: 20, seconds: 0.655, TFLOP/s/device: 150.1, Tokens/s/device: 12351.2, loss: 8.1\n");
        row("Levanter prints what it hands to its tracker", D::levanter, M::seconds, 0.455,
            "{\"throughput/duration\": 0.455, \"throughput/tokens_per_second\": 144000.5, \"throughput/mfu\": 30.3}\n");
        row("torchtune prints tokens a second of a device", D::torchtune, M::tokens_of_device, 4035.5,
            "Step 20 | loss:8.1 lr:2e-05 tokens_per_second_per_gpu:4035.5 peak_memory_alloc:20.5 "
            "peak_memory_reserved:22.5\n");
    }
    void a_line_is_read_as_its_framework_means_it() {
        QFETCH(std::string, text);
        QFETCH(int, dialect);
        QFETCH(int, measure);
        QFETCH(double, last);
        const TrainingLog log = log_of(text);
        QVERIFY(!log.steps.empty());
        QCOMPARE(say(log.dialect), say(LogDialect(dialect)));
        QCOMPARE(int(log.measure), measure);
        QVERIFY2(is(log.steps.back().value, last), shortest(log.steps.back().value).c_str());
    }

    // Whatever a file lost at its end, what is read of it is what stands before, never another number.
    void a_log_that_is_cut_off_anywhere_reads_as_its_beginning() {
        const std::string text = megatron_line(10, 612.5) + megatron_line(20, 613.25)
                               + "[titan] x - step: 30  loss:  7.1  memory: 20.50GiB(25.9%)  tps: 12,345  mfu: 10.1%\n"
                               + "11/05/2026 [INFO|DP=0|PP=0|TP=0]: iteration: 40 / 50 | "
                                 "elapsed_time_per_iteration_ms: 1.52K | x\n"
                                 " 80%|####  | 45/50 [00:33<00:08,  1.25it/s]\n";
        for (std::size_t end = 0; end <= text.size(); ++end) {
            TrainingLogReader reader;
            reader.take(text.substr(0, end));
            const auto log = reader.finish();
            if (!log) continue;
            for (const LogStep& s : log->steps) {
                const bool known = is(s.value, 0.6125) || is(s.value, 0.6133) || is(s.value, 0.6132)
                                || is(s.value, 12345) || is(s.value, 1.52) || is(s.value, 0.8);
                QVERIFY2(known, qPrintable(QString("%1 at byte %2").arg(s.value).arg(end)));
            }
            for (const LogMemory& m : log->memory) QVERIFY(is(m.most / gibibyte, 20.5));
        }
    }

    void the_same_text_in_pieces_of_any_size_reads_the_same() {
        const std::string text = arguments_of_a_run + megatron_log(60);
        const TrainingLog whole = log_of(text);
        for (const std::size_t size : {1u, 7u, 64u, 1000u}) {
            TrainingLogReader reader;
            for (std::size_t at = 0; at < text.size(); at += size) reader.take(text.substr(at, size));
            const auto log = reader.finish();
            QVERIFY(log.has_value());
            QCOMPARE(log->steps.size(), whole.steps.size());
            QCOMPARE(log->settings.size(), whole.settings.size());
            QVERIFY(is(log->middle()->value, whole.middle()->value));
        }
    }

    void ranks_that_are_told_apart_may_be_mixed_in_any_order_data() {
        QTest::addColumn<std::string>("before");
        QTest::addColumn<std::string>("after");
        QTest::newRow("srun --label") << std::string("") << std::string(": ");
        QTest::newRow("torchrun") << std::string("[rank") << std::string("]:");
        QTest::newRow("torchrun's redirects") << std::string("[default") << std::string("]:");
        QTest::newRow("a host") << std::string("(node") << std::string(") ");
        QTest::newRow("mpirun --tag-output") << std::string("[1,") << std::string("]<stdout>:");
    }
    void ranks_that_are_told_apart_may_be_mixed_in_any_order() {
        QFETCH(std::string, before);
        QFETCH(std::string, after);
        std::mt19937 random(7);
        std::vector<std::vector<std::string>> ranks(4);
        for (int r = 0; r < 4; ++r)
            for (int i = 1; i <= 40; ++i)
                ranks[std::size_t(r)].push_back(megatron_line(i, 500 + i + r, before + std::to_string(r) + after));
        std::optional<TrainingLog> first;
        for (int trial = 0; trial < 20; ++trial) {
            std::vector<std::size_t> at(4);
            std::string text;
            while (true) {
                std::vector<std::size_t> left;
                for (std::size_t r = 0; r < 4; ++r)
                    if (at[r] < 40) left.push_back(r);
                if (left.empty()) break;
                const std::size_t r = left[random() % left.size()];
                text += ranks[r][at[r]++];
            }
            const TrainingLog log = log_of(text);
            if (!first) first = log;
            QCOMPARE(log.steps.size(), std::size_t(40));
            QCOMPARE(log.restarts, 0);
            for (std::size_t i = 0; i < 40; ++i) {
                QVERIFY(is(log.steps[i].value, first->steps[i].value));
                QVERIFY(is(log.steps[i].value, (500 + double(i) + 1 + 3) / 1000));   // the slowest of them
            }
        }
    }

    void ranks_without_a_name_print_a_step_several_times() {
        std::string text;
        for (int i = 1; i <= 40; ++i) text += megatron_line(i, 500) + megatron_line(std::max(1, i - 1), 500);
        const TrainingLog log = log_of(text);
        QCOMPARE(log.steps.size(), std::size_t(40));
        QCOMPARE(log.restarts, 0);
    }

    void first_steps_evaluations_and_checkpoints_do_not_count() {
        std::string text;
        for (int i = 1; i <= 100; ++i) {
            text += megatron_line(i, i == 1 ? 9000 : i == 51 || i == 61 ? 4000 : 500);
            if (i == 50) text += " validation loss at iteration 50 | lm loss value: 8.0E+00 |\n";
            if (i == 60) text += "  successfully saved checkpoint from iteration 60 to somewhere\n";
        }
        const TrainingLog log = log_of(text);
        QCOMPARE(int(log.steps[0].fate), int(StepFate::first));
        QCOMPARE(int(log.steps[9].fate), int(StepFate::warm_up));
        QCOMPARE(int(log.steps[10].fate), int(StepFate::counted));
        QCOMPARE(int(log.steps[50].fate), int(StepFate::evaluated));
        QCOMPARE(int(log.steps[60].fate), int(StepFate::saved));
        QCOMPARE(log.counted(), 88);
        QVERIFY(is(log.step().value() / second, 0.5));
    }

    void steps_of_a_batch_that_still_grows_do_not_count() {
        std::string text;
        for (int i = 1; i <= 100; ++i) {
            const int batch = std::min(64, 16 * (1 + i / 15));
            std::string line = megatron_line(i, 10 * batch);
            const auto at = line.find("global batch size:");
            QVERIFY(at != line.npos);
            line.replace(at, line.find('|', at) - at, "global batch size: " + std::to_string(batch) + " ");
            text += line;
        }
        const TrainingLog log = log_of(text);
        QCOMPARE(int(log.steps[30].fate), int(StepFate::other_batch));
        QCOMPARE(log.counted(), 100 - 44);
        QVERIFY(log.batch == 64 && is(log.step().value() / second, 0.64));
        QVERIFY(joined(say_counting(log), " ").find("another batch") != std::string::npos);
    }

    void at_most_twenty_steps_are_warm_up() {
        const TrainingLog log = log_of(megatron_log(1000));
        QCOMPARE(log.counted(), 980);
    }

    void steps_that_ran_again_after_a_restart_count_once_as_they_ran_last() {
        std::string text;
        for (int i = 1; i <= 100; ++i) text += megatron_line(i, 700);
        for (int i = 51; i <= 100; ++i) text += megatron_line(i, 500);
        const TrainingLog log = log_of(text);
        QCOMPARE(log.restarts, 1);
        int repeated = 0;
        for (const LogStep& s : log.steps) repeated += s.fate == StepFate::repeated;
        QCOMPARE(repeated, 50);
        QCOMPARE(log.counted(), 40 + 45);
    }

    void a_disturbed_step_is_kept_and_named_and_does_not_move_the_middle() {
        std::string text = megatron_log(50);
        text += megatron_line(51, 60000);
        const TrainingLog log = log_of(text);
        QVERIFY(log.step().value() / second < 0.51);
        const Sentences said = say_counting(log);
        QVERIFY(std::ranges::any_of(said, [](const std::string& s) { return s.find("twice as long") != s.npos; }));
    }

    void line_ends_of_other_systems_and_bars_are_line_ends() {
        std::string text = megatron_log(30), other;
        for (const char c : text) other += c == '\n' ? std::string("\r\n") : std::string(1, c);
        QCOMPARE(log_of(other).counted(), log_of(text).counted());
        std::string bar;
        for (int i = 1; i <= 50; ++i)
            bar += " " + std::to_string(2 * i) + "%|##        | " + std::to_string(i)
                 + "/50 [00:18<00:24,  1.25it/s]\r";
        bar += "100%|##########| 13/13 [00:02<00:00,  9.00it/s]\r";   // an evaluation's
        const TrainingLog log = log_of(bar);
        QCOMPARE(log.steps.size(), std::size_t(50));
        QVERIFY(is(log.step().value() / second, 0.8));
    }

    void memory_is_told_by_its_kind_and_unit() {
        const TrainingLog log = log_of(
            megatron_log(20)
            + "[Rank 3] (after 10 iterations) memory (MB) | allocated: 1024.0 | max allocated: 20480.0 | reserved: "
              "1.0 | max reserved: 22528.0\n[Rank 0] (after 10 iterations) memory (MB) | max allocated: 10240.0 | max "
              "reserved: 11264.0\n");
        QCOMPARE(log.memory.size(), std::size_t(2));
        QVERIFY(is(log.fullest()->most / gibibyte, 22));
        QCOMPARE(int(log.fullest()->kind), int(MemoryKind::reserved));
        QCOMPARE(log.fullest()->rank, 3);
    }

    void a_rate_becomes_a_time_with_the_batch_and_length_of_the_plan() {
        std::string text;
        for (int i = 1; i <= 50; ++i)
            text += "[titan] x - step: " + std::to_string(i) + "  loss: 7.1  memory: 20.50GiB(25.9%)  tps: "
                    "10,000  mfu: 10.1%\n";
        const TrainingLog log = log_of(text);
        QVERIFY(!log.step().has_value());
        Scenario plan;
        plan.recipe.global_batch_sequences = 64;
        plan.recipe.sequence_length = 5000;
        plan.layout.devices = 16;
        QVERIFY(is(step_of(log, plan).value() / second, 2));
        const auto steps = steps_of(log, plan);
        QVERIFY(steps.has_value());
        QCOMPARE(int(steps->steps.size()), log.counted());
    }

    void printed_settings_become_the_plan_that_ran() {
        const auto log = std::make_shared<const TrainingLog>(log_of(arguments_of_a_run + megatron_log(100)));
        const NamedText text{"run.log", {}, log};
        const auto imported = import_plan({&text, 1}, library(), {.machine = "dgx-h100"});
        QVERIFY(imported.has_value());
        const Scenario& plan = imported->plan;
        QCOMPARE(plan.model.layers, 32);
        QCOMPARE(plan.model.kv_heads, 8);
        QCOMPARE(plan.model.latent.kv_rank, 0);
        QCOMPARE(plan.model.experts.count, 0);
        QCOMPARE(plan.layout.devices, 16);
        QCOMPARE(plan.layout.tensor_parallel, 4);
        QCOMPARE(plan.recipe.global_batch_sequences, 32);
        QCOMPARE(plan.recipe.sequence_length, 8192);
        QVERIFY(imported->obstacles.empty());
        const MeasuredRun run = measured_run(*log, plan);
        QVERIFY(run.step && is(*run.step / second, 0.502));
        const std::string written = write_measured_runs({run}, library());
        QVERIFY(written.find("somebody") == std::string::npos);
        QVERIFY(anchor_of(run).has_value());
    }

    void printed_arguments_that_nobody_knows_are_one_remark() {
        std::string arguments = arguments_of_a_run;
        const std::string last = "-------------------- end of arguments";
        QVERIFY(arguments.find(last) != std::string::npos);
        std::string more;
        for (int i = 0; i < 60; ++i) more += "  invented_size_" + std::to_string(i) + " ......................... 7\n";
        arguments.insert(arguments.find(last), more);
        const NamedText text{"run.log", {}, std::make_shared<const TrainingLog>(log_of(arguments + megatron_log(100)))};
        const auto imported = import_plan({&text, 1}, library(), {.machine = "dgx-h100"});
        QVERIFY(imported.has_value());
        const auto said = std::ranges::find_if(imported->remarks, [](const ImportRemark& r) {
            return r.done.find("invented_size_0") != std::string::npos;
        });
        QVERIFY(said != imported->remarks.end() && said->fate == SettingFate::not_understood);
        QVERIFY2(said->key.starts_with("60 "), said->key.c_str());
        QVERIFY(std::ranges::none_of(imported->remarks, [](const ImportRemark& r) {
            return r.key.starts_with("invented_size_");
        }));
    }

    void where_a_script_says_otherwise_the_log_decides_and_it_is_said() {
        const auto log = std::make_shared<const TrainingLog>(log_of(arguments_of_a_run + megatron_log(100)));
        const std::vector<NamedText> files{
            {"run.log", {}, log},
            {"train.sh", "python pretrain_gpt.py --num-layers 32 --tensor-model-parallel-size 8 --bf16 --lr 1e-4\n"}};
        const auto imported = import_plan(files, library(), {.machine = "dgx-h100"});
        QVERIFY(imported.has_value());
        QCOMPARE(imported->plan.layout.tensor_parallel, 4);
        QVERIFY(std::ranges::any_of(imported->remarks, [](const ImportRemark& r) {
            return r.key == "--tensor-model-parallel-size" && r.done.find("what ran") != std::string::npos;
        }));
    }

    void no_path_no_host_and_no_name_of_a_person_is_kept() {
        const TrainingLog log = log_of(arguments_of_a_run + "(node77) Config param base_output_directory: gs://b/c\n"
                                       "Config param hostname: node77\nConfig param user: somebody\n"
                                       + megatron_log(20));
        for (const files::Setting& s : log.settings)
            for (const char* word : {"somebody", "node77", "gs:", "/scratch"})
                QVERIFY2(s.value.find(word) == std::string::npos, s.key.c_str());
    }

    void settings_are_found_in_yaml_json_and_calls() {
        const auto has = [](const TrainingLog& log, const char* key, const char* value) {
            return std::ranges::any_of(log.settings,
                                       [&](const files::Setting& s) { return s.key == key && s.value == value; });
        };
        const TrainingLog yaml = log_of("INFO:torchtune:Running recipe with resolved config:\n\nbatch_size: 4\n"
                                        "model:\n  _component_: x\nmax_seq_len: 2048\n"
                                        "gradient_accumulation_steps: 2\n\nStep 1 | "
                                        "loss:8 lr:2e-05 tokens_per_second_per_gpu:4035.5 \n");
        QVERIFY(has(yaml, "max_seq_len", "2048"));
        const TrainingLog json = log_of("[2026-11-05 08:01:02,201] [INFO] [config.py:994:print_user_config]   json = "
                                        "{\n"
                                        "    \"train_batch_size\": 64, \n    \"zero_optimization\": {\n        "
                                        "\"stage\": 2\n    }\n}\n");
        QVERIFY(has(json, "zero_optimization.stage", "2"));
        const TrainingLog calls = log_of("11/05/2026 [INFO|DP=0|PP=0|TP=0]: Config(general=GeneralArgs(project='x',\n"
                                         "   seed=6),\n  parallelism=ParallelismArgs(dp=2, pp=1, tp=8),\n  tokens="
                                         "TokensArgs(sequence_length=4096, micro_batch_size=2))\n");
        QVERIFY(has(calls, "parallelism.tp", "8"));
        QVERIFY(has(calls, "tokens.sequence_length", "4096"));
    }

    void prose_and_configurations_are_no_logs() {
        QVERIFY(!looks_like_training_log("num_layers: 4\nhidden_size: 8\nmemory: 40GiB\n"));
        QVERIFY(!looks_like_training_log("#!/bin/bash\n#SBATCH --nodes=4\nsrun python train.py --num-layers 4\n"));
        QVERIFY(!looks_like_training_log(""));
    }

    void a_long_stream_is_read_in_bounded_memory() {
        TrainingLogReader reader;
        std::string piece;
        long long number = 0, bytes = 0;
        while (bytes < (50LL << 20)) {
            piece.clear();
            for (int i = 0; i < 1000; ++i) {
                ++number;
                piece += megatron_line(int(number), 500 + double(number % 9));
            }
            reader.take(piece);
            bytes += (long long)piece.size();
        }
        const auto log = reader.finish();
        QVERIFY(log.has_value());
        QVERIFY(log->steps.size() <= 100000);
        QVERIFY(log->every > 1);
        QVERIFY(is(log->middle()->value, 0.504));
    }
};

PLIMSOLL_TEST(TrainingLogTest)
#include "tst_training_log.moc"
