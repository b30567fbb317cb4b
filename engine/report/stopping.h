#pragma once
// Who may end a run early, and that it does end: a signal, a closed stdin, a
// cancel file, a launcher that died. Each only raises a flag; the trainer asks
// for it once a step, agrees on it with the other ranks and ends with a summary.
// Five seconds after the flag without such an end, or as long as the steps need that the end has to wait for, the
// process is gone.
//
//   StopWatch watch({.rank = rank, .with_parent = ranks > 1, .stdin_ends = options.stdin_stops,
//                    .cancel_file = options.cancel_file});
//   ... if (agreed(stop_requested())) break; ... watch.ended();
//
// Closing stdin counts only when asked for (--stdin-stops): a job script's stdin
// is /dev/null, and a launcher hands rank 0 a pipe that is closed from the start,
// so the kind of file does not tell. A launcher's death is seen by asking for the
// parent ten times a second, not by the kernel's parent-death signal: that one
// comes when the *thread* that forked ends, which Open MPI's do on wide nodes.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

namespace plimsoll::engine {

enum class StopReason : std::uint8_t {
    none,
    terminated,
    interrupted,
    hung_up,
    stdin_closed,
    cancel_file,
    parent_died,
    stdout_closed,
    log_failed
};
inline constexpr const char* stop_reasons[] = {"another rank",  "SIGTERM",       "SIGINT",
                                               "SIGHUP",        "stdin closed",  "cancel file",
                                               "launcher died", "stdout closed", "log unwritable"};

// The flag. Any thread, and a signal handler, may raise it; the first reason stays.
void request_stop(StopReason);
bool stop_requested();
StopReason stop_reason();

// A run that asks for the flag only every `seconds` gets as long for its end. The latest call counts; any thread.
void stop_is_asked_every(double seconds);

struct StopOptions {
    int rank = 0;
    bool with_parent = false;  // the process that started this rank going away is a stop
    bool stdin_ends = false;   // looked at on rank 0 alone
    std::string cancel_file{}; // its existence is a stop; rank 0; empty: none
    std::chrono::milliseconds grace{5000};  // at least
    std::string run{}, out{};  // for the line that is left when grace runs out
};

// Handlers of SIGTERM, SIGINT and SIGHUP and a thread that looks at the rest; one per process.
class StopWatch {
public:
    explicit StopWatch(StopOptions);
    ~StopWatch();

    // The run reached its end: no forced exit any more, whatever was requested.
    void ended() { ended_ = true; }

private:
    void watch();
    void look();
    std::chrono::duration<double> grace() const;
    bool stdin_closed();

    StopOptions options_;
    int parent_;
    bool stdin_open_;
    std::atomic<bool> ended_{false}, leaving_{false};
    std::thread thread_;
};

}  // namespace plimsoll::engine
