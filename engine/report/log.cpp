#include "engine/report/log.h"

#include "engine/report/stopping.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace plimsoll::engine {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

// All of `text` to the disk, or the error.
int write_all(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = ::write(file, text.data(), text.size());
        if (n >= 0) text.remove_prefix(std::size_t(n));
        else if (errno != EINTR) return errno;
    }
    return 0;
}

// To somebody who may have left off reading, as mpirun does between its own SIGTERM and our end: waited
// for until a stop is asked for, and given up then. A pipe that can be written to takes PIPE_BUF bytes.
int write_while_read(int file, std::string_view text) {
    while (!text.empty()) {
        pollfd ready{file, POLLOUT, 0};
        if (poll(&ready, 1, 100) <= 0) {
            if (stop_requested()) return EPIPE;
            continue;
        }
        const ssize_t n = ::write(file, text.data(), std::min(text.size(), std::size_t(PIPE_BUF)));
        if (n >= 0) text.remove_prefix(std::size_t(n));
        else if (errno != EINTR && errno != EAGAIN) return errno;
    }
    return 0;
}

// FILE.rankN of an earlier run would be taken for this one's.
void remove_rank_files(const std::string& out) {
    const fs::path path(out);
    const std::string prefix = path.filename().string().append(".rank");
    std::error_code ignored;
    for (const auto& entry :
         fs::directory_iterator(path.has_parent_path() ? path.parent_path() : fs::path("."), ignored))
        if (entry.path().filename().string().starts_with(prefix)) fs::remove(entry.path(), ignored);
}

// Empty, or why the value itself or a number in the list was made null.
std::string make_finite(Json& value);

void make_members_finite(Json& object) {
    Json reasons = Json::object();
    for (auto& [key, value] : object.items())
        if (const std::string reason = make_finite(value); !reason.empty()) reasons[key + "_reason"] = reason;
    object.update(reasons);
}

std::string make_finite(Json& value) {
    std::string reason;
    if (value.is_object()) make_members_finite(value);
    else if (value.is_array()) {
        for (Json& item : value)
            if (const std::string why = make_finite(item); !why.empty()) reason = why;
    } else if (value.is_number_float() && !std::isfinite(value.get<double>())) {
        reason = std::isnan(value.get<double>()) ? "nan" : value.get<double>() > 0 ? "inf" : "-inf";
        value = nullptr;
    }
    return reason;
}

// Halves the member that takes the most room; false when none can be.
bool shorten(Json& object) {
    Json::iterator widest = object.end();
    std::size_t width = 0;
    for (auto member = object.begin(); member != object.end(); ++member) {
        if (!(member->is_array() && !member->empty()) && !(member->is_string() && one_line(*member).size() > 64))
            continue;
        if (const std::size_t size = one_line(*member).size(); size > width) {
            width = size;
            widest = member;
        }
    }
    if (widest == object.end()) return false;
    const std::string key = widest.key();
    Json was = widest->is_array() ? Json(widest->size()) : Json(widest->get_ref<const std::string&>().size());
    if (widest->is_array()) widest->erase(widest->begin() + std::ptrdiff_t(widest->size() / 2), widest->end());
    else *widest = widest->get<std::string>().substr(0, widest->get_ref<const std::string&>().size() / 2);
    if (Json& lost = object["truncated"]; !lost.contains(key)) lost[key] = was;
    return true;
}

}  // namespace

Json fields_of(const Failure& failure) {
    return {{"code", word_of(failure.code)}, {"rank", failure.rank}, {"text", failure.text},
            {"exit_code", int(failure.code)}, {"fatal", true}};
}

