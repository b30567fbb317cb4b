#include "views/jobs/engine_session.h"

#include "views/parts/text.h"
#include "views/parts/widgets.h"

#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>

namespace plimsoll {

namespace {

constexpr int until_terminate = 500, until_kill = 2000;   // milliseconds from the request to stop
constexpr int most_chatter = 200;

}  // namespace

QString messages_of(const CalibrationLog& log, const QStringList& chatter) {
    QStringList all;
    for (const EngineNote& n : log.engine.notes) {
        const QString kind = n.error ? EngineSession::tr("Error") : EngineSession::tr("Warning");
        const QString rank = n.rank && *n.rank >= 0 ? EngineSession::tr(", rank %1").arg(*n.rank) : QString();
        all << kind + rank + QStringLiteral(": ") + to_qt(n.text.empty() ? n.code : n.text);
    }
    for (const Problem& p : log.engine.problems) all << EngineSession::tr("Not understood, %1").arg(to_qt(p.message));
    return (all + chatter).join(u'\n');
}

QPlainTextEdit* message_list() {
    return read_only_text(EngineSession::tr("Other output of the engine and of mpirun"),
                          EngineSession::tr("Warnings, errors, and other output that is no measurement."));
}

EngineSession::EngineSession(int frame, QObject* parent) : QObject(parent) {
    for (QTimer* timer : {&terminate_, &kill_, &frame_}) timer->setSingleShot(true);
    frame_.setInterval(frame);
    second_.setInterval(1000);
    connect(&frame_, &QTimer::timeout, this, &EngineSession::changed);
    connect(&second_, &QTimer::timeout, this, &EngineSession::changed);
    terminate_.setInterval(until_terminate);
    kill_.setInterval(until_kill);
    connect(&terminate_, &QTimer::timeout, this, [this] { signal_group(SIGTERM); });
    connect(&kill_, &QTimer::timeout, this, [this] { signal_group(SIGKILL); });
    connect(&process_, &QProcess::readyReadStandardOutput, this, [this] { read(QProcess::StandardOutput, out_); });
    connect(&process_, &QProcess::readyReadStandardError, this, [this] { read(QProcess::StandardError, err_); });
    connect(&process_, &QProcess::finished, this, &EngineSession::end);
    connect(&process_, &QProcess::errorOccurred, this, &EngineSession::fail);
    // A group of its own, so that the ladder reaches mpirun's helpers; the end of the window is its end.
    process_.setChildProcessModifier([] {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGTERM);
    });
}

EngineSession::~EngineSession() {
    process_.disconnect(this);
    if (process_.state() == QProcess::NotRunning) return;
    process_.closeWriteChannel();
    if (process_.waitForFinished(until_terminate)) return;
    signal_group(SIGTERM);
    if (process_.waitForFinished(until_kill - until_terminate)) return;
    signal_group(SIGKILL);
    process_.waitForFinished(1000);
}

void EngineSession::forget() {
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

QString EngineSession::start(int ranks, const std::vector<std::string>& words) {
    if (busy()) return tr("The engine runs already.");
    const auto host = find_engine_host(ranks > 1);
    if (!host) return to_qt(host.error());
    begin(engine_start(*host, ranks, words));
    return {};
}

void EngineSession::begin(const EngineStart& start) {
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
    second_.start();
    process_.start();  // fail() is called before this returns where the program cannot be started
    if (busy()) emit changed();
}

void EngineSession::stop() {
    if (phase_ != Phase::running) return;
    phase_ = Phase::stopping;
    process_.closeWriteChannel();
    terminate_.start();
    kill_.start();
    emit changed();
}

int EngineSession::quiet_seconds() const { return busy() && heard_.isValid() ? int(heard_.elapsed() / 1000) : 0; }

void EngineSession::signal_group(int number) {
    const qint64 child = process_.processId();
    if (process_.state() != QProcess::NotRunning && child > 1) ::kill(-pid_t(child), number);
}

void EngineSession::read(QProcess::ProcessChannel channel, QByteArray& rest) {
    process_.setReadChannel(channel);
    rest += process_.readAll();
    for (qsizetype end; (end = rest.indexOf('\n')) >= 0; rest.remove(0, end + 1))
        take(rest.left(end), channel == QProcess::StandardError);
    heard_.restart();
    if (busy() && !frame_.isActive()) frame_.start();
}

void EngineSession::take(const QByteArray& line, bool from_stderr) {
    const std::string_view text(line.constData(), std::size_t(line.size()));
    const bool known = from_stderr ? log_.take_stderr(text) : take_event(text);
    if (known || line.trimmed().isEmpty()) return;
    if (chatter_.size() >= most_chatter) chatter_.removeFirst();
    chatter_ << QString::fromUtf8(line);
}

// False for a line that is no part of the protocol.
bool EngineSession::take_event(std::string_view line) {
    const auto event = log_.take(line);
    if (event)
        if (const auto* beat = std::get_if<EngineBeat>(&*event)) beat_ = beat->text;
    return line.starts_with('{');
}

void EngineSession::end(int code, QProcess::ExitStatus status) {
    read(QProcess::StandardOutput, out_);
    read(QProcess::StandardError, err_);
    if (!out_.isEmpty()) take(out_, false);
    if (!err_.isEmpty()) take(err_, true);
    const bool stopped = phase_ == Phase::stopping;
    const int as_shells_count = status == QProcess::CrashExit ? 128 + code : code;
    exit_code_ = as_shells_count;
    const bool well = stopped || as_shells_count == 0;
    QString ending = stopped ? tr("Stopped") : well ? tr("Done") : tr("Failed");
    const QString why = to_qt(say_exit(as_shells_count));
    if (!why.isEmpty() && !stopped) ending += tr(": %1").arg(why);
    else if (!well) ending += tr(" with exit code %1").arg(as_shells_count);
    if (!log().summary) ending += tr("; %1").arg(to_qt(log().state()));
    else ending += log().steps.size() == 1 ? tr(" after 1 step") : tr(" after %1 steps").arg(log().steps.size());
    finish(ending, well);
}

// Only a start that fails; every other error ends the process, and end() says so.
void EngineSession::fail(QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart) return;
    finish(tr("%1 cannot be started: %2").arg(process_.program(), process_.errorString()), false);
}

void EngineSession::finish(const QString& ending, bool well) {
    for (QTimer* timer : {&terminate_, &kill_, &frame_, &second_}) timer->stop();
    phase_ = Phase::idle;
    ending_ = ending;
    well_ = well;
    emit ended();
    emit changed();
}

}  // namespace plimsoll
