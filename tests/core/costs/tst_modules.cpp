// Recomputation by module: what each gives back, what it repeats, and what excludes it.
#include "registered_test.h"

#include "core/answers/plan/estimate.h"
#include "core/answers/plan/price.h"
#include "core/answers/plan/rules.h"
#include "core/costs/kernels/exchange.h"
#include "core/costs/memory/memory.h"
#include "core/costs/step/step.h"
#include "core/values/knobs/knobs.h"
#include "near.h"
#include "scenarios.h"
#include "shipped.h"

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

// As Megatron lists them: "moe layernorm"; nothing of an empty list.
Scenario recomputing(Scenario s, const std::string& list) {
    s.layout.recompute = list.empty() ? Recompute::none : Recompute::selective;
    for (const ModuleRow& row : module_rows)
        s.layout.recompute_modules.*row.listed =
            (' ' + list + ' ').find(' ' + std::string(row.name) + ' ') != std::string::npos;
    return s;
}

Scenario on_h100(const char* model, int devices, int tensor, int sequence) {
    Scenario s;
    s.model = library().models.at(model);
    s.machine = library().machines.at("dgx-h100");
    s.stack = library().stacks.at("megatron-core");
    s.layout.devices = devices;
    s.layout.tensor_parallel = tensor;
    s.layout.sequence_parallel = tensor > 1;
    s.layout.data_parallel = devices / tensor;
    s.layout.expert_parallel = 8;
    s.layout.zero_stage = 1;
    s.recipe.sequence_length = sequence;
    s.recipe.precision = Precision::bf16;
    s.recipe.state_format = StateFormat::fp32_moments_fp32_sums;
    s.recipe.global_batch_sequences = 8 * s.layout.data_parallel;
    return s;
}
Scenario nano() { return on_h100("nemotron-3-nano-30b-a3b", 16, 1, 8192); }
Scenario moonlight() { return on_h100("moonlight-16b-a3b", 8, 2, 4096); }

Bytes kept(const Scenario& s) {
    const Work w(s);
    return stage_activations(w, {}, 0).kept;
}
double gigabytes(Bytes b) { return b / byte / 1e9; }

}  // namespace

class ModulesTest : public QObject {
    Q_OBJECT

private slots:
    // Megatron-Bridge, skills/nemo-mbridge-perf-activation-recompute: measured 4.194 and 1.014 GB of Nano, by formula
    // 2 k f of 23 layers' tokens and 2 h of them.
    void lists_give_back_what_was_measured_data() {
        QTest::addColumn<Scenario>("plan");
        QTest::addColumn<QString>("with");
        QTest::addColumn<QString>("without");
        QTest::addColumn<double>("GB");
        QTest::newRow("activations of Nano's experts") << nano() << "moe_act" << "" << 4.194;
        QTest::newRow("Nano's norms in front of experts") << nano() << "moe layernorm" << "moe" << 1.014;
        QTest::newRow("activations of Moonlight's experts") << moonlight() << "moe_act" << "" << 0.90;
        QTest::newRow("Moonlight's projections up") << moonlight() << "mla_up_proj" << "" << 0.91;
    }
    void lists_give_back_what_was_measured() {
        QFETCH(Scenario, plan);
        QFETCH(QString, with);
        QFETCH(QString, without);
        QFETCH(double, GB);
        const double back = gigabytes(kept(recomputing(plan, without.toStdString()))
                                      - kept(recomputing(plan, with.toStdString())));
        QVERIFY2(std::abs(back / GB - 1) < 0.01, qPrintable(QString::number(back)));
    }

    // The same skill, of Bridge's recipe with gradients and moments in 16 bits. Where more is given back, what was
    // measured stops at another peak, which is not modelled: the lists' rows are too low by what it keeps. It is not
    // the widening of moments (stack.widens_moments): its Transformer Engine of August 2026 no longer did that.
    void moonlight_takes_what_was_measured_data() {
        QTest::addColumn<QString>("list");
        QTest::addColumn<double>("GB");
        QTest::addColumn<double>("within");
        QTest::newRow("nothing recomputed") << "" << 36.618 << 0.01;
        QTest::newRow("projections up") << "mla_up_proj" << 35.902 << 0.015;
        QTest::newRow("activations of experts") << "moe_act" << 35.941 << 0.015;
        QTest::newRow("norms as well, below the other peak") << "layernorm moe_act" << 35.949 << 0.03;
    }
    void moonlight_takes_what_was_measured() {
        QFETCH(QString, list);
        QFETCH(double, GB);
        QFETCH(double, within);
        Scenario s = recomputing(moonlight(), list.toStdString());
        s.recipe.state_format = StateFormat::master_weights;
        const Outcome o = estimate(s);
        QVERIFY(o);
        const double all = gigabytes(o->worst().total());
        QVERIFY2(off(all, GB) < within, qPrintable(QString::number(all)));
    }

    void the_attention_core_alone_is_what_selective_means() {
        Scenario selective = nano();
        selective.layout.recompute = Recompute::selective;
        QVERIFY(selective == recomputing(nano(), "core_attn"));
        QVERIFY(!recomputes_by_module(selective));
    }

