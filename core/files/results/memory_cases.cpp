#include "core/files/results/memory_cases.h"

#include "core/files/presets/parts.h"

namespace plimsoll {

namespace {

using namespace files;

OrderedJson verdicts_json(const Verdicts& v) {
    return {{"fits", v.fits}, {"may_not_fit", v.may_not_fit}, {"does_not_fit", v.does_not_fit}};
}

OrderedJson shares_json(const VerdictShares& v) {
    return {{"right", v.right}, {"undecided", v.undecided}, {"wrong", v.wrong}};
}

OrderedJson case_json(const JudgedCase& c) {
    OrderedJson one{{"id", c.id}, {"source", c.source}, {"ran", c.ran}};
    const bool priced = c.unpriced.empty();
    one["share"] = priced ? OrderedJson(c.share) : OrderedJson(nullptr);
    one["verdict"] = priced ? OrderedJson(id_of(c.verdict)) : OrderedJson(nullptr);
    one["unpriced"] = priced ? OrderedJson(nullptr) : OrderedJson(c.unpriced);
    return one;
}

OrderedJson case_summary_json(const CaseSummary& s) {
    return {{"source", s.source},
            {"ran", verdicts_json(s.ran)},
            {"out_of_memory", verdicts_json(s.out_of_memory)},
            {"unpriced", s.unpriced}};
}

}  // namespace

std::string to_json(const JudgedCases& j) {
    const auto means = [&](VerdictShares (*over)(const std::vector<CaseSummary>&, bool)) {
        return OrderedJson{{"ran", shares_json(over(j.sources, true))},
                           {"out_of_memory", shares_json(over(j.sources, false))}};
    };
    return text_of({{"cases", json_list(j.cases, case_json)},
                    {"sources", json_list(j.sources, case_summary_json)},
                    {"over_rows", means(over_rows)},
                    {"over_sources", means(over_sources)}});
}

}  // namespace plimsoll
