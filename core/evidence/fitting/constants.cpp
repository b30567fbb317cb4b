#include "core/evidence/fitting/constants.h"

#include "core/values/basics/text.h"

#include <algorithm>

namespace plimsoll {

namespace {

// Facts of the hardware (peaks, bandwidths, sizes) are not here: a fit must not change them.
// What can be freed, with the width of its prior.
struct FreeKind {
    const char* knob;
    const char* group;   // "device", "network", "stack", "experts", "memory"
    double width;
};
constexpr FreeKind kinds[] = {
    {"machine.device.efficiency.gemm_ceiling", "device", 0.10},
    {"machine.device.efficiency.gemm_half_depth", "device", 0.50},
    {"machine.device.efficiency.gemm_half_area", "device", 0.50},
    {"machine.device.efficiency.stream_fraction", "device", 0.08},
    {"machine.device.efficiency.kernel_floor_us", "device", 0.40},
    {"machine.device.efficiency.flash_forward", "device", 0.25},
    {"machine.device.efficiency.flash_backward", "device", 0.25},
    {"machine.device.efficiency.flash_half_sequence", "device", 0.50},
    {"machine.device.efficiency.softmax_traffic", "device", 0.15},
    {"machine.device.efficiency.fp8_ceiling", "device", 0.10},
    {"machine.device.efficiency.fp8_half_depth", "device", 0.50},
    {"machine.device.efficiency.fp8_half_area", "device", 0.50},
    {"machine.device.efficiency.grouped_gemm", "device", 0.10},
    {"machine.device.efficiency.grouped_gemm_fp8", "device", 0.10},
    {"machine.device.efficiency.grouped_half_rows", "device", 0.50},
    {"machine.device.efficiency.grouped_half_width", "device", 0.50},
    {"machine.device.efficiency.grouped_weight_gradient", "device", 0.10},
    {"machine.device.efficiency.sustained", "device", 0.05},
    {"machine.device.efficiency.sustained_fp8", "device", 0.05},
    {"machine.device.efficiency.sustained_attention", "device", 0.05},
    {"machine.device.efficiency.power_exponent", "device", 0.20},
    {"machine.network.node_efficiency", "network", 0.20},
    {"machine.network.node_latency_us", "network", 0.40},
    {"machine.network.system_efficiency", "network", 0.30},
    {"machine.network.system_latency_us", "network", 0.50},
    {"stack.gemm_factor", "stack", 0.05},
    {"stack.elementwise_factor", "stack", 0.20},
    {"stack.fp32_residual_factor", "stack", 0.20},
    {"stack.flash_forward_scale", "stack", 0.25},
    {"stack.flash_backward_scale", "stack", 0.25},
    {"stack.quantisation_factor", "stack", 0.30},
    {"stack.host_layer_ms", "stack", 0.25},
    {"stack.host_tensor_ms", "stack", 0.50},
    {"stack.host_micro_batch_ms", "stack", 0.40},
    {"stack.host_pipeline_tensor_ms", "stack", 0.30},
    {"stack.pipeline_message_ms", "stack", 0.50},
    {"stack.host_optimizer_layer_ms", "stack", 0.50},
    {"stack.host_jitter", "stack", 0.40},
    {"stack.layer_gap_ms", "stack", 0.50},
    {"stack.step_constant_ms", "stack", 0.70},
    {"stack.tensor_exposed", "stack", 0.30},
    {"stack.pipeline_exposed", "stack", 0.30},
    {"stack.gradient_overlap", "stack", 0.30},
    {"stack.gradient_exposed", "stack", 0.30},
    {"stack.hidden_reduction_tax", "stack", 0.50},
    {"stack.tensor_crossing_us", "stack", 0.30},
    {"stack.bucket_crossing_ms", "stack", 0.30},
    {"stack.gather_overlap_tax", "stack", 0.50},
    {"stack.sharded_efficiency", "stack", 0.40},
    {"stack.owner_broadcast_ms", "stack", 0.50},
    {"stack.layer_handout_ms", "stack", 0.30},
    {"stack.node_reduction_ms", "stack", 0.50},
    {"stack.cross_entropy_bytes", "stack", 0.20},
    {"stack.optimizer_bytes", "stack", 0.40},
    {"stack.experts.exchange_efficiency", "experts", 0.30},
    {"stack.experts.exchange_exposed", "experts", 0.30},
    {"stack.experts.paired_exposed", "experts", 0.30},
    {"stack.experts.grouped_gemm_factor", "experts", 0.20},
    {"stack.experts.host_experts_ms", "experts", 0.40},
    {"stack.experts.host_exchange_ms", "experts", 0.40},
    {"stack.accumulation_bytes", "stack", 0.40},
    {"stack.fp32_accumulation_bytes", "stack", 0.40},
    {"stack.logit_bytes", "memory", 0.30},
    {"stack.optimizer_peak_bytes", "memory", 0.30},
    {"stack.gradient_copy_bytes", "memory", 0.30},
    {"stack.context_GiB", "memory", 0.30},
    {"stack.fragmentation", "memory", 0.05},
};

const FreeKind* kind_of_knob(std::string_view id) {
    for (const FreeKind& k : kinds)
        if (id == k.knob) return &k;
    return nullptr;
}

// Owners of a constant that have the same value now, and that value.
struct Shared {
    double value;
    std::vector<std::string> owners;
};

void note(std::vector<Shared>& all, double value, const std::string& owner) {
    for (Shared& s : all)
        if (s.value == value) return s.owners.push_back(owner);
    all.push_back({value, {owner}});
}

// Machines of a family: those that differ from most of the family are constants of their own.
std::vector<Shared> family(const Knob& knob, const std::string& name, const Machines& machines) {
    std::vector<Shared> all;
    for (const auto& [id, m] : machines)
        if (device_family(m.device.name) == name) note(all, value_in(knob, m), id);
    std::stable_sort(all.begin(), all.end(),
                     [](const Shared& a, const Shared& b) { return a.owners.size() > b.owners.size(); });
    return all;
}

// What stays local: a machine's own fabric.
bool per_machine(const Knob& knob) { return knob.id.starts_with("machine.network.system"); }

Constant constant(const Knob& knob, std::string name, std::vector<std::string> owners, double prior, double width) {
    return {&knob, std::move(name), std::move(owners), prior, width, {}, -1};
}

// Everything of one knob that the plans use.
std::vector<Constant> everywhere(const FreeKind& kind, const std::vector<Scenario>& plans, const Machines& machines) {
    const Knob& knob = *find_knob(kind.knob);
    std::vector<Constant> all;
    const auto known = [&](const std::string& owner) {
        return std::any_of(all.begin(), all.end(),
                           [&](const Constant& c) { return std::count(c.owners.begin(), c.owners.end(), owner) > 0; });
    };
    for (const Scenario& s : plans) {
        const bool stack = knob.group == KnobGroup::stack;
        const std::string& owner = stack ? s.stack.id : s.machine.id;
        if (known(owner) || !idle_reason(knob, s).empty()) continue;
        std::vector<std::string> owners{owner};
        std::string name = owner;
        if (!stack && !per_machine(knob)) {
            const std::string device = device_family(s.machine.device.name);
            const auto groups = family(knob, device, machines);
            for (const Shared& g : groups)
                if (std::count(g.owners.begin(), g.owners.end(), owner)) {
                    owners = g.owners;
                    name = &g == &groups.front() ? device : joined(g.owners, "+");
                }
        }
        const double now = knob.get(s);
        if (now > 0) all.push_back(constant(knob, name, owners, now, kind.width));  // what is switched off stays off
    }
    return all;
}

}  // namespace

double value_in(const Knob& knob, const Machine& m) {
    Scenario s;
    s.machine = m;
    return knob.get(s);
}
double value_in(const Knob& knob, const Stack& k) {
    Scenario s;
    s.stack = k;
    return knob.get(s);
}

bool Constant::concerns(const Scenario& s) const {
    return std::find(owners.begin(), owners.end(), of_stack() ? s.stack.id : s.machine.id) != owners.end();
}

Expected<Constant, std::string> family_constant(const std::string& id, const std::string& name, double prior,
                                                double width) {
    const FreeKind* kind = kind_of_knob(id);
    if (!kind) return Unexpected{"'" + id + "' is not a constant that can be fitted"};
    if (prior <= 0)
        return Unexpected{std::string("a family without machines or stacks of its own needs a prior above 0")};
    return constant(*find_knob(id), name, {}, prior, width > 0 ? width : kind->width);
}

Expected<Constant, std::string> constant_of(const std::string& id, const std::vector<std::string>& names, double prior,
                                            double width, const Machines& machines, const Stacks& stacks) {
    const FreeKind* kind = kind_of_knob(id);
    if (!kind) return Unexpected{"'" + id + "' is not a constant that can be fitted"};
    const Knob& knob = *find_knob(id);
    std::vector<Shared> found;
    for (const std::string& name : names) {
        const std::size_t before = found.size();
        if (knob.group == KnobGroup::stack) {
            if (const auto s = stacks.find(name); s != stacks.end()) note(found, value_in(knob, s->second), name);
        } else if (const auto m = machines.find(name); m != machines.end())
            note(found, value_in(knob, m->second), name);
        else if (const auto groups = family(knob, name, machines); !groups.empty())
            for (const std::string& owner : groups.front().owners) note(found, groups.front().value, owner);
        if (found.empty() || (found.size() == before && found.front().owners.empty()))
            return Unexpected{"no " + std::string(knob.group == KnobGroup::stack ? "stack" : "machine or device family")
                              + " '" + name + "'"};
    }
    std::vector<std::string> owners;
    for (const Shared& s : found) owners.insert(owners.end(), s.owners.begin(), s.owners.end());
    if (prior <= 0 && found.size() > 1)
        return Unexpected{"the values of " + id + " differ between " + joined(owners, "+") + ": a prior is needed"};
    const double value = prior > 0 ? prior : found.front().value;
    if (value <= 0) return Unexpected{id + " is 0 in " + joined(owners, "+") + ": a prior above 0 is needed"};
    return constant(knob, joined(names, "+"), owners, value, width > 0 ? width : kind->width);
}

Expected<std::vector<Constant>, std::string> choose(const std::vector<std::string>& words,
                                                    const std::vector<Scenario>& plans, const Machines& machines,
                                                    const Stacks& stacks) {
    std::vector<Constant> all;
    for (const std::string& word : words) {
        const auto at = word.find('@');
        if (at != std::string::npos) {
            auto one = constant_of(word.substr(0, at), split(word.substr(at + 1), '+'), 0, 0, machines, stacks);
            if (!one) return Unexpected{one.error()};
            all.push_back(*one);
            continue;
        }
        bool known = false;
        for (const FreeKind& kind : kinds)
            if (word == kind.group || word == kind.knob) {
                known = true;
                for (Constant& c : everywhere(kind, plans, machines)) all.push_back(std::move(c));
            }
        if (!known)
            return Unexpected{"'" + word
                              + "' is no group (device, network, stack, experts, memory) and no constant that can be "
                                "fitted"};
    }
    // A constant that was named twice is one.
    std::vector<Constant> once;
    for (Constant& c : all)
        if (std::none_of(once.begin(), once.end(), [&](const Constant& o) { return o.id() == c.id(); }))
            once.push_back(std::move(c));
    return once;
}

}  // namespace plimsoll
