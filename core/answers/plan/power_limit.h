#pragma once
// How much power a plan draws, and a limit that its site or its user sets.
//
//   const Watts most = *parse_power("20 MW");
//   draws_more(estimate, most);              // the facility's average while it trains, PUE included
//   search(plan, space, {.most_power = most});
//
// A wish of whoever plans and no property of the plan, as the headroom is: it changes no price.

#include "core/answers/plan/estimate.h"

#include <string>
#include <string_view>

namespace plimsoll {

// The facility's average over a step: device, host and network power with the PUE.
Watts power_of(const Estimate&);
// A limit of nothing is none.
bool draws_more(const Estimate&, Watts most);

// "20 MW", "500kW" and "20000 W"; anything else, or nothing above zero, is an error in words.
Expected<Watts, std::string> parse_power(std::string_view);

// "it draws 21.3 MW, and 20 MW is the limit"; empty where it draws less or there is no limit.
std::string say_over_power(const Estimate&, Watts most);

}  // namespace plimsoll
