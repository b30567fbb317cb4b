#pragma once
// Many training runs in one allocation of eight ranks, and what each of them dumped.
//
//   const Runs runs = run_all(PLIMSOLL_ENGINE_PROGRAM, {"--precision", "fp64", ...},
//                             {{"dp2", "--dp 2 --micro-batch 8"}, ...});
//   QVERIFY2(runs.problem.isEmpty(), ...);   runs.of("dp2").gradients ...

#include "mpirun.h"
#include "registered_test.h"
#include "reference_case.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

#include <map>

namespace plimsoll {

struct LayoutRun {
    QString name, options;
};

struct LayoutResult {
    Dump dump;
    std::vector<double> norms;
    QByteArray bytes;  // of the dump
    double predicted = 0, measured = -1;
};

struct Runs {
    QString problem;  // empty: all of them ended well
    std::map<QString, LayoutResult> results;
    const LayoutResult& of(const QString& name) const { return results.at(name); }
};

// The first of them and every third behind it where the sanitizers make a run slow; else all.
inline std::vector<LayoutRun> sampled(const std::vector<LayoutRun>& all) {
    std::vector<LayoutRun> some;
    for (std::size_t i = 0; i < all.size(); i += testing::one_in > 1 ? 3 : 1) some.push_back(all[i]);
    return some;
}

// Memory of every run, in the order of their `run` lines.
inline std::vector<std::pair<double, double>> memory_lines(const QByteArray& log) {
    std::vector<std::pair<double, double>> found;
    for (const QByteArray& line : log.split('\n')) {
        const QJsonObject o = QJsonDocument::fromJson(line).object();
        if (o["type"] == "run") found.emplace_back(o["mem_predicted_B"].toDouble(), o["mem_peak_B"].toDouble(-1));
    }
    return found;
}

inline Runs run_all(const QString& program, const QStringList& common, const std::vector<LayoutRun>& runs,
                    int ranks = 8) {
    QTemporaryDir folder;
    QFile list(folder.filePath("runs.txt"));
    if (!list.open(QFile::WriteOnly)) return {"no temporary file", {}};
    const auto dump_of = [&](const QString& name) { return folder.filePath(QString(name).replace(' ', '_') + ".bin"); };
    for (const LayoutRun& run : runs) list.write((run.options + " --dump " + dump_of(run.name) + "\n").toUtf8());
    list.close();
    QProcess engine;
    engine.setProcessEnvironment(mpi_environment());
    engine.setStandardErrorFile(folder.filePath("stderr"));
    engine.start("mpirun", mpirun(ranks, QStringList{program, "--threads", "1", "--runs", list.fileName()} + common));
    if (!engine.waitForFinished(240000) || engine.exitCode() != 0) {
        QFile said(folder.filePath("stderr"));
        const QByteArray text = said.open(QFile::ReadOnly) ? said.readAll() : QByteArray();
        return {QString("exit %1: %2 %3")
                    .arg(engine.exitCode())
                    .arg(QString::fromUtf8(engine.readAll().right(1500)), QString::fromUtf8(text.left(1500))),
                {}};
    }
    const auto memory = memory_lines(engine.readAllStandardOutput());
    if (memory.size() != runs.size())
        return {QString("%1 runs of %2 reported").arg(memory.size()).arg(runs.size()), {}};
    Runs all;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        LayoutResult& r = all.results[runs[i].name];
        r.dump = read_dump(dump_of(runs[i].name).toStdString());
        if (const auto file = engine::TensorFile::open(dump_of(runs[i].name).toStdString()); file)
            if (const auto norms = file->read("grad_norm")) r.norms = *norms;
        QFile raw(dump_of(runs[i].name));
        if (raw.open(QFile::ReadOnly)) r.bytes = raw.readAll();
        std::tie(r.predicted, r.measured) = memory[i];
        if (!r.dump.problem.isEmpty()) all.problem = r.dump.problem;
    }
    return all;
}

// Where a run departs from another by more than the bounds: gradients of step 1 tensor by tensor, their norm, every
// loss.
inline QString departures(const LayoutResult& found, const LayoutResult& expected, double gradient, double loss) {
    QString text = disagreements(found.dump.gradients, expected.dump.gradients, gradient);
    const auto compare = [&](const char* what, const std::vector<double>& a, const std::vector<double>& b,
                             double bound) {
        if (a.size() != b.size() || a.empty())
            text += QString("%1 %2s instead of %3; ").arg(a.size()).arg(what).arg(b.size());
        for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
            if (!(std::abs(a[i] / b[i] - 1) <= bound)) {
                text += QString("%1 %2: %3 instead of %4; ")
                            .arg(what)
                            .arg(i + 1)
                            .arg(a[i], 0, 'g', 17)
                            .arg(b[i], 0, 'g', 17);
                return;
            }
    };
    compare("gradient norm", {found.norms.begin(), found.norms.begin() + !found.norms.empty()},
            {expected.norms.begin(), expected.norms.begin() + !expected.norms.empty()}, gradient);
    compare("loss", found.dump.losses, expected.dump.losses, loss);
    return text;
}

}  // namespace plimsoll
