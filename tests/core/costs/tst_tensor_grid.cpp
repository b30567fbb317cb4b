// Matrices on a line, a square grid and a Tesseract: what a rank receives, holds
// and computes, and where one overtakes the other.
#include "registered_test.h"

#include "core/answers/curves/sweep.h"
#include "core/answers/plan/estimate.h"
#include "core/costs/kernels/layer.h"
#include "core/costs/kernels/products.h"
#include "core/costs/kernels/tensor.h"
#include "core/costs/memory/memory.h"
#include "core/values/plan/share.h"
#include "core/values/knobs/knobs.h"
#include "scenarios.h"

#include <cmath>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

// GPT-3 on 64 tensor ranks, `tokens` in a micro-batch of 32 sequences; 64 wider heads, so that a line divides them.
Scenario gpt3_on(TensorMode mode, int depth = 1, int tokens = 8192) {
    Scenario s = gpt3_on_selene();
    s.model.heads = s.model.kv_heads = 64;
    s.model.head_dim = 192;
    s.layout = {};
    s.layout.tensor_mode = mode;
    s.layout.tensor_depth = depth;
    s.layout.tensor_parallel = s.layout.devices = 64;
    s.layout.micro_batch = 32;
    s.recipe.sequence_length = tokens / 32;
    s.recipe.global_batch_sequences = 1024;
    return s;
}

// Bytes one rank receives in a layer, both passes, from the payloads the times are made of.
double received_GB(const Scenario& s) {
    const double t = s.layout.tensor_parallel;
    if (!s.layout.on_grid()) return 4 * 2 * (t - 1) / t * tensor_payload(s) / gigabyte;
    const double q = s.layout.grid_side(), d = s.layout.grid_depth();
    double sum = 0;
    for (const Gemm& g : layer_gemms(s, dense_layer)) {
        const GridPayload p = grid_payload(s, g);
        sum += 3 * (q - 1) / q * (p.inputs + p.weights) / gigabyte + 2 * (d - 1) / d * p.block / gigabyte;
    }
    return sum;
}

}  // namespace

class TensorGridTest : public QObject {
    Q_OBJECT

private slots:
    void received_bytes_are_the_closed_form_data() {
        QTest::addColumn<Scenario>("plan");
        QTest::addColumn<double>("gigabytes");
        const auto row = [](const char* name, TensorMode mode, int depth, int tokens, double gigabytes) {
            QTest::newRow(name) << gpt3_on(mode, depth, tokens) << gigabytes;
        };
        row("31: a line, 2,048 tokens", TensorMode::one_d, 1, 2048, 0.3964);
        row("31: [8,8], 2,048 tokens", TensorMode::summa_2d, 1, 2048, 1.3047);
        row("31: [4,4,4], 2,048 tokens", TensorMode::tesseract, 4, 2048, 2.4277);
        row("31: a line, 32,768 tokens", TensorMode::one_d, 1, 32768, 6.342);
        row("31: [8,8], 32,768 tokens", TensorMode::summa_2d, 1, 32768, 3.039);
        row("31: [4,4,4], 32,768 tokens", TensorMode::tesseract, 4, 32768, 3.171);
    }
    void received_bytes_are_the_closed_form() {
        QFETCH(Scenario, plan);
        QFETCH(double, gigabytes);
        QVERIFY2(std::abs(received_GB(plan) / gigabytes - 1) < 2e-4, qPrintable(QString::number(received_GB(plan))));
    }

    void the_work_is_the_same_however_it_is_cut() {
        for (const auto& [mode, depth] :
             {std::pair{TensorMode::one_d, 1}, {TensorMode::summa_2d, 1}, {TensorMode::tesseract, 4}}) {
            const Scenario s = gpt3_on(mode, depth);
            double work = 0;
            for (const Gemm& g : layer_gemms(s, dense_layer))
                work += (flop_of(g) + flop_of(data_gradient(g)) + flop_of(weight_gradient(g))) / flop;
            QCOMPARE(work * 64, 3 * 2 * layer_matrix_parameters(s.model, dense_layer) * 8192);
        }
    }

