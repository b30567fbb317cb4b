// What the layers of each kind cost: the same numbers as the estimate, shared out.
#include "registered_test.h"

#include "core/answers/curves/figures.h"
#include "core/answers/explain/explain.h"
#include "core/answers/plan/by_kind.h"
#include "core/answers/plan/price.h"
#include "core/costs/memory/memory.h"
#include "core/files/presets/library.h"
#include "core/files/presets/preset_json.h"
#include "scenarios.h"
#include "shipped.h"

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

Model hybrid(const std::string& id) {
    const std::string path = std::string(PLIMSOLL_TESTS_DIR) + "/data/models/" + id + ".json";
    const auto text = read_text(path);
    return text ? read_model(*text, path)->model : library().models.at(id);
}

Scenario plan_of(const Model& m, int pipeline = 1) {
    Scenario s = gpt3_on_selene();
    s.model = m;
    s.layout.tensor_parallel = 1;
    s.layout.sequence_parallel = false;
    s.layout.pipeline_parallel = pipeline;
    s.layout.virtual_stages = 1;
    s.layout.data_parallel = s.layout.devices / pipeline;
    s.recipe.global_batch_sequences = 4 * s.layout.data_parallel;
    return s;
}

void plans() {
    QTest::addColumn<Scenario>("plan");
    QTest::newRow("Nemotron 3 Nano on one stage") << plan_of(hybrid("nemotron-3-nano-30b-a3b"));
    QTest::newRow("Nemotron 3 Nano on four stages") << plan_of(hybrid("nemotron-3-nano-30b-a3b"), 4);
    QTest::newRow("Qwen3-Next, with its module") << plan_of(hybrid("qwen3-next-80b-a3b"));
    QTest::newRow("gpt-oss, with a window in every other layer") << plan_of(hybrid("gpt-oss-20b"));
    QTest::newRow("DeepSeek-V3, whose first layers are dense") << plan_of(hybrid("deepseek-v3"));
    QTest::newRow("GPT-3, whose layers are all alike") << gpt3_on_selene();
    Scenario recomputed = plan_of(hybrid("nemotron-3-nano-30b-a3b"), 4);
    recomputed.layout.recompute = Recompute::full;
    QTest::newRow("layers that are computed again") << recomputed;
}

Scenario nano_recomputed(Recompute recompute) {
    Scenario s = plan_of(hybrid("nemotron-3-nano-30b-a3b"));
    s.layout.recompute = recompute;
    return s;
}

// What a term of that label, and all that it is made of, is said to follow from.
QString origins_below(const Term& t, const QString& label, bool in = false) {
    in = in || QString::fromStdString(t.label).startsWith(label);
    QString all = in ? QString::fromStdString(t.formula + ' ' + t.source.text + ' ') : QString();
    for (const Term& child : t.children) all += origins_below(child, label, in);
    return all;
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

}  // namespace

class ByKindTest : public QObject {
    Q_OBJECT

private slots:
    void full_recomputation_repeats_states_as_well() {
        const Scenario s = nano_recomputed(Recompute::full);
        const Outcome full = estimate(s), none = estimate(nano_recomputed(Recompute::none));
        QVERIFY(full && none);
        const double tokens = double(s.recipe.global_batch_sequences) * s.recipe.sequence_length;
        const double head = 2.0 * s.model.hidden * padded_vocabulary(s.model, s.layout.tensor_parallel) * tokens;
        const double layers_forward = none->model_flop / flop / 3 - head;
        QVERIFY(near((full->hardware_flop - full->model_flop) / flop, layers_forward));
    }

    void their_times_are_what_layers_take_of_the_step_data() { plans(); }
    void their_times_are_what_layers_take_of_the_step() {
        QFETCH(Scenario, plan);
        const Work w(plan);
        const Priced p = price(w);
        const StepTime& micro = p.busiest().micro;
        Seconds sum;
        for (const KindCost& k : costs_by_kind(plan)) sum += k.all;
        const Seconds ends = p.busiest().ends_forward + p.busiest().ends_backward - micro.ends;   // gathers of tables
        const Seconds layers = micro.gemm + micro.attention + micro.elementwise + micro.recompute
                             + micro.context_parallel + micro.expert_exchange + micro.shard_gather - ends;
        const double t = plan.layout.tensor_parallel;
        if (t == 1) QVERIFY(near(sum / second, double(w.micro_batches) * layers / second));
        QVERIFY(sum <= p.step.parts.total());
    }

    void their_memory_is_part_of_the_fullest_stage_data() { plans(); }
    void their_memory_is_part_of_the_fullest_stage() {
        QFETCH(Scenario, plan);
        const Work w(plan);
        const Priced p = price(w);
        const MemoryUse& full = p.memory[p.fullest_stage()];
        MemoryUse sum;
        for (const KindCost& k : costs_by_kind(plan)) {
            sum.weights += k.weights;
            sum.gradients += k.gradients;
            sum.optimizer += k.optimizer;
            sum.activations += k.activations;
        }
        const StageActivations a = stage_activations(w, p.swap, p.fullest_stage());
        QVERIFY(near(sum.activations / byte, (a.kept + a.waiting) / byte));
        QVERIFY(sum.weights < full.weights && sum.optimizer < full.optimizer);
        QVERIFY(sum.gradients <= full.gradients);
        QVERIFY(sum.weights > 0.5 * full.weights);
    }

