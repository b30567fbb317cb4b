#pragma once
// Clusters of one machine: nodes that share a network of their own. Between
// clusters lies the machine's outermost level, which all of them reach by TCP.
//
// A machine that names no clusters is one network throughout.

#include "core/values/basics/units.h"

#include <array>

namespace plimsoll {

// Network cards by what can talk to what: remote memory access works inside one
// family only, across families TCP is what is left.
enum class Nic { infiniband, roce, ethernet };

struct Cluster {
    int nodes = 0;              // 0: there is no such cluster
    Nic nic = Nic::infiniband;
    ByteRate bandwidth = 25 * gigabyte / second;  // each device's share per direction between nodes when all of them send
    double efficiency = 0.8;    // achieved fraction of it in a large ring
    Seconds latency = 5 * microsecond;
    double speed = 1;           // of its devices, against the machine's device
    // What a run on this cluster alone reached, to split layers by; 0 where not measured.
    FlopRate measured;
    friend bool operator==(const Cluster&, const Cluster&) = default;
};

inline constexpr int most_clusters = 4;
using Clusters = std::array<Cluster, most_clusters>;

inline bool any_cluster(const Clusters& all) {
    for (const Cluster& c : all)
        if (c.nodes > 0) return true;
    return false;
}
inline long long nodes_of(const Clusters& all) {
    long long nodes = 0;
    for (const Cluster& c : all) nodes += c.nodes;
    return nodes;
}

}  // namespace plimsoll
