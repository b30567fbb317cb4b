#include "fake_counters.h"

#include <chrono>
#include <cstdlib>
#include <cstring>

namespace {

FakeCounters make() {
    FakeCounters f;
    if (const char* watts = std::getenv("FAKE_COUNTERS_W")) f.running_W = std::atof(watts);
    if (const char* boards = std::getenv("FAKE_COUNTERS_BOARDS")) f.boards = unsigned(std::atoi(boards));
    return f;
}
FakeCounters state = make();

std::uint64_t moved(std::size_t i, double joules_per_count) {
    if (state.running_W > 0)
        return std::uint64_t(
            state.running_W * std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count()
            / joules_per_count);
    return state.counter[i] += state.counts_per_look;
}
std::size_t place(void* handle) { return std::size_t(static_cast<char*>(handle) - reinterpret_cast<char*>(&state)); }
void* handle_of(std::size_t i) { return reinterpret_cast<char*>(&state) + i; }

}  // namespace

extern "C" {

FakeCounters* fake_counters_state = &state;

int nvmlInit_v2() { return state.answers ? 0 : 9; }
int nvmlDeviceGetCount_v2(unsigned* n) { return *n = state.boards, 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned i, void** handle) { return *handle = handle_of(i), 0; }
int nvmlDeviceGetHandleByPciBusId_v2(const char* bus, void** handle) {
    return *handle = handle_of(0), std::strchr(bus, ':') ? 0 : 2;
}
int nvmlDeviceGetName(void*, char* name, unsigned length) { return std::strncpy(name, state.name, length), 0; }
int nvmlDeviceGetTotalEnergyConsumption(void* handle, unsigned long long* mJ) {
    if (!state.answers || !state.has_counter) return 3;
    return *mJ = moved(place(handle), 1e-3), 0;
}
int nvmlDeviceGetPowerUsage(void* handle, unsigned* mW) {
    return *mW = unsigned(state.power[place(handle)]), *mW ? 0 : 3;
}
int nvmlDeviceGetComputeRunningProcesses_v3(void* handle, unsigned* count, void*) {
    return *count = state.processes[place(handle)], *count > 0 ? 7 : 0;   // 7: no room for them
}
int nvmlDeviceGetEnforcedPowerLimit(void*, unsigned* mW) { return *mW = state.limit_mW, 0; }

int rsmi_init(std::uint64_t) { return 0; }
int rsmi_num_monitor_devices(std::uint32_t* n) { return *n = state.boards, 0; }
int rsmi_dev_name_get(std::uint32_t, char* name, std::size_t length) {
    return std::strncpy(name, state.name, length), 0;
}
int rsmi_dev_energy_count_get(std::uint32_t i, std::uint64_t* counts, float* resolution, std::uint64_t* stamp) {
    if (!state.answers || !state.has_counter) return 2;
    return *counts = moved(i, 15.3e-6), *resolution = 15.3f, *stamp = 1, 0;
}
int rsmi_dev_power_ave_get(std::uint32_t i, std::uint32_t, std::uint64_t* uW) {
    return *uW = state.power[i], *uW ? 0 : 2;
}
int rsmi_dev_pci_id_get(std::uint32_t i, std::uint64_t* place) {  // domain 1, bus 0xc0 + i, partition 2 of the device
    return *place = std::uint64_t(1) << 32 | std::uint64_t(2) << 28 | (0xc0 + i) << 8, 0;
}
int rsmi_dev_power_cap_get(std::uint32_t, std::uint32_t, std::uint64_t* uW) {
    return *uW = std::uint64_t(state.limit_mW) * 1000, 0;
}

int PWR_CntxtInit(int context, int role, const char*, void** made) {
    return *made = &state, context == 7 && role == 0 ? 0 : -4;
}
int PWR_CntxtGetObjByName(void*, const char* name, void** found) {
    return *found = &state, std::strcmp(name, "plat.node") == 0 ? 0 : -4;
}
int PWR_ObjAttrGetValue(void*, int attribute, void* value, std::int64_t* stamp) {
    if (attribute != 42 || !state.answers) return -2;
    *static_cast<double*>(value) = double(moved(0, 1));
    return *stamp = 1, 0;
}
}
