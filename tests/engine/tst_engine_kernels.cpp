// The processor's kernels compute what the plain loops do, on either product library, on one thread or three, in fp64
// and fp32; the same call twice gives the same bits; extreme numbers stay numbers and no number stays none.

#include "engine/kernels/bf16_gemm.h"
#include "engine/kernels/vectorised.h"
#include "tests/engine/twins.h"

#include <QTest>

using namespace plimsoll::engine;

namespace {

template <class Real>
Worst products(Twins<Real>& twins) {
    const int m = between(1, 90), n = between(1, 120), k = between(1, 150);
    Both<Real> x(size(m, k)), w(size(n, k)), bias(size(n)), y(size(m, n)), bare(size(m, n)), dy(size(m, n));
    Both<Real> dx(size(m, k)), dw(size(n, k)), db(size(n));
    twins.run([&](auto& kernels, auto at) {
        kernels.linear(at(y), at(x), at(w), at(bias), m, n, k);
        kernels.linear(at(bare), at(x), at(w), nullptr, m, n, k);
        kernels.linear_input_gradient(at(dx), at(dy), at(w), m, n, k);
        kernels.linear_weight_gradient(at(dw), at(dy), at(x), m, n, k);
        kernels.bias_gradient(at(db), at(dy), m, n);
    });
    return Worst().with("y", y).with("y without bias", bare).with("dx", dx).with("dw", dw).with("db", db);
}

// The table holds the middle of a vocabulary; rows start anywhere in a sequence.
template <class Real>
Worst embedding(Twins<Real>& twins) {
    const int R = between(1, 70), C = between(1, 90), V = between(1, 40), first = between(0, 30), T = between(1, 80);
    const int first_row = between(0, 200);
    const auto ids = tokens(R, first + V + 10);
    Both<Real> table(size(V, C)), y(size(R, C)), dtable(size(V, C)), dy(size(R, C)), places(size(T, C)),
        dplaces(size(T, C));
    twins.run([&](auto& kernels, auto at) {
        kernels.embed(at(y), at(table), ids.data(), R, C, first, V);
        kernels.embed_gradient(at(dtable), at(dy), ids.data(), R, C, first, V);
        kernels.add_positions(at(y), at(places), R, C, first_row, T);
        kernels.positions_gradient(at(dplaces), at(dy), R, C, first_row, T);
    });
    return Worst().with("y", y).with("dtable", dtable).with("dpositions", dplaces);
}

template <class Real>
Worst norms(Twins<Real>& twins, Norm kind) {
    const int R = between(1, 40), C = between(2, 700);
    const bool has_bias = kind == Norm::layer && between(0, 1);
    Both<Real> x(size(R, C), 2, kind == Norm::layer ? 3 : 0), gain(size(C)), bias(size(C)), y(size(R, C)),
        again(size(R, C));
    Both<Real> stats(size(R, 2)), dx(size(R, C)), dgain(size(C)), dbias(size(C)), dy(size(R, C));
    twins.run([&](auto& kernels, auto at) {
        kernels.norm(at(y), at(stats), at(x), at(gain), has_bias ? at(bias) : nullptr, R, C, kind);
        kernels.norm_again(at(again), at(stats), at(x), at(gain), has_bias ? at(bias) : nullptr, R, C);
        kernels.norm_gradient(at(dx), at(dgain), has_bias ? at(dbias) : nullptr, at(dy), at(x), at(gain), at(stats), R,
                              C, kind);
    });
    return Worst()
        .with("y", y)
        .with("y again", again)
        .with("stats", stats)
        .with("dx", dx)
        .with("dgain", dgain)
        .with("dbias", dbias);
}
template <class Real>
Worst layer_norm(Twins<Real>& twins) {
    return norms(twins, Norm::layer);
}
template <class Real>
Worst rms_norm(Twins<Real>& twins) {
    return norms(twins, Norm::rms);
}

template <class Real>
Worst residual(Twins<Real>& twins) {
    const int R = between(1, 40), C = between(1, 90);
    Both<Real> x(size(R, C)), z(size(R, C)), bias(size(C)), y(size(R, C));
    twins.run([&](auto& kernels, auto at) {
        kernels.add_residual(at(y), at(x), at(z), at(bias), R, C);
        kernels.add_residual(at(x), at(x), at(z), nullptr, R, C);
        kernels.add_residual(at(z), at(y), at(z), at(bias), R, C);
    });
    return Worst().with("y", y).with("x in place", x).with("z in place", z);
}

template <class Real>
Worst activations(Twins<Real>& twins, Activation kind) {
    const int R = between(1, 40), F = between(1, 90), inputs = kind == Activation::swiglu ? 2 : 1;
    Both<Real> x(size(R, F, inputs), 3), y(size(R, F)), dx(size(R, F, inputs)), dy(size(R, F));
    twins.run([&](auto& kernels, auto at) {
        kernels.activate(at(y), at(x), R, F, kind);
        kernels.activate_gradient(at(dx), at(dy), at(x), R, F, kind);
    });
    return Worst().with("y", y).with("dx", dx);
}
template <class Real>
Worst gelu(Twins<Real>& twins) {
    return activations(twins, Activation::gelu);
}
template <class Real>
Worst swiglu(Twins<Real>& twins) {
    return activations(twins, Activation::swiglu);
}

// Lengths below, at and beyond the blocks of queries; heads alone and in groups.
template <class Real>
Worst attention(Twins<Real>& twins) {
    const int K = between(1, 3), length = between(1, 5);
    const AttentionShape s{between(1, 2), length == 5 ? 64 : between(1, 150), K * between(1, 3), K,
                           between(0, 1) ? 16 : 64};
    const std::size_t in = size(s.B * s.T, s.H + 2 * s.K, s.D), result = size(s.B * s.T, s.H, s.D);
    Both<Real> qkv(in), out(result), logsum(size(s.B, s.H, s.T)), dout(result), dqkv(in);
    twins.run([&](auto& kernels, auto at) {
        kernels.rotate(at(qkv), s, 1);
        kernels.attention(at(out), at(logsum), at(qkv), s);
        kernels.attention_gradient(at(dqkv), at(dout), at(out), at(logsum), at(qkv), s);
        kernels.rotate(at(dqkv), s, -1);
    });
    return Worst().with("qkv", qkv).with("out", out).with("logsum", logsum).with("dqkv", dqkv);
}

// A shard of the vocabulary: some targets lie below it, some beyond.
template <class Real>
Worst loss_shard(Twins<Real>& twins) {
    const int R = between(1, 50), V = between(1, 300), first = between(0, 100);
    const auto ids = tokens(R, first + V + 50);
    Both<Real> logits(size(R, V), 3), max(size(R)), sums(size(R)), targets(size(R));
    Both<double> loss(1);
    twins.run([&](auto& kernels, auto at) {
        kernels.row_max(at(max), at(logits), R, V);
        kernels.exp_sum(at(sums), at(targets), at(logits), at(max), ids.data(), R, V, first);
        kernels.cross_entropy(at(loss), at(logits), at(sums), at(targets), ids.data(), R, V, first, 0.37);
    });
    return Worst()
        .with("max", max)
        .with("sums", sums)
        .with("targets", targets)
        .with("loss", loss)
        .with("dlogits", logits);
}

template <class Real>
Worst loss_whole(Twins<Real>& twins) {
    const int R = between(1, 50), V = between(2, 300);
    const auto ids = tokens(R, V);
    Both<Real> logits(size(R, V), 3);
    Both<double> loss(1);
    twins.run(
        [&](auto& kernels, auto at) { kernels.cross_entropy_whole(at(loss), at(logits), ids.data(), R, V, 1.0 / R); });
    return Worst().with("loss", loss).with("dlogits", logits);
}

template <class Real>
Worst updates(Twins<Real>& twins) {
    const std::size_t n = size(between(1, 9000));
    Both<Real> w(n), gradient(n), m(n, 0.1), v(n, 0.1, 2), y(n), far(n + 1);
    Both<double> sum(1), sum_far(1, 0);
    twins.run([&](auto& kernels, auto at) {
        AdamW step{.rate = 0.03,
                   .correction1 = 1 - std::pow(0.9, 3),
                   .correction2 = 1 - std::pow(0.95, 3),
                   .gradient_scale = 0.7};
        kernels.adamw(at(w), at(w), at(gradient), at(m), at(v), n, step);
        kernels.sgd(at(y), at(y), at(gradient), n, 0.1, 0.3);
        kernels.add(at(y), at(gradient), n);
        kernels.sum_squares(at(sum), at(gradient), n);
        kernels.sum_squares(at(sum_far), at(far) + 1, n);
    });
    return Worst()
        .with("weights", w)
        .with("m", m)
        .with("v", v)
        .with("y", y)
        .with("sum", sum)
        .with("sum of what is not aligned", sum_far);
}

using InDouble = Worst (*)(Twins<double>&);
using InFloat = Worst (*)(Twins<float>&);
struct Operation {
    const char* name;
    InDouble fp64;
    InFloat fp32;
};
const Operation operations[] = {
    {"products", products, products},
    {"embeddings", embedding, embedding},
    {"layer norms", layer_norm, layer_norm},
    {"rms norms", rms_norm, rms_norm},
    {"residuals", residual, residual},
    {"gelus", gelu, gelu},
    {"swiglus", swiglu, swiglu},
    {"attentions", attention, attention},
    {"losses over shards", loss_shard, loss_shard},
    {"whole losses", loss_whole, loss_whole},
    {"updates", updates, updates},
};

// Runs an operation over random shapes; the worst of all.
template <class Real>
Worst worst_of(Worst (*operation)(Twins<Real>&), int threads, ProductLibrary library) {
    Twins<Real> twins(threads, library);
    Worst all;
    for (int i = 0; i < 12; ++i) {
        const Worst one = operation(twins);
        if (one.error >= all.error) all = one;
    }
    return all;
}

constexpr std::array libraries{ProductLibrary::cblas, ProductLibrary::eigen};  // without a CBLAS, Eigen twice

}  // namespace
Q_DECLARE_METATYPE(InDouble)
Q_DECLARE_METATYPE(InFloat)
Q_DECLARE_METATYPE(ProductLibrary)

