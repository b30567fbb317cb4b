#pragma once
// Mixtures of experts of published rows: their shape, and what the run switched on, by the row's own words and by the
// recipes of Megatron-Bridge for its container, machine and layout.
//
//   mixture_recipe(plan, {"nvidia b200", "mxfp8", 260401}).graph;   // Graph::none
//
// The rules stand in run_rules.h; those that change the plan of a run say so in FilledRun::filled.
//
// The tables of its maker name the container alone. The recipes stand in the repository at the tag of each: v0.2.0 for
// 25.11, v0.3.0 for 26.02, v0.3.1 for 26.02.01, v0.4.0 for 26.04, v0.5.0 for 26.06.

#include "core/evidence/published/run_rules.h"

#include <map>
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

// What the names of model and framework and the remark say themselves; it goes before any recipe.
//   capacity      "capacity factor 1.0"
//   overlaps      "EP overlap" and "all-to-all overlap", followed by "off" or not
//   graph         "full-iteration", "attention and router", "router and preprocess", the last with attention's share
//   dispatch      "NCCL all-to-all", "all-to-all dispatcher"; else "DeepEP", "HybridEP" in the framework's name
//   natural       "natural routing", "dropless routing": the busiest rank has more tokens than the mean
//   expert_tensor "Expert TP 4", "ETP 1"
//   dense_layers  "first layer dense", "1 dense layer of 4"
//   further       "two MTP predictions", "2 MTP layers": modules that predict further tokens; "one repeated" of them
//   not_attention "Mamba", "DeltaNet", "linear attention": layers that are neither attention nor feed-forward blocks
struct MixtureWords {
    std::optional<int> dense_layers, expert_tensor, further;
    std::optional<double> capacity;
    std::optional<bool> overlaps;
    std::optional<Graph> graph;
    std::optional<Dispatch> dispatch;
    bool natural = false, not_attention = false, one_module = false;
};
MixtureWords mixture_words(const PublishedRow&);

// ---- The shape. Tables print a mixture's routed experts alone.

// Why a row's mixture is no plan; empty where it is one. Layers that are no attention need a preset that has them.
std::string mixture_obstacle(const PublishedRow&, const Model* like);
// The model preset with such experts, of which a run may take fewer layers; null where there is none.
const Model* mixture_like(const RowModel&, const std::map<std::string, Model>&);
// What else the layers have is that of the preset, which is the run's model then; without one, experts in every layer
// of the model.
void fill_experts(const PublishedRow&, const Model* like, FilledRun&);
// Tensor ranks that each expert is cut over.
int expert_tensor_ranks(const PublishedRow&, const Scenario&);

// ---- What the run switched on

void take_mixture_recipe(const PublishedRow&, FilledRun&);
void take_mixture_words(const PublishedRow&, FilledRun&);

}  // namespace plimsoll
