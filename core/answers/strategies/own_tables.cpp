#include "core/answers/strategies/own_tables.h"

#include "core/answers/plan/rules.h"
#include "core/answers/plan/price.h"

namespace plimsoll {

namespace {

// A stage of a plan: times of one micro-batch, what follows the last, memory by how long it lasts.
struct Stage {
    Seconds forward, backward, after;
    Bytes memory, activations, buffers;
};

std::vector<Stage> stages_of(const Scenario& s) {
    const Priced p = price(s);
    const Seconds after = p.step.parts.total() - p.step.pipeline;
    std::vector<Stage> stages;
    for (int i = 0; i < s.layout.pipeline_parallel; ++i) {
        const MemoryUse& m = p.memory[i];
        stages.push_back({p.stages[i].forward, p.stages[i].backward, after, m.total(), m.activations, m.buffers});
    }
    return stages;
}

// What `layers` of a stage add, each, and what stands without any.
struct Apart {
    Stage layer, rest;
};
Apart apart(const Stage& one, const Stage& two, int layers) {
    Apart a;
    const auto split = [&](auto... parts) {
        ((a.layer.*parts = (two.*parts - one.*parts) / layers, a.rest.*parts = one.*parts - layers * (a.layer.*parts)),
         ...);
    };
    split(&Stage::forward, &Stage::backward, &Stage::after, &Stage::memory, &Stage::activations, &Stage::buffers);
    return a;
}

std::vector<Apart> apart(const Scenario& once, const PipelineTask& t) {
    Scenario twice = once;
    twice.model = with_depth(once.model, 2 * once.model.layers);
    const std::vector<Stage> one = stages_of(once), two = stages_of(twice);
    std::vector<Apart> all;
    for (int i = 0; i < t.pipeline; ++i) all.push_back(apart(one[i], two[i], once.model.layers / t.pipeline));
    return all;
}

// Kept once per stage however many layers there are: buffers, and the layer that is being recomputed.
Bytes transient_of(const Scenario& s, const Apart& a, const Apart& kept) {
    const Bytes alive = max(Bytes{}, a.rest.activations - kept.rest.activations);
    return s.stack.memory.fragmentation * (a.rest.buffers + alive);
}

void add_strategy(const Scenario& plan, const PipelineTask& t, const LayerStrategy& strategy, StrategyTables& tables) {
    Scenario s = with_strategy(plan, t, strategy);
    s.model = with_depth(s.model, (t.layers + t.pipeline - 1) / t.pipeline * t.pipeline);   // as many on every stage
    if (!check(s).empty()) return;
    Scenario keeps = s;
    keeps.layout.recompute = Recompute::none;
    const std::vector<Apart> stages = apart(s, t), kept = apart(keeps, t);
    Bytes transient;
    for (int i = 0; i < t.pipeline; ++i) transient = max(transient, transient_of(s, stages[i], kept[i]));
    tables.strategies.push_back(strategy);
    tables.transient.push_back(units_of(transient));
    for (int i = 0; i < t.pipeline; ++i) {
        const auto& [layer, rest] = stages[i];
        tables.layer[i].push_back({layer.forward, layer.backward, layer.after, units_of(layer.memory)});
        tables.ends[i].push_back(
            {rest.forward, rest.backward, rest.after, units_of(rest.memory - transient_of(s, stages[i], kept[i]))});
    }
}

// Forward and backward, ranks of the wider strategy gather what the narrower keeps whole.
Seconds reshard_time(const Scenario& plan, const PipelineTask& t, const LayerStrategy& from, const LayerStrategy& to) {
    if (from.width() == to.width()) return {};
    const int wide = std::max(from.width(), to.width());
    const double samples = double(t.batch) / t.micro_batches * wide * t.pipeline / plan.layout.devices;
    const Bytes whole =
        samples * plan.recipe.sequence_length * plan.model.hidden * activation_bytes(plan.recipe.precision) * byte;
    return 2 * all_gather(span_of(plan.machine, {wide, 1}), whole).time;
}

Schedule priced_schedule(Schedule s) { return s == Schedule::gpipe ? s : Schedule::one_f_one_b; }

Seconds step_time(Schedule schedule, int micro_batches, std::span<const StageSum> stages) {
    std::vector<ChunkTime> chunks;
    Seconds after;
    for (const StageSum& s : stages) {
        chunks.push_back({s.forward, s.backward});
        after = max(after, s.after);
    }
    return makespan(schedule, chunks, int(stages.size()), micro_batches) + after;
}

}  // namespace

std::string not_priced(const Scenario& s) {
    if (has_experts(s.model))
        return "layers with experts are not searched per layer: their ranks are folded over several layers' ways of "
               "spreading";
    if (s.layout.offload.any())
        return "a plan that offloads is not searched per layer: layers would share the link to the host";
    return "";
}

Scenario with_strategy(const Scenario& plan, const PipelineTask& t, const LayerStrategy& strategy) {
    Scenario s = plan;
    Layout& l = s.layout;
    l.tensor_parallel = strategy.tensor;
    l.tensor_mode = TensorMode::one_d;
    l.tensor_depth = 1;
    l.sequence_parallel = strategy.tensor > 1;
    l.context_parallel = strategy.sequence;
    l.context_mode = strategy.sequence > 1 ? ContextMode::ulysses : ContextMode::ring;
    l.data_parallel = strategy.data;
    l.pipeline_parallel = t.pipeline;
    l.virtual_stages = l.expert_parallel = l.expert_tensor_parallel = 1;
    l.schedule = priced_schedule(l.schedule);
    l.shard_group = l.secondary_shard = 0;
    l.zero_stage = strategy.sharding == Sharding::zero3 ? 3
                 : strategy.sharding == Sharding::zero2 ? 2
                                                        : std::min(plan.layout.zero_stage, 1);
    l.recompute = strategy.checkpoint                      ? Recompute::full
                : plan.layout.recompute == Recompute::full ? Recompute::none
                                                           : plan.layout.recompute;
    l.micro_batch = t.batch / t.micro_batches / strategy.data;
    s.recipe.global_batch_sequences = t.batch;
    return s;
}

PriceList own_prices(const Scenario& with) {
    return [plan = without_sources(with)](const PipelineTask& t) {
        StrategyTables tables;
        tables.layer.resize(t.pipeline);
        tables.ends.resize(t.pipeline);
        for (const LayerStrategy& s : t.strategies) add_strategy(plan, t, s, tables);
        for (const LayerStrategy& from : tables.strategies) {
            tables.reshard.emplace_back();
            for (const LayerStrategy& to : tables.strategies)
                tables.reshard.back().push_back(reshard_time(plan, t, from, to));
        }
        // Its exchange of weights is charged to the layers, so beside others the ends would come free.
        tables.zero3_as_a_whole = true;
        tables.step = [schedule = priced_schedule(plan.layout.schedule), m = t.micro_batches](
                          std::span<const StageSum> stages) { return step_time(schedule, m, stages); };
        return tables;
    };
}

}  // namespace plimsoll
