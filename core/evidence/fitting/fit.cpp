#include "core/evidence/fitting/fit.h"

#include "core/answers/plan/estimate.h"
#include "core/evidence/fitting/solver.h"
#include "core/values/basics/rounded.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <thread>

namespace plimsoll {

namespace {

using fitting::Matrix;
using fitting::Vector;

constexpr fitting::Patience fit_patience{40, 12, 1e-9};
constexpr double slope_step = 1e-4;      // of z, for derivatives: formulas are smooth, figures good to 1e-15
constexpr double unpriced_error = 10;    // log error of a plan that cannot be priced

// A source's rows of one kind. Memory does not tell mixtures apart: it is the same formula.
struct SourceKey {
    std::string source;
    Measured quantity = Measured::time;
    bool experts = false;
    auto operator<=>(const SourceKey&) const = default;
};
SourceKey key_of(const Observation& o) {
    return {o.source, o.quantity, o.quantity == Measured::time && has_experts(o.plan.model)};
}

double predicted(const Observation& o) {
    const Outcome e = estimate(o.plan);
    if (!e) return 0;
    if (o.quantity == Measured::time) return e->step.total() / second;
    return figure_of(*e, o.memory) / byte;
}

double log_error(const Observation& o) {
    const double p = predicted(o);
    return p > 0 ? std::log(p / o.measured) : unpriced_error;
}

// Calls work(i) for i = 0 .. n - 1 from several threads, each taking a piece of neighbours at a time.
void in_threads(int threads, std::size_t n, const std::function<void(std::size_t)>& work) {
    constexpr std::size_t piece = 16;
    std::atomic<std::size_t> next = 0;
    const auto take = [&] {
        for (std::size_t from = next.fetch_add(piece); from < n; from = next.fetch_add(piece))
            for (std::size_t i = from; i < std::min(n, from + piece); ++i) work(i);
    };
    std::vector<std::jthread> others;
    for (int t = 1; t < threads && std::size_t(t) * piece < n; ++t) others.emplace_back(take);
    take();
}

class ConstantFit {
public:
    ConstantFit(const FitProblem& p, int threads)
        : problem_(p), threads_(threads), rows_(p.observations), own_(rows_.size()), columns_(rows_.size()) {
        for (int c = 0; c < count(); ++c) {
            assert(p.constants[std::size_t(c)].family < c);
            for (std::size_t i = 0; i < rows_.size(); ++i)
                if (rows_[i].moved_by(p.constants[std::size_t(c)])) own_[i].push_back(c);
        }
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            std::set<int> all;
            for (const int c : own_[i])
                for (int k = c; k >= 0; k = family_of(k)) all.insert(k);
            columns_[i].assign(all.begin(), all.end());
        }
        moving_ = columns_;
    }

