// Optimizers: bytes, FLOP and exchange of each against sums written out block by block.
#include "registered_test.h"

#include "core/answers/explain/explain.h"
#include "core/answers/plan/estimate.h"
#include "core/answers/plan/price.h"
#include "core/answers/plan/rules.h"
#include "core/answers/campaign/headline.h"
#include "core/costs/memory/memory.h"
#include "core/costs/optimizer/curvature.h"
#include "core/costs/optimizer/muon.h"
#include "core/costs/optimizer/optimizer.h"
#include "core/values/knobs/wording.h"
#include "core/values/basics/names.h"
#include "core/values/plan/share.h"
#include "random_plans.h"
#include "shipped.h"

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

Scenario with_optimizer(Scenario s, Optimizer o, int block = 1024) {
    s.recipe.optimizer = o;
    s.recipe.optimizer_options.block_size = block;
    return s;
}

// The slow twin: every block of every matrix by itself.
Curvature block_by_block(const Recipe& r, int d_in, int d_out) {
    const int k = r.optimizer_options.block_size > 0 ? r.optimizer_options.block_size : std::max(d_in, d_out);
    Curvature c;
    c.parameters = double(d_in) * d_out;
    const auto factor = [&](double n, double power) {
        c.elements += n * n;
        c.packed += n * (n + 1) / 2;
        c.inverse_flop += power * n * n * n;
    };
    if (r.optimizer == Optimizer::shampoo) {
        for (int i = 0; i < d_in; i += k)
            for (int j = 0; j < d_out; j += k) {
                const double a = std::min(k, d_in - i), b = std::min(k, d_out - j);
                factor(a, 11);
                factor(b, 11);
                c.statistics_flop += 2 * a * a * b + 2 * b * b * a;
                c.apply_flop += 2 * a * a * b + 2 * b * b * a;
            }
        return c;
    }
    for (int i = 0; i < d_in; i += k) {
        const double a = std::min(k, d_in - i);
        factor(a, 1);
        c.apply_flop += 2 * a * a * d_out;
    }
    for (int j = 0; j < d_out; j += k) {
        const double b = std::min(k, d_out - j);
        factor(b, 1);
        c.apply_flop += 2 * b * b * d_in;
    }
    return c;
}

bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

}  // namespace

class OptimizersTest : public QObject {
    Q_OBJECT

private slots:
    void state_bytes_per_parameter_data() {
        QTest::addColumn<int>("optimizer");
        QTest::addColumn<int>("precision");
        QTest::addColumn<double>("optimizer_bytes");
        const auto row = [](const char* name, Optimizer o, Precision p, double bytes) {
            QTest::newRow(name) << int(o) << int(p) << bytes;
        };
        row("Adam keeps a master copy and two fp32 moments", Optimizer::adam, Precision::bf16, 12);
        row("SGD with momentum keeps one moment", Optimizer::sgd, Precision::bf16, 8);
        row("8-bit Adam keeps two bytes and two scales per 2,048", Optimizer::adam_8bit, Precision::bf16,
            4 + 2 + 8 / 2048.0);
        row("8-bit Adam without a master copy in fp32 training", Optimizer::adam_8bit, Precision::fp32, 2 + 8 / 2048.0);
        row("Adafactor keeps nothing per parameter but the master copy", Optimizer::adafactor, Precision::bf16, 4);
        row("K-FAC keeps a momentum", Optimizer::kfac, Precision::fp32, 4);
        row("Shampoo keeps momentum and the grafted second moment", Optimizer::shampoo, Precision::fp32, 8);
    }
    void state_bytes_per_parameter() {
        QFETCH(int, optimizer);
        QFETCH(int, precision);
        QFETCH(double, optimizer_bytes);
        Recipe r;
        r.optimizer = Optimizer(optimizer);
        r.precision = Precision(precision);
        for (const double bytes : state_bytes(r).optimizer.of) QCOMPARE(bytes, optimizer_bytes);
    }

