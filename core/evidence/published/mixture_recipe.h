#pragma once
// What the recipes of Megatron-Bridge switch on for mixtures of experts, by container, machine and layout.
//
//   const MixtureRecipe r = mixture_recipe(plan, {"nvidia b200", "mxfp8", container_release("container 26.04.01")});
//   r.graph;      // Graph::none
//
// The tables of its maker name the container alone. The recipes stand in the repository at the tag of each: v0.2.0 for
// 25.11, v0.3.0 for 26.02, v0.3.1 for 26.02.01, v0.4.0 for 26.04, v0.5.0 for 26.06.

#include "core/values/plan/scenario.h"

#include <optional>
#include <string>

namespace plimsoll {

struct RecipeWords {
    std::string device, format;   // of a row, in lower case
    int release = 0;              // container_release()
    bool of_the_maker = true;     // the maker ran it, or a record: others run the library as it comes
};

struct MixtureRecipe {
    Graph graph = Graph::none;
    Dispatch dispatch = Dispatch::per_expert;
    bool overlaps = false;        // exchange behind the work of another micro-batch
    bool fused = false;           // activation function and conversion inside the grouped kernels
};
MixtureRecipe mixture_recipe(const Scenario&, const RecipeWords&);

// What name and remark of a row say themselves of capacity, exchange, graphs and routing; it goes before any recipe.
//   capacity      "capacity factor 1.0"
//   overlaps      "EP overlap" and "all-to-all overlap", followed by "off" or not
//   graph         "full-iteration", "attention and router", "router and preprocess", the last with attention's share
//   per_expert    "NCCL all-to-all", "all-to-all dispatcher"
//   natural       "natural routing", "dropless routing": the busiest rank has more tokens than the mean
//   expert_tensor "Expert TP 4", "ETP 1"
//   dense_layers  "first layer dense", "1 dense layer of 4"
//   not_attention "Mamba", "DeltaNet", "linear attention": layers that are neither attention nor feed-forward blocks
struct MixtureWords {
    std::optional<int> dense_layers, expert_tensor;
    std::optional<double> capacity;
    std::optional<bool> overlaps;
    std::optional<Graph> graph;
    bool per_expert = false, natural = false, not_attention = false;
};
MixtureWords mixture_words(const std::string& lower_case_text);
// Tokens of the busiest rank over the mean with natural routing: 1.0 to 1.9 in published pairs of runs.
inline constexpr double natural_imbalance = 1.5;

}  // namespace plimsoll
