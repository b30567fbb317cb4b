#include "core/evidence/fitting/fit.h"

#include "core/answers/plan/estimate.h"
#include "core/evidence/fitting/solver.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

namespace plimsoll {

namespace {

using fitting::Matrix;
using fitting::Vector;

constexpr fitting::Patience fit_patience{40, 12, 1e-9};
constexpr double slope_step = 1e-4;      // of z, for derivatives: formulas are smooth, figures good to 1e-15
constexpr double unpriced_error = 10;    // log error of a plan that cannot be priced

double predicted(const Observation& o) {
    const Outcome e = estimate(o.plan);
    if (!e) return 0;
    if (o.quantity == Measured::time) return e->step.total() / second;
    return (o.of_first_stage ? e->stages.front() : e->worst()).total() / byte;
}

double log_error(const Observation& o) {
    const double p = predicted(o);
    return p > 0 ? std::log(p / o.measured) : unpriced_error;
}

class ConstantFit {
public:
    explicit ConstantFit(const FitProblem& p)
        : problem_(p), rows_(p.observations), concerned_(p.constants.size()), moving_(p.constants.size()) {
        for (std::size_t c = 0; c < p.constants.size(); ++c)
            for (std::size_t i = 0; i < rows_.size(); ++i)
                if (p.constants[c].concerns(rows_[i].plan)) concerned_[c].push_back(i);
    }

    Fit run(const std::vector<double>& start) {
        Vector z = Vector::Zero(count());
        for (int c = 0; c < count() && !start.empty(); ++c) {
            const Constant& k = problem_.constants[c];
            z[c] = std::log(start[c] / k.prior) / k.width;
        }
        fitting::Residuals residuals;
        residuals.errors = [this](const Vector& at) { return errors(at); };
        residuals.slopes = [this](const Vector& at, const Vector& r, bool thorough) { return slopes(at, r, thorough); };
        residuals.limited = [this](Vector at) { return limited(std::move(at)); };
        residuals.weight = weights();
        residuals.delta = problem_.delta;
        return report(minimise(residuals, z, fit_patience));
    }

private:
    int count() const { return int(problem_.constants.size()); }

    double value(int c, double z) const {
        const Constant& k = problem_.constants[c];
        return std::clamp(k.prior * std::exp(k.width * z), k.knob->low, k.knob->high);
    }

    Vector weights() const {
        std::map<std::pair<std::string, Measured>, double> runs;
        for (const Observation& o : rows_) ++runs[{o.source, o.quantity}];
        Vector all(rows_.size());
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const double n = runs[{rows_[i].source, rows_[i].quantity}];
            all[i] = std::min(n, problem_.source_runs) / n / (problem_.noise * problem_.noise);
        }
        return all;
    }

    // Inside the knobs' ranges.
    Vector limited(Vector z) const {
        for (int c = 0; c < count(); ++c) {
            const Constant& k = problem_.constants[c];
            const double low = k.knob->low > 0 ? std::log(k.knob->low / k.prior) / k.width : -40;
            z[c] = std::clamp(z[c], low, std::log(k.knob->high / k.prior) / k.width);
        }
        return z;
    }

    void apply(const Vector& z) {
        for (int c = 0; c < count(); ++c)
            for (const std::size_t i : concerned_[c]) problem_.constants[c].knob->set(rows_[i].plan, value(c, z[c]));
    }

    Vector errors(const Vector& z) {
        apply(z);
        Vector r(rows_.size());
        for (std::size_t i = 0; i < rows_.size(); ++i) r[i] = log_error(rows_[i]);
        return r;
    }

    // Rows that a constant does not concern stay zero; between the first and the last time, so do those it had no
    // effect on then.
    Matrix slopes(const Vector& z, const Vector& r, bool thorough) {
        apply(z);
        Matrix all = Matrix::Zero(rows_.size(), count());
        for (int c = 0; c < count(); ++c) {
            std::vector<std::size_t> moved;
            for (const std::size_t i : thorough ? concerned_[c] : moving_[c]) {
                all(i, c) = slope(c, i, z[c], r[i]);
                if (all(i, c) != 0) moved.push_back(i);
            }
            moving_[c] = std::move(moved);
        }
        return all;
    }

