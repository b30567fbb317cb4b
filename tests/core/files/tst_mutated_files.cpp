// Files that are damaged at random: every reader answers, in bounded time and memory, and what it accepts is whole.
// PLIMSOLL_CAMPAIGN sets the number of files of all readers together (campaign.h).
#include "tests/fuzz/readers.h"

#include "campaign.h"
#include "configurations.h"
#include "dialect_files.h"
#include "mutator.h"
#include "shipped.h"

#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <map>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

constexpr int most_seconds = 5;        // of computing, for any file
constexpr long most_memory = 1 << 20;  // KiB, of the whole process

// What a signal handler can still tell of the file that was read.
const char* reader_of_now = "";
int number_of_now = 0;
const std::string* text_of_now = nullptr;

extern "C" void tell_and_die(int signal) {
    const auto put = [](const char* text, std::size_t size) { [[maybe_unused]] const auto n = ::write(2, text, size); };
    const std::string what = (signal == SIGPROF ? "no end within seconds: " : "crash: ") + std::string(reader_of_now)
                           + ", file " + std::to_string(number_of_now) + ":\n";
    put(what.data(), what.size());
    if (text_of_now) put(text_of_now->data(), std::min<std::size_t>(text_of_now->size(), 4000));
    put("\n", 1);
    std::signal(signal == SIGPROF ? SIGABRT : signal, SIG_DFL);
    std::raise(signal == SIGPROF ? SIGABRT : signal);
}

// Seconds of computing, not of waiting: other programs on the machine do not count.
void set_deadline(int seconds) {
    itimerval timer{};
    timer.it_value.tv_sec = seconds;
    ::setitimer(ITIMER_PROF, &timer, nullptr);
}

std::vector<std::string> texts_in(const std::string& folder, const std::string& suffix, std::size_t most_bytes) {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == suffix) paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<std::string> texts;
    for (const auto& path : paths) {
        const auto text = read_text(path);
        if (text && text->size() <= most_bytes) texts.push_back(*text);
    }
    return texts;
}

// The first lines of a text: enough of a long log or table to damage it all over.
std::string head(const std::string& text, int lines) {
    std::size_t end = 0;
    while (lines-- > 0 && end != std::string::npos) end = text.find('\n', end + 1);
    return text.substr(0, end == std::string::npos ? end : end + 1);
}

// A shipped plan as the window saves it: with the values of its presets.
std::string saved_example(std::size_t number) {
    const auto at = std::next(library().scenarios.begin(), long(number % library().scenarios.size()));
    return write_scenario(read_scenario(*read_text(at->second), library(), at->first)->scenario, library());
}

