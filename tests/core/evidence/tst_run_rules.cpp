// Rules that fill what a published row leaves out: which software it ran, how hard that was tuned, what the model's
// parameter count tells, and what whoever tuned it would have chosen.
#include "registered_test.h"

#include "core/answers/campaign/cautions.h"
#include "core/answers/plan/estimate.h"
#include "core/evidence/fitting/fit.h"
#include "core/evidence/published/mixture_recipe.h"
#include "core/evidence/published/run_rules.h"
#include "core/evidence/published/score.h"
#include "core/values/basics/text.h"
#include "shipped.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace plimsoll;

namespace {

FilledRun fill(const PublishedRow& row) { return filled_run(row, row_presets(library())); }

PublishedRow published_by(const char* framework, const char* citation) {
    PublishedRow r;
    r.id = "somebody/1";
    r.citation = citation;
    r.model = {"LLaMA-8B", "llama", 8.03e9, 32, 4096, 32, 8, 128, 14336, 128256, 8192, true, false, {}, {}};
    r.machine = {"NVIDIA H100 SXM 80GB", "dgx-h100"};
    r.layout.devices = 64;
    r.layout.tensor = 2;
    r.layout.pipeline = 1;
    r.layout.global_batch = 256;
    r.layout.precision = "BF16";
    r.layout.framework = framework;
    r.measured.tokens_per_second = 10000;
    return r;
}

const char* somewhere = "Measured runs; example.org; table 1; verified";

}  // namespace

