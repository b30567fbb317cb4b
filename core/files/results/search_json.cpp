#include "core/files/results/search_json.h"

#include "core/answers/explain/wording.h"
#include "core/files/presets/plan_fields.h"
#include "core/files/text/part.h"
#include "core/values/basics/names.h"

#include <nlohmann/json.hpp>

#include <sstream>

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

OrderedJson cell(const SplitCell& c) {
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
                             {"splits", list(r.splits, cell)},
                             {"near_misses", list(r.near_misses, miss)},
                             {"exclusions", list(r.exclusions, exclusion)}};
    return text_of(object);
}

namespace {

constexpr const char* layout_columns =
    "tensor_parallel,tensor_mode,sequence_parallel,context_parallel,context_mode,expert_parallel,pipeline_parallel,virtual_stages,schedule,"
    "data_parallel,micro_batch,zero_stage,recompute,recompute_layers,offload_optimizer,offload_gradients,offload_activations,"
    "step_seconds,energy_joules,memory_bytes\n";

void write_row(std::ostream& out, const Candidate& c) {
    const Layout& l = c.layout;
    out << l.tensor_parallel << ',' << name_of(l.tensor_mode) << ',' << l.sequence_parallel << ',' << l.context_parallel << ','
        << name_of(l.context_mode) << ',' << l.expert_parallel << ',' << l.pipeline_parallel << ',' << l.virtual_stages << ','
        << name_of(l.schedule) << ',' << l.data_parallel << ',' << l.micro_batch << ',' << l.zero_stage << ',' << name_of(l.recompute) << ','
        << l.recompute_layers << ',' << name_of(l.offload.optimizer) << ',' << name_of(l.offload.gradients) << ','
        << name_of(l.offload.activations) << ',' << c.step / second << ',' << c.energy / joule << ',' << c.memory / byte << '\n';
}

}  // namespace

std::string search_csv(const SearchResult& r) {
    std::ostringstream out;
    out.precision(17);
    out << "rank," << layout_columns;
    for (std::size_t i = 0; i < r.top.size(); ++i) {
        out << i + 1 << ',';
        write_row(out, r.top[i]);
    }
    return out.str();
}

std::string envelope_csv(std::span<const EnvelopePoint> points) {
    std::ostringstream out;
    out.precision(17);
    out << "nodes," << layout_columns;
    for (const EnvelopePoint& p : points) {
        out << p.nodes << ',';
        if (p.best) write_row(out, *p.best);
        else out << std::string(19, ',') << '\n';
    }
    return out.str();
}

}  // namespace plimsoll
