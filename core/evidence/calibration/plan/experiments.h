#pragma once
// What to run so that a prediction's constants are measured: the shortest list of
// benches and small training runs, what each tells, how long it takes, and which
// layouts are held back to test the result.
//
//   const auto plan = plan_experiments(scenario, {.machine = base, .engine = stack, .computer = here, .budget = 2 * minute});
//   for (const PlannedConstant& c : plan->constants) say(c.label, c.experiment);
//
// The engine follows the plan run by run in one allocation (core/files/launch/calibration_plan.h).

#include "core/evidence/calibration/plan/trial.h"
#include "core/values/basics/expected.h"

#include <string>
#include <vector>

namespace plimsoll {

enum class Role {
    measure,   // a bench
    fit,       // a training layout the fit may use
    held_out,  // a training layout predicted before it runs
    extra,     // nothing is fitted to it and nothing claimed: codecs, energy
};

struct PlannedRun {
    std::string id, label;           // "dp2", "Two data-parallel ranks"
    Role role = Role::measure;
    int ranks = 1;
    Seconds expected;
    bool fair = true;                // a device for every rank
    std::string caution;             // why not
    std::string without;             // of a run with a codec: the id of the same one without
    Scenario plan;                   // of a training layout: what is estimated and run
    int steps = 0;                   // likewise
    std::vector<std::string> words;  // the engine's options
};

// A number the prediction of the subject depends on.
struct PlannedConstant {
    std::string pointer, label;      // as in MeasuredConstant
    std::string experiment;          // which run tells it; empty: nothing short does
    std::string why;                 // what of the step it decides, or why it stays assumed
    bool measured() const { return !experiment.empty(); }
};

struct CalibrationPlace {
    Machine machine;                 // the preset to start from
    Stack engine;
    int ranks = 2;                   // devices of the allocation
    int nodes = 1;
    bool accelerator = false;        // --device cuda
    bool codecs = false;             // also runs with a codec on each dimension
    bool fixed = false;              // the allocation starts `ranks` once: no run is wider
    bool power = false;              // energy counters may be read there
    int threads = 1;                 // of a rank, where a processor of several cores is one device
    Seconds budget{};                // scales repetitions; zero: as many as usual
};

struct ExperimentPlan {
    Scenario subject;                // the plan whose prediction is to be sharpened
    Machine machine;                 // base, as the ranks share it
    Stack engine;
    Model model;                     // what is trained: the subject's, scaled to what fits
    std::string model_note;          // how it was scaled, in a sentence
    std::vector<PlannedRun> runs;    // in the order they go
    std::vector<PlannedConstant> constants;
    int ranks = 1;                   // of the widest run
    Seconds expected() const;        // all runs, with starting up
};

// "6 layers of 384 ...": how the model was scaled, and the preset whose numbers are to be replaced.
std::string say_subject(const ExperimentPlan&);

// Or every reason why nothing can be calibrated.
Expected<ExperimentPlan, std::vector<std::string>> plan_experiments(const Scenario& subject, const CalibrationPlace&);

}  // namespace plimsoll
