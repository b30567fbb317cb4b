#include "core/costs/campaign/energy.h"

namespace plimsoll {

BusyShare busy_share(const StepTime& t) {
    const Seconds all = t.total();
    if (all <= Seconds{}) return {};
    return {(t.gemm + t.attention + t.recompute + t.reference + t.ends + t.preconditioner) / all,
            (t.elementwise + t.optimizer) / all,
            (t.tensor_parallel + t.context_parallel + t.expert_exchange + t.shard_gather + t.pipeline_transfer
             + t.data_parallel)
                / all};
}

Watts device_power(const Scenario& s, const StepTime& t) {
    const Power& p = s.machine.power;
    const BusyShare busy = busy_share(t);
    const double share =
        p.compute_weight * busy.compute + p.memory_weight * busy.memory + p.network_weight * busy.network;
    return p.device_idle + share * (p.device_max - p.device_idle);
}

double optimizer_share_of_energy(const Scenario& s, const StepTime& t) {
    StepTime own;
    own.optimizer = t.optimizer;
    own.preconditioner = t.preconditioner;
    const Joules all = device_power(s, t) * t.total();
    return all > Joules{} ? device_power(s, own) * own.total() / all : 0;
}

EnergyUse energy_of(const Scenario& s, const StepTime& t) {
    const Seconds time = t.total();
    const Power& p = s.machine.power;
    const double nodes = nodes_held(s);
    EnergyUse e;
    e.devices = s.layout.devices * device_power(s, t) * time;
    e.unused = double(unused_devices(s)) * p.device_idle * time;
    e.hosts = nodes * p.host * time;
    e.network = nodes * p.network * time;
    e.cooling = (p.pue - 1) * (e.devices + e.unused + e.hosts + e.network);
    return e;
}

}  // namespace plimsoll
