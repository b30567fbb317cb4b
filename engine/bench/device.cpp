#include "engine/bench/bench.h"
#include "engine/cuda/backend.h"
#include "engine/cuda/cuda_kernels.h"
#include "engine/cuda/device_run.h"

namespace plimsoll::engine {
namespace {

template <class Real> Outcome measure(const Options& o, const RunPlace& place, const DeviceRun& device) {
    CudaKernels<Real, float> kernels(*device.table);
    Grid grid = on_devices(grid_of(place.ranks, o.layout), device);
    grid.world = on_device(std::move(grid.world), device);
    try {
        return bench_on<Real, float>(o, place, kernels, grid, device.available_B, device.cache_B);
    } catch (const DeviceError& e) {
        return {abandon(e, place.log, place.ranks.rank()), false, {}};
    }
}

}  // namespace

Outcome bench_on_device(const Options& o, const RunPlace& place) {
    const DeviceRun device = open_devices(place.ranks, place.nodes);
    if (!device.table) return {Failure{ExitCode::device, device.message, 0}, false, {}};
    return o.precision == Precision::bf16 ? measure<bf16>(o, place, device) : measure<float>(o, place, device);
}

}  // namespace plimsoll::engine