    void states_of_16_bit_training_by_their_sum_data() {
        QTest::addColumn<int>("bytes");
        QTest::addColumn<int>("optimizer");
        QTest::addColumn<double>("gradients");
        QTest::addColumn<double>("kept");
        const auto row = [](const char* name, int bytes, double gradients, double kept, Optimizer o = Optimizer::adam) {
            QTest::newRow(name) << bytes << int(o) << gradients << kept;
        };
        row("6: no master weights, two moments of 8 bits", 6, 2, 2);
        row("8: everything in 16 bits", 8, 2, 4);
        row("10: the same with gradients added up in fp32", 10, 4, 4);
        row("12: master weights and two moments of 16 bits", 12, 2, 8);
        row("14: the same with gradients added up in fp32", 14, 4, 8);
        row("16: moments in fp32", 16, 2, 12);
        row("18: the same with gradients added up in fp32", 18, 4, 12);
        row("20: 16-bit gradients and an fp32 copy", 20, 2, 16);
        row("SGD with everything in 16 bits keeps 6", 8, 2, 2, Optimizer::sgd);
        row("8-bit Adam without master weights keeps its own moments", 8, 2, 2 + 8 / 2048.0, Optimizer::adam_8bit);
        row("Adafactor without master weights keeps nothing by parameter", 8, 2, 0, Optimizer::adafactor);
    }
    void states_of_16_bit_training_by_their_sum() {
        QFETCH(int, bytes);
        QFETCH(int, optimizer);
        QFETCH(double, gradients);
        QFETCH(double, kept);
        Recipe r;
        r.state_format = named_states[(bytes - 6) / 2];
        r.optimizer = Optimizer(optimizer);
        QCOMPARE(state_bytes(r).weights, 2.0);
        QCOMPARE(state_bytes(r).gradients, gradients);
        for (const double bytes_of_group : state_bytes(r).optimizer.of) QCOMPARE(bytes_of_group, kept);
        QCOMPARE(bytes_per_parameter(r.state_format), double(bytes));
        QCOMPARE(keeps_master_weights(r), bytes >= 12);
        if (r.optimizer == Optimizer::adam) QCOMPARE(state_bytes(r).total(ParameterGroup::matrices), double(bytes));
        const double saved = checkpoint_bytes_per_parameter(r)[ParameterGroup::matrices];
        QCOMPARE(saved, 2 + kept - (bytes == 20 ? 4 : 0));   // no gradients
        r.precision = Precision::fp32;
        QCOMPARE(state_bytes(r).gradients, 4.0);
    }

    void states_in_formats_of_their_own_data() {
        QTest::addColumn<StateFormat>("states");
        QTest::addColumn<double>("weights");
        QTest::addColumn<double>("gradients");
        QTest::addColumn<double>("kept");
        QTest::addColumn<double>("saved");
        const auto row = [](const char* name, StateFormat f, double weights, double gradients, double kept) {
            QTest::newRow(name) << f << weights << gradients << kept << weights + kept;
        };
        using G = GradientFormat;
        using M = MasterFormat;
        using F = MomentFormat;
        const auto products = WeightFormat::as_products;
        row("fp32 gradients, remainders, moments in fp32: 16", {products, G::fp32, M::remainders, F::fp32, F::fp32}, 2,
            4, 10);
        row("remainders and moments in bf16: 12", {products, G::fp32, M::remainders, F::bf16, F::bf16}, 2, 4, 6);
        row("16-bit gradients as well: 10", {products, G::half, M::remainders, F::bf16, F::bf16}, 2, 2, 6);
        row("a first moment in fp8 and a second in fp16", {products, G::half, M::fp16, F::fp8, F::fp16}, 2, 2, 5);
        row("8-bit moments with scales", {products, G::half, M::fp32, F::scaled_8bit, F::scaled_8bit}, 2, 2,
            6 + 8 / 2048.0);
        row("fp32 weights, converted for the products", {WeightFormat::fp32, G::fp32, M::none, F::fp32, F::fp32}, 4, 4,
            8);
    }
    void states_in_formats_of_their_own() {
        QFETCH(StateFormat, states);
        QFETCH(double, weights);
        QFETCH(double, gradients);
        QFETCH(double, kept);
        QFETCH(double, saved);
        Recipe r;
        r.state_format = states;
        const StateBytes b = state_bytes(r);
        QCOMPARE(b.weights, weights);
        QCOMPARE(b.fetched, 2.0);
        QCOMPARE(b.gradients, gradients);
        QCOMPARE(b.optimizer[ParameterGroup::matrices], kept);
        QCOMPARE(bytes_per_parameter(states), weights + gradients + kept);
        QCOMPARE(checkpoint_bytes_per_parameter(r)[ParameterGroup::matrices], saved);
        QVERIFY(keeps_master_weights(r));
        QCOMPARE(named_state(states), named_state_count);
    }

