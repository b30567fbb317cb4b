#include "core/files/results/answers_json.h"

#include "core/values/knobs/wording.h"
#include "core/files/presets/parts.h"
#include "core/values/basics/csv.h"
#include "core/values/basics/names.h"
#include "core/values/plan/share.h"

namespace plimsoll {
namespace {

using namespace files;

OrderedJson candidate_json(const Candidate& c) {
    OrderedJson object = write_layout(c.layout);
    object["step_seconds"] = c.step / second;
    object["energy_joules"] = c.energy / joule;
    object["memory_bytes"] = c.memory / byte;
    object["tight"] = c.tight;
    object["fit"] = id_of(c.verdict());
    object["share_of_device"] = c.share;
    return object;
}

OrderedJson miss_json(const NearMiss& m) {
    OrderedJson object = write_layout(m.layout);
    object["tier"] = name_of(m.tier);
    object["need_bytes"] = number_json(m.need / byte);
    object["limit_bytes"] = m.limit / byte;
    object["excess"] = number_json(m.excess());
    return object;
}

OrderedJson exclusion_json(const Exclusion& e) {
    return {{"count", e.count},
            {"reason", id_of(e.obstacle.reason)},
            {"knob", e.obstacle.knob},
            {"of", e.obstacle.of},
            {"example", say(e.obstacle)}};
}

OrderedJson split_cell_json(const SplitCell& c) {
    OrderedJson object{{"tensor_parallel", c.tensor_parallel},
                       {"pipeline_parallel", c.pipeline_parallel},
                       {"count", c.tried},
                       {"feasible", c.feasible},
                       {"fits", c.fits}};
    object["best_step_seconds"] = c.best ? OrderedJson(c.best->step / second) : OrderedJson();
    object["least_excess"] = c.nearest ? number_json(c.nearest->excess()) : OrderedJson();
    return object;
}

}  // namespace

std::string search_json(const SearchResult& r, Seconds seconds) {
    const auto sure = best_that_surely_fits(r);
    const OrderedJson object{{"space", r.space},
                             {"count", r.count},
                             {"feasible", r.feasible},
                             {"fits", r.fits},
                             {"seconds", seconds / second},
                             {"layouts_per_second", number_json(r.count / (seconds / second))},
                             {"best", r.top.empty() ? OrderedJson() : candidate_json(r.top.front())},
                             {"best_that_surely_fits", sure ? candidate_json(*sure) : OrderedJson()},
                             {"top", json_list(r.top, candidate_json)},
                             {"front", json_list(r.front, candidate_json)},
                             {"splits", json_list(r.splits, split_cell_json)},
                             {"near_misses", json_list(r.near_misses, miss_json)},
                             {"exclusions", json_list(r.exclusions, exclusion_json)},
                             {"tight", r.tight}};
    return text_of(object);
}

namespace {

constexpr const char* layout_columns =
    "tensor_parallel,tensor_mode,sequence_parallel,context_parallel,context_mode,expert_parallel,pipeline_parallel,"
    "virtual_stages,schedule,"
    "data_parallel,micro_batch,zero_stage,recompute,recompute_layers,offload_optimizer,offload_gradients,offload_"
    "activations,"
    "step_seconds,energy_joules,memory_bytes,fit\n";

constexpr int candidate_digits = 17;

// "selective", or "selective: layernorm moe" of a list of modules.
std::string recompute_with_modules(const Layout& l) {
    const std::string name(name_of(l.recompute));
    const bool lists = l.recompute == Recompute::selective && l.recompute_modules != RecomputeModules{};
    return lists ? name + ": " + names_of_modules(l.recompute_modules, " ") : name;
}

// "host", or "host: core_attn attn_proj".
std::string activations_with_modules(const Offload& o) {
    const std::string name(name_of(o.activations));
    const bool lists = o.swaps() && o.modules != OffloadModules{};
    return lists ? name + ": " + names_of_modules(o.modules, " ") : name;
}

CsvRow& write(CsvRow& row, const Candidate& c) {
    const Layout& l = c.layout;
    row.whole(l.tensor_parallel).text(name_of(l.tensor_mode)).whole(l.sequence_parallel);
    row.whole(l.context_parallel).text(name_of(l.context_mode)).whole(l.expert_parallel);
    row.whole(l.pipeline_parallel).whole(l.virtual_stages).text(name_of(l.schedule));
    row.whole(l.data_parallel).whole(l.micro_batch).whole(l.zero_stage);
    row.text(recompute_with_modules(l)).whole(l.recompute_layers);
    row.text(name_of(l.offload.optimizer)).text(name_of(l.offload.gradients)).text(activations_with_modules(l.offload));
    for (const double v : {c.step / second, c.energy / joule, c.memory / byte}) row.number(v, candidate_digits);
    row.text(id_of(c.verdict()));
    return row;
}

constexpr int candidate_columns = 21;

}  // namespace

std::string search_csv(const SearchResult& r) {
    std::string text = std::string("rank,") + layout_columns;
    for (std::size_t i = 0; i < r.top.size(); ++i) {
        CsvRow row;
        row.whole(static_cast<long long>(i) + 1);
        text += write(row, r.top[i]).line();
    }
    return text;
}

std::string envelope_csv(std::span<const EnvelopePoint> points) {
    std::string text = std::string("nodes,") + layout_columns;
    for (const EnvelopePoint& p : points) {
        CsvRow row;
        row.whole(p.nodes);
        text += (p.best ? write(row, *p.best) : row.empty(candidate_columns)).line();
    }
    return text;
}

// ---- Largest models

std::string to_json(const std::vector<LargestModel>& all) {
    return text_of(json_list(all, [](const LargestModel& m) {
        OrderedJson object{{"strategy", m.strategy},
                           {"obstacles", json_list(m.obstacles, [](const Obstacle& o) { return say(o); })},
                           {"layers", m.layers},
                           {"parameters", m.parameters}};
        if (m.obstacles.empty()) {
            object["step_seconds"] = m.estimate.step.total() / second;
            object["device_bytes"] = m.estimate.worst().total() / byte;
            object["host_bytes"] = m.estimate.host.use.total() / byte;
            object["nvme_bytes"] = m.estimate.nvme.use.total() / byte;
        }
        return object;
    }));
}

// ---- Strategies of single layers

namespace {

OrderedJson strategy_json(const LayerStrategy& s) {
    static constexpr const char* sharding[] = {"none", "zero2", "zero3"};
    return {{"tensor_parallel", s.tensor}, {"ulysses", s.sequence}, {"data_parallel", s.data},
            {"sharding", sharding[int(s.sharding)]}, {"checkpoint", s.checkpoint}};
}

OrderedJson plan_json(const std::optional<PerLayerPlan>& plan) {
    if (!plan) return nullptr;
    const auto run = [](const StrategyRun& r) {
        OrderedJson object{{"stage", r.stage}, {"first_layer", r.first}, {"layers", r.layers}};
        object.update(strategy_json(r.strategy));
        return object;
    };
    OrderedJson ends = strategy_json(plan->ends);
    ends.erase("checkpoint");
    return {{"throughput_sequences_per_second", plan->throughput()},
            {"step_seconds", plan->step / second},
            {"batch", plan->batch},
            {"micro_batches", plan->micro_batches},
            {"pipeline_parallel", plan->pipeline},
            {"stage_layers", plan->stages},
            {"memory_GiB", json_list(plan->memory, [](Bytes b) { return b / gibibyte; })},
            {"ends", ends},
            {"layers", json_list(runs_of(*plan), run)}};
}

}  // namespace

std::string to_json(const PerLayer& found, const StrategySpace& space) {
    const StrategyCount count = count_strategies(space);
    return text_of({{"devices", space.devices},
                    {"candidates",
                     {{"ordered_decompositions", count.ordered},
                      {"without_data_beside_sharded_data", count.pruned},
                      {"strategies", found.strategies},
                      {"without_a_price", found.unpriced},
                      {"pipelines", found.pipelines},
                      {"lists_of_strategies", found.lists},
                      {"labels_kept", found.labels},
                      {"complete", !found.cut_off}}},
                    {"best", plan_json(found.best)},
                    {"one_strategy_for_all", plan_json(found.uniform)},
                    {"lost_with_one_strategy", found.lost()}});
}

}  // namespace plimsoll
