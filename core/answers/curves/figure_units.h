#pragma once
// Readable units, one per figure: the largest that the present plan's value fills twice.

#include "core/values/basics/units.h"

#include <cstddef>

namespace plimsoll {

template <class Q>
struct Unit {
    const char* name;
    Q size;
};

// Of units in ascending order; the smallest where the value fills none twice.
template <class Q, std::size_t N>
Unit<Q> readable(Q value, const Unit<Q> (&units)[N]) {
    Unit<Q> best = units[0];
    for (const Unit<Q>& u : units)
        if (value >= 2 * u.size) best = u;
    return best;
}

inline constexpr Unit<Seconds> run_units[] = {{"minutes", minute}, {"hours", hour}, {"days", day}};
inline constexpr Unit<Seconds> step_units[] = {{"ms", millisecond}, {"s", second}};
inline constexpr Unit<Joules> energy_units[] = {{"kWh", kilowatt_hour}, {"MWh", megawatt_hour}, {"GWh", 1e3 * megawatt_hour}};
inline constexpr Unit<Watts> power_units[] = {{"W", watt}, {"kW", kilowatt}, {"MW", megawatt}};

}  // namespace plimsoll
