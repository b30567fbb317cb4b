#pragma once
// What an hour is of: a node, a device as a launcher counts it, a package (the module or card that is soldered), a
// core, or what the site charges. The one place that converts between them.
//
//   to_node_hours(frontier, 8, HourOf::device) == 1         // a node of Frontier has eight GCDs
//   to_node_hours(frontier, 4, HourOf::package) == 1        // and four MI250X modules
//   say_gpu_hour(lumi)     // "A GPU-hour of LUMI-G is an hour of one MI250X, which is 2 devices here; ..."
//
// A node-hour is charged whole whatever a plan leaves idle of it.

#include "core/values/plan/machine.h"

#include <optional>
#include <string>
#include <string_view>

namespace plimsoll {

enum class HourOf { node, package, device, core, site };
std::string_view name_of_hour(HourOf);               // "node-hour", "package-hour", ..., "site unit"
std::optional<HourOf> hour_named(std::string_view);  // "node", "package", "device", "core", "site"

// How many of them one node-hour is. Nothing for cores where they are not known: by the site's own unit, or by
// `cores_per_node` where that is above 0.
std::optional<double> hours_per_node_hour(const Machine&, HourOf, double cores_per_node = 0);
std::optional<double> from_node_hours(const Machine&, double node_hours, HourOf, double cores_per_node = 0);
std::optional<double> to_node_hours(const Machine&, double amount, HourOf, double cores_per_node = 0);

// "8 GPU-hours", "1 SU", "12,000 SUs": the name of a unit after an amount of it.
std::string unit_after(double amount, const std::string& unit);

// Which of them the site's unit is, and of which devices: in a sentence or two.
std::string say_gpu_hour(const Machine&);
// "MI250X" for half of one; the device's own name where it is the package.
std::string package_name(const Machine&);

// What devices are counted in beside such hours: {2, "MI250X"} beside hours of modules that hold two, else devices.
struct CountedIn {
    int devices = 1;
    std::string name;   // empty: devices
};
CountedIn counted_in(const Machine&, HourOf);

}  // namespace plimsoll
