#include "engine/report/watchdog.h"

#include "engine/report/statistics.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <unistd.h>

namespace plimsoll::engine {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds look_every{100};
constexpr double patience_steps = 20, patience_opening = 10;

std::string place_of(const Heartbeat& beat) {
    return std::string(pass_names[std::size_t(beat.pass.load())]) + "/" + phase_names[std::size_t(beat.phase.load())];
}

std::string seconds_text(double seconds) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f s", seconds);
    return text;
}

}  // namespace

Watchdog::Watchdog(WatchdogOptions options, int rank) : options_(std::move(options)), rank_(rank) {
    options_.beat->rank = rank;
    thread_ = std::thread([this] { watch(); });
}

Watchdog::~Watchdog() {
    leaving_ = true;
    thread_.join();
}

void Watchdog::step_took(double seconds) {
    if (steps_.size() == std::size_t(patience_steps)) steps_.erase(steps_.begin());
    steps_.push_back(seconds);
    median_step_s_ = median(steps_);
}

void Watchdog::opens(const std::string& what) {
    const std::lock_guard lock(opening_mutex_);
    changed(Pass::data, Phase::launch);
    opening_ = what;
    opened_at_ = options_.beat->changes;
}

// What is being opened since `changes`; empty: nothing.
std::string Watchdog::opening(std::uint64_t changes) {
    const std::lock_guard lock(opening_mutex_);
    return opened_at_ == changes ? opening_ : "";
}

void Watchdog::watch() {
    std::uint64_t seen = options_.beat->changes;
    double idle_s = 0;
    auto before = Clock::now();
    remember();
    while (!leaving_) {
        std::this_thread::sleep_for(look_every);
        ++options_.beat->looks;
        const auto now = Clock::now();
        // A gap much longer than the sleep: this process was stopped, or starved of its cores.
        idle_s += std::min(std::chrono::duration<double>(now - before).count(), 1.0);
        before = now;
        if (const std::uint64_t changes = options_.beat->changes; changes != seen) {
            seen = changes;
            idle_s = 0;
            remember();
        }
        const std::string what = opening(seen);
        const double limit_s = what.empty() ? std::max(options_.limit_s, patience_steps * median_step_s_)
                                            : std::max(patience_opening * options_.limit_s,
                                                       patience_steps * median_step_s_);
        if (idle_s > limit_s) return end_run(idle_s, limit_s, what);
        if (rank_ == 0 && options_.log && options_.log->quiet_s() >= 1) print_beat();
    }
}

void Watchdog::print_beat() {
    nlohmann::ordered_json ranks = nlohmann::ordered_json::array();
    for (const Heartbeat& beat : options_.all)
        ranks.push_back({{"rank", beat.rank.load()}, {"pass", pass_names[std::size_t(beat.pass.load())]},
                         {"phase", phase_names[std::size_t(beat.phase.load())]}, {"changes", beat.changes.load()}});
    options_.log->try_write("beat", {{"ranks", ranks}});
}

void Watchdog::remember() {
    looks_.clear();
    for (const Heartbeat& beat : options_.all) looks_.push_back(beat.looks);
}

// Whom the others of this node may be waiting for: who does not run at all, or has come least far.
std::string Watchdog::others() const {
    std::vector<std::uint64_t> changes;
    for (std::size_t i = 0; i < options_.all.size(); ++i) {
        const Heartbeat& beat = options_.all[i];
        if (beat.looks == looks_[i])
            return "; rank " + std::to_string(beat.rank) + " does not run: it was stopped or killed";
        changes.push_back(beat.changes);
    }
    const auto least = std::min_element(changes.begin(), changes.end());
    if (least == changes.end() || std::count(changes.begin(), changes.end(), *least) > 1) return "";
    const Heartbeat& last = options_.all[std::size_t(least - changes.begin())];
    return last.rank == rank_
             ? "; no rank of this node is further behind"
             : "; furthest behind on this node is rank " + std::to_string(last.rank) + " in " + place_of(last);
}

// Not through the log: the rank may hang inside it, with its lock.
void Watchdog::end_run(double idle_s, double limit_s, const std::string& opening) {
    const ExitCode code = opening.empty() ? ExitCode::timeout : ExitCode::device;
    const std::string who = "rank " + std::to_string(rank_), limit = " (limit " + seconds_text(limit_s) + ")";
    const std::string text = opening.empty() ? who + " made no progress for " + seconds_text(idle_s) + limit + " in "
                                                   + place_of(*options_.beat) + others()
                                             : who + " waited for " + opening + " for " + seconds_text(idle_s) + limit
                                                   + " and it did not open" + others()
                                                   + ". NCCL_DEBUG=INFO has NCCL say what it waits for; --watchdog, of "
                                                     "which the limit is ten times, waits longer";
    report({code, text, rank_}, options_.log ? options_.log->run() : "", options_.log ? options_.log->out() : "");
    std::thread([abort = options_.abort, code] { if (abort) abort(int(code)); }).detach();
    std::this_thread::sleep_for(std::chrono::duration<double>(options_.abort ? options_.abort_takes_s : 0));
    _exit(int(code));
}

}  // namespace plimsoll::engine
