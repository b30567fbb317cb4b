#pragma once
// What to run so that a prediction's constants are measured: the shortest list of
// benches and small training runs, what each tells, how long it takes, and which
// layouts are held back to test the result.
//
//   const auto plan = plan_experiments(scenario, {.machine = base, .engine = stack, .budget = 2 * minute});
//   for (const PlannedConstant& c : plan->constants) say(c.label, c.experiment);
//
// The engine follows the plan run by run in one allocation (core/files/measured/calibration_plan.h).

#include "core/evidence/calibration/plan/trial.h"
#include "core/values/basics/expected.h"

#include <string>
#include <string_view>
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
    std::string repeats;             // of a later visit of a layout: the id of its first one
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

// Every layout is visited so often, all of them once before any of them again: what drifts meanwhile meets all alike.
inline constexpr int layout_visits = 2;

struct CalibrationPlace {
    Machine machine;                 // the preset to start from
    Stack engine;
    int ranks = 2;                   // devices of the allocation
    int nodes = 1;
    bool accelerator = false;        // --device cuda, or hip on AMD's
    bool codecs = false;             // also runs with a codec on each dimension
    bool fixed = false;              // the allocation starts `ranks` once: no run is wider
    bool power = false;              // energy counters may be read there
    int threads = 1;                 // of a rank, where a processor of several cores is one device
    int cores = 0;                   // of a rank that drives a GPU; 0 = not said
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
    // The run and its later visits, in their order.
    std::vector<const PlannedRun*> visits_of(const PlannedRun&) const;
    Seconds expected() const;        // all runs, with starting up
};

// "6 layers of 384 ...": how the model was scaled, and the preset whose numbers are to be replaced.
std::string say_subject(const ExperimentPlan&);

// Or every reason why nothing can be calibrated.
Expected<ExperimentPlan, std::vector<std::string>> plan_experiments(const Scenario& subject, const CalibrationPlace&);

// ---- The numbers a prediction depends on

// A constant whose run is not among `runs` is assumed, and left out where nothing in the plan depends on it.
std::vector<PlannedConstant> planned_constants(const std::vector<PlannedRun>& runs);

// What a plan calls the number at a pointer; empty where none has it.
std::string_view planned_name(std::string_view pointer);

// ---- Benches: kernels on all ranks at once, at the trial's own shapes, and messages over its layouts' dimensions

// A bench's id is that of the experiment its points belong to: "gemm", "attention", ... "collective" is that of the
// data ranks, whose gradients are not in a cache when they are sent; "collective-tensor" and "p2p" send what a product
// has just written. The host's link is measured where devices have one, overlap where the subject's software counts on
// it, power where counters may be read. `seconds`: of a point and visit. Without plans and steps; words but for the
// model's.
std::vector<PlannedRun> planned_benches(const Scenario& subject, const CalibrationPlace&, double seconds);

// The bench of a library's attention, planned on GPUs, where it comes first: the engine has not opened them yet. It is
// of one device and tells nothing where no PyTorch is found.
inline constexpr std::string_view library_attention_id = "library-attention";

// Whether the software is taken to hide communication behind computation.
bool overlaps(const Stack&);

// ---- Where a calibration can run: on a machine's processors, or on devices that the engine has a back end for
//
//   const auto place = place_on(machine, engine_stack, {.nodes = 2, .ranks_per_node = 4, .cores_per_rank = 12});
//   if (!place) show(place.error());              // "... computes on Google TPU v4, for which ... has no back end"
//   else plan_experiments(subject, *place);
//
// A rank is one device of the preset: what is measured of it becomes that device's numbers. Where the engine cannot
// reach a machine's devices it could only measure the processors beside them, and a preset with those rates would be
// wrong.

enum class DeviceKind {
    processor,   // the machine's own cores
    nvidia,      // --device cuda
    amd,         // --device hip: the MI200 and MI300 series
    module,      // of those, two that the machine counts as one device
    outdated,    // NVIDIA's before the A100, which the back end does not run on
    foreign,     // the engine has no back end for it
};
DeviceKind device_kind(const Machine&);

// What starts the ranks: a batch job, for one.
struct Allocation {
    int nodes = 1, ranks_per_node = 1;
    int cores_per_rank = 0;          // that a rank may use; 0: not known
};

// The allocation is fixed: no run of the plan is wider. Or why nothing can be calibrated there, and what works.
Expected<CalibrationPlace, std::string> place_on(const Machine&, const Stack& engine, const Allocation&);

// This computer: its GPUs where they are those that the subject's machine is made of; else its cores, a rank on each,
// starting from `cores`, a preset that counts them.
CalibrationPlace place_here(const Scenario& subject, const Machine& cores, const Stack& engine, const Computer&);

// Whether a GPU that its driver calls "NVIDIA A100-SXM4-80GB" is the preset's "NVIDIA A100 SXM4 80GB": by the word that
// numbers it.
bool same_gpu(const std::string& preset, const std::string& driver);

}  // namespace plimsoll