    // Of the log error of row i in z of constant c, towards the inside of its range.
    double slope(int c, std::size_t i, double z, double r) {
        const double step = z > 0 ? -slope_step : slope_step;
        const Knob& knob = *problem_.constants[c].knob;
        knob.set(rows_[i].plan, value(c, z + step));
        const double moved = log_error(rows_[i]);
        knob.set(rows_[i].plan, value(c, z));
        return (moved - r) / step;
    }

    Fit report(const fitting::Minimum& m) const {
        Fit f;
        for (int c = 0; c < count(); ++c) {
            const Constant& k = problem_.constants[c];
            const double variance = m.covariance(c, c), reach = 2 * std::sqrt(std::max(0.0, variance));
            FittedConstant v;
            v.constant = k;
            v.value = value(c, m.z[c]);
            v.low = value(c, m.z[c] - reach);
            v.high = value(c, m.z[c] + reach);
            v.determined = 1 - variance;
            v.rows = moving_[c];
            v.at_limit = v.value <= k.knob->low * (1 + 1e-9) || v.value >= k.knob->high * (1 - 1e-9);
            f.constants.push_back(v);
        }
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            f.errors.push_back(std::expm1(m.r[i]));
            // Taking the row out moves z by covariance x its share of the gradient.
            const Vector share = m.weighted_slopes.row(i).transpose() * m.r[i];
            f.pulls.push_back({i, std::sqrt(std::max(0.0, share.dot(m.covariance * share)))});
        }
        std::stable_sort(f.pulls.begin(), f.pulls.end(),
                         [](const Pull& a, const Pull& b) { return a.shift > b.shift; });
        f.loss = m.loss;
        f.steps = m.steps;
        f.converged = m.converged;
        return f;
    }

    const FitProblem& problem_;
    std::vector<Observation> rows_;                             // their plans carry the values of z
    std::vector<std::vector<std::size_t>> concerned_, moving_;  // rows of each constant; those it has an effect on
};

void add_rows(const std::vector<ScoredRow>& rows, Measured quantity, bool dense_only, std::vector<Observation>& all) {
    for (const ScoredRow& r : rows) {
        if (!r.excluded.empty() || (dense_only && has_experts(r.plan.model))) continue;
        all.push_back({r.id, r.source, quantity, r.of_first_stage, r.plan, r.measured});
    }
}

}  // namespace

std::vector<Observation> observations_of(const Score& score, bool dense_only) {
    std::vector<Observation> all;
    add_rows(score.rows, Measured::time, dense_only, all);
    add_rows(score.memory_rows, Measured::memory, dense_only, all);
    return all;
}

double error_of(const Observation& o) { return std::expm1(log_error(o)); }

Fit fit(const FitProblem& problem, const std::vector<double>& start) { return ConstantFit(problem).run(start); }

// ---- Errors of the sources

namespace {

using SourceKey = std::pair<std::string, Measured>;
using SourceErrors = std::map<SourceKey, std::vector<double>>;

double mean_size(const std::vector<double>& errors) {
    double sum = 0;
    for (const double e : errors) sum += std::abs(e);
    return errors.empty() ? 0 : sum / double(errors.size());
}

SourceKey key_of(const Observation& o) { return {o.source, o.quantity}; }

// Errors of the rows of `source` with the values of a fit they took no part in.
SourceErrors unseen(const FitProblem& problem, const std::vector<FittedConstant>& constants,
                    const std::string& source) {
    SourceErrors errors;
    for (Observation o : problem.observations) {
        if (o.source != source) continue;
        for (const FittedConstant& f : constants)
            if (f.constant.concerns(o.plan)) f.constant.knob->set(o.plan, f.value);
        errors[key_of(o)].push_back(error_of(o));
    }
    return errors;
}

void leave_sources_out(const FitProblem& problem, const Fit& all, std::vector<SourceError>& sources) {
    std::vector<double> start;
    for (const FittedConstant& f : all.constants) start.push_back(f.value);
    std::map<std::string, SourceErrors> left;
    for (SourceError& e : sources) {
        const auto [at, fresh] = left.try_emplace(e.source);
        if (fresh) {
            FitProblem rest = problem;
            std::erase_if(rest.observations, [&](const Observation& o) { return o.source == e.source; });
            at->second = unseen(problem, fit(rest, start).constants, e.source);
        }
        e.left_out = mean_size(at->second[{e.source, e.quantity}]);
    }
}

}  // namespace

