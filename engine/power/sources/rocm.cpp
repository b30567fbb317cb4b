// AMD's counters: librocm_smi64, counts of 15.3 uJ (the library tells the exact
// size) with a stamp. Known to stand still on MI100 and to be wrong with older
// drivers, so two looks are compared with power before a counter is believed. On
// MI250X the first GCD of each package tells the package's energy and power, the
// second nothing: one domain a package.
#include "engine/power/sources/counter.h"
#include "engine/power/sources/files.h"
#include "engine/power/sources/sources.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <thread>

namespace plimsoll::engine::power {
namespace {

struct Rocm {
    int (*init)(std::uint64_t flags);
    int (*count)(std::uint32_t*);
    int (*energy)(std::uint32_t, std::uint64_t* counts, float* resolution_uJ, std::uint64_t* stamp_ns);
    int (*name)(std::uint32_t, char*, std::size_t);
    int (*average_power)(std::uint32_t, std::uint32_t sensor, std::uint64_t* microwatt);
    int (*power)(std::uint32_t, std::uint64_t* microwatt, int* kind);  // newer libraries; MI300 has no other
    int (*cap)(std::uint32_t, std::uint32_t sensor, std::uint64_t* microwatt);
    int (*pci)(std::uint32_t, std::uint64_t* domain_bus_device);
};

struct Look {
    std::uint64_t counts = 0, stamp_ns = 0;
    float resolution_uJ = 15.3f;
};

std::optional<Look> look(const Rocm& rocm, std::uint32_t device) {
    Look l;
    if (rocm.energy(device, &l.counts, &l.resolution_uJ, &l.stamp_ns) != 0) return std::nullopt;
    return l;
}

std::optional<double> watts(const Rocm& rocm, std::uint32_t device) {
    std::uint64_t microwatt = 0;
    int kind = 0;
    if (rocm.average_power && rocm.average_power(device, 0, &microwatt) == 0 && microwatt > 0)
        return 1e-6 * double(microwatt);
    if (rocm.power && rocm.power(device, &microwatt, &kind) == 0 && microwatt > 0) return 1e-6 * double(microwatt);
    return std::nullopt;
}

Expected<Rocm, std::string> rocm_functions(const std::string& name) {
    const Library l(name);
    if (!l) return Unexpected<std::string>{l.problem()};
    const Rocm r{.init = l["rsmi_init"],
                 .count = l["rsmi_num_monitor_devices"],
                 .energy = l["rsmi_dev_energy_count_get"],
                 .name = l["rsmi_dev_name_get"],
                 .average_power = l["rsmi_dev_power_ave_get"],
                 .power = l["rsmi_dev_power_get"],
                 .cap = l["rsmi_dev_power_cap_get"],
                 .pci = l["rsmi_dev_pci_id_get"]};
    if (!r.init || !r.count || !r.energy || !r.name) return Unexpected<std::string>{name + " has no energy counter"};
    if (const int code = r.init(0); code != 0)
        return Unexpected<std::string>{std::string("ROCm SMI does not start (code ") + std::to_string(code) + ")"};
    return r;
}

struct Device {
    std::uint32_t index;
    Domain domain;
    Counter counter;
};

Meter meter_of(const Rocm& rocm, Device device) {
    return {std::move(device.domain),
            [rocm, index = device.index, counter = device.counter](double now_s) mutable {
                Expected<std::uint64_t, std::string> counts =
                    Unexpected<std::string>{"ROCm SMI no longer answers for this device"};
                if (const auto l = look(rocm, index)) counts = l->counts;
                return counter.read(counts, now_s);
            }};
}

// Why the counter is not to be believed; empty: its energy between the looks is its power, within a factor of two.
std::string doubt(const Look& before, const Look& after, std::optional<double> power, double seconds) {
    const double counted = double(after.counts - before.counts) * 1e-6 * double(after.resolution_uJ) / seconds;
    if (after.counts == before.counts) return "its counter stands still";
    if (!power) return "it tells no power that its counter could be compared with";
    if (counted > 0.5 * *power && counted < 2 * *power) return "";
    char text[96];
    std::snprintf(text, sizeof text, "its counter says %.3g W and its sensor %.3g W", counted, *power);
    return text;
}

// Devices that tell energy or power of their own: the second GCDs of MI250X do not.
std::vector<Device> candidates(const Rocm& rocm, std::uint32_t count) {
    std::vector<Device> found;
    for (std::uint32_t i = 0; i < count; ++i) {
        char name[128] = "";
        std::uint64_t cap = 0;
        rocm.name(i, name, sizeof name);
        const bool package = std::string(name).find("MI250") != std::string::npos;
        const auto l = look(rocm, i);
        if (package && (!l || l->counts == 0 || !watts(rocm, i))) continue;
        Device d{i,
                 {.name = std::string("gpu").append(std::to_string(i)), .scope = package ? Scope::module : Scope::gpu},
                 Counter({.joules_per_count = 1e-6 * double(l ? l->resolution_uJ : 15.3f)})};
        if (rocm.cap && rocm.cap(i, 0, &cap) == 0 && cap > 0) d.domain.limit_W = 1e-6 * double(cap);
        found.push_back(std::move(d));
    }
    return found;
}

// "0000:c1:00.0" as ROCm SMI numbers it: domain from bit 32 on, bus from 8, device from 3. Bits 28 to 31 hold the
// partition of a device that is split, and the lowest three its function.
std::optional<std::uint64_t> number_of(const std::string& bus_id) {
    unsigned domain = 0, bus = 0, device = 0;
    if (std::sscanf(bus_id.c_str(), "%x:%x:%x", &domain, &bus, &device) != 3) return std::nullopt;
    return std::uint64_t(domain) << 32 | bus << 8 | device << 3;
}
constexpr std::uint64_t place_bits = ~(std::uint64_t(0xf) << 28 | 7);

std::optional<std::uint32_t> device_at(const Rocm& rocm, std::uint64_t place) {
    std::uint32_t count = 0;
    if (!rocm.pci || rocm.count(&count) != 0) return std::nullopt;
    for (std::uint32_t i = 0; i < count; ++i) {
        std::uint64_t at = 0;
        if (rocm.pci(i, &at) == 0 && (at & place_bits) == place) return i;
    }
    return std::nullopt;
}

}  // namespace

Opened open_rocm(const Places& places) {
    const auto rocm = rocm_functions(places.rocm);
    if (!rocm) return Unexpected<std::string>{rocm.error()};
    std::uint32_t count = 0;
    if (rocm->count(&count) != 0 || count == 0) return Unexpected<std::string>{"ROCm SMI shows no device"};
    auto devices = candidates(*rocm, count);
    if (devices.empty()) return Unexpected<std::string>{"no device tells energy"};
    std::vector<std::optional<Look>> before;
    for (const Device& d : devices) before.push_back(look(*rocm, d.index));
    const auto began = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(std::chrono::duration<double>(places.rocm_check_s));
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const auto after = look(*rocm, devices[i].index);
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        const std::string why = !before[i] || !after
                                  ? "it has no energy counter"
                                  : doubt(*before[i], *after, watts(*rocm, devices[i].index), seconds);
        if (!why.empty()) return Unexpected<std::string>{devices[i].domain.name + ": " + why};
    }
    std::vector<Meter> meters;
    for (Device& d : devices) meters.push_back(meter_of(*rocm, std::move(d)));
    return reader_of(std::move(meters));
}

Expected<double, std::string> amd_board_joules(const std::string& library, const std::string& bus_id) {
    static std::map<std::string, Expected<Rocm, std::string>> opened;  // asked for twice a run, by one thread
    auto at = opened.find(library);
    if (at == opened.end()) at = opened.emplace(library, rocm_functions(library)).first;
    if (!at->second) return Unexpected<std::string>{at->second.error()};
    const auto place = number_of(bus_id);
    const auto device = place ? device_at(*at->second, *place) : std::nullopt;
    if (!device) return Unexpected<std::string>{"ROCm SMI knows no board at " + bus_id};
    const auto now = look(*at->second, *device);
    if (!now || now->counts == 0) return Unexpected<std::string>{"the board at " + bus_id + " has no energy counter"};
    return double(now->counts) * 1e-6 * double(now->resolution_uJ);
}

}  // namespace plimsoll::engine::power
