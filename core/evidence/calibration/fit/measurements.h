#pragma once
// What plimsoll-engine says of its runs, as values, and what the lines of a calibration amount to: points of the
// benches and the steps of every training layout.
//
//   if (const auto* step = std::get_if<EngineStep>(&event)) show(step->parts.mean.gemm);
//   const StepSummary s = summary_of(run);        // its typical step
//
// One line of the engine's protocol is one event (core/files/measured/engine_line.h reads it). A step's parts are those
// of an estimate, so that one can stand beside the other.

#include "core/values/plan/breakdown.h"
#include "core/values/plan/calibration.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace plimsoll {

inline constexpr int engine_schema = 1;  // the newest protocol that is known

struct EngineHello {
    int schema = engine_schema;
    std::string version;
    std::string started;                 // UTC, ISO 8601
    std::string blas, mpi;               // as their libraries name themselves
    std::vector<std::string> arguments;  // as the engine was started
};

struct EngineHardware {
    std::string cpu;
    int cores = 0;                       // that the ranks may use; 0 = not said
    Bytes memory;
};

// A device that ranks compute on.
struct EngineDevice {
    int node = 0;                        // as nodes are counted in the log
    std::string name, bus;               // "NVIDIA H200", "0000:00:06.0"
    Bytes memory;                        // zero = not said
};
struct EngineDevices {
    std::vector<EngineDevice> used;      // of a run, each once
};

struct EngineRank {
    int rank = 0, data = 0, tensor = 0, pipeline = 0;  // its place in the grid, from 0
    std::string node, device;
};
struct EngineLayout {
    int data = 1, tensor = 1, pipeline = 1;
    std::vector<EngineRank> grid;            // of a very large run only the first ranks
    int ranks() const { return data * tensor * pipeline; }
    std::optional<MemoryUse> predicted;      // of rank 0, by the engine's own dry run; scratch counts as buffers
    std::optional<double> loss_floor;        // what the data's entropy leaves: no model gets below
};

// Wall time of the passes of a step.
struct EnginePasses {
    Seconds data, forward, backward, recompute, update;
    Seconds total() const;
    friend bool operator==(const EnginePasses&, const EnginePasses&) = default;
};
inline constexpr Part<EnginePasses, Seconds> pass_parts[] = {
    {"data", "Reading data", &EnginePasses::data},         {"forward", "Forward", &EnginePasses::forward},
    {"backward", "Backward", &EnginePasses::backward},     {"recompute", "Recompute", &EnginePasses::recompute},
    {"update", "Update", &EnginePasses::update},
};
static_assert(sizeof(EnginePasses) == std::size(pass_parts) * sizeof(Seconds), "every field has a row");
inline Seconds EnginePasses::total() const { return total_of(*this, pass_parts); }

// A quantity over the ranks of the run. Parts of `mean` add up to the step; those of `most` and `least` need not.
template <class T>
struct OverRanks {
    T most{}, mean{}, least{};
    friend bool operator==(const OverRanks&, const OverRanks&) = default;
};

struct EngineStep {
    int step = 0;                            // from 1
    Seconds wall;
    std::optional<double> loss, grad_norm;   // nothing where it was not finite
    Tokens tokens;
    OverRanks<StepTime> parts;               // by the cost model's parts
    OverRanks<EnginePasses> passes;
    Bytes memory_peak;                       // of the fullest rank, as the engine counts; zero = not said
    Bytes memory_device;                     // of it, as the device or the system counts; zero = not said
    std::optional<Joules> energy;            // of the window that this step closes, on all nodes; nothing in between
    int energy_steps = 0;                    // steps of that window, this one the last
    std::vector<std::string> quality;        // "contended", ...
    TokenRate rate() const { return tokens / wall; }
};

struct EngineBeat {
    std::string text;                        // where ranks are: "rank 0 backward, gemm; rank 1 ..."
};

// A warning, an error of one rank, or the end of all of them.
struct EngineNote {
    bool error = false, fatal = false;
    std::string code, text, host;
    std::optional<int> rank;
};

// What a node's counters can tell; one a node.
struct EngineEnergySource {
    std::string source, scope, reason;       // "rapl", "package", and without energy why
    bool available = false;
    std::vector<std::string> domains;        // "package-0", "gpu3"
};
struct EngineEnergy {
    int node = 0;
    bool available = false;
    std::vector<EngineEnergySource> sources;
};

// One domain now, about once a second.
struct EnginePower {
    int node = 0;
    std::string source, domain;
    std::optional<Watts> watts;              // over the last 2.5 s
    Joules joules;                           // since the engine began
    std::optional<Seconds> counter_age;
};

// Of a training run, its windows of steps together.
struct EngineEnergyUse {
    bool available = false;
    std::string reason, scope, source;       // what was counted ("node", "package+gpu"), by whom
    int nodes = 0, steps = 0;
    Seconds window;
    Joules gross;
    std::optional<Watts> idle;               // of all nodes at rest, where it was measured
    std::optional<Joules> net;               // beyond that
    std::vector<std::string> remarks;        // what makes the number doubtful
};

