// Measured operators: their price is the plain formula, their score says what it is made of, and their fit finds the
// constants that made them.
#include "registered_test.h"

#include "core/costs/network/network.h"
#include "core/evidence/operators/operator_fit.h"
#include "core/evidence/operators/operator_price.h"
#include "core/files/results/operator_rows.h"
#include "scenarios.h"
#include "shipped.h"

#include <cmath>

using namespace plimsoll;

namespace {

Machine measured_machine() {
    Machine m = testing::selene();
    Efficiency& e = m.device.efficiency;
    e.gemm_ceiling = 0.8;
    e.gemm_half_depth = 120;
    e.gemm_half_area = 3e5;
    e.kernel_floor = 4 * microsecond;
    e.attention[std::size_t(AttentionKernel::flash_2)] = {0.6, 0.5, 400, 700};
    return m;
}

OperatorRow row_of(MeasuredWork work, Seconds time = 100 * microsecond) {
    return {"selene", time, "a source", std::move(work)};
}
OperatorRow product_of(double m, double n, double k) { return row_of(MeasuredProduct{Precision::bf16, m, n, k}); }
OperatorRow reduction(double bytes, int ranks = 8, int in_a_node = 8) {
    return row_of(MeasuredCollective{MeasuredOperation::all_reduce, ranks, in_a_node, bytes});
}

Seconds priced(const OperatorRow& row, const Machine& m) {
    OperatorPrices price(m);
    return price(row);
}

bool near(Seconds a, Seconds b) { return std::abs(a / b - 1) < 1e-9; }

// The plainest form of a 16-bit product on that machine, in microseconds.
double plain_product(double m, double n, double k) {
    const double work = 2 * m * n * k / (312e6 * 0.8) * (1 + 120 / k) * (1 + 3e5 / (m * n));
    const double traffic = 2 * (m * k + k * n + m * n) / (2039e3 * 0.8);
    return std::max(work, traffic) + 4;
}

double plain_flash_2(const MeasuredAttention& a) {
    const double work = a.batch * double(a.heads) * a.sequence * a.sequence * (a.key_dim + a.value_dim);
    return work / (312e6 * 0.6) * (1 + 400.0 / a.sequence) + 4;
}

// Products of many shapes as the machine would take for them, each a few percent off in turn.
OperatorRows made_by(const Machine& m, double scatter) {
    OperatorRows rows;
    int i = 0;
    for (double rows_of_m = 256; rows_of_m <= 16384; rows_of_m *= 2)
        for (double n = 512; n <= 8192; n *= 2)
            for (double k = 256; k <= 8192; k *= 2) {
                OperatorRow row = product_of(rows_of_m, n, k);
                row.time = priced(row, m) * (1 + (i++ % 2 == 0 ? scatter : -scatter));
                rows.push_back(row);
            }
    return rows;
}

const OperatorConstant* constant_named(const OperatorFit& fit, const char* end) {
    for (const OperatorConstant& c : fit.constants)
        if (c.id.ends_with(end)) return &c;
    return nullptr;
}

OperatorRows shipped_operators() {
    OperatorRows all;
    for (const auto& [id, path] : library().operators) {
        const auto rows = read_operator_rows(*read_text(path), id);
        if (!rows) qFatal("%s", say(rows.error()).c_str());
        all.insert(all.end(), rows->begin(), rows->end());
    }
    return all;
}

}  // namespace

class OperatorsTest : public QObject {
    Q_OBJECT

private slots:
    void a_product_costs_what_the_plain_formula_says() {
        for (const double m : {256, 1000, 16384})
            for (const double k : {64, 512, 8192}) {
                const Seconds price = priced(product_of(m, 4096, k), measured_machine());
                QVERIFY(near(price, plain_product(m, 4096, k) * microsecond));
            }
    }

    void attention_costs_what_the_plain_formula_says() {
        MeasuredAttention a{AttentionKernel::flash_2, MeasuredPass::forward, 128, 128, 16, 16, 4096, 2};
        QVERIFY(near(priced(row_of(a), measured_machine()), plain_flash_2(a) * microsecond));
        a.value_dim = 64;   // as in latent attention
        QVERIFY(near(priced(row_of(a), measured_machine()), plain_flash_2(a) * microsecond));
    }

    void both_passes_are_their_sum() {
        MeasuredAttention a{AttentionKernel::flash_2, MeasuredPass::both, 128, 128, 16, 8, 4096, 2};
        Seconds sum;
        const Seconds both = priced(row_of(a), measured_machine());
        for (const MeasuredPass pass : {MeasuredPass::forward, MeasuredPass::backward}) {
            a.pass = pass;
            sum += priced(row_of(a), measured_machine());
        }
        QVERIFY(near(both, sum));
    }

