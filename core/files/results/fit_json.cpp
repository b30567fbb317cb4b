#include "core/files/results/fit_json.h"

#include "core/files/text/part.h"

#include <nlohmann/json.hpp>

namespace plimsoll {
namespace {

using namespace files;

constexpr std::size_t most_pulls = 20;

OrderedJson maybe(const std::optional<double>& v) { return v ? OrderedJson(*v) : OrderedJson(nullptr); }
const char* name_of(Measured q) { return q == Measured::time ? "time" : "memory"; }

OrderedJson constant(const FittedConstant& f) {
    const Constant& c = f.constant;
    return {{"id", c.id()}, {"knob", c.knob->id}, {"of", c.owners}, {"unit", c.knob->unit}, {"prior", c.prior}, {"width", c.width},
            {"value", f.value}, {"low", f.low}, {"high", f.high}, {"determined", f.determined}, {"at_limit", f.at_limit}, {"reason", c.reason}};
}

OrderedJson source(const SourceError& e) {
    return {{"source", e.source}, {"quantity", name_of(e.quantity)}, {"rows", e.rows}, {"before", e.before}, {"fitted", e.fitted},
            {"left_out", maybe(e.left_out)}};
}

OrderedJson score(const FitReport& r, Measured quantity) {
    const auto at = [&](FitStage stage) { return maybe(median_error(r.sources, quantity, stage)); };
    return {{"before", at(FitStage::before)}, {"fitted", at(FitStage::fitted)}, {"left_out", at(FitStage::left_out)}};
}

}  // namespace

std::string write_fit(const FitProblem& problem, const FitReport& r) {
    OrderedJson constants = OrderedJson::array(), sources = OrderedJson::array(), pulls = OrderedJson::array();
    for (const FittedConstant& f : r.fit.constants) constants.push_back(constant(f));
    for (const SourceError& e : r.sources) sources.push_back(source(e));
    for (std::size_t i = 0; i < std::min(most_pulls, r.fit.pulls.size()); ++i) {
        const Pull& p = r.fit.pulls[i];
        const Observation& o = problem.observations[p.observation];
        pulls.push_back({{"id", o.id}, {"quantity", name_of(o.quantity)}, {"error", r.fit.errors[p.observation]}, {"shift", p.shift}});
    }
    return text_of({{"constants", constants},
                    {"sources", sources},
                    {"score", {{"time", score(r, Measured::time)}, {"memory", score(r, Measured::memory)}}},
                    {"pulls", pulls},
                    {"loss", r.fit.loss},
                    {"steps", r.fit.steps},
                    {"converged", r.fit.converged}});
}

}  // namespace plimsoll
