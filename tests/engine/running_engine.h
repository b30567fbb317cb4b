#pragma once
// The engine at work in processes of its own, found again by the log they write,
// so that a test can kill, stop and starve them and see that none is left.
//
//   RunningEngine engine(folder.filePath("log"));
//   engine.start(2, {"--dp", "2"});   QVERIFY(engine.trains());   QVERIFY(engine.signal(1, SIGKILL));
//   QCOMPARE(engine.exit_code(), 137);  QVERIFY(engine.is_gone());

#include "engine/report/check.h"
#include "mpirun.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QThread>

#include <csignal>
#include <fstream>
#include <functional>
#include <optional>

namespace plimsoll {

inline constexpr int patience_ms = 120000;  // machines are slow when they are shared; nothing here measures time

inline bool comes_true(const std::function<bool()>& what) {
    QElapsedTimer timer;
    for (timer.start(); timer.elapsed() < patience_ms; QThread::msleep(20))
        if (what()) return true;
    return false;
}

inline QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QFile::ReadOnly) ? file.readAll() : QByteArray();
}

class RunningEngine {
public:
    explicit RunningEngine(QString log) : log_(std::move(log)) {}
    ~RunningEngine() {
        for (const pid_t pid : ranks()) kill(pid, SIGKILL);
        process.kill();
        process.waitForFinished();
    }

    // A small model for a million steps; 0 ranks: without mpirun.
    static QStringList options(const QString& log, const QStringList& more) {
        QStringList all{"--layers",   "1",  "--width",      "32",  "--heads", "4",
                        "--sequence", "32", "--vocabulary", "256", "--out",   log};
        if (!more.contains("--steps")) all += {"--steps", "1000000"};
        return all + more;
    }
    void start(int ranks, const QStringList& more) {
        process.setProcessEnvironment(mpi_environment());
        process.setStandardErrorFile(log_ + ".stderr");
        const QStringList arguments = options(log_, more);
        if (ranks == 0) process.start(PLIMSOLL_ENGINE_PROGRAM, arguments);
        else process.start("mpirun", launcher + mpirun(ranks, {PLIMSOLL_ENGINE_PROGRAM}) + arguments);
    }

    bool trains() { return comes_true([this] { return contents(log_ + ".part").contains("\"step\":3,"); }); }

    // Processes of this program with this log among their arguments.
    std::vector<pid_t> ranks() const {
        std::vector<pid_t> found;
        for (const QString& name : QDir("/proc").entryList(QDir::Dirs)) {
            const QByteArray arguments = contents("/proc/" + name + "/cmdline");
            if (arguments.startsWith(PLIMSOLL_ENGINE_PROGRAM) && arguments.contains(log_.toUtf8()))
                found.push_back(name.toInt());
        }
        return found;
    }
    // False where there is no such rank: then nobody gets the signal, above all not process -1, which is all of them.
    bool signal(int rank, int number) const {
        const pid_t pid = of_rank(rank);
        return pid > 1 && kill(pid, number) == 0;
    }
    pid_t of_rank(int number) const {
        for (const pid_t pid : ranks()) {
            const QByteArray environment = QByteArray("\0", 1) + contents(QString("/proc/%1/environ").arg(pid));
            for (const char* variable : {"OMPI_COMM_WORLD_RANK=", "PMI_RANK="})
                if (environment.contains(QByteArray("\0", 1) + variable + QByteArray::number(number) + '\0'))
                    return pid;
        }
        return 0;
    }
    bool is_gone() const { return comes_true([this] { return ranks().empty(); }); }

    int exit_code() {
        if (process.state() != QProcess::NotRunning && !process.waitForFinished(patience_ms)) return -1;
        return process.exitCode();
    }
    QByteArray errors() const { return contents(log_ + ".stderr"); }
    QByteArray errors_of(int rank) const { return contents(log_ + ".rank" + QByteArray::number(rank)); }

    // The log as far as it got: FILE when it is complete, FILE.part else.
    bool is_complete() const { return QFile::exists(log_); }
    engine::LogCheck check() const {
        std::ifstream file((is_complete() ? log_ : log_ + ".part").toStdString(), std::ios::binary);
        return engine::check_log(file);
    }

    QProcess process;
    // Open MPI waits a second before it signals and another one before it kills, even where nobody is left.
    QStringList launcher{"--mca", "odls_base_sigkill_timeout", "0"};

private:
    QString log_;
};

}  // namespace plimsoll
