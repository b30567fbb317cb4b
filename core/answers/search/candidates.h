#pragma once
// What a search is asked for and what it finds: layouts that run, those that nearly do, and what rules exclude.

#include "core/answers/plan/estimate.h"
#include "core/answers/plan/headroom.h"
#include "core/answers/search/space.h"

#include <functional>
#include <optional>
#include <stop_token>

namespace plimsoll {

// Cost and node-hours follow from time while the devices stay.
enum class Objective { time, energy, cost, node_hours, memory };

// A layout that runs.
struct Candidate {
    Layout layout;
    Seconds step;
    Joules energy;      // per step, facility
    Bytes memory;       // of the fullest device
    bool stalls = false;   // may_stall(): never before one that does not
    bool tight = false;    // less memory stays free than the search was asked for: never before one with room
    double share = 0;      // of a device, what lives outside the allocator included
    FitVerdict verdict() const { return fit_verdict(share); }
    friend bool operator==(const Candidate&, const Candidate&) = default;
};

Candidate candidate_of(const Scenario&, const Estimate&, const Headroom& = {});

// One that would run with this much more memory.
struct NearMiss {
    Layout layout;
    Tier tier = Tier::device;
    Bytes need, limit;   // of the tier that lacks most of what it needs
    double excess() const { return need / limit - 1; }
    friend bool operator==(const NearMiss&, const NearMiss&) = default;
};

// Layouts one rule excludes, with the first of them as an example. Of several
// rules the one that concerns degrees and schedule counts.
struct Exclusion {
    Obstacle obstacle;
    Layout example;
    long long count = 0;
    friend bool operator==(const Exclusion&, const Exclusion&) = default;
};

// Best of all layouts with these degrees: one cell of a map.
struct SplitCell {
    int tensor_parallel = 1, pipeline_parallel = 1;
    long long tried = 0, feasible = 0, fits = 0;   // as in SearchResult
    long long tight = 0;                  // of those that fit
    std::optional<Candidate> best;        // by the objective
    std::optional<NearMiss> nearest;      // kept where nothing fits
    friend bool operator==(const SplitCell&, const SplitCell&) = default;
};

struct SearchOptions {
    Objective objective = Objective::time;
    int limit = 20;          // of the ranking and of the near misses
    int threads = 1;
    Headroom headroom{};     // layouts with less come after all that have it
    Watts most_power{};      // of the facility while it trains: layouts that draw more are none. Nothing: no limit
    bool with_plan = false;  // the plan's own layout is tried too, wherever the space ends
    bool ranking_only = false;  // faster: no counts but the space's, no front, splits, near misses or exclusions
};

struct SearchResult {
    std::string space;
    Objective objective = Objective::time;
    long long count = 0;      // layouts in the space, and the plan's own
    long long feasible = 0;   // that no rule excludes
    long long fits = 0;       // and that are predicted to take no more than the memory
    long long tight = 0;      // of these, with less headroom than asked for
    std::vector<Candidate> top;           // best first
    std::vector<Candidate> front;         // none better in time, energy and memory at once; fastest first
    std::vector<SplitCell> splits;        // by tensor, then pipeline degree
    std::vector<NearMiss> near_misses;    // least excess first
    std::vector<Exclusion> exclusions;    // most layouts first
    bool cancelled = false;               // then the rest is what was found so far
    friend bool operator==(const SearchResult&, const SearchResult&) = default;
};

// Of the layouts found the best that fits by its verdict, where some do: the first of the ranking, else of the front,
// which holds the best of all in time, energy and memory.
std::optional<Candidate> best_that_surely_fits(const SearchResult&);

// Done so far of `count`; called from the searching threads, at least every few milliseconds.
using SearchProgress = std::function<void(long long done, long long count)>;

// The plan with another layout, sources kept.
Scenario with_layout(Scenario, const Layout&);

}  // namespace plimsoll
