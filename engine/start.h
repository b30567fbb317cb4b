#pragma once
// How ranks find each other on their nodes before anything runs: heartbeats in
// memory a node's ranks share, and the first lines of the log.
//
//   Nodes nodes(world);   WatchdogOptions{.beat = nodes.own(), .all = nodes.beats(), ...}
//   introduce(world, nodes, log, hello_inputs);     // hello, and hw for every node

#include "engine/comm/mpi.h"
#include "engine/report/hello.h"
#include "engine/report/watchdog.h"

#include <span>
#include <vector>

namespace plimsoll::engine {

class Nodes {
public:
    explicit Nodes(const MpiComm& world);
    ~Nodes();
    Nodes(const Nodes&) = delete;
    Nodes& operator=(const Nodes&) = delete;

    int local_rank() const { return local_; }
    const std::vector<int>& of_rank() const { return of_rank_; }  // node of each rank, in the order of their first ranks
    int local_ranks() const { return int(beats_.size()); }
    Heartbeat* own() const { return &beats_[std::size_t(local_)]; }
    std::span<Heartbeat> beats() const { return beats_; }

private:
    MPI_Win window_ = MPI_WIN_NULL;
    int local_ = 0;
    std::vector<int> of_rank_;
    std::span<Heartbeat> beats_;
};

// Collective. The lines are written by rank 0.
void introduce(const MpiComm& world, const Nodes&, Log&, const HelloInputs&);

}  // namespace plimsoll::engine
