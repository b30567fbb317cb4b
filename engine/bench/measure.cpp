#include "engine/bench/measure.h"

#include "engine/report/statistics.h"
#include "engine/report/stopping.h"

#include <chrono>
#include <cmath>
#include <ctime>

namespace plimsoll::engine {
namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); }
double cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

// Shorter repetitions would measure the clock, and on a device the wait for its queue.
constexpr double shortest_repetition_s = 100e-6;

class Meter {
public:
    Meter(const Work& work, const Measuring& how) : w_(work), how_(how) {}
    Timing go() {
        warm_up();
        if (!timing_.stopped) collect();
        std::vector<double> worst{median(own_), cpu_ > 0 ? wall_ * how_.threads / cpu_ : 1};
        how_.ranks.all_reduce(worst.data(), worst.size(), Type::f64, Reduction::max);
        timing_.largest_median = worst[0], timing_.wall_over_cpu = worst[1];
        return std::move(timing_);
    }

private:
    double repeat();
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

double Meter::repeat() {
    if (w_.before) w_.before(next_);
    how_.drain();
    if (w_.together) how_.ranks.barrier();
    const auto began = Clock::now();
    for (int i = 0; i < timing_.calls; ++i) w_.run(next_++);
    how_.drain();
    const double seconds = since(began);
    how_.alive();
    return seconds / timing_.calls / w_.messages;
}

// n repetitions: the slowest rank's seconds of each.
std::vector<double> Meter::block(std::size_t n) {
    const auto began = Clock::now();
    const double cpu = cpu_seconds();
    std::vector<double> seconds(n);
    for (double& s : seconds) s = repeat();
    wall_ += since(began), cpu_ += cpu_seconds() - cpu;
    own_.insert(own_.end(), seconds.begin(), seconds.end());
    seconds.push_back(since(begin_));
    seconds.push_back(stop_requested());
    how_.ranks.all_reduce(seconds.data(), seconds.size(), Type::f64, Reduction::max);
    elapsed_ = seconds[n], timing_.stopped = seconds[n + 1] > 0;
    seconds.resize(n);
    return seconds;
}

// Until two blocks of five agree within 2 %. The first calls only tell how long one takes: the least of them, since
// others on the machine make them longer.
void Meter::warm_up() {
    double last = block(1)[0] * w_.messages, before = 0;
    if (3 * last < how_.budget_s) last = std::min(last, quantile(block(2), 0) * w_.messages);
    if (!w_.together && !w_.before) timing_.calls = int(std::clamp(std::ceil(shortest_repetition_s / last), 1.0, 1000.0));
    const double limit = std::min(longest_warm_up_s, how_.budget_s);
    while (!timing_.stopped && (timing_.steady = std::abs(last - before) <= steady_change * before) == false) {
        if (elapsed_ + 5 * last * timing_.calls > limit) break;
        before = last, last = median(block(5)) * w_.messages;
    }
    timing_.warmup = long(next_);
    own_.clear(), wall_ = cpu_ = 0, begin_ = Clock::now();
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
        next = std::clamp<std::size_t>(std::size_t((how_.budget_s - elapsed_) / one), 1, std::max<std::size_t>(all.size() / 2, 1));
    }
}

}  // namespace

double uncertainty(const std::vector<double>& seconds) {
    const Spread s = spread_of(seconds);
    return (s.high95 - s.low95) / 2 / s.median;
}

Timing measure(const Work& work, const Measuring& how) { return Meter(work, how).go(); }

}  // namespace plimsoll::engine
