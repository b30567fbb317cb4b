#pragma once
// A whole run of plimsoll-engine: what its lines add up to, as far as they go.
//
//   EngineLog log;
//   for (const std::string& line : lines) log.take(line);   // as they arrive
//   log.steps.back().parts.mean.gemm; log.state();          // "7 steps, no summary"
//
// A log may hold several runs, one layout after the other: all their steps are kept, and latest() are those of the
// last. What was cut off keeps every complete step. A line that cannot be read is a problem with its number, and the
// run goes on. A protocol that is newer than ours ends the reading.

#include "core/evidence/calibration/fit/measurements.h"
#include "core/files/text/problem.h"

#include <algorithm>
#include <filesystem>
#include <span>
#include <string_view>

namespace plimsoll {

// ---- One line of what plimsoll-engine says: JSON lines, schema 1
//
//   const auto line = read_engine_line(R"({"type":"beat","run":"r","seq":3,"t_s":1.5})");
//   if (line && line->event) std::visit(show, *line->event);
//
// Keys that are missing or null leave the value they have in measurements.h,
// except where one says nothing without them: a step's number and time. Unknown
// keys are ignored.

struct EngineLine {
    std::string run;
    long long seq = 0;
    Seconds at;                              // since the run began
    std::optional<EngineEvent> event;        // nothing for a type that is not known here
};

// Without its newline. Errors name the field; a newer protocol is one.
Expected<EngineLine, Problems> read_engine_line(std::string_view);

// ---- A run

struct EngineLog {
    std::optional<EngineHello> hello;
    std::vector<EngineHardware> nodes;
    std::vector<EngineEnergy> energy;    // what nodes can tell of it
    std::optional<EngineLayout> layout;  // the latest
    std::vector<EngineStep> steps;
    std::vector<EngineNote> notes;
    std::optional<EngineSummary> summary;
    Problems problems;               // of lines, as "line 12"; the first hundred
    std::string run;
    long long lines = 0;
    Seconds at;                      // of the latest line, since the run began

    // The event of the next line, for who follows a run; nothing where it has none that is known.
    std::optional<EngineEvent> take(std::string_view line);
    // How far it got: "10 steps, ended ok", "no summary: 7 complete steps kept".
    std::string state() const;
    std::span<const EngineStep> latest() const { return std::span(steps).subspan(latest_); }
    // Middle of the latest steps after the first, which fills caches and pages; nothing without steps.
    std::optional<EngineStep> typical_step() const;
    // A failing rank says so on stderr, among what else is written there: kept as a note if it is such a line.
    bool take_stderr(std::string_view line);
    bool refused() const { return refused_; }
    // The latest line was cut off: errors noted since there were `known` become a warning.
    void forgive_last_line(std::size_t known);

private:
    void note(Severity, const std::string& message);
    bool in_order(const EngineLine&);
    void keep(const EngineEvent&);

    std::size_t latest_ = 0;
    long long expected_seq_ = 0;
    bool refused_ = false;
};

// Every line of a text to reader.take(line), whose problems are the log's; a last one that is cut off is a warning.
template <class Taker>
void take_all_lines(std::string_view text, Taker& reader, EngineLog& log) {
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        const std::size_t known = log.problems.size();
        reader.take(text.substr(0, end));
        if (end == text.size()) log.forgive_last_line(known);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

// A file of --out; its last line may be cut off. Problems carry the file's name.
Expected<EngineLog, Problems> read_engine_log(const std::filesystem::path&);

}  // namespace plimsoll
