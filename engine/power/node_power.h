#pragma once
// The energy counters of all nodes of a job: every node's first rank samples its
// own, and what ranks want to know they agree on.
//
//   NodePower power(world, nodes, log);                        // collective: one `energy` line a node
//   const double from = power.now_s();  ... everybody works ...
//   const Used used = power.used(ranks, from, power.now_s());  // collective over `ranks`
//
// Rank 0's node writes a `power` line a domain and second; the others' numbers come
// to rank 0 when somebody asks, since only main threads talk to other nodes.

#include "engine/comm/mpi.h"
#include "engine/comm/ranks.h"
#include "engine/power/sampler.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace plimsoll::engine::power {

// What all nodes of some ranks used in a window. Every rank has the same, but for `domains`, which rank 0 has.
struct Used {
    std::optional<double> joules{};
    double window_s = 0;
    int nodes = 0;
    std::string scope{}, sources{};            // of the joules
    std::string reason{};                      // without joules: why, by the first node that has none
    std::vector<std::string> remarks{};
    nlohmann::ordered_json domains = nlohmann::ordered_json::array();  // [{node, source, domain, scope, W, J, limit_W}]
};

class NodePower {
public:
    // Collective over `world`.
    NodePower(const MpiComm& world, const Nodes&, Log&, const Places& = places_of_environment());

    bool available() const { return available_; }                    // some source on every node
    // This node's clock; 0 on ranks that do not sample.
    double now_s() const { return sampler_ ? sampler_->now_s() : 0; }

    // Collective over `ranks`, which are whole nodes or begin with their first ranks. Times are each node's own.
    Used used(const MpiComm& ranks, double from_s, double to_s);

    // Collective: the present of the nodes other than rank 0's, as `power` lines.
    void write_other_nodes(const MpiComm& ranks, Log&);

    // Of the node where the sampler takes most, on all ranks of `ranks`. Collective.
    Sampler::Cost cost(const MpiComm& ranks) const;

private:
    nlohmann::ordered_json energy_line() const;
    std::optional<Account> own_account(double from_s, double to_s, nlohmann::ordered_json& domains);

    int node_ = 0;
    bool available_ = false;
    std::unique_ptr<Sampler> sampler_;         // of a node's first rank
};

}  // namespace plimsoll::engine::power
