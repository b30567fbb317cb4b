#pragma once
// The ledger of calibrations: one line for every attempt on this computer that came as far as its first run, whatever
// became of it. Whoever measures until the score pleases is seen to have done so.
//
//   keep_attempt(attempts_file(), attempt_of(log, result));
//   say_attempts(read_attempts(attempts_file()), attempt);
//   // "This plan was calibrated 3 times on this machine. Mean errors, disturbed layouts included: 8.1 %, ..."
//
// An attempt is told by the id of its run, so that a log that is read again is counted once. The line stays when the
// log is deleted.

#include "core/files/measured/calibration_log.h"

#include <filesystem>
#include <string>
#include <vector>

namespace plimsoll {

struct CalibrationAttempt {
    std::string run;                 // the engine's id of it
    std::string started;             // UTC, ISO 8601
    std::string host;                // what it was measured on, as the record describes it
    std::string plan, seal;          // fingerprints: of the plan; of plan, constants and predictions
    std::string state;               // "complete", or how far it got
    int layouts = 0, undisturbed = 0, inside = 0;   // held back and run; of these; of all, inside their intervals
    double error = 0, undisturbed_error = 0;        // mean errors of the step, as shares
    friend bool operator==(const CalibrationAttempt&, const CalibrationAttempt&) = default;
};

CalibrationAttempt attempt_of(const CalibrationLog&, const CalibrationResult&);

// Of a folder of calibrations, and of the user's: ~/.local/share/plimsoll/calibrations/attempts.ledger, or as
// XDG_DATA_HOME says; empty without a home.
std::filesystem::path attempts_in(const std::filesystem::path& calibrations);
std::filesystem::path attempts_file();

// In the order they were made. A line that cannot be read is left out; no file, no attempts.
std::vector<CalibrationAttempt> read_attempts(const std::filesystem::path&);
// Adds it, or takes the place of the line of the same run. The folder is made where it is missing.
Expected<bool, Problems> keep_attempt(const std::filesystem::path&, const CalibrationAttempt&);

// Those of the same plan on the same machine, which this one is among or not; empty for none.
std::string say_attempts(const std::vector<CalibrationAttempt>&, const CalibrationAttempt&);

}  // namespace plimsoll
