// Rows of published tables: how they are read, what is assumed where they are
// silent, and how far the predictions are off per source.
#include "registered_test.h"

#include "core/answers/campaign/headline.h"
#include "core/files/results/published_runs.h"
#include "core/answers/explain/explain.h"
#include "core/evidence/published/run_rules.h"
#include "core/evidence/published/score.h"
#include "shipped.h"


#include <cmath>

using namespace plimsoll;

namespace {

FilledRun fill(const PublishedRow& row) { return filled_run(row, row_presets(library())); }

// A row that leaves out all it can.
PublishedRow terse_row() {
    PublishedRow r;
    r.id = "somebody/1";
    r.source = "somebody";
    r.model = {"GPT-7.5B", "gpt", 7.5e9, 36, 4096, 32, {}, {}, {}, {}, 2048, {}, false, {}, {}};
    r.machine = {"NVIDIA A100 SXM 80GB", "selene"};
    r.layout.devices = 128;
    r.layout.tensor = 4;
    r.layout.pipeline = 1;
    r.layout.global_batch = 512;
    r.layout.precision = "FP16 mixed";
    r.layout.framework = "Megatron-LM 2021";
    r.measured.teraflops = 142;
    return r;
}

std::string excluded(PublishedRow row) {
    return score({row}, row_presets(library())).rows[0].excluded;
}

std::vector<double> errors(const std::vector<ScoredRow>& rows, const char* prefix, bool experts = false) {
    std::vector<double> all;
    for (const ScoredRow& r : rows)
        if (r.excluded.empty() && r.id.starts_with(prefix) && has_experts(r.plan.model) == experts)
            all.push_back(r.error);
    return all;
}

double mean_of_sizes(const std::vector<double>& values) {
    double sum = 0;
    for (double v : values) sum += std::abs(v);
    return values.empty() ? 1 : sum / double(values.size());
}

}  // namespace

