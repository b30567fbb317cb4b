#include "app/window/end_signals.h"

#include <QEvent>

#include <array>
#include <csignal>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace plimsoll {

namespace {

constexpr std::array<int, 3> ends{SIGTERM, SIGINT, SIGHUP};
std::array<int, 2> end_pipe{-1, -1};

extern "C" void note_end(int signal) {
    const auto byte = static_cast<unsigned char>(signal);
    [[maybe_unused]] const auto written = ::write(end_pipe[1], &byte, 1);
}

}  // namespace

EndSignals::EndSignals() {
    if (::pipe2(end_pipe.data(), O_CLOEXEC | O_NONBLOCK) != 0) return;  // then they end the program as ever
    news_ = std::make_unique<QSocketNotifier>(end_pipe[0], QSocketNotifier::Read);
    connect(news_.get(), &QSocketNotifier::activated, this, &EndSignals::read);
    for (const int signal : ends) {
        struct sigaction before {};
        ::sigaction(signal, nullptr, &before);
        if (before.sa_handler == SIG_IGN) continue;
        struct sigaction action {};
        action.sa_handler = note_end;
        action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
        sigemptyset(&action.sa_mask);
        ::sigaction(signal, &action, nullptr);
    }
}

EndSignals::~EndSignals() {
    news_.reset();
    for (const int signal : ends) {
        struct sigaction now {};
        ::sigaction(signal, nullptr, &now);
        if (now.sa_handler == note_end) std::signal(signal, SIG_DFL);
    }
    for (int& end : end_pipe)
        if (end >= 0) ::close(std::exchange(end, -1));
}

void EndSignals::read() {
    unsigned char byte = 0;
    while (::read(end_pipe[0], &byte, 1) == 1) emit asked(byte);
}

EndOfSession::EndOfSession(QGuiApplication& app) {
    connect(&app, &QGuiApplication::commitDataRequest, this, &EndOfSession::keep, Qt::DirectConnection);
    connect(&app, &QGuiApplication::saveStateRequest, this, &EndOfSession::keep, Qt::DirectConnection);
    app.installEventFilter(this);
}

bool EndOfSession::eventFilter(QObject* watched, QEvent* event) {
    if (watched != qApp || event->type() != QEvent::Quit) return QObject::eventFilter(watched, event);
    emit ended();
    return true;
}

}  // namespace plimsoll
