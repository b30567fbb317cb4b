#pragma once
// A counter's raw numbers as joules that only grow: wraps are added up, restarts
// are told from wraps, and a gap in which a wrap may have gone unseen is told too.
//
//   Counter c({.joules_per_count = 1e-6, .range = max_energy_range_uj});
//   Expected<double, std::string> joules = c.take(raw, now_s);      // since the first number; the error is for people
//   Expected<Reading, std::string> reading = c.read(raw_or_why_not, now_s);

#include "engine/power/sources/reader.h"

#include <cstdint>
#include <string>

namespace plimsoll::engine::power {

struct CounterKind {
    double joules_per_count = 1;
    std::uint64_t range = 0;        // largest number before it begins at 0 again; 0: it does not
    double most_W = 5000;           // more than the domain can draw: a step back that would mean more is a restart
};

class Counter {
public:
    explicit Counter(CounterKind kind) : kind_(kind) {}
    // After an error the next number is a new beginning: joules go on from where they were.
    Expected<double, std::string> take(std::uint64_t raw, double now_s);
    // The same of a number that may not have come, which is an error too.
    Expected<Reading, std::string> read(const Expected<std::uint64_t, std::string>& raw, double now_s);
    // The source says itself that it began again: the next number is a new beginning.
    void restart() { begun_ = false; }

private:
    CounterKind kind_;
    bool begun_ = false;
    std::uint64_t last_ = 0;
    double at_s_ = 0, joules_ = 0;
};

// Energy where only power is told: trapezia between looks.
//
//   Integral sum;   double joules = sum.take(watts, now_s);     // since the first look
class Integral {
public:
    double take(double watts, double now_s) {
        if (begun_) joules_ += 0.5 * (watts + watts_) * (now_s - at_s_);
        begun_ = true;
        watts_ = watts;
        at_s_ = now_s;
        return joules_;
    }
    // Watts that did not come: what was used since the last look is not known.
    Expected<Reading, std::string> read(const Expected<double, std::string>& watts, double now_s) {
        begun_ = begun_ && watts;
        if (!watts) return Unexpected{watts.error()};
        return Reading{take(*watts, now_s), now_s};
    }

private:
    bool begun_ = false;
    double watts_ = 0, at_s_ = 0, joules_ = 0;
};

}  // namespace plimsoll::engine::power