    void a_collective_costs_what_it_costs_in_a_plan() {
        const Machine m = measured_machine();
        QVERIFY(near(priced(reduction(64e6), m), all_reduce(span_of(m, {8, 1}), 64e6 * byte).time));
        QVERIFY(near(priced(reduction(64e6, 16), m), all_reduce(span_of(m, {16, 1}), 64e6 * byte).time));
        // One rank in each of two nodes of eight.
        QVERIFY(near(priced(reduction(64e6, 2, 1), m), all_reduce(span_of(m, {2, 8}), 64e6 * byte).time));
    }

    void what_ran_before_changes_no_price() {
        const OperatorRow grouped =
            row_of(MeasuredGrouped{Precision::bf16, GroupedPass::forward, 8, 8192, 2048, 4096, ""});
        const OperatorRow latent =
            row_of(MeasuredAttention{AttentionKernel::flash_2, MeasuredPass::both, 192, 128, 4, 4, 8192, 1});
        OperatorPrices price(measured_machine());
        const Seconds alone = price(product_of(1024, 1024, 1024)), experts = price(grouped), core = price(latent);
        price(reduction(1e6));
        QVERIFY(near(price(grouped), experts));
        QVERIFY(near(price(latent), core));
        QVERIFY(near(price(product_of(1024, 1024, 1024)), alone));
    }

    void short_bursts_keep_their_clocks_and_long_ones_lose_them() {
        Machine m = measured_machine();
        const OperatorRow small = product_of(1024, 1024, 1024), huge = product_of(65536, 65536, 65536);
        const Seconds before_small = priced(small, m), before_huge = priced(huge, m);
        m.device.efficiency.sustained = 0.8;
        QVERIFY(priced(small, m) / before_small < 1.01);
        QVERIFY(priced(huge, m) / before_huge > 1.24);
        QVERIFY(priced(huge, m) / before_huge < 1.25);
    }

    void converting_the_input_costs_time() {
        Machine m = measured_machine();
        m.device.fp8 = 2 * m.device.bf16;
        MeasuredProduct p{Precision::fp8, 8192, 4096, 4096};
        Seconds before = priced(row_of(p), m);
        for (const Conversion c : {Conversion::block, Conversion::row, Conversion::tensor}) {
            p.conversion = c;
            QVERIFY(priced(row_of(p), m) > before);
            before = priced(row_of(p), m);
        }
    }

    void products_are_priced_by_the_surface_of_their_scales() {
        Machine m = measured_machine();
        m.device.fp8 = 2 * m.device.bf16;
        m.device.efficiency.fp8_scaled[std::size_t(Fp8Recipe::blockwise)] = {m.device.efficiency.fp8_ceiling / 2,
                                                                              m.device.efficiency.fp8_half_depth,
                                                                              m.device.efficiency.fp8_half_area};
        MeasuredProduct p{Precision::fp8, 8192, 8192, 8192};
        const Seconds of_a_tensor = priced(row_of(p), m) - m.device.efficiency.kernel_floor;
        p.conversion = Conversion::block_given;
        const Seconds of_blocks = priced(row_of(p), m) - m.device.efficiency.kernel_floor;
        QVERIFY(near(of_blocks, 2 * of_a_tensor));
    }

    void machines_say_what_they_cannot_price() {
        const Machine m = measured_machine();
        QVERIFY(unpriced(product_of(1, 1, 1), m).empty());
        QVERIFY(unpriced(row_of(MeasuredProduct{Precision::fp8, 1024, 1024, 1024}), m).find("no fp8 peak")
                != std::string::npos);
        QVERIFY(!unpriced(reduction(1e6, 8192), m).empty());
        QVERIFY(!unpriced(reduction(1e6, 16, 16), m).empty());
    }

    void bars_speak_of_large_operators() {
        QVERIFY(counts(product_of(1024, 1024, 1024)));
        QVERIFY(!counts(product_of(1024, 512, 4096)));
        QVERIFY(counts(reduction(1 << 20)));
        QVERIFY(!counts(reduction(65536)));
    }

    void a_score_is_the_median_of_the_rows_that_count() {
        const Machine m = measured_machine();
        OperatorRows rows;
        for (const double factor : {1.02, 1.05, 0.9}) {
            rows.push_back(product_of(4096, 4096, 4096));
            rows.back().time = priced(rows.back(), m) / factor;
        }
        rows.push_back(product_of(512, 4096, 4096));
        rows.back().time = priced(rows.back(), m) / 3;
        rows.push_back({"elsewhere", 1 * second, "a source", MeasuredStream{"copy", 1e9}});
        const OperatorScore s = score_operators(rows, {{"selene", m}});
        QCOMPARE(int(s.summaries.size()), 1);
        QCOMPARE(s.summaries[0].rows, 4);
        QCOMPARE(s.summaries[0].counted, 3);
        QVERIFY(std::abs(s.summaries[0].median_absolute - 0.05) < 1e-9);
        QVERIFY(std::abs(s.summaries[0].bias - 0.02) < 1e-9);
        QVERIFY(s.summaries[0].holds());
        QCOMPARE(int(s.unpriced.size()), 1);
        QCOMPARE(s.unpriced[0].machine, std::string("elsewhere"));
    }

