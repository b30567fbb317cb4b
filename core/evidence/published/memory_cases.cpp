#include "core/evidence/published/memory_cases.h"

#include "core/values/knobs/wording.h"

namespace plimsoll {

namespace {

std::string why_no_plan(const MemoryCase& c) {
    if (c.method == "lora" || c.method == "qlora") return "adapters are trained beside frozen weights";
    if (c.row.reference) return "a reference row, not for scoring";
    return {};
}

JudgedCase judged_case(const MemoryCase& c, const RowPresets& presets, const Stack* instead) {
    JudgedCase j{c.row.id, c.row.source, c.ran};
    j.unpriced = why_no_plan(c);
    if (!j.unpriced.empty()) return j;
    FilledRun run = filled_run(c.row, presets, RunEnded::unknown);
    j.unpriced = run.excluded;
    if (!j.unpriced.empty()) return j;
    if (instead) run.scenario.stack = *instead;
    const Outcome o = estimate(run.scenario);
    if (!o) {
        j.unpriced = say(o.error().front());
        return j;
    }
    j.share = share_of_device(*o);
    j.verdict = fit_verdict(*o);
    return j;
}

VerdictShares shares_of(const Verdicts& v, bool ran) {
    const double all = v.count();
    if (all == 0) return {};
    return {(ran ? v.fits : v.does_not_fit) / all, v.may_not_fit / all, (ran ? v.does_not_fit : v.fits) / all};
}

const Verdicts& verdicts_of(const CaseSummary& s, bool ran) { return ran ? s.ran : s.out_of_memory; }

}  // namespace

void Verdicts::add(FitVerdict verdict) {
    switch (verdict) {
        case FitVerdict::fits: ++fits; return;
        case FitVerdict::may_not_fit: ++may_not_fit; return;
        case FitVerdict::does_not_fit: ++does_not_fit; return;
    }
}

std::map<std::string, int> JudgedCases::unpriced() const {
    std::map<std::string, int> reasons;
    for (const JudgedCase& c : cases)
        if (!c.unpriced.empty()) ++reasons[c.unpriced];
    return reasons;
}

JudgedCases judge(const MemoryCases& cases, const RowPresets& presets, const Stack* instead) {
    JudgedCases all;
    std::map<std::string, CaseSummary> by_source;
    for (const MemoryCase& c : cases) {
        all.cases.push_back(judged_case(c, presets, instead));
        const JudgedCase& j = all.cases.back();
        CaseSummary& s = by_source[j.source];
        s.source = j.source;
        if (!j.unpriced.empty()) ++s.unpriced;
        else (j.ran ? s.ran : s.out_of_memory).add(j.verdict);
    }
    for (const auto& [name, summary] : by_source) all.sources.push_back(summary);
    return all;
}

VerdictShares over_rows(const std::vector<CaseSummary>& sources, bool ran) {
    Verdicts sum;
    for (const CaseSummary& s : sources) {
        sum.fits += verdicts_of(s, ran).fits;
        sum.may_not_fit += verdicts_of(s, ran).may_not_fit;
        sum.does_not_fit += verdicts_of(s, ran).does_not_fit;
    }
    return shares_of(sum, ran);
}

VerdictShares over_sources(const std::vector<CaseSummary>& sources, bool ran) {
    VerdictShares mean;
    int judged = 0;
    for (const CaseSummary& s : sources) {
        if (verdicts_of(s, ran).count() == 0) continue;
        const VerdictShares one = shares_of(verdicts_of(s, ran), ran);
        mean.right += one.right;
        mean.undecided += one.undecided;
        mean.wrong += one.wrong;
        ++judged;
    }
    if (judged == 0) return {};
    return {mean.right / judged, mean.undecided / judged, mean.wrong / judged};
}

}  // namespace plimsoll
