#pragma once
// A thread a rank that ends a run nobody waits for any more: no change of phase
// for longer than max(limit, 20 median steps) is an error line that says where the
// rank was, then an abort of all ranks with exit code 70. On rank 0 it also
// prints a `beat` for every second in which the log was quiet.
//
//   Heartbeat* beats = one a rank of this node, in memory they share, zeroed (or an array of one)
//   Watchdog watchdog({.limit_s = 30, .beat = &beats[local], .all = {beats, local_ranks}, .log = &log,
//                 .abort = [](int code) { MPI_Abort(MPI_COMM_WORLD, code); }}, rank);
//   clock.changed = [&](Pass a, Phase b) { watchdog.changed(a, b); };
//   ... watchdog.step_took(seconds);   // every step
//
// Time in which this process did not run itself (stopped, suspended) does not
// count; the ranks that wait for it are the ones whose watchdogs act.

#include "engine/report/log.h"
#include "engine/report/phases.h"

#include <atomic>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace plimsoll::engine {

// Where one rank is; written by its trainer, read by rank 0 of the node. All zero to begin with.
struct alignas(64) Heartbeat {
    std::atomic<std::uint64_t> changes;
    std::atomic<std::uint64_t> looks;  // of its watchdog: a process that is stopped takes none
    std::atomic<int> rank;
    std::atomic<Pass> pass;
    std::atomic<Phase> phase;
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<Pass>::is_always_lock_free,
              "shared between processes");

struct WatchdogOptions {
    double limit_s = 30;
    Heartbeat* beat = nullptr;          // this rank's own
    std::span<Heartbeat> all{};         // this node's; rank 0 prints them
    Log* log = nullptr;
    std::function<void(int)> abort{};   // of all ranks
    double abort_takes_s = 5;           // after which the process leaves by itself
};

class Watchdog {
public:
    Watchdog(WatchdogOptions, int rank);
    ~Watchdog();

    // The trainer's thread: a few nanoseconds each.
    void changed(Pass pass, Phase phase) {
        options_.beat->pass.store(pass, std::memory_order_relaxed);
        options_.beat->phase.store(phase, std::memory_order_relaxed);
        options_.beat->changes.fetch_add(1, std::memory_order_relaxed);
    }
    void step_took(double seconds);
    // A device, or a group of ranks on devices, is about to be opened: that may take ten times the limit, until the
    // next change. A library that does not return then ends the run as a device's failure.
    void opens(const std::string& what);

private:
    void watch();
    void print_beat();
    void end_run(double idle_s, double limit_s, const std::string& opening);
    std::string opening(std::uint64_t changes);
    void remember();
    std::string others() const;

    WatchdogOptions options_;
    int rank_;
    std::vector<double> steps_;             // of the trainer's thread: the last 20
    std::atomic<double> median_step_s_{0};
    std::mutex opening_mutex_;
    std::string opening_;
    std::uint64_t opened_at_ = 0;           // changes when it was told
    std::vector<std::uint64_t> looks_;      // of all at the last change here
    std::atomic<bool> leaving_{false};
    std::thread thread_;
};

}  // namespace plimsoll::engine
