#pragma once
// A device's kernels beside the processor's in fp64: both are given the same
// numbers, rounded to what the device stores, then their results are compared.
//
//   DeviceTwins<bf16> twins(table);
//   auto x = twins.real(n), y = twins.real(n);  auto sums = twins.wide(R);      // random
//   twins.run([&](auto& kernels, auto at) { kernels.add_residual(at(y), at(x), at(x), nullptr, R, C); });
//   y.error(), y.bits()

#include "engine/cuda/backend.h"
#include "engine/kernels/cpu.h"
#include "tests/engine/twins.h"

#include <memory>
#include <vector>

namespace plimsoll::engine {

// One array in both places. T is how the device stores it; exact is its twin in fp64.
template <class T> class Mirrored {
public:
    // `step` elements off an address that is a multiple of 256: kernels meet addresses that are not multiples of 16
    // too.
    Mirrored(Kernels<float, float>& memory, std::vector<double> values, int step = 0)
        : exact(values.size()), memory_(memory) {
        std::vector<T> rounded(values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            rounded[i] = stored<T>(values[i]);
            exact[i] = value(rounded[i]);
        }
        device_ = {memory.allocate((values.size() + std::size_t(step)) * sizeof(T)),
                   [&memory](void* p) { memory.release(p); }};
        start_ = static_cast<T*>(device_.get()) + step;
        memory.copy_in(start_, rounded.data(), rounded.size() * sizeof(T));
    }
    T* on_device() { return start_; }
    std::vector<T> fetched() const {
        std::vector<T> values(exact.size());
        memory_.copy_out(values.data(), start_, values.size() * sizeof(T));
        return values;
    }
    // The largest difference over the largest value.
    double error() const {
        double difference = 0, largest = 1e-300;
        const std::vector<T> found = fetched();
        for (std::size_t i = 0; i < exact.size(); ++i) {
            if (!std::isfinite(value(found[i]))) return INFINITY;
            difference = std::max(difference, std::abs(value(found[i]) - exact[i]));
            largest = std::max(largest, std::abs(exact[i]));
        }
        return difference / largest;
    }
    std::vector<double> exact;

private:
    Kernels<float, float>& memory_;
    std::shared_ptr<void> device_;
    T* start_;
};

template <class Real> class DeviceTwins {
public:
    explicit DeviceTwins(const PlimsollBackend& table) : device(table), memory_(table) {}

    Mirrored<Real> real(std::size_t n, double deviation = 1, double mean = 0) {
        return {memory_, random(n, deviation, mean), step()};
    }
    Mirrored<float> wide(std::size_t n, double deviation = 1, double mean = 0) {
        return {memory_, random(n, deviation, mean), step()};
    }
    Mirrored<double> sum() { return {memory_, random(1, 1, 0)}; }
    Mirrored<float> master_of(const Mirrored<Real>& weights) { return {memory_, weights.exact}; }
    struct Ids {
        std::vector<std::int32_t> host;
        std::shared_ptr<void> device;
    };
    Ids ids(int R, int V) {
        Ids all{tokens(R, V), {memory_.allocate(size(R) * 4), [this](void* p) { memory_.release(p); }}};
        memory_.copy_in(all.device.get(), all.host.data(), size(R) * 4);
        return all;
    }

    // Arrays and ids as one side sees them. In fp64 the master copy is the weights.
    struct Exact {
        template <class T> double* operator()(Mirrored<T>& m) const { return m.exact.data(); }
        const std::int32_t* operator()(const Ids& i) const { return i.host.data(); }
        template <class T> double* weights(Mirrored<T>&, Mirrored<float>& master) const { return master.exact.data(); }
    };
    struct OnDevice {
        template <class T> T* operator()(Mirrored<T>& m) const { return m.on_device(); }
        const std::int32_t* operator()(const Ids& i) const { return static_cast<const std::int32_t*>(i.device.get()); }
        Real* weights(Mirrored<Real>& w, Mirrored<float>& master) const {
            if constexpr (std::is_same_v<Real, float>) return (void)w, master.on_device();
            else return (void)master, w.on_device();
        }
    };
    template <class F> void run(F f) {
        f(exact, Exact{});
        f(device, OnDevice{});
        device.synchronize();
    }

    bool aligned = false;  // every array, rather than three of four
    CudaKernels<Real, float> device;
    CpuKernels<double> exact{1, preferred_library()};

private:
    int step() const { return !aligned && between(0, 3) == 0; }
    static std::vector<double> random(std::size_t n, double deviation, double mean) {
        std::normal_distribution<double> normal;
        std::vector<double> values(n);
        for (double& v : values) v = mean + deviation * normal(dice);
        return values;
    }
    CudaKernels<float, float> memory_;
};

// What an operation left: the worst error of arrays stored as Real and of those stored wider, and every bit of all.
struct TwinOutcome {
    double real = 0, wide = 0;
    std::string real_name = "none", wide_name = "none";
    std::vector<unsigned char> bits;

    TwinOutcome& rounded(const char* name, const auto& mirrored) { return with(real, real_name, name, mirrored); }
    TwinOutcome& summed(const char* name, const auto& mirrored) { return with(wide, wide_name, name, mirrored); }

private:
    TwinOutcome& with(double& worst, std::string& worst_name, const char* name, const auto& mirrored) {
        const double error = mirrored.error();
        if (error >= worst) {
            worst = error;
            worst_name = name;
        }
        const auto values = mirrored.fetched();
        const auto* begin = reinterpret_cast<const unsigned char*>(values.data());
        bits.insert(bits.end(), begin, begin + values.size() * sizeof values[0]);
        return *this;
    }
};

}  // namespace plimsoll::engine