// Files that are right, by reader.
std::map<std::string, std::vector<std::string>> files_to_damage() {
    const std::string presets = PLIMSOLL_PRESETS_DIR, tests = PLIMSOLL_TESTS_DIR;
    std::map<std::string, std::vector<std::string>> all{
        {"machine", texts_in(presets + "/machines", ".json", 60'000)},
        {"model", texts_in(presets + "/models", ".json", 60'000)},
        {"stack", texts_in(presets + "/stacks", ".json", 60'000)},
        {"plan", texts_in(presets + "/scenarios", ".json", 60'000)},
        {"published runs", texts_in(presets + "/published_runs", ".json", 30'000)},
        {"fit", {*read_text(presets + "/fits/shipped.json")}},
        {"layer profile", texts_in(tests + "/data/galvatron", ".json", 60'000)},
    };
    for (std::size_t i = 0; i < 6; ++i) all["plan"].push_back(saved_example(i * 7));
    for (const std::string& table : texts_in(presets + "/operators", ".csv", 4'000'000))
        all["operators"].push_back(head(table, 60));
    for (const std::string& log : texts_in(tests + "/calibrations", ".jsonl", 4'000'000)) {
        all["engine log"].push_back(head(log, 60));
        CalibrationLog read;
        take_all_lines(log, read, read.engine);
        all["calibration plan"].push_back(read.plan);
    }
    all["engine log"].push_back(*read_text(tests + "/calibrations/two-cores.jsonl"));
    all["left-out errors"] = {R"({"schema": "plimsoll/left-out", "version": 1, "id": "left_out", "recipe": "shipped",
 "note": "n", "columns": ["source", "id", "quantity", "experts", "shipped", "left_out"],
 "rows": [["a", "a/b", "time", false, 0.01, 0.02], ["a", "a/c", "memory", true, -0.01, 0.03]]})"};
    all["anchors"] = {R"({"schema": "plimsoll/anchors", "version": 1, "anchors": [{"name": "64 nodes, June", "plan": )"
                      + saved_example(3) + R"(, "step_seconds": 12.4, "memory_GiB": 61.0}]})"};
    all["unsaved changes"] = {write_unsaved({saved_example(5), "/somewhere/plan.json", ""})};
    all["workspace"] = {write_workspace(std::vector<std::string>{saved_example(2), saved_example(9)}, 1)};
    all["search space"] = {R"({"schema": "plimsoll/space", "version": 1, "name": "ours", "from": "common",
 "tensor_parallel": [4, 8], "pipeline_parallel": [1, 2, 4], "zero_stage": [1], "schedule": ["1f1b", "interleaved"],
 "micro_batch": [1, 2], "recompute": ["none", "full"], "sequence_parallel": [true]})"};
    all["config.json"] = {
        R"({"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4,
 "num_key_value_heads": 2, "intermediate_size": 256, "vocab_size": 100, "tie_word_embeddings": true})",
        R"({"model_type": "deepseek_v3", "num_hidden_layers": 4, "hidden_size": 64, "num_attention_heads": 4,
 "intermediate_size": 256, "vocab_size": 100, "n_routed_experts": 8, "num_experts_per_tok": 2, "kv_lora_rank": 16,
 "moe_intermediate_size": 32, "qk_rope_head_dim": 8, "qk_nope_head_dim": 8, "v_head_dim": 16,
 "first_k_dense_replace": 1})",
        R"({"model_type": "mpt", "n_layers": 2, "d_model": 64, "n_heads": 4, "vocab_size": 100, "max_seq_len": 16,
 "expansion_ratio": 4, "no_bias": true, "attn_config": {"alibi": true, "kv_n_heads": 2}})",
        R"({"model_type": "newcomer", "num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4,
 "intermediate_size": 256, "vocab_size": 100, "rms_norm_eps": 1e-5, "hidden_act": "silu"})",
        R"({"l.0.attn.q_proj.weight": [64, 64], "l.0.attn.o_proj.weight": [64, 64], "l.0.norm.weight": [64],
 "l.0.mlp.up_proj.weight": {"shape": [256, 64]}, "l.0.mlp.down_proj.weight": [64, 256], "embed.weight": [1000, 64]})"};
    all["measured steps"] = {"step_s,gemm,data_parallel\n12.41,7.9,2.1\n12.39,7.9,2.0\n12.5,7.9,2.1\n",
                             "step_ms\tgemm\n12.41\t3\n12.2\t3\n"};
    all["training log"] = {
        "---- arguments ----\n  num_layers .......... 4\n  hidden_size ......... 64\n  num_attention_heads ... 4\n"
        " iteration 1/ 9 | elapsed time per iteration (ms): 9.5 | global batch size: 8 |\n iteration 2/ 9 | elapsed "
        "time per iteration (ms): 9.5 | global batch size: 8 |\n 80%|# | 4/5 [00:03<00:08, 1.2it/s]\n",
        "Config(a=B(tp=2, pp=1), tokens=T(sequence_length=64, micro_batch_size=2))\n[rank0]:[titan] step: 2 loss: 8 "
        "memory: 2.1GiB(2%)  tps: 9,120  mfu: 1%\n{\n"
        " \"train_batch_size\": 8,\n \"zero_optimization\": {\"stage\": 2}\n}\n"};
    all["sacct"] = {"JobID|Elapsed|NNodes|ConsumedEnergyRaw\n4711|1-00:02:00|2|7200\n4711.batch|00:02:00|2|7100\n",
                    "JobID|ConsumedEnergyRaw\n4711.0|7200\n4711.1|7100\n"};
    for (const auto& [file, text] : configurations()) {
        const std::string end = file.substr(file.rfind('.'));
        if (end == ".json") continue;   // DeepSpeed's alone states no model: it is refused
        all[end == ".yaml" ? "configuration in YAML" : end == ".toml" ? "configuration in TOML"
            : end == ".sh" ? "arguments" : end == ".py" ? "recipe in Python" : "configuration in JSON"].push_back(text);
    }
    for (const std::string& text : {trainer_yaml, axolotl_yaml, foundry_yaml, olmo_yaml,
                                    automodel_yaml, nanotron_yaml, maxtext_yaml, nemo_overrides})
        all["configuration in YAML"].push_back(text);
    all["configuration in JSON"].push_back(olmo_core_json);
    all["arguments"].push_back(trainer_script);
    for (const Knob& k : knobs()) all["setting"].push_back(k.id + "=" + format_value(k, k.low));
    return all;
}

}  // namespace

class MutatedFilesTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        presets_of_readers() = &library();
        for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGPROF}) std::signal(signal, tell_and_die);
    }
    void cleanupTestCase() { set_deadline(0); }

    void every_reader_answers_whatever_was_done_to_a_file_data() {
        QTest::addColumn<int>("reader");
        int number = 0;
        for (const ReaderOfFiles& r : readers_of_files()) QTest::newRow(r.name) << number++;
    }
    void every_reader_answers_whatever_was_done_to_a_file() {
        QFETCH(int, reader);
        const ReaderOfFiles& r = readers_of_files()[std::size_t(reader)];
        static const auto files = files_to_damage();
        QVERIFY(files.contains(r.name));
        const std::vector<std::string>& right = files.at(r.name);
        QVERIFY(!right.empty());
        for (const std::string& text : right) QVERIFY2(r.try_text(text), text.substr(0, 200).c_str());

        int taken = 0;
        const int count = campaign(1800) / int(readers_of_files().size());
        Mutator mutate{unsigned(1 + reader)};
        reader_of_now = r.name;
        for (int i = 0; i < count; ++i) {
            const std::string text = mutate(right[mutate.below(right.size())]);
            number_of_now = i, text_of_now = &text;
            set_deadline(most_seconds);
            try {
                taken += r.try_text(text);
            } catch (const std::exception& e) {
                QFAIL(qPrintable(QString("file %1: %2\n%3").arg(i).arg(e.what(),
                    QString::fromUtf8(text.data(), qsizetype(std::min<std::size_t>(text.size(), 3000))))));
            }
            set_deadline(0);
            text_of_now = nullptr;
        }
        rusage used{};
        ::getrusage(RUSAGE_SELF, &used);
#if !defined(__SANITIZE_ADDRESS__)
        QVERIFY2(used.ru_maxrss < most_memory, qPrintable(QString("%1 KiB").arg(used.ru_maxrss)));
#endif
        qInfo("%d files, %d of them accepted, at most %ld MiB", count, taken, used.ru_maxrss / 1024);
    }
};

PLIMSOLL_TEST(MutatedFilesTest)
#include "tst_mutated_files.moc"
