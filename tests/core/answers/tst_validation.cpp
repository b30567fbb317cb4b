// Published runs against predictions: the bars hold for each set with constants
// that are global per device and stack. The errors themselves are printed.
#include "core/answers/published/validate.h"
#include "core/answers/explain/explain.h"
#include "core/answers/plan/headline.h"
#include "core/files/text/disk.h"
#include "core/files/results/runs_json.h"

#include <QtTest>

#include <cmath>

using namespace plimsoll;

namespace {

const Library& library() {
    static const Library l = load_library(std::vector<std::filesystem::path>{PLIMSOLL_PRESETS_DIR});
    return l;
}

RunSet runs_of(const char* id) {
    const auto text = read_text(library().runs.at(id));
    const auto set = read_runs(*text, library(), id);
    if (!set) qFatal("%s", say(set.error()).c_str());
    return *set;
}

std::vector<Residual> residuals_of(const RunSet& set, const char* stack = nullptr) {
    std::vector<Residual> all;
    for (PublishedRun run : set.runs) {
        if (stack) run.scenario.stack = library().stacks.at(stack);
        all.push_back(residual_of(run));
        qInfo("%-24s published %8.2f %s, predicted %8.2f, time %+5.1f %%", run.id.c_str(), all.back().published,
              unit_of(run.quantity).c_str(), all.back().predicted, 100 * all.back().error);
    }
    return all;
}

}  // namespace

class ValidationTest : public QObject {
    Q_OBJECT

private slots:
    void mean_error_stays_below_the_bar_data() {
        QTest::addColumn<QString>("set");
        QTest::addColumn<QString>("stack");
        QTest::addColumn<double>("mean");
        QTest::addColumn<double>("worst");
        QTest::newRow("SC21 ladder") << "megatron-sc21" << "" << 0.03 << 0.07;
        QTest::newRow("recomputation study, the stack of all Selene rows") << "recomputation-study" << "" << 0.10 << 0.15;
        QTest::newRow("recomputation study, its own stack") << "recomputation-study" << "megatron-lm-2022" << 0.025 << 0.05;
        QTest::newRow("MT-NLG, the stack of all Selene rows") << "mt-nlg-530b" << "" << 0.09 << 0.12;
        QTest::newRow("MT-NLG, DeepSpeed-Megatron") << "mt-nlg-530b" << "deepspeed-megatron" << 0.095 << 0.12;
        QTest::newRow("Frontier 22B, 175B, 1T") << "frontier-dash" << "" << 0.10 << 0.15;
        QTest::newRow("Summit, tensor parallel 12") << "summit-megatron-16b" << "" << 0.12 << 0.20;
        QTest::newRow("Crusher FSDP") << "crusher-fsdp-175b" << "" << 0.02 << 0.03;
        QTest::newRow("Fugaku 1.3B") << "fugaku-1p3b" << "" << 0.08 << 0.15;
    }
    void mean_error_stays_below_the_bar() {
        QFETCH(QString, set);
        QFETCH(QString, stack);
        QFETCH(double, mean);
        QFETCH(double, worst);
        const auto residuals = residuals_of(runs_of(set.toLatin1().constData()), stack.isEmpty() ? nullptr : stack.toLatin1().constData());
        qInfo("mean absolute error %.2f %%", 100 * mean_absolute_error(residuals));
        QVERIFY(mean_absolute_error(residuals) < mean);
        for (const Residual& r : residuals) {
            QVERIFY(r.obstacles.empty());
            QVERIFY(std::abs(r.error) < worst);
        }
    }

    void all_selene_rows_with_one_stack_stay_below_six_percent() {
        std::vector<Residual> all;
        for (const char* id : {"megatron-sc21", "recomputation-study", "mt-nlg-530b"})
            for (const Residual& r : residuals_of(runs_of(id), "megatron-lm-2021")) all.push_back(r);
        QCOMPARE(int(all.size()), 21);
        qInfo("mean absolute error %.2f %%", 100 * mean_absolute_error(all));
        QVERIFY(mean_absolute_error(all) < 0.06);
    }

    // Published pairs: selective recomputation is 23 to 25 % faster than full.
    void the_gain_of_selective_recomputation_is_right() {
        const auto residuals = residuals_of(runs_of("recomputation-study"), "megatron-lm-2022");
        for (std::size_t i = 0; i < residuals.size(); i += 2) {
            const double published = residuals[i + 1].published / residuals[i].published;
            const double predicted = residuals[i + 1].predicted / residuals[i].predicted;
            QVERIFY(std::abs(predicted / published - 1) < 0.04);
        }
    }

    void the_rate_on_summit_falls_for_a_named_reason() {
        const RunSet set = runs_of("summit-megatron-16b");
        const auto cost = [&](std::size_t i, const char* part) {
            const Scenario& s = set.runs[i].scenario;
            return explain(s, std::string("step.") + part)->value * s.layout.devices;
        };
        // From 192 to 1,536 GPUs the device time per batch grows by the data-parallel wait more than by all else.
        double others = 0;
        for (const auto& part : step_parts)
            if (part.id != "data_parallel") others += cost(5, std::string(part.id).c_str()) - cost(2, std::string(part.id).c_str());
        QVERIFY(cost(5, "data_parallel") - cost(2, "data_parallel") > others);
        // And the rate is low to begin with because tensor parallelism crosses nodes.
        QVERIFY(cost(2, "tensor_parallel") > cost(2, "gemm"));
    }

    void the_all_reduce_on_fugaku_is_flat() {
        const RunSet set = runs_of("fugaku-1p3b");
        const double at64 = explain(set.runs[2].scenario, "step.data_parallel")->value;
        const double at4096 = explain(set.runs[6].scenario, "step.data_parallel")->value;
        QVERIFY(std::abs(at4096 / at64 - 1) < 0.10);
    }
};

QTEST_APPLESS_MAIN(ValidationTest)
#include "tst_validation.moc"
