// RAPL through powercap: /sys/class/powercap/intel-rapl:* for Intel and AMD alike.
// A number under the name is a package (or the platform), a second one a part of it.
#include "engine/power/sources/counter.h"
#include "engine/power/sources/sources.h"
#include "engine/power/sources/files.h"

#include <algorithm>
#include <cerrno>

namespace plimsoll::engine::power {
namespace {

namespace fs = std::filesystem;

// CVE-2020-8694 and -8695: energy at this resolution lets one user watch another's secrets (Lipp et al. 2021,
// PLATYPUS), so Linux 5.10 and what was mended since give it to root alone.
constexpr const char* for_root_only =
    "energy_uj can be read by root alone (since CVE-2020-8694 and CVE-2020-8695): ask those who run the machine for "
    "read permission";

std::string reason_of(const Failed& failed) {
    if (failed.code == EACCES || failed.code == EPERM) return for_root_only;
    return std::string("energy_uj cannot be read: ") + failed.why();
}

struct Zone {
    std::string key;       // "0" or "0:1"
    Meter meter;
};

Expected<std::uint64_t, std::string> microjoules(const fs::path& folder) {
    const auto raw = number(folder / "energy_uj");
    if (!raw) return Unexpected{reason_of(raw.error())};
    return *raw;
}

// "package-0" and "package-0-die-1", "core", "uncore", "dram", "psys".
Scope scope_of(const std::string& name) {
    if (name.starts_with("package")) return Scope::package;
    if (name == "psys") return Scope::node;
    return name == "dram" ? Scope::dram : Scope::core;
}

std::optional<double> limit_of(const fs::path& folder) {
    const auto limit = number(folder / "constraint_0_power_limit_uw");
    if (!limit || *limit == 0) return std::nullopt;
    return double(*limit) * 1e-6;
}

// Nothing for a zone that cannot be read: `refusal` says why.
std::optional<Zone> zone_at(const fs::path& folder, std::string& refusal) {
    const std::string file = folder.filename().string(), key = file.substr(file.find(':') + 1);
    const auto name = contents(folder / "name");
    if (!name) return std::nullopt;
    if (const auto now = microjoules(folder); !now) {
        if (refusal.empty()) refusal = now.error();
        return std::nullopt;
    }
    const auto range = number(folder / "max_energy_range_uj");
    const Counter fresh({.joules_per_count = 1e-6, .range = range ? *range : 0});
    return Zone{key,
                {{.name = *name, .scope = scope_of(*name), .limit_W = limit_of(folder)},
                 [folder, counter = fresh](double now_s) mutable { return counter.read(microjoules(folder), now_s); }}};
}

// Zones of the first level that have one name are told apart by their numbers. Two of the whole platform may each count
// all of it or a socket's part, which nothing here tells: they are never added, and that is said.
void tell_apart(std::vector<Zone>& zones) {
    std::vector<Zone*> platforms;
    for (Zone& z : zones)
        if (z.key.find(':') == std::string::npos && z.meter.domain.scope == Scope::node) platforms.push_back(&z);
    if (platforms.size() < 2) return;
    for (Zone* z : platforms) {
        z->meter.domain.name.append("-").append(z->key);
        z->meter.domain.doubt = std::to_string(platforms.size())
                                    .append(" zones count the platform, each of them perhaps all of it: the largest is "
                                            "taken, and they are not added");
    }
}

// Parts of a package are told apart by its name; the tree says what lies in what. Memory hangs below its package too,
// but the package's number is the processor's plane alone (Intel SDM 3B, 15.10): the two add up.
void nest(std::vector<Zone>& zones) {
    const auto platform = std::find_if(zones.begin(), zones.end(),
                                       [](const Zone& z) { return z.meter.domain.scope == Scope::node; });
    const std::string whole = platform == zones.end() ? "" : platform->meter.domain.name;
    for (Zone& zone : zones) {
        Domain& part = zone.meter.domain;
        if (part.scope != Scope::node) part.nested_in = whole;
        const std::size_t colon = zone.key.find(':');
        if (colon == std::string::npos) continue;
        const auto parent = std::find_if(zones.begin(), zones.end(),
                                         [&](const Zone& z) { return z.key == zone.key.substr(0, colon); });
        if (parent == zones.end()) continue;
        const std::string package = parent->meter.domain.name;
        part.name = std::string(package).append("/").append(part.name);
        if (part.scope != Scope::dram) part.nested_in = package;
    }
}

}  // namespace

Opened open_rapl(const Places& places) {
    // intel-rapl-mmio:* is the same package by another door.
    const auto folders = entries(places.root / "sys/class/powercap", "intel-rapl:");
    if (folders.empty())
        return Unexpected<std::string>{
            "there is no sys/class/powercap/intel-rapl:*: a virtual machine, a container that hides it, or a kernel "
            "without intel_rapl"};
    std::vector<Zone> zones;
    std::string refusal;
    for (const fs::path& folder : folders)
        if (auto zone = zone_at(folder, refusal)) zones.push_back(std::move(*zone));
    if (zones.empty()) return Unexpected<std::string>{refusal.empty() ? "its zones have no names" : refusal};
    tell_apart(zones);
    nest(zones);
    std::vector<Meter> meters;
    for (Zone& zone : zones) meters.push_back(std::move(zone.meter));
    return reader_of(std::move(meters));
}

}  // namespace plimsoll::engine::power
