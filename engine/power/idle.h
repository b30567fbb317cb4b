#pragma once
// What a machine draws when nothing runs, measured before and after: a difference
// of more than a twentieth says that something else ran, or that it had not cooled.
//
//   const Idle idle = idle_of(before_W, after_W);     // either may be missing
//   if (idle.watts) net = gross - *idle.watts * seconds;   if (idle.drifted) flags.push_back("idle_drift");

#include <cmath>
#include <optional>

namespace plimsoll::engine::power {

inline constexpr double most_drift = 0.05;

struct Idle {
    std::optional<double> watts{};   // the mean of both, or the one there is
    std::optional<double> drift{};   // after / before - 1
    bool drifted = false;
};

inline Idle idle_of(std::optional<double> before_W, std::optional<double> after_W) {
    if (!before_W || !after_W) return {before_W ? before_W : after_W, std::nullopt, false};
    const double drift = *before_W > 0 ? *after_W / *before_W - 1 : 0;
    return {0.5 * (*before_W + *after_W), drift, std::abs(drift) > most_drift};
}

}  // namespace plimsoll::engine::power
