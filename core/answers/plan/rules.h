#pragma once
// Every structural reason why a plan cannot be computed, all at once.
//
//   if (auto obstacles = check(s); !obstacles.empty()) ...   // each with the values that would work
//
// Divisibility, batch arithmetic, device counts and capability of the device. Whether the plan fits
// in memory is not asked here: that has a number.

#include "core/values/basics/number_range.h"
#include "core/values/basics/obstacle.h"
#include "core/values/plan/scenario.h"

#include <compare>
#include <string>
#include <vector>

namespace plimsoll {

std::vector<Obstacle> check(const Scenario&);  // empty: estimate() has an answer

// ---- The choices inside a pipeline: recomputation, sharded states and lower tiers
//
// A search makes these choices last, for degrees and a schedule that are set. Their rules are given InnerFacts of the
// layout and nothing else of it, so that what they say holds for every pipeline with the same facts. Rules about codecs
// are among them, because the bytes of a value before it is encoded depend on the ZeRO stage.

struct Inner {
    Recompute recompute = Recompute::none;
    int recompute_layers = 0;
    int zero_stage = 0;
    Offload offload{};
    RecomputeModules modules{};
};
Inner inner_of(const Layout&);

struct InnerFacts {
    Schedule schedule = Schedule::one_f_one_b;
    int pipeline_parallel = 1;
    int largest_chunk = 1;     // layers
    bool replicated = false;   // several ranks hold the same weights
    friend auto operator<=>(const InnerFacts&, const InnerFacts&) = default;
};
InnerFacts inner_facts(const Scenario&);

struct PlanBesideLayout {
    PlanBesideLayout(const Scenario& s)
        : model(s.model), machine(s.machine), recipe(s.recipe), stack(s.stack), compression(s.compression),
          method(s.method) {}
    const Model& model;
    const Machine& machine;
    const Recipe& recipe;
    const Stack& stack;
    const Compression& compression;
    const Method& method;
};
std::vector<Obstacle> check_inner(const PlanBesideLayout&, const InnerFacts&, const Inner&);
// By all other rules. They look at none of these choices, as long as states are shared among all that hold the same.
std::vector<Obstacle> check_pipeline(const Scenario&);

// An obstacle of this plan in words, with what only the plan knows: "4 devices, but the layout asks for
// 2 x 1 x 1 x 4 = 8 (tensor x context x data x pipeline)."
std::string say(const Obstacle&, const Scenario&);

// ---- Its parts, by subject; each adds to the obstacles

// Rules about the choices inside a pipeline (rules_inner.cpp).
void add_inner_obstacles(const PlanBesideLayout&, const InnerFacts&, const Inner&, std::vector<Obstacle>&);
// What has to divide so that every rank of a line, a grid or a Tesseract holds equal parts (rules_ranks.cpp).
void check_tensor(const Scenario&, std::vector<Obstacle>&);
// Mixtures of experts and latent attention: values that no cost can be computed with beside others of the model; how
// experts divide over ranks, and what they ask of the rest of the plan (rules_ranks.cpp).
void check_expert_ranges(const Scenario&, std::vector<Obstacle>&);
void check_experts(const Scenario&, std::vector<Obstacle>&);
// Whether a machine's clusters add up, hold whole stages where the mapping needs it, and leave every stage a layer
// (rules_machine.cpp).
void check_clusters(const Scenario&, std::vector<Obstacle>&);

// How a set of rules says what it found.
class FoundObstacles {
public:
    explicit FoundObstacles(std::vector<Obstacle>& found) : found_(found) {}

protected:
    void add(Reason reason, const char* knob, double found, const char* of, double of_value,
             std::vector<double> valid) {
        found_.push_back({reason, knob, found, of, of_value, std::move(valid)});
    }
    void within(const char* knob, double value, NumberRange r) {
        if (!(value >= r.low && value <= r.high)) add(Reason::out_of_range, knob, value, "", 0, {r.low, r.high});
    }

    std::vector<Obstacle>& found_;
};

// Rules that look at the whole plan.
class RuleSet : protected FoundObstacles {
public:
    RuleSet(const Scenario& s, std::vector<Obstacle>& found)
        : FoundObstacles(found), s_(s), m_(s.model), l_(s.layout) {}

protected:
    const Scenario& s_;
    const Model& m_;
    const Layout& l_;
};

}  // namespace plimsoll
