// What must hold of every estimate, over random plans: sums reconcile, more
// hardware is never slower, obstacles name what would work.
#include "registered_test.h"

#include "core/answers/plan/rules.h"
#include "core/answers/plan/estimate.h"
#include "core/values/basics/names.h"
#include "core/answers/explain/explain.h"
#include "core/answers/campaign/headline.h"
#include "core/costs/memory/memory.h"
#include "core/values/plan/share.h"
#include "core/costs/step/stage.h"
#include "core/values/knobs/knobs.h"
#include "random_plans.h"

#include <algorithm>
#include <cmath>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

double seconds_of(const Scenario& s) { return estimate(s)->step.total() / second; }

}  // namespace

class EstimateTest : public QObject {
    Q_OBJECT

private slots:
    // An A100 multiplies in tf32 eight times as fast as in fp32, and keeps the same bytes.
    void fp32_products_may_run_in_tf32() {
        Scenario s = gpt3_on_selene();
        s.recipe.precision = Precision::fp32;
        Scenario fast = s;
        fast.recipe.tf32 = true;
        const Outcome a = estimate(s), b = estimate(fast);
        QVERIFY(a && b);
        QVERIFY(b->step.gemm < 0.25 * a->step.gemm);
        QVERIFY(b->worst() == a->worst() && b->step.optimizer == a->step.optimizer);
        QVERIFY(headline(fast, *b).mfu < 1 && headline(fast, *b).mfu < headline(s, *a).mfu);
        fast.machine.device.tf32 = {};
        const Outcome without = estimate(fast);
        QVERIFY(!without && without.error().front().knob == "recipe.tf32");
    }

    void random_plans_reconcile() {
        int computed = 0;
        for (const Scenario& s : random_plans(drawn(4000))) {
            const Outcome o = estimate(s);
            if (!o) {
                QVERIFY(!o.error().empty());
                continue;
            }
            ++computed;
            double parts = 0;
            for (const auto& part : step_parts) {
                const double v = (o->step.*part.value) / second;
                QVERIFY2(
                    std::isfinite(v) && v >= -1e-12 * std::max(1.0, o->step.total() / second),
                    qPrintable(QString("%1 is %2").arg(QString::fromUtf8(part.id.data(), int(part.id.size()))).arg(v)));
                parts += v;
            }
            QCOMPARE(parts, o->step.total() / second);
            QCOMPARE(int(o->stages.size()), s.layout.pipeline_parallel);
            for (const MemoryUse& stage : o->stages) {
                QVERIFY2(stage.total() <= o->worst().total(),
                         qPrintable(QString("%1, of %2 bytes").arg(s.model.name.c_str()).arg(stage.total() / byte)));
                for (const auto& part : memory_parts) QVERIFY((stage.*part.value) >= Bytes{});
            }
            QVERIFY(o->energy.total() > o->energy.devices);
            const Headline h = headline(s, *o);
            QVERIFY(h.mfu > 0 && h.mfu < 1 && h.hfu >= h.mfu);
            // A site charges whole nodes, those that are partly used too, unless it lets devices singly.
            const double charged = h.node_hours * s.machine.devices_per_node;
            const bool full =
                s.machine.accounting.by_device || s.layout.devices % s.machine.devices_per_node == 0;
            if (std::isfinite(charged))
                QVERIFY(full ? std::abs(charged / h.device_hours - 1) < 1e-12 : charged > h.device_hours);
        }
        QVERIFY2(computed > drawn(400), qPrintable(QString("only %1 plans had no obstacle").arg(computed)));
    }

    void every_explanation_evaluates_to_its_number() {
        const auto ids = explainable();
        int trees = 0;
        for (const Scenario& s : random_plans(drawn(600))) {
            const Outcome o = estimate(s);
            if (!o) continue;
            const Headline h = headline(s, *o);
            for (const std::string& id : ids) {
                const auto term = explain(s, id);
                QVERIFY2(term.has_value(), id.c_str());
                const double again = evaluate(*term);
                QVERIFY2(std::abs(again - term->value) <= 1e-9 * std::abs(term->value) + 1e-12, id.c_str());
                ++trees;
            }
            const auto equals = [&](const char* id, double expected) {
                const double found = explain(s, id)->value;
                const bool same = std::abs(found - expected) <= 1e-9 * std::abs(expected) + 1e-12;
                if (!same) qWarning("%s: explained %.12g, estimated %.12g", id, found, expected);
                return same;
            };
            QVERIFY(equals("step_seconds", o->step.total() / second));
            QVERIFY(equals("run.seconds", h.run / second));
            QVERIFY(equals("run.node_hours", h.node_hours));
            QVERIFY(equals("run.energy_MWh", h.device_energy / megawatt_hour));
            QVERIFY(equals("run.facility_energy_MWh", h.facility_energy / megawatt_hour));
            QVERIFY(equals("mfu", h.mfu));
            QVERIFY(equals("hfu", h.hfu));
            QVERIFY(equals("tokens_per_second", h.tokens_per_second / (token / second)));
            QVERIFY(equals("memory.worst_stage_bytes", o->worst().total() / byte));
            QVERIFY(equals("parameters", o->parameters));
            for (const auto& part : step_parts)
                QVERIFY(equals(("step." + std::string(part.id)).c_str(), (o->step.*part.value) / second));
        }
        QVERIFY(trees > drawn(1000));
    }

