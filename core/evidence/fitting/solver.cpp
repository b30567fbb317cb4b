#include "core/evidence/fitting/solver.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::fitting {

namespace {

class LevenbergMarquardt {
public:
    LevenbergMarquardt(const Residuals& residuals, const Vector& start) : residuals_(residuals) {
        at_.z = limited(start);
        at_.r = residuals.errors(at_.z);
        at_.loss = loss(at_.z, at_.r);
    }

    Minimum run(const Patience& patience) {
        for (; at_.steps < patience.steps && !at_.converged; ++at_.steps) {
            linearise(at_.steps == 0);
            at_.converged = !descend(patience);
        }
        linearise(true);
        at_.covariance = curvature_.ldlt().solve(Matrix::Identity(at_.z.size(), at_.z.size()));
        return at_;
    }

private:
    Vector limited(Vector z) const { return residuals_.limited ? residuals_.limited(std::move(z)) : z; }

    double root(double r) const { return std::sqrt(1 + r * r / (residuals_.delta * residuals_.delta)); }

    double loss(const Vector& z, const Vector& r) const {
        const double scale = 2 * residuals_.delta * residuals_.delta;
        double sum = z.squaredNorm();
        for (Eigen::Index i = 0; i < r.size(); ++i) sum += residuals_.weight[i] * scale * (root(r[i]) - 1);
        return sum;
    }

    // Normal equations of the loss about z.
    void linearise(bool thorough) {
        const Matrix slopes = residuals_.slopes(at_.z, at_.r, thorough);
        Vector weight(at_.r.size());
        for (Eigen::Index i = 0; i < weight.size(); ++i) weight[i] = residuals_.weight[i] / root(at_.r[i]);
        at_.weighted_slopes = weight.asDiagonal() * slopes;
        gradient_ = at_.weighted_slopes.transpose() * at_.r + at_.z;
        curvature_ = at_.weighted_slopes.transpose() * slopes + Matrix::Identity(at_.z.size(), at_.z.size());
    }

    // One accepted step; false when no step gains enough to go on.
    bool descend(const Patience& patience) {
        for (int attempt = 0; attempt < patience.attempts; ++attempt) {
            Matrix damped = curvature_;
            damped.diagonal() *= 1 + damping_;
            const Vector z = limited(at_.z - damped.ldlt().solve(gradient_));
            const Vector r = residuals_.errors(z);
            const double reached = loss(z, r);
            if (reached >= at_.loss || std::isnan(reached)) {
                damping_ *= 8;
                continue;
            }
            damping_ = std::max(damping_ / 5, 1e-9);
            const bool worth = at_.loss - reached > patience.enough * at_.loss;
            at_.z = z;
            at_.r = r;
            at_.loss = reached;
            return worth;
        }
        return false;
    }

    const Residuals& residuals_;
    Minimum at_;
    Vector gradient_;
    Matrix curvature_;
    double damping_ = 1e-3;
};

}  // namespace

Minimum minimise(const Residuals& residuals, const Vector& start, const Patience& patience) {
    return LevenbergMarquardt(residuals, start).run(patience);
}

}  // namespace plimsoll::fitting
