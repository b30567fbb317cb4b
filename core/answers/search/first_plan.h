#pragma once
// A plan to begin with, from what people know: a model, a machine, and one of nodes, a date or node-hours.
//
//   const FirstPlan p = first_plan(model, machine, library.stacks, {.nodes = 64});
//   if (p.works) start(p.scenario); else show(p.why), offer(nearest_plans(...));   // nearest_plans.h
//
// The software usual on such devices, their fastest 16-bit format, twenty tokens for each active parameter (Hoffmann
// et al. 2022) and 1,024 sequences a step, or as near as the devices divide. The layout is the fastest of
// common_space() that surely fits with the headroom free; where none does, the fastest that may fit. The nodes are
// those asked for; else the fewest that end within the time, those that end first within the node-hours, or without any
// of these the fewest that train in sixty days, and of all these first those where a layout surely fits.
//
// To tune a model: torchtune where it runs, a hundred million tokens in sequences of at most 2,048, 32 of them a step.

#include "core/answers/search/search.h"

#include <functional>
#include <map>
#include <string>

namespace plimsoll {

// "Llama 2 70B on Frontier": what the program calls a plan until its user does.
std::string given_name(const Scenario&);

// The first that is set counts.
struct FirstAsk {
    std::optional<int> nodes{};
    std::optional<Seconds> time{};        // with failures, checkpoints and the ends of jobs, like the node-hours
    std::optional<double> node_hours{};
    std::optional<double> tokens{};       // of the whole run; to tune a model, of the data set times its epochs,
    std::optional<double> examples{};     // or the documents of the data set,
    std::optional<double> example_length{};   // of so many tokens in the mean, packed into sequences
    Method method{};                      // pre-training, or what is tuned
    std::function<Headroom(const Scenario&)> headroom{};  // none: usual_headroom
    int threads = 1;
};

struct FirstPlan {
    Scenario scenario;     // the nearest there is where it does not work
    bool works = false;    // it runs with the headroom, and holds what was asked
    std::string why;       // it does not: a sentence; else empty
};
FirstPlan first_plan(const Model&, const Machine&, const std::map<std::string, Stack>&, const FirstAsk& = {},
                     std::stop_token = {});

// Model, machine and recipe of a first plan, on one node and without a layout worth the name.
Scenario bare_plan(const Model&, const Machine&, const std::map<std::string, Stack>&, const FirstAsk& = {});
// The plan with the nodes and the layout that the request leads to, among the layouts of `space`.
using SpaceOf = std::function<Space(const Scenario&)>;
FirstPlan planned(const Scenario&, const FirstAsk&, const SpaceOf& space, std::stop_token = {});

}  // namespace plimsoll
