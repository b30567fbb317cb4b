// A trial as a plan: what it trains, what it takes of the computer, what is drawn of it.
#include "registered_test.h"

#include "core/evidence/calibration/proof/figures.h"
#include "core/evidence/calibration/plan/trial.h"
#include "core/answers/plan/estimate.h"
#include "shipped.h"

using namespace plimsoll;

namespace {

const Machine& cores() { return library().machines.at("cpu-2core"); }
const Stack& engine() { return library().stacks.at("plimsoll-engine"); }
Scenario plan_of_trial(const TrialRun& t) {
    return trial_plan(t, shared_by(cores(), {2, 24 * gibibyte}, t.ranks()), engine());
}

EngineStep measured_step(int number, double seconds) {
    EngineStep s;
    s.step = number;
    s.wall = seconds * second;
    s.loss = 5.0 / number;
    s.parts.mean.gemm = 0.75 * s.wall;
    s.parts.mean.optimizer = 0.25 * s.wall;
    return s;
}

}  // namespace

class TrialTest : public QObject {
    Q_OBJECT

private slots:
    // GPT-2's kind: V C + T C + L (12 C^2 + 13 C) + 2 C; LLaMA's: 2 V C + L (4 C^2 + 3 C F + 2 C) + C.
    void models_have_the_parameters_of_their_shape() {
        for (const TrialModel& t : not_empty(trial_models())) {
            const double c = t.width, l = t.layers, f = model_of(t).ffn;
            const double expected = t.gated ? 2.0 * t.vocabulary * c + l * (4 * c * c + 3 * c * f + 2 * c) + c
                                            : t.vocabulary * c + t.sequence * c + l * (12 * c * c + 13 * c) + 2 * c;
            QCOMPARE(parameters(model_of(t)), expected);
            QCOMPARE(t.width % t.heads, 0);
        }
    }

    void every_model_can_be_estimated_and_fits() {
        for (int model = 0; model < int(trial_models().size()); ++model)
            for (const TrialRun& layout :
                 {TrialRun{}, TrialRun{.data = 2, .zero_stage = 3}, TrialRun{.tensor = 2, .sequence_parallel = true},
                  TrialRun{.pipeline = 2, .zero_stage = 2, .accumulate = 4},
                  TrialRun{.data = 2, .pipeline = 2, .recompute = Recompute::full}}) {
                TrialRun t = layout;
                t.model = model;
                QVERIFY2(runs(estimate(plan_of_trial(t))), trial_models()[std::size_t(model)].label.data());
            }
    }

    void ranks_share_the_computer_data() {
        QTest::addColumn<int>("cores");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<double>("cores_each");
        QTest::newRow("one rank takes all") << 2 << 1 << 2.0;
        QTest::newRow("a core each") << 2 << 2 << 1.0;
        QTest::newRow("a core each, others idle") << 8 << 2 << 1.0;
        QTest::newRow("more ranks than cores") << 2 << 8 << 0.25;
    }
    void ranks_share_the_computer() {
        QFETCH(int, cores);
        QFETCH(int, ranks);
        QFETCH(double, cores_each);
        const Machine m = shared_by(::cores(), {cores, 48 * gibibyte}, ranks);
        QCOMPARE(m.device.fp32 / ::cores().device.fp32, cores_each);
        QCOMPARE(m.device.bandwidth / ::cores().device.bandwidth, cores_each);
        QCOMPARE(m.device.memory / gibibyte, 48.0 / ranks);
        QCOMPARE(m.devices(), (long long)(ranks));
    }

    void a_plan_moves_with_its_model_and_layout() {
        Scenario s = plan_of_trial({.model = 0, .data = 2, .zero_stage = 1});
        s.machine = library().machines.at("frontier");
        s.stack = library().stacks.at("megatron-core");
        QCOMPARE(on_computer(s, cores(), {2, 24 * gibibyte}, engine()),
                 plan_of_trial({.model = 0, .data = 2, .zero_stage = 1}));
    }

    void steps_stand_beside_the_prediction() {
        std::vector<EngineStep> steps;
        for (int i = 1; i <= 40; ++i) steps.push_back(measured_step(i, 0.2));
        const Estimate e = *estimate(plan_of_trial({}));
        const Figure f = run_steps(steps, e);
        QCOMPARE(int(f.categories.size()), most_step_bars + 1);
        QCOMPARE(f.categories.front(), std::string("predicted"));
        QCOMPARE(f.categories.back(), std::string("40"));
        double last = 0, predicted = 0;
        for (const Series& s : f.series) {
            QCOMPARE(s.y.size(), f.categories.size());
            predicted += s.y.front();
            last += s.y.back();
        }
        const Seconds unit = f.y.unit == "ms" ? millisecond : second;
        QCOMPARE(last, 0.2 * second / unit);
        QCOMPARE(predicted, e.step.total() / unit);
    }

    void a_loss_that_is_missing_leaves_a_gap() {
        std::vector<EngineStep> steps{measured_step(1, 1), measured_step(2, 1), measured_step(3, 1)};
        steps[1].loss.reset();
        const Figure f = run_loss(steps);
        QCOMPARE(f.series.front().x, (std::vector<double>{1, 3}));
        QVERIFY(run_loss({}, 1.5).series.empty());
        QCOMPARE(run_loss(steps, 1.5).series.back().mark, Mark::limit);
    }

    void parts_that_are_nothing_in_both_are_left_out() {
        StepTime a, b;
        a.gemm = 1 * second;
        b.bubble = 2 * second;
        const auto rows = compare_parts(a, b);
        QCOMPARE(rows.size(), std::size_t(2));
        QCOMPARE(rows[0].label, std::string("Layer GEMMs"));
        QCOMPARE(rows[1].predicted / second, 2.0);
    }
};

PLIMSOLL_TEST(TrialTest)
#include "tst_trial.moc"
