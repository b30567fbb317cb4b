#pragma once
// A calibration as it goes on, line by line, and what its measurements are.
//
//   CalibrationLog log;
//   for (const std::string& line : lines) log.take(line);    // as they arrive
//   log.current();              // the run that goes on: number 7 of 20
//   calibrate(plan, log.measurements);
//   log.predictions; log.hash_holds();                       // what was said before the held-out layouts ran
//
// A log that was cut off keeps every complete line. A run counts as complete with its `run` line alone.

#include "core/evidence/calibration/fit/measurements.h"
#include "core/files/measured/engine_log.h"
#include "core/values/basics/fnv.h"

namespace plimsoll {

// A run of the plan, as far as it got.
struct ExperimentState {
    EngineExperiment said;
    bool ended = false;
    std::string status;              // of its end: "ok", "cancelled", "failed"; empty while it goes on
    int points = 0, steps = 0;
    Seconds began, last;             // since the start of the log: its announcement and its latest line
    std::optional<EngineEnergyUse> energy{};  // of a training run that ended
    bool complete() const { return ended && status == "ok"; }
};

struct CalibrationLog {
    EngineLog engine;                // hello, nodes, notes, summary, problems
    Measurements measurements;
    std::vector<ExperimentState> experiments;
    std::vector<EnginePrediction> predictions;
    std::string plan;                // the text of the plan it follows: core/files/launch/calibration_plan.h reads it

    std::optional<EngineEvent> take(std::string_view line);
    bool take_stderr(std::string_view line) { return engine.take_stderr(line); }

    const ExperimentState* current() const;                  // null before the first and between runs
    const EnginePrediction* prediction_of(std::string_view id) const;
    const TrainingRun* run_of(std::string_view id) const;    // null where it never began
    std::string plan_hash() const;                           // FNV-1a of the plan it followed; empty before the first run
    // The predictions were made from exactly the lines before them: their hash is that of those lines. False without any.
    bool hash_holds() const;
    bool complete() const { return engine.summary && engine.summary->status == "ok"; }
    // How far it got: "12 of 20 runs complete, cancelled in \"Two data ranks\"".
    std::string state() const;

private:
    void keep(const EngineEvent&);
    void keep(const EngineExperiment&);
    void end(const EngineRunEnd&);

    std::uint64_t hash_ = fnv1a_start;
    std::string sealed_;             // of all lines before the first prediction
    bool in_run_ = false;
    Seconds now_;
};

// A file of --out, or its .part; problems carry its name. Not an error: a log that was cut off.
Expected<CalibrationLog, Problems> read_calibration_log(const std::filesystem::path&);
// Whether the text begins as a log of the engine's does and announces experiments: for files that are dropped.
bool looks_like_calibration_log(std::string_view text);

}  // namespace plimsoll