class RunRulesTest : public QObject {
    Q_OBJECT

private slots:
    void a_bundle_follows_from_who_reports_and_when_data() {
        QTest::addColumn<QString>("framework");
        QTest::addColumn<QString>("citation");
        QTest::addColumn<QString>("stack");
        QTest::newRow("a maker's container of 2025")
            << "Megatron Bridge / Megatron-Core, container 25.09 NeMo Container"
            << "NeMo performance summary; github: NVIDIA-NeMo/Megatron-Bridge" << "megatron-core";
        QTest::newRow("a maker's release of 2024")
            << "NeMo 24.07 / Megatron-Core" << "NeMo performance; github: NVIDIA/NeMo" << "nemo-24.07";
        QTest::newRow("a maker's table of an old Megatron-Core, overlap on")
            << "Megatron-Core r0.8.0 (DP, TP and PP communication overlap on)"
            << "Megatron-LM README; github: NVIDIA/Megatron-LM" << "nemo-24.07";
        QTest::newRow("a maker's example without a year")
            << "Megatron-LM / Megatron-Core" << "Llama example; github: NVIDIA/Megatron-LM examples" << "megatron-core";
        QTest::newRow("a benchmark suite") << "Megatron-LM Megatron-Core 0.6.0"
                                           << "FlagPerf training READMEs; github: FlagOpen/FlagPerf training/nvidia"
                                           << "megatron-core-plain";
        QTest::newRow("recipes of a maker, whatever its repository is called")
            << "NeMo 2 Megatron-Core" << "Benchmarking recipes; github: NVIDIA/dgxc-benchmarking README.md @v25.04.01"
            << "megatron-core";
        QTest::newRow("a release tag goes before the year of the framework's name")
            << "NeMo 2 Megatron-Core" << "Recipes; github: NVIDIA/dgxc-benchmarking a.md @v24.11.1" << "nemo-24.07";
        QTest::newRow("a release in the name goes before that of the citation")
            << "NeMo Megatron-Core, container 24.09/24.11" << "Recipes; github: NVIDIA/dgxc-benchmarking a.md @v25.02"
            << "nemo-24.07";
        QTest::newRow("a benchmark is no suite by that word")
            << "Megatron-Core" << "Our own benchmark; github: somebody/notes results.md" << "nemo-24.07";
        QTest::newRow("a suite by the name of its repository")
            << "Megatron-Core" << "Results; github: somebody/llm-benchmarks results.md" << "megatron-core-plain";
        QTest::newRow("a name without overlap")
            << "Megatron-LM (TE 2.11), no overlap" << "Times; github: NVIDIA/Megatron-LM" << "megatron-core-plain";
        QTest::newRow("a record on another maker's devices")
            << "NeMo Megatron-Core (a fork), TE ROCm" << "MLPerf Training v5.1; github: mlcommons/training_results_v5.1"
            << "megatron-core-record";
        QTest::newRow("TorchTitan without a date is the newest") << "torchtitan" << somewhere << "pytorch-compile";
        QTest::newRow("TorchTitan by the date of its citation")
            << "torchtitan, torch.compile" << "Llama 3 benchmarks; github: pytorch/torchtitan llama3_h100_202412.md"
            << "torchtitan-compile";
        QTest::newRow("TorchTitan of 2024 without a compiler")
            << "torchtitan" << "docs/performance.md, 2024 editions; github: pytorch/torchtitan" << "torchtitan-eager";
        QTest::newRow("a trainer that calls FlashAttention is not FlashAttention's scripts")
            << "HF Trainer (SFTTrainer), FlashAttention-2" << somewhere << "hf-trainer";
        QTest::newRow("fused kernels in it") << "HF Trainer, liger" << somewhere << "hf-trainer-fused";
        QTest::newRow("DeepSpeed under it") << "HF Transformers + DeepSpeed 0.14" << somewhere << "deepspeed-zero3";
        QTest::newRow("what follows a semicolon is no name")
            << "in-house trainer; softmax of Megatron" << somewhere << "pytorch-fsdp";
        QTest::newRow("a name that nobody knows") << "Zarathustra" << somewhere << "pytorch-fsdp";
        QTest::newRow("a user's issue") << "Megatron-LM / Megatron-Core"
                                        << "Slow run, issue 1; github.com/NVIDIA/Megatron-LM/issues/1"
                                        << "megatron-core-plain";
        QTest::newRow("a team's own run") << "Megatron-Core" << "A technical report; arXiv 2406.11704" << "nemo-24.07";
        QTest::newRow("a record") << "Megatron-Core" << "MLPerf Training 5.0" << "megatron-core-record";
        QTest::newRow("nobody knows") << "Megatron-Core" << somewhere << "nemo-24.07";
    }
    void a_bundle_follows_from_who_reports_and_when() {
        QFETCH(QString, framework);
        QFETCH(QString, citation);
        QFETCH(QString, stack);
        const FilledRun run = fill(published_by(qPrintable(framework), qPrintable(citation)));
        QVERIFY2(run.excluded.empty(), run.excluded.c_str());
        QCOMPARE(QString::fromStdString(run.scenario.stack.id), stack);
    }
    void a_release_is_read_with_its_parts_data() {
        QTest::addColumn<QString>("framework");
        QTest::addColumn<QString>("citation");
        QTest::addColumn<int>("release");
        QTest::newRow("a container") << "Megatron Bridge, container 26.02.01" << somewhere << 260201;
        QTest::newRow("in brackets") << "Megatron Bridge 0.4.2, core 0.17.1 (NeMo 26.04.01)" << somewhere << 260401;
        QTest::newRow("a tag of the citation") << "NeMo" << "Recipes; github: NVIDIA/recipes a.md @v25.05.05" << 250505;
        QTest::newRow("in the name of a result") << "NeMo" << "Results; github: mlcommons/r x_ngc25.09_nemo" << 250900;
        QTest::newRow("a version is none") << "PyTorch 2.5, DeepSpeed v0.14.2" << somewhere << 999999;
        QTest::newRow("neither is a thirteenth month") << "NeMo 25.13" << somewhere << 999999;
    }
    void a_release_is_read_with_its_parts() {
        QFETCH(QString, framework);
        QFETCH(QString, citation);
        QTEST(container_release(published_by(qPrintable(framework), qPrintable(citation))), "release");
    }
    void a_year_is_a_word_of_its_own_data() {
        QTest::addColumn<QString>("framework");
        QTest::addColumn<QString>("citation");
        QTest::addColumn<QString>("remark");
        QTest::addColumn<int>("year");
        QTest::newRow("in the name") << "Megatron-LM 2021" << "of 2024" << "" << 2021;
        QTest::newRow("in the citation") << "torchtitan" << "a page of 2024" << "in 2023" << 2024;
        QTest::newRow("with a month") << "torchtitan" << "llama3_h100_202412.md" << "" << 2024;
        QTest::newRow("in the remark") << "torchtitan" << somewhere << "Measured in 2023." << 2023;
        QTest::newRow("a commit is none") << "torchtitan" << "docs @2024abc1" << "" << 0;
        QTest::newRow("an amount is none") << "torchtitan" << somewhere << "2024.5 GB and 202450 tokens" << 0;
        QTest::newRow("a length is none") << "torchtitan" << somewhere << "Packed to 2048 tokens." << 0;
    }
    void a_year_is_a_word_of_its_own() {
        QFETCH(QString, framework);
        QFETCH(QString, citation);
        QFETCH(QString, remark);
        PublishedRow row = published_by(qPrintable(framework), qPrintable(citation));
        row.remark = remark.toStdString();
        QTEST(stated_year(row), "year");
    }
    void a_release_without_a_date_is_told() {
        const auto told = [](const FilledRun& run) {
            return std::ranges::any_of(run.filled, [](const std::string& s) { return s.find("not dated") != s.npos; });
        };
        QVERIFY(told(fill(published_by("torchtitan", somewhere))));
        QVERIFY(!told(fill(published_by("torchtitan 2024", somewhere))));
        QVERIFY(told(fill(published_by("Megatron-Core", "Example; github: NVIDIA/Megatron-LM"))));
        QVERIFY(!told(fill(published_by("nanotron", somewhere))));
    }
    void a_name_that_is_not_known_is_told() {
        const auto told = [](const FilledRun& run) {
            return std::ranges::any_of(run.filled, [](const std::string& s) { return s.find("not known") != s.npos; });
        };
        QVERIFY(told(fill(published_by("Zarathustra", somewhere))));
        QVERIFY(!told(fill(published_by("PyTorch FSDP", somewhere))));
    }
    void scores_that_a_name_holds_are_held() {
        const Stack s = fill(published_by("in-house trainer; attention unfused", somewhere)).scenario.stack;
        QCOMPARE(s.kernels.attention, Attention::materialised);
    }
    // Transformer Engine prefers cuDNN there, however hard the rest was tuned.
    void megatron_calls_cudnn_on_blackwell_data() {
        QTest::addColumn<QString>("stack");
        QTest::addColumn<QString>("machine");
        QTest::addColumn<int>("kernel");
        QTest::newRow("as it comes") << "megatron-core-plain" << "dgx-b200" << int(AttentionKernel::cudnn_9);
        QTest::newRow("of 2024") << "nemo-24.07" << "gb200-nvl72" << int(AttentionKernel::cudnn_9);
        QTest::newRow("on Hopper") << "megatron-core-plain" << "dgx-h100" << int(AttentionKernel::flash_2);
        QTest::newRow("PyTorch's own") << "pytorch-fsdp" << "dgx-b200" << int(AttentionKernel::cudnn_torch);
    }
    void megatron_calls_cudnn_on_blackwell() {
        QFETCH(QString, stack);
        QFETCH(QString, machine);
        Scenario s;
        s.stack = library().stacks.at(stack.toStdString());
        s.machine = library().machines.at(machine.toStdString());
        QTEST(int(called_kernel(s)), "kernel");
    }
    void tensor_traffic_of_blackwell_is_waited_for_before_containers_of_25_09() {
        PublishedRow row = published_by("NeMo Megatron-Core", "Recipes; github: NVIDIA/dgxc-benchmarking a.md @v25.05");
        row.machine = {"NVIDIA B200", "dgx-b200"};
        const FilledRun early = fill(row);
        QCOMPARE(early.scenario.stack.tensor.exposed, 0.9);
        QCOMPARE(early.own_knobs, std::vector<std::string>{"stack.tensor_exposed"});
        row.citation = "Recipes; github: NVIDIA/dgxc-benchmarking a.md @v25.09";
        QVERIFY(fill(row).scenario.stack.tensor.exposed < 0.9);
        row.citation = "Recipes; github: NVIDIA/dgxc-benchmarking a.md @v25.05";
        row.machine = {"NVIDIA H100 SXM 80GB", "dgx-h100"};
        QVERIFY(fill(row).scenario.stack.tensor.exposed < 0.9);
    }

