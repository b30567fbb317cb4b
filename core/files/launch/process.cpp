#include "core/files/launch/process.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace plimsoll {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds look_for_the_end{50}, look_for_the_end_soon{5};
constexpr std::size_t most_of_a_line = 1 << 24;   // of a program that never ends one
constexpr int most_blocks = 64;   // read at once, so that a talkative program cannot keep us from stopping it

void close_file(int& file) {
    if (file >= 0) ::close(std::exchange(file, -1));
}

// Both ends above the three standard files: dup2 must not find its source and target the same.
class Pipe {
public:
    Pipe() {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) return;
        read = fcntl(ends[0], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        write = fcntl(ends[1], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        ::close(ends[0]);
        ::close(ends[1]);
    }
    ~Pipe() {
        close_file(read);
        close_file(write);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    bool open() const { return read >= 0 && write >= 0; }

    int read = -1, write = -1;
};

std::vector<char*> pointers_to(std::vector<std::string>& words) {
    std::vector<char*> all;
    for (std::string& word : words) all.push_back(word.data());
    all.push_back(nullptr);
    return all;
}

// The caller's variables, those of the start in place of the caller's own.
std::vector<std::string> environment_of(const ProcessStart& start) {
    std::vector<std::string> all;
    for (char** each = environ; *each; ++each) {
        const std::string_view variable = *each;
        const std::string_view name = variable.substr(0, variable.find('='));
        bool replaced = false;
        for (const auto& [ours, value] : start.environment) replaced = replaced || name == ours;
        if (!replaced) all.emplace_back(variable);
    }
    for (const auto& [name, value] : start.environment) all.push_back(name + "=" + value);
    return all;
}

struct ChildEnds {
    int in, out, err, failure;
};

// In the child: only what may be called between fork and exec in a program of several threads.
[[noreturn]] void become(const ChildEnds& ends, char* const* words, char* const* environment, pid_t parent) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(127);
    dup2(ends.in, STDIN_FILENO);
    dup2(ends.out, STDOUT_FILENO);
    dup2(ends.err, STDERR_FILENO);
    execve(words[0], words, environment);
    const int why = errno;
    (void)!::write(ends.failure, &why, sizeof why);
    _exit(127);
}

std::string message_of(int error) { return std::generic_category().message(error); }

// As shells count.
int code_of(const siginfo_t& end) { return end.si_code == CLD_EXITED ? end.si_status : 128 + end.si_status; }

volatile std::sig_atomic_t stop_signal_came = 0;

// SIGINT, SIGTERM and SIGHUP only raise the flag for as long as this lives.
class StopSignals {
public:
    StopSignals() {
        stop_signal_came = 0;
        struct sigaction action {};
        action.sa_handler = [](int) { stop_signal_came = stop_signal_came + 1; };
        for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &action, &before_[i]);
    }
    ~StopSignals() {
        for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &before_[i], nullptr);
    }
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;
    int came() const { return stop_signal_came; }

private:
    static constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};
    struct sigaction before_[3];
};

// Until one of the files can be read, at most so long.
void wait_for_news(const Process& process) {
    std::array<pollfd, 2> watched;
    nfds_t count = 0;
    for (const int file : process.files())
        if (file >= 0) watched[count++] = {file, POLLIN, 0};
    ::poll(watched.data(), count, int(process.patience().count()));
}

}  // namespace

void Process::Stream::read() {
    char block[1 << 14];
    for (int blocks = 0; file >= 0 && blocks < most_blocks; ++blocks) {
        const auto count = ::read(file, block, sizeof block);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == EAGAIN) return;
        if (count <= 0) return finish();
        rest.append(block, std::size_t(count));
        std::size_t from = 0;
        for (std::size_t end; (end = rest.find('\n', from)) != rest.npos; from = end + 1)
            if (take) take(std::string_view(rest).substr(from, end - from));
        rest.erase(0, from);
        if (rest.size() > most_of_a_line) return finish();   // whoever goes on writing gets an error
    }
}

void Process::Stream::finish() {
    close_file(file);
    if (!rest.empty() && take) take(rest);
    rest.clear();
}

