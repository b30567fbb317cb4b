// Fit with model parallelism first: the rule against every split written out.
#include "registered_test.h"

#include "core/answers/search/fit_first.h"
#include "random_plans.h"

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

// Every tensor and pipeline degree there is, judged one after the other.
std::optional<PricedSplit> by_hand(const Scenario& s, bool rule) {
    std::optional<PricedSplit> best;
    for (int t = 1; t <= s.layout.devices; ++t)
        for (int p = 1; t * p <= s.layout.devices; ++p) {
            if (rule && s.machine.devices_per_node % t != 0) continue;
            for (const int chunks : {s.layout.virtual_stages, 1}) {
                Scenario split = with_split(s, t, p);
                if (chunks == 1) {
                    split.layout.virtual_stages = 1;
                    if (split.layout.schedule == Schedule::interleaved) split.layout.schedule = Schedule::one_f_one_b;
                }
                const Outcome o = estimate(split);
                if (!o) continue;  // without interleaving, perhaps
                if (o->fits()) {
                    const PricedSplit priced{split, *o};
                    const bool smaller =
                        best
                        && (t * p < best->model_parallel()
                            || (t * p == best->model_parallel() && t > best->scenario.layout.tensor_parallel));
                    const bool faster = best && priced.step() < best->step();
                    if (!best || (rule ? smaller : faster)) best = priced;
                }
                break;
            }
        }
    return best;
}

Scenario wide(Scenario s, int devices) {
    s.layout.devices = devices;
    s.layout.data_parallel = int(devices / s.layout.model_parallel());
    return s;
}

}  // namespace

class FitFirstTest : public QObject {
    Q_OBJECT

private slots:
    void equals_the_search_by_hand_data() {
        QTest::addColumn<Scenario>("plan");
        QTest::newRow("GPT-3 on 256 devices") << wide(gpt3_on_selene(), 256);
        QTest::newRow("GPT-3 interleaved on 192 devices") << wide(gpt3_interleaved(), 192);
        QTest::newRow("a small model on one node") << small_on_one_node();
        Scenario sharded = small_on_one_node();
        sharded.layout.zero_stage = 3;
        QTest::newRow("sharded weights") << sharded;
        Scenario six = wide(gpt3_on_selene(), 192);
        six.machine.devices_per_node = six.machine.levels[0].devices = 6;
        QTest::newRow("six devices a node") << six;
    }
    void equals_the_search_by_hand() {
        QFETCH(Scenario, plan);
        const Splits found = splits(plan);
        for (const bool rule : {true, false}) {
            const std::optional<PricedSplit> expected = by_hand(plan, rule), &got = rule ? found.rule : found.fastest;
            QCOMPARE(got.has_value(), expected.has_value());
            if (!expected) continue;
            QCOMPARE(got->step() / second, expected->step() / second);
            if (!rule) continue;
            QCOMPARE(got->scenario.layout.tensor_parallel, expected->scenario.layout.tensor_parallel);
            QCOMPARE(got->scenario.layout.pipeline_parallel, expected->scenario.layout.pipeline_parallel);
        }
    }

    void the_pick_runs_inside_nodes_and_is_never_faster_than_the_search() {
        int picked = 0;
        for (const Scenario& s : random_plans(drawn(120))) {
            const Splits found = splits(s);
            if (!found.rule) continue;
            ++picked;
            QVERIFY(runs(estimate(found.rule->scenario)));
            QVERIFY(inside_node(found.rule->scenario));
            QCOMPARE(found.rule->scenario.layout.devices, s.layout.devices);
            QCOMPARE(found.rule->scenario.recipe == s.recipe, true);
            QVERIFY(found.fastest && found.fastest->step() <= found.rule->step());
        }
        QVERIFY(picked > drawn(20));
    }

    void a_model_that_fits_nowhere_has_no_pick() {
        Scenario s = small_on_one_node();
        s.machine.device.memory = 2 * gibibyte;  // the context alone
        const Splits found = splits(s);
        QVERIFY(found.tried > 0);
        QCOMPARE(found.fitting, 0);
        QVERIFY(!found.rule && !found.fastest);
    }

    void a_plan_that_does_not_fit_is_mended() {
        const Splits found = splits(too_big_for_memory());
        QVERIFY(!runs(estimate(too_big_for_memory())));
        QVERIFY(found.rule.has_value());
        QVERIFY(found.rule->model_parallel() > 1);
    }
};

PLIMSOLL_TEST(FitFirstTest)
#include "tst_fit_first.moc"