    void leaves_carry_a_source() {
        const auto check_leaves = [](const Term& t, auto&& self) -> bool {
            if (t.op == Operator::given && t.source.text.empty()) return false;
            for (const Term& child : t.children)
                if (!self(child, self)) return false;
            return true;
        };
        for (const std::string& id : not_empty(explainable()))
            QVERIFY2(check_leaves(*explain(gpt3_on_selene(), id), check_leaves), id.c_str());
    }

    // Where the host sets the pace, a faster device leaves a zero-bubble schedule less weight-gradient work to
    // fill its bubble with; interleaved orders are extended by an observed period, and so are stages that differ, as a
    // split by cost and messages to one or two neighbours leave them, and whose slowest forward and backward pass are
    // on different stages (GPipe). The slower the hosts, the more of that: 0.93 % were seen. The others are exact.
    static double anomaly(const Scenario& s) {
        const Schedule schedule = s.layout.schedule;
        const bool alike = schedule != Schedule::gpipe && stage_split(s) != StageSplit::by_cost
                        && s.stack.pipeline.message == Seconds{}
                        && s.model.layers % s.layout.pipeline_parallel == 0;
        const double unlike = alike ? 1e-9 : 0.01;
        return schedule_kind(schedule).splits_backward ? 0.08 : schedule == Schedule::interleaved ? 0.01 : unlike;
    }

    void better_hardware_is_never_slower_data() {
        QTest::addColumn<int>("what");
        QTest::newRow("twice the peak") << 0;
        QTest::newRow("twice the memory bandwidth") << 1;
        QTest::newRow("twice the network inside the node") << 2;
        QTest::newRow("twice the network between nodes") << 3;
    }
    void better_hardware_is_never_slower() {
        QFETCH(int, what);
        for (const Scenario& s : random_plans(drawn(1500))) {
            if (!estimate(s)) continue;
            Scenario better = s;
            Device& d = better.machine.device;
            if (what == 0) { d.fp32 *= 2; d.fp16 *= 2; d.bf16 *= 2; d.fp8 *= 2; }
            if (what == 1) d.bandwidth *= 2;
            if (what == 2) better.machine.levels[0].bandwidth *= 2;
            if (what == 3) better.machine.levels[1].bandwidth *= 2;
            const double ratio = seconds_of(better) / seconds_of(s);
            QVERIFY2(ratio <= 1 + anomaly(s),
                     qPrintable(QString("%1 times, %2").arg(ratio).arg(name_of(s.layout.schedule).data())));
        }
    }

    void valid_values_remove_the_obstacle() {
        int tried = 0;
        for (const Scenario& s : random_plans(drawn(2000)))
            for (const Obstacle& o : check(s)) {
                if (o.reason != Reason::indivisible && o.reason != Reason::not_a_grid) continue;
                const Knob* knob = find_knob(o.knob);
                QVERIFY2(knob, o.knob.c_str());
                for (double v : o.valid) {
                    const auto fixed = with(s, *knob, v);
                    QVERIFY(fixed.has_value());
                    for (const Obstacle& left : check(*fixed))
                        QVERIFY2(!(left.reason == o.reason && left.knob == o.knob && left.of == o.of), o.knob.c_str());
                    ++tried;
                }
            }
        QVERIFY(tried > drawn(500));
    }