    void a_generic_machine_grows_to_the_published_size() {
        PublishedRow row = published_by("nanotron", somewhere);
        row.machine = {"NVIDIA H200", "dgx-h200"};
        row.layout.devices = 2048;
        row.layout.global_batch = 4096;
        const FilledRun run = fill(row);
        QCOMPARE(run.scenario.machine.nodes, 256);
        QVERIFY(estimate(run.scenario));
        row.machine = {"NVIDIA A100", "polaris"};       // a machine that stands somewhere stays as it is
        row.layout.devices = 100'000;
        QCOMPARE(fill(row).scenario.machine.nodes, library().machines.at("polaris").nodes);
    }
    void every_second_layer_is_recomputed_as_a_whole() {
        PublishedRow row = published_by("torchtitan", somewhere);
        row.layout.recompute = "selective layer (every second layer)";
        const Layout l = fill(row).scenario.layout;
        QCOMPARE(l.recompute, Recompute::full);
        QCOMPARE(l.recompute_layers, row.model.layers.value() / 2);
    }
    void modules_that_are_recomputed_are_those_of_the_words_data() {
        QTest::addColumn<QString>("recompute");
        QTest::addColumn<QString>("remark");
        QTest::addColumn<QString>("modules");
        QTest::newRow("a list") << "selective: layernorm, moe" << "" << "layernorm, moe";
        QTest::newRow("shorter words") << "selective: norm, act, shared_expert" << ""
                                       << "layernorm, moe_act, shared_experts";
        QTest::newRow("a sentence") << "selective" << "Mock data, recompute of moe, layernorm and core attention; GiB."
                                    << "core_attn, layernorm, moe";
        QTest::newRow("nothing more") << "selective" << "Full SFT; moe layers." << "core_attn";
        QTest::newRow("another policy") << "full" << "recompute of moe" << "core_attn";
    }
    void modules_that_are_recomputed_are_those_of_the_words() {
        QFETCH(QString, recompute);
        QFETCH(QString, remark);
        QFETCH(QString, modules);
        PublishedRow row = published_by("megatron-core", somewhere);
        row.layout.recompute = recompute.toStdString();
        row.remark = remark.toStdString();
        QCOMPARE(names_of_modules(fill(row).scenario.layout.recompute_modules), modules.toStdString());
    }
    void another_shape_than_the_stated_size_is_refused() {
        PublishedRow row = published_by("nanotron", somewhere);
        row.model.parameters = 6.5e9;   // the shape makes 8
        QVERIFY(fill(row).excluded.empty());
        row.model.parameters = 5.5e9;
        QVERIFY2(fill(row).excluded.find("46 % more parameters") != std::string::npos, fill(row).excluded.c_str());
    }
    void a_batch_left_out_holds_the_stated_micro_batch() {
        PublishedRow row = published_by("nanotron", somewhere);
        row.model.sequence_length = 4096;
        row.layout.devices = 64;
        row.layout.tensor = 1;
        row.layout.global_batch.reset();
        row.layout.micro_batch = 4;
        QCOMPARE(fill(row).scenario.recipe.global_batch_sequences, 64 * 4);      // more than half a million tokens
        row.layout.micro_batch = 1;
        QCOMPARE(fill(row).scenario.recipe.global_batch_sequences, 64 * 2);      // half a million
        row.layout.pipeline = 4;
        row.layout.micro_batch = 2;
        QCOMPARE(fill(row).scenario.recipe.global_batch_sequences, 16 * 2 * 32);   // eight micro-batches a stage
        row.layout.micro_batch = row.layout.data = 1'000'000'000;                  // of a file that means no good
        QCOMPARE(fill(row).scenario.recipe.global_batch_sequences, 1'000'000'000);
    }
    void a_sequence_that_its_ranks_cannot_share_is_padded() {
        PublishedRow row = published_by("Megatron-Core", somewhere);
        row.model.heads = row.model.kv_heads = 48;
        row.model.head_dim = 128;
        row.model.parameters.reset();
        row.layout.devices = 48;
        row.layout.tensor = 3;
        row.model.ffn = 14337;
        const FilledRun run = fill(row);
        QCOMPARE(run.scenario.recipe.sequence_length, 8193);
        QVERIFY(std::ranges::any_of(run.filled, [](const std::string& s) { return s.find("padded") != s.npos; }));
        row.layout.sequence_parallel = false;
        QCOMPARE(fill(row).scenario.recipe.sequence_length, 8192);
        row.layout.tensor = 1;
        row.layout.context = 3;
        QCOMPARE(fill(row).scenario.recipe.sequence_length, 8196);   // two pieces a rank
    }
    void a_packed_micro_batch_is_one_sequence() {
        PublishedRow row = published_by("nanotron", somewhere);
        row.model.sequence_length.reset();
        row.remark = "Tokens a micro-batch 16384, packed.";
        const FilledRun run = fill(row);
        QCOMPARE(run.scenario.recipe.sequence_length, 16384);
        QCOMPARE(run.scenario.layout.micro_batch, 1);
    }
    void the_step_of_a_batch_that_nobody_states_counts_after_its_rate() {
        PublishedRow row = published_by("nanotron", somewhere);
        row.measured.step_seconds = 10;
        const Scenario s = fill(row).scenario;
        QVERIFY(!published_times(row, s, FlopRule::unknown).front().rate);
        row.layout.global_batch.reset();
        QVERIFY(published_times(row, s, FlopRule::unknown).front().rate);
    }
    void two_tables_of_a_small_model_are_told_by_its_count() {
        PublishedRow row = published_by("GPT-NeoX + flash attention", somewhere);   // two tables, 2 % beside the name
        row.model = {"70M", "gpt", 70e6, 6, 512, 8, 8, {}, 2048, 50304, 2048, false, false, {}, {}};
        QVERIFY(!fill(row).scenario.model.tied_embeddings);
    }

    void a_bundle_nobody_knows_is_told() {
        const FilledRun run = fill(published_by("Megatron-Core", somewhere));
        QVERIFY(std::any_of(run.filled.begin(), run.filled.end(),
                            [](const std::string& s) { return s.find("not known") != std::string::npos; }));
    }
    void a_rows_own_stack_is_taken() {
        PublishedRow row = published_by("Megatron-LM / Megatron-Core", somewhere);
        row.layout.stack = "megatron-core-plain";
        QCOMPARE(fill(row).scenario.stack.id, std::string("megatron-core-plain"));
    }
    void gradients_of_deepspeed_with_flash_attention_are_16_bit() {
        const PublishedRow row = published_by("Megatron-DeepSpeed, flash attention", somewhere);
        QCOMPARE(bytes_per_parameter(fill(row).scenario.recipe.state_format), 16.0);
        const auto summed = fill(published_by("Megatron-DeepSpeed", somewhere)).scenario.recipe.state_format;
        QCOMPARE(bytes_per_parameter(summed), 18.0);
    }
    void scaletorch_keeps_everything_in_16_bits_and_adds_gradients_up_over_replicas_in_fp32_data() {
        QTest::addColumn<int>("replicas");
        QTest::addColumn<int>("bytes");
        QTest::newRow("one replica has nothing to add up over") << 1 << 8;
        QTest::newRow("eight replicas do") << 8 << 10;
    }
    void scaletorch_keeps_everything_in_16_bits_and_adds_gradients_up_over_replicas_in_fp32() {
        QFETCH(int, replicas);
        QFETCH(int, bytes);
        PublishedRow row = published_by("ScaleTorch", somewhere);
        row.layout.data = replicas;
        QCOMPARE(bytes_per_parameter(fill(row).scenario.recipe.state_format), double(bytes));
        row.layout.precision = "FP32";
        QCOMPARE(bytes_per_parameter(fill(row).scenario.recipe.state_format), 16.0);
    }
    void every_rule_stands_for_a_preset_and_no_other_rule_hides_it() {
        for (const FrameworkRule& rule : not_empty(framework_rules())) {
            QVERIFY2(library().stacks.contains(rule.stack), rule.words);
            std::string name = rule.words;
            std::ranges::replace(name, '+', ' ');
            QVERIFY2(framework_rule(name, rule.device, rule.from + rule.until) == &rule, rule.words);
        }
    }
    void every_shipped_row_states_its_software() {
        QVERIFY(!shipped_rows().empty());
        for (const PublishedRow& row : shipped_rows()) {
            if (row.reference && row.layout.stack.empty()) continue;
            QVERIFY2(library().stacks.contains(row.layout.stack), row.id.c_str());
            QVERIFY2(row.layout.habits, row.id.c_str());
        }
    }
    void stated_software_goes_before_the_words_of_the_name() {
        PublishedRow row = published_by("Megatron-LM / Megatron-Core", somewhere);
        row.layout.stack = "pytorch-fsdp";
        row.layout.habits = SoftwareHabits{};
        const FilledRun run = fill(row);
        QCOMPARE(run.scenario.stack.id, std::string("pytorch-fsdp"));
        QCOMPARE(bytes_per_parameter(run.scenario.recipe.state_format), 16.0);
        QCOMPARE(run.scenario.model.vocabulary_padding, 1);
    }

    void a_stack_of_one_source_says_so() {
        std::map<std::string, std::set<std::string>> sources;
        for (const ScoredRow& r : shipped_score().rows)
            if (r.excluded.empty()) sources[r.plan.stack.id].insert(r.source);
        for (const auto& [id, of] : not_empty(sources))
            if (of.size() == 1)
                QVERIFY2(library().stacks.at(id).note.find("one source") != std::string::npos, id.c_str());
    }

    // A small model whose count is that of one table for embedding and head keeps its stated feed-forward.
    void a_stated_gate_is_trusted_and_one_table_tried_first() {
        PublishedRow row = published_by("nanotron", somewhere);
        row.model = {"1B", "llama", 1.34e9, 16, 2048, 32, 32, {}, 8192, 131072, 4096, true, false, {}, {}};
        const Model m = fill(row).scenario.model;
        QVERIFY(gated(m.activation));
        QVERIFY(m.tied_embeddings);
        row.model.parameters = 1.61e9;
        QVERIFY(!fill(row).scenario.model.tied_embeddings);
    }
    void no_row_of_nanotron_is_read_as_ungated() {
        int rows = 0;
        for (const PublishedRow& row : shipped_rows())
            if (row.layout.framework == "nanotron") {
                ++rows;
                QVERIFY2(gated(fill(row).scenario.model.activation), row.id.c_str());
            }
        QVERIFY(rows > 600);
    }

    void a_row_says_where_fp8_scales_came_from_data() {
        QTest::addColumn<QString>("framework");
        QTest::addColumn<QString>("precision");
        QTest::addColumn<int>("recipe");
        QTest::newRow("rows") << "torchtitan compile" << "FP8 rowwise" << int(Fp8Recipe::rowwise);
        QTest::newRow("tensors") << "torchtitan compile" << "FP8 tensorwise" << int(Fp8Recipe::tensorwise);
        QTest::newRow("TorchTitan's default") << "torchtitan compile" << "FP8 linear" << int(Fp8Recipe::tensorwise);
        QTest::newRow("current scaling") << "Megatron-Core" << "FP8-CS" << int(Fp8Recipe::tensorwise);
        QTest::newRow("micro-scaling") << "Megatron-Core" << "FP8-MX" << int(Fp8Recipe::mxfp8);
        QTest::newRow("the same") << "torchtitan compile" << "MXFP8" << int(Fp8Recipe::mxfp8);
        QTest::newRow("4 bits") << "Megatron-Core" << "NVFP4" << int(Fp8Recipe::nvfp4);
        QTest::newRow("both, the first counts") << "Megatron-Core" << "FP8-CS (FP8-MX)" << int(Fp8Recipe::tensorwise);
        QTest::newRow("Transformer Engine's default") << "Megatron-Core" << "FP8" << int(Fp8Recipe::delayed);
    }
    void a_row_says_where_fp8_scales_came_from() {
        QFETCH(QString, framework);
        QFETCH(QString, precision);
        QFETCH(int, recipe);
        PublishedRow row = published_by(qPrintable(framework), somewhere);
        row.layout.precision = precision.toStdString();
        QCOMPARE(int(fill(row).scenario.recipe.fp8_recipe), recipe);
    }

    // Fully sharded without expert parallelism, every rank would gather all experts of every layer.
    void an_expert_degree_left_out_is_the_fastest() {
        const auto row = std::find_if(shipped_rows().begin(), shipped_rows().end(), [](const PublishedRow& r) {
            return r.id == "nvidia-nemo-automodel/06-GPT-OSS-120B";
        });
        QVERIFY(row != shipped_rows().end() && !row->layout.expert);
        const FilledRun run = fill(*row);
        QCOMPARE(int(run.scenario.stack.experts.dispatch), int(Dispatch::per_rank));   // its framework names DeepEP
        const Seconds chosen = estimate(run.scenario)->step.total();
        for (const int degree : {1, 2, 4, 8, 16, 32, 64}) {
            Scenario other = run.scenario;
            other.layout.expert_parallel = degree;
            QVERIFY(estimate(other)->step.total() >= chosen);
        }
    }
    void recipes_of_mixtures_go_by_container_and_machine_data() {
        QTest::addColumn<QString>("machine");
        QTest::addColumn<int>("release");
        QTest::addColumn<int>("pipeline");
        QTest::addColumn<int>("chunks");
        QTest::addColumn<int>("experts");
        QTest::addColumn<int>("graph");
        QTest::addColumn<bool>("overlaps");
        const auto row = [](const char* name, const char* machine, int release, int pipeline, int chunks, int experts,
                            Graph graph, bool overlaps) {
            QTest::newRow(name) << machine << release << pipeline << chunks << experts << int(graph) << overlaps;
        };
        row("25.09, inside a node", "dgx-h100", 250900, 2, 24, 8, Graph::none, false);
        row("25.11, inside a node, with chunks", "dgx-h100", 251100, 2, 12, 8, Graph::none, true);
        row("25.11, inside a node, without chunks", "dgx-b200", 251100, 16, 1, 8, Graph::none, false);
        row("26.02, inside a node, with chunks", "dgx-b300", 260200, 8, 4, 8, Graph::none, true);
        row("26.02.01, inside a node, with chunks", "dgx-h100", 260201, 2, 12, 8, Graph::none, false);
        row("26.02, inside a rack, with chunks", "gb200-nvl72", 260200, 8, 3, 32, Graph::attention_router, false);
        row("26.04, between nodes", "dgx-b200", 260400, 8, 2, 32, Graph::none, true);
        row("26.04.01, between Blackwell nodes", "dgx-b200", 260401, 8, 2, 32, Graph::attention_router, true);
        row("26.04.01, between Hopper nodes", "dgx-h100", 260401, 8, 4, 32, Graph::none, true);
        row("26.06, inside a rack", "gb200-nvl72", 260600, 8, 3, 32, Graph::whole_step, true);
    }
    void recipes_of_mixtures_go_by_container_and_machine() {
        QFETCH(QString, machine);
        QFETCH(int, release);
        QFETCH(int, pipeline);
        QFETCH(int, chunks);
        QFETCH(int, experts);
        Scenario s;
        s.machine = library().machines.at(machine.toStdString());
        s.layout.pipeline_parallel = pipeline;
        s.layout.virtual_stages = chunks;
        s.layout.expert_parallel = experts;
        const MixtureRecipe r = mixture_recipe(s, {lower_case(s.machine.device.name), "mxfp8", release});
        QTEST(int(r.graph), "graph");
        QTEST(r.overlaps, "overlaps");
        QCOMPARE(r.fused, r.graph == Graph::whole_step);
        // Others than the maker run the library as it comes, and so do containers before 25.09.
        for (const RecipeWords& words :
             {RecipeWords{lower_case(s.machine.device.name), "mxfp8", release, false},
              RecipeWords{lower_case(s.machine.device.name), "mxfp8", 250505, true}}) {
            const MixtureRecipe other = mixture_recipe(s, words);
            QCOMPARE(int(other.graph), int(Graph::none));
            QCOMPARE(int(other.dispatch), int(Dispatch::per_expert));
            QVERIFY(!other.overlaps);
        }
    }
    void recipes_are_of_who_makes_the_framework_data() {
        QTest::addColumn<QString>("citation");
        QTest::addColumn<bool>("elsewhere");
        QTest::newRow("the maker's repository") << "github: NVIDIA-NeMo/Megatron-Bridge docs/performance.md" << false;
        QTest::newRow("a cloud's repository") << "github: awslabs/awsome-distributed-ai 3.test_cases" << true;
        QTest::newRow("no repository") << "Megatron Bridge performance guide" << false;
    }
    void recipes_are_of_who_makes_the_framework() {
        QFETCH(QString, citation);
        PublishedRow row = published_by("Megatron Bridge", somewhere);
        row.citation = citation.toStdString();
        QTEST(from_elsewhere(row), "elsewhere");
    }

    void layers_of_a_mixture_stand_in_the_remark_data() {
        QTest::addColumn<QString>("remark");
        QTest::addColumn<int>("dense");
        QTest::addColumn<int>("slices");
        QTest::addColumn<bool>("other_mixers");
        QTest::newRow("nothing") << "Layer-cut model on one node." << -1 << -1 << false;
        QTest::newRow("the first is dense") << "MLA; first layer dense (12288)." << 1 << -1 << false;
        QTest::newRow("three are dense") << "3 dense layers of 61" << 3 << -1 << false;
        QTest::newRow("slices of experts") << "Distributed optimizer. Expert TP 4." << -1 << 4 << false;
        QTest::newRow("whole experts") << "TP8 inside the node and ETP 1." << -1 << 1 << false;
        QTest::newRow("a number that is none") << "ETP many, x dense layers" << -1 << -1 << false;
        QTest::newRow("Mamba") << "52 sublayers (23 Mamba-2, 23 MoE, 6 attention)" << -1 << -1 << true;
        QTest::newRow("linear attention") << "36 of 48 layers Gated DeltaNet" << -1 << -1 << true;
    }
    void layers_of_a_mixture_stand_in_the_remark() {
        QFETCH(QString, remark);
        PublishedRow row;
        row.remark = remark.toStdString();
        const MixtureWords w = mixture_words(row);
        QTEST(w.dense_layers.value_or(-1), "dense");
        QTEST(w.expert_tensor.value_or(-1), "slices");
        QTEST(w.not_attention, "other_mixers");
    }
    // Megatron-Bridge, skills/nemo-mbridge-perf-moe-comm-overlap: Qwen3-30B-A3B on 16 H100, HybridEP, bf16, with graphs
    // of router and preprocessing. The only change took 24.7138 s a step to 20.9920 s.
    void an_overlapped_exchange_gains_what_was_measured() {
        PublishedRow row = published_by("Megatron Bridge, HybridEP", "Skills; github: NVIDIA-NeMo/Megatron-Bridge");
        row.model = {"Qwen3-30B-A3B", "moe", 30.5e9, 48, 2048, 32, 4, 128, 768, 151936, 4096, true, true, 128, 8};
        row.layout.devices = row.layout.data = row.layout.expert = 16;
        row.layout.tensor = row.layout.pipeline = row.layout.context = row.layout.micro_batch = 1;
        row.layout.zero_stage = 1;
        row.layout.global_batch = 1024;
        row.layout.recompute = "none";
        const std::string graphs = "mock data; forced expert balance; CUDA graphs of router and preprocess; EP overlap";
        const auto step = [&](const char* on) {
            row.remark = graphs + on;
            const FilledRun run = fill(row);
            const Outcome o = estimate(run.scenario);
            return o ? o->step.total() / second : 0;
        };
        const double ratio = step("") / step(" off"), measured = 20.9920 / 24.7138;
        QVERIFY2(std::abs(ratio / measured - 1) < 0.08, qPrintable(QString("%1 against %2").arg(ratio).arg(measured)));
    }

    void a_mixture_without_a_preset_is_built_of_its_row() {
        PublishedRow row = published_by("NeMo / Megatron-Core", somewhere);
        RowModel& m = row.model;
        m.experts = true;
        m.arch = "moe";
        m.name = "DeepSeek-V3, cut";
        m.parameters.reset();
        m.layers = 4, m.hidden = 7168, m.heads = 128, m.kv_heads = 128, m.ffn = 2048, m.expert_count = 256, m.top_k = 8;
        m.head_dim.reset();
        row.layout.tensor = row.layout.pipeline = 1;
        row.remark = "1 dense layer of 4";
        Model built = fill(row).scenario.model;
        QCOMPARE(built.layers, 4);
        QCOMPARE(built.experts.dense_layers, 1);
        QCOMPARE(built.experts.shared, 1);
        QVERIFY(has_latent_attention(built));
        m.hidden = 6144, m.heads = 48, m.kv_heads = 8, m.head_dim = 128, m.ffn = 32768, m.expert_count = 8, m.top_k = 2;
        built = fill(row).scenario.model;
        QCOMPARE(built.experts.count, 8);
        QCOMPARE(built.experts.ffn, 32768);
        QCOMPARE(built.experts.shared + built.experts.dense_layers, 1);
        QVERIFY(!has_latent_attention(built));
        m.parameters = 1e12;
        QVERIFY(fill(row).excluded.find("fewer parameters than stated") != std::string::npos);
        m.parameters.reset();
        row.remark = "36 of 48 layers Gated DeltaNet";
        QVERIFY(fill(row).excluded.find("neither attention") != std::string::npos);
    }
    void a_shape_with_a_module_and_without_is_taken_without() {
        RowModel m;
        m.layers = 4, m.hidden = 7168, m.ffn = 2048, m.expert_count = 256, m.top_k = 8;
        QCOMPARE(mixture_like(m, library().models)->id, std::string("deepseek-v3"));
        m.layers = 61;
        QCOMPARE(mixture_like(m, library().models)->id, std::string("deepseek-v3"));
    }

    // Eight wide experts are cut over the tensor ranks, many narrow ones are not.
    void megatron_cuts_few_experts_over_the_tensor_ranks() {
        PublishedRow row = published_by("NeMo / Megatron-Core", somewhere);
        RowModel& m = row.model;
        m.experts = true;
        m.arch = "moe";
        m.parameters.reset();
        m.layers = 32, m.hidden = 4096, m.heads = 32, m.kv_heads = 8, m.head_dim = 128, m.ffn = 14336, m.top_k = 2;
        m.expert_count = 8;
        row.layout.tensor = 4;
        row.layout.expert = 2;
        QCOMPARE(fill(row).scenario.layout.expert_tensor_parallel, 4);
        row.remark = "ETP 1";
        QCOMPARE(fill(row).scenario.layout.expert_tensor_parallel, 1);
        row.remark.clear();
        m.expert_count = 64;
        QCOMPARE(fill(row).scenario.layout.expert_tensor_parallel, 1);
    }
    void own_trainers_say_which_kernels_they_have_data() {
        QTest::addColumn<QString>("framework");
        QTest::addColumn<int>("attention");
        QTest::addColumn<bool>("softmax");
        QTest::addColumn<bool>("norms");
        const auto row = [](const char* words, Attention attention, bool softmax, bool norms) {
            QTest::newRow(words) << words << int(attention) << softmax << norms;
        };
        row("our own trainer; FlashAttention-2, fused RMSNorm kernel", Attention::flash, false, true);
        row("our own trainer; FlashAttention 1.0.8", Attention::flash, false, false);
        row("our own trainer; attention unfused", Attention::materialised, false, false);
        row("our own trainer; attention: Megatron fused softmax kernel", Attention::materialised, true, false);
    }
    void own_trainers_say_which_kernels_they_have() {
        QFETCH(QString, framework);
        const DeviceKernels k =
            fill(published_by(qPrintable(framework), somewhere)).scenario.stack.kernels;
        QTEST(int(k.attention), "attention");
        QTEST(k.fuses_softmax, "softmax");
        QTEST(k.fuses_rms_norms, "norms");
    }
    // What a recipe sets is the run's own: a fit of the stack leaves it.
    void a_fit_does_not_move_what_a_recipe_sets() {
        int moved = 0, left = 0;
        const auto grouped = constant_of("stack.experts.grouped_gemm_factor", {"megatron-core"}, 0, 0,
                                         library().machines, library().stacks);
        QVERIFY(grouped.has_value());
        for (const Observation& o : observations_of(shipped_score())) {
            if (!has_experts(o.plan.model) || o.plan.stack.id != "megatron-core") continue;
            const bool fused = o.plan.stack.experts.graph == Graph::whole_step;
            QVERIFY2(o.moved_by(*grouped) == !fused, o.id.c_str());
            ++(fused ? left : moved);
        }
        QVERIFY(moved > 10 && left > 2);
    }
    // CUDA graphs of experts are a setting of Megatron's recipes.
    void other_software_gets_no_graph_of_experts() {
        for (const PublishedRow& row : not_empty(shipped_rows())) {
            const FilledRun run = fill(row);
            if (run.excluded.empty() && run.scenario.stack.family != "megatron-core")
                QVERIFY2(run.scenario.stack.experts.graph == Graph::none, row.id.c_str());
        }
    }

    void a_tuned_row_takes_the_fastest_that_fits() {
        PublishedRow row = published_by("Megatron-Core r0.8.0 (overlap on)", "README; github: NVIDIA/Megatron-LM");
        row.layout.pipeline = 4;
        row.layout.devices = 128;
        row.layout.global_batch = 512;
        const FilledRun run = fill(row);
        const double chosen = estimate(run.scenario)->step.total() / second;
        QVERIFY(estimate(run.scenario)->worst().total() <= 1.2 * run.scenario.machine.device.memory);
        for (const int micro : {1, 2, 4, 8})
            for (const int chunks : {1, 2, 4, 8})
                for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
                    Scenario s = run.scenario;
                    s.layout.micro_batch = micro;
                    s.layout.virtual_stages = chunks;
                    s.layout.schedule = chunks > 1 ? Schedule::interleaved : Schedule::one_f_one_b;
                    s.layout.recompute = recompute;
                    if (const Outcome o = estimate(s); runs(o)) QVERIFY(o->step.total() / second >= chosen * 0.999999);
                }
        QVERIFY(run.span > 0);
        // What is published is taken.
        row.layout.micro_batch = 1;
        row.layout.virtual_stages = 2;
        row.layout.recompute = "full";
        const FilledRun given = fill(row);
        QCOMPARE(given.scenario.layout.virtual_stages, 2);
        QVERIFY(given.scenario.layout.recompute == Recompute::full);
        QCOMPARE(given.span, 0.0);
        QCOMPARE(given.weight(), 1.0);
    }
    // Memory is predicted to 17 % where none was published of the software: such a miss is no reason to recompute.
    void a_run_that_was_made_may_miss_by_what_memory_predictions_do_data() {
        QTest::addColumn<double>("share");
        QTest::addColumn<bool>("recomputes");
        QTest::newRow("it fits") << 0.95 << false;
        QTest::newRow("15 % beyond the memory") << 1.15 << false;
        QTest::newRow("25 % beyond it") << 1.25 << true;
    }
    void a_run_that_was_made_may_miss_by_what_memory_predictions_do() {
        QFETCH(double, share);
        QFETCH(bool, recomputes);
        PublishedRow row = published_by("Megatron-Core r0.8.0 (overlap on)", "README; github: NVIDIA/Megatron-LM");
        row.layout.micro_batch = 2;
        row.layout.recompute = "none";
        const Outcome kept = estimate(fill(row).scenario);
        auto machines = library().machines;
        machines.at("dgx-h100").device.memory *= kept->worst().total() / kept->memory_limit / share;
        row.layout.recompute.clear();
        const RowPresets shipped = row_presets(library());
        const FilledRun run = filled_run(row, {machines, shipped.stacks, shipped.models});
        QCOMPARE(run.scenario.layout.recompute != Recompute::none, recomputes);
    }
    void torchtitan_keeps_every_other_product_unless_a_row_says_otherwise() {
        PublishedRow row = published_by("torchtitan compile", somewhere);
        row.layout.stack = "torchtitan-2025";                // a tuned bundle
        row.layout.tensor = 1;
        row.layout.zero_stage = 3;
        row.layout.micro_batch = 1;
        const FilledRun silent = fill(row);
        QVERIFY2(silent.excluded.empty(), silent.excluded.c_str());
        QCOMPARE(silent.scenario.layout.recompute, Recompute::selective);
        row.layout.micro_batch.reset();                      // what else is open is still chosen
        QCOMPARE(fill(row).scenario.layout.recompute, Recompute::selective);
        row.layout.recompute = "none";
        QCOMPARE(fill(row).scenario.layout.recompute, Recompute::none);
    }
    void everyday_rows_are_not_tuned_for_them() {
        PublishedRow row = published_by("Megatron-LM Megatron-Core 0.6.0", "FlagPerf");
        row.layout.pipeline = 4;
        row.layout.devices = 128;
        const Layout l = fill(row).scenario.layout;
        QCOMPARE(l.micro_batch, 1);
        QCOMPARE(l.virtual_stages, 1);
        QVERIFY(l.recompute == Recompute::none);
    }
    void an_open_row_weighs_less() {
        FilledRun run;
        run.span = 0.02;
        QCOMPARE(run.weight(), 1.0);
        run.span = 0.1;
        QVERIFY(std::abs(run.weight() - 0.2) < 1e-12);
        Score s;
        ScoredRow r;
        r.weight = 0.2;
        s.rows = {r};
        QCOMPARE(observations_of(s).front().weight, 0.2);
    }