    // Memory, traffic of gradients and of the update follow from the same bytes.
    void narrower_states_shrink_what_follows_from_them() {
        Scenario s = small_on_one_node();
        s.layout.zero_stage = 1;
        s.stack.memory = {};
        s.recipe.precision = Precision::bf16;
        s.recipe.state_format = StateFormat::fp32_moments_fp32_sums;
        const Estimate wide = *estimate(s);
        const double touched = optimizer_traffic(s, in_matrices(1e9)) / byte;
        s.recipe.state_format.master = MasterFormat::remainders;
        s.recipe.state_format.first_moment = s.recipe.state_format.second_moment = MomentFormat::bf16;
        const Estimate narrow = *estimate(s);
        QVERIFY(close(narrow.stages[0].optimizer / byte, wide.stages[0].optimizer / byte * 6 / 12));
        QCOMPARE(narrow.stages[0].gradients / byte, wide.stages[0].gradients / byte);
        QVERIFY(close(optimizer_traffic(s, in_matrices(1e9)) / byte, touched * 12 / 18));
        QVERIFY(narrow.step.optimizer < wide.step.optimizer);
        const Seconds reduced = price(s).step.gradients.reduce;
        s.recipe.state_format.gradients = GradientFormat::half;
        QVERIFY(close(estimate(s)->stages[0].gradients / byte, wide.stages[0].gradients / byte / 2));
        QVERIFY(price(s).step.gradients.reduce < reduced);
    }

    void formats_that_do_not_go_are_refused_data() {
        QTest::addColumn<StateFormat>("states");
        QTest::addColumn<int>("precision");
        QTest::addColumn<int>("software");
        QTest::addColumn<QString>("refused");
        const auto row = [](const char* name, StateFormat f, const char* refused, StateSet software = StateSet::any,
                            Precision p = Precision::bf16) {
            QTest::newRow(name) << f << int(p) << int(software) << QString(refused);
        };
        const StateFormat remainders{.master = MasterFormat::remainders};
        const StateFormat narrow{.first_moment = MomentFormat::fp8, .second_moment = MomentFormat::fp16};
        const StateFormat first_alone{.first_moment = MomentFormat::bf16};
        row("remainders of bf16 weights", remainders, "");
        row("remainders of weights for fp8 products", remainders, "", StateSet::any, Precision::fp8);
        row("remainders of fp16 weights", remainders, "master_format", StateSet::any, Precision::fp16);
        row("what fp32 training does not keep", remainders, "", StateSet::any, Precision::fp32);
        row("master weights beside fp32 ones", {.weights = WeightFormat::fp32}, "master_format");
        row("remainders under software that has them", remainders, "", StateSet::precision_aware);
        row("remainders under software without", remainders, "master_format", StateSet::named);
        row("moments in fp8 and fp16 under software that has them", narrow, "", StateSet::precision_aware);
        row("moments in fp8 and fp16 under software without", narrow, "first_moment", StateSet::named);
        row("moments that differ", first_alone, "", StateSet::precision_aware);
        row("moments that differ under software without", first_alone, "second_moment", StateSet::named);
        row("blocks of 8 bits under precision-aware states",
            {.first_moment = MomentFormat::scaled_8bit, .second_moment = MomentFormat::fp32}, "first_moment",
            StateSet::precision_aware);
        row("a recipe with a name under software without", StateFormat::master_weights_fp32_sums, "", StateSet::named);
        row("8-bit moments by name", StateFormat::eight_bit_moments, "", StateSet::named);
    }
    void formats_that_do_not_go_are_refused() {
        QFETCH(StateFormat, states);
        QFETCH(int, precision);
        QFETCH(int, software);
        QFETCH(QString, refused);
        Scenario s = small_on_one_node();
        s.machine.device.fp8 = 2 * s.machine.device.bf16;
        s.recipe.precision = Precision(precision);
        s.recipe.state_format = states;
        s.stack.memory.states = StateSet(software);
        const std::vector<Obstacle> obstacles = check(s);
        QCOMPARE(obstacles.empty(), refused.isEmpty());
        if (obstacles.empty()) return;
        const Obstacle& first = obstacles.front();
        QVERIFY2(first.knob == "recipe.bytes_per_parameter." + refused.toStdString(), first.knob.c_str());
        QVERIFY(!first.valid.empty());
        Scenario mended = s;   // by the nearest value of each obstacle
        for (const Obstacle& o : obstacles) find_knob(o.knob)->set(mended, o.valid.front());
        QVERIFY(check(mended).empty());
    }

