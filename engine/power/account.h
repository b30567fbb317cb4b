#pragma once
// What a node used in a window, from domains that overlap: package contains core,
// node contains GPU, and two sources may count the same thing. Nothing is counted
// twice, nothing that is missing is taken for zero.
//
//   const Account a = account_of(shares);
//   if (a.joules) say(*a.joules, a.scope);    // 1234, "node" or "package+dram+gpu"
//   else say(a.reason);

#include "engine/power/sources/reader.h"

#include <cmath>
#include <deque>
#include <optional>

namespace plimsoll::engine::power {

// One domain's energy of a window, or why there is none.
struct Share {
    std::string source;
    Domain domain;
    Expected<double, std::string> joules;
};

// All domains of one scope of one source that do not lie in one another.
struct ScopeTotal {
    std::string source;
    Scope scope;
    double joules;
    bool integrated;
};

struct Account {
    std::optional<double> joules{};     // of the widest that is counted
    std::string scope{}, sources{};     // what that is, and whose numbers: "package+gpu", "rapl+nvml"
    std::string reason{};               // without joules: why
    std::vector<ScopeTotal> totals{};   // everything that is counted, also what the joules above contain
    std::vector<std::string> remarks{}; // sources that disagree by more than a tenth
};

inline constexpr double agreement = 0.1;

Account account_of(const std::vector<Share>&);

// What one domain's counter showed over the last hour, and the energy of a window
// of time in it: linear between the moments at which the counter moved.
//
//   Trace t;   t.add({joules, stamp_s});   ...
//   Expected<double, std::string> joules = t.energy(from_s, to_s);      // the error: why there is no such number
//
// Counters move 10 to 1000 times a second and sensors behind them average: windows
// under two seconds or twenty movements are noise and have no energy here.
inline constexpr double shortest_window_s = 2, longest_window_s = 3600;
inline constexpr long least_updates = 20;
// Of a window may lie after the counter's last movement, at its mean power so far.
inline constexpr double most_beyond = 0.05;

class Trace {
public:
    void add(const Reading&);              // a stamp or joules that did not move are no movement
    void lose(std::string why);            // the counter's past is gone: no window spans this
    Expected<double, std::string> energy(double from_s, double to_s) const;

    std::optional<double> last_moved_s() const;
    double joules() const { return points_.empty() ? 0 : points_.back().joules; }

private:
    double at(double time_s) const;
    long updates(double from_s, double to_s) const;

    std::deque<Reading> points_;           // movements, oldest first
    std::string lost_ = "has not been read yet";
};

// What a machine draws when nothing runs, measured before and after: a difference
// of more than a twentieth says that something else ran, or that it had not cooled.
//
//   const Idle idle = idle_of(before_W, after_W);     // either may be missing
//   if (idle.watts) net = gross - *idle.watts * seconds;   if (idle.drifted) flags.push_back("idle_drift");
inline constexpr double most_drift = 0.05;

struct Idle {
    std::optional<double> watts{};   // the mean of both, or the one there is
    std::optional<double> drift{};   // after / before - 1
    bool drifted = false;
};

inline Idle idle_of(std::optional<double> before_W, std::optional<double> after_W) {
    if (!before_W || !after_W) return {before_W ? before_W : after_W, std::nullopt, false};
    const double drift = *before_W > 0 ? *after_W / *before_W - 1 : 0;
    return {0.5 * (*before_W + *after_W), drift, std::abs(drift) > most_drift};
}

}  // namespace plimsoll::engine::power
