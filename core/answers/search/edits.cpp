#include "core/answers/search/edits.h"

#include "core/answers/plan/rules.h"
#include "core/answers/plan/valid_values.h"
#include "core/answers/search/search.h"
#include "core/values/basics/phrase.h"
#include "core/values/knobs/wording.h"

#include <algorithm>
#include <iterator>

namespace plimsoll {

namespace {

constexpr std::size_t most_attempts = 256;
constexpr std::string_view sent_module_knobs = "layout.offload.modules.";

void add(std::vector<Edit>& edits, const char* id, const std::vector<double>& values) {
    for (double v : values) edits.push_back({find_knob(id), v});
}

std::vector<double> above(std::vector<double> values, double low, double high, std::size_t most) {
    std::erase_if(values, [&](double v) { return v <= low || v > high; });
    if (values.size() > most) values.resize(most);
    return values;
}

void turn(Attempt& a, const std::string& id, double value) {
    const Knob& k = *find_knob(id);
    if (k.get(a.scenario) == value) return;
    a.edits.push_back({&k, value});
    k.set(a.scenario, value);
}

void add_valid(std::vector<Edit>& edits, const Scenario& s, const std::string& id) {
    if (const Knob* k = find_knob(id))
        for (double v : valid_values(s, *k, 4)) edits.push_back({k, v});
}

std::vector<Edit> edits_for(const Scenario& s, const Obstacle& o) {
    std::vector<Edit> edits;
    if (const Knob* k = find_knob(o.knob))
        for (double v : o.valid) edits.push_back({k, v});
    add_valid(edits, s, o.knob);
    if (o.of.starts_with("layout.")) add_valid(edits, s, o.of);  // the other side; the model stays what it is
    if (o.reason == Reason::device_count_mismatch || o.reason == Reason::exceeds_devices)
        for (const char* id :
             {"layout.tensor_parallel", "layout.pipeline_parallel", "layout.context_parallel", "nodes"})
            add_valid(edits, s, id);
    return edits;
}

}  // namespace

std::vector<Attempt> applied(const Attempt& from, const std::vector<Edit>& edits) {
    std::vector<Attempt> attempts;
    for (const Edit& e : edits) {
        if (std::ranges::find(from.edits, e.knob, &Edit::knob) != from.edits.end()) continue;  // back and forth
        const auto turned = with(from.scenario, *e.knob, e.value);
        if (!turned || *turned == from.scenario) continue;
        attempts.push_back({from.edits, *turned});
        attempts.back().edits.push_back(e);
    }
    return attempts;
}

int devices_held(const Scenario& s) { return nodes_used(s) * s.machine.devices_per_node; }

std::vector<Edit> memory_edits(const Scenario& s) {
    const Layout& l = s.layout;
    std::vector<Edit> edits;
    add(edits, "layout.recompute", {1, 2});
    if (l.recomputes_some()) add(edits, "layout.recompute_layers", {0});
    add(edits, "layout.zero_stage", {1, 2, 3});
    add(edits, "layout.sequence_parallel", {1});
    add(edits, "layout.micro_batch", {1});
    for (const char* kept : {"layout.offload.optimizer_state", "layout.offload.activations"})
        add(edits, kept, {double(Tier::device), double(Tier::host), double(Tier::nvme)});
    const Knob& tensor = *find_knob("layout.tensor_parallel");
    add(edits, "layout.tensor_parallel",
        above(valid_values(s, tensor), l.tensor_parallel, s.machine.devices_per_node, 6));
    const Knob& pipeline = *find_knob("layout.pipeline_parallel");
    add(edits, "layout.pipeline_parallel", above(valid_values(s, pipeline), l.pipeline_parallel, pipeline.high, 8));
    if (l.devices < devices_held(s))
        add(edits, "layout.devices",
            above(valid_values(s, *find_knob("layout.devices")), l.devices, devices_held(s), 4));
    add(edits, "nodes", above(node_counts(s), nodes_used(s), s.machine.nodes, 4));
    return edits;
}

std::vector<Edit> edits_of_the_run(const Scenario& s) {
    const Method& m = s.method;
    std::vector<Edit> edits;
    if (tunes(m) && !trains_adapters(m)) add(edits, "method.trained", {double(Trained::adapters)});
    if (tunes(m) && m.frozen != FrozenFormat::nf4_double)
        // torchtune keeps frozen weights in NF4 or in 16 bits.
        add(edits, "method.frozen",
            s.stack.software == Software::torchtune
                ? std::vector<double>{double(FrozenFormat::nf4_double)}
                : std::vector<double>{double(FrozenFormat::int8), double(FrozenFormat::nf4_double)});
    if (trains_adapters(m)) {
        for (int rank = m.rank / 2; rank >= std::max(1, m.rank / 4); rank /= 2) add(edits, "method.rank", {1.0 * rank});
        for (const char* on : {"method.magnitudes", "method.adapter_dropout", "method.trains_tables"})
            add(edits, on, {0});
    }
    if (keeps_reference(m))
        add(edits, "method.reference", {double(Reference::adapters_off), double(Reference::precomputed)});
    if (s.recipe.optimizer == Optimizer::adam) add(edits, "recipe.optimizer", {double(Optimizer::adam_8bit)});
    if (s.recipe.sequence_length > 1) add(edits, "recipe.sequence_length", {1.0 * (s.recipe.sequence_length / 2)});
    return edits;
}

std::vector<Attempt> with_modules(const Attempt& from) {
    std::vector<Attempt> attempts;
    for (const RecomputeModules& list : module_lists(from.scenario)) {
        Attempt a = from;
        turn(a, "layout.recompute", double(Recompute::selective));
        for (const ModuleRow& row : module_rows)
            turn(a, "layout.recompute_modules." + std::string(row.name), list.*row.listed);
        if (a.edits.size() > from.edits.size()) attempts.push_back(std::move(a));
    }
    return attempts;
}

std::vector<Attempt> with_fewer_adapted(const Attempt& from) {
    const Method& m = from.scenario.method;
    if (!trains_adapters(m) || !(m.adapted.query || m.adapted.key || m.adapted.value || m.adapted.output)) return {};
    Attempt a = from;
    for (const char* matrix : {"gate_proj", "up_proj", "down_proj"})
        turn(a, std::string("method.adapted.") + matrix, 0);
    if (a.edits.size() == from.edits.size()) return {};
    return {a};
}

std::vector<Attempt> with_sent_modules(const Attempt& from) {
    if (from.scenario.layout.offload.swaps()) return {};
    const auto sent = sent_by_module(from.scenario);
    if (!sent) return {};
    Attempt a = from;
    turn(a, "layout.offload.activations", double(sent->activations));
    for (const SentModuleRow& row : sent_module_rows)
        turn(a, std::string(sent_module_knobs).append(row.name), sent->modules.*row.listed);
    return {a};
}

std::vector<Attempt> with_more_of_the_optimizer(const Attempt& from) {
    const Layout& l = from.scenario.layout;
    const double before = 1 - l.offload.updated_on_devices();
    std::vector<Attempt> attempts;
    for (int tenths = 1; tenths < 10; ++tenths) {
        if (tenths <= 10 * before) continue;
        Attempt a = from;
        if (l.zero_stage == 0 && l.weight_replicas() > 1) turn(a, "layout.zero_stage", 1);
        if (l.offload.optimizer == Tier::device) turn(a, "layout.offload.optimizer_state", double(Tier::host));
        turn(a, "layout.offload.optimizer_share", tenths / 10.0);
        attempts.push_back(std::move(a));
    }
    return attempts;
}

std::vector<Attempt> cleared(const Scenario& s) {
    std::vector<Attempt> open{{{}, s}}, clear;
    for (int edits = 0; edits <= 3 && clear.empty(); ++edits) {
        std::vector<Attempt> next;
        for (const Attempt& a : open) {
            const std::vector<Obstacle> obstacles = check(a.scenario);
            if (obstacles.empty()) clear.push_back(a);
            for (const Obstacle& o : obstacles)
                if (next.size() < most_attempts)
                    std::ranges::move(applied(a, edits_for(a.scenario, o)), std::back_inserter(next));
        }
        open = std::move(next);
    }
    return clear;
}

std::string name_of(const std::vector<Edit>& edits) {
    std::string name, modules;
    for (const Edit& e : edits) {
        const bool module = e.knob->id.starts_with(sent_module_knobs) && e.value != 0;
        if (module) modules += (modules.empty() ? "" : ", ") + std::string(e.knob->id.substr(sent_module_knobs.size()));
        else name += (name.empty() ? "" : " + ") + say_edit(*e.knob, e.value);
    }
    return modules.empty() ? name : phrase("{1}, of {2} alone", name, modules);
}

}  // namespace plimsoll