    // Fetched in 16 bits for the products, whatever they are kept in.
    void fp32_weights_are_gathered_in_16_bits() {
        Scenario s = small_on_one_node();
        s.layout.zero_stage = 3;
        s.stack.memory = {};
        s.recipe.precision = Precision::bf16;
        s.recipe.state_format = StateFormat::fp32_moments_fp32_sums;
        const Estimate before = *estimate(s);
        s.recipe.state_format.weights = WeightFormat::fp32;
        s.recipe.state_format.master = MasterFormat::none;
        const Estimate after = *estimate(s);
        QCOMPARE(after.step.shard_gather / second, before.step.shard_gather / second);
        QVERIFY(close(after.stages[0].weights / byte, 2 * (before.stages[0].weights / byte)));
        QVERIFY(close(after.stages[0].optimizer / byte, before.stages[0].optimizer / byte * 8 / 12));
    }

    void groups_of_which_an_optimizer_keeps_as_much_are_counted_together() {
        const ByGroup same{{8, 8, 8, 8, 8, 8, 8}}, two{{4, 8, 8, 8, 8, 4, 8}};
        for (const Scenario& s : random_plans(drawn(300))) {
            if (!check(s).empty()) continue;
            const ParameterCounts all = stage_parameters(s, 0).all;
            int visits = 0;
            double matrices = 0, others = 0;
            all.by_value(same, [&](double value, const ParameterCounts& alike) {
                ++visits;
                QCOMPARE(value, 8.0);
                QCOMPARE(alike.total(), all.total());
            });
            QCOMPARE(visits, 1);
            all.by_value(two, [&](double value, const ParameterCounts& alike) {
                ++visits;
                (value == 4 ? matrices : others) += alike.total();
            });
            QCOMPARE(visits, 3);
            QVERIFY(close(matrices, all[ParameterGroup::matrices] + all[ParameterGroup::routed]));
            QVERIFY(close(matrices + others, all.total()));
        }
    }

    // Fused Adam on 16-bit states reads weight, gradient and two moments and writes all but the gradient: 14 bytes,
    // where the usual states move 28.
    void states_of_half_the_bytes_are_updated_in_half_the_time() {
        Scenario s = gpt3_on_selene();
        s.stack.updates.optimizer_bytes = 28;
        s.layout.zero_stage = 0;
        s.recipe.state_format = StateFormat::fp32_moments;
        QCOMPARE(optimizer_traffic(s, in_matrices(1e9)) / byte, 28e9);
        s.recipe.state_format = StateFormat::all_16bit;
        QCOMPARE(optimizer_traffic(s, in_matrices(1e9)) / byte, 14e9);
    }

    void the_feed_forward_input_factor_of_12288_is_nearly_ten_gigabytes() {
        Recipe r;
        r.optimizer = Optimizer::kfac;
        r.optimizer_options.block_size = 0;
        const Blocks input = blocks_of(4.0 * 12288, 0);
        QCOMPARE(4 * input.squares() / 1e9, 9.663676416);
        // A side of h = 12288 adds a sixteenth; blocks of 1,024 make it 1/48.
        QCOMPARE(curvature_of(r, 4.0 * 12288, 12288).elements, input.squares() * 17 / 16);
        QCOMPARE(blocks_of(4.0 * 12288, 1024).squares(), input.squares() / 48);
    }

    void curvature_equals_the_sum_over_blocks_data() {
        QTest::addColumn<int>("optimizer");
        QTest::addColumn<int>("d_in");
        QTest::addColumn<int>("d_out");
        QTest::addColumn<int>("block");
        for (const Optimizer o : {Optimizer::kfac, Optimizer::shampoo}) {
            const char* name = o == Optimizer::kfac ? "K-FAC" : "Shampoo";
            QTest::addRow("%s, blocks that divide", name) << int(o) << 4096 << 12288 << 1024;
            QTest::addRow("%s, a block that is left over on both sides", name) << int(o) << 5000 << 3333 << 1024;
            QTest::addRow("%s, one side smaller than a block", name) << int(o) << 100 << 4097 << 512;
            QTest::addRow("%s, whole sides", name) << int(o) << 768 << 3072 << 0;
        }
    }
    void curvature_equals_the_sum_over_blocks() {
        QFETCH(int, optimizer);
        QFETCH(int, d_in);
        QFETCH(int, d_out);
        QFETCH(int, block);
        Recipe r;
        r.optimizer = Optimizer(optimizer);
        r.optimizer_options.block_size = block;
        const Curvature fast = curvature_of(r, d_in, d_out), slow = block_by_block(r, d_in, d_out);
        QVERIFY(close(fast.parameters, slow.parameters));
        QVERIFY(close(fast.elements, slow.elements));
        QVERIFY(close(fast.packed, slow.packed));
        QVERIFY(close(fast.statistics_flop, slow.statistics_flop));
        QVERIFY(close(fast.inverse_flop, slow.inverse_flop));
        QVERIFY(close(fast.apply_flop, slow.apply_flop));
    }