    // Step by step, block by block: what SUMMA multiplies on one rank.
    void a_product_is_the_sum_of_its_block_products() {
        const Scenario s = gpt3_on(TensorMode::tesseract, 4);
        const double q = 4, d = 4, tokens = 8192, h = 12288, f = 4 * h;
        const Gemm in = layer_gemms(s, dense_layer)[2];
        const Rates r = rates_of(s);
        const Gemm block{"", "", tokens / (q * d), f / q, h / q};
        double work = 0;
        Seconds arithmetic;
        for (int step = 0; step < 4; ++step) {
            work += flop_of(block) / flop;
            arithmetic += time_of(block, r).compute;
        }
        QCOMPARE(flop_of(in) / flop, work);
        QCOMPARE(time_of(in, r).compute / second, arithmetic / second);
        QCOMPARE(time_of(in, r).floor / second, 4 * r.floor / second);
        const Gemm data = data_gradient(in), weight = weight_gradient(in);
        QCOMPARE(data.m * data.n, tokens / (q * d) * h / q);  // a block of the input's gradient
        QCOMPARE(weight.m * weight.n, h / q * f / q);         // a block of the weights'
    }

    void weights_repeat_over_the_depth_and_activations_do_not() {
        const Scenario line = gpt3_on(TensorMode::one_d), square = gpt3_on(TensorMode::summa_2d),
                       deep = gpt3_on(TensorMode::tesseract, 4);
        QCOMPARE(stage_parameters(square, 0).all.total(), stage_parameters(line, 0).all.total());
        QCOMPARE(stage_parameters(deep, 0).all.total(), 4 * stage_parameters(line, 0).all.total());
        const auto kept = [](const Scenario& s) { return layer_activations(s, dense_layer).total() / byte; };
        QCOMPARE(kept(deep), kept(square));
        Scenario sequence = line;
        sequence.layout.sequence_parallel = true;
        QCOMPARE(kept(square), kept(sequence));
        QVERIFY(kept(square) < kept(line));
    }

    void rows_are_neighbours_then_columns_then_the_depth() {
        const Scenario s = gpt3_on(TensorMode::tesseract, 4);  // nodes of eight
        QCOMPARE(Work(s).grid_rows().hops, 1);
        QCOMPARE(Work(s).grid_columns().hops, 2);
        QCOMPARE(Work(s).grid_depths().hops, 1);
        QCOMPARE(Work(s).grid_depths().outermost().level, 1);
    }

    // Few tokens: moving weights does not pay. Many: moving activations of full width does not.
    void a_line_wins_with_few_tokens_and_a_grid_with_many() {
        const auto wait_per_token = [](TensorMode mode, int depth, int tokens) {
            const Outcome o = estimate(gpt3_on(mode, depth, tokens));
            return o->step.tensor_parallel / second;  // of a step with 32 times these tokens
        };
        for (const auto& [mode, depth] : {std::pair{TensorMode::summa_2d, 1}, {TensorMode::tesseract, 4}}) {
            QVERIFY(wait_per_token(mode, depth, 2048) > 2 * wait_per_token(TensorMode::one_d, 1, 2048));
            QVERIFY(wait_per_token(mode, depth, 1 << 20) < wait_per_token(TensorMode::one_d, 1, 1 << 20));
        }
    }

    void a_sweep_over_the_micro_batch_answers_in_every_mode() {
        const std::array values{16.0, 24.0, 32.0, 64.0, 128.0};
        for (const auto& [mode, depth, computed] :
             {std::tuple{TensorMode::one_d, 1, 4}, {TensorMode::summa_2d, 1, 4}, {TensorMode::tesseract, 4, 4}}) {
            int good = 0;
            for (const SweepPoint& p : sweep(gpt3_on(mode, depth), *find_knob("layout.micro_batch"), values))
                good += p.outcome.has_value();
            QCOMPARE(good, computed);  // 24 does not divide the batch
        }
    }

    void a_grid_of_one_is_no_grid() {
        Scenario one = small_on_one_node();
        const double alone = estimate(one)->step.total() / second;
        one.layout.tensor_mode = TensorMode::summa_2d;
        QCOMPARE(estimate(one)->step.total() / second, alone);
    }
};

PLIMSOLL_TEST(TensorGridTest)
#include "tst_tensor_grid.moc"
