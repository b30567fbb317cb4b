// Energy used by the device since its driver was loaded, by NVML.
//
// The toolkit here may come without nvml.h, and machines without the library: it
// is opened when first asked for, with own declarations of the four functions.
#include "operations.h"

#include <dlfcn.h>

namespace plimsoll::device {

namespace {

struct Nvml {
    void* device = nullptr;
    int (*total)(void* device, unsigned long long* millijoule) = nullptr;
    const char* problem = nullptr;
};

Nvml open_nvml() {
    Nvml n;
    void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return n.problem = "libnvidia-ml.so.1 is not installed", n;
    const auto init = reinterpret_cast<int (*)()>(dlsym(library, "nvmlInit_v2"));
    const auto by_bus = reinterpret_cast<int (*)(const char*, void**)>(dlsym(library, "nvmlDeviceGetHandleByPciBusId_v2"));
    n.total = reinterpret_cast<decltype(n.total)>(dlsym(library, "nvmlDeviceGetTotalEnergyConsumption"));
    if (!init || !by_bus || !n.total) return n.problem = "this NVML has no energy counter", n;
    char bus[32] = "";
    if (checked(cudaDeviceGetPCIBusId(bus, int(sizeof bus), state().index), "bus id")) return n.problem = "no device is in use", n;
    if (init() != 0 || by_bus(bus, &n.device) != 0) return n.problem = "NVML does not answer for this device", n;
    return n;
}

}  // namespace

int energy(unsigned long long* millijoule) {
    static const Nvml nvml = open_nvml();
    *millijoule = 0;
    if (nvml.problem) return fail(plimsoll_absent, "energy", nvml.problem);
    if (nvml.total(nvml.device, millijoule) != 0) return fail(plimsoll_absent, "energy", "this device has no energy counter");
    return plimsoll_ok;
}

}  // namespace plimsoll::device
