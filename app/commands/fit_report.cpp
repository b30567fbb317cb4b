#include "app/commands/fit_report.h"

#include "app/commands/tables.h"

#include <algorithm>
#include <cstdio>

namespace plimsoll {

namespace {

using Table = std::vector<std::vector<std::string>>;

constexpr double hardly = 0.5;          // of the prior's variance: below, the prior decides
constexpr std::size_t most_pulls = 10;

std::string percent_cell(const std::optional<double>& v) { return v ? fixed(100 * *v, 2) + " %" : ""; }
std::string number_cell(double v) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", v);
    return text;
}
const char* name_of(Measured q) { return q == Measured::time ? "time" : "memory"; }

void print_sources(std::ostream& out, const std::vector<SourceError>& sources) {
    Table rows{{"source", "of", "rows", "before", "fitted", "left out"}};
    for (const SourceError& e : sources)
        rows.push_back({e.source, name_of(e.quantity), std::to_string(e.rows), percent_cell(e.before), percent_cell(e.fitted), percent_cell(e.left_out)});
    for (const Measured q : {Measured::time, Measured::memory})
        if (median_error(sources, q, FitStage::fitted))
            rows.push_back({"median over sources", name_of(q), "", percent_cell(median_error(sources, q, FitStage::before)),
                            percent_cell(median_error(sources, q, FitStage::fitted)), percent_cell(median_error(sources, q, FitStage::left_out))});
    out << "Mean absolute error per source\n" << table(rows) << "\n";
}

void print_constants(std::ostream& out, const std::vector<FittedConstant>& constants) {
    Table rows{{"constant", "unit", "prior", "fitted", "from", "to", "determined"}};
    for (const FittedConstant& f : constants)
        rows.push_back({f.constant.id(), f.constant.knob->unit, number_cell(f.constant.prior), number_cell(f.value), number_cell(f.low), number_cell(f.high),
                        fixed(100 * f.determined, 0) + " %" + (f.at_limit ? ", at its limit" : "")});
    out << "Constants: two standard deviations either way; determined: share of the prior's variance the rows removed\n" << table(rows);
    const auto held = std::count_if(constants.begin(), constants.end(), [](const FittedConstant& f) { return f.determined < hardly; });
    out << constants.size() << " constants, " << constants.size() - held << " determined by the rows, " << held << " held by their priors\n\n";
}

void print_pulls(std::ostream& out, const FitProblem& problem, const Fit& f) {
    Table rows{{"rows that pull hardest", "of", "error", "moves the constants by"}};
    for (std::size_t i = 0; i < std::min(most_pulls, f.pulls.size()); ++i) {
        const std::size_t at = f.pulls[i].observation;
        const Observation& o = problem.observations[at];
        rows.push_back({o.id, name_of(o.quantity), signed_percent(f.errors[at]), fixed(f.pulls[i].shift, 2) + " sigma"});
    }
    out << table(rows) << "\n";
}

}  // namespace

void print_fit(std::ostream& out, const FitProblem& problem, const FitReport& r) {
    print_sources(out, r.sources);
    print_constants(out, r.fit.constants);
    print_pulls(out, problem, r.fit);
    out << problem.observations.size() << " measurements, " << r.fit.steps << " steps, loss " << fixed(r.fit.loss, 3)
        << (r.fit.converged ? "\n" : ", not converged\n");
}

}  // namespace plimsoll
