#include "engine/report/stopping.h"

#include "engine/report/failure.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <optional>
#include <poll.h>
#include <unistd.h>

namespace plimsoll::engine {

namespace {

std::atomic<StopReason> reason{StopReason::none};
std::atomic<double> asked_every_s{0};
static_assert(std::atomic<StopReason>::is_always_lock_free, "a signal handler stores it");

void on_signal(int signal) {
    request_stop(signal == SIGTERM  ? StopReason::terminated
                 : signal == SIGINT ? StopReason::interrupted
                                    : StopReason::hung_up);
}

void handle(int signal, void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
}

}  // namespace

void request_stop(StopReason why) {
    StopReason none = StopReason::none;
    reason.compare_exchange_strong(none, why);
}
bool stop_requested() { return reason.load(std::memory_order_relaxed) != StopReason::none; }
StopReason stop_reason() { return reason; }
void stop_is_asked_every(double seconds) { asked_every_s = seconds; }

StopWatch::StopWatch(StopOptions options)
    : options_(std::move(options)), parent_(getppid()), stdin_open_(options_.stdin_ends && options_.rank == 0) {
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) handle(signal, on_signal);
    thread_ = std::thread([this] { watch(); });
}

StopWatch::~StopWatch() {
    leaving_ = true;
    thread_.join();
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) handle(signal, SIG_DFL);
}

void StopWatch::watch() {
    using Clock = std::chrono::steady_clock;
    std::optional<Clock::time_point> requested;
    while (!leaving_) {
        look();
        if (stop_requested() && !requested) requested = Clock::now();
        if (requested && !ended_ && Clock::now() - *requested > grace()) {
            char seconds[32];
            std::snprintf(seconds, sizeof seconds, "%.1f", grace().count());
            report({ExitCode::cancelled,
                    std::string("no clean end within ") + seconds + " s of the request to stop ("
                        + stop_reasons[std::size_t(stop_reason())] + ")",
                    options_.rank},
                   options_.run, options_.out);
            _exit(int(ExitCode::cancelled));
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
}

// A flag raised just after a step asked for it is seen by the next step and agreed on at that one's end: two steps, and
// half a step for what comes after them.
std::chrono::duration<double> StopWatch::grace() const {
    return std::max<std::chrono::duration<double>>(options_.grace, std::chrono::duration<double>(2.5 * asked_every_s));
}

void StopWatch::look() {
    if (options_.with_parent && getppid() != parent_) request_stop(StopReason::parent_died);
    if (options_.rank == 0 && !options_.cancel_file.empty() && access(options_.cancel_file.c_str(), F_OK) == 0)
        request_stop(StopReason::cancel_file);
    if (stdin_open_ && stdin_closed()) {
        stdin_open_ = false;
        request_stop(StopReason::stdin_closed);
    }
}

// What is typed or sent is read and dropped, a bounded amount a look; only the end counts.
bool StopWatch::stdin_closed() {
    pollfd in{STDIN_FILENO, POLLIN, 0};
    char dropped[4096];
    for (int reads = 0; reads < 64 && poll(&in, 1, 0) > 0; ++reads) {
        if (in.revents & POLLNVAL) return true;
        if (!(in.revents & (POLLIN | POLLHUP | POLLERR))) return false;
        if (read(STDIN_FILENO, dropped, sizeof dropped) <= 0) return true;
    }
    return false;
}

}  // namespace plimsoll::engine
