#include "views/calibrate/engine_runner.h"

#include "views/plan/text.h"

#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>

namespace plimsoll {

namespace {

constexpr int until_terminate = 500, until_kill = 2000;   // milliseconds from the request to stop
constexpr int most_chatter = 200;

}  // namespace

EngineRunner::EngineRunner(QObject* parent) : QObject(parent) {
    for (QTimer* timer : {&terminate_, &kill_}) timer->setSingleShot(true);
    terminate_.setInterval(until_terminate);
    kill_.setInterval(until_kill);
    connect(&terminate_, &QTimer::timeout, this, [this] { signal_group(SIGTERM); });
    connect(&kill_, &QTimer::timeout, this, [this] { signal_group(SIGKILL); });
    connect(&process_, &QProcess::readyReadStandardOutput, this, [this] { read(QProcess::StandardOutput, out_); });
    connect(&process_, &QProcess::readyReadStandardError, this, [this] { read(QProcess::StandardError, err_); });
    connect(&process_, &QProcess::finished, this, &EngineRunner::end);
    connect(&process_, &QProcess::errorOccurred, this, &EngineRunner::fail);
    // A group of its own, so that the ladder reaches mpirun's helpers; the end of the window is its end.
    process_.setChildProcessModifier([] {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGTERM);
    });
}

EngineRunner::~EngineRunner() {
    process_.disconnect(this);
    if (process_.state() == QProcess::NotRunning) return;
    process_.closeWriteChannel();
    if (process_.waitForFinished(until_terminate)) return;
    signal_group(SIGTERM);
    if (process_.waitForFinished(until_kill - until_terminate)) return;
    signal_group(SIGKILL);
    process_.waitForFinished(1000);
}

void EngineRunner::forget() {
    if (busy()) return;
    log_ = {};
    out_.clear();
    err_.clear();
    chatter_.clear();
    ending_.clear();
    beat_.clear();
    exit_code_ = -1;
    well_ = true;
}

void EngineRunner::start(const EngineStart& start) {
    if (busy()) return;
    forget();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const auto& [name, value] : start.environment) environment.insert(to_qt(name), to_qt(value));
    process_.setProcessEnvironment(environment);
    process_.setProgram(to_qt(start.program));
    QStringList arguments;
    for (const std::string& word : start.arguments) arguments << to_qt(word);
    process_.setArguments(arguments);
    phase_ = Phase::running;
    heard_.start();
    process_.start();
    emit changed();
}

void EngineRunner::stop() {
    if (phase_ != Phase::running) return;
    phase_ = Phase::stopping;
    process_.closeWriteChannel();
    terminate_.start();
    kill_.start();
    emit changed();
}

int EngineRunner::quiet_seconds() const { return busy() && heard_.isValid() ? int(heard_.elapsed() / 1000) : 0; }

void EngineRunner::signal_group(int number) {
    const qint64 child = process_.processId();
    if (process_.state() != QProcess::NotRunning && child > 1) ::kill(-pid_t(child), number);
}

void EngineRunner::read(QProcess::ProcessChannel channel, QByteArray& rest) {
    process_.setReadChannel(channel);
    rest += process_.readAll();
    for (qsizetype end; (end = rest.indexOf('\n')) >= 0; rest.remove(0, end + 1)) take(rest.left(end), channel == QProcess::StandardError);
    heard_.restart();
    emit changed();
}

void EngineRunner::take(const QByteArray& line, bool from_stderr) {
    const std::string_view text(line.constData(), std::size_t(line.size()));
    const bool known = from_stderr ? log_.take_stderr(text) : take_event(text);
    if (known || line.trimmed().isEmpty()) return;
    if (chatter_.size() >= most_chatter) chatter_.removeFirst();
    chatter_ << QString::fromUtf8(line);
}

// False for a line that is no part of the protocol.
bool EngineRunner::take_event(std::string_view line) {
    const auto event = log_.take(line);
    if (event)
        if (const auto* beat = std::get_if<EngineBeat>(&*event)) beat_ = beat->text;
    return line.starts_with('{');
}

void EngineRunner::end(int code, QProcess::ExitStatus status) {
    terminate_.stop();
    kill_.stop();
    read(QProcess::StandardOutput, out_);
    read(QProcess::StandardError, err_);
    if (!out_.isEmpty()) take(out_, false);
    if (!err_.isEmpty()) take(err_, true);
    const bool stopped = phase_ == Phase::stopping;
    const int as_shells_count = status == QProcess::CrashExit ? 128 + code : code;
    exit_code_ = as_shells_count;
    phase_ = Phase::idle;
    well_ = stopped || as_shells_count == 0;
    ending_ = stopped ? tr("Stopped") : well_ ? tr("Done") : tr("Failed");
    if (const QString why = to_qt(say_exit(as_shells_count)); !why.isEmpty() && !stopped) ending_ += tr(": %1").arg(why);
    else if (!well_) ending_ += tr(" with exit code %1").arg(as_shells_count);
    if (!log().summary) ending_ += tr("; %1").arg(to_qt(log().state()));
    else ending_ += log().steps.size() == 1 ? tr(" after 1 step") : tr(" after %1 steps").arg(log().steps.size());
    emit changed();
}

// Only a start that fails; every other error ends the process, and end() says so.
void EngineRunner::fail(QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart) return;
    phase_ = Phase::idle;
    well_ = false;
    ending_ = tr("%1 cannot be started: %2").arg(process_.program(), process_.errorString());
    emit changed();
}

}  // namespace plimsoll
