#include "core/costs/step/ledger.h"


namespace plimsoll {

namespace {

struct Moved { Bytes read, write; };
Moved moved(const Flow& f, Tier tier) { return tier == Tier::host ? Moved{f.up, f.down} : Moved{f.read, f.write}; }

TierNeed available(const Work& s, Tier tier) {
    const TierRates r = tier_rates(s);
    const ByteRate link = min(r.link, r.memory);
    return tier == Tier::host ? TierNeed{{}, {}, link, link} : TierNeed{{}, {}, r.read, r.write};
}

}  // namespace

TierLedger ledger_of(const Work& s, Tier tier, const Swap& w, const std::vector<StageTime>& stages) {
    TierLedger l;
    if (!tier_used(s.layout.offload, tier)) return l;
    l.limit = tier_capacity(s.machine, tier);
    l.use = node_use(s, tier, w);
    l.need = available(s, tier);
    for (int i = 0; i < int(stages.size()); ++i) {
        const StageTime& t = stages[i];
        const PassFlows f = pass_flows(s, w, i, t.pass_forward, t.pass_backward);
        const Moved forward = moved(f.forward, tier), backward = moved(f.backward, tier);
        l.need.read = max(l.need.read, max(forward.read / f.behind_forward, backward.read / f.behind_backward));
        l.need.write = max(l.need.write, max(forward.write / f.behind_forward, backward.write / f.behind_backward));
        const Bytes update = moved(state_flows(s, stage_parameters(s, i)).update, tier).write;
        const Bytes written = s.micro_batches * (forward.write + backward.write) + update;
        l.written = max(l.written, ranks_per_node(s) * written);
    }
    return l;
}

}  // namespace plimsoll
