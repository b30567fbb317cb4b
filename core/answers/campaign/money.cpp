#include "core/answers/campaign/money.h"

#include "core/values/basics/foreign_text.h"
#include "core/values/basics/names.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"

#include <cmath>
#include <cstdlib>

namespace plimsoll {

namespace {

void set_hours(Cost& c, const Machine& m, const Totals& t) {
    c.hours = c.per == PerHour::node_hour ? t.node_hours : t.node_hours * m.devices_per_node;
    c.low = c.hours * c.hour_low;
    c.high = c.hours * c.hour_high;
}

}  // namespace

std::optional<Cost> cost_of(const Scenario& s, const Totals& t) {
    const Machine& m = s.machine;
    if (!t.ends()) return std::nullopt;
    Cost c;
    if (m.price.amount > 0) {
        c.hour_low = c.hour_high = m.price.amount;
        c.per = m.price.per;
        c.currency = m.price.currency;
        c.as_of = m.price.as_of;
        c.source = source_of(m.sources, "/price/amount");
    } else if (m.usd_per_device_hour_low || m.usd_per_device_hour_high) {
        c.hour_low = m.usd_per_device_hour_low ? *m.usd_per_device_hour_low : *m.usd_per_device_hour_high;
        c.hour_high = m.usd_per_device_hour_high ? *m.usd_per_device_hour_high : c.hour_low;
        c.currency = "USD";
        c.source = source_of(m.sources, m.usd_per_device_hour_low ? "/usd_per_device_hour_low"
                                                                  : "/usd_per_device_hour_high");
    } else {
        return std::nullopt;
    }
    set_hours(c, m, t);
    return c;
}

std::optional<double> Carbon::known_kg() const {
    if (!operational_kg) return embodied_kg;
    return *operational_kg + embodied_kg.value_or(0);
}

Carbon carbon_of(const Scenario& s, const Totals& t) {
    const Machine& m = s.machine;
    Carbon c;
    c.pue = m.power.pue;
    c.grid_g_per_kWh = m.grid_gCO2e_per_kWh;
    c.embodied_g_per_node_hour = m.embodied_gCO2e_per_node_hour;
    c.grid_source = source_of(m.sources, "/grid_gCO2e_per_kWh");
    c.embodied_source = source_of(m.sources, "/embodied_gCO2e_per_node_hour");
    if (!t.ends()) return c;
    c.facility_kWh = t.facility_energy / kilowatt_hour;
    if (c.grid_g_per_kWh) c.operational_kg = c.facility_kWh * *c.grid_g_per_kWh / 1000;
    if (c.embodied_g_per_node_hour) c.embodied_kg = t.node_hours * *c.embodied_g_per_node_hour / 1000;
    return c;
}

Expected<HourPrice, std::string> parse_price(std::string_view text) {
    const std::string given(text);
    const auto refused = [&] {
        return Unexpected{"found \"" + visible(given.substr(0, 60))
                          + "\", expected an amount above 0, a currency and the hour, as in 2.69 CHF/node-hour or "
                            "1.99 USD/device-hour"};
    };
    HourPrice price;
    char* end = nullptr;
    price.amount = std::strtod(given.c_str(), &end);
    if (!(price.amount > 0) || price.amount > 1e6) return refused();
    std::string rest(trimmed(end));
    const std::size_t slash = rest.find('/');
    if (slash == std::string::npos) return refused();
    const auto per = from_name<PerHour>(trimmed(std::string_view(rest).substr(slash + 1)));
    price.currency = trimmed(std::string_view(rest).substr(0, slash));
    if (!per || price.currency.empty() || price.currency.size() > 12 || !is_line(price.currency)) return refused();
    price.per = *per;
    price.as_of = "stated by the user";
    return price;
}

std::string say_money(double amount, const std::string& currency) { return currency + ' ' + say_count(amount); }

std::string say_kg(double kg) {
    if (kg >= 1e6) return significant(kg / 1e6, 3) + " kt CO2e";
    if (kg >= 1e3) return significant(kg / 1e3, 3) + " t CO2e";
    return significant(kg, 3) + " kg CO2e";
}

std::string say(const Cost& c) {
    const std::string low = say_money(c.low, c.currency);
    return c.stated() ? low : phrase("{1} to {2}", low, say_count(c.high));
}

std::string say_price(const Cost& c) {
    std::string text = c.currency + ' ' + shortest(c.hour_low);
    if (c.hour_high != c.hour_low) text = phrase("{1} to {2}", text, shortest(c.hour_high));
    text = c.per == PerHour::node_hour ? phrase("{1} per node-hour", text) : phrase("{1} per device-hour", text);
    if (!c.as_of.empty()) text += ", " + c.as_of;
    return c.source.text.empty() ? text : text + ": " + c.source.text;
}

std::string say_operational(const Carbon& c) {
    if (c.operational_kg) return say_kg(*c.operational_kg);
    return c.grid_g_per_kWh ? phrase("unknown: the run does not end")
                            : phrase("unknown: no factor of the grid is stated");
}

std::string say_embodied(const Carbon& c) {
    if (c.embodied_kg) return say_kg(*c.embodied_kg);
    return c.embodied_g_per_node_hour ? phrase("unknown: the run does not end")
                                      : phrase("unknown: the operator published no share");
}

}  // namespace plimsoll
