#pragma once
// Hours from steps that were measured, wherever there are some: the applicant's runs on the machine that is asked for,
// else what runs of their own on other plans (anchors) say of this one.
//
//   const ProposalInput taken = with_measured_hours(in);
//   taken.plans.front().headline.step;        // measured on the plan's nodes, or carried there
//   taken.plans.front().taken->words;         // which run it was, and the difference from the prediction
//
// A run on other nodes is carried by the cost model: it is so much slower than predicted where it ran, and the step
// predicted on the plan's nodes is taken to be as much slower. The batch is that of the plan.

#include "core/answers/propose/input.h"

#include <string>

namespace plimsoll {

ProposalInput with_measured_hours(ProposalInput);

// A predicted step on so many nodes, the layout kept; nothing where it does not run there.
std::optional<Seconds> predicted_step(const Scenario&, int nodes);
// The fewest nodes on which the plan runs with its layout's model parallelism; 0: on none.
int least_nodes(const Scenario&);

// The headline of a plan whose step takes `step`: times, failures, hours and energy follow, power stays as predicted.
Headline headline_at(const Scenario&, const Estimate&, Seconds step);

// Why runs that were given are not what the hours rest on; empty: they are, or there are none.
std::string say_not_taken(const ProposalInput&);

// "6.1 % more", "3.0 % less", "as much".
std::string say_change(double share);

}  // namespace plimsoll