    void what_is_kept_and_what_comes_back_are_the_tensors_of_a_layer() {
        for (const Scenario& plan : {nano(), moonlight()})
            for (const char* list : {"core_attn", "layernorm", "moe_act", "mla_up_proj", "mlp", "moe", "shared_experts",
                                     "mlp moe layernorm", "core_attn moe_act mla_up_proj shared_experts"}) {
                const Scenario s = recomputing(plan, list);
                const Work w(s);
                for (Kind k = 0; k < w.layers.kinds(); ++k) {
                    Bytes sum;
                    for (const Kept& t : kept_tensors(w, w.layers[k]))
                        sum += kept_bytes(w, w.layers[k], t, Keeps::recomputed);
                    QVERIFY(near(stored_activations(w, k) / byte, sum / byte));
                    if (w.by_module)
                        QVERIFY(near((sum + given_back(w, k)) / byte, layer_activations(w, k).total() / byte));
                }
            }
    }

    void experts_give_back_more_than_what_lies_in_them() {
        for (const Scenario& plan : {nano(), moonlight()}) {
            QVERIFY(kept(recomputing(plan, "moe")) < kept(recomputing(plan, "moe_act shared_experts")));
            QVERIFY(kept(recomputing(plan, "moe moe_act shared_experts")) == kept(recomputing(plan, "moe")));
        }
    }

    // Nothing is repeated twice, and a full layer repeats more than its modules.
    void modules_repeat_a_part_of_what_a_full_layer_does() {
        for (const Scenario& plan : {nano(), moonlight()}) {
            Scenario whole = plan;
            whole.layout.recompute = Recompute::full;
            const Outcome full = estimate(whole), none = estimate(recomputing(plan, ""));
            const Outcome many = estimate(recomputing(plan, "core_attn layernorm mla_up_proj mlp moe")),
                          twice = estimate(recomputing(plan, "core_attn layernorm mla_up_proj mlp moe moe_act")),
                          experts = estimate(recomputing(plan, "moe")), act = estimate(recomputing(plan, "moe_act"));
            QVERIFY(full && none && many && twice && experts && act);
            QVERIFY(many->step.recompute < full->step.recompute);
            QVERIFY(twice->step.recompute == many->step.recompute);
            QVERIFY(Seconds{} < act->step.recompute && act->step.recompute < experts->step.recompute);
            QVERIFY(experts->step.recompute < many->step.recompute);
            QVERIFY(none->step.recompute == Seconds{});
            QVERIFY(none->hardware_flop == act->hardware_flop);
            QVERIFY(experts->hardware_flop <= many->hardware_flop && many->hardware_flop < full->hardware_flop);
        }
    }

    void experts_are_exchanged_again() {
        const Scenario once = recomputing(moonlight(), "moe_act"), again = recomputing(moonlight(), "moe");
        QVERIFY(near(exchange_volume(again) / byte, 1.5 * (exchange_volume(once) / byte)));
        const Outcome a = estimate(once), b = estimate(again);
        QVERIFY(a && b);
        QVERIFY(near(b->step.expert_exchange / second, 1.5 * (a->step.expert_exchange / second)));
    }

    void what_excludes_a_module_is_told_data() {
        QTest::addColumn<Scenario>("plan");
        QTest::addColumn<QString>("knob");
        QTest::addColumn<QString>("of");
        Scenario overlapped = recomputing(moonlight(), "moe");
        overlapped.stack.experts.exchange_exposed = 0.5;
        QTest::newRow("experts whose exchange runs beside other work")
            << overlapped << "layout.recompute_modules.moe" << "stack.experts.exchange_exposed";
        Scenario delayed = recomputing(moonlight(), "core_attn layernorm");
        delayed.recipe.precision = Precision::fp8;
        delayed.recipe.fp8_recipe = Fp8Recipe::delayed;
        QTest::newRow("norms in fp8 with delayed scales")
            << delayed << "layout.recompute_modules.layernorm" << "recipe.fp8_recipe";
        Scenario elsewhere = recomputing(moonlight(), "core_attn moe_act");
        elsewhere.stack.recomputation.takes_modules = false;
        QTest::newRow("software that takes no list")
            << elsewhere << "layout.recompute_modules.moe_act" << "stack.recompute_modules";
    }
    void what_excludes_a_module_is_told() {
        QFETCH(Scenario, plan);
        QFETCH(QString, knob);
        QFETCH(QString, of);
        const std::vector<Obstacle> all = check(plan);
        QCOMPARE(all.size(), 1u);
        QCOMPARE(QString::fromStdString(all[0].knob), knob);
        QCOMPARE(QString::fromStdString(all[0].of), of);
        QVERIFY(!all[0].valid.empty());
        const auto turned = with(plan, *find_knob(all[0].knob), all[0].valid[0]);
        QVERIFY(turned && check(*turned).empty());
    }

    void a_module_that_the_model_lacks_changes_nothing() {
        Scenario dense = gpt3_on_selene();
        dense.layout.recompute = Recompute::selective;
        const Outcome before = estimate(dense);
        dense.layout.recompute_modules.moe = dense.layout.recompute_modules.mla_up_proj = true;
        const Outcome after = estimate(dense);
        QVERIFY(before && after);
        QVERIFY(before->step.total() == after->step.total() && before->worst().total() == after->worst().total());
        QVERIFY(!idle_reason(*find_knob("layout.recompute_modules.moe"), dense).empty());
    }
};

PLIMSOLL_TEST(ModulesTest)
#include "tst_modules.moc"
