#pragma once
// The processor's kernels and the plain ones side by side: both are given the same
// numbers, then their results are compared.
//
//   Twins<float> twins(3, ProductLibrary::eigen);
//   Both<float> x(n), y(n);                                  // random
//   twins.run([&](auto& kernels, auto at) { kernels.add(at(y), at(x), n); });
//   y.error()                                                // largest difference over largest value

#include "engine/kernels/cpu.h"
#include "tests/engine/plain_kernels.h"

#include <algorithm>
#include <random>
#include <string>

namespace plimsoll::engine {

inline std::mt19937_64 dice(20240607);
inline int between(int low, int high) { return std::uniform_int_distribution<int>(low, high)(dice); }
inline std::size_t size(int a, int b = 1, int c = 1) { return std::size_t(a) * std::size_t(b) * std::size_t(c); }

template <class Real>
struct Both {
    std::vector<double> plain;
    std::vector<Real> fast;  // the same numbers: plain is rounded to Real
    explicit Both(std::size_t n, double deviation = 1, double mean = 0) : plain(n), fast(n) {
        std::normal_distribution<double> normal;
        for (std::size_t i = 0; i < n; ++i) plain[i] = fast[i] = Real(mean + deviation * normal(dice));
    }
    double error() const {
        double difference = 0, largest = 1e-300;
        for (std::size_t i = 0; i < plain.size(); ++i) {
            if (!std::isfinite(fast[i])) return INFINITY;
            difference = std::max(difference, std::abs(double(fast[i]) - plain[i]));
            largest = std::max(largest, std::abs(plain[i]));
        }
        return difference / largest;
    }
};

template <class Real>
struct Twins {
    CpuKernels<Real> fast;
    PlainKernels plain;
    Twins(int threads, ProductLibrary library) : fast(threads, library) {}
    // f(kernels, at), where at(both) is the array these kernels work on.
    template <class F>
    void run(F f) {
        f(fast, [](auto& both) { return both.fast.data(); });
        f(plain, [](auto& both) { return both.plain.data(); });
    }
};

// The worst of several arrays.
struct Worst {
    double error = 0;
    std::string name = "none";
    template <class Real>
    Worst& with(const char* what, const Both<Real>& both) {
        if (both.error() >= error) {
            error = both.error();
            name = what;
        }
        return *this;
    }
};

inline std::vector<std::int32_t> tokens(int R, int V) {
    std::vector<std::int32_t> ids(size(R));
    for (auto& id : ids) id = between(0, V - 1);
    return ids;
}

}  // namespace plimsoll::engine
