#include "core/values/plan/placement.h"

#include <algorithm>

namespace plimsoll {

namespace {

const Clusters& clusters(const Scenario& s) { return s.machine.clusters; }
bool one_network(const Scenario& s) { return !any_cluster(clusters(s)); }

int stage_ranks(const Scenario& s) { return s.layout.devices / s.layout.pipeline_parallel; }
long long ranks_in(const Scenario& s, int cluster) {
    return 1LL * clusters(s)[cluster].nodes * s.machine.devices_per_node;
}

// Where the rank lives when nodes are handed out cluster by cluster.
int cluster_of_rank(const Scenario& s, long long rank) {
    for (int k = 0; k < most_clusters; ++k)
        if ((rank -= ranks_in(s, k)) < 0) return k;
    return no_cluster;
}

// The last cluster that ranks in order reach.
int last_in_order(const Scenario& s) { return cluster_of_rank(s, s.layout.devices - 1LL); }

bool families_differ(const Scenario& s) {
    const int last = last_in_order(s);
    const Cluster* first = nullptr;
    for (int k = 0; k < most_clusters && (last == no_cluster || k <= last); ++k) {
        const Cluster& c = clusters(s)[k];
        if (c.nodes == 0) continue;
        if (!first) first = &c;
        else if (c.nic != first->nic) return true;
    }
    return false;
}

int by_whole_stages(const Scenario& s, int stage) {
    for (int k = 0; k < most_clusters; ++k)
        if ((stage -= int(ranks_in(s, k) / stage_ranks(s))) < 0) return k;
    return no_cluster;
}

int in_order(const Scenario& s, int stage) {
    const long long ranks = stage_ranks(s), first = stage * ranks;
    const int cluster = cluster_of_rank(s, first);
    return cluster == cluster_of_rank(s, first + ranks - 1) ? cluster : no_cluster;
}

// The least of a figure over the clusters a stage can lie on.
template <class Of>
double least(const Scenario& s, int cluster, Of of) {
    if (cluster != no_cluster) return of(clusters(s)[cluster]);
    double found = 0;
    for (const Cluster& c : clusters(s))
        if (c.nodes > 0) found = found > 0 ? std::min(found, of(c)) : of(c);
    return found;
}

bool all_measured(const Scenario& s) {
    return std::all_of(clusters(s).begin(), clusters(s).end(),
                       [](const Cluster& c) { return c.nodes == 0 || c.measured > FlopRate{}; });
}

}  // namespace

bool inside_node(const Scenario& s) {
    const int t = s.layout.tensor_parallel;
    return t <= s.machine.devices_per_node && s.machine.devices_per_node % t == 0;
}

int cluster_of_stage(const Scenario& s, int stage) {
    if (one_network(s)) return no_cluster;
    return s.layout.mapping == Mapping::holmes ? by_whole_stages(s, stage) : in_order(s, stage);
}

int network_of_stage(const Scenario& s, int stage) {
    if (one_network(s) || (s.layout.mapping == Mapping::ordered && families_differ(s))) return no_cluster;
    return cluster_of_stage(s, stage);
}

int network_after_stage(const Scenario& s, int stage) {
    if (one_network(s)) return no_cluster;
    const int next = stage + 1 < s.layout.pipeline_parallel ? stage + 1 : 0;
    const int here = network_of_stage(s, stage);
    return here == network_of_stage(s, next) ? here : no_cluster;
}

int network_of_layers(const Scenario& s) {
    if (one_network(s)) return no_cluster;
    const auto rate = [&](int k) { return clusters(s)[k].bandwidth * clusters(s)[k].efficiency; };
    int slowest = network_of_stage(s, 0);
    for (int i = 1; i < s.layout.pipeline_parallel && slowest != no_cluster; ++i) {
        const int here = network_of_stage(s, i);
        if (here == no_cluster || rate(here) < rate(slowest)) slowest = here;
    }
    return slowest;
}

bool holds_whole_stages(const Scenario& s) {
    long long stages = 0;
    for (int k = 0; k < most_clusters; ++k) stages += ranks_in(s, k) / stage_ranks(s);
    return stages >= s.layout.pipeline_parallel;
}

double stage_speed(const Scenario& s, int stage) {
    if (one_network(s)) return 1;
    return least(s, cluster_of_stage(s, stage), [](const Cluster& c) { return c.speed; });
}

double fastest_speed(const Scenario& s) {
    if (one_network(s)) return 1;
    double fastest = stage_speed(s, 0);
    for (int i = 1; i < s.layout.pipeline_parallel; ++i) fastest = std::max(fastest, stage_speed(s, i));
    return fastest;
}

double stage_rate(const Scenario& s, int stage) {
    if (one_network(s)) return 1;
    if (!all_measured(s)) return stage_speed(s, stage);
    return least(s, cluster_of_stage(s, stage), [](const Cluster& c) { return c.measured / (teraflop / second); });
}

}  // namespace plimsoll
