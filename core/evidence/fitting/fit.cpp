#include "core/evidence/fitting/fit.h"

#include "core/answers/plan/estimate.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <map>

namespace plimsoll {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr int most_steps = 40;
constexpr double enough = 1e-9;          // relative gain of the loss below which a step ends the search
constexpr double difference = 1e-4;      // of z, for derivatives: formulas are smooth, figures good to 1e-15
constexpr double far_off = 10;           // log error of a plan that cannot be priced

double predicted(const Observation& o) {
    const Outcome e = estimate(o.plan);
    if (!e) return 0;
    if (o.quantity == Measured::time) return e->step.total() / second;
    return (o.of_first_stage ? e->stages.front() : e->worst()).total() / byte;
}

double log_error(const Observation& o) {
    const double p = predicted(o);
    return p > 0 ? std::log(p / o.measured) : far_off;
}

// Twice the pseudo-Huber loss, and its weight in the normal equations.
double loss_of(double r, double delta) { return 2 * delta * delta * (std::sqrt(1 + r * r / (delta * delta)) - 1); }
double weight_of(double r, double delta) { return 1 / std::sqrt(1 + r * r / (delta * delta)); }

class Search {
public:
    explicit Search(const FitProblem& p) : p_(p), rows_(p.observations), concerned_(p.constants.size()), moving_(p.constants.size()) {
        std::map<std::pair<std::string, Measured>, double> runs;
        for (const Observation& o : rows_) ++runs[{o.source, o.quantity}];
        for (const Observation& o : rows_) {
            const double n = runs[{o.source, o.quantity}];
            row_weight_.push_back(std::min(n, p.source_runs) / n / (p.noise * p.noise));
        }
        for (std::size_t c = 0; c < p.constants.size(); ++c)
            for (std::size_t i = 0; i < rows_.size(); ++i)
                if (p.constants[c].concerns(rows_[i].plan)) concerned_[c].push_back(i);
    }

    Fit run(const std::vector<double>& start) {
        z_ = Vector::Zero(count());
        for (int c = 0; c < count() && !start.empty(); ++c) z_[c] = std::log(start[c] / p_.constants[c].prior) / p_.constants[c].width;
        z_ = limited(z_);
        apply(z_);
        r_ = errors();
        loss_ = loss(z_, r_);
        Fit f;
        double damping = 1e-3;
        for (; f.steps < most_steps && !f.converged; ++f.steps) {
            linearise(f.steps == 0);
            f.converged = !descend(damping);
        }
        linearise(true);
        report(f);
        return f;
    }

private:
    int count() const { return int(p_.constants.size()); }

    double value(int c, double z) const {
        const Constant& k = p_.constants[c];
        return std::clamp(k.prior * std::exp(k.width * z), k.knob->low, k.knob->high);
    }
    // Inside the knobs' ranges.
    Vector limited(Vector z) const {
        for (int c = 0; c < count(); ++c) {
            const Constant& k = p_.constants[c];
            const double low = k.knob->low > 0 ? std::log(k.knob->low / k.prior) / k.width : -40;
            z[c] = std::clamp(z[c], low, std::log(k.knob->high / k.prior) / k.width);
        }
        return z;
    }
    void apply(const Vector& z) {
        for (int c = 0; c < count(); ++c)
            for (const std::size_t i : concerned_[c]) p_.constants[c].knob->set(rows_[i].plan, value(c, z[c]));
    }
    Vector errors() const {
        Vector r(rows_.size());
        for (std::size_t i = 0; i < rows_.size(); ++i) r[i] = log_error(rows_[i]);
        return r;
    }
    double loss(const Vector& z, const Vector& r) const {
        double sum = z.squaredNorm();
        for (std::size_t i = 0; i < rows_.size(); ++i) sum += row_weight_[i] * loss_of(r[i], p_.delta);
        return sum;
    }

