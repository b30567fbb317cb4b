#pragma once
// Where a first plan cannot work: the nearest that do, each with one thing changed, those that end first in front.
//
//   for (const NearPlan& p : nearest_plans(model, machine, {models, machines, stacks}, ask)) offer(p.name, p.scenario);
//
// Changed is one of: the number of nodes, the limit that was asked for, the states of the optimizer (8 bit), the memory
// they lie in, the model (the largest of its family that works, else the largest of all), the machine (of those that
// no site owns the cheapest; to tune a model, the one whose devices have the least memory). To tune a model also:
// adapters in place of all weights, frozen weights in few bits, and sequences of half the length; what keeps model and
// machine comes first then.

#include "core/answers/search/first_plan.h"

#include <vector>

namespace plimsoll {

struct FirstPresets {
    const std::map<std::string, Model>& models;
    const std::map<std::string, Machine>& machines;
    const std::map<std::string, Stack>& stacks;
};

struct NearPlan {
    std::string name;      // what is changed: "Llama 2 13B", "8-bit optimizer states"
    Scenario scenario;
    Seconds time;          // of the whole run, failures counted
};
std::vector<NearPlan> nearest_plans(const Model&, const Machine&, const FirstPresets&, const FirstAsk& = {},
                                    std::stop_token = {});

}  // namespace plimsoll
