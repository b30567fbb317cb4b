#pragma once
// What one domain's counter showed over the last hour, and the energy of a window
// of time in it: linear between the moments at which the counter moved.
//
//   Trace t;   t.add({joules, stamp_s});   ...
//   Expected<double, std::string> joules = t.energy(from_s, to_s);      // the error: why there is no such number
//
// Counters move 10 to 1000 times a second and sensors behind them average: windows
// under two seconds or twenty movements are noise and have no energy here.

#include "engine/power/reader.h"

#include <deque>

namespace plimsoll::engine::power {

inline constexpr double shortest_window_s = 2, longest_window_s = 3600;
inline constexpr long least_updates = 20;
inline constexpr double most_beyond = 0.05;    // of a window may lie after the counter's last movement, at its mean power so far

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

}  // namespace plimsoll::engine::power