    void adafactor_keeps_rows_and_columns() {
        Scenario s = with_optimizer(gpt3_on_selene(), Optimizer::adafactor);
        s.layout = {};
        const double h = 12288, matrices = (h + 3 * h) + (h + h) + (h + 4 * h) + (4 * h + h);
        const double vectors = 3 * h + h + 4 * h + h + 4 * h;  // biases and two norms
        const double ends = 50304 + h + 2048 + h;              // table and positions
        QCOMPARE(adafactor_elements(s, 0), 96 * (matrices + vectors) + ends);
        // 12 bytes per parameter less the two moments, and 0.0001 of a byte back.
        const double adam = stage_memory(with_optimizer(s, Optimizer::adam), 0).optimizer / byte;
        const double saved = adam - stage_memory(s, 0).optimizer / byte;
        QVERIFY(close(saved, 8 * stage_parameters(s, 0).all.total() - 4 * adafactor_elements(s, 0)));
    }

    void first_order_optimizers_precondition_nothing() {
        for (const Optimizer o : {Optimizer::adam, Optimizer::sgd, Optimizer::adam_8bit, Optimizer::adafactor}) {
            const Outcome e = estimate(with_optimizer(gpt3_on_selene(), o));
            QVERIFY(e.has_value());
            QCOMPARE(e->step.preconditioner / second, 0.0);
            for (const MemoryUse& stage : e->stages) QCOMPARE(stage.preconditioner / byte, 0.0);
        }
    }

    void longer_intervals_are_never_slower() {
        Scenario s = with_optimizer(gpt3_on_selene(), Optimizer::kfac);
        double before = 1e300;
        for (const int interval : {10, 20, 100, 1000}) {
            s.recipe.optimizer_options.inverse_interval = interval;
            const double now = estimate(s)->step.total() / second;
            QVERIFY(now < before);
            before = now;
        }
        s.recipe.optimizer_options.update_interval = 1;
        QVERIFY(estimate(s)->step.total() / second > before);
    }

    void owners_share_factors_but_never_split_one() {
        Scenario s = with_optimizer(small_on_one_node(), Optimizer::kfac, 0);
        const double all = stage_curvature(s, 0).elements;
        QVERIFY(close(owned_curvature(s, 0).elements, all / 8));
        // 96 matrices at most: beyond that, further ranks own nothing.
        s.layout.data_parallel = s.layout.devices = 4096;
        QCOMPARE(owned_curvature(s, 0).elements, largest_piece(s).elements);
        QVERIFY(owned_curvature(s, 0).elements > all / 4096);
    }

    void sharded_weights_bring_the_directions_along() {
        Scenario s = with_optimizer(small_on_one_node(), Optimizer::shampoo);
        QCOMPARE(direction_payload(s, 0) / byte, 0.0);
        s.layout.zero_stage = 0;
        QCOMPARE(direction_payload(s, 0) / byte, 2 * s.model.layers * layer_matrix_parameters(s.model, dense_layer));
        QVERIFY(preconditioner_time(s, 0).direction_gather > Seconds{});
        QCOMPARE(preconditioner_time(s, 0).factor_reduction / second, 0.0);  // Shampoo's come from the gradient
    }

    void a_checkpoint_holds_factors_once() {
        Scenario s = with_optimizer(small_on_one_node(), Optimizer::kfac);
        const double per_parameter = checkpoint_bytes_per_parameter(s) * parameters(s.model);
        QVERIFY(close(checkpoint_bytes(s) / byte, per_parameter + 4 * stage_curvature(s, 0).elements));
        s.recipe.optimizer = Optimizer::adam;
        QCOMPARE(checkpoint_bytes(s) / byte, checkpoint_bytes_per_parameter(s) * parameters(s.model));
    }

    // Weights, gradient and moments are read, all but the gradient written; nothing has a copy in fp32 to convert.
    void a_pure_16bit_update_touches_14_bytes_a_parameter() {
        Scenario s = small_on_one_node();
        s.layout.zero_stage = 0;
        s.recipe.precision = Precision::bf16;
        s.recipe.state_format = StateFormat::all_16bit;
        for (const double unfused : {28.0, 66.0}) {
            s.stack.updates.optimizer_bytes = unfused;
            QCOMPARE(optimizer_traffic(s, in_matrices(1e9)) / byte, 14e9);
        }
        s.recipe.state_format = StateFormat::fp32_moments;
        QCOMPARE(optimizer_traffic(s, in_matrices(1e9)) / byte, 66e9);
    }

