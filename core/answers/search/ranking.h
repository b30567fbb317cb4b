#pragma once
// What a search keeps of the layouts it has priced: the best, the front, cells,
// near misses. Two rankings merge into what one alone would have kept.

#include "core/answers/search/candidates.h"

#include <map>

namespace plimsoll {

// A candidate with its place in the order of the space, which settles ties.
struct Ranked {
    Candidate candidate;
    long long place = 0;
};

bool same_rule(const Obstacle&, const Obstacle&);
double value_of(const Candidate&, Objective);
// Better by the objective, then by step time, then by place.
bool better(const Ranked&, const Ranked&, Objective);
// Tries the plan's own layout where the space does not list it; true if it was. A plan with obstacles is none.
class Ranking;
bool add_plan(const Scenario&, const Layouts&, Ranking&);
NearMiss miss_of(const Layout&, const Estimate&);   // of a plan that does not fit
// At least as good in time, energy and memory and better in one.
bool dominates(const Candidate&, const Candidate&);

class Ranking {
public:
    explicit Ranking(const SearchOptions& options) : options_(options) {}
    Ranking(const Ranking&) = delete;   // it points into itself
    Ranking(Ranking&&) = delete;

    const SearchOptions& options() const { return options_; }
    void count(const Layout&, long long tried, long long feasible, long long fits, long long tight);
    void add(const Ranked&);
    void miss(const NearMiss&, long long place);
    void exclude(const Obstacle&, const Layout& first, long long place, long long count);
    void merge(const Ranking&);

    // Whether a layout that is no better than this in anything could still be kept anywhere.
    bool could_matter(const Candidate& bound);
    // Whether one with this excess, in the best case, could be among the near misses.
    bool could_nearly_fit(double excess, const Layout&);

    std::optional<Candidate> best() const;
    SearchResult result(std::string space) const;

private:
    struct Cell {
        SplitCell sums;
        std::optional<Ranked> best;
        std::optional<std::pair<NearMiss, long long>> nearest;
    };
    struct Rule {
        Exclusion exclusion;
        long long place = 0;
    };
    Cell& cell(const Layout&);
    void add_to_front(const Ranked&);

    SearchOptions options_;
    std::map<std::pair<int, int>, Cell> cells_;
    std::pair<int, int> last_key_;                           // layouts come sorted by cell
    Cell* last_ = nullptr;
    std::vector<Ranked> top_, front_;                        // top sorted, front by step time
    std::vector<std::pair<NearMiss, long long>> misses_;     // sorted
    std::vector<Rule> rules_;
};

}  // namespace plimsoll
