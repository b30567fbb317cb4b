// Rows of the knob table: which tier of a node keeps what, and what a node offers beside its devices.

#include "core/values/knobs/knob_rows.h"

#include "core/values/plan/layer.h"

namespace plimsoll::rows {

namespace {

constexpr auto offload = &Layout::offload;
constexpr auto nvme = &Host::nvme;
constexpr double billion = 1e9;
constexpr Bytes petabyte = 1e3 * terabyte;

template <auto Field>
Knob tier(const char* id, const char* label, const char* help) {
    return choice<Tier, layout, offload, Field>(id, label, help);
}

std::string_view without_swapping(const Scenario& s) {
    return s.layout.offload.swaps() ? "" : "Activations stay on the devices";
}
std::string_view without_set_share(const Scenario& s) {
    return s.layout.offload.swaps() && s.layout.offload.solve_share ? "The share is solved for" : without_swapping(s);
}

std::string_view without_drives(const Scenario& s) {
    return s.layout.offload.uses(Tier::nvme) ? "" : "Nothing is kept on drives";
}
std::string_view without_host_update(const Scenario& s) {
    return s.layout.offload.updates_on_cpus() ? "" : "The devices do the update";
}
std::string_view without_states_below(const Scenario& s) {
    return s.layout.offload.optimizer != Tier::device ? "" : "No states leave the devices";
}

template <SentModule module>
std::string_view without_sent_module(const Scenario& s) {
    if (!s.layout.offload.swaps()) return without_swapping(s);
    return has_module(s.model, module) ? "" : "no such module in the model";
}

template <SentModule module>
Knob sent_module_row(const char* id, const char* label, const char* help) {
    return idle_if(without_sent_module<module>,
                   flag<layout, offload, &Offload::modules, sent_module_rows[int(module)].listed>(id, label, help));
}

void add_sent_modules(Table& t) {
    t.push_back(sent_module_row<SentModule::attn_norm>(
        "layout.offload.modules.attn_norm", "Offload norm before attention",
        "Input of the norm in front of latent attention. With any module listed, the activations of those alone leave "
        "the devices. Megatron: --offload-modules attn_norm"));
    t.push_back(sent_module_row<SentModule::qkv_linear>(
        "layout.offload.modules.qkv_linear", "Offload attention input",
        "What the projections into attention store: their input, the layer's input where the norm is fused into them, "
        "latent vectors. Megatron: --offload-modules qkv_linear"));
    t.push_back(sent_module_row<SentModule::core_attn>(
        "layout.offload.modules.core_attn", "Offload attention core",
        "Queries, keys and values. Megatron: --offload-modules core_attn"));
    t.push_back(sent_module_row<SentModule::attn_proj>(
        "layout.offload.modules.attn_proj", "Offload attention output",
        "Input of the projection behind attention, which the attention core needs too: both leave together. Megatron: "
        "--offload-modules attn_proj"));
    t.push_back(sent_module_row<SentModule::mlp_norm>(
        "layout.offload.modules.mlp_norm", "Offload norm before experts",
        "Input of the norm in front of experts. Megatron: --offload-modules mlp_norm"));
    t.push_back(sent_module_row<SentModule::expert_fc1>(
        "layout.offload.modules.expert_fc1", "Offload expert input",
        "Tokens that were dispatched to the experts. Megatron: --offload-modules expert_fc1"));
    t.push_back(sent_module_row<SentModule::moe_act>(
        "layout.offload.modules.moe_act", "Offload before expert activation",
        "Input of the activation function of the routed experts. Megatron: --offload-modules moe_act"));
}

void add_tiers(Table& t) {
    t.push_back(tier<&Offload::weights>(
        "layout.offload.weights", "Weights kept on",
        "Tier of the 16-bit weights, fetched layer by layer (ZeRO-Infinity). DeepSpeed: offload_param.device"));
    t.push_back(tier<&Offload::gradients>(
        "layout.offload.gradients", "Gradients kept on",
        "Tier of the gradients, sent down as the backward pass produces them. DeepSpeed: follows offload_optimizer"));
    t.push_back(tier<&Offload::optimizer>(
        "layout.offload.optimizer_state", "Optimizer kept on",
        "Tier of the optimizer state; below the devices the CPUs do the update. DeepSpeed: offload_optimizer.device"));
    t.push_back(idle_if(without_states_below, real<one, layout, offload, &Offload::optimizer_share>(
        "layout.offload.optimizer_share", "Share of the optimizer", "", all_of(ranges::share),
        "Of the parameters, those whose optimizer state leaves the devices and which the CPUs update. Megatron: "
        "--optimizer-offload-fraction")));
    t.push_back(idle_if(without_states_below, flag<layout, offload, &Offload::paged_optimizer>(
        "layout.offload.paged_optimizer", "Paged optimizer",
        "The states come to the devices for the update, which the devices do; off: the CPUs update. Hugging Face: "
        "optim paged_adamw_8bit")));
    t.push_back(flag<layout, offload, &Offload::delayed_update>(
        "layout.offload.delayed_update", "Delayed update",
        "The CPUs update while the next step computes with weights one update old (ZeRO-Offload, section 5.2)"));
    t.push_back(tier<&Offload::activations>(
        "layout.offload.activations", "Activations sent to",
        "Tier of activations between forward and backward pass. DeepSpeed: cpu_checkpointing with full recompute"));
    add_sent_modules(t);
    t.push_back(idle_if(without_swapping, choice<StayBehind, layout, offload, &Offload::stay_behind>(
        "layout.offload.stay_behind", "Activations that stay",
        "What is not sent is kept on the device (SSDTrain) or computed again token by token (MEMO)")));
    t.push_back(idle_if(without_swapping, flag<layout, offload, &Offload::solve_share>(
        "layout.offload.solve_share", "Solve for the share",
        "Send the largest share of activations that nobody waits for and the tier holds")));
    t.push_back(idle_if(without_set_share, real<one, layout, offload, &Offload::activation_share>(
        "layout.offload.activation_share", "Activation share", "", all_of(ranges::share),
        "Share of activations sent where it is not solved for; with recomputation the alpha of MEMO, on top of layer "
        "inputs and attention outputs, which always go")));
    t.push_back(flag<layout, offload, &Offload::planned_memory>(
        "layout.offload.planned_memory", "Planned memory",
        "Transient memory is placed offline instead of by a caching allocator, so nothing is lost to fragmentation "
        "(MEMO)"));
}

}  // namespace

void add_host_tiers(Table& t) {
    t.push_back(idle_if(without_host_update, real<billion, machine, host, &Host::adam_rate>(
        "machine.host.adam_Gparameters_per_s", "Adam on the host", "billion parameters/s", {0, 1e3},
        "Per node, with fp32 states of 16-bit training; 0 derives it from the memory bandwidth")));
    t.push_back(idle_if(without_drives, count<machine, host, nvme, &Nvme::drives>(
        "machine.host.nvme.drives", "NVMe drives", "drives", {0, 256}, "Per node; 0 without")));
    t.push_back(idle_if(without_drives, real<terabyte, machine, host, nvme, &Nvme::capacity>(
        "machine.host.nvme.capacity_TB", "NVMe capacity", "TB", {0, 1e4, true}, "Per node, all drives; 0 without")));
    t.push_back(idle_if(without_drives, real<GBps, machine, host, nvme, &Nvme::read>(
        "machine.host.nvme.drives_read_GBps", "NVMe read", "GB/s", {0, 1e4, true}, "Per node, all drives")));
    t.push_back(idle_if(without_drives, real<GBps, machine, host, nvme, &Nvme::write>(
        "machine.host.nvme.drives_write_GBps", "NVMe write", "GB/s", {0, 1e4, true}, "Per node, all drives")));
    t.push_back(idle_if(without_drives, real<petabyte, machine, host, nvme, &Nvme::endurance>(
        "machine.host.nvme.drive_endurance_PB", "NVMe endurance", "PB per drive", {0, 1e5, true},
        "That may be written to one drive before it wears out (TBW); 0 when not known")));
}

void add_offload(Table& t) { under("Offload", t, add_tiers); }

}  // namespace plimsoll::rows
