#pragma once
// Whether the verdict on memory is right: plans that somebody started, of which some ran out of memory.
//
//   const JudgedCases judged = judge(cases, presets);
//   judged.sources;       // by source: verdicts on those that ran and on those that ran out of memory
//   judged.unpriced();    // how many have none, by reason
//
// Cases are filled like published rows, but by no rule that supposes that the run fitted. Plans that train adapters
// beside frozen weights are not modelled and have no verdict.

#include "core/answers/plan/headroom.h"
#include "core/evidence/published/run_rules.h"

#include <map>
#include <string>
#include <vector>

namespace plimsoll {

struct MemoryCase {
    PublishedRow row;
    bool ran = false;         // off: it ran out of memory
    std::string method;       // "pretrain", "full"; "lora" and "qlora" train adapters
};
using MemoryCases = std::vector<MemoryCase>;

struct JudgedCase {
    std::string id, source;
    bool ran = false;
    double share = 0;         // share_of_device()
    FitVerdict verdict = FitVerdict::fits;
    std::string unpriced{};   // why there is no verdict; empty: there is one
};

struct Verdicts {
    int fits = 0, may_not_fit = 0, does_not_fit = 0;
    int count() const { return fits + may_not_fit + does_not_fit; }
    void add(FitVerdict);
};
struct CaseSummary {
    std::string source;
    Verdicts ran, out_of_memory;
    int unpriced = 0;
};

// Of 100 verdicts, rows alike or sources alike. Right: a run that ran is said to fit, one that did not is said not to.
struct VerdictShares {
    double right = 0, undecided = 0, wrong = 0;
};

struct JudgedCases {
    std::vector<JudgedCase> cases;
    std::vector<CaseSummary> sources;      // by name
    std::map<std::string, int> unpriced() const;
};

JudgedCases judge(const MemoryCases&, const RowPresets&, const Stack* instead = nullptr);

// `ran`: of the runs that ran, else of those that ran out of memory.
VerdictShares over_rows(const std::vector<CaseSummary>&, bool ran);
VerdictShares over_sources(const std::vector<CaseSummary>&, bool ran);

}  // namespace plimsoll
