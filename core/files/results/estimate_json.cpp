#include "core/files/results/estimate_json.h"

#include "core/answers/plan/cautions.h"
#include "core/answers/plan/headline.h"
#include "core/answers/campaign/job_chain.h"
#include "core/values/knobs/wording.h"
#include "core/costs/offload/ledger.h"
#include "core/files/results/plan_answers_json.h"
#include "core/files/text/part.h"

namespace plimsoll {
namespace {

using namespace files;

template <class Owner, class Q, std::size_t N>
OrderedJson parts_of(const Owner& owner, const Part<Owner, Q> (&table)[N], Q unit) {
    OrderedJson object = OrderedJson::object();
    for (const auto& part : table) object[std::string(part.id)] = owner.*part.value / unit;
    return object;
}

OrderedJson numbers(const std::vector<double>& values) {
    OrderedJson list = OrderedJson::array();
    for (const double v : values) list.push_back(number_json(v));
    return list;
}

OrderedJson obstacle(const Obstacle& o) {
    return {{"reason", id_of(o.reason)}, {"knob", o.knob},          {"found", number_json(o.found)},
            {"of", o.of},                {"of_value", number_json(o.of_value)}, {"valid", numbers(o.valid)},
            {"message", say(o)}};
}

OrderedJson memory(const Estimate& e) {
    OrderedJson stages = OrderedJson::array(), totals = OrderedJson::array();
    for (const MemoryUse& stage : e.stages) {
        stages.push_back(parts_of(stage, memory_parts, byte));
        totals.push_back(stage.total() / byte);
    }
    return {{"capacity_bytes", e.memory_limit / byte},
            {"worst_stage_bytes", e.worst().total() / byte},
            {"worst_stage", e.worst_stage},
            {"stages", stages},
            {"stage_totals_bytes", totals}};
}

OrderedJson tier(const TierLedger& t) {
    const auto rate = [](ByteRate r) { return r / GBps; };
    return {{"capacity_bytes", t.limit / byte},
            {"used_bytes", t.use.total() / byte},
            {"use", parts_of(t.use, tier_parts, byte)},
            {"fits", t.fits()},
            {"needed_GBps_per_device", {{"read", rate(t.need.read)}, {"write", rate(t.need.write)}}},
            {"available_GBps_per_device", {{"read", rate(t.need.read_available)}, {"write", rate(t.need.write_available)}}},
            {"written_bytes_per_step", t.written / byte}};
}

// The life of the drives is null where nothing wears them, or their endurance is not known.
OrderedJson tiers(const Scenario& s, const Estimate& e) {
    OrderedJson nvme = tier(e.nvme);
    const auto life = drive_life(s.machine.host.nvme, e.nvme.written, e.step.total());
    nvme["drive_life_seconds"] = life ? OrderedJson(*life / second) : OrderedJson();
    const Swap swap = swap_of(s);
    return {{"host", tier(e.host)}, {"nvme", nvme}, {"activation_share", swap.on() ? swap.share : 0.0}};
}

OrderedJson run(const Scenario& s, const Headline& h) {
    return {{"steps", h.steps},
            {"seconds", h.run / second},
            {"node_hours", h.node_hours},
            {"device_hours", h.device_hours},
            {"accounting_unit", s.machine.accounting.unit},
            {"accounting_units", h.accounting_units},
            {"energy_MWh", h.device_energy / megawatt_hour},
            {"facility_energy_MWh", h.facility_energy / megawatt_hour}};
}

constexpr const char* chain_kinds[] = {"jobs", "no_policy", "no_bin", "too_short", "no_progress"};

OrderedJson chain(const JobChain& c) {
    OrderedJson object{{"kind", chain_kinds[static_cast<int>(c.kind)]}, {"policy_as_of", c.as_of}, {"source", c.source.text}};
    if (c.kind == ChainKind::jobs || c.kind == ChainKind::too_short) {
        object["bin"] = {{"min_nodes", c.bin.min_nodes}, {"max_nodes", c.bin.max_nodes}, {"walltime_h", c.bin.walltime / hour}};
        object["lost_per_job_seconds"] = c.lost_per_job / second;
    }
    if (c.kind != ChainKind::jobs) return object;
    object["jobs"] = number_json(c.jobs);
    object["walltime_seconds"] = c.walltime / second;
    object["total_seconds"] = c.total / second;
    return object;
}

// Infinite times, of a plan that makes no progress, are written as null.
OrderedJson failures(const Scenario& s, const Headline& h) {
    const Resilience& r = h.resilience;
    return {{"makes_progress", r.makes_progress()},
            {"goodput", r.goodput()},
            {"wall_seconds", h.wall / second},
            {"failures", h.failures},
            {"mtbf_seconds", r.mtbf / second},
            {"checkpoint_bytes", r.checkpoint_size / byte},
            {"checkpoint_seconds", r.checkpoint / second},
            {"checkpoints", h.checkpoints},
            {"restart_seconds", r.restart / second},
            {"interval_seconds", r.interval / second},
            {"interval_rule", r.optimal ? "young" : "set"},
            {"young_seconds", r.young / second},
            {"daly_seconds", r.daly / second},
            {"overhead", parts_of(r.overhead, overhead_parts, one)},
            {"job_chain", chain(job_chain(s, h))}};
}

// Keys in the order of the document; an infeasible plan leaves them null.
constexpr const char* answers[] = {"step_seconds", "step", "memory", "tiers", "energy",  "tflops_per_device", "mfu",   "hfu",
                                   "tokens_per_second", "run", "resilience", "compression", "mapping", "parameters", "active_parameters",
                                   "expert_exchange", "devices", "nodes", "micro_batches", "band"};

OrderedJson skeleton(bool feasible, bool fits) {
    OrderedJson root{{"feasible", feasible}, {"fits", fits}, {"obstacles", OrderedJson::array()}, {"cautions", OrderedJson::array()}};
    for (const char* key : answers) root[key] = nullptr;
    return root;
}

constexpr const char* circle_names[circles] = {"same_reach", "same_stack_and_device", "same_stack_or_device", "all"};

// The value lies between value / (1 + band) and value (1 + band) for two thirds of the runs.
OrderedJson spread(const Spread& s) {
    return {{"band", s.band}, {"runs", s.runs}, {"sources", s.sources}, {"alike", circle_names[static_cast<int>(s.circle)]}};
}

OrderedJson band_json(const Band& b) {
    return {{"time", spread(b.time_spread)}, {"memory", spread(b.memory_spread)}, {"beyond", b.beyond}};
}

void add_answers(OrderedJson& root, const Scenario& s, const Estimate& e) {
    const Headline h = headline(s, e);
    for (const Caution& c : cautions(s))
        root["cautions"].push_back({{"id", c.id}, {"knob", c.knob}, {"found", number_json(c.found)}, {"better", numbers(c.better)}, {"message", say(c)}});
    root["step_seconds"] = e.step.total() / second;
    root["step"] = parts_of(e.step, step_parts, second);
    root["memory"] = memory(e);
    root["tiers"] = tiers(s, e);
    root["energy"] = parts_of(e.energy, energy_parts, joule);
    root["tflops_per_device"] = h.per_device / TFLOPS;
    root["mfu"] = h.mfu;
    root["hfu"] = h.hfu;
    root["tokens_per_second"] = h.tokens_per_second / (token / second);
    root["run"] = run(s, h);
    root["resilience"] = failures(s, h);
    root["compression"] = compression_json(s);
    root["mapping"] = mapping_json(s);
    root["parameters"] = number_json(e.parameters);
    root["active_parameters"] = number_json(active_parameters(s.model));
    if (has_experts(s.model))
        root["expert_exchange"] = {{"bytes_per_step", number_json(e.exchange_volume / byte)}, {"share_of_step", e.step.expert_exchange / e.step.total()}};
    root["devices"] = e.devices;
    root["nodes"] = e.nodes;
    root["micro_batches"] = e.micro_batches;
}

constexpr const char* operators[] = {"given", "sum", "difference", "product", "quotient", "maximum", "power_mean"};

OrderedJson term(const Term& t) {
    OrderedJson object{{"id", t.id}, {"label", t.label}, {"operator", operators[static_cast<int>(t.op)]},
                       {"value", t.value}, {"unit", t.unit}};
    if (t.op == Operator::power_mean) object["exponent"] = t.exponent;
    if (!t.formula.empty()) object["formula"] = t.formula;
    if (t.op == Operator::given)
        object["source"] = {{"kind", name_of(t.source.kind)}, {"text", t.source.text}};
    if (t.children.empty()) return object;
    for (const Term& child : t.children) object["children"].push_back(term(child));
    return object;
}

}  // namespace

std::string to_json(const Scenario& s, const Outcome& o, const Band* band) {
    OrderedJson root = skeleton(o.has_value(), runs(o));
    if (o) add_answers(root, s, *o);
    if (o && band) root["band"] = band_json(*band);
    if (!o)
        for (const Obstacle& each : o.error()) root["obstacles"].push_back(obstacle(each));
    return text_of(root);
}

std::string to_json(const Term& t) { return text_of(term(t)); }

}  // namespace plimsoll
