// The largest model on a few devices, against what was published and a slow search.
#include "registered_test.h"

#include "core/answers/plan/rules.h"
#include "core/answers/search/largest.h"
#include "scenarios.h"
#include "shipped.h"

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

// Width of GPT-3 13B.
Scenario shape(Machine m) {
    Scenario s = gpt3_on_selene();
    s.model.hidden = 5120;
    s.model.heads = s.model.kv_heads = 40;
    s.model.ffn = 20480;
    s.model.layers = 40;
    s.machine = std::move(m);
    s.recipe.sequence_length = 1024;
    s.recipe.state_format = StateFormat::fp32_moments;
    return s;
}

Machine machine_of(const char* id) {
    return library().machines.at(id);
}

const LargestModel* largest_by(const std::vector<LargestModel>& all, const std::string& strategy) {
    for (const LargestModel& m : all)
        if (m.strategy == strategy) return &m;
    return nullptr;
}

}  // namespace

class LargestTest : public QObject {
    Q_OBJECT

private slots:
    void zero_offload_trains_13_billion_on_one_v100() {
        const auto all = largest_models(shape(machine_of("dgx-2")), 1);
        QVERIFY(largest_by(all, "Replicated")->parameters < 2e9);     // 16 bytes each
        QVERIFY(largest_by(all, "ZeRO-Offload")->parameters >= 13e9);
        QVERIFY(largest_by(all, "ZeRO-Offload")->parameters < 17e9);  // 2 bytes each, at most
        QVERIFY(largest_by(all, "ZeRO-Infinity, drives")->parameters > 100e9);
    }

    void zero_infinity_holds_a_trillion_on_one_dgx_2() {
        Scenario s = shape(machine_of("dgx-2"));
        s.model.hidden = 25600;
        s.model.heads = s.model.kv_heads = 160;
        s.model.ffn = 4 * 25600;
        s.recipe.state_format = StateFormat::fp32_moments_both_sums;
        const auto all = largest_models(s);
        QVERIFY(largest_by(all, "ZeRO-Infinity, drives, tensor parallel")->parameters > 1e12);   // 20 TB of 30
        QVERIFY(largest_by(all, "ZeRO-Infinity, host memory")->parameters < 1e11);
        QVERIFY(largest_by(all, "Tensor parallel")->parameters < 30e9);
    }

    // 14 billion x 16 bytes are 224 GB; the node is the device, and there is no other memory.
    void fourteen_billion_do_not_fit_an_a64fx() {
        Scenario s = shape(machine_of("fugaku"));
        s.recipe.precision = Precision::fp16;
        for (const LargestModel& m : largest_models(s)) {
            QVERIFY2(m.parameters < 14e9, m.strategy.c_str());
            if (m.strategy.starts_with("ZeRO-Offload")) QVERIFY(!m.obstacles.empty());
        }
        QVERIFY(largest_by(largest_models(s), "Replicated")->parameters < 2.1e9);
    }

    void one_more_layer_does_not_fit() {
        for (const LargestModel& m : not_empty(largest_models(shape(selene())))) {
            if (!m.obstacles.empty()) continue;
            QVERIFY(runs(estimate(m.scenario)));
            Scenario more = m.scenario;
            ++more.model.layers;
            QVERIFY2(!runs(estimate(more)), m.strategy.c_str());
        }
    }

    // Its first three layers have no experts: a model of one layer is refused, which is not "does not fit".
    void a_mixture_begins_above_its_dense_layers() {
        Scenario s = shape(selene());
        s.model = library().models.at("deepseek-v3");
        s.recipe.precision = Precision::bf16;
        const auto all = largest_models(s);
        const LargestModel* drawn = largest_by(all, "Replicated");
        QVERIFY(drawn && drawn->obstacles.empty());
        QCOMPARE(drawn->fewest, s.model.experts.dense_layers + 1);
        QCOMPARE(drawn->scenario.model.layers, std::max(drawn->fewest, drawn->layers));
        QVERIFY(estimate(drawn->scenario));
        QCOMPARE(say_none_fits(*drawn), std::string("the 4 layers that the model has at least do not fit"));
    }

    void a_machine_without_drives_says_so() {
        const auto all = largest_models(shape(selene()));
        const LargestModel* drives = largest_by(all, "ZeRO-Infinity, drives");
        QVERIFY(drives && !drives->obstacles.empty());
        QCOMPARE(int(drives->obstacles.front().reason), int(Reason::missing_hardware));
    }
};

PLIMSOLL_TEST(LargestTest)
#include "tst_largest.moc"
