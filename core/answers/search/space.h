#pragma once
// Which layouts a search tries on the devices of a plan.
//
//   const Layouts layouts(plan, full_space());
//   layouts.count();                             // without listing them
//   for (const Layout& l : layouts.all()) ...    // what a search has to beat
//
// Only divisors are listed: degrees whose product is the device count, stages
// that share the layers, micro-batches that divide a replica's share of the
// batch, chunks that divide a stage's layers. Other rules (check.h) are left to
// the search, which counts what they rule out.

#include "core/answers/plan/rules.h"
#include "core/values/plan/scenario.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

// Values an axis may take. An empty list of degrees: every divisor.
struct Space {
    std::string name = "full";
    std::vector<int> tensor_parallel, pipeline_parallel, virtual_stages, context_parallel, expert_parallel, micro_batch;
    int largest_tensor = 0;       // 0: no limit; -1: a node; else a degree a tensor group may not exceed
    bool even_stages = false;     // the same number of layers on every stage
    bool recompute_counts = false;  // also the first n layers of each chunk alone, every n
    bool module_lists = false;      // also lists of modules, where the software takes them
    bool sent_lists = false;        // also activations in host memory by module, all that the software sends
    std::vector<TensorMode> tensor_modes{TensorMode::one_d};
    std::vector<ContextMode> context_modes{ContextMode::ring};
    std::vector<bool> sequence_parallel{false, true};
    std::vector<Schedule> schedules{Schedule::one_f_one_b, Schedule::interleaved};
    std::vector<Recompute> recompute{Recompute::none, Recompute::selective, Recompute::full};
    std::vector<RecomputeModules> modules{{}};   // that selective recomputation repeats
    std::vector<int> zero_stages{0, 1, 2, 3};
    std::vector<Offload> offload{{}};
    friend bool operator==(const Space&, const Space&) = default;
};

// What every planner can be asked: tensor ranks inside a node with and without
// sequence parallelism, even stages and their chunks, micro-batch, three kinds of
// recomputation, an optimizer sharded or not. The same axes as Calculon's example
// study of GPT-3 175B (Isaev et al. 2023).
Space common_space();
// The same around one plan: wide enough for what its model needs and what the plan itself uses. Expert ranks and every
// ZeRO stage for a mixture of experts, the stages also to tune a model; context ranks for long sequences; tensor ranks
// across nodes, grids, schedules, uneven stages and host memory where the plan has them.
Space common_space(const Scenario&);
// Tensor modes, context and expert ranks, every schedule, ZeRO stage, count of recomputed layers, lists of modules,
// host memory for all or half of the optimizer. Not searched: the batch, mapping, codecs, shard groups, expert tensor
// ranks, drives.
Space full_space();

// Lists of modules worth trying besides the attention core alone: each module that the model has, and the pairs that
// Megatron's recipes for mixtures use. None where the software takes no list.
std::vector<RecomputeModules> module_lists(const Scenario&);

// All modules whose activations the software of a plan can send to host memory beside what is recomputed; nothing where
// it sends none by module.
std::optional<Offload> sent_by_module(Scenario);

// The space around one plan, in three nested lists: layer choices, the pipelines
// each of them fits in, and what is left to choose.
class Layouts {
public:
    Layouts(const Scenario&, const Space&);   // keeps a reference to neither
    Layouts(const Scenario&, const Layouts& like);  // the same model and space on other devices

    const std::vector<Layout>& layers() const { return layers_; }   // tensor, context, expert degrees, micro-batch set
    std::vector<Layout> pipelines(const Layout& layer) const;       // with stages, chunks, schedule and data degree
    const std::vector<Inner>& inner(const Layout& pipeline) const;  // the same for all with as many layers a chunk

    int chunk_layers(const Layout& pipeline) const;                 // of its largest chunk

    bool pairs() const;                       // whether passes of a layout may run side by side
    long long count() const;
    bool contains(const Layout&) const;       // or one that only differs in what then changes nothing
    std::vector<Layout> all() const;          // in the order a search tries them

    static Layout with(Layout pipeline, const Inner&);
    static Layout without_stages(Layout);     // and groups of micro-batches: both are of one number of stages

private:
    void add_tensor(const Scenario&);
    void add_context(Layout, const Scenario&);
    void add_micro_batches(Layout);
    std::vector<int> stage_counts(const Layout& layer) const;
    std::vector<int> chunk_counts(int stages) const;
    void add_schedules(Layout, std::vector<Layout>&) const;
    std::vector<Inner> inner_of(int chunk_layers) const;

    Space space_;
    Layout base_;              // what no axis changes
    int model_layers_, batch_;
    std::vector<Layout> layers_;
    // By layers of the largest chunk; one entry where counts are no axis. Shared, for it is large.
    std::shared_ptr<const std::vector<std::vector<Inner>>> inner_;
};

}  // namespace plimsoll