    // ---- SOAP (Vyas et al. 2024, 2409.11321)

    void soap_keeps_factors_and_eigenvectors_beside_adams_moments() {
        Recipe r;
        r.optimizer = Optimizer::soap;
        for (const double bytes : state_bytes(r).optimizer.of) QCOMPARE(bytes, 12.0);
        const double m = 4096, n = 8192;
        QCOMPARE(curvature_of(r, m, n).elements, m * m + n * n);
        Scenario s = with_optimizer(small_on_one_node(), Optimizer::soap, 0);
        const double elements = stage_curvature(s, 0).elements;
        QVERIFY(close(preconditioner_bytes(s, 0) / byte, 2 * 4 * owned_curvature(s, 0).elements));
        const double per_parameter = checkpoint_bytes_per_parameter(s) * parameters(s.model);
        QVERIFY(close(checkpoint_bytes(s) / byte, per_parameter + 2 * 4 * elements));
    }

    // Products 2 (2 m^2 n + 2 m n^2) a step for the way into the basis and back, half of it for the factors, and every
    // ten steps a QR, a product of each factor with its basis, and the momentum from the old basis to the new one.
    void soap_computes_products_every_step_and_a_decomposition_every_ten_data() {
        QTest::addColumn<double>("m");
        QTest::addColumn<double>("n");
        QTest::addColumn<double>("elements");
        QTest::addColumn<double>("products");
        QTest::addColumn<double>("cubes");
        const auto row = [](const char* name, double m, double n, double has_m, double has_n) {
            QTest::newRow(name) << m << n << has_m * m * m + has_n * n * n
                                << 2 * (has_m * m * m * n + has_n * m * n * n)
                                << has_m * m * m * m + has_n * n * n * n;
        };
        row("both sides have a factor", 4096, 8192, 1, 1);
        row("a side wider than 10,000 has none", 4096, 16384, 1, 0);
        row("an exact 10,000 has one", 10000, 64, 1, 1);
        row("neither has one", 20000, 16384, 0, 0);
    }
    void soap_computes_products_every_step_and_a_decomposition_every_ten() {
        QFETCH(double, m);
        QFETCH(double, n);
        QFETCH(double, elements);
        QFETCH(double, products);
        QFETCH(double, cubes);
        Recipe r;
        r.optimizer = Optimizer::soap;
        const Curvature c = curvature_of(r, m, n);
        QVERIFY(close(c.elements, elements));
        QVERIFY(close(c.apply_flop, 2 * products * 1.1));
        QVERIFY(close(c.statistics_flop, products + 2 * cubes / 10));
        QVERIFY(close(c.inverse_flop, 8.0 / 3 * cubes));
        QCOMPARE(statistics_interval(r), 1);
        QCOMPARE(inversion_interval(r), 10);
    }

    void soap_asks_for_no_blocks_and_no_intervals_of_shampoo() {
        Scenario s = with_optimizer(small_on_one_node(), Optimizer::soap);
        const Estimate before = *estimate(s);
        QVERIFY(before.step.preconditioner > Seconds{});
        s.recipe.optimizer_options.block_size = 512;
        s.recipe.optimizer_options.update_interval = 7;
        s.recipe.optimizer_options.inverse_interval = 25;
        QVERIFY(estimate(s).has_value());
        QCOMPARE(estimate(s)->step.preconditioner / second, before.step.preconditioner / second);
        s.recipe.optimizer_options.soap_interval = 100;
        QVERIFY(estimate(s)->step.preconditioner < before.step.preconditioner);
    }

    // ---- Muon

    // Megatron-Core, mamba_mixer.py: use_muon is off for it.
    void muon_leaves_what_mamba_projects_its_inputs_by_to_adam() {
        const Model& m = library().models.at("nemotron-nano-9b-v2");
        const ParameterCounts all = grouped_parameters(m).all;
        QVERIFY(all[ParameterGroup::packed] > 0);
        Recipe r;
        r.optimizer = Optimizer::muon;
        QCOMPARE(state_bytes(r).optimizer[ParameterGroup::packed], state_bytes(r).optimizer[ParameterGroup::tables]);
        Scenario s = with_optimizer(gpt3_on_selene(), Optimizer::muon);
        s.model = m;
        s.layout = {};
        QVERIFY(close(muon_share(Work(s), 0).common.parameters, all[ParameterGroup::matrices]));
    }