std::string one_line(const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string line_of(const Failure& failure, const std::string& run) {
    Json line{{"type", "error"}, {"run", run}};
    line.update(fields_of(failure));
    return one_line(line) + "\n";
}

void report(const Failure& failure, const std::string& run, const std::string& out) {
    const std::string line = line_of(failure, run);
    // One call each: lines of several ranks on one stderr do not mix.
    [[maybe_unused]] auto shown = ::write(STDERR_FILENO, line.data(), line.size());
    if (out.empty()) return;
    const int file =
        ::open((out + ".rank" + std::to_string(failure.rank)).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file < 0) return;
    shown = ::write(file, line.data(), line.size());
    ::fsync(file);
    ::close(file);
}

Log::Log(LogOptions options) : options_(std::move(options)) {
    // The errors of write() are to be seen, not to kill.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    if (options_.rank != 0) return;
    open_ = true;
    if (!options_.out.empty()) open();
}

Log::~Log() {
    if (file_ >= 0) ::close(file_);
}

void Log::open() {
    const std::string part = options_.out + ".part";
    for (const std::string& target : {options_.out, part}) {
        std::error_code error;
        const auto there = fs::status(target, error);
        if (!fs::exists(there) || fs::is_regular_file(there)) continue;
        failure_ = Failure{ExitCode::usage, "cannot write " + target + ": it is there and is not a regular file",
                           options_.rank};
        return;
    }
    do {
        if (file_ >= 0) ::close(file_);
        file_ = ::open(part.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0644);
        if (file_ < 0) {
            failure_ = Failure{ExitCode::usage, "cannot write " + part + ": " + std::strerror(errno), options_.rank};
            return;
        }
    } while (!take(file_) && !failure_);
    if (!failure_ && ftruncate(file_, 0) != 0) fail("cannot empty " + part + ": " + std::strerror(errno));
    if (!failure_) remove_rank_files(options_.out);
}

// The lock, which the kernel lets go with the process. False: the run that held it has just finished
// and its file is no longer FILE.part, or (failure_) it still runs. File systems without locks are let pass.
bool Log::take(int file) {
    if (flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        failure_ = Failure{ExitCode::usage, "another run is writing " + options_.out + " (it holds " + options_.out +
                                                ".part): wait for its end or name another --out", options_.rank};
        ::close(file);
        file_ = -1;
        return false;
    }
    struct stat mine {}, there {};
    return fstat(file, &mine) == 0 && stat((options_.out + ".part").c_str(), &there) == 0
        && mine.st_ino == there.st_ino;
}

void Log::write(std::string_view type, const Json& fields) {
    if (options_.rank != 0) return;
    const std::lock_guard guard(mutex_);
    put(type, fields);
}

bool Log::try_write(std::string_view type, const Json& fields) {
    if (options_.rank != 0) return true;
    const std::unique_lock guard(mutex_, std::try_to_lock);
    if (guard) put(type, fields);
    return bool(guard);
}

std::string Log::seal(std::string_view type, Json fields) {
    const std::lock_guard guard(mutex_);
    const std::string hash = lines_.text();
    fields["hash"] = hash;
    put(type, fields);
    return hash;
}

std::string Log::kept() const {
    const std::lock_guard guard(mutex_);
    return kept_;
}

void Log::warn(std::string_view code, std::string_view text) {
    write("warn", {{"code", code}, {"rank", options_.rank}, {"text", text}, {"fatal", false}});
}

void Log::error(const Failure& failure) { write("error", fields_of(failure)); }

void Log::put(std::string_view type, const Json& fields) {
    if (!open_) return;
    const Clock::duration now = Clock::now() - begin_;
    Json line{
        {"type", type}, {"run", options_.run}, {"seq", seq_}, {"t_s", std::chrono::duration<double>(now).count()}};
    line.update(fields);
    const std::string text = line_of(std::move(line), longest_line);
    ++seq_;
    lines_.add(text);
    if (type != "power") last_ = now;  // comes by itself every second: whether the run goes on is the beats' to say
    if (options_.keep) kept_ += text;
    put_file(text);
    put_stdout(text);
}

void Log::put_file(std::string_view line) {
    if (file_ < 0) return;
    const int problem = write_all(file_, line);
    if (problem == 0) {
        bytes_ += line.size();
        return;
    }
    // Back to the last complete line; what is there stays there.
    const bool cut = ftruncate(file_, off_t(bytes_)) == 0 && fsync(file_) == 0;
    ::close(file_);
    file_ = -1;
    fail("cannot write " + options_.out + ".part: " + std::strerror(problem) +
         (cut ? "; it ends with its last complete line" : "; its end is torn"));
}

void Log::put_stdout(std::string_view line) {
    if (options_.stdout_file < 0) return;
    const int problem = write_while_read(options_.stdout_file, line);
    if (problem == 0) return;
    options_.stdout_file = -1;
    // EIO: the terminal is gone.
    if (problem == EPIPE || problem == EIO || problem == EBADF) request_stop(StopReason::stdout_closed);
    else fail(std::string("cannot write to stdout: ") + std::strerror(problem));
}

void Log::fail(const std::string& text) {
    if (!failure_) failure_ = Failure{ExitCode::log_unwritable, text, options_.rank};
    report(*failure_, options_.run, "");
    request_stop(StopReason::log_failed);
}

double Log::quiet_s() const {
    return std::chrono::duration<double>(Clock::now() - begin_ - last_.load()).count();
}

std::optional<Failure> Log::failure() const {
    const std::lock_guard guard(mutex_);
    return failure_;
}

int Log::close(Json summary) {
    if (options_.rank != 0) return 0;
    const std::lock_guard guard(mutex_);
    if (!open_) return failure_ ? int(failure_->code) : 0;
    summary["lines"] = seq_;
    summary["hash"] = lines_.text();
    put("summary", summary);
    open_ = false;
    publish();
    return failure_ ? int(failure_->code) : 0;
}

// FILE.part becomes FILE, once it is on the disk; the lock goes with the descriptor.
void Log::publish() {
    if (file_ < 0) return;
    const std::string part = options_.out + ".part";
    if (fsync(file_) != 0 || std::rename(part.c_str(), options_.out.c_str()) != 0)
        fail("cannot complete " + options_.out + ": " + std::strerror(errno));
    ::close(file_);
    file_ = -1;
}

std::string line_of(Json object, std::size_t longest) {
    make_members_finite(object);
    std::string line = one_line(object);
    while (line.size() + 1 > longest && shorten(object)) line = one_line(object);
    return line.append("\n");
}

}  // namespace plimsoll::engine
