#include "core/files/results/answers_json.h"

#include "core/answers/campaign/money.h"
#include "core/answers/plan/compression.h"
#include "core/values/basics/names.h"
#include "core/values/knobs/knobs.h"
#include "core/values/knobs/wording.h"
#include "core/values/knobs/provenance.h"
#include "core/answers/campaign/cautions.h"
#include "core/answers/campaign/headline.h"
#include "core/answers/plan/mapping.h"
#include "core/answers/plan/rules.h"
#include "core/costs/step/ledger.h"
#include "core/files/presets/parts.h"
#include "core/files/results/band_parts_json.h"

#include <algorithm>

namespace plimsoll {
namespace {

using namespace files;

template <class Owner, class Q, std::size_t N>
OrderedJson parts_of(const Owner& owner, const Part<Owner, Q> (&table)[N], Q unit) {
    OrderedJson object = OrderedJson::object();
    for (const auto& part : table) object[std::string(part.id)] = owner.*part.value / unit;
    return object;
}

// A value as --set takes it: the word of a choice, not its place among them.
OrderedJson setting_json(const Knob* knob, double value) {
    const bool word = knob && knob->kind == KnobKind::choice && value >= 0 && value < double(knob->choices.size());
    return word ? OrderedJson(knob->choices[std::size_t(value)]) : number_json(value);
}

OrderedJson obstacle_json(const Obstacle& o, const Scenario& s) {
    const Knob* knob = find_knob(o.knob);
    OrderedJson valid = OrderedJson::array();
    for (const double v : o.valid)
        if (!knob || (v >= knob->low && v <= knob->high)) valid.push_back(setting_json(knob, v));
    return {{"reason", id_of(o.reason)}, {"knob", o.knob},
            {"found", setting_json(knob, o.found)}, {"of", o.of},
            {"of_value", setting_json(find_knob(o.of), o.of_value)}, {"valid", std::move(valid)},
            {"message", say(o, s)}};
}

OrderedJson memory_json(const Estimate& e) {
    return {{"capacity_bytes", e.memory_limit / byte},
            {"worst_stage_bytes", e.worst().total() / byte},
            {"worst_stage", e.worst_stage},
            {"stages", json_list(e.stages, [](const MemoryUse& m) { return parts_of(m, memory_parts, byte); })},
            {"stage_totals_bytes", json_list(e.stages, [](const MemoryUse& m) { return m.total() / byte; })}};
}

OrderedJson tier_json(const TierLedger& t) {
    const auto rate = [](ByteRate r) { return r / GBps; };
    return {
        {"capacity_bytes", t.limit / byte},
        {"used_bytes", t.use.total() / byte},
        {"use", parts_of(t.use, tier_parts, byte)},
        {"fits", t.fits()},
        {"needed_GBps_per_device", {{"read", rate(t.need.read)}, {"write", rate(t.need.write)}}},
        {"available_GBps_per_device", {{"read", rate(t.need.read_available)}, {"write", rate(t.need.write_available)}}},
        {"written_bytes_per_step", t.written / byte}};
}

// The life of the drives is null where nothing wears them, or their endurance is not known.
OrderedJson tiers_json(const Scenario& s, const Estimate& e) {
    OrderedJson nvme = tier_json(e.nvme);
    const auto life = drive_life(s.machine.host.nvme, e.nvme.written, e.step.total());
    nvme["drive_life_seconds"] = life ? OrderedJson(*life / second) : OrderedJson();
    const Swap swap = swap_of(s);
    return {{"host", tier_json(e.host)}, {"nvme", nvme}, {"activation_share", swap.on() ? swap.share : 0.0}};
}

// ---- Codecs and clusters

OrderedJson codec_json(const CodecUse& u) {
    return {{"traffic", name_of(u.traffic)},
            {"codec", name_of(u.codec.kind)},
            {"ratio", number_json(u.ratio)},
            {"ranks", u.ranks},
            {"encodings", u.encodings},
            {"transfer_seconds", u.coded.time / second},
            {"codec_seconds", u.coded.codec / second},
            {"uncompressed_seconds", u.plain.time / second},
            {"pays", u.pays()},
            {"loss_risk", u.loss_risk},
            {"message", say(u)}};
}

OrderedJson compression_json(const Scenario& s) {
    const std::vector<CodecUse> uses = codec_uses(s);
    return {{"loss_risk", std::ranges::any_of(uses, &CodecUse::loss_risk)},
            {"traffic", json_list(uses, codec_json)},
            {"warnings", codec_warnings(s)}};
}

OrderedJson cluster_json(int cluster) { return cluster == no_cluster ? OrderedJson() : OrderedJson(cluster); }

OrderedJson stage_json(const Scenario& s, const StagePlace& p) {
    return {{"stage", p.stage},
            {"layers", p.layers},
            {"cluster", cluster_json(p.cluster)},
            {"nic", p.cluster == no_cluster ? OrderedJson() : OrderedJson(name_of(s.machine.clusters[p.cluster].nic))},
            {"transport", label_of(p.transport)},
            {"GBps_per_device", number_json(p.rate / GBps)},
            {"reduction_seconds", p.reduction / second}};
}

OrderedJson handover_json(const Handover& h) {
    return {{"after_stage", h.after},
            {"transport", label_of(h.transport)},
            {"GBps_per_device", number_json(h.rate / GBps)},
            {"message_seconds", h.message / second}};
}

OrderedJson alternative_json(const MappingAlternative& a) {
    return {{"mapping", name_of(a.mapping)},
            {"stage_split", name_of(a.split)},
            {"step_seconds", a.step / second},
            {"present", a.present}};
}

OrderedJson mapping_json(const Scenario& s) {
    const Placement p = placement(s);
    if (p.stages.empty()) return {};
    return {{"stages", json_list(p.stages, [&](const StagePlace& each) { return stage_json(s, each); })},
            {"handovers", json_list(p.handovers, handover_json)},
            {"alternatives", json_list(p.alternatives, alternative_json)}};
}

// ---- The whole run

// Steps and seconds without failures; hours, charges and energy with them, null where a plan makes no progress.
OrderedJson run_json(const Scenario& s, const Headline& h) {
    return {{"steps", h.steps},
            {"seconds", h.run / second},
            {"node_hours", h.node_hours},
            {"device_hours", h.device_hours},
            {"accounting_unit", s.machine.accounting.unit},
            {"accounting_units", h.accounting_units},
            {"energy_MWh", h.device_energy / megawatt_hour},
            {"facility_energy_MWh", h.facility_energy / megawatt_hour}};
}

OrderedJson optional_json(const std::optional<double>& v) { return v ? number_json(*v) : OrderedJson(); }

// Null where no price is known.
OrderedJson cost_json(const std::optional<Cost>& c) {
    if (!c) return {};
    return {{"currency", c->currency},
            {"low", number_json(c->low)},
            {"high", number_json(c->high)},
            {"per", name_of(c->per)},
            {"hour_low", number_json(c->hour_low)},
            {"hour_high", number_json(c->hour_high)},
            {"hours", number_json(c->hours)},
            {"as_of", c->as_of},
            {"source", c->source.text}};
}

// What nobody published is null.
OrderedJson carbon_json(const Carbon& c) {
    return {{"grid_gCO2e_per_kWh", optional_json(c.grid_g_per_kWh)},
            {"pue", number_json(c.pue)},
            {"operational_kgCO2e", optional_json(c.operational_kg)},
            {"embodied_gCO2e_per_node_hour", optional_json(c.embodied_g_per_node_hour)},
            {"embodied_kgCO2e", optional_json(c.embodied_kg)},
            {"grid_source", c.grid_g_per_kWh ? c.grid_source.text : std::string()},
            {"embodied_source", c.embodied_g_per_node_hour ? c.embodied_source.text : std::string()}};
}

// By the rule of totals(): training alone, or with all that comes beside it.
OrderedJson totals_json(const Scenario& s, const Headline& h, Counting counting) {
    const Totals t = totals(s, h, counting);
    return {{"seconds", number_json(t.time / second)},
            {"node_hours", number_json(t.node_hours)},
            {"device_hours", number_json(t.device_hours)},
            {"accounting_units", number_json(t.accounting_units)},
            {"energy_MWh", number_json(t.device_energy / megawatt_hour)},
            {"facility_energy_MWh", number_json(t.facility_energy / megawatt_hour)},
            {"cost", cost_json(cost_of(s, t))},
            {"carbon", carbon_json(carbon_of(s, t))}};
}

constexpr const char* chain_kinds[] = {"jobs", "no_policy", "no_bin", "too_short", "no_progress"};

OrderedJson chain_json(const JobChain& c) {
    OrderedJson object{
        {"kind", chain_kinds[static_cast<int>(c.kind)]}, {"policy_as_of", c.as_of}, {"source", c.source.text}};
    if (c.kind == ChainKind::jobs || c.kind == ChainKind::too_short) {
        object["bin"] = {
            {"min_nodes", c.bin.min_nodes}, {"max_nodes", c.bin.max_nodes}, {"walltime_h", c.bin.walltime / hour}};
        if (!c.bin.queue.empty()) object["bin"]["queue"] = c.bin.queue;
        if (c.bin.running > 0) object["bin"]["running"] = c.bin.running;
        object["lost_per_job_seconds"] = c.lost_per_job / second;
    }
    if (c.kind != ChainKind::jobs) return object;
    object["jobs"] = number_json(c.jobs);
    object["walltime_seconds"] = c.walltime / second;
    object["total_seconds"] = c.total / second;
    return object;
}

// Infinite times, of a plan that makes no progress, are written as null.
OrderedJson failures_json(const Scenario& s, const Headline& h) {
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
            {"interval_lengthened", r.lengthened()},
            {"overhead", parts_of(r.overhead, overhead_parts, one)},
            {"job_chain", chain_json(job_chain(s, h))}};
}

// Keys in the order of the document; an infeasible plan leaves them null.
constexpr const char* answers[] = {"step_seconds",
                                   "step",
                                   "memory",
                                   "tiers",
                                   "energy",
                                   "tflops_per_device",
                                   "mfu",
                                   "mfu_by_convention",
                                   "hfu",
                                   "tokens_per_second",
                                   "worked_tokens_per_second",
                                   "tokens_counted_share",
                                   "run",
                                   "resilience",
                                   "compression",
                                   "mapping",
                                   "parameters",
                                   "active_parameters",
                                   "trained_parameters",
                                   "expert_exchange",
                                   "devices",
                                   "nodes",
                                   "micro_batches",
                                   "band",
                                   "room",
                                   "headroom",
                                   "fit",
                                   "share_of_device",
                                   "tight_because",
                                   "training",
                                   "total"};

OrderedJson skeleton(bool feasible, bool fits) {
    OrderedJson root{{"feasible", feasible},
                     {"fits", fits},
                     {"obstacles", OrderedJson::array()},
                     {"cautions", OrderedJson::array()}};
    for (const char* key : answers) root[key] = nullptr;
    return root;
}

constexpr const char* circle_names[circles] = {"same_reach", "same_stack_and_device", "same_stack_or_device", "all"};

// The value lies between value / (1 + band) and value (1 + band) for two thirds of the runs, with `wide` for nine
// tenths.
OrderedJson spread_json(const Spread& s, double band, double wide) {
    return {{"band", band},
            {"wide", wide},
            {"runs", s.runs},
            {"sources", s.sources},
            {"alike", circle_names[static_cast<int>(s.circle)]}};
}

OrderedJson band_json(const Band& b) {
    OrderedJson time = spread_json(b.time_spread, b.time, b.time_wide);
    OrderedJson memory = spread_json(b.memory_spread, b.memory, b.memory_wide);
    time["parts"] = band_parts_json(b.time_parts);
    memory["parts"] = band_parts_json(b.memory_parts);
    return {{"time", std::move(time)}, {"memory", std::move(memory)}, {"beyond", b.beyond}};
}

// What the anchors make of the answer; null without one that is like the plan.
OrderedJson anchoring_json(const Scenario& s, const Estimate& e, const Anchoring* a) {
    if (!a || !a->any()) return {};
    const Scenario alone = model_alone(s);
    const Estimate model = *estimate(alone);  // asked: of the plan with its runs
    const Headline h = headline(alone, model);
    return {{"by", a->names},
            {"time_factor", a->time_factor},
            {"memory_factor", a->memory_factor},
            {"step_seconds", e.step.total() / second},
            {"memory_bytes", number_json(std::round(e.worst().total() / byte))},
            {"model_alone",
             {{"step_seconds", h.step / second},
              {"memory_bytes", number_json(model.worst().total() / byte)},
              {"mfu", h.mfu},
              {"total_seconds", number_json(totals(alone, h, Counting::all).time / second)}}},
            {"time_kin", name_of(a->time_kin)},
            {"memory_kin", name_of(a->memory_kin)},
            {"two_depths", a->two_depths},
            {"time_share", a->time_share},
            {"memory_share", a->memory_share},
            {"band_before", {{"time", a->before.time}, {"memory", a->before.memory}}}};
}

OrderedJson caution_json(const Caution& c) {
    const Knob* knob = find_knob(c.knob);
    return {{"id", c.id},
            {"knob", c.knob},
            {"found", number_json(c.found)},
            {"better", json_list(c.better, number_json)},
            {"message", say(c)},
            {"settings", json_list(c.better, [&](double v) { return setting_json(knob, v); })}};   // as --set takes it
}

OrderedJson mfu_json(const Scenario& s, const Estimate& e) {
    OrderedJson json = OrderedJson::object();
    for (const std::string_view name : names_of<FlopConvention>())
        json[std::string(name)] = rate_by(*from_name<FlopConvention>(name), s, e).mfu;
    return json;
}

void add_answers(OrderedJson& root, const Scenario& s, const Estimate& e, Watts most_power) {
    const Headline h = headline(s, e);
    root["cautions"] = json_list(cautions(s, most_power), caution_json);
    root["step_seconds"] = e.step.total() / second;
    root["step"] = parts_of(e.step, step_parts, second);
    root["memory"] = memory_json(e);
    root["tiers"] = tiers_json(s, e);
    root["energy"] = parts_of(e.energy, energy_parts, joule);
    root["tflops_per_device"] = h.per_device / TFLOPS;
    root["mfu"] = h.mfu;
    root["mfu_by_convention"] = mfu_json(s, e);
    root["hfu"] = h.hfu;
    root["tokens_per_second"] = h.tokens_per_second / (token / second);
    root["worked_tokens_per_second"] = h.worked_tokens_per_second / (token / second);
    root["tokens_counted_share"] = h.counted;
    root["run"] = run_json(s, h);
    root["resilience"] = failures_json(s, h);
    root["training"] = totals_json(s, h, Counting::training);
    root["total"] = totals_json(s, h, Counting::all);
    root["compression"] = compression_json(s);
    root["mapping"] = mapping_json(s);
    root["parameters"] = number_json(e.parameters);
    root["active_parameters"] = number_json(active_parameters(s.model));
    root["trained_parameters"] = number_json(e.trained_parameters);
    if (has_experts(s.model))
        root["expert_exchange"] = {{"bytes_per_step", number_json(e.exchange_volume / byte)},
                                   {"share_of_step", e.step.expert_exchange / e.step.total()}};
    root["devices"] = e.devices;
    root["nodes"] = e.nodes;
    root["micro_batches"] = e.micro_batches;
}

constexpr const char* operators[] = {"given", "sum", "difference", "product", "quotient", "maximum", "power_mean"};

OrderedJson term_json(const Term& t) {
    OrderedJson object{{"id", t.id}, {"label", t.label}, {"operator", operators[static_cast<int>(t.op)]},
                       {"value", t.value}, {"unit", t.unit}};
    if (t.op == Operator::power_mean) object["exponent"] = t.exponent;
    if (!t.formula.empty()) object["formula"] = t.formula;
    if (t.op == Operator::given)
        object["source"] = {{"kind", name_of(t.source.kind)}, {"text", t.source.text}};
    if (!t.children.empty()) object["children"] = json_list(t.children, term_json);
    return object;
}

// ---- Timeline

constexpr int pipeline_process = 1;  // its id

OrderedJson named(const char* what, int stage, const std::string& name) {
    return {{"ph", "M"}, {"name", what}, {"pid", pipeline_process}, {"tid", stage}, {"args", {{"name", name}}}};
}

OrderedJson event_json(const TimelineTask& t) {
    const std::string micro_batch = std::to_string(t.micro_batch + 1);
    return {{"ph", "X"},
            {"name", std::string(label_of(t.work)) + ' ' + micro_batch},
            {"cat", label_of(t.work)},
            {"pid", pipeline_process},
            {"tid", t.stage + 1},
            {"ts", t.start / microsecond},
            {"dur", (t.end - t.start) / microsecond},
            {"args", {{"stage", t.stage + 1}, {"chunk", t.chunk + 1}, {"micro_batch", t.micro_batch + 1}}}};
}

// Whether the memory leaves room, judged by the likely range where there is one.
void add_room(OrderedJson& root, const Estimate& e, const Band* band, double share) {
    Headroom asked{share};
    if (band) asked = judged(share, *band);
    root["room"] = id_of(room_of(e, asked));
    root["headroom"] = share;
    root["fit"] = id_of(fit_verdict(e));
    root["share_of_device"] = share_of_device(e);
    if (const std::string why = say_tight(e, asked); !why.empty()) root["tight_because"] = why;
}

OrderedJson estimate_object(const Scenario& s, const Outcome& o, const Band* band, const Anchoring* anchors = nullptr,
                            double headroom = usual_headroom, Watts most_power = {}) {
    OrderedJson root = skeleton(o.has_value(), may_run(o));
    if (const std::string changed = own_values_of_machine(s); !changed.empty()) root["hypothetical_machine"] = changed;
    if (o) add_answers(root, s, *o, most_power);
    if (o) add_room(root, *o, band, headroom);
    if (o && band) root["band"] = band_json(*band);
    if (o && anchors) root["anchored"] = anchoring_json(s, *o, anchors);
    if (!o) root["obstacles"] = json_list(o.error(), [&](const Obstacle& each) { return obstacle_json(each, s); });
    return root;
}

}  // namespace

