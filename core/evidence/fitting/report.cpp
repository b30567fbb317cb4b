#include "core/evidence/fitting/report.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

namespace {

using Key = std::pair<std::string, Measured>;
using Errors = std::map<Key, std::vector<double>>;

double mean_size(const std::vector<double>& errors) {
    double sum = 0;
    for (const double e : errors) sum += std::abs(e);
    return errors.empty() ? 0 : sum / double(errors.size());
}

Key key_of(const Observation& o) { return {o.source, o.quantity}; }

// Errors of the rows of `source` with the values of a fit they took no part in.
Errors unseen(const FitProblem& problem, const std::vector<FittedConstant>& constants, const std::string& source) {
    Errors errors;
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
    std::map<std::string, Errors> left;
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
    Errors before, after;
    for (std::size_t i = 0; i < problem.observations.size(); ++i) {
        const Observation& o = problem.observations[i];
        before[key_of(o)].push_back(error_of(o));
        after[key_of(o)].push_back(report.fit.errors[i]);
    }
    for (const auto& [key, errors] : after)
        report.sources.push_back({key.first, key.second, int(errors.size()), mean_size(before[key]), mean_size(errors), {}});
    if (leave_out == LeaveOut::source) leave_sources_out(problem, report.fit, report.sources);
    return report;
}

std::optional<double> median_error(const std::vector<SourceError>& sources, Measured quantity, Stage stage) {
    std::vector<double> means;
    for (const SourceError& e : sources)
        if (e.quantity == quantity && (stage != Stage::left_out || e.left_out))
            means.push_back(stage == Stage::before ? e.before : stage == Stage::fitted ? e.fitted : *e.left_out);
    return means.empty() ? std::nullopt : std::optional(median(std::move(means)));
}

}  // namespace plimsoll
