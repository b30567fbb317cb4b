#pragma once
// How much of the error of one prediction is that of another one too.
//
//   const Peer mine = peer_of(plan), other = peer_of(larger);
//   const ErrorTeller teller({{&mine, std::log1p(0.2)}}, false);   // the step was predicted 20 % too long
//   teller.of(other).log_error;    // 0.11: so much of it is expected again
//   teller.of(other).share;        // 0.3: of the variance of the other one's error
//
// Where a copy of the plan was measured, cut in layers and replicas, its error alone counts (copies.h). Of memory,
// copies show a reserve in bytes and a factor of the activations. Other runs tell little.
//
// The logarithm of an error is a sum of three things. A few parts of the step, as a share of it, are off by a factor
// that machine and software carry: plans in which these parts weigh more share more of the error. A plan has an error
// of its own, which plans that differ little share, the less the more they differ. A measurement scatters. Of memory
// the published runs of other plans show no part that a machine and software carry: only the second counts.
// The best linear prediction from what was measured follows (kriging; Cressie 1993, chapter 3). An error far beyond
// what the parts explain is rather the plan's own: its variance is that of a Student-t (Lange et al. 1989).

#include "core/evidence/published/band.h"
#include "core/evidence/published/copies.h"

#include <array>
#include <string>
#include <vector>

namespace plimsoll {

// What likeness looks at, computed once a plan.
struct Peer {
    RunKind kind;
    std::string machine;
    std::array<double, 10> sizes{};                          // logarithms: parameters, devices, layout, batch
    std::array<double, std::size(step_parts)> time{};        // shares of the step
    std::array<double, std::size(memory_parts)> memory{};    // of the fullest device
    MemoryUse fullest = {};
    int devices = 1;
    CopyShape shape = {};
};
Peer peer_of(const Scenario&);
Peer peer_of(const Scenario&, const StepTime&, const MemoryUse& fullest);   // of what the model predicts of it

struct KnownError {
    const Peer* plan = nullptr;
    double log_error = 0;                  // ln(predicted / measured)
    double scatter = 0;                    // of its own steps, as a share; 0: not known
    MemoryKind memory = MemoryKind::reserved;   // what was measured, of memory
};

struct ToldError {
    double log_error = 0;                  // expected
    double share = 0;                      // of its variance that is told
    Kin kin = Kin::other;                  // of those that tell it
    bool two_depths = false;
    double band = 0, wide = 0;             // of copies: two runs in three, nine in ten lie within
    std::vector<std::size_t> by = {};      // places in the list of what was given, the likest first
};

// The plans have to outlive it.
class ErrorTeller {
public:
    ErrorTeller(std::vector<KnownError>, bool memory);
    ToldError of(const Peer&) const;

private:
    std::optional<ToldError> by_copies(const Peer&) const;
    ToldError by_likeness(const Peer&) const;
    std::vector<std::size_t> likest(const Peer&) const;   // those that share nothing are left out
    double with(const Peer&, std::size_t given, double doubt) const;

    std::vector<KnownError> given_;
    bool memory_;
    std::vector<double> doubts_, weights_;   // of each given one: how much larger than usual its own variance is taken
    std::vector<double> inverse_;            // of the covariances between those given, row by row
};

}  // namespace plimsoll
