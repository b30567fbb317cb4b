#pragma once
// What a run costs in money and carbon, as far as anybody has published it.
//
//   const Totals t = totals(scenario, headline(scenario, estimate));
//   if (const auto c = cost_of(scenario, t)) say(*c);      // "USD 1.21M to 4.55M"
//   carbon_of(scenario, t).operational_kg;                 // nothing where the grid is not known
//
// An unknown price or factor is an empty optional and never an invented number. A price that is stated for the machine,
// by its site or by the user, goes before the range of the market.

#include "core/answers/campaign/totals.h"
#include "core/values/basics/expected.h"
#include "core/values/basics/source.h"

#include <optional>
#include <string>
#include <string_view>

namespace plimsoll {

struct Cost {
    double low = 0, high = 0;              // of all hours
    double hour_low = 0, hour_high = 0;    // of one hour
    PerHour per = PerHour::device_hour;
    double hours = 0;                      // that are paid for
    std::string currency;
    std::string as_of;                     // of a stated price; the market's date stands in its source
    Source source;
    bool stated() const { return low == high; }
    double middle() const { return (low + high) / 2; }
};
// Nothing where no price is known, or failures take all of the time. Where a site charges whole nodes, an hour of a
// device is paid for every device of them.
std::optional<Cost> cost_of(const Scenario&, const Totals&);

struct Carbon {
    double facility_kWh = 0, pue = 1;
    std::optional<double> grid_g_per_kWh, operational_kg;
    std::optional<double> embodied_g_per_node_hour, embodied_kg;
    Source grid_source, embodied_source;
    // Of what is known; nothing where nothing is.
    std::optional<double> known_kg() const;
};
Carbon carbon_of(const Scenario&, const Totals&);

// "2.69 CHF/node-hour", "1.99 USD/device-hour".
Expected<HourPrice, std::string> parse_price(std::string_view);

std::string say_money(double amount, const std::string& currency);   // "CHF 12,300"
std::string say_kg(double kg);                                       // "412 kg CO2e", "1.21 kt CO2e"
std::string say(const Cost&);
// "CHF 2.69 per node-hour, 2026-07-01: source", what the cost follows from.
std::string say_price(const Cost&);
std::string say_operational(const Carbon&);                          // "unknown: ..." where it is
std::string say_embodied(const Carbon&);

}  // namespace plimsoll
