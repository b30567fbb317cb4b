#include "core/files/results/strategies_json.h"

#include "core/files/text/part.h"

namespace plimsoll {

using namespace files;

namespace {

OrderedJson strategy_json(const LayerStrategy& s) {
    static constexpr const char* sharding[] = {"none", "zero2", "zero3"};
    return {{"tensor_parallel", s.tensor}, {"ulysses", s.sequence}, {"data_parallel", s.data},
            {"sharding", sharding[int(s.sharding)]}, {"checkpoint", s.checkpoint}};
}

OrderedJson plan_json(const std::optional<PerLayerPlan>& plan) {
    if (!plan) return nullptr;
    OrderedJson runs = OrderedJson::array(), memory = OrderedJson::array();
    for (const StrategyRun& r : runs_of(*plan)) {
        OrderedJson run{{"stage", r.stage}, {"first_layer", r.first}, {"layers", r.layers}};
        run.update(strategy_json(r.strategy));
        runs.push_back(std::move(run));
    }
    for (const Bytes& b : plan->memory) memory.push_back(b / gibibyte);
    OrderedJson ends = strategy_json(plan->ends);
    ends.erase("checkpoint");
    return {{"throughput_sequences_per_second", plan->throughput()}, {"step_seconds", plan->step / second}, {"batch", plan->batch},
            {"micro_batches", plan->micro_batches}, {"pipeline_parallel", plan->pipeline}, {"stage_layers", plan->stages},
            {"memory_GiB", memory}, {"ends", ends}, {"layers", runs}};
}

}  // namespace

std::string to_json(const PerLayer& found, const StrategySpace& space) {
    const StrategyCount count = count_strategies(space);
    return text_of({{"devices", space.devices},
                    {"candidates", {{"ordered_decompositions", count.ordered}, {"without_data_beside_sharded_data", count.pruned},
                                    {"strategies", found.strategies}, {"without_a_price", found.unpriced},
                                    {"pipelines", found.pipelines}, {"lists_of_strategies", found.lists}, {"labels_kept", found.labels}}},
                    {"best", plan_json(found.best)},
                    {"one_strategy_for_all", plan_json(found.uniform)},
                    {"lost_with_one_strategy", found.lost()}});
}

}  // namespace plimsoll