struct EngineSummary {
    std::string status;                      // "ok", "cancelled", "failed", "partial"
    int steps = 0;
    std::optional<double> loss_first, loss_last;
    Seconds step;                            // the median
    TokenRate rate;                          // likewise
    Bytes memory_predicted, memory_peak;
    std::optional<EngineEnergyUse> energy;   // nothing in a log that does not speak of it
};

// One `bench` line: a time and what it is the time of (engine/PROTOCOL.md, "What a bench says").
struct BenchPoint {
    std::string kind;                            // "gemm", "collective", ...
    std::map<std::string, std::string, std::less<>> words;  // product, form, collective, dimension, operation, pass,
                                                            // cache ...; of a calibration also its experiment
    std::map<std::string, double, std::less<>>
        numbers;  // m, n, k, tokens, heads, ranks, working_set_B ... and further keys of its line;
                  // boards: counters of devices that a point of power adds up
    Seconds median, low, high, least, tenth;     // low, high: 95 % interval of the median; tenth: 10th percentile
    Bytes bytes;
    double flop = 0;
    double wall_over_cpu = 1;
    std::vector<std::string> flags;
    bool has(std::string_view flag) const;
    bool contended() const { return has("contended"); }
    // Under contention the tenth percentile, else the median.
    Seconds best() const { return contended() ? tenth : median; }
    std::string_view word(std::string_view key) const;       // empty where it has none
    double number(std::string_view key) const;               // 0 where it has none
    int count(std::string_view key) const;                   // likewise, of a whole number from 0 to 1e9
};

// Of a calibration: the run that the next lines belong to, up to its `run` line.
struct EngineExperiment {
    std::string id, role, label;                 // role as in a plan: "measure", "fit", "held_out", "extra"
    Seconds expected;
    bool fair = true;
    int number = 1, of = 1;
    std::string plan;                            // the fingerprint of the plan's text
    bool resumed = false;                        // its lines are copied from an earlier log
};

// What the constants measured so far say of a layout, before it ran where it is held back.
struct EnginePrediction {
    std::string id;                              // of its experiment
    Seconds step, low, high;                     // 90 %
    StepTime parts;
    Bytes memory;
    std::string hash;                            // the fingerprint of the log before the first prediction
};

// After the predictions: the constants they were made with, and the fingerprint of plan, constants and predictions.
struct EngineSeal {
    std::vector<MeasuredConstant> constants;     // pointer, value and interval alone
    std::string hash;
};

// The plan that is followed, in pieces, so that a log needs no other file.
struct EnginePlanPart {
    std::string text;
    int part = 1, of = 1;
};

// The end of one of several runs.
struct EngineRunEnd {
    std::string experiment, status = "ok";       // "ok", "cancelled", "failed"
    int steps = 0;
    Bytes memory_predicted, memory_peak;
    std::optional<EngineEnergyUse> energy;       // of a training run; nothing in a log that does not speak of it
};

using EngineEvent = std::variant<EngineHello, EngineLayout, EngineStep, EngineBeat, EngineNote, EngineSummary,
                                 EngineHardware, BenchPoint, EngineExperiment, EnginePrediction, EngineSeal,
                                 EngineRunEnd, EnginePlanPart, EngineEnergy, EnginePower, EngineDevices>;

// ---- What the lines amount to

// A training layout that ran, by the id its experiment has in the plan.
struct TrainingRun {
    std::string id;
    EngineLayout layout;
    std::vector<EngineStep> steps;               // all of them; the first ones fill caches and pages
    bool complete = false;
};
inline constexpr std::size_t warm_up_steps = 2;
inline constexpr double widest_quartiles =
    1.2;  // the upper one over the lower one: 1.01 to 1.06 in quiet runs, single slow steps or not

// The runs of one layout.
using Visits = std::vector<const TrainingRun*>;

// Middle of the steps after the first of each visit, by wall time, with the interval of the median.
struct StepSummary {
    Seconds median, low, high;
    double confidence = 0;                       // of the interval: 0.95 and more from six steps on
    StepTime parts;                              // of the median step, mean over ranks
    Bytes memory, memory_device;
    std::vector<Seconds> visits;                 // the median of each
    int steps = 0;
    bool contended = false;                      // others had the processor in more than a third of the steps
    bool unsteady = false;                       // even their middle half differs by more than quiet machines do
    bool disturbed() const { return contended || unsteady; }
};
StepSummary summary_of(const Visits&);           // no steps: all zero
inline StepSummary summary_of(const TrainingRun& run) { return summary_of(Visits{&run}); }

// What a point is of: "qkv forward, 256 x 1152 x 384"; of other kinds their words, then the size.
std::string label_of(const BenchPoint&);

struct Measurements {
    std::vector<BenchPoint> points;
    std::vector<TrainingRun> runs;
    std::vector<EngineHardware> nodes;
    std::vector<EngineDevice> devices;           // of all runs, each once
    void add(const EngineDevices&);
};

}  // namespace plimsoll