    Fit run(const std::vector<double>& start) {
        Vector z = Vector::Zero(count());
        for (int c = 0; c < count() && !start.empty(); ++c) {
            const Constant& k = problem_.constants[std::size_t(c)];
            z[c] = (std::log(start[std::size_t(c)] / k.prior) - family_shift(c, z)) / k.width;
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
    int family_of(int c) const { return problem_.constants[std::size_t(c)].family; }

    // What the families of a constant move its logarithm by: a family stands before its members.
    double family_shift(int c, const Vector& z) const {
        double shift = 0;
        for (int k = family_of(c); k >= 0; k = family_of(k)) shift += problem_.constants[std::size_t(k)].width * z[k];
        return shift;
    }

    double value(int c, const Vector& z) const {
        const Constant& k = problem_.constants[std::size_t(c)];
        return std::clamp(k.prior * std::exp(k.width * z[c] + family_shift(c, z)), k.knob->low, k.knob->high);
    }

    Vector weights() const {
        std::map<SourceKey, double> runs;
        for (const Observation& o : rows_) ++runs[key_of(o)];
        Vector all(rows_.size());
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const double n = runs[key_of(rows_[i])];
            all[Eigen::Index(i)] =
                rows_[i].weight * std::min(n, problem_.source_runs) / n / (problem_.noise * problem_.noise);
        }
        return all;
    }

    // Inside the knobs' ranges.
    Vector limited(Vector z) const {
        for (int c = 0; c < count(); ++c) {
            const Constant& k = problem_.constants[std::size_t(c)];
            const double shift = family_shift(c, z);
            const auto at = [&](double v) { return (std::log(v / k.prior) - shift) / k.width; };
            z[c] = std::clamp(z[c], k.knob->low > 0 ? at(k.knob->low) : -40, at(k.knob->high));
        }
        return z;
    }

    void set_all(std::size_t i, const Vector& z) {
        for (const int k : own_[i]) problem_.constants[std::size_t(k)].knob->set(rows_[i].plan, value(k, z));
    }
    // Every constant of row i that is c or belongs to its family takes its value at z.
    void turn(std::size_t i, int c, const Vector& z) {
        for (const int k : own_[i])
            if (belongs(k, c)) problem_.constants[std::size_t(k)].knob->set(rows_[i].plan, value(k, z));
    }
    bool belongs(int k, int c) const {
        while (k > c) k = family_of(k);
        return k == c;
    }

    Vector errors(const Vector& z) {
        Vector r(rows_.size());
        in_threads(threads_, rows_.size(), [&](std::size_t i) {
            set_all(i, z);
            r[Eigen::Index(i)] = log_error(rows_[i]);
        });
        return r;
    }

    // Rows that a constant does not concern stay zero; between the first and the last time, so do those it had no
    // effect on then.
    Matrix slopes(const Vector& z, const Vector& r, bool thorough) {
        Matrix all = Matrix::Zero(Eigen::Index(rows_.size()), count());
        in_threads(threads_, rows_.size(), [&](std::size_t i) {
            std::vector<int> moved;
            Vector near = z;
            set_all(i, z);
            for (const int c : thorough ? columns_[i] : moving_[i]) {
                const double slope = slope_of(i, c, near, r[Eigen::Index(i)]);
                if (slope == 0) continue;
                all(Eigen::Index(i), c) = slope;
                moved.push_back(c);
            }
            moving_[i] = std::move(moved);
        });
        return all;
    }

    // Of the log error of row i in z of constant c, towards the inside of its range. `near` is z again afterwards.
    double slope_of(std::size_t i, int c, Vector& near, double r) {
        const double z = near[c], step = z > 0 ? -slope_step : slope_step;
        near[c] = z + step;
        turn(i, c, near);
        const double moved = log_error(rows_[i]);
        near[c] = z;
        turn(i, c, near);
        return (moved - r) / step;
    }

    Fit report(const fitting::Minimum& m) const {
        Fit f;
        std::vector<std::vector<std::size_t>> rows_of(problem_.constants.size());
        for (std::size_t i = 0; i < rows_.size(); ++i)
            for (const int c : moving_[i]) rows_of[std::size_t(c)].push_back(i);
        for (int c = 0; c < count(); ++c)
            f.constants.push_back(fitted_constant(c, m, std::move(rows_of[std::size_t(c)])));
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const auto at = Eigen::Index(i);
            f.errors.push_back(std::expm1(m.r[at]));
            // Taking the row out moves z by covariance x its share of the gradient.
            const Vector share = m.weighted_slopes.row(at).transpose() * m.r[at];
            f.pulls.push_back({i, std::sqrt(std::max(0.0, share.dot(m.covariance * share)))});
        }
        std::stable_sort(f.pulls.begin(), f.pulls.end(),
                         [](const Pull& a, const Pull& b) { return a.shift > b.shift; });
        f.loss = m.loss;
        f.steps = m.steps;
        f.converged = m.converged;
        return f;
    }