    void every_constant_of_a_fit_can_be_set_and_read() {
        for (const OperatorGroup& group : not_empty(operator_groups()))
            for (const OperatorParameter& p : group.parameters) {
                Machine m = measured_machine();
                p.set(m, p.prior);
                QVERIFY2(std::abs(p.get(m) / p.prior - 1) < 1e-9, p.id.c_str());
            }
    }

    void a_fit_finds_the_surface_that_made_the_times() {
        Machine truth = measured_machine(), preset = measured_machine();
        truth.device.efficiency.sustained = 0.75;
        preset.device.efficiency.gemm_ceiling = 0.6;
        preset.device.efficiency.gemm_half_area = 3e6;
        const auto fits = fit_operators(made_by(truth, 0.02), {{"selene", preset}});
        QCOMPARE(int(fits.size()), 1);
        const OperatorFit& fit = fits[0];
        QVERIFY(fit.before > 0.2);
        QVERIFY(fit.fitted < 0.025);
        QVERIFY(fit.held_out < 0.05);   // even rows are 2 % slow, odd ones 2 % fast
        const OperatorConstant* ceiling = constant_named(fit, ".gemm_ceiling");
        QVERIFY(ceiling && ceiling->determined);
        QVERIFY2(std::abs(ceiling->value / 0.8 - 1) < 0.03, qPrintable(QString::number(ceiling->value)));
        const OperatorConstant* area = constant_named(fit, ".gemm_half_area");
        QVERIFY2(std::abs(area->value / 3e5 - 1) < 0.2, qPrintable(QString::number(area->value)));
        QCOMPARE(ceiling->present, 0.6);
    }

    void a_fit_leaves_alone_what_whole_runs_keep() {
        Machine preset = measured_machine();
        preset.device.efficiency.gemm_ceiling = 0.7;
        preset.device.efficiency.sustained = 0.9;
        const Machines machines{{"selene", preset}};
        const Efficiency after =
            machines_with(fit_operators(made_by(measured_machine(), 0.02), machines), machines).at("selene")
                .device.efficiency;
        QVERIFY(after.gemm_ceiling > 0.75);
        QVERIFY(std::abs(after.gemm_ceiling * after.sustained / (0.7 * 0.9) - 1) < 0.01);
    }

    void machines_with_the_same_device_get_its_constants() {
        Machine preset = measured_machine(), twin = measured_machine(), other = measured_machine();
        preset.device.efficiency.gemm_ceiling = twin.device.efficiency.gemm_ceiling = 0.6;
        twin.id = "twin";
        other.id = "other";
        other.device.name = "Another device";
        const Machines machines{{"selene", preset}, {"twin", twin}, {"other", other}};
        const Machines changed = machines_with(fit_operators(made_by(measured_machine(), 0.02), machines), machines);
        QVERIFY(changed.contains("selene") && changed.contains("twin") && !changed.contains("other"));
        QVERIFY(std::abs(changed.at("twin").device.efficiency.gemm_ceiling / 0.8 - 1) < 0.05);
        const auto source = changed.at("twin").sources.find("/device/efficiency/gemm_ceiling");
        QVERIFY(source != changed.at("twin").sources.end());
    }

    void another_board_with_the_same_surface_gets_the_fitted_one() {
        Machine preset = measured_machine(), board = measured_machine(), other = measured_machine();
        for (Machine* each : {&preset, &board, &other}) each->device.efficiency.gemm_ceiling = 0.6;
        board.id = "board";
        other.id = "other";
        board.device.name = other.device.name = "Another board";
        other.device.efficiency.gemm_half_depth = 50;
        const Machines machines{{"selene", preset}, {"board", board}, {"other", other}};
        const Machines changed = machines_with(fit_operators(made_by(measured_machine(), 0.02), machines), machines);
        QVERIFY(changed.contains("board") && !changed.contains("other"));
        QVERIFY(std::abs(changed.at("board").device.efficiency.gemm_ceiling / 0.8 - 1) < 0.05);
    }

    void every_shipped_operator_has_a_price() {
        const OperatorRows rows = shipped_operators();
        QVERIFY(rows.size() > 10000);
        const OperatorScore s = score_operators(rows, library().machines);
        for (const UnpricedOperators& u : s.unpriced)
            QVERIFY2(false, (u.machine + ": " + u.reason).c_str());
        for (const ScoredOperator& each : s.rows) QVERIFY(std::isfinite(each.error) && each.error > -1);
    }
};

PLIMSOLL_TEST(OperatorsTest)
#include "tst_operators.moc"
