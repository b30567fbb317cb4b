// What to change so that a plan runs.
#include "registered_test.h"

#include "core/answers/plan/rules.h"
#include "core/answers/plan/headline.h"
#include "core/answers/plan/remedies.h"
#include "core/values/knobs/knobs.h"
#include "scenarios.h"

#include <set>

using namespace plimsoll;
using namespace plimsoll::testing;

Q_DECLARE_METATYPE(Scenario)

namespace {

Scenario turned(const Scenario& s, const char* id, double value) { return *with(s, *find_knob(id), value); }

void plans_in_trouble() {
    QTest::addColumn<Scenario>("plan");
    const Scenario s = gpt3_on_selene();
    QTest::newRow("replicated states do not fit") << too_big_for_memory();
    QTest::newRow("activations do not fit") << turned(turned(s, "layout.recompute", 0), "layout.micro_batch", 8);
    QTest::newRow("tensor width does not divide the heads") << turned(s, "layout.tensor_parallel", 5);
    QTest::newRow("batch is no multiple") << turned(s, "recipe.global_batch_sequences", 1000);
    QTest::newRow("batch is smaller than one round") << turned(s, "recipe.global_batch_sequences", 8);
    QTest::newRow("machine is too small") << turned(s, "nodes", 1000);
    QTest::newRow("degrees do not multiply to the devices") << with_layout(s, [](Layout& l) { l.devices = 1000; });
    QTest::newRow("device lacks the format") << turned(s, "recipe.precision", double(Precision::fp8));
    QTest::newRow("pipeline refuses full sharding") << turned(s, "layout.zero_stage", 3);
    QTest::newRow("two obstacles at once")
        << turned(turned(s, "recipe.global_batch_sequences", 1000), "recipe.precision", double(Precision::fp8));
}

}  // namespace

class RemediesTest : public QObject {
    Q_OBJECT

private slots:
    void a_plan_that_runs_needs_none() {
        QVERIFY(runs(estimate(gpt3_on_selene())));
        QVERIFY(remedies(gpt3_on_selene()).empty());
    }

    void every_remedy_runs_data() { plans_in_trouble(); }
    void every_remedy_runs() {
        QFETCH(Scenario, plan);
        QVERIFY(!runs(estimate(plan)));
        const auto found = remedies(plan);
        QVERIFY(!found.empty() && found.size() <= 3);
        for (const Remedy& r : found) {
            const Outcome o = estimate(r.scenario);
            QVERIFY2(runs(o), r.name.c_str());
            QCOMPARE(*o, r.estimate);
        }
    }

    void names_are_distinct_data() { plans_in_trouble(); }
    void names_are_distinct() {
        QFETCH(Scenario, plan);
        std::set<std::string> names;
        for (const Remedy& r : remedies(plan, 8))
            QVERIFY2(!r.name.empty() && names.insert(r.name).second, r.name.c_str());
    }

    void fastest_comes_first_data() { plans_in_trouble(); }
    void fastest_comes_first() {
        QFETCH(Scenario, plan);
        Seconds before;
        for (const Remedy& r : remedies(plan, 8)) {
            const Seconds run = headline(r.scenario, r.estimate).run;
            QVERIFY(before <= run);
            before = run;
        }
    }

    void leaves_model_and_machine_alone_data() { plans_in_trouble(); }
    void leaves_model_and_machine_alone() {
        QFETCH(Scenario, plan);
        for (const Remedy& r : remedies(plan, 8)) {
            QCOMPARE(r.scenario.model, plan.model);
            QCOMPARE(r.scenario.machine, plan.machine);
            QCOMPARE(r.scenario.stack, plan.stack);
        }
    }

    void keeps_the_sources() {
        Scenario s = too_big_for_memory();
        s.model.sources["/layers"] = {SourceKind::vendor, "paper"};
        for (const Remedy& r : remedies(s)) QCOMPARE(r.scenario.model.sources, s.model.sources);
    }

    void gives_up_where_nothing_helps() {
        Scenario s = small_on_one_node();
        s.machine.device.memory = 1 * mebibyte;
        QVERIFY(remedies(s).empty());
    }

    void gives_at_most_what_is_asked() {
        QCOMPARE(remedies(too_big_for_memory(), 1).size(), std::size_t(1));
        QVERIFY(remedies(too_big_for_memory(), 0).empty());
    }
};

PLIMSOLL_TEST(RemediesTest)
#include "tst_remedies.moc"
