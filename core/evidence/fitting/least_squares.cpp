#include "core/evidence/fitting/least_squares.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

namespace plimsoll {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr int most_iterations = 60;
constexpr double small_enough = 1e-10, difference_step = 1e-4, reach = 1.96;

class CurveSearch {
public:
    CurveSearch(const std::vector<double>& measured, const std::vector<CurveParameter>& parameters,
                const std::function<std::vector<double>(std::span<const double>)>& curve, const std::vector<double>& weight, double noise, double delta)
        : measured_(measured), parameters_(parameters), curve_(curve), weight_(weight), noise_(noise), delta_(delta) {}

    CurveFit run() {
        Vector z = Vector::Zero(count());
        Vector r = errors(z);
        double cost = cost_of(z, r), damping = 1e-3;
        for (int step = 0; step < most_iterations; ++step) {
            linearise(z, r);
            bool gained = false;
            for (int attempt = 0; attempt < 14 && !gained; ++attempt) {
                Matrix damped = curvature_;
                damped.diagonal() *= 1 + damping;
                const Vector next = z - damped.ldlt().solve(gradient_), moved = errors(next);
                const double reached = cost_of(next, moved);
                gained = reached < cost;
                damping = gained ? std::max(damping / 5, 1e-9) : damping * 8;
                if (!gained) continue;
                const bool worth = cost - reached > small_enough * cost;
                z = next, r = moved, cost = reached;
                if (!worth) return report(z, r, cost);
            }
            if (!gained) break;
        }
        return report(z, r, cost);
    }

private:
    int count() const { return int(parameters_.size()); }
    double value(int p, double z) const {
        const CurveParameter& k = parameters_[std::size_t(p)];
        return std::clamp(k.prior * std::exp(k.width * z), k.least, k.most);
    }
    std::vector<double> values(const Vector& z) const {
        std::vector<double> all;
        for (int p = 0; p < count(); ++p) all.push_back(value(p, z[p]));
        return all;
    }
    Vector errors(const Vector& z) const {
        const std::vector<double> curve = curve_(values(z));
        Vector r(long(measured_.size()));
        for (std::size_t i = 0; i < measured_.size(); ++i) r[long(i)] = std::log(curve[i] / measured_[i]);
        return r;
    }
    double weight(long i) const { return (weight_.empty() ? 1 : weight_[std::size_t(i)]) / (noise_ * noise_); }
    double cost_of(const Vector& z, const Vector& r) const {
        double sum = z.squaredNorm();
        for (long i = 0; i < r.size(); ++i) sum += weight(i) * 2 * delta_ * delta_ * (std::sqrt(1 + r[i] * r[i] / (delta_ * delta_)) - 1);
        return sum;
    }
    void linearise(const Vector& z, const Vector& r) {
        Matrix jacobian(r.size(), count());
        for (int p = 0; p < count(); ++p) {
            Vector moved = z;
            moved[p] += difference_step;
            jacobian.col(p) = (errors(moved) - r) / difference_step;
        }
        Vector w(r.size());
        for (long i = 0; i < r.size(); ++i) w[i] = weight(i) / std::sqrt(1 + r[i] * r[i] / (delta_ * delta_));
        gradient_ = jacobian.transpose() * w.asDiagonal() * r + z;
        curvature_ = jacobian.transpose() * w.asDiagonal() * jacobian + Matrix::Identity(count(), count());
    }
    CurveFit report(const Vector& z, const Vector& r, double cost) {
        linearise(z, r);
        CurveFit f{values(z), {}, {}, {}, scatter_of(r), cost};
        for (long i = 0; i < r.size(); ++i) f.curve.push_back(measured_[std::size_t(i)] * std::exp(r[i]));
        const Matrix covariance = curvature_.ldlt().solve(Matrix::Identity(count(), count()));
        // Points that scatter more than was believed make the parameters less sure.
        const double wider = std::max(1.0, f.scatter / noise_);
        for (int p = 0; p < count(); ++p) {
            const double half = reach * std::min(1.0, wider * std::sqrt(std::max(0.0, covariance(p, p))));
            f.low.push_back(value(p, z[p] - half)), f.high.push_back(value(p, z[p] + half));
        }
        return f;
    }
    // 1.4826 x the median of |r|: the standard deviation of what is normal, whatever the outliers.
    static double scatter_of(const Vector& r) {
        if (r.size() == 0) return 0;
        std::vector<double> sizes(std::size_t(r.size()));
        for (long i = 0; i < r.size(); ++i) sizes[std::size_t(i)] = std::abs(r[i]);
        std::nth_element(sizes.begin(), sizes.begin() + long(sizes.size() / 2), sizes.end());
        return 1.4826 * sizes[sizes.size() / 2];
    }

    const std::vector<double>& measured_;
    const std::vector<CurveParameter>& parameters_;
    const std::function<std::vector<double>(std::span<const double>)>& curve_;
    const std::vector<double>& weight_;
    double noise_, delta_;
    Vector gradient_;
    Matrix curvature_;
};

}  // namespace

CurveFit fit_curve(const std::vector<double>& measured, const std::vector<CurveParameter>& parameters,
                   const std::function<std::vector<double>(std::span<const double>)>& curve, const std::vector<double>& weight, double noise, double delta) {
    return CurveSearch(measured, parameters, curve, weight, noise, delta).run();
}

}  // namespace plimsoll
