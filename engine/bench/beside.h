#pragma once
// Times taken beside those a point is about, in the same repetitions, so that a
// slow moment of the machine falls on all of them.
//
//   Beside beside;  work.before = [&](auto) { beside.take(0, f); };   beside.median(0, timing.seconds.size(), ranks)

#include "engine/comm/comm.h"

#include <array>
#include <chrono>
#include <vector>

namespace plimsoll::engine {

class Beside {
public:
    template <class F> void take(std::size_t which, F f) {
        const auto began = std::chrono::steady_clock::now();
        f();
        note(which, std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    }
    void note(std::size_t which, double seconds) { seconds_[which].push_back(seconds); }

    // Of the last `n`, the slowest rank's of each. Collective.
    double median(std::size_t which, std::size_t n, Comm& ranks) const;

private:
    std::array<std::vector<double>, 4> seconds_;
};

}  // namespace plimsoll::engine
