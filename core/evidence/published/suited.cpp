#include "core/evidence/published/suited.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace plimsoll {

namespace {

// Published runs of one stack on the plan's device and of its purpose, by source.
struct Seen {
    std::map<std::string, int> runs_of;
    int runs = 0;
    bool same_kind = false;   // some of them of the plan's kind of model
    double weight() const {
        double sum = 0;
        for (const auto& [source, count] : runs_of) sum += std::sqrt(count);
        return sum;
    }
};

std::map<std::string, Seen> seen_on(const RunKind& plan, const std::vector<Trial>& trials) {
    std::map<std::string, Seen> seen;
    for (const Trial& t : trials) {
        if (t.kind.device != plan.device || t.kind.purpose != plan.purpose) continue;
        Seen& of = seen[t.kind.stack];
        ++of.runs_of[t.source];
        ++of.runs;
        of.same_kind |= t.kind.experts == plan.experts;
    }
    return seen;
}

}  // namespace

std::vector<SuitedStack> suited_stacks(const Scenario& plan, const Evidence& evidence,
                                       const std::map<std::string, Stack>& stacks, int most) {
    const RunKind kind = kind_of(plan);
    const std::map<std::string, Seen> seen = seen_on(kind, evidence.time);
    if (seen.contains(kind.stack)) return {};
    std::vector<std::pair<std::string, Seen>> order(seen.begin(), seen.end());
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
        const auto told = [](const Seen& s) { return std::tuple(s.same_kind, s.runs_of.size(), s.weight()); };
        return told(a.second) > told(b.second);
    });
    std::vector<SuitedStack> suited;
    for (const auto& [id, of] : order) {
        const auto stack = stacks.find(id);
        if (stack == stacks.end() || std::ssize(suited) == most) continue;
        Scenario with = plan;
        with.stack = stack->second;
        const Outcome o = estimate(with);
        if (o) suited.push_back({stack->second, with, *o, of.runs, int(of.runs_of.size())});
    }
    return suited;
}

int runs_of_pair(const Scenario& plan, const Evidence& evidence) {
    const RunKind kind = kind_of(plan);
    return int(std::ranges::count_if(evidence.time, [&](const Trial& t) {
        return t.kind.stack == kind.stack && t.kind.device == kind.device && t.kind.purpose == kind.purpose;
    }));
}

}  // namespace plimsoll
