#include "core/answers/explain/term.h"

#include "core/answers/propose/sheet.h"
#include "core/values/basics/phrase.h"
#include "core/values/knobs/provenance.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace plimsoll {

namespace {

double apply(Operator op, double exponent, const std::vector<double>& x) {
    double v = x.empty() ? 0 : x.front();
    switch (op) {
        case Operator::given: return v;
        case Operator::sum: for (std::size_t i = 1; i < x.size(); ++i) v += x[i]; return v;
        case Operator::difference: for (std::size_t i = 1; i < x.size(); ++i) v -= x[i]; return v;
        case Operator::product: for (std::size_t i = 1; i < x.size(); ++i) v *= x[i]; return v;
        case Operator::quotient: return x[0] / x[1];
        case Operator::maximum: return *std::max_element(x.begin(), x.end());
        case Operator::power_mean: {
            const double high = *std::max_element(x.begin(), x.end());
            if (high <= 0) return 0;
            double total = 0;
            for (double y : x) total += std::pow(y / high, exponent);
            return high * std::pow(total, 1 / exponent);
        }
    }
    return v;
}

const char* sign_of(Operator op) {
    switch (op) {
        case Operator::given: return "";
        case Operator::sum: return "sum of";
        case Operator::difference: return "difference of";
        case Operator::product: return "product of";
        case Operator::quotient: return "quotient of";
        case Operator::maximum: return "larger of";
        case Operator::power_mean: return "soft maximum of";
    }
    return "";
}

std::string value_of(const Term& t) {
    char number[40];
    std::snprintf(number, sizeof number, "%.5g", t.value);
    return number + (t.unit.empty() ? "" : " " + t.unit);
}

void write(const Term& t, int level, int depth, std::string& out) {
    out += std::string(2 * level, ' ') + t.label + " = " + value_of(t);
    if (t.op == Operator::given && !t.source.text.empty()) out += "   [" + say(t.source) + "]";
    else if (!t.formula.empty()) out += "   (" + t.formula + ")";
    if (t.op != Operator::given && level < depth) out += std::string("   ") + sign_of(t.op) + ":";
    out += "\n";
    if (level < depth)
        for (const Term& child : t.children) write(child, level + 1, depth, out);
}

void write_latex(const Term& t, int level, int depth, std::string& out) {
    const bool leaf = t.op == Operator::given;
    const std::string origin = leaf ? t.source.text.empty() ? "" : say(t.source)
                             : t.formula.empty() ? sign_of(t.op) : std::string(sign_of(t.op)) + ": " + t.formula;
    out += latex_text(value_of(t)) + " & \\hspace*{" + std::to_string(level) + "em}" + latex_text(t.label) + " & "
         + latex_text(origin) + " \\\\\n";
    if (level < depth)
        for (const Term& child : t.children) write_latex(child, level + 1, depth, out);
}

}  // namespace

double evaluate(const Term& t) {
    if (t.op == Operator::given) return t.value;
    std::vector<double> x;
    for (const Term& child : t.children) x.push_back(evaluate(child));
    return apply(t.op, t.exponent, x);
}

std::string to_text(const Term& t, int depth) {
    std::string out;
    write(t, 0, depth, out);
    return out;
}

std::string to_latex(const Term& t, int depth) {
    std::string out = "% needs the packages longtable and booktabs\n"
                      "\\begin{longtable}{rp{0.4\\linewidth}p{0.35\\linewidth}}\n\\toprule\n"
                      "Value & Term & Comes from \\\\\n\\midrule\n\\endhead\n";
    write_latex(t, 0, depth, out);
    return out + "\\bottomrule\n\\end{longtable}\n";
}

Term given(std::string label, double value, std::string unit, Source source) {
    Term t;
    t.label = phrase(label);
    t.value = value;
    t.unit = std::move(unit);
    t.source = std::move(source);
    return t;
}

Term counted(std::string label, double value) {
    return given(std::move(label), value, "", {SourceKind::user, phrase("the plan")});
}

Term derived(std::string label, double value, std::string unit, std::string formula) {
    return given(std::move(label), value, std::move(unit), {SourceKind::derived, phrase(formula)});
}

Term combine(Operator op, std::string label, std::string unit, std::vector<Term> children, std::string formula) {
    Term t;
    t.op = op;
    t.label = phrase(label);
    t.unit = std::move(unit);
    t.formula = phrase(formula);
    std::vector<double> x;
    for (const Term& child : children) x.push_back(child.value);
    t.children = std::move(children);
    t.value = apply(op, t.exponent, x);
    return t;
}

Term named(Term t, std::string id) {
    t.id = std::move(id);
    return t;
}

}  // namespace plimsoll
