// Models whose layers are of several kinds: patterns, and parameters to the last digit of what was released.
#include "registered_test.h"

#include "core/files/presets/library.h"
#include "core/answers/campaign/headline.h"
#include "core/answers/plan/estimate.h"
#include "core/costs/kernels/data_parallel.h"
#include "core/costs/kernels/indexer.h"
#include "core/costs/kernels/layer.h"
#include "core/costs/kernels/products.h"
#include "core/costs/kernels/recurrence.h"
#include "core/costs/kernels/tensor.h"
#include "core/costs/memory/activations.h"
#include "core/costs/step/stage.h"
#include "core/files/presets/preset_json.h"
#include "core/files/presets/scenario_json.h"
#include "core/values/plan/kinds.h"
#include "core/values/plan/pattern.h"
#include "random_plans.h"
#include "scenarios.h"
#include "shipped.h"

#include <QElapsedTimer>
#include <QRandomGenerator>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

// Models that ship, and those of the folder tests/data/models, which are counted alone.
Model model_of(const std::string& id) {
    const std::string path = std::string(PLIMSOLL_TESTS_DIR) + "/data/models/" + id + ".json";
    const auto text = read_text(path);
    if (!text) return library().models.at(id);
    const auto read = read_model(*text, path);
    if (!read) qFatal("%s", say(read.error()).c_str());
    return read->model;
}

Model without_module(Model m) {
    m.further = {};
    return m;
}
Model with_module(Model m) {
    m.further.depths = std::max(1, m.further.depths);
    return m;
}

// FLOP of a token, both passes, without padding of the vocabulary.
double of_a_token(const Model& m, int sequence, FlopConvention convention) {
    return model_flop(m, 1, sequence, m.vocabulary, convention) / flop / sequence;
}

// Of these obstacles, the knobs that this reason was given for.
std::vector<std::string> knobs_of(const std::vector<Obstacle>& found, Reason reason) {
    std::vector<std::string> knobs;
    for (const Obstacle& o : found)
        if (o.reason == reason) knobs.push_back(o.knob);
    return knobs;
}

// GLM-5.2 on one device, and its layers with experts whose attention sees the keys of their own indexer, those of an
// earlier one, and all keys.
struct ChosenKeys {
    Scenario plan = gpt3_on_selene();
    LayerKind owner, borrower, all;
    explicit ChosenKeys(int sequence = 4096) {
        plan.model = model_of("glm-5.2");
        plan.layout.tensor_parallel = plan.layout.pipeline_parallel = plan.layout.virtual_stages = 1;
        plan.layout.sequence_parallel = false;
        plan.recipe.sequence_length = sequence;
        plan.stack.kernels.attention = Attention::flash;
        owner = plan.model.kinds[1];
        borrower = all = plan.model.kinds[2];
        all.index = Index::none;
    }
};

}  // namespace

