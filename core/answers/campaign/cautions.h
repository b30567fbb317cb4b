#pragma once
// What a plan can be run with but should not without thought: one row per cause,
// with values that avoid it. What it cannot be run with is check()'s.
//
//   for (const Caution& c : cautions(scenario)) std::cout << say(c);

#include "core/answers/plan/estimate.h"

#include <string>
#include <vector>

namespace plimsoll {

struct Caution {
    std::string id;              // "fp16_needs_loss_scaling"
    std::string knob;            // what to turn
    double found = 0;
    std::string why;             // a sentence, without its full stop
    std::vector<double> better;  // values of `knob` without it, nearest first; may be empty
    friend bool operator==(const Caution&, const Caution&) = default;
};
// Empty for a plan with obstacles. With a limit of power, also that the plan draws more.
std::vector<Caution> cautions(const Scenario&, Watts most_power = {});

// Longer than a year, with failures and the ends of jobs: longer than nearly every programme awards time for.
bool lasts_longer_than_an_award(const Scenario&, const Estimate&);

// Why steps of a plan whose fullest device takes this share of its memory may stall now and then; empty: they do not.
// Only of software that was seen to.
std::string stall_of(const Scenario&, double memory_share);
bool may_stall(const Scenario&, double memory_share);   // the same without the words

// "Precision fp16: overflowing steps are skipped and the loss has to be scaled. Better: bf16."
std::string say(const Caution&);

}  // namespace plimsoll
