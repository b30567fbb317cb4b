#pragma once
// What the engine says: JSON lines, schema 1 (PROTOCOL.md), on stdout and in a file.
//
// Rank 0 alone speaks; on the others every call does nothing. The file is written
// as FILE.part and becomes FILE when it is complete, so FILE is never half a log.
// Not more than 64 KiB a line: longer lists lose their tail, and `truncated` says
// how long they were. A number that is not finite becomes null with `<key>_reason`.
//
//   Log log({.out = options.out, .run = run, .rank = rank});
//   if (const auto failure = log.failure()) ...         // the file is another run's, or cannot be written
//   log.write("step", {{"step", 1}, {"loss", loss}});      // adds type, run, seq, t_s
//   return log.close({{"status", "ok"}, ...});          // `summary` with lines, hash; 0 or 74: lines were lost
//
// A closed stdout asks for a stop as a signal does (stopping.h). A full disk takes
// the log back to its last complete line, says so on stderr and asks for a stop.

#include "core/values/basics/fingerprint.h"
#include "engine/report/failure.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::engine {

inline constexpr std::size_t longest_line = 64 * 1024;  // bytes, line end included

struct LogOptions {
    std::string out{};     // empty: stdout alone
    std::string run{};     // id on every line
    int rank = 0;
    int stdout_file = 1;   // its descriptor; -1: none
    bool keep = false;     // all lines in memory, for kept()
};

class Log {
public:
    explicit Log(LogOptions);
    ~Log();  // without close(): FILE.part stays, as partial

    void write(std::string_view type, const nlohmann::ordered_json& fields);
    // Gives up, with false, when another thread is writing: for a watchdog whose rank may hang in write().
    bool try_write(std::string_view type, const nlohmann::ordered_json& fields);
    void warn(std::string_view code, std::string_view text);
    // write() with `hash`: that of all bytes before this line, which is returned as well. On rank 0.
    std::string seal(std::string_view type, nlohmann::ordered_json fields);
    std::string kept() const;    // all lines so far, where they are kept
    void error(const Failure&);  // the line in the log; report() is for when there is no log

    double quiet_s() const;      // since the last line
    std::optional<Failure> failure() const;
    const std::string& run() const { return options_.run; }
    const std::string& out() const { return options_.out; }

    // Last line, fsync, rename. 0 or the exit code of failure(). Once; nothing is written after it.
    int close(nlohmann::ordered_json summary);

private:
    using Clock = std::chrono::steady_clock;
    void open();
    bool take(int file);
    void put(std::string_view type, const nlohmann::ordered_json& fields);
    void put_file(std::string_view line);
    void put_stdout(std::string_view line);
    void fail(const std::string& text);
    void publish();

    LogOptions options_;
    Clock::time_point begin_ = Clock::now();
    std::atomic<Clock::duration> last_{};   // of the last line, since begin_
    mutable std::mutex mutex_;              // all below
    std::optional<Failure> failure_;
    int file_ = -1;
    std::uint64_t bytes_ = 0;               // of complete lines
    Fingerprint lines_;                     // likewise
    long seq_ = 0;
    std::string kept_;
    bool open_ = false;
};

// One object as one line of the log: no number that is not finite, no line that
// is too long, always valid UTF-8.
//
//   line_of({{"type", "step"}, {"loss", nan}}, 65536)  ->  {"type":"step","loss":null,"loss_reason":"nan"}\n
//
// NaN and infinity become null; the object that holds them, or the list they are in, gets `<key>_reason`: nan, inf or
// -inf. While the line is longer than `longest` bytes, its longest list at the first level (then text) is halved;
// `truncated` maps its key to the length it had.
std::string line_of(nlohmann::ordered_json object, std::size_t longest);

}  // namespace plimsoll::engine
