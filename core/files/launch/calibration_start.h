#pragma once
// What happens when somebody calibrates a plan's machine: it runs on that computer, it becomes a job of its batch
// system, or it is refused, with every reason and what works instead.
//
//   const CalibrationStart start = calibration_start(plan, library);
//   start.way, start.options            // script, {"--script", "slurm"}: what `plimsoll calibrate` is called with
//   for (const std::string& why : start.reasons) show(why);
//
// It is found by making the plan and the job as `plimsoll calibrate` and the window make them, and by trying what is
// said to work: no list says it of a machine.

#include "core/evidence/calibration/plan/experiments.h"
#include "core/files/launch/calibration_job.h"
#include "core/files/presets/library.h"
#include "core/values/basics/text.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

// ---- The plan of a job, for the terminal and the window alike

struct JobEffort {
    Seconds budget{};                // zero: as many repetitions as usual, and as long as they are expected to take
    bool codecs = false;             // also runs with a codec on each dimension
};
// On the devices of the subject's machine, a rank for each of a node's where `request` says no number. The request then
// carries the plan, its ranks and the time that is needed. Otherwise every reason why nothing can be calibrated there.
Expected<ExperimentPlan, Sentences> plan_for_job(const Scenario& subject, const Stack& engine, BatchKind,
                                                 const JobEffort&, JobRequest& request);

// The engine's options of a trial job: a few steps of a tiny model on every rank, which show that jobs start, log and
// end there before hours are queued for.
std::vector<std::string> trial_options(int steps, int ranks);

// ---- Which of the three it is

enum class CalibrationWay { here, script, refused };

struct WayOut {                      // of what is refused: tried, and it works
    std::vector<std::string> options;   // beside `plimsoll calibrate FILE`
    std::string what;                // in English: "the preset that counts GCDs"
};

struct CalibrationStart {
    CalibrationWay way = CalibrationWay::refused;
    DeviceKind device = DeviceKind::foreign;
    std::optional<BatchKind> kind;   // of a script
    bool described = false;          // the preset has the site's own lines for it
    std::vector<std::string> options;      // beside `plimsoll calibrate FILE`; none where it is refused
    std::vector<Precision> precisions;     // that the trial can be trained in
    int nodes = 0, ranks_per_node = 0;     // 0 ranks: one for each core of that computer
    Seconds expected{};              // of all runs together
    Sentences reasons;               // why it is refused; of a job on one node, why two were
    std::vector<WayOut> works;       // at least one where it is refused
};
CalibrationStart calibration_start(const Scenario& subject, const Library&);

// Of every machine of the library, with the subject moved to it.
struct MachineStart {
    std::string id, name, device, scheduler;
    CalibrationStart start;
};
std::vector<MachineStart> calibration_starts(const Scenario& subject, const Library&);

// "CUDA", "HIP", "CPU", "none": what of the engine computes on the device.
std::string_view back_end_of(DeviceKind);
// "Slurm script", "on that computer", "refused".
std::string say_way(const CalibrationStart&);
// "fp32, bf16".
std::string say_precisions(const CalibrationStart&);
// For the plan's machine, before anything is started: short, since the page of the job says everything.
std::string say_start(const Machine&, const CalibrationStart&);

}  // namespace plimsoll
