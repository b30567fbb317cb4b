#pragma once
// The answers that ask() chooses from, and what they share.

#include "core/answers/ask/asked.h"
#include "core/answers/campaign/headline.h"

namespace plimsoll::asking {

using Progress = SearchProgress;

std::string time_of(const Scenario&, const Estimate&, Counting);      // "24.1 d"
std::string count_of(double);
std::string hours_heading(const Machine&, const AskOptions&);         // "Node-hours", "Device-hours"
std::string hours_of(const Totals&, const Machine&, const AskOptions&);
std::string memory_of(const Estimate&);                               // "71.2 GiB, too much"
SearchOptions one_best(const AskOptions&);
Scenario sourced(Scenario, const Scenario& given);                    // with the sources that searches leave out
std::optional<Asked> cannot(const Outcome&);                          // the answer where there are no numbers
void note_power(Asked&, const AskOptions&);

// ---- ask_layouts.cpp
Asked ask_nodes(const Scenario&, const AskOptions&, std::stop_token, const Progress&);
Asked ask_split(const Scenario&, const AskOptions&);
Asked ask_layers(const Scenario&, const AskOptions&, std::stop_token, const Progress&);
Asked ask_robust(const Scenario&, const AskOptions&, std::stop_token, const Progress&);

// ---- ask_plans.cpp
Asked ask_largest(const Scenario&, const AskOptions&, std::stop_token, const Progress&);
Asked ask_batch(const Scenario&, const AskOptions&);
Asked ask_memory(const Scenario&, const AskOptions&, std::stop_token);
Asked ask_zero(const Scenario&, const AskOptions&);
Asked ask_schedules(const Scenario&, const AskOptions&);

// ---- ask_step.cpp
constexpr double believable_factor = 2;   // of a part of a step, between what is predicted and what is
Asked ask_sweep(const Scenario&, const AskOptions&);
Asked ask_gap(const Scenario&, const AskOptions&);

// ---- ask_machines.cpp
Asked ask_machines(const Scenario&, const AskOptions&, const std::map<std::string, Machine>&, std::stop_token,
                   const Progress&);

}  // namespace plimsoll::asking
