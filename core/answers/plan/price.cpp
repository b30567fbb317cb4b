#include "core/answers/plan/price.h"

#include <algorithm>

namespace plimsoll {

int Priced::fullest_stage() const {
    const auto smaller = [](const MemoryUse& a, const MemoryUse& b) { return a.total() < b.total(); };
    return int(std::max_element(memory.begin(), memory.end(), smaller) - memory.begin());
}

Priced price(const Work& s) {
    Priced p;
    p.layers = layer_times(s);
    p.swap = swap_of(s, p.layers);
    p.stages = stage_times(s, p.layers, p.swap);
    p.step = step_of(s, p.stages);
    p.memory = stage_memories(s, p.swap);
    p.host = ledger_of(s, Tier::host, p.swap, p.stages);
    p.nvme = ledger_of(s, Tier::nvme, p.swap, p.stages);
    return p;
}

}  // namespace plimsoll
