#include "core/answers/plan/power_limit.h"

#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"

#include <charconv>
#include <cmath>
#include <utility>

namespace plimsoll {

Watts power_of(const Estimate& e) { return e.energy.total() / e.step.total(); }

bool draws_more(const Estimate& e, Watts most) { return most > Watts{} && power_of(e) > most; }

Expected<Watts, std::string> parse_power(std::string_view text) {
    constexpr std::pair<std::string_view, Watts> units[] = {
        {"mw", megawatt}, {"kw", kilowatt}, {"w", watt}};
    const std::string lowered = lower_case(std::string(trimmed(text)));
    std::string_view number = lowered;
    for (const auto& [name, size] : units) {
        if (!number.ends_with(name)) continue;
        number = trimmed(number.substr(0, number.size() - name.size()));
        double value = 0;
        const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
        if (error == std::errc() && end == number.data() + number.size() && std::isfinite(value) && value > 0)
            return value * size;
        break;
    }
    return Unexpected{"a power has a unit, as 20MW or 500kW; found '" + std::string(text) + "'"};
}

std::string say_over_power(const Estimate& e, Watts most) {
    if (!draws_more(e, most)) return {};
    return phrase("it draws {1} with all of its facility, and {2} is the limit", say(power_of(e)), say(most));
}

}  // namespace plimsoll
