// Verdicts on memory beside what became of the plans: what counts, what has no verdict, what a file may hold.
#include "registered_test.h"

#include "core/evidence/published/memory_cases.h"
#include "core/files/results/memory_cases.h"
#include "core/files/results/published_runs.h"
#include "shipped.h"

using namespace plimsoll;

namespace {

// Eight billion parameters with ZeRO-3 on eight devices, so many sequences of 8,192 tokens at once.
MemoryCase case_of(const char* source, int micro_batch, bool ran) {
    MemoryCase c;
    PublishedRow& r = c.row;
    r.id = std::string(source) + "/" + std::to_string(micro_batch);
    r.source = source;
    r.model = {"LLaMA-8B", "llama", 8.03e9, 32, 4096, 32, 8, 128, 14336, 128256, 8192, true, false, {}, {}};
    r.machine = {"NVIDIA H100 SXM 80GB", "dgx-h100"};
    r.layout.devices = 8;
    r.layout.tensor = r.layout.pipeline = 1;
    r.layout.zero_stage = 3;
    r.layout.micro_batch = micro_batch;
    r.layout.global_batch = 8 * micro_batch;
    r.layout.recompute = "full";
    r.layout.precision = "BF16";
    r.layout.framework = "PyTorch FSDP";
    c.ran = ran;
    c.method = "pretrain";
    return c;
}

JudgedCases judged_of(const MemoryCases& cases) { return judge(cases, row_presets(library())); }

}  // namespace

class MemoryCasesTest : public QObject {
    Q_OBJECT

private slots:
    void verdicts_are_counted_by_what_became_of_the_plan() {
        const JudgedCases all =
            judged_of({case_of("a", 1, true), case_of("a", 32, false), case_of("b", 64, true), case_of("b", 1, false)});
        QCOMPARE(all.sources.size(), std::size_t(2));
        QCOMPARE(all.sources[0].ran.fits, 1);
        QCOMPARE(all.sources[0].out_of_memory.does_not_fit, 1);
        QCOMPARE(all.sources[1].ran.does_not_fit, 1);
        QCOMPARE(all.sources[1].out_of_memory.fits, 1);
        QCOMPARE(over_rows(all.sources, true).wrong, 0.5);
        QCOMPARE(over_rows(all.sources, false).right, 0.5);
    }
    void a_source_of_many_cases_counts_once() {
        MemoryCases cases{case_of("small", 64, true)};
        for (int i = 0; i < 9; ++i) cases.push_back(case_of("large", 1, true));
        const JudgedCases all = judged_of(cases);
        QCOMPARE(over_rows(all.sources, true).wrong, 0.1);
        QCOMPARE(over_sources(all.sources, true).wrong, 0.5);
    }
    // Whoever asks whether a plan fits may not suppose that it did.
    void no_rule_supposes_that_a_case_fitted() {
        MemoryCase c = case_of("a", 32, false);
        c.row.layout.recompute.clear();
        QVERIFY(judged_of({c}).cases.front().verdict == FitVerdict::does_not_fit);
    }
    void what_has_no_plan_has_a_reason() {
        MemoryCase lora = case_of("a", 1, true), reference = lora, nameless = lora;
        lora.method = "lora";
        reference.row.reference = true;
        nameless.row.machine = {"a device that nobody knows", ""};
        const JudgedCases all = judged_of({lora, reference, nameless});
        QCOMPARE(all.unpriced().size(), std::size_t(3));
        QCOMPARE(all.sources.front().unpriced, 3);
        QCOMPARE(all.sources.front().ran.count(), 0);
    }

    void cases_are_read_with_their_outcome_data() {
        QTest::addColumn<QString>("json");
        QTest::addColumn<bool>("read");
        QTest::newRow("it ran") << R"([{"id": "a/1", "outcome": "ran"}])" << true;
        QTest::newRow("it ran out of memory") << R"([{"id": "a/1", "outcome": "oom"}])" << true;
        QTest::newRow("no outcome") << R"([{"id": "a/1"}])" << false;
        QTest::newRow("another word") << R"([{"id": "a/1", "outcome": "fine"}])" << false;
        QTest::newRow("no text") << R"([{"id": "a/1", "outcome": 1}])" << false;
        QTest::newRow("no name") << R"([{"outcome": "ran"}])" << false;
        QTest::newRow("no list") << R"({"outcome": "ran"})" << false;
    }
    void cases_are_read_with_their_outcome() {
        QFETCH(QString, json);
        QFETCH(bool, read);
        QCOMPARE(read_memory_cases(json.toStdString(), "x").has_value(), read);
    }
    void verdicts_are_written() {
        const std::string json = to_json(judged_of({case_of("a", 1, true)}));
        QVERIFY2(json.find("\"verdict\": \"fits\"") != std::string::npos, json.c_str());
    }
};

PLIMSOLL_TEST(MemoryCasesTest)
#include "tst_memory_cases.moc"