class KindsTest : public QObject {
    Q_OBJECT

private slots:
    void patterns_are_written_out_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("letters");
        QTest::newRow("letters stand for themselves, and so does *") << "M-M*" << "M-M*";
        QTest::newRow("brackets repeat") << "(GGGA)x3" << "GGGAGGGAGGGA";
        QTest::newRow("brackets inside brackets") << "((ab)*2c)*2" << "ababcababc";
        QTest::newRow("a letter repeats, as in Megatron's layouts") << "Et*3|L" << "Ettt|L";
        QTest::newRow("commas and spaces mean nothing") << "E, t | t ,L" << "Et|tL";
        QTest::newRow("Megatron's layout of DeepSeek-V3 over 32 stages") << "Ettt|(tt|)*29,m|L"
            << "Ettt|" + QString("tt|").repeated(29) + "m|L";
        QTest::newRow("nothing") << "" << "";
    }
    void patterns_are_written_out() {
        QFETCH(QString, text);
        QFETCH(QString, letters);
        const auto all = expanded(text.toStdString(), 1000);
        QVERIFY(all.has_value());
        QCOMPARE(QString::fromStdString(*all), letters);
    }

    void letters_are_folded_where_they_repeat_data() {
        QTest::addColumn<QString>("letters");
        QTest::addColumn<QString>("text");
        QTest::newRow("all alike") << QString("D").repeated(32) << "Dx32";
        QTest::newRow("three and one, twelve times") << QString("GGGA").repeated(12) << "(GGGA)x12";
        QTest::newRow("Nemotron 3 Nano") << "MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME"
            << "(MEMEM*E)x5(ME)x3M*E(ME)x4";
        QTest::newRow("a first layer apart") << "D" + QString("E").repeated(60) << "DEx60";
        QTest::newRow("a pair that is written out as shortly") << "MM" << "MM";
        QTest::newRow("signs that also mean repeats") << "x*x*x*xxxx****" << "(x*)x3xx4*x4";
        QTest::newRow("nothing repeats") << "M-*E" << "M-*E";
        QTest::newRow("nothing") << "" << "";
    }
    void letters_are_folded_where_they_repeat() {
        QFETCH(QString, letters);
        QFETCH(QString, text);
        const std::string shown = folded(letters.toStdString());
        const auto again = expanded(shown, 1000);
        QVERIFY2(again && *again == letters.toStdString(), shown.c_str());
        QCOMPARE(QString::fromStdString(shown), text);
    }

    void what_is_folded_is_written_out_again() {
        QRandomGenerator random(7);
        for (int i = 0; i < 2000; ++i) {
            std::string letters;
            const int most = random.bounded(1, 80);
            while (int(letters.size()) < most) {
                std::string item(std::size_t(random.bounded(1, 5)), 'M');
                for (char& c : item) c = "ME*x"[random.bounded(4)];
                for (int n = random.bounded(1, 6); n > 0; --n) letters += item;
            }
            const auto again = expanded(folded(letters), letters.size());
            QVERIFY2(again && *again == letters, folded(letters).c_str());
        }
    }

    void ten_thousand_layers_are_folded_at_once() {
        QElapsedTimer clock;
        clock.start();
        QCOMPARE(folded(std::string(10000, 'M')), std::string("Mx10000"));
        QVERIFY(clock.elapsed() < 2000);
    }

    // Stating them changes no number.
    void kinds_may_be_stated_of_any_model_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("pattern");
        QTest::newRow("windows in every other layer") << "gpt-oss-20b" << "(eE)x12";
        QTest::newRow("windows in five of six") << "gemma3-27b" << "dd(ddddDd)x5(dddddD)x5";
        QTest::newRow("three dense layers first") << "deepseek-v3" << "Dx3Ex58";
        QTest::newRow("all alike") << "llama2-70b" << "Dx80";
    }
    void kinds_may_be_stated_of_any_model() {
        QFETCH(QString, id);
        QFETCH(QString, pattern);
        Scenario s = gpt3_on_selene();
        s.model = library().models.at(id.toStdString());
        const Model m = with_kinds_stated(s.model);
        QCOMPARE(QString::fromStdString(folded(m.pattern)), pattern);
        QVERIFY(faults_of_kinds(m).empty());
        QCOMPARE(parameters(m), parameters(s.model));
        QCOMPARE(model_flop(m, 1, 4096, m.vocabulary) / flop, model_flop(s.model, 1, 4096, m.vocabulary) / flop);
        QVERIFY(with_kinds_stated(m) == m);
        const auto again = read_model(write_model(m), "stated");
        QVERIFY(again && again->model == m);
    }

    void a_plan_with_other_kinds_is_read_again_data() {
        QTest::addColumn<Model>("preset");
        QTest::addColumn<Model>("edited");
        const Model qwen = model_of("qwen3-next-80b-a3b"), oss = library().models.at("gpt-oss-20b");
        Model wider = qwen;
        wider.kinds[0].recurrence.head_dim = 64;
        QTest::newRow("a kind of another size") << qwen << wider;
        Model more = qwen;
        more.kinds.push_back({.letter = 'W', .window = 512});
        QTest::newRow("a kind more") << qwen << with_pattern(more, "GGGW");
        QTest::newRow("another pattern") << qwen << with_pattern(qwen, "GAGAGA");
        QTest::newRow("kinds of a preset that has none") << oss << with_kinds_stated(oss);
        QTest::newRow("no kinds any more") << with_kinds_stated(oss) << oss;
        Model deeper = qwen;
        deeper.layers = 50;
        QTest::newRow("more layers than the pattern has letters") << qwen << deeper;
    }
    void a_plan_with_other_kinds_is_read_again() {
        QFETCH(Model, preset);
        QFETCH(Model, edited);
        Library mine = library();
        preset.id = edited.id = "mine";
        mine.models["mine"] = preset;
        Scenario s = gpt3_on_selene();
        s.model = edited;
        const auto read = read_scenario(write_scenario(s, mine), mine);
        QVERIFY2(read.has_value(), read ? "" : say(read.error()).c_str());
        const Model again = read->scenario.model;
        QCOMPARE(QString::fromStdString(letters_of(again)), QString::fromStdString(letters_of(edited)));
        QVERIFY(again.kinds == edited.kinds && again.window == edited.window);
        QCOMPARE(parameters(again), parameters(edited));
    }

    void faulty_patterns_of_a_model_are_sentences_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("said");
        QTest::newRow("a bracket that stays open") << "(GGGA"
            << "This is no pattern: an opening bracket without one that closes.";
        QTest::newRow("a letter that names no kind") << "GGGAQ" << "No kind of layer has the letter Q; there are G A.";
        QTest::newRow("nothing") << " " << "A pattern needs at least one letter.";
    }
    void faulty_patterns_of_a_model_are_sentences() {
        QFETCH(QString, typed);
        QFETCH(QString, said);
        const auto read = read_pattern(model_of("qwen3-next-80b-a3b"), typed.toStdString());
        QVERIFY(!read);
        QCOMPARE(QString::fromStdString(read.error()), said);
    }

    void faulty_patterns_say_what_is_wrong_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("reason");
        QTest::newRow("no closing bracket") << "(GG" << "an opening bracket without one that closes";
        QTest::newRow("no opening bracket") << "GG)" << "a closing bracket without one that opens";
        QTest::newRow("more layers than a model has") << "(GG)*99999999999999999999" << "more than 1000 letters";
        QTest::newRow("many brackets") << QString("(").repeated(500) << "brackets more than 8 deep";
    }
    void faulty_patterns_say_what_is_wrong() {
        QFETCH(QString, text);
        QFETCH(QString, reason);
        const auto all = expanded(text.toStdString(), 1000);
        QVERIFY(!all.has_value());
        QCOMPARE(QString::fromStdString(all.error()), reason);
    }

    // Totals of safetensors headers, or llama.cpp's count, as public files quote them.
    void parameters_are_those_released_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<bool>("module");
        QTest::addColumn<int>("tables");
        QTest::addColumn<double>("released");
        const auto row = [](const char* says, const char* id, bool module, double released, int tables = 0) {
            QTest::newRow(says) << QString(id) << module << tables << released;
        };
        row("Nemotron Nano 9B v2", "nemotron-nano-9b-v2", false, 8'888'227'328);
        row("Nemotron 3 Nano 4B", "nemotron-3-nano-4b", false, 3'973'556'832);
        row("Nemotron 3 Nano, with its router biases", "nemotron-3-nano-30b-a3b", false, 31'577'940'288);
        row("Nemotron 3 Super", "nemotron-3-super-120b-a12b", false, 120'668'707'840);
        row("Nemotron 3 Super with its module", "nemotron-3-super-120b-a12b", true, 123'611'033'088);
        row("Granite 4.0 H Small", "granite-4.0-h-small", false, 32'207'337'984);
        row("MiniMax-M1, the shape of MiniMax-Text-01", "minimax-text-01", false, 456'089'655'296);
        row("MiniMax-M2", "minimax-m2", false, 228'689'764'864);
        row("Qwen3-Next", "qwen3-next-80b-a3b", false, 79'674'391'296);
        row("Qwen3-Next with its module", "qwen3-next-80b-a3b", true, 81'324'862'720);
        row("Qwen3.5 35B, text part", "qwen3.5-35b-a3b", false, 34'660'610'688);
        row("OLMo 3 7B", "olmo3-7b", false, 7'298'011'136);
        row("OLMo 3 32B", "olmo3-32b", false, 32'233'522'176);
        row("Gemma 3 27B, text part", "gemma3-27b", false, 27'009'346'304);
        row("DeepSeek-V3", "deepseek-v3", false, 671'026'419'200);
        row("Kimi K2, as released", "kimi-k2-1t", false, 1'026'408'232'448);
        row("GLM-4.5-Air", "glm4.5-air", false, 106'852'251'264);
        row("Qwen3-Coder 480B", "qwen3-coder-480b-a35b", false, 480'154'875'392);
        row("Qwen3.5 397B, text part", "qwen3.5-397b-a17b", false, 396'346'350'336);
        row("Qwen3.5 122B, text part", "qwen3.5-122b-a10b", false, 122'111'526'912);
        row("Qwen3.5 27B, text part", "qwen3.5-27b", false, 26'895'998'464);
        row("Qwen3.5 9B, text part", "qwen3.5-9b", false, 8'953'803'264);
        row("GLM-4.7-Flash", "glm4.7-flash", false, 29'943'393'920);
        row("Trinity Nano", "trinity-nano-6b", false, 6'120'003'328);
        row("Trinity Large", "trinity-large-398b", false, 398'635'286'016);
        row("Gemma 4 31B, text part", "gemma4-31b", false, 30'697'345'280);
        row("Gemma 4 E2B, text part: 4,647,449,891 less keys that no layer reads and 35 scales", "gemma4-e2b", false,
            4'647'449'891 - 18'880'512 - 35);
        row("Gemma 4 E4B, text part: llama.cpp's count less 42 scales and 256 frequencies", "gemma4-e4b", false,
            7'463'013'674 - 42 - 256);
        row("Zamba2 1.2B: one transformer layer used six times", "zamba2-1.2b", false, 1'215'064'704);
        row("Granite 4.0 H Micro", "granite-4.0-h-micro", false, 3'191'396'096);
        row("Seed-OSS 36B", "seed-oss-36b", false, 36'151'104'512);
        row("EXAONE 4.0 32B", "exaone4-32b", false, 32'003'216'384);
        row("dots.llm1", "dots.llm1", false, 142'774'381'696);
        row("Hunyuan-A13B", "hunyuan-a13b", false, 80'393'183'232);
        row("DeepSeek-V3 with its module, tables once", "deepseek-v3-mtp", true, 684'489'845'504 - 1'853'358'080);
        row("GLM-4.5 with its module, tables once", "glm4.5-mtp", true, 358'337'791'296 - 1'551'892'480);
        row("GLM-4.5-Air with its module, tables once", "glm4.5-air-mtp", true, 110'468'824'832 - 1'241'513'984);
        row("gpt-oss 20B", "gpt-oss-20b", false, 20'914'757'184);
        row("gpt-oss 120B", "gpt-oss-120b", false, 116'829'156'672);
        row("GLM-5", "glm-5", false, 743'911'218'432);
        row("GLM-5 with its module", "glm-5", true, 753'864'139'008);
        row("GLM-5.2 with its module, 57 layers without an indexer", "glm-5.2", true, 753'329'940'480);
        // What is released of these holds embedding and head once more, with the module.
        row("DeepSeek-V3 with its module", "deepseek-v3", true, 684'489'845'504, 2);
        row("DeepSeek-V3.2 with its module", "deepseek-v3.2", true, 685'355'329'792, 2);
        row("GLM-4.5-Air with its module", "glm4.5-air", true, 110'468'824'832, 2);
        // Three tables of hashes are among the released tensors.
        row("DeepSeek-V4 Flash with its module", "deepseek-v4-flash", true, 290'944'616'402);
        row("DeepSeek-V4 Pro with its module", "deepseek-v4-pro", true, 1'598'839'674'782);
    }
    void parameters_are_those_released() {
        QFETCH(QString, id);
        QFETCH(bool, module);
        QFETCH(int, tables);
        QFETCH(double, released);
        const Model m = model_of(id.toStdString());
        QCOMPARE(parameters(module ? with_module(m) : without_module(m))
                     + tables * embedding_parameters(m, m.vocabulary), released);
    }

    // Labels as they were announced, and released indexes to five digits.
    void parameters_are_near_the_label_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<double>("label");
        QTest::addColumn<double>("within");
        const auto row = [](const char* id, double label, double within) {
            QTest::newRow(id) << QString(id) << label << within;
        };
        row("nemotron-h-8b", 8.101e9, 1e-4);
        row("nemotron-h-47b", 47e9, 0.01);
        row("nemotron-h-56b", 56e9, 0.01);
        row("nemotron-nano-12b-v2", 12.31e9, 1e-4);
        row("bamba-9b", 9.780e9, 1e-4);
        // Sizes of the released files over two bytes.
        row("zamba2-2.7b", (4.94e9 + 0.384e9) / 2, 1e-3);
        row("zamba2-7b", (4.81e9 + 4.97e9 + 4.93e9) / 2, 1e-3);
        row("granite-4.0-h-tiny", 7e9, 0.01);
        row("falcon-h1-34b", 33.643e9, 1e-4);
        row("falcon-h1-3b", 3.149e9, 1e-3);
        row("olmo-hybrid-7b", 7.43e9, 1e-3);
        row("kimi-linear-48b-a3b", 49.123e9, 1e-4);
        row("kimi-k3", 2.78e12, 1e-3);
        row("moonlight-16b-a3b", 15.96e9, 1e-4);
    }
    void parameters_are_near_the_label() {
        QFETCH(QString, id);
        QFETCH(double, label);
        QFETCH(double, within);
        const double ours = parameters(without_module(model_of(id.toStdString())));
        QVERIFY2(std::abs(ours / label - 1) <= within, qPrintable(QString::number(ours, 'f', 0)));
    }

    // Released weights of Kimi K3's routed experts, which are packed apart from the rest.
    void routed_experts_of_kimi_k3() {
        const ParameterCounts all = grouped_parameters(model_of("kimi-k3")).all;
        QCOMPARE(all[ParameterGroup::routed], 2'722'740'830'208.0);
    }

    // GFLOP of a token, both passes: model TFLOP/s over tokens per second of Megatron-Bridge's tables
    // (docs/performance-summary.md of 26.08 and its archive of 26.06 and 26.04).
    void published_rates_count_this_work_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<int>("sequence");
        QTest::addColumn<int>("depths");
        QTest::addColumn<double>("published");
        QTest::addColumn<double>("within");
        const auto row = [](const char* says, const char* id, int sequence, int depths, double teraflops, double tokens,
                            double within = 1e-3) {
            QTest::newRow(says) << QString(id) << sequence << depths << 1e3 * teraflops / tokens << within;
        };
        row("DeepSeek-V3 with its module", "deepseek-v3", 4096, 1, 1635, 6288);
        row("Qwen3 235B", "qwen3-235b-a22b", 4096, 0, 1335, 9015);
        row("gpt-oss 120B, a window in half of the layers", "gpt-oss-120b", 4096, 0, 1077, 33024);
        row("Kimi K2", "kimi-k2-1t", 4096, 0, 1099, 5372);
        row("Nemotron 3 Nano, its Mamba-2 counted too wide", "nemotron-3-nano-30b-a3b", 8192, 0, 885, 39749);
        row("Nemotron 3.5 Lightning, two further tokens", "nemotron-3-nano-30b-a3b", 8192, 2, 807, 28672);
        row("Nemotron 3 Super, two further tokens", "nemotron-3-super-120b-a12b", 8192, 2, 839, 9900);
        row("Nemotron 3 Ultra, tokens rounded", "nemotron-3-ultra-550b-a55b", 8192, 2, 1281, 3552, 5e-3);
    }
    void published_rates_count_this_work() {
        QFETCH(QString, id);
        QFETCH(int, sequence);
        QFETCH(int, depths);
        QFETCH(double, published);
        QFETCH(double, within);
        Model m = model_of(id.toStdString());
        if (depths == 2) m.further.pattern = "*E";
        m.further.depths = depths;
        const double ours = of_a_token(m, sequence, FlopConvention::megatron) / 1e9;
        QVERIFY2(std::abs(ours / published - 1) <= within, qPrintable(QString::number(ours, 'f', 2)));
    }

    void conventions_of_flop_differ_by_what_they_say() {
        const int s = 8192;
        const Model m = without_module(model_of("nemotron-3-nano-30b-a3b"));
        const double full = of_a_token(m, s, FlopConvention::full), causal = of_a_token(m, s, FlopConvention::causal);
        QVERIFY(std::abs((full - causal) / (3 * attention_core_flop(m, 1, s) / flop / s / 2) - 1) < 1e-12);
        QVERIFY(std::abs(causal / 20.77e9 - 1) < 1e-3);
        // 23 layers of 2 x 2688 instead of 4096, in three projections and a state of 128.
        const double wider = 3.0 * 23 * (2 * 2688 - 4096) * (6 * 2688 + 7 * 128);
        QVERIFY(std::abs((of_a_token(m, s, FlopConvention::megatron) - causal) / wider - 1) < 1e-12);
        // A transformer without a state is counted as it is.
        const Model plain = model_of("deepseek-v3");
        QCOMPARE(of_a_token(plain, s, FlopConvention::megatron), of_a_token(plain, s, FlopConvention::causal));
        QCOMPARE(model_flop(plain, 8, s, plain.vocabulary, FlopConvention::full) / flop,
                 model_flop(plain, 8, s, plain.vocabulary) / flop);
    }

    void a_rate_says_what_it_counts() {
        const Scenario s = gpt3_on_selene();
        const auto e = estimate(s);
        QVERIFY(e.has_value());
        const Headline h = headline(s, *e);
        QCOMPARE(rate_by(FlopConvention::full, s, *e).mfu, h.mfu);
        QCOMPARE(rate_by(FlopConvention::full, s, *e).per_device / h.per_device, 1.0);
        const double causal = rate_by(FlopConvention::causal, s, *e).mfu;
        QVERIFY(causal < h.mfu && causal > 0.9 * h.mfu);
    }

    void what_a_file_says_is_written_again_data() {
        QTest::addColumn<QString>("id");
        for (const char* id : {"nemotron-3-super-120b-a12b", "qwen3-next-80b-a3b", "falcon-h1-34b", "kimi-k3",
                               "glm-5.2", "deepseek-v4-flash", "zamba2-1.2b", "gemma4-e2b"})
            QTest::newRow(id) << QString(id);
    }
    void what_a_file_says_is_written_again() {
        QFETCH(QString, id);
        const Model m = model_of(id.toStdString());
        const std::string text = write_model(m);
        QVERIFY(text.find("\"version\": 2") != text.npos);
        const auto again = read_model(text, "written");
        QVERIFY(again.has_value());
        QVERIFY(again->model == m);
        QVERIFY(write_model(library().models.at("gpt-oss-20b")).find("\"version\": 1") != std::string::npos);
    }

    void faulty_kinds_are_refused_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("reason");
        QTest::newRow("a letter that names no kind") << "\"GGGAG" << "\"GGGQG"
            << "expected the letters of the kinds: G A";
        QTest::newRow("more letters than layers") << "\"layers\": 48" << "\"layers\": 47" << "48 letters";
        QTest::newRow("no kinds to the pattern") << "\"kinds\"" << "\"kinder\"" << "both or neither";
        QTest::newRow("a state without heads") << "\"heads\": 32" << "\"heads\": 0" << "recurrence needs heads";
        QTest::newRow("key heads that do not divide heads") << "\"key_heads\": 16" << "\"key_heads\": 15"
            << "found 15, expected a divisor of heads 32";
        QTest::newRow("a mixer that is not known") << "gated_delta" << "retention" << "expected";
        QTest::newRow("attention beside a mixer with a state, the wrong way round") << "\"feed\": \"experts\""
            << "\"feed\": \"experts\", \"beside\": \"attention\"" << "expected a mixer with a state";
        QTest::newRow("one letter for two kinds") << "\"letter\": \"A\"" << "\"letter\": \"G\""
            << "another kind has the letter G";
        QTest::newRow("two letters for one kind") << "\"letter\": \"G\"" << "\"letter\": \"GG\"" << "expected";
    }
    void faulty_kinds_are_refused() { refuse("qwen3-next-80b-a3b"); }

    void faulty_indexers_are_refused_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("reason");
        QTest::newRow("nobody to borrow from") << "\"DDDBBBI" << "\"BDDBBBI" << "no layer before it has one";
        QTest::newRow("not over latent vectors") << "\"latent\"" << "\"talent\"" << "needs latent attention";
        QTest::newRow("no keys") << "\"top_k\": 2048" << "\"top_k\": 0" << "needs head_dim and top_k";
    }
    void faulty_indexers_are_refused() { refuse("glm-5.2"); }

private:
    void refuse(const std::string& id) {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, reason);
        QString text = QString::fromStdString(write_model(model_of(id)));
        QVERIFY(text.contains(from));
        text.replace(text.indexOf(from), from.size(), to);
        const auto read = read_model(text.toStdString(), "faulty");
        QVERIFY(!read.has_value());
        const std::string said = say(read.error());
        QVERIFY2(said.find(reason.toStdString()) != said.npos, said.c_str());
    }

private slots:
    void what_has_no_known_cost_is_refused_by_name() {
        Scenario s = gpt3_on_selene();
        s.model = model_of("deepseek-v4-flash");
        const auto e = estimate(s);
        QVERIFY(!e.has_value());
        const std::vector<std::string> expected{"model.compressed_attention", "model.streams"};
        QCOMPARE(knobs_of(e.error(), Reason::not_modelled), expected);
    }

    // ---- Weights of several layers at once

    // In Zamba2 2.7B, of 54 Mamba-2 layers nine have one of two transformer layers in front: queries, keys, values,
    // output and feed-forward matrices from streams of 2,560, and each time an adapter of 128 and a product of its own.
    void shared_weights_work_in_every_layer() {
        const double h = 2560, mamba = h * (2 * 5120 + 2 * 64 + 80) + 5120 * h;
        const double block = 3 * 5120 * 5120 + 5120 * h + 3 * h * 10240, own = 128 * (h + 2 * 10240) + h * h;
        const Model m = model_of("zamba2-2.7b");
        QCOMPARE(matrix_parameters(m), 54 * mamba + 9 * (block + own));
        const ParameterCounts all = grouped_parameters(m).all;
        QCOMPARE(all[ParameterGroup::matrices] + all[ParameterGroup::packed], 54 * mamba + 2 * block + 9 * own);
    }

    void every_stage_holds_shared_weights_once() {
        Scenario s = gpt3_on_selene();
        s.model = model_of("zamba2-2.7b");
        s.layout.tensor_parallel = 1;
        s.layout.virtual_stages = 1;
        const auto held = [&](int stages) {
            s.layout.pipeline_parallel = stages;
            s.layout.schedule = usual_schedule(stages);
            const Work w(s);
            double sum = 0;
            for (int i = 0; i < stages; ++i) sum += stage_parameters(w, i).all.total();
            return sum;
        };
        const double shared = kind_parameters(s.model, s.model.kinds[1]).shared.all.total();
        const double all = parameters(s.model) - s.model.hidden;   // the last norm belongs to no stage
        const double table = embedding_parameters(s.model, s.model.vocabulary);
        QCOMPARE(shared, 170'401'280.0);
        QCOMPARE(held(1), all);
        QCOMPARE(shared_weights_time(s) / second, 0.0);
        // Two stages have both layers each, and the tied table.
        QCOMPARE(held(2), all + 2 * shared + table);
        QVERIFY(shared_weights_time(s) > tied_embedding_time(s));
        // On seven stages of nine layers no two of the nine uses of a layer share a stage.
        QCOMPARE(held(7), all + 7 * shared + table);
    }

    void stages_send_the_embedding_where_a_layer_reads_it() {
        Scenario s = gpt3_on_selene();
        s.model = model_of("zamba2-2.7b");
        const Bytes both = stage_payload(s);
        for (LayerKind& k : s.model.kinds) k.shared.reads_embedding = false;
        QCOMPARE(both / byte, 2 * stage_payload(s) / byte);
    }

    // Elements of a token: stream and embedding go into attention and its norm, 2 h each instead of h.
    void shared_layers_keep_what_any_layer_keeps() {
        Scenario s = gpt3_on_selene();
        s.model = model_of("zamba2-2.7b");
        s.layout.tensor_parallel = 1;
        const Work w(s);
        LayerKind block = s.model.kinds[1];
        const Bytes all = layer_activations(w, block).total();
        block.shared.adapter_rank = 0;
        const Bytes without_adapter = layer_activations(w, block).total();
        QCOMPARE((all - without_adapter) / byte / w.tokens, 2.0 * 128);
        block.shared = {};
        QCOMPARE((without_adapter - layer_activations(w, block).total()) / byte / w.tokens, 2.0 * 3 * 2560);
    }

    // Other tests hold these to what they hold all drawn plans to.
    void drawn_plans_share_weights_and_borrow_keys() {
        int shared = 0, on_stages = 0, borrowed = 0, both = 0;
        for (const Scenario& s : random_plans(3000)) {
            const auto some = [&](auto is) { return has_pattern(s.model) && std::ranges::any_of(s.model.kinds, is); };
            const bool shares = some([](const LayerKind& k) { return k.shared.on; });
            const bool borrows = some([](const LayerKind& k) { return k.keys == Keys::borrowed; });
            const bool one = some([](const LayerKind& k) { return k.keys_are_values; });
            if ((!shares && !borrows && !one) || !estimate(s)) continue;
            shared += shares;
            on_stages += shares && carries_embedding(s.model) && s.layout.pipeline_parallel > 1;
            borrowed += borrows;
            both += one;
        }
        QVERIFY2(shared > 3 && on_stages > 0 && borrowed > 0 && both > 3,
                 qPrintable(QString("%1 %2 %3 %4").arg(shared).arg(on_stages).arg(borrowed).arg(both)));
    }

    // ---- Keys of earlier layers

    void a_borrower_projects_and_keeps_queries_alone() {
        Scenario s = gpt3_on_selene();
        s.model = model_of("gemma4-e2b");
        s.layout.tensor_parallel = 1;
        s.layout.sequence_parallel = false;
        s.stack.memory.eager_layers = false;
        const Work w(s);
        LayerKind lends{.letter = 'L', .keys = Keys::lent}, borrows = lends, plain = lends;
        borrows.keys = Keys::borrowed;
        plain.keys = Keys::own;
        const auto projected = [&](const LayerKind& k) {
            for (const Gemm& g : layer_gemms(w, k))
                if (g.id == std::string_view("qkv")) return g.n;
            return 0.0;
        };
        QCOMPARE(projected(borrows), 8.0 * 512);
        QCOMPARE(projected(plain), 10.0 * 512);
        QCOMPARE(projected(lends), 10.0 * 512);
        const Bytes keys = layer_activations(w, plain).total() - layer_activations(w, borrows).total();
        QCOMPARE(keys / byte / w.tokens, 2.0 * 2 * 512);
        // What a layer lends is there when those that read it are recomputed.
        QCOMPARE(layer_activations(w, lends).total() / byte, layer_activations(w, plain).total() / byte);
        QCOMPARE((layer_activations(w, lends).always - layer_activations(w, plain).always) / byte / w.tokens,
                 2.0 * 2 * 512);
        const auto core = [&](const LayerKind& k) { return attention_core_flop(s.model, k, 1, 4096) / flop; };
        QCOMPARE(core(borrows), core(plain));
        plain.keys_are_values = true;
        QCOMPARE(projected(plain), 9.0 * 512);
        QCOMPARE(layer_activations(w, plain).total() / byte, layer_activations(w, lends).total() / byte);
    }

    // The last 20 of 35 layers of Gemma 4 E2B read the keys of the 14th and the 15th.
    void keys_do_not_cross_stages_data() {
        QTest::addColumn<int>("stages");
        QTest::addColumn<bool>("refused");
        QTest::newRow("one stage") << 1 << false;
        QTest::newRow("five of seven layers") << 5 << true;
    }
    void keys_do_not_cross_stages() {
        QFETCH(int, stages);
        QFETCH(bool, refused);
        Scenario s = gpt3_on_selene();
        s.model = model_of("gemma4-e2b");
        s.model.per_layer_embedding = 0;
        s.layout.virtual_stages = 1;
        s.layout.pipeline_parallel = stages;
        const auto e = estimate(s);
        const bool found = !e && std::ranges::find(e.error(), "model.kinds.keys", &Obstacle::of) != e.error().end();
        QCOMPARE(found, refused);
    }

    void embeddings_of_every_layer_are_refused_by_name() {
        Scenario s = gpt3_on_selene();
        s.model = model_of("gemma4-e2b");
        const auto e = estimate(s);
        QVERIFY(!e.has_value());
        QCOMPARE(knobs_of(e.error(), Reason::not_modelled), std::vector<std::string>{"model.per_layer_embedding"});
    }

    void faulty_keys_and_shares_are_refused_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("reason");
        QTest::newRow("nobody lends") << "gemma4-e2b" << "\"keys\": \"lent\"" << "\"keys\": \"own\""
            << "no layer before it with such a window lends";
        QTest::newRow("adapters of weights that are not shared") << "zamba2-2.7b" << "\"on\": true" << "\"on\": false"
            << "needs on";
        QTest::newRow("keys of latent attention") << "glm-5.2" << "\"index\": \"borrowed\""
            << "\"keys_are_values\": true" << "not over latent vectors";
    }
    void faulty_keys_and_shares_are_refused() {
        QFETCH(QString, id);
        refuse(id.toStdString());
    }

    // Layers 1, 2, 3, 7, 11, ... of GLM-5.2 have an indexer; of 78 layers on two stages the 40th is the second one's
    // first.
    void no_stage_begins_with_a_borrowed_index_data() {
        QTest::addColumn<int>("stages");
        QTest::addColumn<bool>("refused");
        QTest::newRow("one stage") << 1 << false;
        QTest::newRow("two of 39 layers") << 2 << true;
        QTest::newRow("13 of 6 layers") << 13 << true;
    }
    void no_stage_begins_with_a_borrowed_index() {
        QFETCH(int, stages);
        QFETCH(bool, refused);
        Scenario s = ChosenKeys().plan;
        s.layout.pipeline_parallel = stages;
        const auto e = estimate(s);
        const bool found =
            !e && std::ranges::find(e.error(), "model.kinds.index", &Obstacle::of) != e.error().end();
        QCOMPARE(found, refused);
    }

    // FLOP of a token and layer of DeepSeek-V3.2 in a sequence of 128 Ki tokens: scores of 64 heads of 128 for every
    // key before it, and 128 heads over 2,032 keys in the mean, 512 + 64 elements to score one and 512 to add it up.
    void an_indexer_scores_all_keys_and_attention_sees_the_best() {
        const Model m = model_of("deepseek-v3.2");
        const int s = 131072;
        LayerKind borrower = expert_layer;
        borrower.index = Index::borrowed;
        const auto causal = [&](const LayerKind& k) { return attention_core_flop(m, k, 1, s) / flop / s / 2; };
        const double seen = 2048 - 2048.0 * 2048 / (2 * s);
        const double core = 2.0 * 128 * (512 + 64 + 512) * seen, index = 2.0 * 64 * 128 * (s / 2);
        QVERIFY(std::abs(causal(borrower) / core - 1) < 1e-12);
        QVERIFY(std::abs(causal(expert_layer) / (core + index) - 1) < 1e-12);
        // Fewer tokens than an indexer chooses: attention sees all.
        QCOMPARE(score_density(m, borrower, 2048), 1.0);
        QVERIFY(leaves_out_scores(m, 4096));
    }

    void time_of_chosen_keys() {
        const ChosenKeys near(4096), far(131072);
        const auto forward = [](const ChosenKeys& c, const LayerKind& k) { return layer_time(c.plan, k).forward; };
        QVERIFY(forward(near, near.owner).attention > forward(near, near.borrower).attention);
        QVERIFY(forward(near, near.owner).gemm > forward(near, near.borrower).gemm);
        // Over a long sequence an indexer saves most of the attention, and a borrowed choice most of the rest.
        QVERIFY(2 * forward(far, far.owner).attention < forward(far, far.all).attention);
        QVERIFY(2 * forward(far, far.borrower).attention < forward(far, far.owner).attention);
    }

    void every_tensor_rank_runs_the_whole_indexer() {
        ChosenKeys c;
        const auto index = [&] {
            std::vector<double> work;
            for (const Gemm& g : layer_gemms(c.plan, c.owner))
                if (std::string_view(g.id).starts_with("index_")) work.push_back(flop_of(g) / flop);
            return work;
        };
        const std::vector<double> alone = index();
        QCOMPARE(alone.size(), std::size_t(2));
        c.plan.layout.tensor_parallel = 8;
        c.plan.layout.sequence_parallel = true;
        QCOMPARE(index(), alone);
        // It gathers its inputs, and adds up what the heads of all ranks looked at.
        QVERIFY(layer_tensor_time(c.plan, c.owner).forward > layer_tensor_time(c.plan, c.borrower).forward);
        QCOMPARE(layer_tensor_time(c.plan, c.owner).backward / second,
                 layer_tensor_time(c.plan, c.borrower).backward / second);
    }

    // 512 + 64 elements of a latent key, and 128 of the indexer's, of all tokens of a sequence.
    void context_ranks_gather_the_keys() {
        ChosenKeys c;
        c.plan.layout.context_parallel = 4;
        for (const ContextMode mode : {ContextMode::ring, ContextMode::ulysses}) {
            c.plan.layout.context_mode = mode;
            const Work w(c.plan);
            QCOMPARE(gathered_keys(w, c.owner) / byte, 4 * w.tokens * 2 * (512 + 64 + 128));
            QCOMPARE(gathered_keys(w, c.borrower) / byte, 4 * w.tokens * 2 * (512 + 64));
            QCOMPARE(layer_time(w, c.owner).forward.context / second,
                     all_gather(w.context_ranks(), gathered_keys(w, c.owner)).time / second);
        }
    }

    // Queries, key and weights of 32 heads of 128 in 16 bit; of each of 2,048 keys its place and the target.
    void an_indexer_keeps_what_it_learns_from() {
        const ChosenKeys c;
        const Work w(c.plan);
        const Bytes more = layer_activations(w, c.owner).total() - layer_activations(w, c.borrower).total();
        QCOMPARE(more / byte / w.tokens, 2.0 * (32 * 128 + 128 + 32) + 2048 * (4 + 4));
    }

    // Mamba-2 with kernels that compute the convolution again, and the delta rule of flash-linear-attention: elements
    // of two bytes, decay in fp32.
    void a_mixer_with_a_state_keeps_what_its_kernels_save_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<double>("bytes");
        QTest::newRow("Nemotron 3 Nano, Mamba-2") << "nemotron-3-nano-30b-a3b"
            << 2.0 * (2 * 2688 + (2 * 4096 + 2 * 8 * 128 + 64) + 2 * 4096) + 4 * 8;
        QTest::newRow("Qwen3-Next, Gated DeltaNet") << "qwen3-next-80b-a3b"
            << 2.0 * (2 * 2048 + (2 * 2048 + 2 * 4096 + 2 * 32) + (2 * 2048 + 4096) + 2 * 4096 + 64 * 32) + 8 * 32;
    }
    void a_mixer_with_a_state_keeps_what_its_kernels_save() {
        QFETCH(QString, id);
        QFETCH(double, bytes);
        Scenario s = gpt3_on_selene();
        s.model = model_of(id.toStdString());
        s.layout.tensor_parallel = 1;
        s.layout.sequence_parallel = false;
        LayerKind alone = s.model.kinds.front();
        alone.feed = Feed::none;
        const Work w(s);
        QCOMPARE(layer_activations(w, alone).total() / byte / w.tokens, bytes);
    }

    void ranks_split_the_state_by_heads() {
        Scenario s = gpt3_on_selene();
        s.model = model_of("nemotron-3-nano-30b-a3b");
        s.layout.sequence_parallel = false;
        s.layout.tensor_parallel = 1;
        const LayerKind mamba = s.model.kinds.front();
        const Bytes whole = state_pass_bytes(s, mamba);
        const StateTime alone = state_time(s, mamba, rates_of(s));
        s.layout.tensor_parallel = 8;
        QCOMPARE(8 * state_pass_bytes(s, mamba) / byte, whole / byte);
        QVERIFY(state_time(s, mamba, rates_of(s)).backward < alone.backward);
        QVERIFY(alone.backward > 2 * alone.forward);
    }

    // The module of a further token stands behind the last layer of the last stage.
    void a_module_is_on_the_stage_of_the_loss() {
        Scenario with = gpt3_on_selene();
        with.model = model_of("qwen3-next-80b-a3b");
        with.layout.pipeline_parallel = 4;
        with.layout.virtual_stages = 1;
        Scenario without = with;
        without.model.further = {};
        const Work a(with), b(without);
        for (int i = 0; i < 3; ++i) {
            QVERIFY(a.stage(i).layers == b.stage(i).layers);
            QCOMPARE(a.stage(i).parameters.all.total(), b.stage(i).parameters.all.total());
        }
        QCOMPARE(a.stage(3).layers.total(), b.stage(3).layers.total() + 1);
        const double copy = table_share(with).all.total();   // the embedding, which stands on the first stage
        const double module = of_one_rank(with, module_parameters(with.model)).all.total();
        QCOMPARE(a.stage(3).parameters.all.total(), b.stage(3).parameters.all.total() + module + copy);
        const auto slower = stage_times(a), faster = stage_times(b);
        QVERIFY(slower[3].forward > faster[3].forward);
        QCOMPARE(slower[2].forward / second, faster[2].forward / second);
    }
};

PLIMSOLL_TEST(KindsTest)
#include "tst_kinds.moc"
