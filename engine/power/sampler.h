#pragma once
// The thread that looks at a node's counters ten times a second while a run goes
// on, by its first rank. It keeps what it saw for an hour and counts what it costs.
//
//   Sampler sampler(open_sources(places_of_environment()), {});
//   const double from = sampler.now_s();   ... work ...
//   const Account used = account_of(sampler.energy(from, sampler.now_s()));
//
// Without a source there is no thread. Looks come at uneven intervals, 10 Hz on
// average: sensors of some boards look themselves ten times a second, for a quarter
// of the time, and an even pace beside theirs would show one phase of a step alone.

#include "engine/power/account.h"
#include "engine/power/sources/sources.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include <sched.h>

namespace plimsoll::engine::power {

// A domain as it is now, for people who watch.
struct Present {
    std::string source, domain;
    std::optional<double> watts;          // over the last 2.5 s
    double joules;                        // since the sampler began
    std::optional<double> counter_age_s;  // since the counter moved
};

struct SamplerOptions {
    double interval_s = 0.1;
    std::optional<cpu_set_t> processors{};                             // where the thread may run; nothing: anywhere
    std::function<void(const std::vector<Present>&)> each_second{};    // called by the thread
};

class Sampler {
public:
    Sampler(std::vector<CounterSource>, SamplerOptions);
    ~Sampler();

    const std::vector<CounterSource>& sources() const { return sources_; }
    bool available() const;                      // some source can be read
    double now_s() const;                        // its clock: monotonic, from its beginning
    std::vector<Share> energy(double from_s, double to_s);     // takes a look first when the last is old
    std::vector<Present> present();

    struct Cost {
        double cpu_s, wall_s;                    // the thread's own; looks taken for energy() are the caller's
        bool pinned;                             // to processors no rank uses
        double share() const { return wall_s > 0 ? cpu_s / wall_s : 0; }
    };
    Cost cost() const;

private:
    void watch();
    void look();
    std::vector<Present> present_now() const;

    std::vector<CounterSource> sources_;
    const SamplerOptions options_;
    const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    mutable std::mutex mutex_;                   // all below, and the readers
    std::condition_variable wake_;
    std::vector<std::vector<Trace>> traces_;     // of each domain of each source
    double looked_s_ = 0, cpu_s_ = 0;
    bool leaving_ = false, pinned_ = false;
    std::thread thread_;
};

}  // namespace plimsoll::engine::power
