#pragma once
// Every source of energy a node may have. Each is opened or says why not: a node
// without any is a list of reasons.
//
//   const std::vector<CounterSource> all = open_sources(places_of_environment());
//   for (const CounterSource& s : all) s.reader ? use(*s.reader) : say(s.name, s.reason);

#include "core/values/basics/expected.h"
#include "engine/power/sources/reader.h"

#include <filesystem>
#include <string>

namespace plimsoll::engine::power {

// Where to look. The root goes before every path of the kernel's (a test's tree, the host's /sys inside a container);
// libraries are names for dlopen or paths.
struct Places {
    std::filesystem::path root = "/";
    std::string nvml = "libnvidia-ml.so.1", rocm = "librocm_smi64.so", pwr = "libpwr.so";
    double rocm_check_s = 0.5;     // between the two looks that a counter of AMD's is believed after
};
// PLIMSOLL_POWER_ROOT, PLIMSOLL_NVML, PLIMSOLL_ROCM_SMI and PLIMSOLL_PWR replace what is set.
Places places_of_environment();

struct CounterSource {
    std::string name;                  // "rapl", "nvml", "rocm", "cray", "a64fx", "hwmon"
    std::unique_ptr<Reader> reader{};  // null: `reason` says why
    std::string reason{};
};
std::vector<CounterSource> open_sources(const Places&);

// RAPL of Intel and AMD through powercap; domains: packages, their cores, memory, the platform.
Opened open_rapl(const Places&);
// NVIDIA's management library. One domain a board.
Opened open_nvml(const Places&);
// AMD's system management library. One domain a board; counters are compared with power before they are believed.
Opened open_rocm(const Places&);
// HPE Cray EX: node, CPUs, memory, accelerator modules.
Opened open_cray(const Places&);
// Fujitsu A64FX by the Power API: the node, the only object whose energy is measured.
Opened open_a64fx(const Places&);
// With the numbers of pwr.h.
Opened open_a64fx_as(const std::string& library, int context_kind, int role, int attribute);
// Power meters of ACPI, as on NVIDIA Grace; power, summed over time.
Opened open_hwmon(const Places&);

// NVIDIA's management library with own declarations: it needs no CUDA, and neither
// it nor its header need be there. The reader of all boards is open_nvml of
// sources.h; this is the energy of the one board a rank computes on.
//
//   const Expected<double, std::string> joules = board_joules(places.nvml, "0000:65:00.0");
//   // since its driver was loaded

Expected<double, std::string> board_joules(const std::string& library, const std::string& bus_id);

// The same by AMD's. The second GCD of an MI250X has no counter: the first one's is the whole package's.
Expected<double, std::string> amd_board_joules(const std::string& library, const std::string& bus_id);

}  // namespace plimsoll::engine::power
