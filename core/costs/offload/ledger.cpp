#include "core/costs/offload/ledger.h"

#include "core/costs/memory/memory.h"
#include "core/costs/pipeline/share.h"

#include <algorithm>

namespace plimsoll {

namespace {

// One rank of a stage.
TierUse rank_use(const Scenario& s, Tier tier, const Swap& w, int stage) {
    const Offload& o = s.layout.offload;
    const StateShare own = owned_states(s, stage_parameters(s, stage).total());
    const auto here = [tier](Tier kept, Bytes b) { return kept == tier ? b : Bytes{}; };
    return {here(o.weights, own.weights), here(o.gradients, own.gradients), here(o.optimizer, own.optimizer),
            w.tier == tier ? layers_away(s, stage) * w.moved() : Bytes{}};
}

void add(TierUse& sum, const TierUse& one, long long times) {
    for (const auto& part : tier_parts) sum.*part.value += double(times) * (one.*part.value);
}

// Stages follow each other in rank order, `width` ranks each.
TierUse use_of_node(const Scenario& s, Tier tier, const Swap& w, long long node) {
    const long long width = s.layout.devices / s.layout.pipeline_parallel, ranks = ranks_per_node(s);
    const long long from = node * ranks, to = std::min<long long>(from + ranks, s.layout.devices);
    TierUse sum;
    for (long long i = from / width; i * width < to; ++i)
        add(sum, rank_use(s, tier, w, int(i)), std::min(to, (i + 1) * width) - std::max(from, i * width));
    return sum;
}

}  // namespace

// Every node is either the one where some stage begins or like the one after it.
TierUse node_use(const Scenario& s, Tier tier, const Swap& w) {
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

TierUse node_states(const Scenario& s, Tier tier) { return node_use(s, tier, Swap{}); }

namespace {

struct Moved { Bytes read, write; };
Moved moved(const Flow& f, Tier tier) { return tier == Tier::host ? Moved{f.up, f.down} : Moved{f.read, f.write}; }

TierNeed available(const Scenario& s, Tier tier) {
    const TierRates r = tier_rates(s);
    const ByteRate link = min(r.link, r.memory);
    return tier == Tier::host ? TierNeed{{}, {}, link, link} : TierNeed{{}, {}, r.read, r.write};
}

}  // namespace

TierLedger ledger_of(const Scenario& s, Tier tier, const Swap& w, const std::vector<StageTime>& stages) {
    TierLedger l;
    // Host memory also carries what drives read and write.
    const Offload& o = s.layout.offload;
    if (tier == Tier::host ? !o.any() : !o.uses(tier)) return l;
    l.limit = tier == Tier::host ? s.machine.host.memory : s.machine.host.nvme.capacity;
    l.use = node_use(s, tier, w);
    l.need = available(s, tier);
    for (int i = 0; i < int(stages.size()); ++i) {
        const StageTime& t = stages[i];
        const PassFlows f = pass_flows(s, w, i, t.pass_forward, t.pass_backward);
        const Moved forward = moved(f.forward, tier), backward = moved(f.backward, tier);
        l.need.read = max(l.need.read, max(forward.read / f.behind_forward, backward.read / f.behind_backward));
        l.need.write = max(l.need.write, max(forward.write / f.behind_forward, backward.write / f.behind_backward));
        const Bytes update = moved(state_flows(s, stage_parameters(s, i).total()).update, tier).write;
        const Bytes written = micro_batches(s) * (forward.write + backward.write) + update;
        l.written = max(l.written, ranks_per_node(s) * written);
    }
    return l;
}

}  // namespace plimsoll
