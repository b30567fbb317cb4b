// Layers that cost differently over the stages of a pipeline, against all splits there are and against nanotron's walk
// of layers that are alike.
#include "registered_test.h"

#include "core/answers/plan/estimate.h"
#include "core/answers/plan/rules.h"
#include "core/costs/kernels/work.h"
#include "core/files/presets/library.h"
#include "core/values/plan/share.h"
#include "scenarios.h"
#include "shipped.h"

#include <QRandomGenerator>

#include <numeric>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

// Every way to hand the layers out in order, one at least to each stage: the shortest longest stage.
struct AllSplits {
    const std::vector<double>& layers;
    const std::vector<StageRoom>& stages;
    std::vector<char> may_begin;
    double shortest = std::numeric_limits<double>::infinity();

    void from(int first, int stage, double longest) {
        const int n = int(layers.size()), left = int(stages.size()) - stage - 1;
        if (first > 0 && !may_begin.empty() && !may_begin[first]) return;
        double sum = stages[stage].extra;
        for (int end = first + 1; end <= n - left; ++end) {
            sum += layers[end - 1];
            const double here = std::max(longest, sum / stages[stage].rate);
            if (left > 0) from(end, stage + 1, here);
            else if (end == n) shortest = std::min(shortest, here);
        }
    }
};

double longest_of(const std::vector<int>& taken, const std::vector<double>& layers,
                  const std::vector<StageRoom>& stages) {
    double longest = 0;
    int first = 0;
    for (int i = 0; i < int(taken.size()); ++i) {
        const auto begin = layers.begin() + first, end = begin + taken[i];
        longest = std::max(longest, (std::accumulate(begin, end, 0.0) + stages[i].extra) / stages[i].rate);
        first += taken[i];
    }
    return longest;
}

int sum_of(const std::vector<int>& taken) { return std::accumulate(taken.begin(), taken.end(), 0); }

Scenario pipelined(const std::string& model, int stages, StageSplit split) {
    Scenario s = gpt3_on_selene();
    s.model = library().models.at(model);
    s.layout.tensor_parallel = 1;
    s.layout.sequence_parallel = false;
    s.layout.virtual_stages = 1;
    s.layout.schedule = Schedule::one_f_one_b;
    s.layout.pipeline_parallel = stages;
    s.layout.data_parallel = 8;
    s.layout.devices = 8 * stages;
    s.layout.stage_split = split;
    s.layout.recompute = Recompute::none;
    s.recipe.sequence_length = 4096;
    s.recipe.global_batch_sequences = 8 * 4 * stages;
    return s;
}

}  // namespace

class SplitInOrderTest : public QObject {
    Q_OBJECT

private slots:
    void no_split_has_a_shorter_longest_stage() {
        QRandomGenerator random(7);
        const auto upto = [&](int n) { return 1 + int(random.bounded(n)); };
        for (int turn = 0; turn < 2000; ++turn) {
            std::vector<double> layers(upto(9));
            for (double& cost : layers) cost = turn % 3 == 0 ? random.bounded(3) * 10 + 1 : upto(1000) / 7.0;
            std::vector<StageRoom> stages(upto(std::min(5, int(layers.size()))));
            if (turn % 2 == 0)
                for (StageRoom& r : stages) r.rate = upto(4) / 2.0;
            stages.back().extra = turn % 5 * 3.5;
            std::vector<char> may_begin;
            if (turn % 4 == 1)
                for (std::size_t i = 0; i < layers.size(); ++i) may_begin.push_back(random.bounded(3) > 0);
            AllSplits all{layers, stages, may_begin};
            all.from(0, 0, 0);
            if (!std::isfinite(all.shortest)) {   // no split obeys: any layer may begin a stage
                all.may_begin.clear();
                all.from(0, 0, 0);
            }
            const std::vector<int> taken = balanced_split(layers, stages, may_begin);
            QCOMPARE(sum_of(taken), int(layers.size()));
            QVERIFY(std::ranges::min(taken) >= 1);
            const double longest = longest_of(taken, layers, stages);
            QVERIFY2(std::abs(longest - all.shortest) <= 1e-12 * all.shortest, qPrintable(QString::number(turn)));
        }
    }
    void layers_that_are_alike_are_handed_out_evenly() {
        for (int n = 1; n <= 40; ++n)
            for (int p = 1; p <= n; ++p) {
                const std::vector<double> layers(n, 3.0);
                const std::vector<int> taken = balanced_split(layers, std::vector<StageRoom>(p));
                QVERIFY(std::ranges::max(taken) - std::ranges::min(taken) <= 1);
            }
    }
    void more_stages_than_layers_leave_the_last_ones_empty() {
        const std::vector<double> layers{1, 2};
        QCOMPARE(balanced_split(layers, std::vector<StageRoom>(4)), (std::vector<int>{1, 1, 0, 0}));
    }
    void the_walk_over_layers_that_are_alike_is_the_closed_form() {
        for (const double head : {0.3, 1.0, 2.5, 40.0})
            for (int layers = 1; layers <= 40; layers += 3)
                for (int stages = 1; stages <= 34; ++stages) {
                    const CostSplit closed{1, head, layers, stages};
                    const WalkedSplit w = walked_split(std::vector<double>(layers, 1.0), head, stages);
                    for (int i = 0; i < stages; ++i) QCOMPARE(w.layers[i], closed.layers_of(i));
                    QCOMPARE(w.head_stage, closed.head_stage());
                    QCOMPARE(w.loss_stage, closed.loss_stage());
                }
    }

