#pragma once
// The one place that starts and stops other programs: the engine, mpirun, the commands of batch systems.
//
//   const ProcessEnd end = run_process(start, {.out = print}, {.limit = std::chrono::seconds(5)});   // waits for it
//
//   Process process;                                    // for somebody who must not wait, such as the window
//   process.start(start, {.out = print});
//   while (process.advance()) wait_for(process.files(), process.patience());
//
// The program runs in a process group of its own, so that a terminal's Ctrl+C reaches only us and a signal to the
// group reaches the program's children too. It is stopped in steps: its standard input is closed, then the group
// gets SIGTERM, then SIGKILL. The kernel ends the program when the thread that started it ends; posix_spawn cannot
// ask for that, which is why this is fork and exec.

#include <sys/types.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plimsoll {

// Whether the path is a file that may be run.
bool executable(const std::filesystem::path&);
// The first such file of this name in a folder of PATH; empty where there is none.
std::filesystem::path program_in_path(const char* name);

struct ProcessStart {
    std::string program;                                           // a path
    std::vector<std::string> arguments;
    std::vector<std::pair<std::string, std::string>> environment;  // on top of the caller's
    friend bool operator==(const ProcessStart&, const ProcessStart&) = default;
};

// Who gets what the program writes, line by line, without the line's end. The last line may lack one.
struct ProcessLines {
    std::function<void(std::string_view)> out, err;
};

// When the group gets which signal, counted from the request to stop.
struct StopLadder {
    std::chrono::milliseconds terminate{500}, kill{2000};
};

class Process {
public:
    Process() = default;
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    ~Process();   // stops what runs, waiting for its end: as long as the ladder and a second

    // Nothing, or why the program cannot be started. Call it only while nothing runs.
    std::optional<std::string> start(const ProcessStart&, ProcessLines, StopLadder = {});
    void stop();
    void stop(StopLadder);   // by another ladder from now on, counted from the first request; also while it stops

    // Hands over the lines that are there, sends the signal that is due, and notices the end. Never waits.
    // False once the program has ended. A child of the program that lives on is not waited for.
    bool advance();

    bool running() const { return id_ > 0; }
    bool stopping() const { return asked_.has_value(); }          // stop() was called; also after the end
    int code() const { return code_; }                            // as shells count: 128 + the number of a signal
    std::array<int, 2> files() const { return {out_.file, err_.file}; }   // can be read when there is news; -1: closed
    std::chrono::milliseconds patience() const;                   // call advance() at least as often

private:
    using Instant = std::chrono::steady_clock::time_point;
    enum class Rung { none, asked, terminated, killed };

    struct Stream {
        int file = -1;
        std::string rest;   // of a line that has no end yet
        std::function<void(std::string_view)> take;
        void read();
        void finish();
    };

    void climb();
    bool reap();
    void close_input();

    pid_t id_ = -1;
    int input_ = -1, code_ = 0;
    Stream out_, err_;
    StopLadder ladder_;
    std::optional<Instant> asked_;
    Rung rung_ = Rung::none;
};

struct ProcessEnd {
    int code = 0;              // as shells count: 128 + the number of a signal
    bool cancelled = false;    // by a signal to us
    bool timed_out = false;    // stopped at the limit
    std::string failure;       // why the program could not be started; empty: it ran
};

struct RunOptions {
    std::optional<std::chrono::milliseconds> limit{};  // of the whole run; then it is stopped by the ladder
    // SIGINT, SIGTERM and SIGHUP stop the program, and us only after it: not for the window. The second one hurries.
    bool heed_signals = false;
    StopLadder ladder{};
    std::function<bool()> stop{};                      // asked all the time; true stops the program
    std::function<StopLadder()> patient{};   // asked at the first signal: how long the program may need to end well
};

// Runs the program to its end.
ProcessEnd run_process(const ProcessStart&, ProcessLines, const RunOptions& = {});

}  // namespace plimsoll
