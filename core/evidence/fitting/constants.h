#pragma once
// Constants of the cost model that measured runs may determine: how close a
// device comes to its peaks, what a network reaches, what software costs.
//
//   auto chosen = choose({"device", "stack.host_layer_ms@deepspeed-3d"}, rows, machines);
//
// A constant is a knob shared by some machines or stacks. Its prior says what
// we believed before: log-normal about a value, `width` the standard deviation
// of its logarithm (0.05: within 5 %).
//
// Constants of few rows are pooled with those of their family or generation: such a constant is believed to lie
// within `width` of the family's value, whatever the rows make of that, and both are fitted together (partial
// pooling; Gelman and Hill 2007, chapter 12). A family may have no machine or stack of its own.

#include "core/evidence/published/score.h"
#include "core/values/knobs/knobs.h"

#include <span>

namespace plimsoll {

struct Constant {
    const Knob* knob = nullptr;
    std::string name;                  // whose: a device family, or ids joined by +
    std::vector<std::string> owners;   // ids of the machines or stacks that share it
    double prior = 0, width = 0.2;
    std::string reason;                // where the prior comes from; empty: the presets' present value
    int family = -1;                   // place of the constant it is pooled with, before it in their list; -1: none

    std::string id() const { return knob->id + "@" + name; }
    bool of_stack() const { return knob->group == KnobGroup::stack; }
    bool concerns(const Scenario&) const;
};

using Machines = std::map<std::string, Machine>;
using Stacks = std::map<std::string, Stack>;

double value_in(const Knob&, const Machine&);
double value_in(const Knob&, const Stack&);

// What each word frees: a group, a knob id (for everything the plans use) or knob@name, where the name
// is a device family, a machine, a stack or several joined by +. Machines of one family that have the
// same value now share it. Errors: a word nobody knows, a constant that is 0 now.
Expected<std::vector<Constant>, std::string> choose(const std::vector<std::string>& words,
                                                    const std::vector<Scenario>& plans, const Machines&, const Stacks&);
// One constant as a recipe names it; `prior` and `width` 0: present value, usual width.
Expected<Constant, std::string> constant_of(const std::string& knob, const std::vector<std::string>& names,
                                            double prior, double width, const Machines&, const Stacks&);

// A family's value that no machine or stack has itself: others are pooled with it. It needs a prior.
Expected<Constant, std::string> family_constant(const std::string& knob, const std::string& name, double prior,
                                                double width);

}  // namespace plimsoll