    void what_a_published_memory_is_stands_in_the_remark_data() {
        QTest::addColumn<QString>("framework");
        QTest::addColumn<QString>("remark");
        QTest::addColumn<int>("unit");
        QTest::addColumn<int>("kind");
        const auto row = [](const char* name, const char* framework, const char* remark, MemoryUnit u, MemoryKind k) {
            QTest::newRow(name) << framework << remark << int(u) << int(k);
        };
        constexpr auto gb = MemoryUnit::gigabyte, gib = MemoryUnit::gibibyte;
        row("nothing is said", "Megatron-Core", "", gb, MemoryKind::reserved);
        row("software that reads PyTorch's counters", "PyTorch FSDP", "", gib, MemoryKind::reserved);
        row("it names another unit", "PyTorch FSDP", "Memory in GB.", gb, MemoryKind::reserved);
        row("the size of a card is no unit", "PyTorch FSDP", "On cards of 80 GB.", gib, MemoryKind::reserved);
        row("a monitor in MiB", "Megatron-Core", "Memory: nvidia-smi used, MiB/1024", gib, MemoryKind::used);
        row("the same, converted", "Megatron-Core", "nvidia-smi, MiB to GB", gb, MemoryKind::used);
        row("a peak of tensors", "Megatron-Core", "maximum of torch max_memory_allocated, GiB", gib,
            MemoryKind::allocated);
        row("torchtune's word", "torchtune", "Peak active memory, GiB", gib, MemoryKind::allocated);
        row("DeepSpeed's logs are in GB", "Megatron-DeepSpeed", "", gb, MemoryKind::reserved);
    }
    void what_a_published_memory_is_stands_in_the_remark() {
        QFETCH(QString, framework);
        QFETCH(QString, remark);
        QFETCH(int, unit);
        QFETCH(int, kind);
        PublishedRow row = published_by(qPrintable(framework), somewhere);
        row.remark = remark.toStdString();
        QCOMPARE(int(memory_unit_of(row)), unit);
        QCOMPARE(int(memory_kind_of(row)), kind);
        row.measured.memory_unit = MemoryUnit::gigabyte;   // the row's own keys win
        row.measured.memory_kind = MemoryKind::reserved;
        QCOMPARE(int(memory_unit_of(row)), int(MemoryUnit::gigabyte));
        QCOMPARE(int(memory_kind_of(row)), int(MemoryKind::reserved));
    }
    void a_full_device_tells_nothing_of_the_plan() {
        PublishedRow row = published_by("Megatron-Core", somewhere);
        row.measured.memory_kind = MemoryKind::used;
        row.measured.memory_unit = MemoryUnit::gibibyte;
        const double device = library().machines.at("dgx-h100").device.memory / gibibyte;
        for (const auto& [share, counts] : {std::pair{0.9, true}, {0.99, false}}) {
            row.measured.memory_gb = share * device;
            const RowScore scored = score_row(row, fill(row));
            QCOMPARE(scored.memory->excluded.empty(), counts);
        }
    }