    void their_parameters_are_the_models_data() { plans(); }
    void their_parameters_are_the_models() {
        QFETCH(Scenario, plan);
        Model m = plan.model;
        m.further = {};
        m.extra_parameters = 0;
        double sum = 0;
        int layers = 0;
        for (const KindCost& k : kinds_in_words(m)) {
            sum += k.layers * k.parameters;
            layers += k.layers;
        }
        Model none = m;
        none.layers = 0;
        QCOMPARE(layers, m.layers);
        QVERIFY(near(sum, parameters(m) - parameters(none)));
    }

    void kinds_are_called_what_they_are() {
        const std::vector<KindCost> kinds = costs_by_kind(plan_of(hybrid("nemotron-3-nano-30b-a3b")));
        QCOMPARE(kinds.size(), std::size_t(3));
        QCOMPARE(kinds[0].letter, 'M');
        QCOMPARE(kinds[0].name, std::string("Mamba-2 alone"));
        QCOMPARE(kinds[2].name, std::string("experts alone"));
        QCOMPARE(kinds[0].layers + kinds[1].layers + kinds[2].layers, 52);
        const std::vector<KindCost> oss = kinds_in_words(hybrid("gpt-oss-20b"));
        QCOMPARE(oss.size(), std::size_t(2));
        QCOMPARE(oss[0].letter, 'E');
        QCOMPARE(oss[1].letter, 'e');
    }

    void a_kind_that_the_busiest_stage_lacks_is_known_by_another_stage() {
        Scenario s = plan_of(hybrid("deepseek-v3"), 16);
        const std::vector<KindCost> kinds = costs_by_kind(s);
        QCOMPARE(kinds[0].letter, 'D');
        QVERIFY(kinds[0].one > Seconds{} && kinds[0].kept > Bytes{});
    }

    void a_state_says_where_its_passes_come_from_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("kernels");
        QTest::addColumn<QString>("from");
        QTest::newRow("the delta rule's from a table of its kernels") << "qwen3-next-80b-a3b"
            << "Kernels of Gated DeltaNet" << "by the kernels' published times";
        QTest::newRow("Mamba-2's from published steps of a model") << "nemotron-3-nano-30b-a3b"
            << "Kernels of Mamba-2" << "Nemotron 3 Nano's published steps";
    }
    void a_state_says_where_its_passes_come_from() {
        QFETCH(QString, id);
        QFETCH(QString, kernels);
        QFETCH(QString, from);
        QString said;
        for (const std::string& number : explainable())
            if (const auto term = explain(plan_of(hybrid(id.toStdString())), number))
                said += origins_below(*term, kernels);
        QVERIFY2(said.contains(from), qPrintable(said));
        for (const char* other : {"by the kernels' published times", "Nemotron 3 Nano's published steps"})
            QCOMPARE(said.contains(other), from == other);
    }

    void a_model_of_several_kinds_has_two_figures_more() {
        const auto ids = [](const Scenario& s) {
            QStringList all;
            for (const Figure& f : figures(s)) all << QString::fromStdString(f.id);
            return all;
        };
        QVERIFY(!ids(gpt3_on_selene()).contains("step-by-kind"));
        const Scenario s = plan_of(hybrid("gpt-oss-20b"));
        QVERIFY(ids(s).contains("step-by-kind") && ids(s).contains("memory-by-kind"));
    }

    void the_figures_sum_to_the_whole_data() {
        QTest::addColumn<Scenario>("plan");
        QTest::newRow("Nemotron 3 Nano on one stage") << plan_of(hybrid("nemotron-3-nano-30b-a3b"));
        QTest::newRow("Qwen3-Next on four stages") << plan_of(hybrid("qwen3-next-80b-a3b"), 4);
        QTest::newRow("gpt-oss, with a window in every other layer") << plan_of(hybrid("gpt-oss-20b"));
        QTest::newRow("DeepSeek-V3 on sixteen stages") << plan_of(hybrid("deepseek-v3"), 16);
    }
    void the_figures_sum_to_the_whole() {
        QFETCH(Scenario, plan);
        const Outcome e = estimate(plan);
        QVERIFY(e.has_value());
        for (const Figure& f : not_empty(figures(plan))) {
            double sum = 0;
            for (const Series& s : f.series)
                for (const double y : s.y) sum += y;
            if (f.id == "step-by-kind")
                QVERIFY(near(sum, e->step.total() / (f.y.unit == "ms" ? millisecond : second)));
            if (f.id == "memory-by-kind") QVERIFY(near(sum, e->worst().total() / gibibyte));
        }
    }
};

PLIMSOLL_TEST(ByKindTest)
#include "tst_by_kind.moc"
