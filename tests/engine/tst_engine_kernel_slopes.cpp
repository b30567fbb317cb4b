// Every gradient kernel is the slope of its forward kernel: central differences in fp64 along random directions.
#include "registered_test.h"

#include "tests/engine/twins.h"

#include <QTest>

#include <functional>

using namespace plimsoll::engine;

namespace {

using Values = std::vector<double>;

Values random_values(std::size_t n, double deviation = 1, double mean = 0) {
    return Both<double>(n, deviation, mean).plain;
}
double dot(const Values& a, const Values& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

// f as a function of x: (f(x + h d) - f(x - h d)) / 2h against gradient . d, relative to the lengths of both.
double slope_error(const std::function<double(const Values&)>& f, const Values& x, const Values& gradient) {
    double worst = 0;
    for (int probe = 0; probe < 4; ++probe) {
        constexpr double h = 1e-5;
        const Values direction = random_values(x.size());
        Values above = x, below = x;
        for (std::size_t i = 0; i < x.size(); ++i) {
            above[i] += h * direction[i];
            below[i] -= h * direction[i];
        }
        const double measured = (f(above) - f(below)) / (2 * h);
        worst = std::max(worst, std::abs(measured - dot(gradient, direction)) / std::sqrt(dot(gradient, gradient)));
    }
    return worst;
}

constexpr double bound = 1e-7;

}  // namespace

class TestEngineKernelSlopes : public QObject {
    Q_OBJECT

    CpuKernels<double> kernels_{1, preferred_library()};

private slots:
    void init() { dice.seed(7); }

    void of_products() {
        const int m = 13, n = 21, k = 17;
        const Values x = random_values(size(m, k)), w = random_values(size(n, k)), b = random_values(size(n)),
                     dy = random_values(size(m, n));
        Values dx(x.size()), dw(w.size()), db(b.size());
        kernels_.linear_input_gradient(dx.data(), dy.data(), w.data(), m, n, k);
        kernels_.linear_weight_gradient(dw.data(), dy.data(), x.data(), m, n, k);
        kernels_.bias_gradient(db.data(), dy.data(), m, n);
        const auto f = [&](const Values& x, const Values& w, const Values& b) {
            Values y(dy.size());
            kernels_.linear(y.data(), x.data(), w.data(), b.data(), m, n, k);
            return dot(y, dy);
        };
        QVERIFY(slope_error([&](const Values& v) { return f(v, w, b); }, x, dx) < bound);
        QVERIFY(slope_error([&](const Values& v) { return f(x, v, b); }, w, dw) < bound);
        QVERIFY(slope_error([&](const Values& v) { return f(x, w, v); }, b, db) < bound);
    }

    void of_the_embedding_and_positions() {
        const int R = 23, C = 9, V = 11, T = 8, first = 5, first_row = 3;
        const auto ids = tokens(R, first + V + 5);
        const Values table = random_values(size(V, C)), places = random_values(size(T, C)),
                     dy = random_values(size(R, C));
        Values dtable(table.size()), dplaces(places.size());
        kernels_.embed_gradient(dtable.data(), dy.data(), ids.data(), R, C, first, V);
        kernels_.positions_gradient(dplaces.data(), dy.data(), R, C, first_row, T);
        const auto f = [&](const Values& table, const Values& places) {
            Values y(dy.size());
            kernels_.embed(y.data(), table.data(), ids.data(), R, C, first, V);
            kernels_.add_positions(y.data(), places.data(), R, C, first_row, T);
            return dot(y, dy);
        };
        QVERIFY(slope_error([&](const Values& v) { return f(v, places); }, table, dtable) < bound);
        QVERIFY(slope_error([&](const Values& v) { return f(table, v); }, places, dplaces) < bound);
    }

    void of_norms_data() {
        QTest::addColumn<int>("kind");
        QTest::newRow("layer norm") << int(Norm::layer);
        QTest::newRow("rms norm") << int(Norm::rms);
    }
    void of_norms() {
        QFETCH(int, kind);
        const int R = 7, C = 19;
        const Values x = random_values(size(R, C), 2, 1), gain = random_values(size(C)), bias = random_values(size(C)),
                     dy = random_values(size(R, C));
        const double* with_bias = Norm(kind) == Norm::layer ? bias.data() : nullptr;
        Values y(x.size()), stats(size(R, 2)), dx(x.size()), dgain(gain.size()), dbias(gain.size());
        kernels_.norm(y.data(), stats.data(), x.data(), gain.data(), with_bias, R, C, Norm(kind));
        kernels_.norm_gradient(dx.data(), dgain.data(), with_bias ? dbias.data() : nullptr, dy.data(), x.data(),
                               gain.data(), stats.data(), R, C, Norm(kind));
        const auto f = [&](const Values& x, const Values& gain, const double* bias) {
            Values y(dy.size()), stats(size(R, 2));
            kernels_.norm(y.data(), stats.data(), x.data(), gain.data(), bias, R, C, Norm(kind));
            return dot(y, dy);
        };
        QVERIFY(slope_error([&](const Values& v) { return f(v, gain, with_bias); }, x, dx) < bound);
        QVERIFY(slope_error([&](const Values& v) { return f(x, v, with_bias); }, gain, dgain) < bound);
        if (with_bias) QVERIFY(slope_error([&](const Values& v) { return f(x, gain, v.data()); }, bias, dbias) < bound);
    }