    // Normal equations of the loss about z. Rows that a constant does not concern stay zero; between the first
    // and the last time, so do those it had no effect on then.
    void linearise(bool all) {
        jacobian_.setZero(rows_.size(), count());
        for (int c = 0; c < count(); ++c) {
            std::vector<std::size_t> moved;
            for (const std::size_t i : all ? concerned_[c] : moving_[c])
                if ((jacobian_(i, c) = slope(c, i)) != 0) moved.push_back(i);
            moving_[c] = std::move(moved);
        }
        Vector w(rows_.size());
        for (std::size_t i = 0; i < rows_.size(); ++i) w[i] = row_weight_[i] * weight_of(r_[i], p_.delta);
        weighted_ = w.asDiagonal() * jacobian_;
        gradient_ = weighted_.transpose() * r_ + z_;
        curvature_ = weighted_.transpose() * jacobian_ + Matrix::Identity(count(), count());
    }
    // Of the log error of row i in z of constant c, towards the inside of its range.
    double slope(int c, std::size_t i) {
        const double step = z_[c] > 0 ? -difference : difference;
        const Knob& knob = *p_.constants[c].knob;
        knob.set(rows_[i].plan, value(c, z_[c] + step));
        const double moved = log_error(rows_[i]);
        knob.set(rows_[i].plan, value(c, z_[c]));
        return (moved - r_[i]) / step;
    }

    // One accepted step; false when no step gains anything.
    bool descend(double& damping) {
        for (int attempt = 0; attempt < 12; ++attempt) {
            Matrix damped = curvature_;
            damped.diagonal() *= 1 + damping;
            const Vector z = limited(z_ - damped.ldlt().solve(gradient_));
            apply(z);
            const Vector r = errors();
            const double reached = loss(z, r);
            if (reached < loss_) {
                const bool worth = loss_ - reached > enough * loss_;
                z_ = z;
                r_ = r;
                loss_ = reached;
                damping = std::max(damping / 5, 1e-9);
                return worth;
            }
            damping *= 8;
        }
        apply(z_);
        return false;
    }

    void report(Fit& f) const {
        const Matrix covariance = curvature_.ldlt().solve(Matrix::Identity(count(), count()));
        for (int c = 0; c < count(); ++c) {
            const Constant& k = p_.constants[c];
            const double reach = 2 * std::sqrt(std::max(0.0, covariance(c, c)));
            FittedConstant v{k, value(c, z_[c]), value(c, z_[c] - reach), value(c, z_[c] + reach), 1 - covariance(c, c), false, moving_[c]};
            v.at_limit = v.value <= k.knob->low * (1 + 1e-9) || v.value >= k.knob->high * (1 - 1e-9);
            f.constants.push_back(v);
        }
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            f.errors.push_back(std::expm1(r_[i]));
            // Taking the row out moves z by covariance x its share of the gradient.
            const Vector share = weighted_.row(i).transpose() * r_[i];
            f.pulls.push_back({i, std::sqrt(std::max(0.0, share.dot(covariance * share)))});
        }
        std::stable_sort(f.pulls.begin(), f.pulls.end(), [](const Pull& a, const Pull& b) { return a.shift > b.shift; });
        f.loss = loss_;
    }

    const FitProblem& p_;
    std::vector<Observation> rows_;                    // their plans carry the values of z
    std::vector<std::vector<std::size_t>> concerned_, moving_;  // rows of each constant; those it has an effect on
    std::vector<double> row_weight_;
    Vector z_, r_, gradient_;
    Matrix jacobian_, weighted_, curvature_;
    double loss_ = 0;
};

}  // namespace

namespace {

void add_rows(const std::vector<ScoredRow>& rows, Measured quantity, bool dense_only, std::vector<Observation>& all) {
    for (const ScoredRow& r : rows)
        if (r.excluded.empty() && !(dense_only && has_experts(r.plan.model))) all.push_back({r.id, r.source, quantity, r.of_first_stage, r.plan, r.measured});
}

}  // namespace

std::vector<Observation> observations_of(const Score& score, bool dense_only) {
    std::vector<Observation> all;
    add_rows(score.rows, Measured::time, dense_only, all);
    add_rows(score.memory_rows, Measured::memory, dense_only, all);
    return all;
}

double error_of(const Observation& o) { return std::expm1(log_error(o)); }

Fit fit(const FitProblem& problem, const std::vector<double>& start) { return Search(problem).run(start); }

}  // namespace plimsoll