    void obstacles_data() {
        QTest::addColumn<Scenario>("plan");
        QTest::addColumn<int>("reason");
        QTest::addColumn<QString>("knob");
        const auto row = [](const char* name, Reason reason, const char* knob, auto change) {
            Scenario s = gpt3_on_selene();
            change(s);
            QTest::newRow(name) << s << int(reason) << QString(knob);
        };
        row("heads not divisible by tensor width", Reason::indivisible, "layout.tensor_parallel",
            [](Scenario& s) { s.layout.tensor_parallel = 7; });
        row("degrees do not multiply to the devices", Reason::device_count_mismatch, "layout.devices",
            [](Scenario& s) { s.layout.devices = 1000; });
        row("more devices than the machine has", Reason::exceeds_devices, "layout.devices", [](Scenario& s) {
            s.layout.data_parallel = 1024;
            s.layout.devices = 65536;
        });
        row("fewer sequences than replicas", Reason::batch_too_small, "recipe.global_batch_sequences",
            [](Scenario& s) { s.recipe.global_batch_sequences = 8; });
        row("batch not divisible by the replicas", Reason::indivisible, "recipe.global_batch_sequences",
            [](Scenario& s) { s.recipe.global_batch_sequences = 1537; });
        row("more stages than layers", Reason::out_of_range, "layout.pipeline_parallel", [](Scenario& s) {
            s.layout.pipeline_parallel = 128;
            s.layout.data_parallel = 1;
        });
        row("sharded gradients with a pipeline", Reason::incompatible, "layout.zero_stage",
            [](Scenario& s) { s.layout.zero_stage = 3; });
        row("fp8 on an A100", Reason::unsupported_precision, "recipe.precision",
            [](Scenario& s) { s.recipe.precision = Precision::fp8; });
        row("sequence parallel without tensor parallel", Reason::incompatible, "layout.sequence_parallel",
            [](Scenario& s) {
                s.layout.tensor_parallel = 1;
                s.layout.data_parallel = 128;
                s.layout.sequence_parallel = true;
            });
        row("interleaved layers that do not divide", Reason::indivisible, "layout.virtual_stages", [](Scenario& s) {
            s.layout.schedule = Schedule::interleaved;
            s.layout.virtual_stages = 5;
        });
        row("zero bubble without a pipeline", Reason::incompatible, "layout.schedule", [](Scenario& s) {
            s.layout.pipeline_parallel = 1;
            s.layout.data_parallel = 128;
            s.layout.recompute = Recompute::none;
            s.layout.schedule = Schedule::zb_h1;
        });
        row("zero bubble with several chunks per stage", Reason::incompatible, "layout.virtual_stages",
            [](Scenario& s) {
                s.layout.virtual_stages = 2;
                s.layout.recompute = Recompute::none;
                s.layout.schedule = Schedule::zb_h2;
            });
        row("zero bubble with full recomputation", Reason::incompatible, "layout.recompute",
            [](Scenario& s) { s.layout.schedule = Schedule::zb_h1; });
        const auto context = [](Scenario& s, int c) {
            s.stack.kernels.attention = Attention::flash;
            s.layout.context_parallel = c;
            s.layout.devices *= c;
        };
        row("a ring whose ranks would hold no early and late piece", Reason::indivisible, "layout.context_parallel",
            [=](Scenario& s) {
                context(s, 2);
                s.recipe.sequence_length = 2046;
            });
        row("more ranks share a sequence than tensor ranks have key-value heads", Reason::indivisible,
            "layout.context_parallel", [=](Scenario& s) {
                context(s, 8);
                s.layout.context_mode = ContextMode::ulysses;
            });
        row("a ring cannot add up a materialised score matrix", Reason::incompatible, "layout.context_mode",
            [=](Scenario& s) {
                context(s, 2);
                s.stack.kernels.attention = Attention::materialised;
            });
        row("sequence parallel and context ranks share fewer tokens than there are", Reason::indivisible,
            "recipe.sequence_length", [=](Scenario& s) {
                context(s, 4);
                s.layout.sequence_parallel = true;
                s.recipe.sequence_length = 2040;
            });
        const auto grid = [](Scenario& s, TensorMode mode, int t, int depth, int micro_batch) {
            s.layout.tensor_mode = mode;
            s.layout.tensor_parallel = t;
            s.layout.tensor_depth = depth;
            s.layout.micro_batch = micro_batch;
            s.layout.devices = int(s.layout.model_parallel()) * s.layout.data_parallel;
        };
        row("eight ranks make no square", Reason::not_a_grid, "layout.tensor_parallel",
            [=](Scenario& s) { grid(s, TensorMode::summa_2d, 8, 1, 8); });
        row("a grid of side five does not divide 96 heads", Reason::not_a_grid, "layout.tensor_parallel",
            [=](Scenario& s) { grid(s, TensorMode::summa_2d, 25, 1, 5); });
        row("a Tesseract deeper than wide", Reason::out_of_range, "layout.tensor_depth",
            [=](Scenario& s) { grid(s, TensorMode::tesseract, 16, 4, 8); });
        row("a micro-batch the rows cannot share", Reason::indivisible, "layout.micro_batch",
            [=](Scenario& s) { grid(s, TensorMode::tesseract, 8, 2, 6); });
        row("sequence parallelism on a grid that splits everything", Reason::incompatible, "layout.sequence_parallel",
            [=](Scenario& s) {
                grid(s, TensorMode::summa_2d, 4, 1, 4);
                s.layout.sequence_parallel = true;
            });
        row("Adafactor's rows and columns on a grid", Reason::incompatible, "layout.tensor_mode", [=](Scenario& s) {
            grid(s, TensorMode::summa_2d, 4, 1, 4);
            s.recipe.optimizer = Optimizer::adafactor;
        });
        row("no layers at all", Reason::out_of_range, "model.layers", [](Scenario& s) { s.model.layers = 0; });
    }
    void obstacles() {
        QFETCH(Scenario, plan);
        QFETCH(int, reason);
        QFETCH(QString, knob);
        const Outcome o = estimate(plan);
        QVERIFY(!o);
        bool found = false;
        for (const Obstacle& each : o.error())
            found = found || (int(each.reason) == reason && each.knob == knob.toStdString());
        QVERIFY(found);
    }