    void of_activations_data() {
        QTest::addColumn<int>("kind");
        QTest::newRow("gelu") << int(Activation::gelu);
        QTest::newRow("swiglu") << int(Activation::swiglu);
    }
    void of_activations() {
        QFETCH(int, kind);
        const int R = 5, F = 33, inputs = Activation(kind) == Activation::swiglu ? 2 : 1;
        const Values x = random_values(size(R, F, inputs), 2), dy = random_values(size(R, F));
        Values dx(x.size());
        kernels_.activate_gradient(dx.data(), dy.data(), x.data(), R, F, Activation(kind));
        const auto f = [&](const Values& x) {
            Values y(dy.size());
            kernels_.activate(y.data(), x.data(), R, F, Activation(kind));
            return dot(y, dy);
        };
        QVERIFY(slope_error(f, x, dx) < bound);
    }

    void of_attention_data() {
        QTest::addColumn<int>("T");
        QTest::addColumn<int>("H");
        QTest::addColumn<int>("K");
        QTest::addColumn<int>("D");
        QTest::newRow("a single token") << 1 << 2 << 2 << 16;
        QTest::newRow("two blocks of queries and a rest, every head with its own keys") << 131 << 2 << 2 << 16;
        QTest::newRow("four heads to a pair of keys and values") << 70 << 4 << 1 << 64;
    }
    void of_attention() {
        QFETCH(int, T);
        QFETCH(int, H);
        QFETCH(int, K);
        QFETCH(int, D);
        const AttentionShape s{2, T, H, K, D};
        const Values qkv = random_values(size(2 * T, H + 2 * K, D)), dout = random_values(size(2 * T, H, D));
        const auto forward = [&](Values qkv, Values& out, Values& logsum) {
            kernels_.rotate(qkv.data(), s, 1);
            kernels_.attention(out.data(), logsum.data(), qkv.data(), s);
            return qkv;
        };
        Values out(dout.size()), logsum(size(2, H, T)), dqkv(qkv.size());
        const Values rotated = forward(qkv, out, logsum);
        kernels_.attention_gradient(dqkv.data(), dout.data(), out.data(), logsum.data(), rotated.data(), s);
        kernels_.rotate(dqkv.data(), s, -1);
        const auto f = [&](const Values& qkv) {
            Values out(dout.size()), logsum(size(2, H, T));
            forward(qkv, out, logsum);
            return dot(out, dout);
        };
        QVERIFY(slope_error(f, qkv, dqkv) < bound);
    }

    // Two halves of a vocabulary, reduced between the passes as two ranks would, and the whole of it at once.
    void of_the_loss() {
        const int R = 9, V = 14, half = V / 2;
        const auto ids = tokens(R, V);
        const Values logits = random_values(size(R, V), 2);
        const auto whole = [&](Values logits, Values* gradient) {
            double loss = 0;
            kernels_.cross_entropy_whole(&loss, logits.data(), ids.data(), R, V, 1);
            if (gradient) *gradient = logits;
            return loss;
        };
        Values gradient;
        const double loss = whole(logits, &gradient);
        QVERIFY(slope_error([&](const Values& v) { return whole(v, nullptr); }, logits, gradient) < bound);

        Values parts[2], max[2], sums[2], targets[2];
        for (int p = 0; p < 2; ++p) {
            for (int i = 0; i < R * half; ++i) parts[p].push_back(logits[size(i / half * V + p * half + i % half)]);
            max[p] = sums[p] = targets[p] = Values(size(R));
            kernels_.row_max(max[p].data(), parts[p].data(), R, half);
        }
        for (std::size_t r = 0; r < size(R); ++r) max[0][r] = std::max(max[0][r], max[1][r]);
        for (int p = 0; p < 2; ++p)
            kernels_.exp_sum(sums[p].data(), targets[p].data(), parts[p].data(), max[0].data(), ids.data(), R, half,
                             p * half);
        kernels_.add(sums[0].data(), sums[1].data(), size(R));
        kernels_.add(targets[0].data(), targets[1].data(), size(R));
        for (int p = 0; p < 2; ++p) {
            double split_loss = 0;
            kernels_.cross_entropy(&split_loss, parts[p].data(), sums[0].data(), targets[0].data(), ids.data(), R, half,
                                   p * half, 1);
            QVERIFY(std::abs(split_loss - loss) < 1e-13 * loss);
            for (int i = 0; i < R * half; ++i)
                QVERIFY(std::abs(parts[p][size(i)] - gradient[size(i / half * V + p * half + i % half)]) < 1e-15);
        }
    }
};

PLIMSOLL_TEST(TestEngineKernelSlopes)
#include "tst_engine_kernel_slopes.moc"
