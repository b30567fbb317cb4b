#pragma once
// A trial: a small model that plimsoll-engine trains on this computer, as the
// same kind of plan as every other, so that a measured step stands beside the
// estimated one.
//
//   const Scenario s = trial_plan({.data = 2, .micro_batch = 4}, computer, engine_stack);
//   estimate(s)->step;              // before anything was measured here: uncalibrated
//
// The computer is a machine preset of a few cores, one core a device, and is
// scaled to the cores there are: what it says of one core stays another
// computer's until it is measured.

#include "core/values/basics/expected.h"
#include "core/values/plan/scenario.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

// Sizes to choose from; all are of GPT-2's kind unless gated (then of LLaMA's).
struct TrialModel {
    std::string_view id, label;
    int layers, width, heads, vocabulary, sequence;
    bool gated = false;
};
std::span<const TrialModel> trial_models();
Model model_of(const TrialModel&);   // exactly what the engine builds: no dropout, no padding

struct TrialRun {
    int model = 1;                   // index into trial_models()
    int data = 1, tensor = 1, pipeline = 1;
    int zero_stage = 0;
    Recompute recompute = Recompute::none;
    bool sequence_parallel = false;
    int micro_batch = 4, accumulate = 1;
    int steps = 20;                  // of the run; not part of the plan
    int ranks() const { return data * tensor * pipeline; }
    friend bool operator==(const TrialRun&, const TrialRun&) = default;
};

Scenario trial_plan(const TrialRun&, const Machine& computer, const Stack& engine);

// The computer as its ranks share it: one rank uses all cores, several one each, or less where they
// outnumber the cores; memory in equal parts. `preset` has one core as its device.
struct Computer {
    int cores = 1;
    Bytes memory{};
    bool energy_counters = false;    // of processors, that this process may read
    std::vector<std::string> gpus{}; // NVIDIA's, as their driver names them
};
Machine shared_by(const Machine& preset, const Computer&, int ranks);

// A plan of any machine, moved to this computer with the engine as its software.
Scenario on_computer(Scenario, const Machine& preset, const Computer&, const Stack& engine);

// A plan as options of plimsoll-engine.
//
//   const auto options = engine_options(scenario, {.steps = 20});
//   if (!options) show(options.error());     // every reason why the engine cannot run it, in sentences
//
// The engine trains decoders of GPT-2's and LLaMA's kind under data, tensor and
// pipeline parallelism. What it leaves out of a plan without changing its work
// much (dropout) is a remark.

struct EngineRun {
    int steps = 10;
};

struct EngineOptions {
    std::vector<std::string> words;      // "--layers", "6", ...
    std::vector<std::string> remarks;
};

Expected<EngineOptions, std::vector<std::string>> engine_options(const Scenario&, const EngineRun&);

}  // namespace plimsoll
