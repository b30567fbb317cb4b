#pragma once
// Where a rank's wall time goes: the pass it is in times the part it does.
//
// Parts carry the cost model's names (core/values/plan/breakdown.h), so that a
// measured bar stands beside the predicted one. A clock is always in exactly one
// pass and part, so that they add up to the wall time; `launch` is what no scope
// claimed.
//
//   clock.enter(Pass::forward);
//   { Scope s(clock, Phase::attention); kernels.attention(...); }
//   double seconds = clock.seconds(Pass::forward, Phase::attention);

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>

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
    offload,
    data_parallel,
    optimizer
};
inline constexpr const char* phase_names[] = {"launch",       "gemm",         "attention",         "elementwise",
                                              "ends",         "tensor_parallel", "shard_gather",   "pipeline_transfer",
                                              "bubble",       "offload",      "data_parallel",     "optimizer"};
inline constexpr std::size_t pass_count = std::size(pass_names), phase_count = std::size(phase_names);

class PhaseClock {
public:
    // Called at every change when set: a device's queue is drained there, so that its work is charged to who issued it.
    std::function<void()> drain;
    // Called at every change, for the watchdog, which counts changes.
    std::function<void(Pass, Phase)> changed;

    void start() {
        seconds_ = {};
        pass_ = Pass::data;
        phase_ = Phase::launch;
        since_ = now();
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
    void stop() { settle(); }
    Pass pass() const { return pass_; }
    double seconds(Pass a, Phase b) const { return seconds_[std::size_t(a)][std::size_t(b)]; }

private:
    using Clock = std::chrono::steady_clock;
    static Clock::time_point now() { return Clock::now(); }
    void settle() {
        if (drain) drain();
        const auto t = now();
        seconds_[std::size_t(pass_)][std::size_t(phase_)] += std::chrono::duration<double>(t - since_).count();
        since_ = t;
    }
    void announce() { if (changed) changed(pass_, phase_); }

    std::array<std::array<double, phase_count>, pass_count> seconds_{};
    Pass pass_ = Pass::data;
    Phase phase_ = Phase::launch;
    Clock::time_point since_ = now();
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