    // The logarithm of a constant is width z summed over itself and its families: so is its variance, by their
    // covariance. Before any row it was the sum of the squared widths.
    FittedConstant fitted_constant(int c, const fitting::Minimum& m, std::vector<std::size_t> rows) const {
        const Constant& k = problem_.constants[std::size_t(c)];
        Vector of = Vector::Zero(count());
        for (int a = c; a >= 0; a = family_of(a)) of[a] = problem_.constants[std::size_t(a)].width;
        const double variance = std::max(0.0, of.dot(m.covariance * of)), before = of.squaredNorm();
        const auto beside = [&](double deviations) {
            return std::clamp(value(c, m.z) * std::exp(deviations * std::sqrt(variance)), k.knob->low, k.knob->high);
        };
        FittedConstant v;
        v.constant = k;
        v.value = value(c, m.z);
        v.low = beside(-2);
        v.high = beside(2);
        v.determined = 1 - variance / before;
        v.rows = std::move(rows);
        v.at_limit = v.value <= k.knob->low * (1 + 1e-9) || v.value >= k.knob->high * (1 - 1e-9);
        return v;
    }

    const FitProblem& problem_;
    const int threads_;
    std::vector<Observation> rows_;               // their plans carry the values of z
    std::vector<std::vector<int>> own_;           // constants that each row's machine and stack own
    std::vector<std::vector<int>> columns_;       // those and the families they are pooled with
    std::vector<std::vector<int>> moving_;        // those of the columns that had an effect
};

void add_rows(const std::vector<ScoredRow>& rows, Measured quantity, bool dense_only, std::vector<Observation>& all) {
    for (const ScoredRow& r : rows) {
        if (!r.excluded.empty() || (dense_only && has_experts(r.plan.model))) continue;
        all.push_back({r.id, r.source, quantity, r.memory, r.plan, r.measured, r.weight, r.own_knobs, r.vendor});
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

bool Observation::moved_by(const Constant& c) const {
    return c.concerns(plan) && std::find(own_knobs.begin(), own_knobs.end(), c.knob->id) == own_knobs.end();
}

std::vector<Observation> take_held_back(std::vector<Observation>& all, const HoldBack& rule) {
    const auto used = [&](const Observation& o) { return !rule.holds(o.id, o.source); };
    const auto first = std::stable_partition(all.begin(), all.end(), used);
    std::vector<Observation> taken(std::make_move_iterator(first), std::make_move_iterator(all.end()));
    all.erase(first, all.end());
    return taken;
}

Fit fit(const FitProblem& problem, const std::vector<double>& start, int threads) {
    return ConstantFit(problem, threads).run(start);
}

// ---- Errors of the sources

namespace {

using SourceErrors = std::map<SourceKey, std::vector<double>>;

double mean_size(const std::vector<double>& errors) {
    double sum = 0;
    for (const double e : errors) sum += std::abs(e);
    return errors.empty() ? 0 : sum / double(errors.size());
}

SourceErrors by_source(const std::vector<Observation>& rows, const std::vector<double>& errors) {
    SourceErrors all;
    for (std::size_t i = 0; i < rows.size(); ++i) all[key_of(rows[i])].push_back(errors[i]);
    return all;
}

// With the values of a fit the row took no part in.
double error_with(Observation o, const std::vector<FittedConstant>& constants) {
    for (const FittedConstant& f : constants)
        if (o.moved_by(f.constant)) f.constant.knob->set(o.plan, f.value);
    return error_of(o);
}

// Rows that are left out together: of a vendor, which no source may be named like, or of a source.
struct Group {
    bool vendor = false;
    std::string name;
    auto operator<=>(const Group&) const = default;
};
Group group_of(const Observation& o, LeaveOut by) {
    return by == LeaveOut::vendor && !o.vendor.empty() ? Group{true, o.vendor} : Group{false, o.source};
}

// Of every row, with all constants determined by the rows of the other groups.
std::vector<double> left_out_errors(const FitProblem& problem, const Fit& all, LeaveOut by, int threads) {
    std::vector<double> start;
    for (const FittedConstant& f : all.constants) start.push_back(f.value);
    std::map<Group, std::vector<std::size_t>> members;
    for (std::size_t i = 0; i < problem.observations.size(); ++i)
        members[group_of(problem.observations[i], by)].push_back(i);
    std::vector<std::pair<Group, std::vector<std::size_t>>> groups(members.begin(), members.end());
    std::vector<double> errors(problem.observations.size());
    const auto leave_out = [&](const Group& group, const std::vector<std::size_t>& of) {
        FitProblem rest = problem;
        std::erase_if(rest.observations, [&](const Observation& o) { return group_of(o, by) == group; });
        const Fit f = fit(rest, start);
        for (const std::size_t i : of) errors[i] = error_with(problem.observations[i], f.constants);
    };
    std::atomic<std::size_t> next = 0;
    const auto take = [&] {
        for (std::size_t g = next++; g < groups.size(); g = next++) leave_out(groups[g].first, groups[g].second);
    };
    std::vector<std::jthread> others;
    for (int t = 1; t < threads; ++t) others.emplace_back(take);
    take();
    others.clear();
    return errors;
}

std::vector<SourceError> source_errors(const std::vector<Observation>& rows, const std::vector<double>& before,
                                       const std::vector<double>& fitted, const std::vector<double>& left_out) {
    const SourceErrors first = by_source(rows, before), then = by_source(rows, fitted);
    const SourceErrors unseen = left_out.empty() ? SourceErrors{} : by_source(rows, left_out);
    std::vector<SourceError> all;
    for (const auto& [key, errors] : then) {
        SourceError e{key.source, key.quantity, key.experts, int(errors.size()), mean_size(first.at(key)),
                      mean_size(errors), {}};
        if (const auto u = unseen.find(key); u != unseen.end()) e.left_out = mean_size(u->second);
        all.push_back(std::move(e));
    }
    return all;
}

}  // namespace

FitReport fitted(const FitProblem& problem, LeaveOut leave_out, int threads) {
    FitReport report;
    report.fit = fit(problem, {}, threads);
    for (const Observation& o : problem.observations) report.before.push_back(error_of(o));
    if (leave_out != LeaveOut::none)
        report.left_out = left_out_errors(problem, report.fit, leave_out, threads);
    report.sources = source_errors(problem.observations, report.before, report.fit.errors, report.left_out);
    return report;
}

std::vector<SourceError> held_back_errors(const std::vector<Observation>& rows, const Fit& f) {
    std::vector<double> before, after;
    for (const Observation& o : rows) {
        before.push_back(error_of(o));
        after.push_back(error_with(o, f.constants));
    }
    return source_errors(rows, before, after, {});
}

std::vector<LeftOutRow> left_out_rows(const FitProblem& problem, const FitReport& report) {
    std::vector<LeftOutRow> all;
    for (std::size_t i = 0; i < report.left_out.size(); ++i) {
        const Observation& o = problem.observations[i];
        all.push_back({o.id, o.source, o.quantity == Measured::memory, has_experts(o.plan.model), report.before[i],
                       report.left_out[i]});
    }
    return all;
}

std::optional<double> median_error(const std::vector<SourceError>& sources, Measured quantity, FitStage stage,
                                   bool experts, int least_rows) {
    std::vector<double> means;
    for (const SourceError& e : sources) {
        if (e.quantity != quantity || e.experts != experts || e.rows < least_rows) continue;
        if (stage == FitStage::left_out && !e.left_out) continue;
        means.push_back(stage == FitStage::before ? e.before : stage == FitStage::fitted ? e.fitted : *e.left_out);
    }
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
double to_three_digits(double v) { return rounded(v, 3); }

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
    std::string pointer = std::string("/").append(f.constant.knob->id, std::string_view("stack.").size());
    std::replace(pointer.begin(), pointer.end(), '.', '/');
    stack.sources[pointer] = source;
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
