#include "app/commands/child.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace plimsoll {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto until_terminate = std::chrono::milliseconds(500), until_kill = std::chrono::milliseconds(2000);

volatile std::sig_atomic_t asked_to_stop = 0;

// SIGINT, SIGTERM and SIGHUP only raise the flag for as long as this lives.
class StopSignals {
public:
    StopSignals() {
        asked_to_stop = 0;
        struct sigaction action {};
        action.sa_handler = [](int) { asked_to_stop = 1; };
        for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &action, &before_[i]);
    }
    ~StopSignals() {
        for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &before_[i], nullptr);
    }

private:
    static constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};
    struct sigaction before_[3];
};

struct Pipe {
    int read = -1, write = -1;
    Pipe() {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) == 0) read = ends[0], write = ends[1];
    }
    ~Pipe() { close_read(), close_write(); }
    void close_read() { if (read >= 0) ::close(std::exchange(read, -1)); }
    void close_write() { if (write >= 0) ::close(std::exchange(write, -1)); }
};

// Whole lines of one pipe.
class LineReader {
public:
    LineReader(Pipe& pipe, const Lines& take) : pipe_(pipe), take_(take) {}
    bool open() const { return pipe_.read >= 0; }
    int file() const { return pipe_.read; }
    void read() {
        char block[1 << 14];
        const auto n = ::read(pipe_.read, block, sizeof block);
        if (n < 0 && errno == EINTR) return;
        if (n <= 0) return finish();
        rest_.append(block, std::size_t(n));
        for (std::size_t end; (end = rest_.find('\n')) != rest_.npos; rest_.erase(0, end + 1)) take_(std::string_view(rest_).substr(0, end));
    }
    void finish() {
        if (!rest_.empty()) take_(rest_);
        rest_.clear();
        pipe_.close_read();
    }

private:
    Pipe& pipe_;
    const Lines& take_;
    std::string rest_;
};

// In the child: only what is safe between fork and exec.
[[noreturn]] void become(const Pipe& in, const Pipe& out, const Pipe& err, const Pipe& failure, char* const* words, char* const* environment, pid_t parent) {
    setpgid(0, 0);                       // a terminal's Ctrl+C reaches us alone: the ladder is ours
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(127);
    dup2(in.read, STDIN_FILENO);
    dup2(out.write, STDOUT_FILENO);
    dup2(err.write, STDERR_FILENO);
    execve(words[0], words, environment);
    const int why = errno;
    (void)!::write(failure.write, &why, sizeof why);
    _exit(127);
}

std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> all;
    for (std::string& word : words) all.push_back(word.data());
    all.push_back(nullptr);
    return all;
}

std::vector<std::string> environment_of(const EngineStart& start) {
    std::vector<std::string> all;
    for (char** each = environ; *each; ++each) all.emplace_back(*each);
    for (const auto& [name, value] : start.environment) all.push_back(name + "=" + value);
    return all;
}

// The ladder: what comes next, and when.
class Ladder {
public:
    Ladder(pid_t child, Pipe& in) : child_(child), in_(in) {}
    void look() {
        if (!asked_to_stop) return;
        const auto now = Clock::now();
        if (rung_ == 0) rung_ = 1, began_ = now, in_.close_write();
        if (rung_ == 1 && now - began_ >= until_terminate) rung_ = 2, kill(-child_, SIGTERM);
        if (rung_ == 2 && now - began_ >= until_kill) rung_ = 3, kill(-child_, SIGKILL);
    }
    bool began() const { return rung_ > 0; }

private:
    pid_t child_;
    Pipe& in_;
    Clock::time_point began_{};
    int rung_ = 0;   // 0: nobody asked
};

int code_of(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

// Lines until both pipes end or the child is gone; grandchildren may hold a pipe open, nobody waits for those.
int follow(pid_t child, LineReader& out, LineReader& err, Ladder& ladder) {
    int status = 0;
    for (bool running = true; running || out.open() || err.open();) {
        ladder.look();
        std::vector<pollfd> files;
        for (LineReader* each : {&out, &err})
            if (each->open()) files.push_back({each->file(), POLLIN, 0});
        const int ready = poll(files.data(), files.size(), 50);
        for (const pollfd& file : files)
            if (ready > 0 && file.revents) (out.open() && file.fd == out.file() ? out : err).read();
        if (running) running = waitpid(child, &status, WNOHANG) == 0;
        else if (ready == 0) out.finish(), err.finish();
    }
    return code_of(status);
}

}  // namespace

ChildEnd run_child(const EngineStart& start, const Lines& take_out, const Lines& take_err) {
    std::vector<std::string> words{start.program}, variables = environment_of(start);
    words.insert(words.end(), start.arguments.begin(), start.arguments.end());
    const std::vector<char*> argv = pointers(words), envp = pointers(variables);
    Pipe in, out, err, failure;
    const StopSignals signals;
    const pid_t parent = getpid(), child = fork();
    if (child < 0) return {1, false, std::generic_category().message(errno)};
    if (child == 0) become(in, out, err, failure, argv.data(), envp.data(), parent);
    for (Pipe* ours : {&out, &err, &failure}) ours->close_write();
    in.close_read();
    int why = 0;
    if (::read(failure.read, &why, sizeof why) == sizeof why) {
        waitpid(child, nullptr, 0);
        return {1, false, start.program + ": " + std::generic_category().message(why)};
    }
    LineReader lines(out, take_out), chatter(err, take_err);
    Ladder ladder(child, in);
    const int code = follow(child, lines, chatter, ladder);
    return {code, ladder.began(), {}};
}

}  // namespace plimsoll
