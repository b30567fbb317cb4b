// Published runs of fine-tuning: what their records say, how far predictions of them are off, how much faster adapters
// are than all of the model, and whose errors judge a plan that tunes.
#include "registered_test.h"

#include "core/evidence/published/band.h"
#include "core/evidence/published/likeness.h"
#include "core/evidence/published/suited.h"
#include "core/files/results/published_runs.h"
#include "shipped.h"

#include <cmath>

using namespace plimsoll;

namespace {

const ScoredRow& timed(const std::string& id) {
    for (const ScoredRow& r : shipped_score().rows)
        if (r.id == id) return r;
    qFatal("no row %s", id.c_str());
}

std::vector<double> errors_of(const std::vector<ScoredRow>& rows, const std::string& source) {
    std::vector<double> all;
    for (const ScoredRow& r : rows)
        if (r.source == source && r.excluded.empty() && tunes(r.plan.method)) all.push_back(r.error);
    return all;
}

double mean_size(const std::vector<double>& errors) {
    double sum = 0;
    for (const double e : errors) sum += std::abs(e);
    return errors.empty() ? 1 : sum / double(errors.size());
}

// Tokens of a device and second of the first over those of the second, as published and as predicted.
struct Ratio {
    double published, predicted;
};
double share_of_tokens(const ScoredRow& r) {   // device seconds a token, in units of the measured ones
    return r.plan.layout.devices / (double(r.plan.recipe.global_batch_sequences) * r.plan.recipe.sequence_length);
}
Ratio ratio(const std::string& faster, const std::string& slower) {
    const ScoredRow &a = timed(faster), &b = timed(slower);
    const double published = b.measured * share_of_tokens(b) / (a.measured * share_of_tokens(a));
    return {published, published * (1 + b.error) / (1 + a.error)};
}

// The faster of two runs that a source measured alike but for what is trained. `of_all`: the slower trains all.
struct Pair {
    std::string faster, slower;
    bool of_all = false;
    std::string source() const { return faster.substr(0, faster.find('/')); }
};
const std::vector<Pair>& pairs() {
    static const std::vector<Pair> all = [] {
        std::vector<Pair> list{
            {"torchtune-lora/llama3.1-8b-lora-4090", "torchtune/8b-4090", true},
            {"torchtune-lora/llama3.2-3b-lora-step8", "torchtune/3b-adam8bit", true},
            {"torchtune-lora/llama3.1-8b-lora-4090", "torchtune-lora/llama3.1-8b-qlora-4090"},
            {"torchtune-lora/llama3.2-3b-lora-step8", "torchtune-lora/llama3.2-3b-qlora-step9"},
        };
        for (const char* on : {"gb300-fp8", "gb300-mxfp8", "gb200-fp8", "gb200-mxfp8", "h100-fp8"})
            list.push_back({std::string("mbridge-finetune/llama3-70b-lora-") + on,
                            std::string("mbridge-finetune/llama3-70b-full-") + on, true});
        for (const char* size : {"1.8b", "7b", "14b"})
            for (const int length : {256, 512, 1024, 2048, 4096, 8192}) {
                const std::string model = std::string("qwen-finetune/qwen-") + size,
                                  tokens = '-' + std::to_string(length);
                const Pair tables{model + "-lora" + tokens, model + "-lora-tables" + tokens};
                if (timed(tables.slower).measured > timed(tables.faster).measured) list.push_back(tables);
                if (size == std::string("1.8b") || (size == std::string("7b") && length <= 1024))
                    list.push_back({model + "-lora" + tokens, model + "-full" + tokens, true});
                // Of long rows all of the smallest model was trained faster than adapters.
                if (Pair& p = list.back(); ratio(p.faster, p.slower).published < 1) std::swap(p.faster, p.slower);
            }
        return list;
    }();
    return all;
}

Trial trial(const char* source, const char* stack, const char* device, double error, Purpose purpose,
            Trained trained = Trained::all) {
    Trial t{{stack, device}, source, error};
    t.kind.purpose = purpose;
    t.kind.trained = trained;
    return t;
}

Scenario tuned(Scenario s, Trained trained) {
    s.method.purpose = Purpose::finetune;
    s.method.trained = trained;
    return s;
}

bool told(const Band& b, const std::string& words) {
    for (const std::string& sentence : b.beyond)
        if (sentence.find(words) != std::string::npos) return true;
    return false;
}

const char* const one_row = R"([{"id": "a/b", "use": "score", "source": {"title": "t", "provenance": "verified"},
    "model": {"name": "m", "arch": "llama"}, "machine": {"device": "d"}, "layout": {"framework": "f"},
    "measured": {"iteration_s": 1}, "method": METHOD}])";

std::string row_with(const std::string& method) {
    std::string text = one_row;
    return text.replace(text.find("METHOD"), 6, method);
}

}  // namespace

