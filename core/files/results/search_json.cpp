#include "core/files/results/search_json.h"

#include "core/values/knobs/wording.h"
#include "core/files/presets/plan_fields.h"
#include "core/files/text/part.h"
#include "core/values/basics/csv.h"
#include "core/values/basics/names.h"

#include <nlohmann/json.hpp>

namespace plimsoll {
namespace {

using namespace files;

OrderedJson candidate(const Candidate& c) {
    OrderedJson object = write_layout(c.layout);
    object["step_seconds"] = c.step / second;
    object["energy_joules"] = c.energy / joule;
    object["memory_bytes"] = c.memory / byte;
    return object;
}

OrderedJson miss(const NearMiss& m) {
    OrderedJson object = write_layout(m.layout);
    object["tier"] = name_of(m.tier);
    object["need_bytes"] = number_json(m.need / byte);
    object["limit_bytes"] = m.limit / byte;
    object["excess"] = number_json(m.excess());
    return object;
}

OrderedJson exclusion(const Exclusion& e) {
    return {{"count", e.count}, {"reason", id_of(e.obstacle.reason)}, {"knob", e.obstacle.knob}, {"of", e.obstacle.of}, {"example", say(e.obstacle)}};
}

OrderedJson split_cell(const SplitCell& c) {
    OrderedJson object{{"tensor_parallel", c.tensor_parallel}, {"pipeline_parallel", c.pipeline_parallel}, {"count", c.tried},
                       {"feasible", c.feasible}, {"fits", c.fits}};
    object["best_step_seconds"] = c.best ? OrderedJson(c.best->step / second) : OrderedJson();
    object["least_excess"] = c.nearest ? number_json(c.nearest->excess()) : OrderedJson();
    return object;
}

template <class T, class Write>
OrderedJson list(const std::vector<T>& all, Write write) {
    OrderedJson array = OrderedJson::array();
    for (const T& each : all) array.push_back(write(each));
    return array;
}

}  // namespace

std::string search_json(const SearchResult& r, Seconds seconds) {
    const OrderedJson object{{"space", r.space},
                             {"count", r.count},
                             {"feasible", r.feasible},
                             {"fits", r.fits},
                             {"seconds", seconds / second},
                             {"layouts_per_second", number_json(r.count / (seconds / second))},
                             {"best", r.top.empty() ? OrderedJson() : candidate(r.top.front())},
                             {"top", list(r.top, candidate)},
                             {"front", list(r.front, candidate)},
                             {"splits", list(r.splits, split_cell)},
                             {"near_misses", list(r.near_misses, miss)},
                             {"exclusions", list(r.exclusions, exclusion)}};
    return text_of(object);
}

namespace {

constexpr const char* layout_columns =
    "tensor_parallel,tensor_mode,sequence_parallel,context_parallel,context_mode,expert_parallel,pipeline_parallel,virtual_stages,schedule,"
    "data_parallel,micro_batch,zero_stage,recompute,recompute_layers,offload_optimizer,offload_gradients,offload_activations,"
    "step_seconds,energy_joules,memory_bytes\n";

constexpr int candidate_digits = 17;

CsvRow& write(CsvRow& row, const Candidate& c) {
    const Layout& l = c.layout;
    row.whole(l.tensor_parallel).text(name_of(l.tensor_mode)).whole(l.sequence_parallel);
    row.whole(l.context_parallel).text(name_of(l.context_mode)).whole(l.expert_parallel);
    row.whole(l.pipeline_parallel).whole(l.virtual_stages).text(name_of(l.schedule));
    row.whole(l.data_parallel).whole(l.micro_batch).whole(l.zero_stage);
    row.text(name_of(l.recompute)).whole(l.recompute_layers);
    row.text(name_of(l.offload.optimizer)).text(name_of(l.offload.gradients)).text(name_of(l.offload.activations));
    for (const double v : {c.step / second, c.energy / joule, c.memory / byte}) row.number(v, candidate_digits);
    return row;
}

constexpr int candidate_columns = 20;

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

}  // namespace plimsoll