    void states_in_16_bits_stand_in_the_words_data() {
        QTest::addColumn<QString>("precision");
        QTest::addColumn<QString>("remark");
        QTest::addColumn<double>("bytes");
        QTest::newRow("mixed precision") << "BF16 mixed" << "" << 16.0;
        QTest::newRow("a word of the precision") << "BF16 pure" << "" << 8.0;
        QTest::newRow("a remark of the moments") << "BF16" << "Weights and Adam moments in bf16" << 8.0;
        QTest::newRow("a remark of the bytes") << "BF16" << "AdamW at 6 bytes a parameter beside gradients" << 8.0;
        QTest::newRow("some state is in fp32") << "BF16, FP32 optimizer state" << "all state in bf16" << 16.0;
        QTest::newRow("8-bit moments") << "BF16 pure" << "8-bit paged AdamW" << 6.0;
    }
    void states_in_16_bits_stand_in_the_words() {
        QFETCH(QString, precision);
        QFETCH(QString, remark);
        QFETCH(double, bytes);
        PublishedRow row = published_by("PyTorch FSDP", somewhere);
        row.layout.precision = precision.toStdString();
        row.remark = remark.toStdString();
        const FilledRun run = fill(row);
        QVERIFY2(run.excluded.empty(), run.excluded.c_str());
        QVERIFY(std::abs(state_bytes(run.scenario.recipe).total(ParameterGroup::matrices) - bytes) < 0.01);
    }
    void the_loss_of_torchtitan_is_compiled_since_2025() {
        PublishedRow row = published_by("torchtitan, torch.compile", somewhere);
        QVERIFY(fill(row).scenario.stack.loss.kernel == LossKernel::compiled);
        row.citation = "torchtitan benchmarks of December 2024";
        QVERIFY(fill(row).scenario.stack.loss.kernel == LossKernel::eager);
        row.citation = somewhere;
        row.layout.stack = "torchtitan-compile";   // the row's own
        QVERIFY(fill(row).scenario.stack.loss.kernel == LossKernel::eager);
    }

