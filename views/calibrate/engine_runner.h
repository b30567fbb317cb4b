#pragma once
// One run of plimsoll-engine, a trial or a calibration, beside the window: started, followed line by line,
// stopped, and never left behind.
//
//   runner.start(engine_start(host, ranks, words));
//   connect(&runner, &EngineRunner::changed, this, [this] { draw(runner_.log()); });
//   runner.stop();     // closes its stdin, SIGTERM after 0.5 s, SIGKILL 1.5 s later
//
// Started in the window's thread alone: the kernel ends the child when the
// thread that started it ends. What a run said stays until the next start.

#include <QProcess>  // first: moc loses track of <compare> where that is the first header it meets

#include "core/files/launch/engine_launch.h"
#include "core/files/measured/calibration_log.h"

#include <QElapsedTimer>
#include <QStringList>
#include <QTimer>

namespace plimsoll {

class EngineRunner : public QObject {
    Q_OBJECT
public:
    enum class Phase { idle, running, stopping };

    explicit EngineRunner(QObject* parent = nullptr);
    ~EngineRunner() override;   // ends the run; up to 2 s

    void start(const EngineStart&);
    void stop();
    void forget();              // what the last run said; nothing while one runs

    Phase phase() const { return phase_; }
    bool busy() const { return phase_ != Phase::idle; }
    const EngineLog& log() const { return log_.engine; }
    const CalibrationLog& calibration() const { return log_; }   // of a trial: its log and nothing more
    const std::string& beat() const { return beat_; }    // where the ranks were when they last said so; empty: never
    int exit_code() const { return exit_code_; }         // of the last run, as shells count; -1 before its end
    QString ending() const { return ending_; }           // how the last run ended; empty before and during one
    bool well() const { return well_; }                  // it ended as it should, or was stopped by the user
    const QStringList& chatter() const { return chatter_; }  // what was said outside the protocol, the latest lines
    int quiet_seconds() const;                           // since its last line, while it runs

signals:
    void changed();             // lines arrived, it started, it ended

private:
    void read(QProcess::ProcessChannel, QByteArray& rest);
    void take(const QByteArray& line, bool from_stderr);
    bool take_event(std::string_view line);
    void end(int code, QProcess::ExitStatus);
    void fail(QProcess::ProcessError);
    void signal_group(int number);

    QProcess process_;
    CalibrationLog log_;
    std::string beat_;
    int exit_code_ = -1;
    QByteArray out_, err_;      // lines that have no end yet
    QStringList chatter_;
    QString ending_;
    QTimer terminate_, kill_;
    QElapsedTimer heard_;
    Phase phase_ = Phase::idle;
    bool well_ = true;
};

}  // namespace plimsoll
