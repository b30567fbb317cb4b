#pragma once
// One run of plimsoll-engine, a trial or a calibration, beside the window: the engine is found and started, followed
// line by line, stopped, and never left behind.
//
//   connect(&session_, &EngineSession::changed, this, [this] { draw(session_.log()); });
//   if (const QString obstacle = session_.start(2, words); !obstacle.isEmpty()) show(obstacle);
//   session_.stop();     // closes its standard input and lets it finish its step; once more, and it ends now
//
// Started in the window's thread alone: the kernel ends the child when the thread that started it ends. What a run
// wrote stays until the next start.

#include "core/files/launch/engine_launch.h"
#include "core/files/measured/calibration_log.h"

#include <QElapsedTimer>
#include <QPlainTextEdit>
#include <QSocketNotifier>
#include <QStringList>
#include <QTimer>

#include <array>
#include <memory>

namespace plimsoll {

// Warnings, errors and other output that is no measurement, a line each; `chatter` are lines outside the protocol.
QString messages_of(const CalibrationLog&, const QStringList& chatter);
QPlainTextEdit* message_list();  // empty, and says what it is for

class EngineSession : public QObject {
    Q_OBJECT
public:
    enum class Phase { idle, running, stopping };

    // Lines may come faster than anybody can look: changed() follows them at most once in `frame` milliseconds.
    explicit EngineSession(int frame, QObject* parent = nullptr);
    ~EngineSession() override;   // ends the run now; up to 2 s

    // Empty where the engine runs now; else why it cannot, and nothing has changed.
    [[nodiscard]] QString start(int ranks, const std::vector<std::string>& words);
    void stop();                // by engine_patience(); asked again: within two seconds
    void forget();              // what the last run wrote; nothing while one runs

    Phase phase() const { return phase_; }
    bool busy() const { return phase_ != Phase::idle; }
    const EngineLog& log() const { return log_.engine; }
    const CalibrationLog& calibration() const { return log_; }   // of a trial: its log and nothing more
    const std::string& beat() const { return beat_; }    // where the ranks were by their last line; empty: never
    int exit_code() const { return exit_code_; }         // of the last run, as shells count; -1 before its end
    QString ending() const { return ending_; }           // how the last run ended; empty before and during one
    bool well() const { return well_; }                  // it ended as it should, or was stopped by the user
    const QStringList& chatter() const { return chatter_; }  // lines outside the protocol, the latest
    QString messages() const { return messages_of(log_, chatter_); }
    int quiet_seconds() const;                           // since its last line, while it runs

signals:
    void changed();             // lines arrived, or a second went by; at once when it starts, is stopped or ends
    void ended();               // once for every start, after the last line; before the changed() of the end

private:
    void begin(const ProcessStart&);
    void finish(const QString& ending, bool well);
    void watch();
    void look();
    void take(std::string_view line, bool from_stderr);
    bool take_event(std::string_view line);
    void end();

    Process process_;
    std::array<std::unique_ptr<QSocketNotifier>, 2> news_;   // of its files, while they are open
    QTimer next_look_;          // for what no file tells: the signal that is due, the end
    bool heard_lines_ = false;  // in the look that goes on
    CalibrationLog log_;
    std::string beat_;
    int exit_code_ = -1;
    QStringList chatter_;
    QString ending_;
    QTimer frame_, second_;     // when changed() follows lines, and when it follows none
    QElapsedTimer heard_;
    Phase phase_ = Phase::idle;
    bool well_ = true;
};

}  // namespace plimsoll
