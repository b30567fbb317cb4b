#pragma once
// A number as an operator tree, and the small words to build one.

#include "core/values/basics/source.h"

#include <string>
#include <vector>

namespace plimsoll {

enum class Operator { given, sum, difference, product, quotient, maximum, power_mean };

struct Term {
    std::string id, label;
    Operator op = Operator::given;
    double value = 0;
    std::string unit;
    double exponent = 1;      // of a power_mean: (sum x^e)^(1/e)
    Source source;            // of a given
    std::string formula;      // in words or symbols, with its origin
    std::vector<Term> children;
};

double evaluate(const Term&);                      // recomputed from the leaves
std::string to_text(const Term&, int depth = 99);  // indented, one term a line
std::string to_latex(const Term&, int depth = 99);  // a longtable of value, term and origin, one term a row

// Builders. The value of an operator follows from its children.
Term given(std::string label, double value, std::string unit, Source);
Term counted(std::string label, double value);     // follows from the plan itself
Term derived(std::string label, double value, std::string unit, std::string formula);
Term combine(Operator, std::string label, std::string unit, std::vector<Term> children, std::string formula = {});
Term named(Term, std::string id);

inline Term sum(std::string label, std::string unit, std::vector<Term> c, std::string formula = {}) {
    return combine(Operator::sum, std::move(label), std::move(unit), std::move(c), std::move(formula));
}
inline Term product(std::string label, std::string unit, std::vector<Term> c, std::string formula = {}) {
    return combine(Operator::product, std::move(label), std::move(unit), std::move(c), std::move(formula));
}
inline Term quotient(std::string label, std::string unit, Term a, Term b, std::string formula = {}) {
    return combine(Operator::quotient, std::move(label), std::move(unit), {std::move(a), std::move(b)},
                   std::move(formula));
}
inline Term difference(std::string label, std::string unit, Term a, Term b, std::string formula = {}) {
    return combine(Operator::difference, std::move(label), std::move(unit), {std::move(a), std::move(b)},
                   std::move(formula));
}
inline Term maximum(std::string label, std::string unit, std::vector<Term> c, std::string formula = {}) {
    return combine(Operator::maximum, std::move(label), std::move(unit), std::move(c), std::move(formula));
}

}  // namespace plimsoll
