#pragma once
// What the ranks of an allocation do together: they find each other on their nodes
// before anything runs (heartbeats in memory a node's ranks share, the first lines of
// the log), wait for each other between runs, and complete the log.
//
//   Nodes nodes(world);   WatchdogOptions{.beat = nodes.own(), .all = nodes.beats(), ...}
//   introduce(world, nodes, log, hello_inputs);     // hello, and hw for every node

#include "engine/comm/mpi.h"
#include "engine/report/hardware.h"
#include "engine/report/watchdog.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace plimsoll::engine {

class Nodes {
public:
    explicit Nodes(const MpiComm& world);
    ~Nodes();
    Nodes(const Nodes&) = delete;
    Nodes& operator=(const Nodes&) = delete;

    int local_rank() const { return local_; }
    // Node of each rank, in the order of their first ranks.
    const std::vector<int>& of_rank() const { return of_rank_; }
    Heartbeat* own() const { return &beats_[std::size_t(local_)]; }
    std::span<Heartbeat> beats() const { return beats_; }

private:
    MPI_Win window_ = MPI_WIN_NULL;
    int local_ = 0;
    std::vector<int> of_rank_;
    std::span<Heartbeat> beats_;
};

// Collective. The lines are written by rank 0.
void introduce(MpiComm& world, const Nodes&, Log&, const HelloInputs&);

// How a run ended on a rank; of several ranks the worst counts. left_out: this run failed, others may go on.
enum RunStatus { done, left_out, stopped, failed };

// Collective: the worst status of all ranks. Those that had no part in a run sleep until the others are done: spinning
// would take their cores.
int wait_for_all(const MpiComm& world, Watchdog& watchdog, int status);

// Complete the log with `summary` below its status, and give the exit code: after runs that were done or stopped, and
// after a failure that all ranks know of.
int complete_log(Log&, int status, const nlohmann::ordered_json& summary);
int complete_log(Log&, const Failure&, const MpiComm& world, const nlohmann::ordered_json& summary);

// Hardware threads for each of `ranks` while only they work: those that it may use, shared among the ranks of its node
// that may use the same ones. Collective.
int threads_to_spare(Comm& ranks, int node);

// Why this task is alone in its world though its launcher started several tasks; empty where it is not so. `variable`
// is std::getenv. Every one of them would run by itself, and write the same log.
std::string alone_among_tasks(int world_size, const std::function<const char*(const char*)>& variable);

// Rank 0's text on all ranks.
std::string broadcast_text(const MpiComm& world, std::string text);

// Texts of some ranks at the first one, in their order.
//
//   for (const std::string& text : gathered(ranks, mine)) ...     // empty on the others; empty texts are left out
//
// Collective.
std::vector<std::string> gathered(const MpiComm& ranks, const std::string& mine);

// The problem of the first rank that has one, empty elsewhere, as everybody's failure. Collective.
std::optional<Failure> first_failure(Comm& ranks, std::string problem, ExitCode);

}  // namespace plimsoll::engine