class TestEngineKernels : public QObject {
    Q_OBJECT

private slots:
    void every_kernel_computes_what_the_plain_loops_do_data() {
        QTest::addColumn<InDouble>("fp64");
        QTest::addColumn<InFloat>("fp32");
        QTest::addColumn<ProductLibrary>("library");
        QTest::addColumn<int>("threads");
        for (const Operation& o : operations)
            for (const ProductLibrary library : libraries)
                for (const int threads : {1, 3})
                    QTest::addRow("%s, %s on %d thread(s)", o.name,
                                  library == ProductLibrary::cblas ? "CBLAS" : "Eigen", threads)
                        << o.fp64 << o.fp32 << library << threads;
    }
    void every_kernel_computes_what_the_plain_loops_do() {
        QFETCH(InDouble, fp64);
        QFETCH(InFloat, fp32);
        QFETCH(ProductLibrary, library);
        QFETCH(int, threads);
        const Worst in_double = worst_of<double>(fp64, threads, library),
                    in_float = worst_of<float>(fp32, threads, library);
        QVERIFY2(in_double.error < 1e-12,
                 qPrintable(QString("fp64 %1: %2").arg(in_double.name.c_str()).arg(in_double.error)));
        QVERIFY2(in_float.error < 1e-5,
                 qPrintable(QString("fp32 %1: %2").arg(in_float.name.c_str()).arg(in_float.error)));
    }

