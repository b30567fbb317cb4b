#include "core/answers/campaign/hours.h"

#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"

#include <cmath>
#include <iterator>

namespace plimsoll {

namespace {

constexpr std::string_view hour_words[] = {"node", "package", "device", "core", "site"};
constexpr std::string_view hour_names[] = {"node-hour", "package-hour", "device-hour", "core-hour", "site unit"};

double packages_per_node(const Machine& m) { return 1.0 * m.devices_per_node / std::max(1, m.device.per_package); }

bool counts_cores(const Machine& m) {
    return m.accounting.unit == "core-hour" && m.accounting.units_per_node_hour != m.devices_per_node;
}

bool same(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

}  // namespace

std::string_view name_of_hour(HourOf of) { return hour_names[static_cast<std::size_t>(of)]; }

std::optional<HourOf> hour_named(std::string_view word) {
    for (std::size_t i = 0; i < std::size(hour_words); ++i)
        if (hour_words[i] == word) return static_cast<HourOf>(i);
    return std::nullopt;
}

std::optional<double> hours_per_node_hour(const Machine& m, HourOf of, double cores_per_node) {
    switch (of) {
    case HourOf::node: return 1;
    case HourOf::package: return packages_per_node(m);
    case HourOf::device: return m.devices_per_node;
    case HourOf::core:
        if (cores_per_node > 0) return cores_per_node;
        return counts_cores(m) ? std::optional(m.accounting.units_per_node_hour) : std::nullopt;
    case HourOf::site: return m.accounting.units_per_node_hour;
    }
    return std::nullopt;
}

std::optional<double> from_node_hours(const Machine& m, double node_hours, HourOf of, double cores_per_node) {
    const auto rate = hours_per_node_hour(m, of, cores_per_node);
    return rate ? std::optional(node_hours * *rate) : std::nullopt;
}

std::optional<double> to_node_hours(const Machine& m, double amount, HourOf of, double cores_per_node) {
    const auto rate = hours_per_node_hour(m, of, cores_per_node);
    return rate && *rate > 0 ? std::optional(amount / *rate) : std::nullopt;
}

std::string package_name(const Machine& m) {
    return m.device.package.empty() ? m.device.name : m.device.package;
}

CountedIn counted_in(const Machine& m, HourOf of) {
    if (of != HourOf::package || m.device.per_package <= 1) return {};
    return {m.device.per_package, package_name(m)};
}

std::string unit_after(double amount, const std::string& unit) {
    return amount == 1 || unit.empty() || unit.ends_with('s') ? unit : unit + 's';
}

std::string say_gpu_hour(const Machine& m) {
    const Accounting& a = m.accounting;
    const std::string package = package_name(m);
    const bool packed = m.device.per_package > 1;
    std::string devices = phrase("A device here is one {1}, and a node has {2}", m.device.name,
                                 numbered(m.devices_per_node, "device", "devices"));
    if (packed) devices = phrase("{1} in {2} packages ({3})", devices, shortest(packages_per_node(m)), package);
    if (a.unit == "node-hour") return phrase("{1}; the site charges node-hours.", devices);
    const std::string charge =
        phrase("{1}; the site charges {2} {3} per node-hour", devices, shortest(a.units_per_node_hour),
               unit_after(a.units_per_node_hour, a.unit));
    if (counts_cores(m)) return phrase("{1}, one for each core.", charge);
    if (packed && same(a.units_per_node_hour, packages_per_node(m)))
        return phrase("{1}: one charged hour is one hour of one {2}, which is {3} here.", charge, package,
                      numbered(m.device.per_package, "device", "devices"));
    if (same(a.units_per_node_hour, m.devices_per_node))
        return phrase("{1}: one charged hour is one hour of one device.", charge);
    return charge + '.';
}

}  // namespace plimsoll