class FinetuneRowsTest : public QObject {
    Q_OBJECT

private slots:
    void a_record_says_its_method_as_a_plan_does() {
        const auto read = read_published_rows(row_with(R"({"purpose": "finetune", "trained": "adapters", "rank": 8,
            "adapted": {"k_proj": false}, "frozen": "nf4"})"), "stem");
        QVERIFY(bool(read));
        const Method& m = read->front().method;
        QVERIFY(trains_adapters(m) && m.rank == 8 && m.frozen == FrozenFormat::nf4);
        QVERIFY(!m.adapted.key && m.adapted.query);
    }
    void a_record_without_a_method_pretrains() {
        const auto read = read_published_rows(row_with("null"), "stem");
        QVERIFY(read && read->front().method == Method{});
    }
    void a_method_that_cannot_be_read_is_told_with_its_place_data() {
        QTest::addColumn<QString>("method");
        QTest::addColumn<QString>("place");
        QTest::newRow("a word, which only memory cases may say") << "\"lora\"" << "/0/method";
        QTest::newRow("an unknown purpose") << R"({"purpose": "distil"})" << "/0/method/purpose";
        QTest::newRow("a rank of nothing") << R"({"purpose": "finetune", "rank": 0})" << "/0/method/rank";
    }
    void a_method_that_cannot_be_read_is_told_with_its_place() {
        QFETCH(QString, method);
        QFETCH(QString, place);
        const auto read = read_published_rows(row_with(method.toStdString()), "stem");
        QVERIFY(!read);
        QCOMPARE(QString::fromStdString(read.error().front().pointer), place);
    }
    void the_plan_of_a_row_trains_what_the_row_says() {
        QVERIFY(trains_adapters(timed("torchtune-lora/llama3.1-8b-lora-4090").plan.method));
        QVERIFY(quantises_frozen(timed("torchtune-lora/llama3.1-8b-qlora-4090").plan.method));
        QVERIFY(tunes(timed("torchtune/8b-4090").plan.method));
        QVERIFY(!trains_adapters(timed("torchtune/8b-4090").plan.method));
        QVERIFY(!tunes(timed("torchtitan/8b-8-eager").plan.method));
    }

    // ---- Errors. No constant was fitted to Megatron-Bridge's rows and to adapters of torchtune; two stacks have host
    // time of one device and the bytes of a logit from Qwen's. Wanted are 12 % of time, 8 % of memory and 10 % of how
    // much faster adapters are. Memory misses most of 405 billion parameters on eight devices, which its inputs of
    // layers alone would fill; ratios of an RTX 4090, whose adapters would be near its peak.

    void errors_of_a_source_stay_small_data() {
        QTest::addColumn<QString>("source");
        QTest::addColumn<double>("time");
        QTest::addColumn<double>("memory");
        QTest::newRow("torchtune, all weights") << "torchtune" << 0.12 << 0.08;
        QTest::newRow("torchtune, adapters") << "torchtune-lora" << 0.12 << 0.08;
        QTest::newRow("Megatron-Bridge, which publishes no memory") << "mbridge-finetune" << 0.12 << 0.0;
        QTest::newRow("Qwen's README") << "qwen-finetune" << 0.12 << 0.08;
    }
    void errors_of_a_source_stay_small() {
        QFETCH(QString, source);
        QFETCH(double, time);
        QFETCH(double, memory);
        const std::string name = source.toStdString();
        const double times = mean_size(errors_of(shipped_score().rows, name));
        const std::vector<double> memories = errors_of(shipped_score().memory_rows, name);
        qInfo("%s: time %.1f %%, memory of %d rows %.1f %%", name.c_str(), 100 * times, int(memories.size()),
              100 * mean_size(memories));
        QVERIFY(times <= time);
        QCOMPARE(memories.empty(), memory == 0);
        QVERIFY(memories.empty() || mean_size(memories) <= memory);
    }

    // ---- Pairs that a source measured alike but for what is trained

    void how_much_faster_adapters_are_is_predicted_data() {
        QTest::addColumn<QString>("source");
        QTest::addColumn<double>("off");
        QTest::newRow("torchtune") << "torchtune-lora" << 0.10;
        QTest::newRow("Megatron-Bridge") << "mbridge-finetune" << 0.10;
        QTest::newRow("Qwen's README") << "qwen-finetune" << 0.10;
    }
    void how_much_faster_adapters_are_is_predicted() {
        QFETCH(QString, source);
        QFETCH(double, off);
        std::vector<double> errors;
        for (const Pair& p : pairs())
            if (p.of_all && p.source() == source.toStdString()) {
                const Ratio r = ratio(p.faster, p.slower);
                qInfo("%s: published %.3f, predicted %.3f", p.faster.c_str(), r.published, r.predicted);
                errors.push_back(r.predicted / r.published - 1);
            }
        QVERIFY(errors.size() >= 2);
        qInfo("mean %.1f %%", 100 * mean_size(errors));
        QVERIFY(mean_size(errors) <= off);
    }
    void which_of_two_methods_is_faster_is_predicted_data() {
        QTest::addColumn<QString>("faster");
        QTest::addColumn<QString>("slower");
        for (const Pair& p : pairs())
            QTest::addRow("%s before %s", p.faster.c_str(), p.slower.c_str())
                << QString::fromStdString(p.faster) << QString::fromStdString(p.slower);
    }
    void which_of_two_methods_is_faster_is_predicted() {
        QFETCH(QString, faster);
        QFETCH(QString, slower);
        const Ratio r = ratio(faster.toStdString(), slower.toStdString());
        QVERIFY(r.published > 1);
        QVERIFY(r.predicted > 1);
    }

