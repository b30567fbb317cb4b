#include "core/evidence/fitting/least_squares.h"

#include "core/evidence/fitting/solver.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

namespace {

using fitting::Matrix;
using fitting::Vector;

constexpr fitting::Patience curve_patience{60, 14, 1e-10};
constexpr double curve_difference = 1e-4;           // of z, for derivatives
constexpr double ninety_five_percent = 1.96;        // standard deviations either way

double value_at(const CurveParameter& p, double z) {
    return std::clamp(p.prior * std::exp(p.width * z), p.least, p.most);
}

std::vector<double> values_at(const std::vector<CurveParameter>& parameters, const Vector& z) {
    std::vector<double> all;
    for (std::size_t p = 0; p < parameters.size(); ++p) all.push_back(value_at(parameters[p], z[long(p)]));
    return all;
}

// 1.4826 x the median of |r|: the standard deviation of a normal distribution, whatever the outliers.
double scatter_of(const Vector& r) {
    if (r.size() == 0) return 0;
    std::vector<double> sizes;
    for (const double each : r) sizes.push_back(std::abs(each));
    const auto middle = sizes.begin() + long(sizes.size() / 2);
    std::nth_element(sizes.begin(), middle, sizes.end());
    return 1.4826 * *middle;
}

// Columns of a root of the covariance; along none of them is more open than the prior leaves.
std::vector<std::vector<double>> directions_of(const std::vector<CurveParameter>& parameters, const Matrix& covariance,
                                               double wider) {
    const Eigen::SelfAdjointEigenSolver<Matrix> parts(covariance);
    std::vector<std::vector<double>> all;
    for (Eigen::Index i = 0; i < covariance.cols(); ++i) {
        const double deviation = std::min(1.0, wider * std::sqrt(std::max(0.0, parts.eigenvalues()[i])));
        std::vector<double>& direction = all.emplace_back();
        for (std::size_t p = 0; p < parameters.size(); ++p)
            direction.push_back(parameters[p].width * deviation * parts.eigenvectors()(Eigen::Index(p), i));
    }
    return all;
}

}  // namespace

CurveFit fit_curve(const std::vector<double>& measured, const std::vector<CurveParameter>& parameters,
                   const std::function<std::vector<double>(std::span<const double>)>& curve,
                   const std::vector<double>& weight, double noise, double delta) {
    const auto points = Eigen::Index(measured.size());
    fitting::Residuals residuals;
    residuals.errors = [&](const Vector& z) {
        const std::vector<double> at = curve(values_at(parameters, z));
        Vector r(points);
        for (Eigen::Index i = 0; i < points; ++i) r[i] = std::log(at[std::size_t(i)] / measured[std::size_t(i)]);
        return r;
    };
    residuals.slopes = [&](const Vector& z, const Vector& r, bool) {
        Matrix slopes(points, z.size());
        for (Eigen::Index p = 0; p < z.size(); ++p) {
            Vector moved = z;
            moved[p] += curve_difference;
            slopes.col(p) = (residuals.errors(moved) - r) / curve_difference;
        }
        return slopes;
    };
    residuals.weight = Vector::Constant(points, 1 / (noise * noise));
    for (std::size_t i = 0; i < weight.size(); ++i) residuals.weight[Eigen::Index(i)] = weight[i] / (noise * noise);
    residuals.delta = delta;
    const fitting::Minimum m = minimise(residuals, Vector::Zero(Eigen::Index(parameters.size())), curve_patience);

    CurveFit f{values_at(parameters, m.z), {}, {}, {}, {}, scatter_of(m.r), m.loss};
    for (Eigen::Index i = 0; i < points; ++i) f.curve.push_back(measured[std::size_t(i)] * std::exp(m.r[i]));
    // Points that scatter more than was believed make the parameters less sure; the prior's width is the most.
    const double wider = std::max(1.0, f.scatter / noise);
    for (std::size_t p = 0; p < parameters.size(); ++p) {
        const auto at = Eigen::Index(p);
        const double deviation = std::min(1.0, wider * std::sqrt(std::max(0.0, m.covariance(at, at))));
        f.low.push_back(value_at(parameters[p], m.z[at] - ninety_five_percent * deviation));
        f.high.push_back(value_at(parameters[p], m.z[at] + ninety_five_percent * deviation));
    }
    f.directions = directions_of(parameters, m.covariance, wider);
    return f;
}

}  // namespace plimsoll
