// RAPL through powercap: /sys/class/powercap/intel-rapl:* for Intel and AMD alike.
// A number under the name is a package (or the platform), a second one a part of it.
#include "engine/power/counter.h"
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
    fs::path folder;
    std::string key;       // "0" or "0:1"
    Counter counter;
};

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

class Rapl final : public Reader {
public:
    const std::vector<Domain>& domains() const override { return domains_; }
    Readings read(double now_s) override {
        Readings readings;
        for (Zone& zone : zones_) readings.push_back(read(zone, now_s));
        return readings;
    }
    void add(const fs::path& folder);
    void tell_apart();
    void nest();
    bool empty() const { return zones_.empty(); }
    std::string refusal;       // of zones that cannot be read

private:
    static Expected<Reading, std::string> read(Zone& zone, double now_s) {
        const auto raw = number(zone.folder / "energy_uj");
        if (!raw) {
            zone.counter.restart();
            return Unexpected<std::string>{reason_of(raw.error())};
        }
        const auto joules = zone.counter.take(*raw, now_s);
        if (!joules) return Unexpected<std::string>{joules.error()};
        return Reading{*joules, now_s};
    }

    std::vector<Domain> domains_;
    std::vector<Zone> zones_;
};

void Rapl::add(const fs::path& folder) {
    const std::string file = folder.filename().string(), key = file.substr(file.find(':') + 1);
    const auto name = contents(folder / "name");
    if (!name) return;
    if (const auto raw = number(folder / "energy_uj"); !raw) {
        if (refusal.empty()) refusal = reason_of(raw.error());
        return;
    }
    const auto range = number(folder / "max_energy_range_uj");
    zones_.push_back({folder, key, Counter({.joules_per_count = 1e-6, .range = range ? *range : 0})});
    domains_.push_back({.name = *name, .scope = scope_of(*name), .limit_W = limit_of(folder)});
}

// Zones of the first level that have one name are told apart by their numbers. Two of the whole platform may each count
// all of it or a socket's part, which nothing here tells: they are never added, and that is said.
void Rapl::tell_apart() {
    std::vector<std::size_t> platforms;
    for (std::size_t i = 0; i < zones_.size(); ++i) {
        const bool part = zones_[i].key.find(':') != std::string::npos;
        if (!part && domains_[i].scope == Scope::node) platforms.push_back(i);
    }
    if (platforms.size() < 2) return;
    for (const std::size_t i : platforms) {
        domains_[i].name.append("-").append(zones_[i].key);
        domains_[i].doubt = std::to_string(platforms.size())
                                .append(" zones count the platform, each of them perhaps all of it: the largest is "
                                        "taken, and they are not added");
    }
}

// Parts of a package are told apart by its name; the tree says what lies in what. Memory hangs below its package too,
// but the package's number is the processor's plane alone (Intel SDM 3B, 15.10): the two add up.
void Rapl::nest() {
    const auto platform =
        std::find_if(domains_.begin(), domains_.end(), [](const Domain& d) { return d.scope == Scope::node; });
    const std::string whole = platform == domains_.end() ? "" : platform->name;
    for (std::size_t i = 0; i < zones_.size(); ++i) {
        Domain& part = domains_[i];
        if (part.scope != Scope::node) part.nested_in = whole;
        const std::size_t colon = zones_[i].key.find(':');
        if (colon == std::string::npos) continue;
        const std::string parent = zones_[i].key.substr(0, colon);
        const auto zone = std::find_if(zones_.begin(), zones_.end(), [&](const Zone& z) { return z.key == parent; });
        if (zone == zones_.end()) continue;
        const std::string package = domains_[std::size_t(zone - zones_.begin())].name;
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
    auto reader = std::make_unique<Rapl>();
    for (const fs::path& folder : folders) reader->add(folder);
    if (reader->empty())
        return Unexpected<std::string>{reader->refusal.empty() ? "its zones have no names" : reader->refusal};
    reader->tell_apart();
    reader->nest();
    return std::unique_ptr<Reader>(std::move(reader));
}

}  // namespace plimsoll::engine::power