std::optional<std::string> Process::start(const ProcessStart& start, ProcessLines lines, StopLadder ladder) {
    std::vector<std::string> words{start.program}, variables = environment_of(start);
    words.insert(words.end(), start.arguments.begin(), start.arguments.end());
    const std::vector<char*> argv = pointers_to(words), envp = pointers_to(variables);
    Pipe in, out, err, failure;
    for (const Pipe* each : {&in, &out, &err, &failure})
        if (!each->open()) return start.program + ": " + message_of(errno);
    const pid_t parent = getpid(), child = fork();
    if (child < 0) return start.program + ": " + message_of(errno);
    if (child == 0) become({in.read, out.write, err.write, failure.write}, argv.data(), envp.data(), parent);
    close_file(failure.write);
    int why = 0;
    ssize_t count = 0;
    do count = ::read(failure.read, &why, sizeof why);
    while (count < 0 && errno == EINTR);
    if (count == sizeof why) {
        ::waitpid(child, nullptr, 0);
        return start.program + ": " + message_of(why);
    }
    for (const int file : {out.read, err.read}) fcntl(file, F_SETFL, O_NONBLOCK);
    id_ = child;
    code_ = 0;
    input_ = std::exchange(in.write, -1);
    out_ = {std::exchange(out.read, -1), {}, std::move(lines.out)};
    err_ = {std::exchange(err.read, -1), {}, std::move(lines.err)};
    ladder_ = ladder;
    asked_.reset();
    rung_ = Rung::none;
    return std::nullopt;
}

Process::~Process() {
    stop();
    const auto patient_until = steady_clock::now() + ladder_.kill + std::chrono::seconds(1);
    out_.take = err_.take = nullptr;
    while (advance() && steady_clock::now() < patient_until) wait_for_news(*this);
    close_input();
    close_file(out_.file);
    close_file(err_.file);
}

void Process::stop() {
    if (running() && !asked_) asked_ = steady_clock::now();
    climb();
}

void Process::stop(StopLadder ladder) {
    ladder_ = ladder;
    stop();
}

void Process::climb() {
    if (!running() || !asked_) return;
    const auto since = steady_clock::now() - *asked_;
    if (rung_ == Rung::none) {
        rung_ = Rung::asked;
        close_input();
    }
    if (rung_ == Rung::asked && since >= ladder_.terminate) {
        rung_ = Rung::terminated;
        ::kill(-id_, SIGTERM);
    }
    if (rung_ == Rung::terminated && since >= ladder_.kill) {
        rung_ = Rung::killed;
        ::kill(-id_, SIGKILL);
    }
}

// Whether the program has ended. Children it left behind in its group end with it if it was stopped: they are
// killed before its process id is given back, because nobody else can have that id until then.
bool Process::reap() {
    siginfo_t end{};
    const bool unknown = ::waitid(P_PID, id_t(id_), &end, WEXITED | WNOHANG | WNOWAIT) != 0 && errno == ECHILD;
    if (!unknown && end.si_pid == 0) return false;
    if (stopping() && !unknown) ::kill(-id_, SIGKILL);
    if (!unknown) ::waitid(P_PID, id_t(id_), &end, WEXITED | WNOHANG);
    code_ = unknown ? 0 : code_of(end);   // unknown: whoever started us has the kernel discard how children end
    id_ = -1;
    return true;
}

bool Process::advance() {
    if (!running()) return false;
    climb();
    const bool ended = reap();   // before reading: what it wrote until its end is in the pipes by now
    out_.read();
    err_.read();
    if (!ended) return true;
    out_.finish();
    err_.finish();
    close_input();
    return false;
}

std::chrono::milliseconds Process::patience() const {
    return out_.file < 0 && err_.file < 0 ? look_for_the_end_soon : look_for_the_end;
}

void Process::close_input() { close_file(input_); }

ProcessEnd run_process(const ProcessStart& start, ProcessLines lines, const RunOptions& options) {
    std::optional<StopSignals> signals;
    if (options.heed_signals) signals.emplace();
    const auto began = steady_clock::now();
    ProcessEnd end;
    Process process;
    if (auto failure = process.start(start, std::move(lines), options.ladder)) return {1, false, false, *failure};
    while (process.advance()) {
        const int asked = signals ? signals->came() : 0;
        if (asked > 0 && !end.cancelled && options.patient) process.stop(options.patient());
        if (asked > 1) process.stop(options.ladder);
        end.cancelled = end.cancelled || asked > 0 || (options.stop && options.stop());
        end.timed_out = end.timed_out || (options.limit && steady_clock::now() - began >= *options.limit);
        if (end.cancelled || end.timed_out) process.stop();
        wait_for_news(process);
    }
    end.code = process.code();
    return end;
}

bool executable(const std::filesystem::path& path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

std::filesystem::path program_in_path(const char* name) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const auto file = std::filesystem::path(folder) / name;
        if (!folder.empty() && executable(file)) return file;
    }
    return {};
}

}  // namespace plimsoll
