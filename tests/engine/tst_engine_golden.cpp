// The engine in single precision against what PyTorch computed (golden/make_golden.py): gradients of the first step and
// ten losses. The double precision reference of the other tests is held against the same files.
#include "registered_test.h"

#include "reference_case.h"

#include <QTest>

using namespace plimsoll;

namespace {

struct Golden {
    naive::Tensors weights, gradients;
    naive::Samples samples;
    std::vector<double> losses;
};

Golden read_golden(const QString& path) {
    Golden golden;
    const auto file = engine::TensorFile::open(path.toStdString());
    if (!file) return golden;
    for (const auto& e : file->entries()) {
        const naive::Matrix m = matrix_of(*file, e);
        if (e.name == "loss") golden.losses = m.x;
        else if (e.name.starts_with("gradient:")) golden.gradients[e.name.substr(9)] = m;
        else if (e.name != "tokens") golden.weights[e.name] = m;
        for (int r = 0; e.name == "tokens" && r < m.rows; ++r)
            golden.samples.emplace_back(m.x.begin() + r * m.cols, m.x.begin() + (r + 1) * m.cols);
    }
    return golden;
}

constexpr int batch = 4, steps = 10;

}  // namespace

class TestEngineGolden : public QObject {
    Q_OBJECT

    static QString path(const QString& file) { return PLIMSOLL_TESTS_DIR "/engine/golden/" + file; }

    void flavours() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<naive::Model>("model");
        QTest::newRow("gpt2") << "gpt2_tiny.bin" << naive::Model{false, 2, 24, 4, 4, 96, 61, 16};
        QTest::newRow("llama, three queries a key-value head")
            << "llama_tiny.bin" << naive::Model{true, 2, 24, 6, 2, 48, 61, 16};
    }

private slots:
    void engine_agrees_with_pytorch_data() { flavours(); }
    void engine_agrees_with_pytorch() {
        QFETCH(QString, file);
        QFETCH(naive::Model, model);
        const Golden golden = read_golden(path(file));
        QCOMPARE(golden.losses.size(), std::size_t(steps));
        const Dump dump = train(model, path(file),
                                {"--precision", "fp32", "--steps", QString::number(steps), "--rate", "0.003",
                                 "--micro-batch", QString::number(batch)});
        QVERIFY2(dump.problem.isEmpty(), qPrintable(dump.problem));
        const QString wrong = disagreements(dump.gradients, golden.gradients, 1e-4);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        QCOMPARE(dump.losses.size(), golden.losses.size());
        for (std::size_t i = 0; i < golden.losses.size(); ++i)
            QVERIFY2(std::abs(dump.losses[i] / golden.losses[i] - 1) < 1e-5,
                     qPrintable(QString("step %1: %2").arg(i + 1).arg(dump.losses[i], 0, 'g', 10)));
    }

    // Two derivations and a differentiation by machine: bounds are those of a float in the file.
    void reference_agrees_with_pytorch_data() { flavours(); }
    void reference_agrees_with_pytorch() {
        QFETCH(QString, file);
        QFETCH(naive::Model, model);
        Golden golden = read_golden(path(file));
        QCOMPARE(golden.samples.size(), std::size_t(12));
        naive::Adam adam;
        for (std::size_t step = 0; step < steps; ++step) {
            naive::Samples now;
            for (std::size_t b = 0; b < batch; ++b)
                now.push_back(golden.samples[(step * batch + b) % golden.samples.size()]);
            naive::Tensors gradients = naive::zeros(model);
            const double loss = naive::mean_loss(model, golden.weights, now, &gradients);
            const QString wrong = step == 0 ? disagreements(gradients, golden.gradients, 1e-7) : QString();
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
            QVERIFY2(std::abs(loss / golden.losses[step] - 1) < 1e-7,
                     qPrintable(QString("step %1: %2").arg(step + 1).arg(loss, 0, 'g', 10)));
            naive::update(adam, golden.weights, gradients, 0.003);
        }
    }
};

PLIMSOLL_TEST(TestEngineGolden)
#include "tst_engine_golden.moc"
