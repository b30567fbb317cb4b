#include "core/evidence/published/row_defaults.h"

#include "core/values/basics/divisors.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

int largest_divisor_up_to(int of, int most) {
    int best = 1;
    for (int d : divisors(of))
        if (d <= most) best = std::max(best, d);
    return best;
}

int micro_batch_by_size(double parameters, int sequence_length) {
    if (sequence_length >= 4096) return 1;
    const double billions = parameters / 1e9;
    for (const auto& [limit, size] : {std::pair{2.5, 16}, {5.0, 8}, {25.0, 4}, {100.0, 2}})
        if (billions < limit) return size;
    return 1;
}

bool gated_by_count(const RowModel& row, Model m, bool stated) {
    if (!row.parameters) return stated;
    const auto miss = [&](bool branches) {
        m.activation = branches ? Activation::swiglu : Activation::gelu;
        return std::abs(parameters(m) / *row.parameters - 1);
    };
    return miss(stated) > 0.15 && miss(!stated) < 0.03 ? !stated : stated;
}

namespace {

bool states_fit(const Scenario& s, const Split& split) {
    constexpr double share = 0.6;
    const double rank = parameters(s.model) / split.tensor / split.pipeline * s.recipe.bytes_per_parameter;
    return rank * byte <= share * s.machine.device.memory;
}

}  // namespace

Split assumed_split(const RowLayout& l, const Scenario& s) {
    Split split{l.tensor.value_or(1), l.pipeline.value_or(1)};
    const bool sharded = !l.sharding.empty() || l.zero_stage.value_or(0) == 3;
    const auto done = [&] { return sharded || states_fit(s, split); };
    const auto share_devices = [&](int ranks) { return !l.devices || *l.devices % (ranks * l.context.value_or(1)) == 0; };
    const Model& m = s.model;
    if (!l.tensor)
        for (int t = 2; t <= s.machine.devices_per_node && !done(); t *= 2)
            if (m.heads % t == 0 && m.kv_heads % t == 0 && m.ffn % t == 0 && share_devices(t)) split.tensor = t;
    if (!l.pipeline)
        for (int p = 2; p <= m.layers && !done(); ++p)
            if (l.devices ? share_devices(split.tensor * p) : m.layers % p == 0) split.pipeline = p;
    return split;
}

}  // namespace plimsoll
