#include "core/evidence/calibration/plan/place.h"

#include "core/values/basics/text.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace plimsoll {

namespace {

std::string foreign(const Machine& m) {
    return std::string(m.name).append(" computes on ").append(m.device.name)
        .append(", for which plimsoll-engine has no back end: it runs on processors and on NVIDIA's GPUs. Its processors could be measured, and a preset with their "
                "rates would be wrong in everything. What works there: a trial job (plimsoll calibrate with --script and --trial 3), and its network measured from the "
                "processors (plimsoll-engine --bench collectives,p2p, with --dp and --pp for its ranks).");
}

// Layouts of a plan span nodes as the preset's levels do: every device of a node before the next node's first.
std::string shape_problem(const Machine& m, const Allocation& a) {
    if (a.ranks_per_node > m.devices_per_node)
        return counted(a.ranks_per_node, "rank", "ranks").append(" on a node of ").append(m.name).append(": a rank of a calibration is a device, and a node has ")
            .append(counted(m.devices_per_node, "device", "devices")).append(" (").append(m.device.name).append("); --ranks-per-node ")
            .append(std::to_string(m.devices_per_node)).append(" works");
    if (a.nodes > 1 && a.ranks_per_node < m.devices_per_node)
        return std::string("On ").append(std::to_string(a.nodes)).append(" nodes of ").append(m.name).append(" a calibration takes all ")
            .append(std::to_string(m.devices_per_node)).append(" devices of each: --ranks-per-node ").append(std::to_string(m.devices_per_node))
            .append(" works, and so does --nodes 1");
    return {};
}

// Of a rank on processors. 0: all there are, which the engine finds where one rank is alone.
Expected<int, std::string> threads_of(const Machine& m, const Allocation& a) {
    if (a.cores_per_rank > 0) return a.cores_per_rank;
    if (m.devices_per_node > 1) return 1;     // such presets count cores
    if (a.nodes == 1) return 0;
    return Unexpected{std::string("The preset of ").append(m.name).append(" does not say how many cores a job has on a node (cores_per_rank of the scheduler's job): "
                                                                          "ranks would use one each and stand for ").append(m.device.name).append("; --nodes 1 works")};
}

// "A100" of "NVIDIA A100-SXM4-80GB", "4090" of "NVIDIA GeForce RTX 4090": the first word with a digit in it.
std::string numbered_word(const std::string& name) {
    const auto alphanumeric = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
    for (auto at = name.begin(); at != name.end();) {
        const auto begin = std::find_if(at, name.end(), alphanumeric), end = std::find_if_not(begin, name.end(), alphanumeric);
        if (std::any_of(begin, end, [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; })) return {begin, end};
        at = end;
    }
    return {};
}

}  // namespace

DeviceKind device_kind(const Machine& m) {
    if (m.device.name.starts_with("NVIDIA")) return DeviceKind::nvidia;
    // An MI300A shares its memory with its processor: no link leads to it, and yet no core computes.
    const bool graphics = m.device.name.find("APU") != std::string::npos || m.device.name.find("GPU") != std::string::npos;
    return m.host.link > ByteRate{} || graphics ? DeviceKind::foreign : DeviceKind::processor;
}

Expected<CalibrationPlace, std::string> place_on(const Machine& m, const Stack& engine, const Allocation& a) {
    const DeviceKind kind = device_kind(m);
    if (kind == DeviceKind::foreign) return Unexpected{foreign(m)};
    if (std::string why = shape_problem(m, a); !why.empty()) return Unexpected{std::move(why)};
    CalibrationPlace place{.machine = m, .engine = engine, .ranks = a.nodes * a.ranks_per_node, .nodes = a.nodes,
                           .accelerator = kind == DeviceKind::nvidia, .fixed = true, .power = true};
    if (place.accelerator) return place;
    const auto threads = threads_of(m, a);
    if (!threads) return Unexpected{threads.error()};
    place.threads = *threads;
    return place;
}

CalibrationPlace place_here(const Scenario& subject, const Machine& cores, const Stack& engine, const Computer& here) {
    const int gpus = int(std::count_if(here.gpus.begin(), here.gpus.end(), [&](const std::string& gpu) { return same_gpu(subject.machine.device.name, gpu); }));
    if (gpus > 0 && device_kind(subject.machine) == DeviceKind::nvidia)
        return {.machine = subject.machine, .engine = engine, .ranks = std::min(gpus, subject.machine.devices_per_node), .accelerator = true, .power = true};
    CalibrationPlace place{.machine = cores, .engine = engine, .ranks = here.cores, .power = here.energy_counters};
    place.machine.host.memory = here.memory;
    return place;
}

bool same_gpu(const std::string& preset, const std::string& driver) {
    const std::string number = numbered_word(driver);
    return !number.empty() && number == numbered_word(preset);
}

}  // namespace plimsoll
