#include "core/answers/explain/explain.h"

#include "core/values/basics/names.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"
#include "core/answers/campaign/job_chain.h"
#include "core/answers/explain/explain_parts.h"
#include "core/answers/plan/rules.h"
#include "core/answers/campaign/headline.h"
#include "core/costs/campaign/energy.h"

namespace plimsoll {

namespace {

// What every tree may need, computed once.
struct Explained {
    const Scenario& scenario;
    StepParts parts;
    Estimate estimate;
    Headline head;
    explicit Explained(const Scenario& s)
        : scenario(s), parts{price(s), s}, estimate(estimate_of(s, parts)), head(headline(s, estimate)) {}
};

Term steps_term(const Explained& c) {
    const Recipe& r = c.scenario.recipe;
    std::string formula = phrase("tokens / (sequences per step x sequence length), rounded up: {1} / ({2} x {3})",
                                 (long long)tokens_of_run(r), r.global_batch_sequences,
                                 shortest(counted_sequence(r).tokens));
    if (const double reduction = r.optimizer_options.iteration_reduction; reduction != 1)
        formula = phrase("{1}, over the iteration reduction {2} set for this optimizer", formula,
                         std::to_string(reduction));
    return derived("Steps", c.head.steps, "", std::move(formula));
}

// What the model alone says, times what measured runs of one's own make of it.
Term from_runs(Term model, double factor) {
    if (factor == 1) return model;
    const std::string label = model.label, unit = model.unit, id = model.id;
    Term measured = given("Measured runs of your own", factor, "",
                          {SourceKind::user, phrase("runs that you measured, as far as they are like this plan")});
    return named(product(label, unit, {std::move(model), std::move(measured)}, "the model alone, times what was seen"),
                 id);
}

Term step_term(const Explained& c) { return from_runs(explain_step(c.parts), c.estimate.measured.time); }
Term part_term(const Explained& c, std::string_view id) {
    return from_runs(explain_part(c.parts, id), c.estimate.measured.time);
}

Term run_term(const Explained& c) {
    return product("Time to train", "s", {steps_term(c), step_term(c)}, "no failures, restarts, queue or evaluation");
}
Term wall_term(const Explained& c) { return explain_wall(c.scenario, run_term(c)); }
// Training with failures and the ends of jobs: what totals() counts for long runs.
Term total_term(const Explained& c) {
    return explain_total(c.scenario, job_chain(c.scenario, c.head), run_term(c));
}
Term hours(Term time) {
    return quotient("In hours", "h", std::move(time), derived("Seconds per hour", 3600, "s", "unit"));
}
Term nodes_term(const Explained& c) {
    const double held = nodes_held(c.scenario);
    return held == c.estimate.nodes ? counted("Nodes", held) : counted("Nodes, by the share of their devices", held);
}
Term node_hours(const Explained& c, Term time) {
    return product("Node-hours", "node-hours", {nodes_term(c), hours(std::move(time))},
                   c.scenario.machine.accounting.by_device
                       ? "devices are let singly and charged for all the time they are held"
                       : "whole nodes are charged for all the time they are held");
}
Term device_hours(const Explained& c, Term time) {
    return product("Device-hours", "device-hours", {counted("Devices", c.estimate.devices), hours(std::move(time))});
}
Term tokens_of_sequence(const Recipe& r) {
    if (filling_of(r).whole()) return counted("Sequence length", r.sequence_length);
    return derived("Tokens of a document", counted_sequence(r).tokens, "", "the mean, cut off at the sequence length");
}
Term tokens_per_second(const Explained& c) {
    const Recipe& r = c.scenario.recipe;
    return quotient("Tokens per second", "tokens/s",
                    product("Tokens per step", "tokens",
                            {counted("Sequences per step", r.global_batch_sequences),
                             tokens_of_sequence(r)}),
                    step_term(c));
}

Term rate_term(const Explained& c, const char* label, Flop work, const char* formula) {
    return quotient(label, "TFLOP/s", derived("Work per step", work / teraflop, "TFLOP", formula),
                    product("Device-seconds per step", "s", {counted("Devices", c.estimate.devices), step_term(c)}));
}
Term model_rate(const Explained& c) {
    const bool reference = runs_reference(c.scenario.method);   // one more forward pass
    if (trains_adapters(c.scenario.method))
        return rate_term(c, "Model FLOP rate per device", c.estimate.model_flop,
                         reference ? "6 N a token: 2 forward passes of frozen products, 3 of adapters and attention, "
                                     "1 of the reference model; full attention, padded head, nothing recomputed"
                                   : "4 N a token: 2 forward passes of frozen products, 3 of adapters and attention; "
                                     "full attention, padded head, nothing recomputed");
    if (reference)
        return rate_term(c, "Model FLOP rate per device", c.estimate.model_flop,
                         "8 N a token: 3 forward passes and 1 of the reference model; full attention, padded head, "
                         "nothing recomputed");
    return rate_term(c, "Model FLOP rate per device", c.estimate.model_flop,
                     "3 forward passes, full attention, padded head, nothing recomputed (Narayanan et al. 2021)");
}
Term hardware_rate(const Explained& c) {
    return rate_term(c, "Hardware FLOP rate per device", c.estimate.hardware_flop,
                     c.head.counted < 1 ? "the same with recomputation and padding counted"
                                        : "the same with recomputation counted");
}
Term exchange_share(const Explained& c) {
    return quotient("Share of the step in expert all-to-alls", "", part_term(c, "expert_exchange"),
                    step_term(c));
}
Term peak_term(const Explained& c) {
    const Scenario& s = c.scenario;
    const NumberFormat f = matrix_format(s.recipe);
    return given("Peak rate", s.machine.device.peak(f) / (teraflop / second), "TFLOP/s",
                 source_of(s.machine, "/device/peak_TFLOPS/" + std::string(name_of(f))));
}
Term mfu_term(const Explained& c) { return quotient("Model FLOP utilisation", "", model_rate(c), peak_term(c)); }
Term hfu_term(const Explained& c) { return quotient("Hardware FLOP utilisation", "", hardware_rate(c), peak_term(c)); }

Term device_power_term(const Explained& c) {
    const Power& p = c.scenario.machine.power;
    const Machine& from = c.scenario.machine;
    const BusyShare busy = busy_share(c.estimate.step);
    const auto share = [&](const char* what, double weight, const char* key, double part) {
        return product(phrase("While {1}", phrase(what)), "",
                       {given("Weight", weight, "", source_of(from, std::string("/power/") + key)),
                        derived("Share of the step", part, "", "parts of the step")});
    };
    return sum("Power of one device", "W",
               {given("Idle", p.device_idle / watt, "W", source_of(from, "/power/device_idle_W")),
                product("Active", "W",
                        {difference("Range", "W",
                                    given("Maximum", p.device_max / watt, "W", source_of(from, "/power/device_max_W")),
                                    given("Idle", p.device_idle / watt, "W", source_of(from, "/power/device_idle_W"))),
                         sum("Activity", "",
                             {share("computing", p.compute_weight, "compute_weight", busy.compute),
                              share("streaming memory", p.memory_weight, "memory_weight", busy.memory),
                              share("waiting on the network", p.network_weight, "network_weight", busy.network)})})});
}

Term in_megawatt_hours(Term joules, const std::string& label) {
    return quotient(label, "MWh", std::move(joules), derived("Joules per MWh", 3.6e9, "J", "unit"));
}
Term device_joules(const Explained& c, Term time) {
    return product("Energy of the devices", "J",
                   {counted("Devices", c.estimate.devices), device_power_term(c), std::move(time)},
                   "what failures cost draws as much power as training");
}
Term facility_joules(const Explained& c, const Term& time) {
    const Power& p = c.scenario.machine.power;
    const Machine& from = c.scenario.machine;
    const auto nodes = [&](const char* label, Watts w, const char* key) {
        return product(label, "J",
                       {nodes_term(c),
                        given("Power per node", w / watt, "W", source_of(from, key)), time});
    };
    std::vector<Term> it{device_joules(c, time), nodes("Hosts", p.host, "/power/host_W"),
                         nodes("Network", p.network, "/power/network_W")};
    if (const auto unused = unused_devices(c.scenario); unused > 0)
        it.push_back(product("Unused devices of these nodes", "J",
                             {counted("Unused devices", double(unused)),
                              given("Idle", p.device_idle / watt, "W", source_of(from, "/power/device_idle_W")),
                              time}));
    return product("Energy of the facility", "J",
                   {given("Power usage effectiveness", p.pue, "", source_of(from, "/power/pue")),
                    sum("IT energy", "J", std::move(it))});
}

Term device_energy(const Explained& c, Term time) {
    return in_megawatt_hours(device_joules(c, std::move(time)), "Device energy of the run");
}
Term facility_energy(const Explained& c, const Term& time) {
    return in_megawatt_hours(facility_joules(c, time), "Facility energy of the run");
}

Term layers_parameters(const Model& m, const LayerKind& kind, int layers, std::string label) {
    const bool routed = kind.feed == Feed::experts;
    const ParameterCounts one = layer_parameters(m, kind).all;
    std::vector<Term> parts{
        derived("Weight matrices", one[ParameterGroup::matrices] + one[ParameterGroup::packed], "",
                kind.letter != 0 ? "the mixer's and the feed-forward block's products"
                : routed ? "attention, shared experts and projections" : "h (a + 2 a_kv) d + a d h + 2 or 3 h f"),
        derived(routed ? "Router, biases and norms" : "Biases and norms",
                one[ParameterGroup::router] + one[ParameterGroup::vectors], "", "flags of the model")};
    if (routed)
        parts.push_back(product("Routed experts", "",
                                {given("Experts", m.experts.count, "", source_of(m, "/experts/count")),
                                 derived("One expert", expert_parameters(m), "", "2 or 3 h f_e and its biases")}));
    Term counted = given("Layers", layers, "", source_of(m, "/layers"));
    if (!kind.shared.on)
        return product(std::move(label), "", {std::move(counted), sum("One layer", "", std::move(parts))});
    const KindParameters held = kind_parameters(m, kind);
    return sum(std::move(label), "",
               {derived("Shared by all of them", held.shared.all.total(), "",
                        "the mixer's and the feed-forward block's products, biases and norms, once"),
                product("Each layer's own", "",
                        {std::move(counted),
                         derived("One layer", held.own.all.total(), "", "adapters, and the product behind it")})});
}
Term parameters_term(const Explained& c) {
    const Model& m = c.scenario.model;
    const Layers layers(m);
    std::vector<Term> parts;
    if (has_pattern(m)) {
        const LayerCounts counts = layers.all();
        for (Kind k = 0; k < layers.kinds(); ++k)
            if (counts[k] > 0)
                parts.push_back(layers_parameters(m, layers[k], counts[k], layers_in_words(layers[k], layers)));
    } else {   // a window has no parameters
        const int routed = layers.with_experts(), dense = m.layers - routed;
        if (dense > 0) parts.push_back(layers_parameters(m, dense_layer, dense, phrase("Layers")));
        if (routed > 0) parts.push_back(layers_parameters(m, expert_layer, routed, phrase("Layers with experts")));
    }
    if (m.further.depths > 0)
        parts.push_back(derived("Modules that predict further tokens",
                                modules_held(m) * module_parameters(m).all.total(), "",
                                "their layers, 2 h² and three norms each; once where all depths share one"));
    double ends = parameters(m);
    for (const Term& t : parts) ends -= t.value;
    parts.push_back(derived("Embeddings, positions, final norm", ends, "", "V h, twice when untied, and the rest"));
    return sum("Parameters", "", std::move(parts));
}

struct Entry {
    const char* id;
    Term (*build)(const Explained&);
};
constexpr Entry entries[] = {
    {"step_seconds", step_term},
    {"run.seconds", run_term},
    // With failures and checkpoints, without the ends of jobs.
    {"run.node_hours", [](const Explained& c) { return node_hours(c, wall_term(c)); }},
    {"run.device_hours", [](const Explained& c) { return device_hours(c, wall_term(c)); }},
    {"run.energy_MWh", [](const Explained& c) { return device_energy(c, wall_term(c)); }},
    {"run.facility_energy_MWh", [](const Explained& c) { return facility_energy(c, wall_term(c)); }},
    // With all of it.
    {"total.seconds", total_term},
    {"total.node_hours", [](const Explained& c) { return node_hours(c, total_term(c)); }},
    {"total.device_hours", [](const Explained& c) { return device_hours(c, total_term(c)); }},
    {"total.energy_MWh", [](const Explained& c) { return device_energy(c, total_term(c)); }},
    {"total.facility_energy_MWh", [](const Explained& c) { return facility_energy(c, total_term(c)); }},
    // Training alone.
    {"training.seconds", run_term},
    {"training.node_hours", [](const Explained& c) { return node_hours(c, run_term(c)); }},
    {"training.device_hours", [](const Explained& c) { return device_hours(c, run_term(c)); }},
    {"training.energy_MWh", [](const Explained& c) { return device_energy(c, run_term(c)); }},
    {"training.facility_energy_MWh", [](const Explained& c) { return facility_energy(c, run_term(c)); }},
    {"tokens_per_second", tokens_per_second},
    {"tflops_per_device", model_rate},
    {"hardware_tflops_per_device", hardware_rate},
    {"mfu", mfu_term},
    {"hfu", hfu_term},
    {"device_power_W", device_power_term},
    {"memory.worst_stage_bytes",
     [](const Explained& c) { return from_runs(explain_memory(c.parts), c.estimate.measured.memory); }},
    {"parameters", parameters_term},
    {"tiers.host_bytes", [](const Explained& c) { return explain_tier(c.estimate, Tier::host); }},
    {"tiers.nvme_bytes", [](const Explained& c) { return explain_tier(c.estimate, Tier::nvme); }},
    {"tiers.activation_share", [](const Explained& c) { return explain_share(c.parts); }},
    {"tiers.drive_life_seconds",
     [](const Explained& c) { return explain_drive_life(c.scenario, c.estimate, step_term(c)); }},
    {"expert_exchange.bytes", [](const Explained& c) { return explain_exchange_volume(c.scenario); }},
    {"expert_exchange.share", exchange_share},
    {"run.wall_seconds", wall_term},
    {"resilience.goodput", [](const Explained& c) { return explain_goodput(c.scenario); }},
    {"resilience.overhead", [](const Explained& c) { return explain_overhead(c.scenario); }},
    {"resilience.failures", [](const Explained& c) { return explain_failures(c.scenario, run_term(c)); }},
    {"resilience.mtbf_seconds", [](const Explained& c) { return explain_mtbf(c.scenario); }},
    {"resilience.checkpoint_bytes", [](const Explained& c) { return explain_checkpoint_size(c.scenario); }},
    {"resilience.checkpoint_seconds", [](const Explained& c) { return explain_checkpoint_time(c.scenario); }},
    {"resilience.interval_seconds", [](const Explained& c) { return explain_interval(c.scenario); }},
};

bool has_prefix(const std::string& id, const char* prefix) { return id.rfind(prefix, 0) == 0; }

}  // namespace

std::vector<std::string> explainable() {
    std::vector<std::string> ids;
    for (const Entry& e : entries) ids.push_back(e.id);
    for (const auto& part : step_parts) ids.push_back("step." + std::string(part.id));
    for (const auto& part : memory_parts) ids.push_back("memory." + std::string(part.id));
    return ids;
}

Expected<Term, std::vector<Obstacle>> explain(const Scenario& s, const std::string& id) {
    if (auto obstacles = check(s); !obstacles.empty()) return Unexpected{std::move(obstacles)};
    const Explained c(s);
    for (const Entry& e : entries)
        if (id == e.id) return named(e.build(c), id);
    for (const auto& part : step_parts)
        if (id == "step." + std::string(part.id)) return part_term(c, part.id);
    if (has_prefix(id, "memory."))
        for (const auto& part : memory_parts)
            if (id == "memory." + std::string(part.id))
                return from_runs(named(explain_memory_part(c.parts, part.id), id), c.estimate.measured.memory);
    return Unexpected{std::vector<Obstacle>{}};
}

}  // namespace plimsoll