    // 8 billion parameters on 8 devices with 8 sequences of 8,192 tokens each: unsharded they need 16 bytes each.
    void what_ran_must_have_fitted() {
        PublishedRow row = published_by("PyTorch FSDP", somewhere);
        row.layout.devices = 8;
        row.layout.tensor = 1;
        row.layout.micro_batch = 4;
        row.layout.global_batch = 32;
        const FilledRun run = fill(row);
        QVERIFY2(run.excluded.empty(), run.excluded.c_str());
        QCOMPARE(run.scenario.layout.zero_stage, 3);
        QVERIFY(run.scenario.layout.recompute == Recompute::full);
        QVERIFY(std::ranges::any_of(run.filled, [](const std::string& s) { return s.starts_with("it ran and"); }));
        const Layout unknown = filled_run(row, row_presets(library()), RunEnded::unknown).scenario.layout;
        QCOMPARE(unknown.zero_stage, 0);
        QVERIFY(unknown.recompute == Recompute::none);
        row.layout.recompute = "none";             // stated: it is as it is
        QCOMPARE(fill(row).scenario.layout.zero_stage, 0);
        row.remark = "Activation checkpointing not stated (none assumed).";
        QVERIFY(fill(row).scenario.layout.recompute == Recompute::full);
        row.layout.zero_stage = 0;
        QCOMPARE(fill(row).scenario.layout.zero_stage, 0);
    }

