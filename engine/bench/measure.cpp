#include "engine/bench/measure.h"

#include "engine/report/hardware.h"
#include "engine/report/statistics.h"
#include "engine/report/stopping.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace plimsoll::engine {

namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); }

// Shorter repetitions would measure the clock, and on a device the wait for its queue.
constexpr double shortest_repetition_s = 100e-6;

class Meter {
public:
    Meter(const Work& work, const Measuring& how) : w_(work), how_(how) {}
    Timing go() {
        warm_up();
        if (!timing_.stopped) collect();
        std::vector<double> worst{median(own_), cpu_ > 0 ? wall_ / cpu_ : 1};
        how_.ranks.all_reduce(worst.data(), worst.size(), Type::f64, Reduction::max);
        timing_.largest_median = worst[0];
        timing_.wall_over_cpu = worst[1];
        return std::move(timing_);
    }

private:
    double repeat();
    double timed_calls();
    std::vector<double> block(std::size_t n);
    void warm_up();
    void collect();

    const Work& w_;
    const Measuring& how_;
    Timing timing_;
    std::size_t next_ = 0;
    std::vector<double> own_;        // seconds a call of this rank
    double wall_ = 0, cpu_ = 0;
    Clock::time_point begin_ = Clock::now();
    double elapsed_ = 0;             // since begin_, agreed on
};

// Between marks in the device's queue where there is one: from the first call's begin to the last one's end there. As
// many calls go in front, so that the device has work while the host queues what is timed: a mark in an empty queue
// is passed at once, and the way of the first call from the host, ten to twenty microseconds, would count as its time.
double Meter::timed_calls() {
    if (how_.device.mark) {
        const bool alone = !w_.together && !w_.before;
        for (int i = 0; alone && i < timing_.calls; ++i) w_.run(next_++);
        how_.device.mark();
    }
    const auto began = Clock::now();
    for (int i = 0; i < timing_.calls; ++i) w_.run(next_++);
    if (!how_.device.mark) {
        how_.drain();
        return since(began);
    }
    how_.device.mark();
    const std::vector<double> seconds = how_.device.between_marks();
    return seconds.empty() ? since(began) : seconds.back();
}

double Meter::repeat() {
    if (w_.before) w_.before(next_);
    how_.drain();
    if (w_.together) how_.ranks.barrier();
    const double seconds = timed_calls();
    how_.alive();
    return seconds / timing_.calls / w_.messages;
}

// n repetitions: the slowest rank's seconds of each.
std::vector<double> Meter::block(std::size_t n) {
    const auto began = Clock::now();
    const double cpu = thread_cpu_seconds();
    std::vector<double> seconds(n);
    for (double& s : seconds) s = repeat();
    wall_ += since(began);
    cpu_ += thread_cpu_seconds() - cpu;
    stop_is_asked_every(since(began));
    own_.insert(own_.end(), seconds.begin(), seconds.end());
    seconds.push_back(since(begin_));
    seconds.push_back(stop_requested());
    how_.ranks.all_reduce(seconds.data(), seconds.size(), Type::f64, Reduction::max);
    elapsed_ = seconds[n];
    timing_.stopped = seconds[n + 1] > 0;
    seconds.resize(n);
    return seconds;
}

// Until two blocks of five agree within 2 %. The first calls only tell how long one takes: the least of them, since
// others on the machine make them longer.
void Meter::warm_up() {
    double last = block(1)[0] * w_.messages, before = 0;
    if (3 * last < how_.budget_s) last = std::min(last, quantile(block(2), 0) * w_.messages);
    if (!w_.together && !w_.before)
        timing_.calls = int(std::clamp(std::ceil(shortest_repetition_s / last), 1.0, 1000.0));
    const double limit = std::min(longest_warm_up_s, how_.budget_s);
    while (!timing_.stopped && (timing_.steady = std::abs(last - before) <= steady_change * before) == false) {
        if (elapsed_ + 5 * last * timing_.calls > limit) break;
        before = last;
        last = median(block(5)) * w_.messages;
    }
    timing_.warmup = long(next_);
    own_.clear();
    wall_ = cpu_ = 0;
    begin_ = Clock::now();
    timing_.seconds = {last / w_.messages};  // what collect() plans with
}

void Meter::collect() {
    const double one = std::max(timing_.seconds[0] * w_.messages * timing_.calls, 1e-9);
    timing_.seconds.clear();
    std::size_t next = least_repetitions * one > 4 * how_.budget_s ? 3 : least_repetitions;
    for (elapsed_ = 0; next > 0;) {
        const auto more = block(next);
        if (timing_.stopped) return;
        auto& all = timing_.seconds;
        all.insert(all.end(), more.begin(), more.end());
        if (elapsed_ >= how_.budget_s || all.size() >= most_repetitions) return;
        if (all.size() >= least_repetitions && uncertainty(all) <= wanted_interval) return;
        next = std::clamp<std::size_t>(std::size_t((how_.budget_s - elapsed_) / one), 1,
                                       std::max<std::size_t>(all.size() / 2, 1));
    }
}

}  // namespace

double uncertainty(const std::vector<double>& seconds) {
    const Spread s = spread_of(seconds);
    return (s.high95 - s.low95) / 2 / s.median;
}

Timing measure(const Work& work, const Measuring& how) { return Meter(work, how).go(); }

double PairedTimes::median(std::size_t which, std::size_t n, Comm& ranks) const {
    const auto& all = seconds_[which];
    std::vector<double> last(n);
    std::copy_n(all.end() - std::ptrdiff_t(n), n, last.begin());
    ranks.all_reduce(last.data(), n, Type::f64, Reduction::max);
    return engine::median(std::move(last));
}

namespace {

using Clock = std::chrono::steady_clock;
constexpr double rise_s = 1, block_s = 0.1;


class SustainedLoop {
public:
    SustainedLoop(const Work& work, const Measuring& how) : work_(work), how_(how) {}
    // For at least `seconds`; the slowest rank's seconds of a call, of each block.
    std::vector<double> go(double seconds) {
        std::vector<double> blocks;
        for (double elapsed = 0; elapsed < seconds && !stopped_;) {
            double agreed[] = {block(), double(stop_requested())};
            how_.ranks.all_reduce(agreed, 2, Type::f64, Reduction::max);
            elapsed += agreed[0];
            stopped_ = agreed[1] > 0;
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

Sustained run_sustained(const Work& work, const Measuring& how, const MpiComm& ranks, power::NodePower& power) {
    SustainedLoop loop(work, how);
    loop.go(rise_s);
    Sustained sustained;
    const long before = sustained.timing.warmup = loop.done();
    const double from = power.now_s(), cpu = thread_cpu_seconds();
    const auto began = Clock::now();
    sustained.timing.seconds = loop.go(how.budget_s);
    const double wall = std::chrono::duration<double>(Clock::now() - began).count(),
                 spent = thread_cpu_seconds() - cpu;
    sustained.calls = loop.done() - before;
    sustained.used = power.used(ranks, from, power.now_s());
    double worst[] = {spent > 0 ? wall / spent : 1,
                      sustained.timing.seconds.empty() ? 0 : median(sustained.timing.seconds)};
    how.ranks.all_reduce(worst, 2, Type::f64, Reduction::max);
    sustained.timing.wall_over_cpu = worst[0];
    sustained.timing.largest_median = worst[1];
    sustained.timing.stopped = loop.stopped();
    return sustained;
}

}  // namespace plimsoll::engine
