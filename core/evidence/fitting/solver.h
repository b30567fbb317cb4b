#pragma once
// The minimiser of every fit: Levenberg and Marquardt's method for a robust loss with priors.
//
// Minimises, over the standardised parameters z,
//   sum over points  w 2 delta^2 (sqrt(1 + (r/delta)^2) - 1)  +  sum z^2,      r = log(predicted / measured).
// The pseudo-Huber loss lets a point that is far off pull no harder than one a few deltas off.
// The prior of every z has the mean 0 and the standard deviation 1. Internal to evidence: nobody else sees Eigen.

#include <Eigen/Dense>

#include <functional>

namespace plimsoll::fitting {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

struct Residuals {
    std::function<Vector(const Vector& z)> errors;      // r of every point
    // dr/dz, a row for each point. `thorough` is set at the first and at the last call: between them, what had no
    // effect at the first may be taken to have none.
    std::function<Matrix(const Vector& z, const Vector& r, bool thorough)> slopes;
    std::function<Vector(Vector z)> limited;            // the nearest z inside the parameters' ranges; none: no ranges
    Vector weight;                                      // w: of every point, over the noise squared
    double delta = 0.06;
};

struct Patience {
    int steps = 0;             // accepted steps at most
    int attempts = 0;          // dampings tried for each
    double enough = 0;         // relative gain of the loss below which a step is the last
};

struct Minimum {
    Vector z, r;
    double loss = 0;
    Matrix weighted_slopes;    // dr/dz times the weight a point has in the normal equations
    Matrix covariance;         // of z, from the curvature
    int steps = 0;
    bool converged = false;
};

Minimum minimise(const Residuals&, const Vector& start, const Patience&);

}  // namespace plimsoll::fitting
