// The processor's kernels compute what the plain loops do, on either product library, on one thread or three, in fp64
// and fp32; the same call twice gives the same bits; extreme numbers stay numbers and no number stays none.
#include "registered_test.h"

#include "engine/kernels/blas.h"
#include "engine/kernels/loops.h"
#include "tests/engine/operations.h"

#include <QTest>

#include <array>
#include <sys/resource.h>

using namespace plimsoll::engine;

namespace {

constexpr std::array libraries{ProductLibrary::blas, ProductLibrary::eigen};  // without a BLAS, Eigen twice

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
                                  library == ProductLibrary::blas ? "BLAS" : "Eigen", threads)
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
            const int lda = (a_flip == Flip::yes ? m : k) + between(0, 5),
                      ldb = (b_flip == Flip::yes ? k : n) + between(0, 5);
            const int ldc = n + between(0, 5);
            std::vector<float> a(size(m + k, lda)), b(size(n + k, ldb)), c(size(m, ldc));
            for (auto* x : {&a, &b, &c}) std::generate(x->begin(), x->end(), [&] { return float(whole(dice)); });
            std::vector<float> expected = c;
            const float alpha = i % 3 == 0 ? 0.5f : 1.f, beta = float(i % 2);
            bf16_gemm(a_flip, b_flip, {m, n, k}, alpha, a.data(), lda, b.data(), ldb, beta, c.data(), ldc);
            gemm(ProductLibrary::eigen, a_flip, b_flip, {m, n, k}, alpha, a.data(), lda, b.data(), ldb, beta,
                 expected.data(), ldc);
            QVERIFY2(c == expected, qPrintable(QString("%1 x %2 x %3").arg(m).arg(n).arg(k)));
        }
    }

    void bf16_products_and_attention_are_right_to_eight_bits() {
        if (!has_bf16_products()) QSKIP("this processor has no AVX512_BF16");
        const Worst product = worst_of<float>(products, 3, ProductLibrary::bf16),
                    core = worst_of<float>(attention, 3, ProductLibrary::bf16);
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

    void memory_is_aligned_and_refused_when_there_is_not_enough() {
        CpuKernels<double> kernels(2, preferred_library());
        for (const std::size_t bytes : {std::size_t(1), std::size_t(1000), std::size_t(5) << 20}) {
            auto* memory = static_cast<unsigned char*>(kernels.allocate(bytes));
            QVERIFY(memory);
            QCOMPARE(reinterpret_cast<std::uintptr_t>(memory) % 256, std::uintptr_t(0));
            kernels.release(memory);
        }
        QVERIFY(kernels.allocate(std::size_t(1) << 60) == nullptr);
        QVERIFY(kernels.allocate(std::size_t(1) << 44)
                == nullptr);  // 16 TiB: more than there is, less than can be addressed
    }

    // Its pages then lie in the memory of the processor, or of its group of cores, that the thread is on.
    void every_thread_touches_its_part_of_new_memory_first() {
        constexpr int threads = 3;
        constexpr std::size_t bytes = std::size_t(64) << 20;  // new pages, whatever was released before
        CpuKernels<float> kernels(threads, preferred_library());
        const auto faults = [] {
            std::array<long, threads> of_thread{};
            over(threads, threads, 1, [&](std::size_t, std::size_t, int thread) {
                rusage used{};
                getrusage(RUSAGE_THREAD, &used);
                of_thread[std::size_t(thread)] = used.ru_minflt;
            });
            return of_thread;
        };
        const auto before = faults();
        void* const memory = kernels.allocate(bytes);
        kernels.zero(memory, bytes);
        const auto after = faults();
        kernels.release(memory);
        for (std::size_t i = 0; i < threads; ++i) QVERIFY2(after[i] > before[i], qPrintable(QString::number(i)));
    }

    void a_product_library_tells_its_name() {
        QVERIFY(describe(ProductLibrary::eigen).starts_with("Eigen 3."));
        QVERIFY(describe(preferred_library()).ends_with(", 1 thread a product"));
    }
};

PLIMSOLL_TEST(TestEngineKernels)
#include "tst_engine_kernels.moc"
