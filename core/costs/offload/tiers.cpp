#include "core/costs/offload/tiers.h"

#include <algorithm>

namespace plimsoll {

Flow& Flow::operator+=(const Flow& o) {
    up += o.up;
    down += o.down;
    memory += o.memory;
    read += o.read;
    write += o.write;
    return *this;
}

Flow fetched(Tier tier, Bytes b) {
    switch (tier) {
        case Tier::device: return {};
        case Tier::host: return {b, {}, b, {}, {}};
        case Tier::nvme: return {b, {}, 2 * b, b, {}};  // into a buffer in host memory, and out of it
    }
    return {};
}

Flow sent(Tier tier, Bytes b) {
    switch (tier) {
        case Tier::device: return {};
        case Tier::host: return {{}, b, b, {}, {}};
        case Tier::nvme: return {{}, b, 2 * b, {}, b};
    }
    return {};
}

bool tier_used(const Offload& o, Tier tier) { return tier == Tier::host ? o.any() : o.uses(tier); }

Bytes tier_capacity(const Machine& m, Tier tier) {
    return tier == Tier::host ? m.host.memory : m.host.nvme.capacity;
}

int ranks_per_node(const Work& s) { return std::min(s.layout.devices, s.machine.devices_per_node); }

TierRates tier_rates(const Work& s) {
    const Host& h = s.machine.host;
    const double ranks = ranks_per_node(s);
    return {h.link, host_copy_share * h.memory_bandwidth / ranks, h.nvme.read / ranks, h.nvme.write / ranks};
}

namespace {

Seconds over(Bytes b, ByteRate r) { return b > Bytes{} ? b / r : Seconds{}; }

// Of `part` through one resource that has `left` after what always goes.
double share_of(Seconds left, Seconds part) { return part > Seconds{} ? std::clamp(left / part, 0.0, 1.0) : 1; }

Seconds drives(const Flow& f, const TierRates& r) { return over(f.read, r.read) + over(f.write, r.write); }

}  // namespace

Seconds time_of(const Flow& f, const TierRates& r) {
    return max(max(over(f.up, r.link), over(f.down, r.link)), max(over(f.memory, r.memory), drives(f, r)));
}

double share_that_fits(const Flow& always, const Flow& part, const TierRates& r, Seconds window) {
    return std::min({share_of(window - over(always.up, r.link), over(part.up, r.link)),
                     share_of(window - over(always.down, r.link), over(part.down, r.link)),
                     share_of(window - over(always.memory, r.memory), over(part.memory, r.memory)),
                     share_of(window - drives(always, r), drives(part, r))});
}

Flow downwards(const Flow& f) { return {{}, f.down, f.down, {}, {}}; }
Flow upwards(const Flow& f) { return {f.up, {}, f.memory - f.down, f.read, f.write}; }

namespace {

double owned(const Work& s, const ParameterCounts& p) {
    return p.common() / s.layout.shards() + p.routed() / s.layout.expert_shards();
}

}  // namespace

StateShare owned_states(const Work& s, const Parameters& parameters) {
    const StateBytes& b = s.states;
    const double all = owned(s, parameters.all), trained = owned(s, parameters.trained);
    Bytes optimizer;
    parameters.trained.by_value(b.optimizer, [&](double bytes, const ParameterCounts& alike) {
        optimizer += bytes * owned(s, alike) * byte;
    });
    const bool wide = s.stack.updates.devices_keep_masters;
    constexpr double fp32 = 4;
    const Offload& o = s.layout.offload;
    if (o.optimizer != Tier::device) optimizer = o.optimizer_share * optimizer;
    Bytes weights = b.weights * all * byte;
    if (trains_adapters(s.method)) {   // frozen ones are kept as products read them, or in few bits
        const double narrow = owned(s, quantised(s.method, parameters));
        weights = (b.weights * trained + b.fetched * (all - trained - narrow)
                   + frozen_bytes(s.method.frozen) * narrow) * byte;
    }
    return {weights, b.gradients * trained * byte, optimizer, b.weights * trained * byte,
            (wide ? fp32 : b.gradients) * trained * byte, (wide ? fp32 : b.weights) * trained * byte};
}

double optimizer_bytes_on_device(const Work& s, double kept) {
    const Offload& o = s.layout.offload;
    if (o.optimizer == Tier::device) return kept;
    const bool masters = s.stack.updates.devices_keep_masters && o.updates_on_cpus();
    const double stays = masters ? master_bytes(s.recipe) : 0;
    return stays + (1 - o.optimizer_share) * (kept - stays);
}

namespace {

// After the last backward pass. The CPUs read gradients and write weights where these are kept.
Flow update_flow(const Offload& o, const StateShare& own) {
    if (o.optimizer == Tier::device) return sent(o.weights, own.updated);
    if (o.paged_optimizer) return fetched(o.optimizer, own.optimizer) + sent(o.optimizer, own.optimizer);
    Flow f;
    const double share = o.optimizer_share;
    if (o.gradients == Tier::device) f += sent(Tier::host, share * own.gradients_down);
    if (o.gradients == Tier::nvme) f += {{}, {}, own.gradients, own.gradients, {}};
    if (o.optimizer == Tier::nvme) f += {{}, {}, 2 * own.optimizer, own.optimizer, own.optimizer};
    if (o.weights == Tier::device) f += fetched(Tier::host, share * own.weights_up);
    if (o.weights == Tier::nvme) f += {{}, {}, own.updated, {}, own.updated};
    return f;
}

}  // namespace

StateFlows state_flows(const Work& s, const Parameters& parameters) {
    const Offload& o = s.layout.offload;
    if (!o.states()) return {};
    const StateShare own = owned_states(s, parameters);
    StateFlows f;
    f.forward = f.backward = fetched(o.weights, own.weights);
    f.backward += sent(o.gradients, own.gradients);
    // The sum so far comes back to be added to, in all micro-batches but the first.
    const double m = s.micro_batches;
    f.backward += (m - 1) / m * fetched(o.gradients, own.gradients);
    f.update = update_flow(o, own);
    return f;
}

double update_bytes_touched(const Work& s) {
    const StateBytes& b = s.states;
    return 2 * b.optimizer[ParameterGroup::matrices] + b.gradients + b.weights;
}

double node_update_rate(const Work& s) {
    const Host& h = s.machine.host;
    const double touched = update_bytes_touched(s);
    if (h.adam_rate > 0) return h.adam_rate * adam_bytes_touched / touched;
    return host_update_share * (h.memory_bandwidth / (byte / second)) / touched;
}

HostUpdate host_update(const Work& s, const Parameters& parameters) {
    return {ranks_per_node(s), s.layout.offload.optimizer_share * owned(s, parameters.trained), node_update_rate(s)};
}

bool moves_in_turn(const Work& s) {
    return s.layout.offload.updates_on_cpus() && s.stack.updates.moves_in_turn;
}

Seconds host_update_time(const Work& s, const Parameters& parameters) {
    return s.layout.offload.updates_on_cpus() ? host_update(s, parameters).time() : Seconds{};
}

}  // namespace plimsoll
