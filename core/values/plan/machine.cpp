#include "core/values/plan/machine.h"

#include <algorithm>
#include <climits>

namespace plimsoll {

FlopRate Device::peak(NumberFormat f) const {
    switch (f) {
        case NumberFormat::fp32: return fp32;
        case NumberFormat::tf32: return tf32;
        case NumberFormat::fp16: return fp16;
        case NumberFormat::bf16: return bf16;
        case NumberFormat::fp8: return fp8;
    }
    return {};
}

void span_levels(Machine& m) {
    const int devices = static_cast<int>(std::min<long long>(m.devices(), INT_MAX));
    for (Level& l : m.levels) l.devices = std::min(l.devices, devices);
    if (!m.levels.empty()) m.levels.back().devices = devices;
}

void set_machine_nodes(Machine& m, int nodes) {
    for (int k = most_clusters; k-- > 0;) {
        Cluster& last = m.clusters[k];
        if (last.nodes == 0) continue;
        last.nodes = static_cast<int>(std::max(1LL, nodes - (nodes_of(m.clusters) - last.nodes)));
        break;
    }
    m.nodes = nodes;
    span_levels(m);
}

void set_cluster_nodes(Machine& m, int cluster, int nodes) {
    m.clusters[cluster].nodes = nodes;
    if (any_cluster(m.clusters)) m.nodes = static_cast<int>(std::min<long long>(nodes_of(m.clusters), INT_MAX));
    span_levels(m);
}

}  // namespace plimsoll
