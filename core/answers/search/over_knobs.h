#pragma once
// The best layout at every combination of values of some knobs that are none of the layout: rank, what is trained, in
// how many bits the rest is kept, the length of sequences.
//
//   const KnobAxis axes[] = {{find_knob("method.rank"), {8, 64}}, {find_knob("method.frozen"), {0, 3}}};
//   for (const AtValues& p : search_over(plan, axes, common_space(plan)))
//       if (p.best) show(p.values, p.plan);

#include "core/answers/search/search.h"
#include "core/values/knobs/knobs.h"

#include <optional>
#include <span>
#include <vector>

namespace plimsoll {

struct KnobAxis {
    const Knob* knob;
    std::vector<double> values;
};

struct AtValues {
    std::vector<double> values;       // one for each axis
    Scenario plan;                    // with the best layout, where there is one
    std::optional<Candidate> best;    // nothing fits, or the plan breaks a rule
};

// In the order of the values, the last axis fastest; those that a knob refuses are left out.
std::vector<AtValues> search_over(const Scenario&, std::span<const KnobAxis>, const Space&, const SearchOptions& = {},
                                  std::stop_token = {});

}  // namespace plimsoll
