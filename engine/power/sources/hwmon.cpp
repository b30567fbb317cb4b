// Power meters of ACPI under /sys/class/hwmon, in uW. On NVIDIA Grace each socket
// has several, one inside the other: module (CPU, GPU and memory) > Grace > CPU and
// SysIO rails. A meter without a name on other machines is the node's supply.
#include "engine/power/sources/counter.h"
#include "engine/power/sources/sources.h"
#include "engine/power/sources/files.h"

#include <algorithm>
#include <cctype>

namespace plimsoll::engine::power {
namespace {

namespace fs = std::filesystem;

Expected<double, std::string> watts_in(const fs::path& file) {
    const auto microwatt = number(file);
    if (microwatt) return 1e-6 * double(*microwatt);
    return Unexpected<std::string>{std::string("power1_average cannot be read: ") + microwatt.error().why()};
}

// "Grace Power Socket 1" -> {"grace", "1"}; nothing for other words.
std::optional<std::pair<std::string, std::string>> rail_of(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    const std::size_t at = text.find(" power socket ");
    if (at == text.npos) return std::nullopt;
    return std::pair{text.substr(0, at), text.substr(at + 14)};
}

Domain domain_of(const std::string& label, std::size_t unnamed) {
    const auto rail = rail_of(label);
    if (!rail)
        return {.name = unnamed ? std::string("supply").append(std::to_string(unnamed)) : "supply",
                .scope = Scope::node,
                .integrated = true};
    const std::string& kind = rail->first, &socket = rail->second;
    const auto named = [&](const char* what) { return std::string(what).append(socket); };
    const Scope scope = kind == "module" ? Scope::module : kind == "grace" ? Scope::package : Scope::core;
    const std::string nested = kind == "module" ? "" : kind == "grace" ? named("module") : named("grace");
    return {.name = named(kind.c_str()),
            .scope = scope,
            .nested_in = nested,
            .with_host = kind == "module",
            .integrated = true};
}

// A rail lies in the next larger one that there is.
void drop_missing(std::vector<Meter>& meters) {
    const auto is_there = [&](const std::string& name) {
        return std::any_of(meters.begin(), meters.end(), [&](const Meter& m) { return m.domain.name == name; });
    };
    for (Meter& m : meters) {
        std::string& outer = m.domain.nested_in;
        if (outer.starts_with("grace") && !is_there(outer)) outer.replace(0, 5, "module");
        if (!is_there(outer)) outer.clear();
    }
}

}  // namespace

Opened open_hwmon(const Places& places) {
    std::vector<Meter> meters;
    std::size_t unnamed = 0;
    std::string why = "there is no power meter under sys/class/hwmon";
    for (const fs::path& folder : entries(places.root / "sys/class/hwmon", "hwmon")) {
        if (const auto name = contents(folder / "name"); !name || *name != "power_meter") continue;
        fs::path at = folder / "device";  // ACPI's driver hangs its files there
        std::error_code ignored;
        if (!fs::exists(at / "power1_average", ignored)) at = folder;
        const fs::path file = at / "power1_average";
        if (const auto power = watts_in(file); !power) {
            why = power.error();
            continue;
        }
        const auto label = contents(at / "power1_oem_info");
        Domain domain = domain_of(label ? *label : "", unnamed);
        unnamed += domain.scope == Scope::node;
        meters.push_back({std::move(domain), [file, sum = Integral()](double now_s) mutable {
                              return sum.read(watts_in(file), now_s);
                          }});
    }
    if (meters.empty()) return Unexpected<std::string>{why};
    drop_missing(meters);
    return reader_of(std::move(meters));
}

}  // namespace plimsoll::engine::power
