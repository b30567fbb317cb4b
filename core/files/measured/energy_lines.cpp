// Lines about power and energy.
#include "core/files/measured/line_fields.h"

#include <nlohmann/json.hpp>

namespace plimsoll::files {

namespace {

EngineEnergySource read_energy_source(const Reader& from) {
    EngineEnergySource source;
    if (!from.object()) return source;
    take(from, "source", source.source);
    take(from, "scope", source.scope);
    take(from, "reason", source.reason);
    take(from, "available", source.available);
    const auto domains = from.member("domains");
    if (!domains || !domains->array(longest_line)) return source;
    for (const Reader& each : domains->elements()) {
        std::string name;
        if (each.object()) take(each, "name", name);
        source.domains.push_back(name);
    }
    return source;
}

}  // namespace

EngineEvent read_energy(const Reader& line) {
    EngineEnergy energy;
    take(line, "node", energy.node);
    take(line, "available", energy.available);
    if (const auto sources = line.member("sources"); sources && sources->array(longest_line))
        for (const Reader& each : sources->elements()) energy.sources.push_back(read_energy_source(each));
    return energy;
}

EngineEvent read_power(const Reader& line) {
    EnginePower power;
    take(line, "node", power.node);
    take(line, "source", power.source);
    take(line, "domain", power.domain);
    take(line, "W", power.watts, watt);
    take(line, "J", power.joules, joule);
    take(line, "counter_age_s", power.counter_age, second);
    return power;
}

EngineEnergyUse read_energy_use(const Reader& from) {
    EngineEnergyUse use;
    if (!from.object()) return use;
    take(from, "available", use.available);
    take(from, "reason", use.reason);
    take(from, "scope", use.scope);
    take(from, "source", use.source);
    take(from, "nodes", use.nodes);
    take(from, "steps", use.steps);
    take(from, "window_s", use.window, second);
    take(from, "gross_J", use.gross, joule);
    take(from, "idle_W", use.idle, watt);
    take(from, "net_J", use.net, joule);
    return use;
}

}  // namespace plimsoll::files
