#include "core/files/results/decide_json.h"

#include "core/files/presets/parts.h"
#include "core/files/results/band_parts_json.h"

#include <cmath>

namespace plimsoll {

namespace {

using namespace files;

OrderedJson row_json(const ComparedRow& r) {
    const auto finite = [](double v) { return std::isfinite(v) ? number_json(v) : OrderedJson(); };
    const auto change = [&](double v) { return finite(v / r.numbers[0] - 1); };
    return {{"id", r.id},
            {"label", r.label},
            {"unit", r.unit},
            {"values", r.values},
            {"numbers", json_list(r.numbers, finite)},
            {"changes", json_list(r.numbers, change)},
            {"differs", r.differs}};
}

OrderedJson goal_json(const std::optional<GoalPlan>& g) {
    if (!g) return {};
    return {{"nodes", nodes_used(g->plan)},
            {"parameters", number_json(g->parameters)},
            {"layers", g->plan.model.layers},
            {"hidden", g->plan.model.hidden},
            {"heads", g->plan.model.heads},
            {"kv_heads", g->plan.model.kv_heads},
            {"ffn", g->plan.model.ffn},
            {"tokens", number_json(g->tokens)},
            {"seconds", number_json(g->totals.time / second)},
            {"node_hours", number_json(g->totals.node_hours)},
            {"facility_energy_MWh", number_json(g->totals.facility_energy / megawatt_hour)},
            {"money", g->money ? number_json(*g->money) : OrderedJson()},
            {"carbon_kg", g->carbon_kg ? number_json(*g->carbon_kg) : OrderedJson()},
            {"facility_power_MW", number_json(g->power / megawatt)},
            {"memory_bytes", number_json(g->memory / byte)},
            {"fit", id_of(g->verdict)},
            {"layout", write_layout(g->plan.layout)}};
}

}  // namespace

std::string to_json(const Comparison& c, const std::vector<std::string>& plans) {
    const auto part = [](const WaterfallPart& p) -> OrderedJson {
        return {{"id", p.id}, {"label", p.label}, {"seconds", number_json(p.change / second)}};
    };
    const auto fall = [&](const Waterfall& w) -> OrderedJson {
        return {{"from_seconds", number_json(w.from / second)},
                {"to_seconds", number_json(w.to / second)},
                {"parts", json_list(w.parts, part)},
                {"why", w.why}};
    };
    return text_of({{"plans", plans},
                    {"inputs", json_list(c.inputs, row_json)},
                    {"answers", json_list(c.answers, row_json)},
                    {"waterfalls", json_list(c.waterfalls, fall)}});
}

std::string to_json(const GoalAnswer& a, const GoalLimits& limits, GoalAim aim) {
    const auto relaxed = [](const GoalRelaxed& r) -> OrderedJson {
        return {{"without", label_of(r.limit)}, {"better", r.better}, {"best", goal_json(r.best)}};
    };
    OrderedJson asked{{"headroom", limits.headroom}};
    if (limits.time) asked["days"] = number_json(*limits.time / day);
    if (limits.nodes) asked["nodes"] = *limits.nodes;
    if (limits.node_hours) asked["node_hours"] = number_json(*limits.node_hours);
    if (limits.energy) asked["MWh"] = number_json(*limits.energy / megawatt_hour);
    if (limits.money) asked["money"] = number_json(*limits.money);
    if (limits.power) asked["power_MW"] = number_json(*limits.power / megawatt);
    const auto point = [](const auto& of_nodes) {
        OrderedJson object = goal_json(of_nodes.second.plan);
        object["within"] = of_nodes.second.within;
        return object;
    };
    return text_of({{"aim", name_of(aim)},
                    {"limits", asked},
                    {"over_nodes", json_list(a.over_nodes, point)},
                    {"best", goal_json(a.best)},
                    {"binds", json_list(a.binds, [](GoalLimit l) { return label_of(l); })},
                    {"relaxed", json_list(a.relaxed, relaxed)},
                    {"tried", a.tried},
                    {"most_layers", a.most_layers > 0 ? OrderedJson(a.most_layers) : OrderedJson()},
                    {"most_parameters", a.most_parameters > 0 ? number_json(a.most_parameters) : OrderedJson()}});
}

std::string to_json(const std::vector<TornadoBar>& bars, TornadoOf of, double value, const Band* band) {
    const auto bar = [](const TornadoBar& b) -> OrderedJson {
        return {{"knob", b.knob},
                {"what", b.what},
                {"low_value", number_json(b.low_value)},
                {"high_value", number_json(b.high_value)},
                {"at_low", number_json(b.at_low)},
                {"at_high", number_json(b.at_high)},
                {"ends", b.ends}};
    };
    OrderedJson object{{"of", name_of_tornado(of)}, {"unit", unit_of_tornado(of)}, {"value", number_json(value)},
                       {"bars", json_list(bars, bar)}};
    if (band && !band->time_parts.empty()) {
        const LikelyRange<double> range = range_around(value, band->time);
        object["range"] = {{"band", number_json(band->time)},
                           {"low", number_json(range.low)},
                           {"high", number_json(range.high)},
                           {"parts", band_parts_json(band->time_parts)}};
    }
    return text_of(std::move(object));
}

}  // namespace plimsoll
