#pragma once
// The link from a job script back to the plan it was made from: a line of comment and a variable of the environment.
//
//   link_lines(plan)      // "# plimsoll plan sha256:9f86... model=llama3-8b machine=frontier ..." and an export
//   auto link = link_in(script);
//   link->plan == plan_fingerprint(plan)        // this script was made from this plan

#include "core/values/plan/scenario.h"

#include <optional>
#include <string>
#include <string_view>

namespace plimsoll {

// Of everything an estimate depends on, the values of its presets included; not of the plan's name or of sources.
std::string plan_fingerprint(const Scenario&);

struct PlanLink {
    std::string plan;                      // the fingerprint
    std::string model, machine, stack;     // ids; empty where they have none
    double tokens = 0;
    int sequence_length = 0;
};
std::string link_lines(const Scenario&);
std::optional<PlanLink> link_in(std::string_view script);   // of the first line that is one

}  // namespace plimsoll
