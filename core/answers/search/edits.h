#pragma once
// What may be turned in a plan so that it needs less memory, or has no obstacle. Nothing here is priced: who asks
// estimates what he takes.
//
//   const Attempt from{{}, plan};
//   for (const Attempt& a : applied(from, memory_edits(plan))) try_it(a.scenario, name_of(a.edits));

#include "core/values/knobs/knobs.h"

#include <string>
#include <vector>

namespace plimsoll {

struct Edit {
    const Knob* knob;
    double value;
};

// A changed plan, with the edits that lead to it.
struct Attempt {
    std::vector<Edit> edits;
    Scenario scenario;
};

// Each edit by itself, where it may be made, changes something and turns no knob twice.
std::vector<Attempt> applied(const Attempt& from, const std::vector<Edit>&);

// Of the layout, which leave the run as it is, those that are easiest to say first.
std::vector<Edit> memory_edits(const Scenario&);
// What else needs memory and may be given up, though the run is another then: the optimizer's states, the length of
// sequences, and to tune a model what is trained of it, and in how many bits the rest is kept.
std::vector<Edit> edits_of_the_run(const Scenario&);

// Several edits at once; empty where they change nothing.
std::vector<Attempt> with_modules(const Attempt& from);         // selective recomputation of a list of modules
std::vector<Attempt> with_fewer_adapted(const Attempt& from);   // adapters beside matrices of attention alone
std::vector<Attempt> with_sent_modules(const Attempt& from);    // activations of all modules that can leave
// Ever more of the optimizer on the CPUs: the first of these that fits is the fastest.
std::vector<Attempt> with_more_of_the_optimizer(const Attempt& from);

// Computable plans with as few edits as it takes, up to three: the nearest values of obstacles, and of what they are
// about.
std::vector<Attempt> cleared(const Scenario&);

// Devices of the nodes that the plan has, those it leaves idle included.
int devices_held(const Scenario&);

// "Full recompute + Micro-batch 1"
std::string name_of(const std::vector<Edit>&);

}  // namespace plimsoll