    // Whole numbers up to 16 are bf16 numbers and their sums fp32 numbers: not a bit may be off.
    void bf16_products_of_whole_numbers_are_exact() {
        if (!has_bf16_products()) QSKIP("this processor has no AVX512_BF16");
        std::uniform_int_distribution<int> whole(-16, 16);
        for (int i = 0; i < 60; ++i) {
            const int m = between(1, 300), n = between(1, 600), k = between(1, 900);
            const Flip a_flip = Flip(between(0, 1)), b_flip = Flip(between(0, 1));
            const int lda = (a_flip == Flip::yes ? m : k) + between(0, 5), ldb = (b_flip == Flip::yes ? k : n) + between(0, 5);
            const int ldc = n + between(0, 5);
            std::vector<float> a(size(m + k, lda)), b(size(n + k, ldb)), c(size(m, ldc));
            for (auto* x : {&a, &b, &c}) std::generate(x->begin(), x->end(), [&] { return float(whole(dice)); });
            std::vector<float> expected = c;
            const float alpha = i % 3 == 0 ? 0.5f : 1.f, beta = float(i % 2);
            bf16_gemm(a_flip, b_flip, {m, n, k}, alpha, a.data(), lda, b.data(), ldb, beta, c.data(), ldc);
            gemm(ProductLibrary::eigen, a_flip, b_flip, {m, n, k}, alpha, a.data(), lda, b.data(), ldb, beta, expected.data(), ldc);
            QVERIFY2(c == expected, qPrintable(QString("%1 x %2 x %3").arg(m).arg(n).arg(k)));
        }
    }

    void bf16_products_and_attention_are_right_to_eight_bits() {
        if (!has_bf16_products()) QSKIP("this processor has no AVX512_BF16");
        const Worst product = worst_of<float>(products, 3, ProductLibrary::bf16), core = worst_of<float>(attention, 3, ProductLibrary::bf16);
        QVERIFY2(product.error < 0.01, qPrintable(QString("%1: %2").arg(product.name.c_str()).arg(product.error)));
        QVERIFY2(core.error < 0.02, qPrintable(QString("%1: %2").arg(core.name.c_str()).arg(core.error)));
        QVERIFY(product.error > 1e-4);  // it was bf16 that was tested
    }

