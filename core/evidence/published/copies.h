#pragma once
// What measured copies of a planned run say of its step time: runs of the same layers on the same machine and software,
// cut in their number, in replicas and, at a price, in pipeline stages.
//
//   const CopyShape plan = copy_shape_of(scenario, step), run = copy_shape_of(shorter, its_step);
//   kin_of(plan, run);                        // Kin::copy
//   copy_differences(scenario, shorter);           // {}; of a stranger: {"Tensor parallel", "Micro-batch"}
//   handed_on(plan, {{&run, 0.2}})->log_error;   // 0.19: nearly all of its error is expected of the plan
//
// In published sweeps, runs that differ in layers or devices have errors that are 3 to 4 % apart. With another tensor
// degree, micro-batch or width they are 8 to 11 % apart, which is as much as the errors themselves.

#include "core/values/basics/names.h"
#include "core/values/plan/breakdown.h"
#include "core/values/plan/scenario.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

// In the order of how much is handed on.
enum class Kin {
    other,           // differs in what an error hangs on
    other_stages,    // a copy with another pipeline
    stages_kept,     // the same, but its stages hold as many layers
    copy,            // cut in layers and replicas alone
};
template <> std::span<const std::string_view> names_of<Kin>();

// What copies have to share, and what they may be cut in; computed once a plan.
struct CopyShape {
    std::string machine, stack;
    std::vector<double> shared;          // values of the knobs that have to agree; not a number where one is idle
    std::array<double, 3> stages{};      // pipeline degree, chunks of a stage, schedule
    double layers_per_stage = 1, devices = 1, micro_batches = 1;
    double layers = 1, windowed = 0;     // of them with an attention window: copies have the same share
    double in_layers = 1;                // share of the predicted step that grows with their number
};
CopyShape copy_shape_of(const Scenario&, const StepTime& predicted);
Kin kin_of(const CopyShape& plan, const CopyShape& run);

// The labels of what keeps a run from being a copy of the plan, stages not among them; empty: it is one.
std::vector<std::string> copy_differences(const Scenario& plan, const Scenario& run);

struct CopyError {
    const CopyShape* run = nullptr;
    double log_error = 0;                // ln(predicted / measured)
    double scatter = 0;                  // of its own steps or visits, as a share; 0: not known
};

struct HandedOn {
    Kin kin = Kin::other;
    double log_error = 0;                // expected of the plan
    double band = 0, wide = 0;           // two runs in three, nine in ten lie within, as in band.h
    bool two_depths = false;             // continued along the layers of a stage
    std::vector<std::size_t> by;         // places in the list of what was given
};
// By those that tell most; nothing where none is a copy.
std::optional<HandedOn> handed_on(const CopyShape& plan, const std::vector<CopyError>&);

}  // namespace plimsoll
