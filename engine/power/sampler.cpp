#include "engine/power/sampler.h"

#include "engine/report/hardware.h"

#include <algorithm>
#include <csignal>

namespace plimsoll::engine::power {
namespace {

// 0.8 to 1.2 in an order that does not repeat: multiples of the golden ratio.
double unevenness(long look) {
    const double turn = 0.6180339887498949 * double(look);
    return 0.8 + 0.4 * (turn - double(long(turn)));
}

}  // namespace

Sampler::Sampler(std::vector<CounterSource> sources, SamplerOptions options)
    : sources_(std::move(sources)), options_(std::move(options)) {
    for (const CounterSource& s : sources_) traces_.emplace_back(s.reader ? s.reader->domains().size() : 0);
    if (!available()) return;
    look();
    // Signals are the main thread's.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::thread([this] { watch(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Sampler::~Sampler() {
    {
        const std::lock_guard guard(mutex_);
        leaving_ = true;
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
}

bool Sampler::available() const {
    return std::any_of(sources_.begin(), sources_.end(), [](const CounterSource& s) { return s.reader != nullptr; });
}

double Sampler::now_s() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

void Sampler::look() {
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        if (!sources_[i].reader) continue;
        const double now = now_s();
        const Readings readings = sources_[i].reader->read(now);
        for (std::size_t d = 0; d < readings.size(); ++d)
            if (readings[d]) traces_[i][d].add(*readings[d]);
            else traces_[i][d].lose(readings[d].error());
    }
    looked_s_ = now_s();
}

void Sampler::watch() {
    const bool pinned =
        options_.processors && pthread_setaffinity_np(pthread_self(), sizeof(cpu_set_t), &*options_.processors) == 0;
    double told_s = now_s();
    std::unique_lock lock(mutex_);
    pinned_ = pinned;
    for (long n = 0; !leaving_; ++n) {
        wake_.wait_for(lock, std::chrono::duration<double>(options_.interval_s * unevenness(n)),
                       [this] { return leaving_; });
        if (leaving_) break;
        look();
        cpu_s_ = thread_cpu_seconds();
        if (!options_.each_second || now_s() - told_s < 1) continue;
        told_s = now_s();
        const auto now = present_now();
        lock.unlock();  // writing may wait for a slow disk
        options_.each_second(now);
        lock.lock();
    }
    cpu_s_ = thread_cpu_seconds();
}

std::vector<Share> Sampler::energy(double from_s, double to_s) {
    const std::lock_guard guard(mutex_);
    if (available() && looked_s_ < to_s) look();
    std::vector<Share> shares;
    for (std::size_t i = 0; i < sources_.size(); ++i)
        for (std::size_t d = 0; d < traces_[i].size(); ++d)
            shares.push_back({sources_[i].name, sources_[i].reader->domains()[d], traces_[i][d].energy(from_s, to_s)});
    return shares;
}

std::vector<Present> Sampler::present() {
    const std::lock_guard guard(mutex_);
    return present_now();
}

std::vector<Present> Sampler::present_now() const {
    constexpr double over_s = 2.5;
    std::vector<Present> all;
    const double now = now_s();
    for (std::size_t i = 0; i < sources_.size(); ++i)
        for (std::size_t d = 0; d < traces_[i].size(); ++d) {
            const Trace& t = traces_[i][d];
            const auto moved = t.last_moved_s();
            Present p{sources_[i].name, sources_[i].reader->domains()[d].name, {}, t.joules(), {}};
            if (moved) p.counter_age_s = std::max(0.0, now - *moved);
            if (moved)
                if (const auto joules = t.energy(*moved - over_s, *moved)) p.watts = *joules / over_s;
            all.push_back(std::move(p));
        }
    return all;
}

Sampler::Cost Sampler::cost() const {
    const std::lock_guard guard(mutex_);
    return {cpu_s_, now_s(), pinned_};
}

}  // namespace plimsoll::engine::power
