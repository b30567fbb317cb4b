#pragma once
// Where a rank's wall time goes: the pass it is in times the part it does.
//
// Parts carry the cost model's names (core/values/plan/breakdown.h), so that a
// measured bar stands beside the predicted one. A clock is always in exactly one
// pass and part, so that they add up to the wall time; `launch` is what no scope
// claimed.
//
//   clock.start();  clock.enter(Pass::forward);
//   { Scope s(clock, Phase::attention); kernels.attention(...); }
//   double seconds = clock.lap().of(Pass::forward, Phase::attention);

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <utility>
#include <vector>

namespace plimsoll::engine {

enum class Pass : std::uint8_t { data, forward, backward, recompute, update };
inline constexpr const char* pass_names[] = {"data", "forward", "backward", "recompute", "update"};

enum class Phase : std::uint8_t {
    launch,  // not claimed by any scope
    gemm,
    attention,
    elementwise,
    ends,
    tensor_parallel,
    shard_gather,
    pipeline_transfer,
    bubble,
    data_parallel,
    optimizer
};
inline constexpr const char* phase_names[] = {"launch", "gemm",            "attention",     "elementwise",
                                              "ends",   "tensor_parallel", "shard_gather",  "pipeline_transfer",
                                              "bubble", "data_parallel",   "optimizer"};
inline constexpr std::size_t pass_count = std::size(pass_names), phase_count = std::size(phase_names);

// Seconds of every pass and part.
class PhaseSeconds {
public:
    double of(Pass a, Phase b) const { return seconds_[std::size_t(a)][std::size_t(b)]; }
    double of(Phase b) const {
        double sum = 0;
        for (const auto& pass : seconds_) sum += pass[std::size_t(b)];
        return sum;
    }
    double total() const {
        double sum = 0;
        for (const auto& pass : seconds_)
            for (const double s : pass) sum += s;
        return sum;
    }
    void add(Pass a, Phase b, double seconds) { seconds_[std::size_t(a)][std::size_t(b)] += seconds; }

private:
    std::array<std::array<double, phase_count>, pass_count> seconds_{};
};

class PhaseClock {
public:
    // Where a device computes, the host's clock tells when work was queued, not when it was done: then every change
    // leaves a mark in the device's queue, and the times between marks are read at the end of a lap. Both or none.
    std::function<void()> mark;
    std::function<std::vector<double>()> between_marks;  // seconds from each mark to the next; the last one stays
    // Called at every change, for the watchdog, which counts changes.
    std::function<void(Pass, Phase)> changed;

    // The first lap begins; nothing counts before.
    void start() {
        running_ = true;
        seconds_ = {};
        owners_.clear();
        if (mark) {
            mark();
            (void)between_marks();
        }
        since_ = Clock::now();
    }
    // What passed since the start or the last lap; the next lap begins where this one ends.
    PhaseSeconds lap() {
        settle();
        if (mark) {
            const std::vector<double> times = between_marks();
            for (std::size_t i = 0; i < std::min(times.size(), owners_.size()); ++i)
                seconds_.add(owners_[i].first, owners_[i].second, times[i]);
            owners_.clear();
        }
        return std::exchange(seconds_, {});
    }
    void enter(Pass pass) {
        settle();
        pass_ = pass;
        announce();
    }
    Phase enter(Phase phase) {
        settle();
        const Phase before = phase_;
        phase_ = phase;
        announce();
        return before;
    }
    Pass pass() const { return pass_; }

private:
    using Clock = std::chrono::steady_clock;
    void settle() {
        if (!running_) return;
        if (mark) {
            mark();
            owners_.emplace_back(pass_, phase_);
            return;
        }
        const auto now = Clock::now();
        seconds_.add(pass_, phase_, std::chrono::duration<double>(now - since_).count());
        since_ = now;
    }
    void announce() { if (changed) changed(pass_, phase_); }

    bool running_ = false;
    PhaseSeconds seconds_;
    std::vector<std::pair<Pass, Phase>> owners_;  // of the time before each mark
    Pass pass_ = Pass::data;
    Phase phase_ = Phase::launch;
    Clock::time_point since_{};
};

// One phase for the length of a block; what was before comes back.
class Scope {
public:
    Scope(PhaseClock& clock, Phase phase) : clock_(clock), before_(clock.enter(phase)) {}
    ~Scope() { clock_.enter(before_); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

private:
    PhaseClock& clock_;
    Phase before_;
};

}  // namespace plimsoll::engine