    void runs_that_stall_are_told_by_rule() {
        Scenario s = fill(published_by("nanotron", somewhere)).scenario;
        QVERIFY(!stall_of(s, 0.95).empty());            // full memory holds up plans without a pipeline, too
        QVERIFY(stall_of(s, 0.80).empty());
        s.layout.pipeline_parallel = 4;
        s.layout.zero_stage = 1;
        QVERIFY(stall_of(s, 0.80).empty());
        QVERIFY(!stall_of(s, 0.88).empty());
        s.layout.zero_stage = 0;
        s.layout.data_parallel = 8;
        QVERIFY(!stall_of(s, 0.5).empty());
        s.stack.stalls.replicas = 8;
        QVERIFY(stall_of(s, 0.5).empty());              // the software says how many
        s.stack.stalls.tensor_ranks = s.layout.tensor_parallel;
        QVERIFY(!stall_of(s, 0.5).empty());
        s.stack.stalls.above = 0;
        QVERIFY(stall_of(s, 0.95).empty());             // other software was not seen to
    }
    void micro_batches_that_tensor_ranks_gather_at_once_stall_runs_without_a_pipeline() {
        Scenario s = fill(published_by("nanotron", somewhere)).scenario;
        s.recipe.sequence_length = 4096;
        s.model.hidden = 4096;
        s.layout.tensor_parallel = 8;
        s.layout.micro_batch = 8;
        QVERIFY(stall_of(s, 0.5).empty());              // 268 MB of 16-bit activations
        s.layout.micro_batch = 16;
        QVERIFY(!stall_of(s, 0.5).empty());
        s.layout.context_parallel = 2;                  // each holds half of a sequence
        QVERIFY(stall_of(s, 0.5).empty());
        s.layout.context_parallel = 1;
        s.layout.tensor_parallel = 1;                   // nothing is gathered
        QVERIFY(stall_of(s, 0.5).empty());
        s.layout.tensor_parallel = 8;
        s.layout.pipeline_parallel = 2;
        s.layout.zero_stage = 1;
        QVERIFY(stall_of(s, 0.5).empty());
        s.layout.pipeline_parallel = 1;
        s.stack.stalls.gathered = {};
        QVERIFY(stall_of(s, 0.5).empty());              // other software was not seen to
    }
    void a_plan_without_a_pipeline_that_may_stall_is_cautioned_of_its_micro_batches() {
        Scenario s = fill(published_by("nanotron", somewhere)).scenario;
        const Outcome o = estimate(s);
        QVERIFY(runs(o));
        const auto told = [&] {
            return std::ranges::any_of(cautions(s), [](const Caution& c) { return c.id == "micro_batches_stall"; });
        };
        s.stack.stalls.above = 1.01 * (o->worst().total() / o->memory_limit);
        QVERIFY(!told());
        s.stack.stalls.above = 0.99 * (o->worst().total() / o->memory_limit);
        QVERIFY(told());
    }
};

PLIMSOLL_TEST(RunRulesTest)
#include "tst_run_rules.moc"