    void muon_keeps_a_momentum_of_matrices_and_adams_moments_of_the_rest() {
        Recipe r;
        r.optimizer = Optimizer::muon;
        r.state_format = StateFormat::fp32_moments_fp32_sums;
        const StateBytes b = state_bytes(r);
        for (const ParameterGroup g : {ParameterGroup::matrices, ParameterGroup::routed}) QCOMPARE(b.total(g), 14.0);
        for (const ParameterGroup g : {ParameterGroup::tables, ParameterGroup::vectors, ParameterGroup::router})
            QCOMPARE(b.total(g), 18.0);
    }

    // Every matrix by itself, as the field counts them: K (4 m^2 n + 2 m^3).
    void newton_schulz_takes_three_products_an_iteration() {
        const Scenario s = with_optimizer(gpt3_on_selene(), Optimizer::muon);
        const Work w(s);
        const double h = s.model.hidden, t = s.layout.tensor_parallel;
        const auto flop_of_matrix = [](double a, double b) {
            const double m = std::min(a, b), n = std::max(a, b);
            return 5 * (4 * m * m * n + 2 * m * m * m);
        };
        const double layer = 4 * flop_of_matrix(h, h / t) + 2 * flop_of_matrix(h, 4 * h / t);
        const MuonShare share = muon_share(w, 0);
        const double seconds = layers_of_stage(s, 0) * layer * flop / head_rates_of(s).gemm / second;
        const double penalty = share.common.time / second / seconds;
        QVERIFY2(penalty > 1 && penalty < 1.3, qPrintable(QString::number(penalty)));
    }

    void symmetric_products_take_up_to_half_of_the_work_less() {
        Scenario s = with_optimizer(gpt3_on_selene(), Optimizer::muon);
        const Seconds whole = orthogonalisation_time(Work(s), 8192, 8192, 1);
        s.recipe.optimizer_options.muon_symmetric = true;
        const double share = orthogonalisation_time(Work(s), 8192, 8192, 1) / whole;
        QVERIFY2(std::abs(share - 4.0 / 6) < 0.01, qPrintable(QString::number(share)));
    }

    void ranks_share_muon_until_one_matrix_is_left() {
        Scenario s = with_optimizer(gpt3_on_selene(), Optimizer::muon);
        s.layout.zero_stage = 1;
        const MuonShare share = muon_share(Work(s), 0);
        QCOMPARE(share.owners, int(s.layout.weight_replicas()));
        QVERIFY(share.busiest() >= share.longest() && share.busiest() >= share.each());
        s.recipe.optimizer_options.muon_spread = MuonSpread::redundant;
        QVERIFY(close(muon_share(Work(s), 0).busiest() / second, share.common.time / second));
    }

    void tensor_ranks_pay_for_whole_matrices_data() {
        QTest::addColumn<int>("tensor");
        QTest::addColumn<bool>("exchanges");
        QTest::addColumn<bool>("longer");
        QTest::newRow("blockwise: own shard, no exchange") << int(MuonTensor::blockwise) << false << false;
        QTest::newRow("duplicated: gathered, the whole matrix on each") << int(MuonTensor::duplicated) << true << true;
        QTest::newRow("distributed: sums in every iteration") << int(MuonTensor::distributed) << true << true;
    }
    void tensor_ranks_pay_for_whole_matrices() {
        QFETCH(int, tensor);
        QFETCH(bool, exchanges);
        QFETCH(bool, longer);
        Scenario s = with_optimizer(gpt3_on_selene(), Optimizer::muon);
        const Seconds blockwise = muon_share(Work(s), 0).common.time;
        s.recipe.optimizer_options.muon_tensor = MuonTensor(tensor);
        const Orthogonalised all = muon_share(Work(s), 0).common;
        QCOMPARE(all.tensor_exchange > Seconds{}, exchanges);
        QCOMPARE(all.time > blockwise, longer);
    }

