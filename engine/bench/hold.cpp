#include "engine/bench/hold.h"

#include "engine/report/statistics.h"
#include "engine/report/stopping.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>

namespace plimsoll::engine {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double rise_s = 1, block_s = 0.1;

double cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

class Holder {
public:
    Holder(const Work& work, const Measuring& how) : work_(work), how_(how) {}
    // For at least `seconds`; the slowest rank's seconds of a call, of each block.
    std::vector<double> go(double seconds) {
        std::vector<double> blocks;
        for (double elapsed = 0; elapsed < seconds && !stopped_;) {
            double agreed[] = {block(), double(stop_requested())};
            how_.ranks.all_reduce(agreed, 2, Type::f64, Reduction::max);
            elapsed += agreed[0], stopped_ = agreed[1] > 0;
            blocks.push_back(agreed[0] / double(calls_));
            done_ += calls_;
            calls_ = std::clamp(long(block_s / std::max(blocks.back(), 1e-7)), 1L, 1000000L);
        }
        return blocks;
    }
    long done() const { return done_; }
    bool stopped() const { return stopped_; }

private:
    double block() {
        const auto began = Clock::now();
        for (long i = 0; i < calls_; ++i) {
            if (work_.before) work_.before(next_);
            work_.run(next_++);
        }
        how_.drain();
        how_.alive();
        return std::chrono::duration<double>(Clock::now() - began).count();
    }

    const Work& work_;
    const Measuring& how_;
    std::size_t next_ = 0;
    long calls_ = 1, done_ = 0;
    bool stopped_ = false;
};

}  // namespace

Held hold(const Work& work, const Measuring& how, const MpiComm& ranks, power::NodePower& power) {
    Holder holder(work, how);
    holder.go(rise_s);
    Held held;
    const long before = held.timing.warmup = holder.done();
    const double from = power.now_s(), cpu = cpu_seconds();
    const auto began = Clock::now();
    held.timing.seconds = holder.go(how.budget_s);
    const double wall = std::chrono::duration<double>(Clock::now() - began).count(), spent = cpu_seconds() - cpu;
    held.calls = holder.done() - before;
    held.used = power.used(ranks, from, power.now_s());
    double worst[] = {spent > 0 ? wall * how.threads / spent : 1, held.timing.seconds.empty() ? 0 : median(held.timing.seconds)};
    how.ranks.all_reduce(worst, 2, Type::f64, Reduction::max);
    held.timing.wall_over_cpu = worst[0], held.timing.largest_median = worst[1];
    held.timing.stopped = holder.stopped();
    return held;
}

}  // namespace plimsoll::engine
