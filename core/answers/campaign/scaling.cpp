#include "core/answers/campaign/scaling.h"

#include <cmath>

namespace plimsoll {

Optimum optimum(Flop work) {
    const double p = std::sqrt(work / flop / 120);
    return {p, 20 * p};
}

double LossLaw::loss(double parameters, double tokens) const {
    return irreducible + parameter_scale / std::pow(parameters, parameter_power)
         + token_scale / std::pow(tokens, token_power);
}

// Lagrange's condition on P D = C / 6, as in Hoffmann et al. 2022, Eq. 4.
Optimum optimum(const LossLaw& law, Flop work) {
    const double a = law.parameter_power, b = law.token_power;
    const double g = std::pow(a * law.parameter_scale / (b * law.token_scale), 1 / (a + b));
    const double product = work / flop / 6;
    return {g * std::pow(product, b / (a + b)), std::pow(product, a / (a + b)) / g};
}

Flop budget_flop(const Scenario& s, const Estimate& e, double node_hours) {
    const Headline h = headline(s, e);
    const Flop trained = 6 * e.parameters * h.steps * tokens_of_step(s.recipe) * flop;
    return h.resilience.makes_progress() ? trained * (node_hours / h.node_hours) : Flop{};
}

Flop Trend::at(double y) const { return work * std::exp2((y - year) * 12 / doubling_months); }
double Trend::year_of(Flop f) const { return year + std::log2(f / work) * doubling_months / 12; }

double doubling_months(double growth, double years) { return 12 * years / std::log2(growth); }

}  // namespace plimsoll