    // Liu et al. 2025 (2502.16982), section 2.3: the optimizer, exchange included, usually takes 1 to 3 % of forward
    // and backward passes. Moonlight, 16 B, batches of 2,048 sequences of 8,192; how many devices it ran on is not
    // stated, and the share grows with them, since each has less to do in its passes.
    void muon_takes_a_few_per_cent_of_a_step_of_moonlight_data() {
        QTest::addColumn<int>("devices");
        QTest::newRow("256 devices") << 256;
        QTest::newRow("1,024 devices") << 1024;
        QTest::newRow("2,048 devices") << 2048;
    }
    void muon_takes_a_few_per_cent_of_a_step_of_moonlight() {
        QFETCH(int, devices);
        Scenario s = shipped_plan("deepseek-v3-2048-h800");
        s.model = library().models.at("moonlight-16b-a3b");
        s.layout = {};
        s.layout.devices = s.layout.data_parallel = devices;
        s.layout.expert_parallel = 8;
        s.layout.zero_stage = 1;
        s.layout.recompute = Recompute::full;
        s.recipe.sequence_length = 8192;
        s.recipe.global_batch_sequences = 2048;
        s.recipe.optimizer = Optimizer::muon;
        for (const MuonSpread spread : {MuonSpread::layer_wise, MuonSpread::gathered}) {
            s.recipe.optimizer_options.muon_spread = spread;
            const Outcome e = estimate(s);
            QVERIFY2(e.has_value(), e ? "" : qPrintable(QString::fromStdString(say(e.error().front()))));
            const Seconds optimizer = e->step.optimizer + e->step.preconditioner
                                    + price(s).step.preconditioner.exchange();
            const double share = optimizer / e->step.total();
            qInfo("%.2f %% of a step", 100 * share);
            QVERIFY2(share > 0.003 && share < 0.03, qPrintable(QString::number(share)));
        }
    }

    void muon_is_spread_as_the_sharding_allows_data() {
        QTest::addColumn<int>("zero_stage");
        QTest::addColumn<int>("spread");
        QTest::addColumn<bool>("goes");
        const auto row = [](const char* name, int zero, MuonSpread spread, bool goes) {
            QTest::newRow(name) << zero << int(spread) << goes;
        };
        row("whole matrices on one rank, no ZeRO", 0, MuonSpread::layer_wise, true);
        row("whole matrices on one rank, ZeRO-1", 1, MuonSpread::layer_wise, true);
        row("whole matrices on one rank, which ZeRO-3 cuts", 3, MuonSpread::layer_wise, false);
        row("slices without ZeRO", 0, MuonSpread::gathered, false);
        row("slices to one rank and back, ZeRO-3", 3, MuonSpread::all_to_all, true);
        row("every rank all of them, ZeRO-3", 3, MuonSpread::redundant, true);
    }
    void muon_is_spread_as_the_sharding_allows() {
        QFETCH(int, zero_stage);
        QFETCH(int, spread);
        QFETCH(bool, goes);
        Scenario s = with_optimizer(gpt3_on_selene(), Optimizer::muon);
        s.layout.zero_stage = zero_stage;
        s.stack.sharding.stage_with_pipeline = 3;
        s.recipe.optimizer_options.muon_spread = MuonSpread(spread);
        const std::vector<Obstacle> obstacles = check(s);
        QCOMPARE(obstacles.empty(), goes);
        if (!goes) QCOMPARE(obstacles.front().knob, std::string("recipe.optimizer_options.muon_spread"));
    }

    void iteration_reduction_is_the_users_alone() {
        for (const Optimizer o : {Optimizer::adam, Optimizer::kfac, Optimizer::shampoo, Optimizer::soap}) {
            Scenario s = with_optimizer(small_on_one_node(), o);
            const double steps = headline(s, *estimate(s)).steps;
            QCOMPARE(steps, std::ceil(30e9 / (256 * 2048.0)));
            s.recipe.optimizer_options.iteration_reduction = 2;
            QCOMPARE(headline(s, *estimate(s)).steps, std::ceil(15e9 / (256 * 2048.0)));
        }
    }

    void obstacles_name_the_interval_and_the_missing_format() {
        Scenario s = with_optimizer(gpt3_on_selene(), Optimizer::kfac);
        s.recipe.optimizer_options.inverse_interval = 25;
        const Outcome uneven = estimate(s);
        QVERIFY(!uneven);
        QCOMPARE(uneven.error().size(), 1u);
        QCOMPARE(uneven.error()[0].reason, Reason::indivisible);
        QCOMPARE(uneven.error()[0].valid, (std::vector<double>{10, 20, 30, 40}));
        s.recipe.optimizer_options.inverse_interval = 100;
        s.machine.device.fp32 = {};
        const Outcome without = estimate(s);
        QVERIFY(!without);
        QCOMPARE(without.error()[0].reason, Reason::incompatible);
        QCOMPARE(without.error()[0].knob, std::string("recipe.optimizer"));
    }
};

PLIMSOLL_TEST(OptimizersTest)
#include "tst_optimizers.moc"
