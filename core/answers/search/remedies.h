#pragma once
// What to change so that a plan surely fits, and has the memory to spare that is asked for: single edits, pairs of
// them, and what a search of all layouts finds; each priced with estimate().
//
//   for (const Remedy& r : remedies(plan, 4, {usual_headroom})) offer(r.name, r.scenario);

#include "core/answers/plan/estimate.h"
#include "core/answers/plan/headroom.h"

#include <stop_token>
#include <string>
#include <vector>

namespace plimsoll {

struct Remedy {
    std::string name;       // "Tensor parallel 8", "Full recompute": one undo step
    Scenario scenario;
    Estimate estimate;
    bool tight = false;     // with less headroom than asked for
    FitVerdict verdict() const { return fit_verdict(estimate); }
    std::string cost = {};  // against the plan as it is: "slower: 1.2 x", "8 nodes instead of 4"; empty: nothing
};

// What a change of the plan costs, in words; of a plan without numbers, the nodes alone.
std::string say_cost(const Scenario& before, const Scenario& after, const Estimate& there);

// At most `most`, different in kind: those that surely fit before those that may not, with headroom before those
// without, then the fastest first; where the plan does not run, the fastest with headroom on its nodes is among them.
// Empty when the plan surely fits with the headroom, or nothing helps. Each runs to its end: what fits and is stopped
// for ever by failures is none.
// Tried are the fastest layout of the plan's devices (of the whole machine where the plan asks for more), recompute,
// ZeRO stages, sequence parallel, micro-batch, tensor and pipeline degrees, more nodes; obstacles use their valid
// values; to tune a model also what savings() turn of the run, after what leaves it as it is. Where none of it fits:
// the fewest nodes on which a layout does, states in host memory, and last a larger machine of such nodes. Where none
// of that surely fits, the same among layouts that do.
std::vector<Remedy> remedies(const Scenario&, int most = 3, const Headroom& = {}, std::stop_token = {});

// Each change by itself that needs less memory, whether that suffices or not, what needs least in front: those of the
// layout that remedies try, 8-bit states, sequences of half the length, and to tune a model adapters in place of all
// weights, fewer bits, a lower rank, fewer matrices. Of several values the first that surely fits, else the best. Empty
// where the plan cannot be computed.
std::vector<Remedy> savings(const Scenario&);

// Computable plans of as few edits as it takes, whether they fit or not: what is left to offer where no remedy is.
// Fits first, then the least excess of memory.
std::vector<Remedy> clearings(const Scenario&, int most = 3);

}  // namespace plimsoll