    static Scenario with_schedule(Schedule schedule) {
        return with_layout(gpt3_on_selene(), [schedule](Layout& l) {
            l.schedule = schedule;
            l.recompute = Recompute::selective;
        });
    }

    void less_bubble_and_nothing_else_changes_in_a_step() {
        const Outcome plain = estimate(with_schedule(Schedule::one_f_one_b));
        const Outcome h1 = estimate(with_schedule(Schedule::zb_h1)), h2 = estimate(with_schedule(Schedule::zb_h2));
        QVERIFY(plain && h1 && h2);
        QVERIFY(h1->step.bubble < 0.6 * plain->step.bubble);
        QVERIFY(h2->step.bubble < 0.6 * h1->step.bubble);
        for (const Outcome* o : {&h1, &h2})
            for (const auto& part : step_parts)
                if (part.id != "bubble") QCOMPARE((*o)->step.*part.value / second, plain->step.*part.value / second);
    }

    void deferred_weight_gradients_keep_their_operands() {
        const Scenario s = with_schedule(Schedule::zb_h1);
        const Bytes operands = layer_activations(s, dense_layer).waiting;
        Scenario whole = s;  // 32 s b h bytes of one unsplit layer in 16 bit
        whole.layout.tensor_parallel = 1;
        QCOMPARE(layer_activations(whole, dense_layer).waiting / byte, 32.0 * 2048 * 12288);
        const Outcome plain = estimate(with_schedule(Schedule::one_f_one_b)), h1 = estimate(s);
        QCOMPARE(h1->stages[0].activations / byte, plain->stages[0].activations / byte);
        for (int i = 1; i < 7; ++i)
            QCOMPARE((h1->stages[i].activations - plain->stages[i].activations) / byte, i * 12 * operands / byte);
        const Outcome h2 = estimate(with_schedule(Schedule::zb_h2));
        QVERIFY(h2->stages[0].activations > 1.8 * plain->stages[0].activations);
    }

    // The backward pass of a layer reads the operands of its last product, not the result.
    void a_compiler_leaves_out_the_product_that_ends_a_layer() {
        Scenario s = with_layout(gpt3_on_selene(), [](Layout& l) { l.recompute = Recompute::full; });
        const Outcome eager = estimate(s);
        s.stack.recomputation.repeats_last_product = false;
        const Outcome compiled = estimate(s);
        const Seconds one = time_of(layer_gemms(s, dense_layer).back(), rates_of(s)).total();
        const double times = eager->micro_batches * layers_of_stage(s, eager->busiest_stage);
        const double saved = (eager->step.recompute - compiled->step.recompute) / (times * one);
        QVERIFY(std::abs(saved - 1) < 1e-9);
        QCOMPARE(compiled->step.gemm / second, eager->step.gemm / second);
    }

    void memory_overflow_has_numbers() {
        const Outcome o = estimate(too_big_for_memory());
        QVERIFY(o.has_value());
        QVERIFY(!o->fits());
        QVERIFY(!runs(o));
    }
};

PLIMSOLL_TEST(EstimateTest)
#include "tst_estimate.moc"
