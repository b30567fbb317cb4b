// The counter is nvmlDeviceGetTotalEnergyConsumption (mJ since the driver was
// loaded; Volta and later), updated every 10 to 100 ms. On GH200 it counts the
// module: CPU, GPU and memory. Boards without it have power (mW), which on A100 and
// H100 looks at a quarter of the time: its sum over time is only for want of better.
#include "engine/power/sources/sources.h"

#include "engine/power/sources/counter.h"
#include "engine/power/sources/files.h"

#include <algorithm>
#include <map>

namespace plimsoll::engine::power {
namespace {

struct Nvml {
    int (*init)();
    int (*count)(unsigned*);
    int (*by_index)(unsigned, void**);
    int (*by_bus)(const char*, void**);
    int (*name)(void*, char*, unsigned);
    int (*energy)(void*, unsigned long long* millijoule);
    int (*power)(void*, unsigned* milliwatt);
    int (*limit)(void*, unsigned* milliwatt);
    int (*processes)(void*, unsigned* count, void* list);
};

Expected<Nvml, std::string> nvml_functions(const std::string& name) {
    const Library l(name);
    if (!l) return Unexpected<std::string>{l.problem()};
    const Nvml n{.init = l["nvmlInit_v2"],
                 .count = l["nvmlDeviceGetCount_v2"],
                 .by_index = l["nvmlDeviceGetHandleByIndex_v2"],
                 .by_bus = l["nvmlDeviceGetHandleByPciBusId_v2"],
                 .name = l["nvmlDeviceGetName"],
                 .energy = l["nvmlDeviceGetTotalEnergyConsumption"],
                 .power = l["nvmlDeviceGetPowerUsage"],
                 .limit = l["nvmlDeviceGetEnforcedPowerLimit"],
                 .processes = l["nvmlDeviceGetComputeRunningProcesses_v3"]};
    if (!n.init || !n.count || !n.by_index || !n.by_bus || !n.name)
        return Unexpected<std::string>{name + " is not NVIDIA's management library"};
    if (const int code = n.init(); code != 0)
        return Unexpected<std::string>{std::string("NVML does not start (code ") + std::to_string(code)
                                       + "): is the driver loaded?"};
    return n;
}

constexpr const char* nvml_is_silent = "NVML no longer answers for this board";

Expected<std::uint64_t, std::string> millijoules(const Nvml& nvml, void* board) {
    unsigned long long value = 0;
    if (nvml.energy(board, &value) != 0) return Unexpected<std::string>{nvml_is_silent};
    return std::uint64_t(value);
}
Expected<double, std::string> watts(const Nvml& nvml, void* board) {
    unsigned milliwatt = 0;
    if (nvml.power(board, &milliwatt) != 0) return Unexpected<std::string>{nvml_is_silent};
    return 1e-3 * milliwatt;
}

// Asked with room for none, it tells how many there are. The boards are opened before a rank takes one, so that whoever
// computes there now is somebody else.
bool used_by_others(const Nvml& nvml, void* handle) {
    constexpr int insufficient_size = 7;
    unsigned count = 0;
    if (!nvml.processes) return false;
    const int code = nvml.processes(handle, &count, nullptr);
    return (code == 0 || code == insufficient_size) && count > 0;
}

// Nothing for a board that tells neither energy nor power.
std::optional<Meter> board_of(const Nvml& nvml, unsigned index) {
    void* handle = nullptr;
    char name[96] = "";
    unsigned milliwatt = 0;
    if (nvml.by_index(index, &handle) != 0 || nvml.name(handle, name, sizeof name) != 0) return std::nullopt;
    const bool counts = nvml.energy && millijoules(nvml, handle);
    if (!counts && !(nvml.power && watts(nvml, handle))) return std::nullopt;
    const bool module = std::string(name).find("GH200") != std::string::npos;
    Domain board{.name = std::string("gpu").append(std::to_string(index)),
                 .scope = module ? Scope::module : Scope::gpu,
                 .with_host = module,
                 .integrated = !counts};
    if (used_by_others(nvml, handle))
        board.doubt = std::string("somebody else computed on ")
                          .append(board.name)
                          .append(" when this began, and their joules are counted with it");
    if (nvml.limit && nvml.limit(handle, &milliwatt) == 0 && milliwatt > 0) board.limit_W = 1e-3 * milliwatt;
    if (counts)
        return Meter{board, [nvml, handle, counter = Counter({.joules_per_count = 1e-3})](double now_s) mutable {
                         return counter.read(millijoules(nvml, handle), now_s);
                     }};
    return Meter{board, [nvml, handle, sum = Integral()](double now_s) mutable {
                     return sum.read(watts(nvml, handle), now_s);
                 }};
}

}  // namespace

Opened open_nvml(const Places& places) {
    const auto nvml = nvml_functions(places.nvml);
    if (!nvml) return Unexpected<std::string>{nvml.error()};
    unsigned count = 0;
    if (nvml->count(&count) != 0 || count == 0) return Unexpected<std::string>{"NVML shows no board"};
    std::vector<Meter> boards;
    for (unsigned i = 0; i < count; ++i)
        if (auto board = board_of(*nvml, i)) boards.push_back(std::move(*board));
    if (boards.size() < count)
        return Unexpected<std::string>{std::string("of ") + std::to_string(count) + " boards only "
                                       + std::to_string(boards.size()) + " tell energy or power"};
    return reader_of(std::move(boards));
}

Expected<double, std::string> board_joules(const std::string& library, const std::string& bus_id) {
    static std::map<std::string, Expected<Nvml, std::string>> opened;  // asked for twice a run, by one thread
    auto at = opened.find(library);
    if (at == opened.end()) at = opened.emplace(library, nvml_functions(library)).first;
    if (!at->second) return Unexpected<std::string>{at->second.error()};
    const Nvml& nvml = *at->second;
    void* handle = nullptr;
    if (nvml.energy && nvml.by_bus(bus_id.c_str(), &handle) == 0)
        if (const auto used = millijoules(nvml, handle)) return 1e-3 * double(*used);
    return Unexpected<std::string>{std::string("the board at ") + bus_id + " has no energy counter"};
}

}  // namespace plimsoll::engine::power
