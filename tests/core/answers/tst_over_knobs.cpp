// The best layout at other values of knobs that no layout has.
#include "registered_test.h"

#include "core/answers/search/over_knobs.h"
#include "core/files/presets/scenario_json.h"
#include "core/files/text/disk.h"
#include "shipped.h"

using namespace plimsoll;
using namespace plimsoll::testing;

class OverKnobsTest : public QObject {
    Q_OBJECT

private slots:
    void every_combination_has_the_best_layout_of_its_own_search() {
        const Scenario plan =
            read_scenario(*read_text(library().scenarios.at("llama3-70b-lora-8-h100")), library())->scenario;
        const KnobAxis axes[] = {{find_knob("method.rank"), {8, 64}},
                                 {find_knob("method.frozen"), {0, double(FrozenFormat::nf4_double)}}};
        const Space space = common_space(plan);
        const auto all = search_over(plan, axes, space);
        QCOMPARE(all.size(), std::size_t(4));
        QCOMPARE(all[1].values, (std::vector<double>{8, double(FrozenFormat::nf4_double)}));
        for (const AtValues& at : all) {
            QCOMPARE(at.plan.method.rank, int(at.values[0]));
            QCOMPARE(double(at.plan.method.frozen), at.values[1]);
            const SearchResult own = search(at.plan, space, {.limit = 1, .ranking_only = true});
            QCOMPARE(at.best.has_value(), !own.top.empty());
            if (at.best) QCOMPARE(at.plan.layout, own.top.front().layout);
        }
    }
    void without_axes_it_is_the_plans_own_search() {
        const Scenario plan =
            read_scenario(*read_text(library().scenarios.at("llama3-8b-qlora-rtx4090")), library())->scenario;
        const auto all = search_over(plan, {}, common_space(plan));
        QCOMPARE(all.size(), std::size_t(1));
        QVERIFY(all[0].values.empty() && all[0].best);
    }
    void to_tune_a_model_weights_may_be_shared_out() {
        const Scenario plan =
            read_scenario(*read_text(library().scenarios.at("llama3-70b-lora-8-h100")), library())->scenario;
        QCOMPARE(common_space(plan).zero_stages, (std::vector<int>{0, 1, 2, 3}));
        Scenario pretrained = plan;
        pretrained.method = {};
        pretrained.layout.zero_stage = 1;
        QCOMPARE(common_space(pretrained).zero_stages, (std::vector<int>{0, 1}));
    }
};

PLIMSOLL_TEST(OverKnobsTest)
#include "tst_over_knobs.moc"
