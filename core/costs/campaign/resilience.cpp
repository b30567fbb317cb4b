#include "core/costs/campaign/resilience.h"

#include "core/costs/optimizer/optimizer.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

Seconds job_mtbf(const Reliability& r, int nodes) { return 1000 * day / (nodes * r.failures_per_1000_node_days); }

Seconds young_interval(Seconds checkpoint, Seconds mtbf) {
    return std::sqrt(2 * (checkpoint / second) * (mtbf / second)) * second;
}

Seconds daly_interval(Seconds checkpoint, Seconds mtbf) {
    if (checkpoint >= 2 * mtbf) return mtbf;
    const double x = std::sqrt(checkpoint / (2 * mtbf));
    return young_interval(checkpoint, mtbf) * (1 + x / 3 + x * x / 9) - checkpoint;
}

// To first order T loses (T - Y)^2 / (2 M T) more than Young's Y, which is `hardly_lost` at the larger root of
// T^2 - 2 (Y + r) T + Y^2 = 0, where r is that share of M.
Seconds practical_interval(Seconds young, Seconds mtbf) {
    if (young >= usual_interval) return young;
    const double y = young / second, r = hardly_lost * (mtbf / second);
    return min(usual_interval, (y + r + std::sqrt(r * (r + 2 * y))) * second);
}

Overhead overhead_at(Seconds interval, const Resilience& r) {
    const double rework = interval / (2 * r.mtbf), restarting = r.restart / r.mtbf;
    const double left = std::max(0.0, 1 - rework - restarting);
    return {r.checkpoint / (interval + r.checkpoint) * left, rework, restarting};
}

// The ranks of one pipeline stage that share a copy are neighbours; stages are apart.
int writing_nodes(const Scenario& s) {
    const Layout& l = s.layout;
    const long long ranks = 1LL * l.tensor_parallel * l.shards();
    const long long per_stage = (ranks + s.machine.devices_per_node - 1) / s.machine.devices_per_node;
    return static_cast<int>(std::clamp<long long>(per_stage * l.pipeline_parallel, 1, nodes_used(s)));
}

StorageRate writing(const Scenario& s) {
    const Storage& to = s.machine.storage;
    return {to.write, to.write_per_node, writing_nodes(s)};
}

StorageRate loading(const Scenario& s) {
    const Storage& from = s.machine.storage;
    return {from.read, from.write_per_node, nodes_used(s)};
}

ByteRate write_rate(const Scenario& s) { return writing(s).rate(); }

Seconds load_time(const Scenario& s) { return checkpoint_bytes(s) / loading(s).rate(); }

Resilience resilience(const Scenario& s) {
    const Recipe& recipe = s.recipe;
    const Seconds open{};
    Resilience r;
    r.mtbf = job_mtbf(s.machine.reliability, nodes_used(s));
    r.checkpoint_size = checkpoint_bytes(s);
    r.write = write_rate(s);
    r.checkpoint = recipe.checkpoint_time > open ? recipe.checkpoint_time : r.checkpoint_size / r.write;
    r.restart = s.machine.reliability.restart + load_time(s);
    r.young = young_interval(r.checkpoint, r.mtbf);
    r.daly = daly_interval(r.checkpoint, r.mtbf);
    r.optimal = recipe.checkpoint_interval == open;
    r.interval = r.optimal ? practical_interval(r.young, r.mtbf) : recipe.checkpoint_interval;
    r.overhead = overhead_at(r.interval, r);
    return r;
}

}  // namespace plimsoll
