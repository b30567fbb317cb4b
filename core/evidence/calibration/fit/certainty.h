#pragma once
// How sure a prediction is: what the fits leave open, carried over to the step that is predicted.
//
// Everything that was fitted is unsure in some directions: the columns of a root of the covariance of its logarithms.
// Whole steps then say which of them are wrong, all at once: Bayesian linear regression about the fitted point (Gelman
// et al. 2013, Bayesian Data Analysis, 14.2 and 14.8),
//   log(measured / predicted) of layout f = sum over directions d  x_fd z_d  + e_f,   z_d ~ N(0, 1),  e_f ~ N(0, v_f)
// with the posterior covariance (I + X' V^-1 X)^-1 of z. What is left of a layout then has the variance
//   x' (I + X' V^-1 X)^-1 x + v
// and v is what the model and a repeated run are off by, each with a scaled inverse chi-squared prior (2.6 and 3.2
// there), so that intervals are those of Student's t.
//
//   Direction slower{{{"/device/efficiency/gemm_ceiling", -0.02}}};   // one standard deviation
//   turn(machine, stack, slower);

#include "core/values/plan/machine.h"
#include "core/values/plan/stack.h"

#include <string>
#include <utility>
#include <vector>

namespace plimsoll {

// One standard deviation along one independent direction: constants by their pointers, and how far their logarithms
// move. "steps/compute", "steps/network" and "steps/rest" are the factors of whole steps.
struct Direction {
    std::vector<std::pair<std::string, double>> moves;
};
void turn(Machine&, Stack&, const Direction&);

namespace fitting {

// Slopes x_fd of the layouts that fit, row by row: log of the predicted step with the direction over that without.
using Slopes = std::vector<std::vector<double>>;

// The directions as steps with the variances v_f leave them. `used`: how many parameters the steps have decided, the
// trace of the hat matrix (Hastie et al. 2009, The Elements of Statistical Learning, 7.6).
struct Informed {
    std::vector<Direction> directions;
    double used = 0;
};
Informed informed(const std::vector<Direction>&, const Slopes&, const std::vector<double>& variances);

// Of a variance: `prior` counts as `prior_degrees` values, `squares` is the sum of `degrees` squared deviations.
struct Variance {
    double value = 0, degrees = 0;
};
Variance pooled(double prior, double prior_degrees, double squares, double degrees);

}  // namespace fitting

// How many standard deviations hold `share` of Student's t on both sides (Abramowitz and Stegun 1964, 26.7.5).
double student(double share, double degrees);

}  // namespace plimsoll
