// The engine in double precision against an implementation that shares nothing with it (naive_model.h), and that one's
// loss against its own slope: every tensor of both flavours, one rank.
#include "registered_test.h"

#include "reference_case.h"

#include <QTest>

#include <random>

using namespace plimsoll;

namespace {

constexpr int sequences = 3;

// Anything but a usual initialisation: no gain is 1, no bias 0, so that no term drops out.
naive::Tensors some_weights(const naive::Model& m) {
    std::mt19937_64 bits(20240611);
    naive::Tensors weights = naive::zeros(m);
    for (auto& [name, w] : weights)
        for (double& x : w.x) x = (name.ends_with("gain") ? 1 : 0) + 0.3 * (double(bits() >> 11) * 0x1p-52 - 1);
    return weights;
}

naive::Samples some_samples(const naive::Model& m, int count) {
    std::mt19937_64 bits(1865);
    naive::Samples samples(std::size_t(count), std::vector<int>(std::size_t(m.sequence) + 1));
    for (auto& sample : samples)
        for (int& id : sample) id = int(bits() % std::uint64_t(m.vocabulary));
    return samples;
}

bool write_inputs(const QString& path, const naive::Tensors& weights, const naive::Samples& samples) {
    std::vector<engine::Tensor> all;
    for (const auto& [name, w] : weights) all.push_back({name, w.rows, w.cols, w.x});
    engine::Tensor tokens{"tokens", std::int64_t(samples.size()), std::int64_t(samples[0].size()), {}};
    for (const auto& s : samples) tokens.values.insert(tokens.values.end(), s.begin(), s.end());
    all.push_back(std::move(tokens));
    return bool(engine::write_tensors(path.toStdString(), all, engine::Stored::f64));
}

// dloss/dw by central differences; w is as before afterwards.
double slope(const naive::Model& m, naive::Tensors& weights, const naive::Samples& samples, double& w) {
    const double before = w, h = 1e-5;
    w = before + h;
    const double above = naive::mean_loss(m, weights, samples, nullptr);
    w = before - h;
    const double below = naive::mean_loss(m, weights, samples, nullptr);
    w = before;
    return (above - below) / (2 * h);
}

// Their gradient is rounding alone, which Adam blows up to steps of the rate's size; no loss depends on them.
naive::Tensors without_key_biases(naive::Tensors t) {
    std::erase_if(t, [](const auto& item) { return item.first.ends_with("k.bias"); });
    return t;
}

}  // namespace

class TestEngineReference : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    // The engine's dump after so many steps, each on samples of its own.
    Dump trained(const naive::Model& m, int steps, QStringList options = {}) {
        const QString inputs = folder_.filePath("inputs.bin");
        if (!write_inputs(inputs, some_weights(m), some_samples(m, sequences * steps)))
            return {"inputs cannot be written", {}, {}, {}};
        options << "--precision" << "fp64" << "--steps" << QString::number(steps) << "--rate" << "0.003";
        if (!options.contains("--micro-batch")) options << "--micro-batch" << QString::number(sequences);
        return train(m, inputs, options);
    }

private slots:
    void flavours() {
        QTest::addColumn<naive::Model>("model");
        QTest::newRow("gpt2: every shape odd") << naive::Model{};
        QTest::newRow("gpt2: one head, one layer") << naive::Model{false, 1, 16, 1, 1, 40, 17, 9};
        QTest::newRow("llama: as many key-value heads as heads") << naive::Model{true, 2, 24, 4, 4, 64, 61, 12};
        QTest::newRow("llama: three queries share a key-value head") << naive::Model{true, 3, 24, 6, 2, 40, 61, 12};
        QTest::newRow("llama: one key-value head for all") << naive::Model{true, 1, 32, 4, 1, 24, 33, 16};
    }

    void gradients_are_the_slope_of_the_loss_data() { flavours(); }
    void gradients_are_the_slope_of_the_loss() {
        QFETCH(naive::Model, model);
        const Dump dump = trained(model, 1);
        QVERIFY2(dump.problem.isEmpty(), qPrintable(dump.problem));
        naive::Tensors weights = some_weights(model);
        const naive::Samples samples = some_samples(model, sequences);
        std::mt19937_64 bits(7);
        for (auto& [name, w] : weights) {
            QVERIFY2(dump.gradients.contains(name), name.c_str());
            const naive::Matrix& gradient = dump.gradients.at(name);
            QCOMPARE(gradient.x.size(), w.x.size());
            const bool zero =
                name.ends_with("k.bias");  // no slope at all: what is left is the rounding of the loss over 2 h
            for (int probe = 0; probe < 6; ++probe) {
                const std::size_t i = bits() % w.x.size();
                const double d = std::abs(slope(model, weights, samples, w.x[i]) - gradient.x[i]);
                QVERIFY2(d <= (zero ? 1e-9 : 1e-5 * largest(gradient)),
                         qPrintable(QString("%1[%2]: off by %3").arg(name.c_str()).arg(i).arg(d)));
            }
        }
    }

    void gradients_and_loss_are_the_reference_s_data() { flavours(); }
    void gradients_and_loss_are_the_reference_s() {
        QFETCH(naive::Model, model);
        const Dump dump = trained(model, 1);
        QVERIFY2(dump.problem.isEmpty(), qPrintable(dump.problem));
        naive::Tensors expected = naive::zeros(model);
        const double loss = naive::mean_loss(model, some_weights(model), some_samples(model, sequences), &expected);
        const QString wrong = disagreements(dump.gradients, expected, 1e-12);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        QCOMPARE(dump.losses.size(), std::size_t(1));
        QVERIFY2(std::abs(dump.losses[0] / loss - 1) < 1e-13, qPrintable(QString::number(dump.losses[0] - loss)));
    }

    // Clipping, moments, their corrections, and which tensors decay: four steps, the weights themselves.
    void updates_are_the_reference_s_data() { flavours(); }
    void updates_are_the_reference_s() {
        QFETCH(naive::Model, model);
        const Dump dump = trained(model, 4, {"--micro-batch", "1", "--accumulate", QString::number(sequences)});
        QVERIFY2(dump.problem.isEmpty(), qPrintable(dump.problem));
        QCOMPARE(dump.losses.size(), std::size_t(4));
        const naive::Samples samples = some_samples(model, sequences * 4);
        naive::Tensors weights = some_weights(model);
        naive::Adam adam;
        for (int step = 0; step < 4; ++step) {
            naive::Tensors gradients = naive::zeros(model);
            const naive::Samples now(samples.begin() + step * sequences, samples.begin() + (step + 1) * sequences);
            const double loss = naive::mean_loss(model, weights, now, &gradients);
            QVERIFY2(std::abs(dump.losses[std::size_t(step)] / loss - 1) < 1e-12,
                     qPrintable(QString("step %1").arg(step + 1)));
            naive::update(adam, weights, gradients, 0.003);
        }
        const QString wrong = disagreements(without_key_biases(dump.weights), without_key_biases(weights), 1e-12);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    }
};

PLIMSOLL_TEST(TestEngineReference)
#include "tst_engine_reference.moc"