std::string to_json(const Scenario& s, const Outcome& o, const Band* band, const Anchoring* anchors, double headroom,
                    Watts most_power) {
    return text_of(estimate_object(s, o, band, anchors, headroom, most_power));
}

std::string to_json(const Knob& knob, const std::vector<SweepPoint>& points) {
    const auto point = [](const SweepPoint& p) -> OrderedJson {
        return {{"value", number_json(p.value)}, {"estimate", estimate_object(p.scenario, p.outcome, nullptr)}};
    };
    return text_of({{"knob", knob.id}, {"points", json_list(points, point)}});
}

std::string to_json(const Term& t) { return text_of(term_json(t)); }

std::string to_trace_json(const Timeline& t, const Scenario& s) {
    OrderedJson events = OrderedJson::array();
    events.push_back(named("process_name", 0, "Pipeline of " + s.name));
    for (int i = 1; i <= t.stages(); ++i) {
        events.push_back(named("thread_name", i, "Stage " + std::to_string(i)));
        events.push_back({{"ph", "M"},
                          {"name", "thread_sort_index"},
                          {"pid", pipeline_process},
                          {"tid", i},
                          {"args", {{"sort_index", i}}}});
    }
    for (const TimelineTask& task : t.tasks) events.push_back(event_json(task));
    const OrderedJson trace{{"displayTimeUnit", "ms"},
                            {"otherData", {{"plan", s.name}, {"note", note(t)}}},
                            {"traceEvents", std::move(events)}};
    return compact_text_of(trace);
}

}  // namespace plimsoll
