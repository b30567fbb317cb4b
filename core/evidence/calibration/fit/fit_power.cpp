// Watts of the machine at rest and under one load at a time, as the cost model has
// them: idle + weight x (max - idle) of every device, beside its host.
#include "core/evidence/calibration/fit/workbench.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace plimsoll::fitting {

namespace {

// Watts of all nodes under a load; nothing where no counter told, a counter cannot be believed, or others drew some of them.
std::optional<double> watts(const Measurements& m, std::string_view load) {
    for (const BenchPoint& p : m.points)
        if (p.kind == "power" && p.word("load") == load && p.number("W") > 0 && !p.has("off_limit") && !p.contended()) return p.number("W");
    return std::nullopt;
}

struct Rest {
    double watts = 0, unsure = 0;    // of all nodes; how far rest differed before and after, at least 2 %
    std::string_view scope;          // "gpu", "package+dram", "node"
};
std::optional<Rest> rest_of(const Measurements& m) {
    const auto before = watts(m, "idle");
    if (!before) return std::nullopt;
    constexpr double least = 0.02;
    Rest r{*before, least * *before, {}};
    if (const auto after = watts(m, "idle_after")) r.unsure = std::max(r.unsure, std::abs(*after - *before));
    for (const BenchPoint& p : m.points)
        if (p.kind == "power" && p.word("load") == "idle") r.scope = p.word("scope");
    return r;
}

// Boards alone, or processors that are the devices: rest is the devices' own. Else what the devices do not draw is the host's.
bool of_devices(std::string_view scope, const Machine& m) {
    if (scope.find("node") != scope.npos) return false;
    return scope == "gpu" || scope == "module" || m.host.link <= ByteRate{};
}

// Without an experiment: points are times, and these are watts.
double keep(Workbench& w, const char* pointer, double before, double value, double unsure) {
    w.note(pointer, "", before, rounded(value), rounded(std::max(0.0, value - unsure)), rounded(value + unsure));
    return rounded(value);
}

void fit_rest(Workbench& w, const Rest& rest, double nodes) {
    Power& power = w.so_far.machine.power;
    const double devices = nodes * w.plan.machine.devices_per_node;
    if (of_devices(rest.scope, w.plan.machine)) {
        power.device_idle = keep(w, "/power/device_idle_W", power.device_idle / watt, rest.watts / devices, rest.unsure / devices) * watt;
    } else {
        const double host = std::max(0.0, (rest.watts - devices * (power.device_idle / watt)) / nodes);
        power.host = keep(w, "/power/host_W", power.host / watt, host, rest.unsure / nodes) * watt;
    }
}

struct Load {
    const char *name, *pointer;
    double Power::*weight;
};
constexpr Load loads[] = {{"gemm", "/power/compute_weight", &Power::compute_weight},
                          {"stream", "/power/memory_weight", &Power::memory_weight},
                          {"all_reduce", "/power/network_weight", &Power::network_weight}};

// `busy`: the ranks that bore the loads, a device each.
void fit_loads(Workbench& w, const Measurements& m, const Rest& rest, double busy) {
    Power& power = w.so_far.machine.power;
    const double idle = power.device_idle / watt;
    const auto extra = [&](const Load& load) {
        const auto all = watts(m, load.name);
        return all ? std::optional(std::max(0.0, *all - rest.watts) / busy) : std::nullopt;
    };
    double most = 0;
    for (const Load& load : loads) most = std::max(most, extra(load).value_or(0));
    // More than the preset says a device draws at most: the limit was another's.
    if (idle + most > power.device_max / watt) power.device_max = keep(w, "/power/device_max_W", power.device_max / watt, idle + most, rest.unsure / busy) * watt;
    const double range = power.device_max / watt - idle;
    if (range <= 0) return;
    for (const Load& load : loads)
        if (const auto more = extra(load)) power.*load.weight = std::min(1.0, keep(w, load.pointer, power.*load.weight, std::min(1.0, *more / range), rest.unsure / busy / range));
}

}  // namespace

void fit_power(Workbench& w, const Measurements& m) {
    if (std::any_of(m.points.begin(), m.points.end(), [](const BenchPoint& p) { return p.kind == "power" && p.contended(); }))
        w.so_far.cautions.push_back("Other programs ran while power was measured: those loads were left out.");
    const auto rest = rest_of(m);
    if (!rest) return;
    fit_rest(w, *rest, double(std::max<std::size_t>(1, m.nodes.size())));
    const auto& runs = w.plan.runs;
    const auto power = std::find_if(runs.begin(), runs.end(), [](const PlannedRun& r) { return r.id == "power"; });
    if (power != runs.end()) fit_loads(w, m, *rest, power->ranks);
}

}  // namespace plimsoll::fitting