    void exponential_is_right_to_two_units_in_the_last_place() {
        double worst = 0;
        for (float x = -87.f; x < 88.f; x += 0.00037f) {
            const double exact = std::exp(double(x)), unit = std::nextafter(float(exact), INFINITY) - float(exact);
            worst = std::max(worst, std::abs(exponential(x) - exact) / unit);
        }
        QVERIFY2(worst < 2, qPrintable(QString::number(worst)));
        QCOMPARE(exponential(0.f), 1.f);
        QVERIFY(exponential(-1000.f) < 1.3e-38f);
        QVERIFY(exponential(1000.f) > 1e38f && std::isfinite(exponential(1000.f)));
        QVERIFY(std::isnan(exponential(NAN)));
    }

    void the_same_call_twice_gives_the_same_bits() {
        CpuKernels<float> kernels(3, preferred_library());
        const AttentionShape s{2, 130, 4, 2, 16};
        const int R = s.B * s.T, C = s.H * s.D, wide = (s.H + 2 * s.K) * s.D;
        const Both<float> x(size(R, C)), w(size(wide, C)), dout(size(R, C));
        const auto ids = tokens(R, wide);
        const auto once = [&] {
            std::vector<float> qkv(size(R, wide)), out(size(R, C)), logsum(size(s.B, s.H, s.T)), dqkv(qkv),
                dw(size(wide, C));
            std::vector<float> table(size(wide, C));
            double loss = 0, sum = 0;
            kernels.linear(qkv.data(), x.fast.data(), w.fast.data(), nullptr, R, wide, C);
            kernels.attention(out.data(), logsum.data(), qkv.data(), s);
            kernels.attention_gradient(dqkv.data(), dout.fast.data(), out.data(), logsum.data(), qkv.data(), s);
            kernels.linear_weight_gradient(dw.data(), dqkv.data(), x.fast.data(), R, wide, C);
            kernels.embed_gradient(table.data(), out.data(), ids.data(), R, C, 0, wide);
            kernels.cross_entropy_whole(&loss, qkv.data(), ids.data(), R, wide, 1.0 / R);
            kernels.sum_squares(&sum, dw.data(), dw.size());
            return std::tuple(loss, sum, dw, dqkv, table, qkv);
        };
        const auto first = once();
        for (int i = 0; i < 5; ++i) QVERIFY(once() == first);
    }

    void large_numbers_stay_numbers_and_nan_is_not_hidden() {
        CpuKernels<float> kernels(1, preferred_library());
        float x[] = {-1e4f, -100.f, 0.f, 100.f, 1e4f, NAN}, y[6], ones[] = {1, 1, 1, 1, 1, 1}, dx[6];
        kernels.activate(y, x, 1, 6, Activation::gelu);
        kernels.activate_gradient(dx, ones, x, 1, 6, Activation::gelu);
        for (int i = 0; i < 5; ++i) {
            QVERIFY(std::abs(y[i] - std::max(x[i], 0.f)) <= 1e-30f);
            QCOMPARE(dx[i], i < 2 ? 0.f : i == 2 ? 0.5f : 1.f);
        }
        QVERIFY(std::isnan(y[5]) && std::isnan(dx[5]));

        double loss = 0;
        float logits[] = {3e4f, -3e4f, 0.f, NAN, 1.f, 2.f};
        const std::int32_t ids[] = {1, 0};
        kernels.cross_entropy_whole(&loss, logits, ids, 1, 3, 1);
        QCOMPARE(loss, 6e4 + std::log(1 + 2 * std::exp(-87.3)));  // the exponential ends at -87.3
        kernels.cross_entropy_whole(&loss, logits + 3, ids + 1, 1, 3, 1);
        QVERIFY(std::isnan(loss));
    }

    void memory_is_zeroed_aligned_and_refused_when_there_is_not_enough() {
        CpuKernels<double> kernels(2, preferred_library());
        for (const std::size_t bytes : {std::size_t(1), std::size_t(1000), std::size_t(5) << 20}) {
            auto* memory = static_cast<unsigned char*>(kernels.allocate(bytes));
            QVERIFY(memory);
            QCOMPARE(reinterpret_cast<std::uintptr_t>(memory) % 256, std::uintptr_t(0));
            QVERIFY(std::all_of(memory, memory + bytes, [](unsigned char byte) { return byte == 0; }));
            kernels.release(memory);
        }
        QVERIFY(kernels.allocate(std::size_t(1) << 60) == nullptr);
        QVERIFY(kernels.allocate(std::size_t(1) << 44)
                == nullptr);  // 16 TiB: more than there is, less than can be addressed
    }

    void a_product_library_tells_its_name() {
        QVERIFY(describe(ProductLibrary::eigen).starts_with("Eigen 3."));
        QVERIFY(describe(preferred_library()).ends_with(", 1 thread a product"));
    }
};

QTEST_GUILESS_MAIN(TestEngineKernels)
#include "tst_engine_kernels.moc"
