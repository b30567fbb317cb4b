#pragma once
// A small model under test: its options for the engine, its weights and samples, and what the engine dumped.
//
//   Case c{"llama", {.llama = true, ...}};
//   const Dump dump = train(c, weights, samples, {"--precision", "fp64", "--steps", "1"});   // QFAILs by dump.problem

#include "engine/model/tensor_file.h"
#include "naive_model.h"

#include <QMetaType>
#include <QProcess>
#include <QStringList>
#include <QTemporaryDir>

namespace plimsoll {

inline QStringList model_options(const naive::Model& m) {
    const auto n = [](int x) { return QString::number(x); };
    return {"--model",      m.llama ? "llama" : "gpt2",
            "--layers",     n(m.layers),
            "--width",      n(m.width),
            "--heads",      n(m.heads),
            "--kv-heads",   n(m.kv_heads),
            "--ffn",        n(m.ffn),
            "--vocabulary", n(m.vocabulary),
            "--sequence",   n(m.sequence)};
}

struct Dump {
    QString problem;  // empty: the engine trained and dumped
    naive::Tensors gradients, weights;
    std::vector<double> losses;
};

inline naive::Matrix matrix_of(const engine::TensorFile& file, const engine::TensorFile::Entry& e) {
    naive::Matrix m(int(e.rows), int(e.cols));
    if (auto values = file.read(e.name)) m.x = std::move(*values);
    return m;
}

inline Dump read_dump(const std::filesystem::path& path) {
    Dump dump;
    const auto file = engine::TensorFile::open(path);
    if (!file) return {QString::fromStdString(file.error()), {}, {}, {}};
    for (const auto& e : file->entries()) {
        if (e.name == "loss") dump.losses = matrix_of(*file, e).x;
        if (e.name.starts_with("gradient:")) dump.gradients[e.name.substr(9)] = matrix_of(*file, e);
        if (e.name.starts_with("weight:")) dump.weights[e.name.substr(7)] = matrix_of(*file, e);
    }
    return dump;
}

// One rank, one thread. `inputs` holds the weights and the tokens.
inline Dump train(const naive::Model& m, const QString& inputs, QStringList options) {
    QTemporaryDir folder;
    const QString out = folder.filePath("dump.bin");
    options << model_options(m) << "--weights" << inputs << "--tokens" << inputs << "--dump" << out << "--threads"
            << "1";
    QProcess engine;
    engine.setProcessChannelMode(QProcess::MergedChannels);
    engine.start(PLIMSOLL_ENGINE_PROGRAM, options);
    if (!engine.waitForFinished(60000) || engine.exitStatus() != QProcess::NormalExit || engine.exitCode() != 0)
        return {options.join(' ') + "\nexit " + QString::number(engine.exitCode()) + ": "
                    + QString::fromUtf8(engine.readAll()),
                {},
                {},
                {}};
    return read_dump(out.toStdString());
}

inline double largest(const naive::Matrix& m) {
    double most = 0;
    for (const double x : m.x) most = std::max(most, std::abs(x));
    return most;
}

// The largest difference of the named tensor as a part of its largest element. A key bias shifts all scores of a query
// alike, so that its gradient is zero but for rounding: it is held against the key weight instead.
inline double difference(const naive::Tensors& found, const naive::Tensors& expected, const std::string& name) {
    const naive::Matrix &a = found.at(name), &b = expected.at(name);
    if (a.rows != b.rows || a.cols != b.cols) return 1e300;
    double most = 0;
    for (std::size_t i = 0; i < a.x.size(); ++i) most = std::max(most, std::abs(a.x[i] - b.x[i]));
    const auto scale_of = name.ends_with("k.bias") ? name.substr(0, name.size() - 4) + "weight" : name;
    return most / largest(expected.at(scale_of));
}

// Names present in one set only, and tensors further apart than `bound`; empty: the sets agree.
inline QString disagreements(const naive::Tensors& found, const naive::Tensors& expected, double bound) {
    QString text;
    for (const auto& [name, matrix] : found)
        if (!expected.contains(name)) text += QString::fromStdString(name) + ": unexpected; ";
    for (const auto& [name, matrix] : expected) {
        const double d = found.contains(name) ? difference(found, expected, name) : 1e300;
        if (!(d <= bound))
            text += QString::fromStdString(name) + ": off by " + QString::number(d) + " of the tensor's maximum; ";
    }
    return text;
}

}  // namespace plimsoll

Q_DECLARE_METATYPE(plimsoll::naive::Model)
