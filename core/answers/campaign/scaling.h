#pragma once
// Context for a plan: what a budget should train, where it stands in the trend
// of training compute, and how it compares with a weather forecast.
//
//   const Flop work = budget_flop(scenario, estimate, 100000);   // node-hours
//   optimum(work).parameters                                     // D = 20 P
//   optimum(refit_2024, work).parameters                         // the fitted law
//
// Work is 6 P D throughout. None of this is used by estimate().

#include "core/answers/campaign/headline.h"

namespace plimsoll {

struct Optimum {
    double parameters = 0, tokens = 0;
    double tokens_per_parameter() const { return tokens / parameters; }
};

// The rule of Hoffmann et al. 2022, D = 20 P: P = sqrt(C / 120).
Optimum optimum(Flop work);

// Loss = E + A / P^alpha + B / D^beta.
struct LossLaw {
    double irreducible, parameter_scale, token_scale, parameter_power, token_power;
    double loss(double parameters, double tokens) const;
};
// As printed by Hoffmann et al. 2022; its optimum contradicts their own 20 : 1.
inline constexpr LossLaw printed_2022{1.69, 406.4, 410.7, 0.34, 0.28};
// Their data fitted again by Besiroglu et al. 2024.
inline constexpr LossLaw refit_2024{1.8172, 482.01, 2085.43, 0.3478, 0.3658};
Optimum optimum(const LossLaw&, Flop work);  // smallest loss for this work

// 6 P D that node-hours pay for at the rate this plan reaches, failures included.
Flop budget_flop(const Scenario&, const Estimate&, double node_hours);

// Compute of the largest runs: F0 2^((year - t0) / T2).
struct Trend {
    Flop work = 3.15e23 * flop;   // GPT-3: 6 x 175e9 x 300e9
    double year = 2020.4;
    double doubling_months = 5.7;  // deep-learning era, Sevilla et al. 2022 (from memory of the paper)
    Flop at(double year) const;
    double year_of(Flop) const;   // when the trend reaches it
};
double doubling_months(double growth, double years);  // growth of 10^10 in 12 years: 4.3 months

// The global forecast at 3.5 km that training is compared with, on Fugaku.
struct WeatherRun {
    int nodes = 131072;
    Seconds time = 14200 * second;
    double points = 4.4e12;
    Flop per_point = 90e6 * flop;
    double printed_node_hours = 33230;  // on a published slide; nodes x time is 517,006
    double node_hours() const { return nodes * (time / hour); }
    FlopRate rate() const { return points * per_point / time; }
    double runs_of(double machine_hours) const { return machine_hours / node_hours(); }
};

}  // namespace plimsoll
