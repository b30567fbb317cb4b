#include "views/calibrate/job/batch_job.h"

#include "views/plan/text.h"

#include <utility>

namespace plimsoll {

namespace {

constexpr int patience = 30000;   // milliseconds a command of the batch system may take

}  // namespace

BatchJob::BatchJob(QObject* parent) : QObject(parent) {
    next_.setSingleShot(true);
    process_.setProcessChannelMode(QProcess::MergedChannels);
    connect(&next_, &QTimer::timeout, this, [this] { poll(0); });
    const auto done = [this](int code) {
        if (const Answer answer = std::exchange(answer_, nullptr)) answer(code, process_.readAll().toStdString());
    };
    connect(&process_, &QProcess::finished, this, [done](int code, QProcess::ExitStatus how) { done(how == QProcess::NormalExit ? code : -1); });
    connect(&process_, &QProcess::errorOccurred, this, [done](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) done(-1);
    });
}

BatchJob::~BatchJob() {
    process_.disconnect(this);
    process_.kill();
    process_.waitForFinished(1000);
}

// Through env, which looks the program up in PATH.
void BatchJob::ask(const Command& command, Answer answer) {
    QStringList words;
    for (const std::string& word : command) words << to_qt(word);
    answer_ = std::move(answer);
    process_.start(QStringLiteral("/usr/bin/env"), words, QIODevice::ReadOnly);
    QTimer::singleShot(patience, &process_, [this, started = process_.processId()] {
        if (process_.processId() == started) process_.kill();
    });
}

void BatchJob::submit(BatchKind kind, const QString& folder, const QString& script) {
    if (active() || asking()) return;
    kind_ = kind;
    id_.clear();
    problem_.clear();
    status_ = {};
    polls_ = 0;
    ask(submit_command(kind, folder.toStdString(), script.toStdString()), [this](int code, const std::string& printed) {
        const auto id = code == 0 ? job_id(kind_, printed) : std::nullopt;
        if (id) id_ = *id, status_.state = JobState::queued, wait();
        else problem_ = tr("%1 took no job: %2").arg(QString::fromUtf8(title_of(kind_).data(), qsizetype(title_of(kind_).size())), to_qt(printed).trimmed());
        emit changed();
    });
    emit changed();
}

// Each command in turn until one knows the job; a queue that cannot be asked now is asked again later.
void BatchJob::poll(std::size_t command) {
    if (!active() || asking()) return;
    const auto commands = poll_commands(kind_, id_);
    if (command >= commands.size()) return wait();
    ask(commands[command], [this, command](int, const std::string& printed) {
        const JobStatus found = job_status(kind_, id_, printed);
        if (found.state == JobState::unknown) return poll(command + 1);
        status_ = found;
        emit changed();
        wait();
    });
}

void BatchJob::wait() {
    if (active()) next_.start(int(poll_interval(polls_++) / millisecond));
}

void BatchJob::cancel() {
    if (!active() || asking()) return;
    ask(cancel_command(kind_, id_), [this](int code, const std::string& printed) {
        problem_ = code == 0 ? QString() : to_qt(printed).trimmed();
        polls_ = 0;
        poll(0);
        emit changed();
    });
}

QString BatchJob::state() const {
    if (!problem_.isEmpty()) return problem_;
    if (id_.empty()) return asking() ? tr("Submitting...") : QString();
    return tr("Job %1: %2").arg(to_qt(id_), to_qt(say(status_)));
}

}  // namespace plimsoll
