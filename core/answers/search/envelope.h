#pragma once
// The best layout at every node count: what a machine can do for a job, whatever its size.
//
//   for (const EnvelopePoint& p : envelope(plan, common_space(), {8, 16, 32, 64}, {}))
//       if (p.best) plot(p.nodes, p.best->step);
//
// Each point is what search() ranks first on so many nodes, with the global batch kept. The work
// of a layer depends on no number of nodes and is done once for all points; layer choices are taken
// up by what their layers compute at least, until that exceeds the best step found.

#include "core/answers/search/search.h"

#include <span>

namespace plimsoll {

struct EnvelopePoint {
    int nodes = 0;
    std::optional<Candidate> best;   // nothing fits, or no layout there is
    friend bool operator==(const EnvelopePoint&, const EnvelopePoint&) = default;
};

// Of the options objective, threads, headroom, power and, at the plan's own node count, with_plan. Points not reached
// before a stop have no layout. `progress` counts node counts.
std::vector<EnvelopePoint> envelope(const Scenario&, const Space&, std::span<const int> nodes,
                                    const SearchOptions& = {}, std::stop_token = {},
                                    const SearchProgress& = {});

// Whether the best on every node count is the same for both: they differ in their names and in the layout alone, and
// both layouts lead to one common_space().
bool share_envelope(const Scenario&, const Scenario&);

// Node counts up to the whole machine some layout can use, evenly spread in the logarithm: the
// devices of each are a product of degrees that divide batch, heads and layers.
std::vector<int> envelope_nodes(const Scenario&, int most = 40);

// The plan on so many whole nodes; its layout is left to be searched.
Scenario on_nodes(Scenario, int nodes);

}  // namespace plimsoll
