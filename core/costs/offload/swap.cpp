#include "core/costs/offload/swap.h"

#include "core/costs/memory/memory.h"
#include "core/costs/network/placement.h"
#include "core/costs/offload/ledger.h"
#include "core/costs/pipeline/schedule.h"
#include "core/costs/pipeline/share.h"

#include <algorithm>

namespace plimsoll {

namespace {

double in_flight(const Scenario& s, int stage) {
    const Layout& l = s.layout;
    return micro_batches_in_flight(l.schedule, stage, l.pipeline_parallel, l.virtual_stages, micro_batches(s));
}

// Half of the states' traffic of both passes in either half of their time.
PassFlows in_halves(const Flow& states, Seconds time) { return {0.5 * states, 0.5 * states, time / 2, time / 2}; }

PassFlows with_states(const Scenario& s, double parameters, Seconds forward, Seconds backward) {
    const Offload& o = s.layout.offload;
    const StateFlows f = state_flows(s, parameters);
    const bool halves = o.swaps() && o.stay_behind == StayBehind::keep && s.layout.pipeline_parallel == 1;
    return halves ? in_halves(f.forward + f.backward, forward + backward) : PassFlows{f.forward, f.backward, forward, backward};
}

// Drives take activations straight from the device (GPUDirect Storage), past host memory.
Flow leaving(const Swap& w, Bytes b) {
    Flow f = sent(w.tier, b);
    if (w.tier == Tier::nvme) f.memory = {};
    return f;
}
Flow returning(const Swap& w, Bytes b) {
    Flow f = fetched(w.tier, b);
    if (w.tier == Tier::nvme) f.memory = {};
    return f;
}

// On the stage where most of them are.
double most_layers_away(const Scenario& s) {
    double most = 0;
    for (int i = 0; i < s.layout.pipeline_parallel; ++i) most = std::max(most, layers_away(s, i));
    return most;
}

Bytes capacity(const Scenario& s, Tier tier) {
    return tier == Tier::host ? s.machine.host.memory : s.machine.host.nvme.capacity;
}

// Per layer: what the links carry beside the states in the layer's own time. Activations that
// are kept behind may use the time of the layers that do not send any, too.
double share_in_time(const Scenario& s, const Swap& w, const LayerTime& t) {
    const double speed = fastest_speed(s);
    const auto time = [speed](const PassTime& p) { return p.device() / speed + p.tensor + p.context; };
    const Seconds again = s.layout.recompute == Recompute::full ? time(t.forward) : Seconds{};
    const Seconds forward = time(t.forward), backward = time(t.backward) + again;
    const double away = most_layers_away(s);
    const double sending = w.stay_behind == StayBehind::keep ? away / (away + layers_on_device) : 1;
    PassFlows f = with_states(s, layer_parameters(s.model) / s.layout.weight_shards(), forward, backward);
    f.forward += leaving(w, w.always);
    f.backward += returning(w, w.always);
    const TierRates rates = tier_rates(s);
    return std::min(share_that_fits(f.forward, leaving(w, sending * w.elective), rates, f.behind_forward),
                    share_that_fits(f.backward, returning(w, sending * w.elective), rates, f.behind_backward));
}

double share_in_capacity(const Scenario& s, const Swap& w) {
    const Bytes free = capacity(s, w.tier) - node_states(s, w.tier).total();
    return share_that_holds(free / ranks_per_node(s), most_layers_away(s), w.always, w.elective);
}

}  // namespace

double share_that_holds(Bytes capacity, double layers, Bytes always, Bytes elective) {
    if (layers <= 0 || elective <= Bytes{}) return 1;
    return std::clamp((capacity / layers - always) / elective, 0.0, 1.0);
}

Swap swap_of(const Scenario& s, const LayerTime& layer) {
    const Offload& o = s.layout.offload;
    Swap w;
    if (!o.swaps()) return w;
    w.tier = o.activations;
    w.stay_behind = o.stay_behind;
    const Bytes all = stored_activations(s);
    if (w.stay_behind == StayBehind::recompute) w.always = layer_input(s) + attention_output(s);
    w.elective = all - w.always;
    w.in_time = share_in_time(s, w, layer);
    w.in_capacity = share_in_capacity(s, w);
    w.share = o.solve_share ? std::min(w.in_time, w.in_capacity) : o.activation_share;
    return w;
}

Swap swap_of(const Scenario& s) { return s.layout.offload.swaps() ? swap_of(s, layer_time(s)) : Swap{}; }

double layers_away(const Scenario& s, int stage) {
    return std::max(0.0, in_flight(s, stage) * layers_of_stage(s, stage) - layers_on_device);
}

Bytes swapped_residue(const Scenario& s, const Swap& w, int stage) {
    const double layers = in_flight(s, stage) * layers_of_stage(s, stage), away = layers_away(s, stage);
    const Bytes stays = w.stay_behind == StayBehind::keep ? (1 - w.share) * w.elective : Bytes{};
    return (layers - away) * (w.always + w.elective) + away * stays;
}

PassFlows pass_flows(const Scenario& s, const Swap& w, int stage, Seconds forward, Seconds backward) {
    PassFlows f = with_states(s, stage_parameters(s, stage).total(), forward, backward);
    if (!w.on()) return f;
    const Bytes moved = layers_away(s, stage) / in_flight(s, stage) * w.moved();
    f.forward += leaving(w, moved);
    f.backward += returning(w, moved);
    return f;
}

}  // namespace plimsoll
