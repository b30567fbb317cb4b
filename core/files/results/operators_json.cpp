#include "core/files/results/answers_json.h"

#include "core/files/presets/parts.h"

namespace plimsoll {
namespace {

using namespace files;

constexpr int operator_digits = 6;

OrderedJson operator_number(double value) { return number_json(rounded(value, operator_digits)); }

OrderedJson summary_of_operators(const OperatorSummary& s) {
    return {{"machine", s.machine},
            {"kind", name_of_kind(s.kind)},
            {"of", s.of},
            {"rows", s.rows},
            {"counted", s.counted},
            {"median", operator_number(s.median_absolute)},
            {"bias", operator_number(s.bias)},
            {"bar", s.bar ? OrderedJson(*s.bar) : OrderedJson()},
            {"holds", s.holds()}};
}

}  // namespace

std::string to_json(const OperatorScore& s) {
    const auto unpriced = [](const UnpricedOperators& u) -> OrderedJson {
        return {{"machine", u.machine}, {"reason", u.reason}, {"rows", u.rows}};
    };
    return text_of({{"machines", json_list(s.summaries, summary_of_operators)},
                    {"varieties", json_list(s.varieties, summary_of_operators)},
                    {"size_classes", json_list(s.size_classes, summary_of_operators)},
                    {"unpriced", json_list(s.unpriced, unpriced)}});
}

std::string to_json(const std::vector<OperatorFit>& fits) {
    const auto constant = [](const OperatorConstant& c) -> OrderedJson {
        return {{"id", c.id},
                {"unit", c.unit},
                {"present", operator_number(c.present)},
                {"value", operator_number(c.value)},
                {"low", operator_number(c.low)},
                {"high", operator_number(c.high)},
                {"determined", c.determined}};
    };
    const auto fit = [&](const OperatorFit& f) -> OrderedJson {
        return {{"machine", f.machine},
                {"group", f.group},
                {"rows", f.rows},
                {"sources", f.sources},
                {"before", operator_number(f.before)},
                {"fitted", operator_number(f.fitted)},
                {"held_out", operator_number(f.held_out)},
                {"constants", json_list(f.constants, constant)}};
    };
    return text_of(json_list(fits, fit));
}

}  // namespace plimsoll
