#pragma once
// What a node used in a window, from domains that overlap: package contains core,
// node contains GPU, and two sources may count the same thing. Nothing is counted
// twice, nothing that is missing is taken for zero.
//
//   const Account a = account_of(shares);
//   if (a.joules) say(*a.joules, a.scope);    // 1234, "node" or "package+dram+gpu"
//   else say(a.reason);

#include "engine/power/reader.h"

namespace plimsoll::engine::power {

// One domain's energy of a window, or why there is none.
struct Share {
    std::string source;
    Domain domain;
    Expected<double, std::string> joules;
};

// All domains of one scope of one source that do not lie in one another.
struct ScopeTotal {
    std::string source;
    Scope scope;
    double joules;
    bool integrated;
};

struct Account {
    std::optional<double> joules{};     // of the widest that is counted
    std::string scope{}, sources{};     // what that is, and whose numbers: "package+gpu", "rapl+nvml"
    std::string reason{};               // without joules: why
    std::vector<ScopeTotal> totals{};   // everything that is counted, also what the joules above contain
    std::vector<std::string> remarks{}; // sources that disagree by more than a tenth
};

inline constexpr double agreement = 0.1;

Account account_of(const std::vector<Share>&);

}  // namespace plimsoll::engine::power
