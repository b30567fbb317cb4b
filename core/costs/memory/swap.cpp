#include "core/costs/memory/swap.h"

#include "core/costs/memory/activations.h"
#include "core/values/plan/placement.h"
#include "core/costs/pipeline/schedule.h"

#include <algorithm>

namespace plimsoll {

namespace {

// Half of the states' traffic of both passes in either half of their time.
PassFlows in_halves(const Flow& states, Seconds time) { return {0.5 * states, 0.5 * states, time / 2, time / 2}; }

PassFlows with_states(const Work& s, const Parameters& parameters, Seconds forward, Seconds backward) {
    const Offload& o = s.layout.offload;
    const StateFlows f = state_flows(s, parameters);
    const bool written_meanwhile = o.swaps() && !s.sends_modules && o.stay_behind == StayBehind::keep;
    const bool halves = written_meanwhile && s.layout.pipeline_parallel == 1;
    return halves ? in_halves(f.forward + f.backward, forward + backward)
                  : PassFlows{f.forward, f.backward, forward, backward};
}

// Rules let whole layers' activations leave the device where none has experts: then all layers keep as much. Those with
// a window are done sooner, and the links go on through layers of either kind: the mean counts.
constexpr Kind any_kind = 0;
LayerTime mean_layer(const Work& s, const LayerTimes& times) {
    if (s.layers.all_alike()) return times[any_kind];
    const LayerCounts counts = s.layers.all();
    LayerTime mean;
    for (Kind k = 0; k < s.layers.kinds(); ++k) {
        const double share = double(counts[k]) / counts.total();
        mean.forward += share * times[k].forward;
        mean.backward += share * times[k].backward;
    }
    return mean;
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
double most_layers_away(const Work& s) {
    double most = 0;
    for (int i = 0; i < s.layout.pipeline_parallel; ++i) most = std::max(most, layers_away(s, i));
    return most;
}

// Of the longest micro-batch, which tiers have room for, what the mean one sends.
double mean_share(const Work& s) { return s.tokens / s.longest().tokens; }

// Per layer: what the links carry beside the states in the layer's own time. Activations that
// are kept behind may use the time of the layers that do not send any, too.
double share_in_time(const Work& s, const Swap& w, const LayerTime& t) {
    const double speed = fastest_speed(s);
    const auto time = [speed](const PassTime& p) { return p.device() / speed + p.tensor + p.context + p.exchange; };
    const Seconds again = s.layout.recompute == Recompute::full ? time(t.forward) : Seconds{};
    const Seconds forward = time(t.forward), backward = time(t.backward) + again;
    const double away = most_layers_away(s);
    const double sending = w.stay_behind == StayBehind::keep ? away / (away + layers_on_device) : 1;
    PassFlows f = with_states(s, layer_share(s, s.layers[any_kind]), forward, backward);
    const Bytes always = mean_share(s) * w.always, elective = mean_share(s) * sending * w.elective;
    f.forward += leaving(w, always);
    f.backward += returning(w, always);
    const TierRates rates = tier_rates(s);
    return std::min(share_that_fits(f.forward, leaving(w, elective), rates, f.behind_forward),
                    share_that_fits(f.backward, returning(w, elective), rates, f.behind_backward));
}

// What the listed modules store of a layer, in the mean over these.
Bytes mean_of_modules(const Work& s, const LayerCounts& layers) {
    Bytes sum;
    for (Kind k = 0; k < s.layers.kinds(); ++k)
        if (layers[k] > 0) sum += double(layers[k]) * sent_with_modules(s.longest(), k);
    return sum / std::max(1, layers.total());
}

double share_in_capacity(const Work& s, const Swap& w) {
    const Bytes free = (tier_capacity(s.machine, w.tier) - node_states(s, w.tier).total()) / ranks_per_node(s);
    if (!s.sends_modules) return share_that_holds(free, most_layers_away(s), w.always, w.elective);
    double least = 1;
    for (int i = 0; i < s.layout.pipeline_parallel; ++i)
        least = std::min(least, share_that_holds(free, layers_away(s, i), {}, elective_of(s, w, i)));
    return least;
}

}  // namespace

double share_that_holds(Bytes capacity, double layers, Bytes always, Bytes elective) {
    if (layers <= 0 || elective <= Bytes{}) return 1;
    return std::clamp((capacity / layers - always) / elective, 0.0, 1.0);
}

Swap swap_of(const Work& s, const LayerTimes& times) {
    const Offload& o = s.layout.offload;
    Swap w;
    if (!o.swaps()) return w;
    w.tier = o.activations;
    w.stay_behind = o.stay_behind;
    const Work& most = s.longest();
    const Bytes all = s.sends_modules ? mean_of_modules(s, s.layers.all()) : stored_activations(most, any_kind);
    if (w.stay_behind == StayBehind::recompute)
        w.always = layer_input(most) + attention_output(most, s.layers[any_kind]);
    w.elective = all - w.always;
    w.in_time = share_in_time(s, w, mean_layer(s, times));
    w.in_capacity = share_in_capacity(s, w);
    w.share = o.solve_share ? std::min(w.in_time, w.in_capacity) : o.activation_share;
    return w;
}

Swap swap_of(const Work& s) {
    return s.layout.offload.swaps() ? swap_of(s, layer_times(s)) : Swap{};
}

double layers_away(const Work& s, int stage) {
    return std::max(0.0, micro_batches_in_flight(s, stage) * layers_of_stage(s, stage) - layers_on_device);
}

Bytes elective_of(const Work& s, const Swap& w, int stage) {
    return s.sends_modules ? mean_of_modules(s, blocks_of_stage(s, stage)) : w.elective;
}

Bytes moved_by(const Work& s, const Swap& w, int stage) {
    return s.sends_modules ? w.share * elective_of(s, w, stage) : w.moved();
}

Residue residue_of(const Work& s, const Swap& w, int stage) {
    const double layers = micro_batches_in_flight(s, stage) * layers_of_stage(s, stage), away = layers_away(s, stage);
    if (s.sends_modules) {
        Bytes kept;
        layers_in_flight(s, stage, [&](const KeptLayers& k) { kept += k.total(); });
        const Bytes each = layers > 0 ? kept / layers : Bytes{}, sent = elective_of(s, w, stage);
        return {layers - away, away, each, sent, 1 - w.share, each - sent};
    }
    return {layers - away, away, w.always + w.elective, w.elective,
            w.stay_behind == StayBehind::keep ? 1 - w.share : 0, {}};
}

namespace {

// One rank of a stage.
TierUse rank_use(const Work& s, Tier tier, const Swap& w, int stage) {
    const Offload& o = s.layout.offload;
    const StateShare own = owned_states(s, stage_parameters(s, stage));
    const auto here = [tier](Tier kept, Bytes b) { return kept == tier ? b : Bytes{}; };
    // Where the devices keep the masters and the gradients, the CPUs have copies of either.
    const bool copies = s.stack.updates.devices_keep_masters && o.gradients == Tier::device && o.optimizer == tier;
    const Bytes copied = copies ? o.optimizer_share * own.gradients_down : Bytes{};
    return {here(o.weights, own.weights), here(o.gradients, own.gradients) + copied, here(o.optimizer, own.optimizer),
            w.tier == tier ? layers_away(s, stage) * moved_by(s, w, stage) : Bytes{}};
}

void add(TierUse& sum, const TierUse& one, long long times) {
    for (const auto& part : tier_parts) sum.*part.value += double(times) * (one.*part.value);
}

// Stages follow each other in rank order, `width` ranks each.
TierUse use_of_node(const Work& s, Tier tier, const Swap& w, long long node) {
    const long long width = s.layout.devices / s.layout.pipeline_parallel, ranks = ranks_per_node(s);
    const long long from = node * ranks, to = std::min<long long>(from + ranks, s.layout.devices);
    TierUse sum;
    for (long long i = from / width; i * width < to; ++i)
        add(sum, rank_use(s, tier, w, int(i)), std::min(to, (i + 1) * width) - std::max(from, i * width));
    return sum;
}

}  // namespace

// Every node is either the one where some stage begins or like the one after it.
TierUse node_use(const Work& s, Tier tier, const Swap& w) {
    TierUse most;
    const long long width = s.layout.devices / s.layout.pipeline_parallel, ranks = ranks_per_node(s);
    for (int stage = 0; stage < s.layout.pipeline_parallel; ++stage)
        for (long long node = stage * width / ranks; node <= stage * width / ranks + 1; ++node) {
            if (node * ranks >= s.layout.devices) break;
            const TierUse here = use_of_node(s, tier, w, node);
            if (here.total() > most.total()) most = here;
        }
    return most;
}

TierUse node_states(const Work& s, Tier tier) { return node_use(s, tier, Swap{}); }

PassFlows pass_flows(const Work& s, const Swap& w, int stage, Seconds forward, Seconds backward) {
    PassFlows f = with_states(s, stage_parameters(s, stage), forward, backward);
    if (!w.on()) return f;
    const Bytes moved =
        mean_share(s) * (layers_away(s, stage) / micro_batches_in_flight(s, stage) * moved_by(s, w, stage));
    f.forward += leaving(w, moved);
    f.backward += returning(w, moved);
    return f;
}

}  // namespace plimsoll
