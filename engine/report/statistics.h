#pragma once
// What a handful of repeated timings says: median, its 95 % interval, and whether
// the machine was somebody else's meanwhile.
//
//   const Spread s = spread_of(seconds);    // s.median, s.low95, s.high95, s.least, s.count
//   if (contended(wall_s, cpu_s)) flags.push_back("contended");

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace plimsoll::engine {

// nan of nothing; the mean of the middle two of an even count.
inline double median(std::vector<double> values) {
    if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1) return *middle;
    return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

// The q-quantile, 0..1, linear between neighbours.
inline double quantile(std::vector<double> values, double q) {
    if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
    std::sort(values.begin(), values.end());
    const double place = q * double(values.size() - 1);
    const std::size_t below = std::size_t(place), above = std::min(below + 1, values.size() - 1);
    return values[below] + (place - double(below)) * (values[above] - values[below]);
}

struct Spread {
    double median, low95, high95, least;
    std::size_t count;
};

// Percentile bootstrap of the median (Efron 1979), 1000 draws of a fixed sequence: the same
// values give the same interval. Of fewer than six values it is their range, which holds the
// median with 1 - 2^(1-n): 94 % of five.
inline Spread spread_of(const std::vector<double>& values) {
    const auto least =
        values.empty() ? std::numeric_limits<double>::quiet_NaN() : *std::min_element(values.begin(), values.end());
    if (values.size() < 6) return {median(values), least, quantile(values, 1), least, values.size()};
    std::vector<double> medians(1000), draw(values.size());
    std::uint64_t state = 1;
    for (double& m : medians) {
        for (double& v : draw) {  // splitmix64 (Steele, Lea, Flood 2014)
            std::uint64_t z = state += 0x9e3779b97f4a7c15;
            z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
            z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
            v = values[std::size_t((z ^ (z >> 31)) % values.size())];
        }
        m = median(draw);
    }
    return {median(values), quantile(medians, 0.025), quantile(medians, 0.975), least, values.size()};
}

// A thread that computes takes as long by the wall as by its CPU clock; a fifth more is somebody else's.
inline bool contended(double wall_s, double cpu_s) { return wall_s > 1.2 * cpu_s; }

}  // namespace plimsoll::engine
