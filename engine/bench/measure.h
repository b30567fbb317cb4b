#pragma once
// Times one piece of work over and over, on all ranks at once, until its median is
// known: warm-up to a steady state, then at least seven repetitions, until the
// 95 % interval of the median is within 3 % of it or the budget is spent.
//
// Of every repetition the slowest rank counts, since a step waits for it. All
// ranks repeat equally often: what decides is agreed on after each block.
//
//   const Timing t = measure(work, {.ranks = world, .budget_s = 0.1, .drain = ..., .alive = ...});
//   spread_of(t.seconds).median

#include "engine/comm/comm.h"
#include "engine/power/node_power.h"

#include <array>
#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace plimsoll::engine {

struct Timing {
    std::vector<double> seconds;     // a call: the slowest rank's, of every repetition
    double largest_median = 0;       // of the ranks' own medians
    double wall_over_cpu = 1;        // of the rank that was kept from its processor most
    long warmup = 0;                 // calls before the first that counts
    int calls = 1;                   // in one repetition
    bool steady = true;              // warm-up ended because nothing changed any more
    bool stopped = false;            // somebody asked for an end: too little was measured to be told
};

struct Work {
    std::function<void(std::size_t)> run;     // call number i, counted from 0; what it queues is drained
    std::function<void(std::size_t)> before{};  // before each call, not timed
    bool together = false;                    // ranks begin every repetition at a barrier
    int messages = 1;                         // done by one call: its time is divided by them
    bool busy = true;                         // the processor works all the time, or the machine is somebody else's
    std::function<std::string()> check{};     // after the last call: what is wrong with its result
    std::function<void(nlohmann::ordered_json& line, const Timing&)> finish{};  // adds keys; all ranks call it
    bool cached = false;                      // data fit the last-level cache though they should not
};

// Marks in a device's queue, and the seconds from each to the next (kernels.h); empty: the host's clock counts.
struct DeviceClock {
    std::function<void()> mark{};
    std::function<std::vector<double>()> between_marks{};
};

struct Measuring {
    Comm& ranks;                     // host memory
    double budget_s;
    std::function<void()> drain;     // of the device's queue
    std::function<void()> alive;     // called after each repetition
    DeviceClock device{};
};
inline constexpr std::size_t least_repetitions = 7, most_repetitions = 1000;
inline constexpr double wanted_interval = 0.03, steady_change = 0.02, longest_warm_up_s = 3;

// Collective over `ranks`.
Timing measure(const Work&, const Measuring&);

// Half the width of the median's 95 % interval, relative to the median.
double uncertainty(const std::vector<double>& seconds);

// Times taken beside those a point is about, in the same repetitions, so that a
// slow moment of the machine falls on all of them.
//
//   PairedTimes paired;  work.before = [&](auto) { paired.time(0, f); };
//   paired.median(0, timing.seconds.size(), ranks)
class PairedTimes {
public:
    template <class F> void time(std::size_t which, F f) {
        const auto began = std::chrono::steady_clock::now();
        f();
        add(which, std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    }
    void add(std::size_t which, double seconds) { seconds_[which].push_back(seconds); }

    // Of the last `n`, the slowest rank's of each. Collective.
    double median(std::size_t which, std::size_t n, Comm& ranks) const;

private:
    std::array<std::vector<double>, 4> seconds_;
};

// One piece of work, again and again for as long as a counter of energy needs, by
// all ranks at once.
//
//   const Sustained sustained = run_sustained(work, {ranks, 5, drain, alive}, power);
//   // of the window alone: a second before it brings clocks and heat up
//   sustained.timing.seconds, sustained.calls
struct Sustained {
    Timing timing;             // a call's seconds, by blocks of a tenth of a second
    long calls = 0;            // in the window
    power::Used used;
};

// Collective. `how.budget_s` is the window; a stop ends it.
Sustained run_sustained(const Work&, const Measuring& how, const MpiComm& ranks, power::NodePower&);

}  // namespace plimsoll::engine