    void hybrids_are_split_by_the_cost_of_each_layer_data() {
        QTest::addColumn<QString>("model");
        QTest::newRow("Gemma 3: windows in five of six layers") << "gemma3-27b";
        QTest::newRow("gpt-oss: windows in every other layer, without a pattern") << "gpt-oss-120b";
        QTest::newRow("DeepSeek-V3: three dense layers first") << "deepseek-v3";
        QTest::newRow("GLM-5.2: no stage begins with a layer that borrows its keys") << "glm-5.2";
    }
    void hybrids_are_split_by_the_cost_of_each_layer() {
        QFETCH(QString, model);
        for (const int p : {2, 4, 6}) {
            const Scenario s = pipelined(model.toStdString(), p, StageSplit::min_max);
            const Layers kinds(s.model);
            const std::vector<double> costs = layer_costs(s);
            std::vector<StageRoom> stages(p);
            stages.back().extra = head_cost(s, 0);
            std::vector<char> may_begin;
            for (int i = 0; i < s.model.layers; ++i)
                may_begin.push_back(!has_indexer(s.model) || kinds[kinds.of_layer(i)].index != Index::borrowed);
            AllSplits all{costs, stages, may_begin};
            const std::vector<int> taken = layers_of_stages(s);
            QCOMPARE(sum_of(taken), s.model.layers);
            if (p <= 4) {
                all.from(0, 0, 0);
                QCOMPARE(longest_of(taken, costs, stages), all.shortest);
            }
            Scenario even = s;
            even.layout.stage_split = StageSplit::even;
            if (check(even).empty())
                QVERIFY(longest_of(taken, costs, stages) <= longest_of(layers_of_stages(even), costs, stages));
            for (int i = 0, first = 0; i < p; first += taken[i++]) QVERIFY(may_begin[first]);
            const Work work(s);
            for (int i = 0; i < p; ++i) {
                const int modules = holds_modules(work, i) ? s.model.further.depths * kinds.of_module().total() : 0;
                QCOMPARE(layers_of_stage(work, i), taken[i] + modules);
                QCOMPARE(layers_of_stage(s, i), taken[i]);
                QCOMPARE(layers_of_chunk(s, i, 0), taken[i]);
            }
            QVERIFY(largest_chunk(s) >= std::ranges::max(taken));
            QVERIFY2(check(s).empty(), "a split that balances is one that may be run");
        }
    }
    void a_walk_by_cost_weighs_each_layer_by_its_own_matrices() {
        for (const int p : {2, 4, 8}) {
            const Scenario s = pipelined("nemotron-3-nano-30b-a3b", p, StageSplit::by_cost);
            const Layers kinds(s.model);
            const double head = double(s.model.vocabulary) * s.model.hidden;
            const double all = matrix_parameters(s.model) + head;
            std::vector<int> taken(p);
            double so_far = 0;
            int stage = 0;
            for (int i = 0; i < s.model.layers; ++i) {
                ++taken[stage];
                so_far += layer_matrix_parameters(s.model, kinds[kinds.of_layer(i)]);
                if (so_far > all * (stage + 1) / p && stage < p - 1) ++stage;
            }
            QCOMPARE(layers_of_stages(s), taken);
            QCOMPARE(head_stage(s), stage);
            QVERIFY(estimate(s).has_value());
        }
    }
    // Windows that mask nothing, and experts in every layer, leave layers alike.
    void plans_whose_layers_are_alike_are_split_as_before() {
        QVERIFY(!layers_differ(library().models.at("llama3-70b")));
        QVERIFY(!layers_differ(library().models.at("mixtral-8x7b")));
        QVERIFY(layers_differ(library().models.at("deepseek-v3")) && layers_differ(library().models.at("gpt-oss-20b")));
        const Scenario s = pipelined("llama3-70b", 8, StageSplit::min_max);
        QCOMPARE(layers_of_stages(s), (std::vector<int>{11, 10, 10, 10, 10, 10, 10, 9}));
    }
    void layers_that_pass_on_states_count_as_the_mean_layer() {
        const Scenario s = pipelined("nemotron-3-nano-30b-a3b", 4, StageSplit::min_max);
        const std::vector<int> taken = layers_of_stages(s);
        QCOMPARE(sum_of(taken), s.model.layers);
        QCOMPARE(taken[0], taken[1]);
        QVERIFY(taken[3] < taken[0]);
    }
    void a_long_sequence_gives_layers_without_a_window_more_room() {
        Scenario s = pipelined("gpt-oss-120b", 4, StageSplit::min_max);
        s.recipe.sequence_length = 131072;
        const std::vector<double> costs = layer_costs(s);
        QVERIFY(costs[1] > 2 * costs[0]);
    }
};

PLIMSOLL_TEST(SplitInOrderTest)
#include "tst_split_in_order.moc"