class PublishedRunsTest : public QObject {
    Q_OBJECT

private slots:
    void sizes_that_nothing_can_be_divided_by_are_refused_data() {
        QTest::addColumn<std::string>("model");
        QTest::addColumn<std::string>("layout");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const char* model, const char* layout, const char* says) {
            QTest::newRow(name) << std::string(model) << std::string(layout) << QString(says);
        };
        row("a sequence of nothing", R"({"seq": 0})", "{}", "/0/model/seq: found 0, expected a whole number from 1");
        row("a sequence below one token", R"({"seq": 1e-06})", "{}", "/0/model/seq: found 1e-06");
        row("half a layer", R"({"layers": 2.5})", "{}", "/0/model/layers: found 2.5");
        row("more heads than anybody counts", R"({"heads": 1e18})", "{}", "/0/model/heads: found 1e+18");
        row("a degree of zero", "{}", R"({"tp": 0})", "/0/layout/tp: found 0");
        row("a negative stage", "{}", R"({"zero_stage": -1})", "/0/layout/zero_stage: found -1");
    }
    void sizes_that_nothing_can_be_divided_by_are_refused() {
        QFETCH(std::string, model);
        QFETCH(std::string, layout);
        QFETCH(QString, says);
        const auto rows =
            read_published_rows(R"([{"id": "x/1", "model": )" + model + R"(, "layout": )" + layout + "}]", "runs.json");
        QVERIFY(!rows.has_value());
        QVERIFY2(QString::fromStdString(say(rows.error())).contains("runs.json: " + says), say(rows.error()).c_str());
    }

    void a_file_that_is_no_json_says_where() {
        const auto rows = read_published_rows("[{\"id\": 1,}]", "runs.json");
        QVERIFY(!rows.has_value());
        QVERIFY2(say(rows.error()).find("line 1, column") != std::string::npos, say(rows.error()).c_str());
    }

    void a_record_is_read_with_keys_nobody_knows() {
        const auto rows =
            read_published_rows(R"([{"id": "x/1", "use": "score", "colour": 3, "model": {"layers": 2.0, "vocab": null},
            "layout": {"fsdp": 8, "tp": 2}, "measured": {"iteration_s": 1.5}, "flop_formula": "8N"}])",
                                "stem");
        QVERIFY(rows.has_value());
        const PublishedRow& r = rows->front();
        QCOMPARE(r.source, std::string("x"));
        QCOMPARE(*r.model.layers, 2);
        QVERIFY(!r.model.vocabulary);
        QCOMPARE(r.layout.sharding, std::string("sharded"));
        QCOMPARE(*r.measured.step_seconds, 1.5);
        QVERIFY(r.flop_rule == FlopRule::eight_n);
    }
    void the_length_of_a_run_is_read_from_its_remark_data() {
        QTest::addColumn<QString>("remark");
        QTest::addColumn<double>("tokens");
        QTest::newRow("trillions") << "2.0T tokens. Power is the TDP." << 2e12;
        QTest::newRow("and more") << "15T+ tokens, of which some long" << 15e12;
        QTest::newRow("billions, after other words") << "Training days are for 300B tokens (projected)." << 300e9;
        QTest::newRow("steps of batch and length") << "143,000 steps of 1024x2048 tokens." << 143000.0 * 1024 * 2048;
        QTest::newRow("a batch is no run") << "Batch about 4M tokens. 16k tokens per GPU, 380 tokens/s" << 0.0;
        QTest::newRow("nothing") << "" << 0.0;
        QTest::newRow("no number") << "T tokens, B tokens, x tokens" << 0.0;
    }
    void the_length_of_a_run_is_read_from_its_remark() {
        QFETCH(QString, remark);
        QFETCH(double, tokens);
        QCOMPARE(tokens_in(remark.toStdString()).value_or(0), tokens);
        PublishedRows rows = *read_published_rows(R"([{"id": "x", "notes": ")" + remark.toStdString() + R"("}])", "x");
        QCOMPARE(rows[0].layout.train_tokens.value_or(0), tokens);
        rows = *read_published_rows(
            R"([{"id": "x", "layout": {"train_tokens": 7}, "notes": ")" + remark.toStdString() + R"("}])", "x");
        QCOMPARE(*rows[0].layout.train_tokens, 7.0);
    }
    void a_row_without_a_slash_belongs_to_its_file() {
        const auto rows = read_published_rows(R"([{"id": "only"}])", "stem");
        QCOMPARE(rows->front().source, std::string("stem"));
    }
    void a_file_that_is_no_list_of_named_rows_is_told_where() {
        QVERIFY(!read_published_rows("{}", "x"));
        const auto nameless = read_published_rows(R"([{"id": "x/1"}, {}])", "x");
        QVERIFY(!nameless);
        QCOMPARE(nameless.error().front().pointer, std::string("/1/id"));
    }

    void a_memory_is_read_with_its_unit_kind_and_rank() {
        const auto rows = read_published_rows(
            R"([{"id": "x/1", "measured": {"memory_gb_per_device": 30, "memory_unit": "GiB", "memory_kind": "used",
                "memory_rank": "first"}}])", "x");
        QVERIFY(rows.has_value());
        QVERIFY(rows->front().measured.memory_unit == MemoryUnit::gibibyte);
        QVERIFY(rows->front().measured.memory_kind == MemoryKind::used);
        QVERIFY(rows->front().measured.memory_rank == MemoryRank::first);
        const auto wrong = read_published_rows(R"([{"id": "x/1", "measured": {"memory_unit": "MiB"}}])", "x");
        QVERIFY(!wrong);
        QCOMPARE(wrong.error().front().pointer, std::string("/0/measured/memory_unit"));
        QVERIFY(wrong.error().front().message.find("GiB") != std::string::npos);
    }
    // 30 GiB are 7 % more than 30 GB; tensors are less than the allocator takes, and a device shows more.
    void a_memory_is_compared_with_the_figure_that_was_measured() {
        PublishedRow row = terse_row();
        row.layout.pipeline = 4;
        row.measured.memory_gb = 30;
        const auto scored = [&] { return *score_row(row, fill(row)).memory; };
        const ScoredRow plain = scored();
        const Estimate e = *estimate(fill(row).scenario);
        QCOMPARE(plain.predicted, e.worst().total() / gigabyte);
        row.measured.memory_unit = MemoryUnit::gibibyte;
        QCOMPARE(scored().measured, 30 * (gibibyte / byte));
        QCOMPARE(scored().predicted, e.worst().total() / gibibyte);
        row.measured.memory_kind = MemoryKind::allocated;
        QVERIFY(scored().predicted < e.worst().total() / gibibyte);
        row.measured.memory_kind = MemoryKind::used;
        QVERIFY(scored().predicted > e.worst().total() / gibibyte);
        row.measured.memory_kind = {};
        row.measured.memory_rank = MemoryRank::last;
        QCOMPARE(scored().predicted, e.stages.back().total() / gibibyte);
        row.measured.memory_rank = MemoryRank::first;
        QCOMPARE(scored().predicted, e.stages.front().total() / gibibyte);
    }

    void flop_rules_are_those_of_their_sources() {
        const Model& m = library().models.at("gpt3-175b");
        const double h = m.hidden, l = m.layers, s = 2048, v = m.vocabulary;
        const double classic = 96 * l * h * h * (1 + s / (6 * h) + v / (16 * l * h));  // per token
        QVERIFY(std::abs(flop_per_token(FlopRule::hardware, m, 2048, 0) / classic - 1) < 1e-12);
        QCOMPARE(flop_per_token(FlopRule::full_attention, m, 2048, 0) - flop_per_token(FlopRule::causal, m, 2048, 0),
                 6 * l * h * s);
        QCOMPARE(flop_per_token(FlopRule::eight_n, m, 2048, 1e9), 8e9);
        // A source that counts windows counts them here.
        const Model& windows = library().models.at("gpt-oss-120b");
        QCOMPARE(flop_per_token(FlopRule::megatron, windows, 4096, 0) * 4096,
                 model_flop(windows, 1, 4096, windows.vocabulary, FlopConvention::megatron) / flop);
    }

    void every_assumption_is_told() {
        const FilledRun run = fill(terse_row());
        QVERIFY(run.excluded.empty());
        QCOMPARE(run.scenario.layout.micro_batch, 4);    // 5 to 25 billion parameters
        QCOMPARE(run.scenario.layout.data_parallel, 32);
        QCOMPARE(run.scenario.model.vocabulary, 51200);
        QVERIFY(run.scenario.stack.id == "megatron-lm-2021");
        std::string all;
        for (const std::string& sentence : run.filled) all += sentence + "\n";
        for (const char* what : {"stack", "vocabulary", "micro-batch", "recomputation", "ZeRO", "FLOP"})
            QVERIFY2(all.find(what) != std::string::npos, what);
    }
    // The plan of a row does not change with what was measured, its name or its source.
    void assumptions_never_look_at_the_result() {
        for (const PublishedRow& row : not_empty(shipped_rows())) {
            PublishedRow other = row;
            other.id = "other/name";
            other.source = "other";
            for (auto* value :
                 {&other.measured.step_seconds, &other.measured.tokens_per_second, &other.measured.teraflops,
                  &other.measured.memory_gb, &other.measured.mfu, &other.measured.hfu, &other.measured.device_hours,
                  &other.measured.train_days, &other.measured.energy_mwh, &other.measured.power_watts})
                if (*value) *value = **value * 3;
            FilledRun a = fill(row), b = fill(other);
            b.scenario.name = a.scenario.name;
            QVERIFY(a.scenario == b.scenario && a.filled == b.filled && a.excluded == b.excluded);
        }
    }
    void the_explanation_of_every_row_evaluates_to_its_numbers() {
        for (const PublishedRow& row : not_empty(shipped_rows())) {
            const FilledRun run = fill(row);
            const Outcome outcome = estimate(run.scenario);
            if (!run.excluded.empty() || !outcome) continue;
            const auto same = [&](const char* id, double value) {
                const auto term = explain(run.scenario, id);
                return term.has_value() && std::abs(evaluate(*term) / value - 1) < 1e-9;
            };
            QVERIFY2(same("step_seconds", outcome->step.total() / second), row.id.c_str());
            QVERIFY2(same("memory.worst_stage_bytes", outcome->worst().total() / byte), row.id.c_str());
        }
    }
    void hours_days_energy_and_power_are_those_of_the_plan() {
        PublishedRow row = terse_row();
        row.layout.train_tokens = 512 * 2048 * 1000.0;
        row.measured = {};
        row.measured.device_hours = 1000;
        row.measured.train_days = 0.5;
        row.measured.energy_mwh = 1;
        row.measured.power_watts = 300;
        const FilledRun run = fill(row);
        const Headline h = headline(run.scenario, *estimate(run.scenario));
        const RowScore r = score_row(row, run);
        const auto near = [](double a, double b) { return std::abs(a / b - 1) < 1e-12; };
        QCOMPARE(r.time.quantity, std::string("device_hours"));
        const double hours = run.scenario.layout.devices * (h.run / hour);
        QVERIFY(near(r.time.predicted, hours));
        QVERIFY(near(r.time.error, hours / 1000 - 1));
        QCOMPARE(r.others.size(), std::size_t(3));
        QVERIFY(near(r.others[0].predicted, h.run / day));
        QVERIFY(near(r.others[1].predicted, h.device_energy * run.scenario.machine.power.pue / megawatt_hour));
        QVERIFY(near(r.others[2].predicted, h.device_power / watt));
        row.layout.train_tokens.reset();
        QVERIFY(score_row(row, fill(row)).time.excluded.find("tokens") != std::string::npos);
    }
    // GPT-OSS 120B: its experts are narrower than the layers that it would have without them.
    void a_mixture_s_rate_of_work_says_the_same_as_its_time() {
        int tried = 0;
        for (const PublishedRow& row : shipped_rows()) {
            if (row.id != "nvidia-megatron-bridge/030") continue;
            const FilledRun run = fill(row);
            QVERIFY(run.excluded.empty() && has_experts(run.scenario.model));
            PublishedRow work = row, tokens = row;
            work.measured = {};
            work.measured.teraflops = row.measured.teraflops;
            tokens.measured = {};
            tokens.measured.tokens_per_second = row.measured.tokens_per_second;
            const double apart = (1 + score_row(work, run).time.error) / (1 + score_row(tokens, run).time.error) - 1;
            QVERIFY2(std::abs(apart) < 0.15, qPrintable(QString("%1 % apart").arg(100 * apart)));
            ++tried;
        }
        QCOMPARE(tried, 1);
    }
    // With the plan's own counting the shares of the peak are the plan's.
    void shares_of_the_peak_are_those_of_the_plan() {
        PublishedRow row = terse_row();
        row.model.vocabulary = 51200;  // of which padding adds none
        row.flop_rule = FlopRule::full_attention;
        row.measured = {};
        row.measured.mfu = 0.4;
        const FilledRun run = fill(row);
        const RowScore r = score_row(row, run);
        QCOMPARE(r.time.quantity, std::string("mfu"));
        QVERIFY(std::abs(r.time.predicted / headline(run.scenario, *estimate(run.scenario)).mfu - 1) < 1e-9);
        QVERIFY(std::abs(r.time.error - (0.4 / r.time.predicted - 1)) < 1e-12);
    }
    void a_reference_row_has_figures_and_does_not_count() {
        PublishedRow row = terse_row();
        row.measured.mfu = 0.4;
        row.measured.memory_gb = 30;
        const Score scored = score({row}, row_presets(library()));
        row.reference = true;
        const Score shown = score({row}, row_presets(library()));
        QVERIFY(scored.dense && scored.memory && !shown.dense && !shown.memory);
        QCOMPARE(shown.rows[0].predicted, scored.rows[0].predicted);
        QCOMPARE(shown.memory_rows[0].predicted, scored.memory_rows[0].predicted);
        QCOMPARE(scored.other_rows.size(), std::size_t(0));  // another rate of a scored row repeats it
        QCOMPARE(shown.other_rows.size(), std::size_t(1));
        QVERIFY(!shown.other_rows[0].excluded.empty());
    }
    void an_unknown_split_grows_until_the_states_fit() {
        PublishedRow row = terse_row();
        row.layout.tensor = row.layout.pipeline = {};
        QCOMPARE(fill(row).scenario.layout.model_parallel(), 4LL);  // 120 GB of states, 51.5 GB to a device
        row.layout.sharding = "FSDP";
        QCOMPARE(fill(row).scenario.layout.model_parallel(), 1LL);
        row = terse_row();
        row.model = {"GPT-175B", "gpt", 175e9, 96, 12288, 96, {}, {}, {}, {}, 2048, {}, false, {}, {}};
        row.layout.tensor = row.layout.pipeline = row.layout.devices = {};
        row.layout.global_batch.reset();
        const FilledRun run = fill(row);
        QCOMPARE(run.scenario.layout.tensor_parallel, 8);
        QCOMPARE(run.scenario.layout.pipeline_parallel, 8);
        QCOMPARE(run.scenario.layout.devices, 64);
        QVERIFY(estimate(run.scenario).has_value());
    }
    void two_input_branches_are_told_by_the_parameter_count() {
        PublishedRow row = terse_row();
        row.model = {"PaLM", "gpt", 540e9, 118, 18432, 48, 1, 256, 73728, 256000, 2048, false, false, {}, {}};
        QVERIFY(gated(fill(row).scenario.model.activation));
        row.model.parameters = 404e9;
        QVERIFY(!gated(fill(row).scenario.model.activation));
        row.model.parameters.reset();
        QVERIFY(!gated(fill(row).scenario.model.activation));
    }
    void a_stack_limits_the_zero_stage_of_a_pipeline() {
        PublishedRow row = terse_row();
        row.layout.zero_stage = 3;
        QCOMPARE(fill(row).scenario.layout.zero_stage, 3);
        row.layout.pipeline = 4;
        QCOMPARE(fill(row).scenario.layout.zero_stage, 1);
    }
    void long_sequences_come_one_at_a_time() {
        PublishedRow row = terse_row();
        row.model.sequence_length = 8192;
        QCOMPARE(fill(row).scenario.layout.micro_batch, 1);
    }
    void sharded_copies_are_counted_from_the_words_of_the_source_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<int>("group");
        QTest::newRow("one copy") << "fully sharded over 128 chips, replicated over 1 slice(s)" << 0;
        QTest::newRow("the ranks of a copy")
            << "fully sharded over 32 chips in a slice, replicated over 4 slice(s)" << 32;
        QTest::newRow("the copies only") << "8 GPUs, replicated over 16 node(s)" << 8;
        QTest::newRow("a node to a copy") << "hybrid shard" << 8;
        QTest::newRow("nothing said") << "FSDP" << 0;
    }
    void sharded_copies_are_counted_from_the_words_of_the_source() {
        QFETCH(QString, words);
        QFETCH(int, group);
        PublishedRow row = terse_row();
        row.layout.tensor = 1;
        row.layout.sharding = words.toStdString();
        QCOMPARE(fill(row).scenario.layout.shard_group, group);
    }
    void every_machine_of_a_row_is_a_preset() {
        for (const PublishedRow& row : not_empty(shipped_rows()))
            QVERIFY2(machine_named(library().machines, row.machine.preset), row.id.c_str());
    }
    void early_megatron_interleaves_from_eight_stages_on() {
        PublishedRow row = terse_row();
        row.layout.pipeline = 4;
        QCOMPARE(fill(row).scenario.layout.virtual_stages, 1);
        row.layout.pipeline = 12;
        QCOMPARE(fill(row).scenario.layout.virtual_stages, 3);
    }
    void an_undated_framework_is_the_release_of_its_device() {
        QCOMPARE(std::string(framework_rule("Megatron-LM", "NVIDIA V100")->stack), std::string("megatron-lm-2021"));
        QCOMPARE(std::string(framework_rule("Megatron-LM", "NVIDIA A100")->stack), std::string("megatron-lm-2022"));
        QVERIFY(!framework_rule("a framework nobody knows", "NVIDIA V100"));
    }

    void a_row_that_does_not_count_says_why() {
        PublishedRow row = terse_row();
        QCOMPARE(excluded(row), std::string());
        row.reference = true;
        QVERIFY(excluded(row).find("reference") != std::string::npos);
        row = terse_row();
        row.model.experts = true;
        QVERIFY(excluded(row).find("the model's experts are not published") != std::string::npos);
        row = terse_row();
        row.machine.preset = "nowhere";
        QVERIFY(excluded(row).find("nowhere") != std::string::npos);
        row = terse_row();
        row.layout.context = 2;
        row.layout.framework = "Megatron-LM / Megatron-Core";
        QCOMPARE(excluded(row), std::string());
        QCOMPARE(fill(row).scenario.layout.data_parallel, 16);
        row = terse_row();
        row.layout.tensor = 3;
        QVERIFY(!excluded(row).empty());  // an obstacle
        row = terse_row();
        row.measured = {};
        QVERIFY(excluded(row).find("sanity") != std::string::npos);
    }
    void of_several_releases_the_newest_counts() {
        PublishedRow old = terse_row(), latest = terse_row();
        old.layout.framework = "Megatron-LM / Megatron-Core 25.02";
        latest.layout.framework = "Megatron-LM / Megatron-Core 25.09";
        const Score s = score({latest, old}, row_presets(library()));
        QVERIFY(s.rows[0].excluded.empty());
        QVERIFY(s.rows[1].excluded.find("superseded") != std::string::npos);
        QCOMPARE(s.sources[0].counted(), 1);
    }
    void the_score_is_the_median_over_sources() {
        const Score& s = shipped_score();
        std::vector<double> means;
        for (const ErrorSummary& e : s.sources)
            if (e.counted() > 0) means.push_back(e.mean_absolute);
        std::sort(means.begin(), means.end());
        const std::size_t n = means.size();
        QCOMPARE(*s.dense, (means[(n - 1) / 2] + means[n / 2]) / 2);
    }

    // The bars are the figures reached and a small margin. What misses stays visible.
    void mean_errors_stay_below_the_bars_data() {
        QTest::addColumn<QString>("rows");
        QTest::addColumn<double>("bar");
        QTest::newRow("vTrain, one node") << "vtrain-single/" << 0.062;
        QTest::newRow("vTrain, several nodes") << "vtrain-multi/" << 0.084;
        QTest::newRow("recomputation study") << "korthikanti-2205-05198/" << 0.022;
        QTest::newRow("SC21 Table 1") << "megatron-sc21/t1-" << 0.023;
        QTest::newRow("SC21 Table 2, PTD-P") << "megatron-sc21/t2-ptd-" << 0.013;
        QTest::newRow("SC21 Table 2, ZeRO-3") << "megatron-sc21/t2-zero3-" << 0.058;
        QTest::newRow("LLM Foundry") << "mosaicml-llm-foundry/" << 0.046;
        QTest::newRow("InternEvo") << "internevo-7b-a100/" << 0.033;
        QTest::newRow("zero-bubble study") << "zero-bubble-table4/" << 0.040;
        QTest::newRow("NeMo 24.07") << "nvidia-nemo-2407/" << 0.050;
        QTest::newRow("NeMo, long sequences") << "nvidia-nemo-longseq/" << 0.017;
        QTest::newRow("Megatron Bridge, dense") << "nvidia-megatron-bridge/" << 0.053;
        QTest::newRow("TorchTitan") << "torchtitan/" << 0.075;
        QTest::newRow("Frontier") << "ornl-frontier-summit/" << 0.050;
        QTest::newRow("Fugaku") << "fugaku-1p3b/" << 0.065;
        QTest::newRow("DeepSpeed ZeRO-3 on Azure") << "deepspeed-azure-a100/" << 0.075;
        QTest::newRow("FlashAttention") << "flash-attention-8xa100/" << 0.034;
        QTest::newRow("MaxText on TPU v5e and v5p") << "maxtext-tpu/" << 0.070;
        QTest::newRow("Alpa") << "alpa-v100/" << 0.110;
        QTest::newRow("MT-NLG 530B") << "mt-nlg-530b/" << 0.039;
        QTest::newRow("Crusher FSDP") << "crusher-fsdp-175b/" << 0.006;
        QTest::newRow("Summit") << "summit-megatron-16b/" << 0.075;
        QTest::newRow("BigScience V100, shared network") << "bigscience-v100/" << 0.15;
        QTest::newRow("large runs, a known miss") << "large-runs-recalled/" << 0.105;
        QTest::newRow("Aurora") << "alcf-aurora/" << 0.088;
        QTest::newRow("FlagPerf") << "flagperf/" << 0.064;
        QTest::newRow("Megatron-LM on H100, its own table") << "megatron-lm-h100-readme/" << 0.051;
        QTest::newRow("nanotron, 1 to 16 nodes") << "nanotron-playbook/" << 0.099;
        QTest::newRow("TorchTitan, later runs") << "torchtitan-fresh/" << 0.076;
        QTest::newRow("BLOOM's trials on A100") << "bigscience-tr11-a100/" << 0.098;
        QTest::newRow("Pythia, hours with restarts") << "pythia-gpu-hours/" << 0.100;
    }
    void mean_errors_stay_below_the_bars() {
        QFETCH(QString, rows);
        QFETCH(double, bar);
        const auto found = errors(shipped_score().rows, rows.toLatin1().constData());
        qInfo("%d rows, mean absolute error %.2f %%", int(found.size()), 100 * mean_of_sizes(found));
        QVERIFY(mean_of_sizes(found) < bar);
    }
    // Of the maker's own tables, and of all sources: those of 2025 and 2026 that no constant was fitted to with them.
    void mixtures_of_experts_stay_below_their_bar() {
        const auto found = errors(shipped_score().rows, "nvidia-megatron-bridge/", true);
        QVERIFY(found.size() >= 36);
        QVERIFY2(mean_of_sizes(found) < 0.12, qPrintable(QString::number(mean_of_sizes(found))));
        QVERIFY2(*shipped_score().experts < 0.165, qPrintable(QString::number(*shipped_score().experts)));
    }
    void a_mixture_is_completed_by_the_preset_of_its_shape() {
        PublishedRow row = terse_row();
        row.machine = {"NVIDIA B200", "dgx-b200"};
        row.model = {"anything", "moe", 671e9, 61, 7168, 128, 128, {}, 2048, 129280, 4096, true, true, 256, 8};
        row.layout.framework = "Megatron Bridge, NeMo container 26.04";
        row.layout.precision = "MXFP8";
        row.layout.devices = 256;
        row.layout.tensor = 1;
        row.layout.pipeline = 8;
        row.layout.expert = 32;
        row.layout.virtual_stages = 2;   // 61 layers in 16 chunks
        const Scenario plan = fill(row).scenario;
        QCOMPARE(plan.model.experts.shared, 1);
        QCOMPARE(plan.model.experts.dense_layers, 3);
        QCOMPARE(plan.model.latent.kv_rank, 512);
        QCOMPARE(plan.layout.expert_parallel, 32);
        QVERIFY2(excluded(row).empty(), excluded(row).c_str());
        row.model.top_k = 9;   // of no preset, but of the stated size
        QVERIFY2(excluded(row).empty(), excluded(row).c_str());
        QCOMPARE(fill(row).scenario.model.latent.kv_rank, 0);
        row.model.expert_count = 16;
        QVERIFY(!excluded(row).empty());
    }
    void memory_errors_stay_below_the_bars() {
        for (const auto& [rows, bar] : {std::pair{"zero-bubble-table4/", 0.015},
                                        {"internevo-7b-a100/", 0.072},
                                        {"torchtitan/", 0.030},
                                        {"torchtitan-fresh/", 0.065},
                                        {"bigscience-tr11-a100/", 0.070},
                                        {"bigscience-v100/", 0.055}}) {
            const double mean = mean_of_sizes(errors(shipped_score().memory_rows, rows));
            qInfo("%s memory %.2f %%", rows, 100 * mean);
            QVERIFY(mean < bar);
        }
    }
    void the_scores_stay_below_the_bars() {
        qInfo("step time %.2f %%, memory %.2f %%", 100 * *shipped_score().dense, 100 * *shipped_score().memory);
        QVERIFY(*shipped_score().dense < 0.070);
        // 10.7 % with the hybrids' rows, which were not predicted before; 9.2 % over sources that were.
        QVERIFY(*shipped_score().memory < 0.11);
    }
};

PLIMSOLL_TEST(PublishedRunsTest)
#include "tst_published_runs.moc"
