#include "views/jobs/engine_session.h"

#include "views/parts/language.h"
#include "views/parts/text.h"
#include "views/parts/widgets.h"

namespace plimsoll {

namespace {

constexpr int most_chatter = 200;

}  // namespace

QString messages_of(const CalibrationLog& log, const QStringList& chatter) {
    QStringList all;
    for (const EngineNote& n : log.engine.notes) {
        const QString text = to_qt(n.text.empty() ? n.code : n.text);
        const bool one = n.rank && *n.rank >= 0;
        const QString alone = n.error ? EngineSession::tr("Error: %1") : EngineSession::tr("Warning: %1");
        const QString of_rank =
            n.error ? EngineSession::tr("Error, rank %1: %2") : EngineSession::tr("Warning, rank %1: %2");
        all << (one ? of_rank.arg(*n.rank).arg(text) : alone.arg(text));
    }
    if (log.seal)
        all << EngineSession::tr("Plan, constants and predictions are made, before the layouts held back run: %1. "
                                 "Whoever writes this down can show that none of the three was changed later.")
                   .arg(to_qt(log.seal->hash));
    for (const Problem& p : log.engine.problems) all << EngineSession::tr("Not understood, %1").arg(to_qt(p.message));
    return (all + chatter).join(u'\n');
}

QPlainTextEdit* message_list() {
    return read_only_text(EngineSession::tr("Other output of the engine and of mpirun"),
                          EngineSession::tr("Warnings, errors, and other output that is no measurement."));
}

EngineSession::EngineSession(int frame, QObject* parent) : QObject(parent) {
    frame_.setSingleShot(true);
    frame_.setInterval(frame);
    second_.setInterval(1000);
    connect(&frame_, &QTimer::timeout, this, &EngineSession::changed);
    connect(&second_, &QTimer::timeout, this, &EngineSession::changed);
    connect(&next_look_, &QTimer::timeout, this, &EngineSession::look);
}

EngineSession::~EngineSession() { process_.stop(StopLadder{}); }   // its own destructor waits for the end

void EngineSession::forget() {
    if (busy()) return;
    log_ = {};
    chatter_.clear();
    ending_.clear();
    beat_.clear();
    exit_code_ = -1;
    well_ = true;
}

QString EngineSession::start(int ranks, const std::vector<std::string>& words) {
    if (busy()) return tr("The engine runs already.");
    const auto host = find_engine_host(ranks > 1);
    if (!host) return worded(host.error());
    begin(engine_start(*host, ranks, words));
    return {};
}

void EngineSession::begin(const ProcessStart& start) {
    forget();
    heard_.start();
    const auto failure = process_.start(start, {.out = [this](std::string_view line) { take(line, false); },
                                                .err = [this](std::string_view line) { take(line, true); }});
    if (failure) return finish(tr("%1 cannot be started").arg(to_qt(*failure)), false);
    phase_ = Phase::running;
    second_.start();
    watch();
    emit changed();
}

void EngineSession::stop() {
    if (!busy()) return;
    process_.stop(phase_ == Phase::running ? engine_patience(longest_step(log())) : StopLadder{});
    phase_ = Phase::stopping;
    emit changed();
}

int EngineSession::quiet_seconds() const { return busy() && heard_.isValid() ? int(heard_.elapsed() / 1000) : 0; }

// Looks when there is something to read, and at least as often as the process asks for.
void EngineSession::watch() {
    const std::array<int, 2> files = process_.files();
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (news_[i] && news_[i]->socket() == files[i]) continue;
        if (news_[i]) {
            news_[i]->setEnabled(false);
            news_[i].release()->deleteLater();   // it may be its signal that led here
        }
        if (files[i] < 0) continue;
        news_[i] = std::make_unique<QSocketNotifier>(files[i], QSocketNotifier::Read);
        connect(news_[i].get(), &QSocketNotifier::activated, this, &EngineSession::look);
    }
    if (process_.running()) next_look_.start(process_.patience());
    else next_look_.stop();
}

void EngineSession::look() {
    heard_lines_ = false;
    const bool runs = process_.advance();
    watch();
    if (heard_lines_) heard_.restart();
    if (!runs) end();
    else if (heard_lines_ && !frame_.isActive()) frame_.start();
}

void EngineSession::take(std::string_view line, bool from_stderr) {
    heard_lines_ = true;
    const bool known = from_stderr ? log_.take_stderr(line) : take_event(line);
    const QString text = QString::fromUtf8(line.data(), qsizetype(line.size()));
    if (known || text.trimmed().isEmpty()) return;
    if (chatter_.size() >= most_chatter) chatter_.removeFirst();
    chatter_ << text;
}

// False for a line that is no part of the protocol.
bool EngineSession::take_event(std::string_view line) {
    const auto event = log_.take(line);
    if (event)
        if (const auto* beat = std::get_if<EngineBeat>(&*event)) beat_ = beat->text;
    return line.starts_with('{');
}

void EngineSession::end() {
    const bool stopped = phase_ == Phase::stopping;
    exit_code_ = process_.code();
    const bool well = stopped || exit_code_ == 0;
    QString ending = stopped ? tr("Stopped") : well ? tr("Done") : tr("Failed");
    const QString why = worded(say_exit(exit_code_));
    if (!why.isEmpty() && !stopped) ending += tr(": %1").arg(why);
    else if (!well) ending += tr(" with exit code %1").arg(exit_code_);
    if (!log().summary) ending += tr("; %1").arg(to_qt(log().state()));
    else ending += log().steps.size() == 1 ? tr(" after 1 step") : tr(" after %1 steps").arg(log().steps.size());
    finish(ending, well);
}

void EngineSession::finish(const QString& ending, bool well) {
    for (QTimer* timer : {&frame_, &second_}) timer->stop();
    phase_ = Phase::idle;
    ending_ = ending;
    well_ = well;
    emit ended();
    emit changed();
}

}  // namespace plimsoll