    // ---- Whose errors judge a plan

    void fine_tuning_is_judged_by_fine_tuning_alone() {
        const RunKind tuning = trial("", "stack", "device", 0, Purpose::finetune).kind;
        std::vector<Trial> seen;
        for (int i = 0; i < 20; ++i) seen.push_back(trial("pre", "stack", "device", 0.01, Purpose::pretrain));
        for (int i = 0; i < 20; ++i) seen.push_back(trial("tuned", "stack", "device", 0.3, Purpose::finetune));
        const Spread s = spread_of(tuning, seen);
        QCOMPARE(s.runs, 20);
        QVERIFY(std::abs(s.band - 0.3) < 1e-9);
        RunKind pretraining = tuning;
        pretraining.purpose = Purpose::pretrain;
        QVERIFY(std::abs(spread_of(pretraining, seen).band - 0.01) < 1e-9);
    }
    void pre_training_stands_in_where_nobody_measured_fine_tuning() {
        const std::vector<Trial> seen{trial("pre", "stack", "device", 0.1, Purpose::pretrain)};
        const Spread s = spread_of(trial("", "stack", "device", 0, Purpose::finetune).kind, seen);
        QVERIFY(s.circle == Circle::all);
        QCOMPARE(s.runs, 1);
    }
    void adapters_are_far_from_tuning_of_all() {
        const std::vector<Trial> seen{trial("tuned", "stack", "device", 0.1, Purpose::finetune)};
        const RunKind adapters = trial("", "stack", "device", 0, Purpose::finetune, Trained::adapters).kind;
        QVERIFY(spread_of(adapters, seen).circle == Circle::all);
    }
    void fine_tuning_rows_change_no_range_of_pre_training() {
        const Evidence all = evidence_of(shipped_score());
        Evidence before = all;
        const auto drop = [](std::vector<Trial>& trials) {
            std::erase_if(trials, [](const Trial& t) { return t.kind.purpose == Purpose::finetune; });
        };
        drop(before.time);
        drop(before.memory);
        QVERIFY(before.time.size() < all.time.size());
        for (const auto& [id, path] : library().scenarios) {
            const RunKind kind = kind_of(shipped_plan(id));
            if (kind.purpose == Purpose::finetune) continue;
            QCOMPARE(spread_of(kind, all.time).band, spread_of(kind, before.time).band);
            QCOMPARE(spread_of(kind, all.memory).band, spread_of(kind, before.memory).band);
        }
    }
    void a_plan_that_no_fine_tuning_is_like_is_told_so() {
        const Evidence seen = evidence_of(shipped_score());
        const Scenario like = timed("qwen-finetune/qwen-7b-lora-2048").plan;
        QVERIFY(!told(band_of(like, seen), "was ever compared"));
        Scenario strange = timed("torchtitan/8b-8-eager").plan;
        strange.machine = library().machines.at("frontier");
        strange.layout.devices = 8;
        strange.layout.data_parallel = 8;
        QVERIFY(!told(band_of(strange, seen), "was ever compared"));
        QVERIFY(told(band_of(tuned(strange, Trained::all), seen), "no fine-tuning run was ever compared"));
        const Band adapters = band_of(tuned(strange, Trained::adapters), seen);
        QVERIFY(told(adapters, "no run that trains adapters was ever compared"));
        QVERIFY(adapters.time > band_of(like, seen).time);
    }
    void errors_of_tuning_say_less_of_pre_training_than_of_tuning() {
        const Scenario plan = timed("qwen-finetune/qwen-7b-lora-2048").plan;
        Scenario larger = plan;
        larger.recipe.global_batch_sequences *= 2;
        larger.layout.micro_batch *= 2;
        const Scenario pretrained = [&] {
            Scenario s = larger;
            s.method = {};
            return s;
        }();
        const Peer measured = peer_of(plan);
        const ErrorTeller teller({{&measured, 0.2}}, false);
        const double to_tuning = teller.of(peer_of(larger)).share, to_rest = teller.of(peer_of(pretrained)).share;
        QVERIFY(to_tuning > to_rest);
    }
};

PLIMSOLL_TEST(FinetuneRowsTest)
#include "tst_finetune_rows.moc"
