#pragma once
// Every structural reason why a plan cannot be computed, all at once.
//
//   if (auto obstacles = check(s); !obstacles.empty()) ...   // each with the values that would work
//
// Divisibility, batch arithmetic, device counts and capability of the device. Whether the plan fits
// in memory is not asked here: that has a number.

#include "core/values/basics/obstacle.h"
#include "core/values/plan/scenario.h"

#include <string>
#include <vector>

namespace plimsoll {

std::vector<Obstacle> check(const Scenario&);  // empty: estimate() has an answer

// An obstacle of this plan in words, with what only the plan knows: "4 devices, but the layout asks for
// 2 x 1 x 1 x 4 = 8 (tensor x context x data x pipeline)."
std::string say(const Obstacle&, const Scenario&);

// ---- Its parts, by subject; each adds to the obstacles

// What has to divide so that every rank of a line, a grid or a Tesseract holds equal parts (rules_ranks.cpp).
void check_tensor(const Scenario&, std::vector<Obstacle>&);
// Mixtures of experts and latent attention: values no cost can be computed with, since everything else divides by
// them; how experts divide over ranks, and what they ask of the rest of the plan (rules_ranks.cpp).
void check_expert_ranges(const Scenario&, std::vector<Obstacle>&);
void check_experts(const Scenario&, std::vector<Obstacle>&);
// Which tier may keep what, on this machine and beside the plan's other choices (rules_machine.cpp).
void check_offload(const Scenario&, std::vector<Obstacle>&);
// Whether a machine's clusters add up, hold whole stages where the mapping needs it, and leave every stage a layer
// (rules_machine.cpp).
void check_clusters(const Scenario&, std::vector<Obstacle>&);
// Which codec settings cannot be computed: rates beyond the bits of a value, and sparse sums that are encoded at every
// hop (rules_machine.cpp).
void check_compression(const Scenario&, std::vector<Obstacle>&);

// What a set of rules looks at, and how it says what it found.
class RuleSet {
public:
    RuleSet(const Scenario& s, std::vector<Obstacle>& found) : s_(s), m_(s.model), l_(s.layout), found_(found) {}

protected:
    void add(Reason reason, const char* knob, double found, const char* of, double of_value,
             std::vector<double> valid) {
        found_.push_back({reason, knob, found, of, of_value, std::move(valid)});
    }
    void within(const char* knob, double value, double low, double high) {
        if (!(value >= low && value <= high)) add(Reason::out_of_range, knob, value, "", 0, {low, high});
    }

    const Scenario& s_;
    const Model& m_;
    const Layout& l_;
    std::vector<Obstacle>& found_;
};

}  // namespace plimsoll