FitReport fitted(const FitProblem& problem, LeaveOut leave_out) {
    FitReport report;
    report.fit = fit(problem);
    SourceErrors before, after;
    for (std::size_t i = 0; i < problem.observations.size(); ++i) {
        const Observation& o = problem.observations[i];
        before[key_of(o)].push_back(error_of(o));
        after[key_of(o)].push_back(report.fit.errors[i]);
    }
    for (const auto& [key, errors] : after)
        report.sources.push_back(
            {key.first, key.second, int(errors.size()), mean_size(before[key]), mean_size(errors), {}});
    if (leave_out == LeaveOut::source) leave_sources_out(problem, report.fit, report.sources);
    return report;
}

std::optional<double> median_error(const std::vector<SourceError>& sources, Measured quantity, FitStage stage) {
    std::vector<double> means;
    for (const SourceError& e : sources)
        if (e.quantity == quantity && (stage != FitStage::left_out || e.left_out))
            means.push_back(stage == FitStage::before ? e.before : stage == FitStage::fitted ? e.fitted : *e.left_out);
    return means.empty() ? std::nullopt : std::optional(median(std::move(means)));
}

// ---- Fitted constants as presets

namespace {

// Pointers of the values a knob of the machine sets: its own path, or those of the levels it changed.
std::vector<std::string> pointers(const Constant& c, const Machine& before, const Machine& after) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < after.levels.size(); ++i) {
        const std::string level = std::string("/levels/").append(std::to_string(i));
        if (before.levels[i].efficiency != after.levels[i].efficiency) all.push_back(level + "/efficiency");
        if (before.levels[i].latency != after.levels[i].latency) all.push_back(level + "/latency_us");
    }
    if (!c.knob->id.starts_with("machine.network.")) {
        std::string path = c.knob->id.substr(std::string_view("machine").size());
        std::replace(path.begin(), path.end(), '.', '/');
        all.push_back(path);
    }
    return all;
}

// Three significant digits are more than any interval here justifies.
double to_three_digits(double v) {
    const double scale = std::pow(10, 2 - std::floor(std::log10(v)));
    return std::round(v * scale) / scale;
}

// "Fitted to 31 measurements of our-cluster, vtrain-single"
std::string fitted_to(const FitProblem& problem, const FittedConstant& f) {
    constexpr std::size_t most_named = 4;
    std::set<std::string> sources;
    for (const std::size_t i : f.rows) sources.insert(problem.observations[i].source);
    const std::string names = sources.size() > most_named
                                ? std::to_string(sources.size()) + " sources of published runs"
                                : joined({sources.begin(), sources.end()});
    return "Fitted to " + std::to_string(f.rows.size()) + " measurements of " + names;
}

void turn(Stack& stack, const FittedConstant& f, const Source& source) {
    Scenario s;
    s.stack = stack;
    f.constant.knob->set(s, to_three_digits(f.value));
    stack = s.stack;
    stack.sources[std::string("/").append(f.constant.knob->id, std::string_view("stack.").size())] = source;
}

void turn(Machine& machine, const FittedConstant& f, const Source& source) {
    Scenario s;
    s.machine = machine;
    f.constant.knob->set(s, to_three_digits(f.value));
    for (const std::string& pointer : pointers(f.constant, machine, s.machine)) s.machine.sources[pointer] = source;
    machine = s.machine;
}

// The owner's preset, as far as it was changed already, with one more value.
template <class Preset>
void turn(std::map<std::string, Preset>& changed, const std::map<std::string, Preset>& presets,
          const std::string& owner, const FittedConstant& f, const Source& source) {
    const auto done = changed.find(owner);
    const Preset& now = done == changed.end() ? presets.at(owner) : done->second;
    if (std::abs(value_in(*f.constant.knob, now) / to_three_digits(f.value) - 1) < 1e-9) return;
    turn(changed.try_emplace(owner, now).first->second, f, source);
}

}  // namespace

Overlay overlay(const FitProblem& problem, const std::vector<FittedConstant>& fitted, const Machines& machines,
                const Stacks& stacks) {
    Overlay all;
    for (const FittedConstant& f : fitted) {
        const Source source{SourceKind::measured, fitted_to(problem, f)};
        for (const std::string& owner : f.constant.owners)
            if (f.constant.of_stack()) turn(all.stacks, stacks, owner, f, source);
            else turn(all.machines, machines, owner, f, source);
    }
    return all;
}

}  // namespace plimsoll
