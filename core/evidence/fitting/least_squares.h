#pragma once
// Positive parameters of a curve from measured positive values: robust least
// squares on relative errors, with priors.
//
//   const auto curve = [&](std::span<const double> parameters) { return times(parameters); };
//   const CurveFit f = fit_curve(measured, {{.prior = 0.9, .width = 0.3}}, curve);
//   f.values[0], f.low[0], f.high[0];
//
// Minimises, over z = log(parameter / prior) / width,
//   sum over points  2 delta^2 (sqrt(1 + (r/delta)^2) - 1) / noise^2  +  sum z^2,   r = log(curve / measured)
// by Levenberg and Marquardt's method with derivatives by differences. delta is where a point
// begins to count as an outlier; noise how well the form itself is believed.

#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace plimsoll {

struct CurveParameter {
    double prior = 1, width = 0.5;   // log-normal: width is the standard deviation of the logarithm
    double least = 0, most = std::numeric_limits<double>::infinity();
};

struct CurveFit {
    std::vector<double> values, low, high;  // of each parameter; 95 %, from the curvature and the scatter of the points
    // Independent directions in which the parameters are unsure: changes of their logarithms, one standard deviation
    // each. Their squares add up to the covariance.
    std::vector<std::vector<double>> directions;
    std::vector<double> curve;                // at the values, a point each
    double scatter = 0;                       // robust standard deviation of r
    double cost = 0;
};

// `weight`: of each point, 1 where empty. Parameters that the points do not move stay at their prior, as wide as it.
CurveFit fit_curve(const std::vector<double>& measured, const std::vector<CurveParameter>&,
                   const std::function<std::vector<double>(std::span<const double>)>& curve,
                   const std::vector<double>& weight = {}, double noise = 0.03, double delta = 0.06);

}  // namespace plimsoll
