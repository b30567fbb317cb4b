#include "core/files/results/answers_json.h"

#include "core/files/presets/parts.h"

namespace plimsoll {
namespace {

using namespace files;

constexpr int operator_digits = 6;

OrderedJson operator_number(double value) { return number_json(rounded(value, operator_digits)); }

OrderedJson operator_summaries(const std::vector<OperatorSummary>& all) {
    OrderedJson list = OrderedJson::array();
    for (const OperatorSummary& s : all)
        list.push_back({{"machine", s.machine},
                        {"kind", name_of_kind(s.kind)},
                        {"of", s.of},
                        {"rows", s.rows},
                        {"counted", s.counted},
                        {"median", operator_number(s.median_absolute)},
                        {"bias", operator_number(s.bias)},
                        {"bar", s.bar ? OrderedJson(*s.bar) : OrderedJson()},
                        {"holds", s.holds()}});
    return list;
}

}  // namespace

std::string to_json(const OperatorScore& s) {
    OrderedJson unpriced = OrderedJson::array();
    for (const UnpricedOperators& u : s.unpriced)
        unpriced.push_back({{"machine", u.machine}, {"reason", u.reason}, {"rows", u.rows}});
    return text_of({{"machines", operator_summaries(s.summaries)},
                    {"varieties", operator_summaries(s.varieties)},
                    {"size_classes", operator_summaries(s.size_classes)},
                    {"unpriced", unpriced}});
}

std::string to_json(const std::vector<OperatorFit>& fits) {
    OrderedJson list = OrderedJson::array();
    for (const OperatorFit& f : fits) {
        OrderedJson constants = OrderedJson::array();
        for (const OperatorConstant& c : f.constants)
            constants.push_back({{"id", c.id},
                                 {"unit", c.unit},
                                 {"present", operator_number(c.present)},
                                 {"value", operator_number(c.value)},
                                 {"low", operator_number(c.low)},
                                 {"high", operator_number(c.high)},
                                 {"determined", c.determined}});
        list.push_back({{"machine", f.machine},
                        {"group", f.group},
                        {"rows", f.rows},
                        {"sources", f.sources},
                        {"before", operator_number(f.before)},
                        {"fitted", operator_number(f.fitted)},
                        {"held_out", operator_number(f.held_out)},
                        {"constants", constants}});
    }
    return text_of(list);
}

}  // namespace plimsoll
