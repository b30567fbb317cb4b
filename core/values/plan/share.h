#pragma once
// What one pipeline stage and one tensor rank own of the model: layers, and the parameters in them.

#include "core/values/plan/scenario.h"
#include "core/values/plan/schedules.h"
#include "core/values/plan/split_in_order.h"
#include "core/values/plan/weights.h"

#include <span>
#include <vector>

namespace plimsoll {

// Layers of stage `i` (0-based). Remainders of an even split go to the middle
// stages first: the ends already carry the embedding and the head.
int layers_of_stage(const Scenario&, int stage);
std::vector<int> layers_of_stages(const Scenario&);   // all of them at once, as uneven splits work them out

// Layers of one of the stage's chunks. Slots are equal; where the layers leave
// one slot empty on either end, the embedding and the head take them (Megatron's
// account-for-embedding-in-pipeline-split).
int layers_of_chunk(const Scenario&, int stage, int chunk);
int layers_of_chunk(const Scenario&, int stage, int chunk, int of_stage);   // where the stage's are known

// Of so many layers of one chunk, those the layout recomputes: all, or the first ones (Megatron's block method).
int recomputed_of(const Layout&, int layers);
// Whether what the layout recomputes is a list of modules other than the attention core, as far as the model has them.
bool recomputes_by_module(const Scenario&);
std::string names_of_modules(const RecomputeModules&, std::string_view between = ", ");   // "moe_act, layernorm"
// Whether such a layer computes this module again: it lists it, or what it lies in.
bool recomputes(const Scenario&, const LayerKind&, Module);
// Whether the activations that leave the device are those of a list of modules, as far as the model has them.
bool sends_by_module(const Model&, const Offload&);
std::string names_of_modules(const OffloadModules&, std::string_view between = ", ");
// The module that, computed again, stores nothing that could be sent with this one.
Module leaves_nothing_of(SentModule);
int largest_chunk(const Scenario&);            // most layers any chunk holds when nothing is recomputed

// Parameters one rank of the stage holds before any data-parallel sharding: its
// layers, the embedding on the first stage, the head (or its tied copy, when
// there is more than one stage) on the last. With these layers, of kinds with
// these parameters; what the layers of a kind share once.
Parameters stage_parameters(const Scenario&, int stage, const LayerCounts&, std::span<const KindParameters>);
Parameters layer_share(const Scenario&, const LayerKind&);   // of one layer
Parameters of_one_rank(const Scenario&, const Parameters& of_all_ranks);
// Of one embedding table, or of the head: rows of the padded vocabulary, and parameters.
double vocabulary_share(const Scenario&);
Parameters table_share(const Scenario&);

inline bool last_stage(const Scenario& s, int stage) { return stage == s.layout.pipeline_parallel - 1; }

// Where the modules that predict further tokens are: behind the last layer, in the chunk that ends with the loss
// (Megatron-Core, PipelineParallelLayerLayout), or on the stage that the layout lists them on.
Slot module_slot(const Scenario&);
inline bool holds_modules(const Scenario& s, int stage) {
    return s.model.further.depths > 0 && stage == module_slot(s).stage;
}

// How the layers are handed out: as the layout lists them or says, or by cost where it leaves that to such a stack.
StageSplit stage_split(const Scenario&);
// Where the head's product is, and where the loss: on the last stage, unless stages are filled by cost.
// Then logits may cross to the stages after it.
int head_stage(const Scenario&);
int loss_stage(const Scenario&);
int embedding_stage(const Scenario&);
inline bool holds_embedding(const Scenario& s, int stage) { return stage == embedding_stage(s); }
inline bool holds_head(const Scenario& s, int stage) { return stage == head_stage(s); }
// A table of its own for the head: a tied one is the embedding's where that is on the same stage.
template <class Plan>   // a Scenario, or what is worked out of one
bool holds_own_head(const Plan& s, int stage) {
    return holds_head(s, stage) && !(s.model.tied_embeddings && holds_embedding(s, stage));
}
inline bool holds_loss(const Scenario& s, int stage) { return stage == loss_stage(s); }

// ---- Uneven shares of layers for stages of uneven speed
//
// Where layers are of several kinds each counts with its own cost: by_cost by its matrices, min_max by layer_costs(),
// unless some pass on states, of whose time FLOP say nothing. Shares then follow one another in the order of the model
// (split_in_order.h).
//
//   floor_share(48, 197, 197 + 160) == 26     // Holmes: the fast cluster's share, rounded down
//   least_maximum({...}, 48)                  // so that max (layers + extra) / rate is least

// floor(layers x rate / all rates), Yang et al. 2024 (Holmes), section 3.3.
int floor_share(int layers, double rate, double all_rates);

// Stages that take the same number of layers, give or take one.
struct StageClass {
    int count = 0;      // stages
    double rate = 1;    // layers per unit of time
    double extra = 0;   // work besides the layers, in layers: the head
    int layers = 0;     // of each stage, out
    int with_one_more = 0;  // of them, the first so many, out
};
// Gives every stage at least one layer, and each further one to the stage that is done with it first.
void least_maximum(std::span<StageClass>, int layers);

// Nanotron's walk down the model (pipeline_parallel/block.py): put a block on the stage, then go on to the
// next one if the cost so far exceeds the stage's share of all of it. Layers cost their matrices, the head
// its own, embedding, norm, cast and loss nothing. Stages overshoot, and the last ones may stay empty.
struct CostSplit {
    double layer = 0, head = 0;   // cost
    int layers = 0, stages = 1;
    int first_layer(int stage) const;   // number of the stage's first one
    int layers_of(int stage) const { return first_layer(stage + 1) - first_layer(stage); }
    int head_stage() const;
    int loss_stage() const;
};
CostSplit cost_split(const Scenario&);   // of layers that are alike

bool layers_differ(const Model&);   // in kind, so that it matters which ones a stage holds
// Whole FLOP of a token, forward, of every layer in turn; and of the head, where the forward pass of such a share of
// the layers is repeated: these count a third more each then, and the head that much less.
std::vector<double> layer_costs(const Scenario&);
std::vector<char> may_begin_stage(const Model&);   // of every layer: none that sees the keys an earlier layer chose
double head_cost(const Scenario&, double repeated);

// Layers of the stages by stage_split(), which is not even, where the forward pass of such a share of them is repeated.
std::vector<int> uneven_layers(const Scenario&, double repeated);

}  // namespace plimsoll
