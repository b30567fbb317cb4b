#pragma once
// What a search's winner is worth: against another plan, on more or fewer nodes,
// within a budget, and should the machine turn out otherwise.
//
//   for (const PartChange& c : changes(plan, with_layout(plan, best.layout))) ...   // why it is faster
//   fewest_nodes(points), fastest_within(plan, points, 20'000);
//   for (const Turn& t : turns(plan, space)) if (!t.stays()) ...                    // what would change the winner

#include "core/answers/search/envelope.h"

#include <string>

namespace plimsoll {

// One part of the step in two plans that can be computed; largest difference first, none that are equal.
struct PartChange {
    std::string_view id, label;
    Seconds from, to;
};
std::vector<PartChange> changes(const Scenario& from, const Scenario& to);

// The smallest node count on which any layout fits.
std::optional<EnvelopePoint> fewest_nodes(std::span<const EnvelopePoint>);
// Of the node counts whose whole run, failures included, stays within the node-hours, the one that ends first.
std::optional<EnvelopePoint> fastest_within(const Scenario&, std::span<const EnvelopePoint>, double node_hours);

// One property of the machine turned, everything searched again.
struct Turn {
    std::string what;                 // "Network bandwidth"
    double factor = 1;
    std::optional<Candidate> best;    // of the turned machine
    std::optional<Seconds> present;   // the unturned winner there, if it still runs
    FitVerdict verdict = FitVerdict::does_not_fit;   // of that winner there
    bool stays(const Layout& winner) const { return best && best->layout == winner; }
};
struct Sensitivity {
    std::optional<Candidate> winner;  // of the machine as it is
    std::vector<Turn> turns;
};
// Network, device memory, memory bandwidth and the efficiency of large products, each 0.80 and 1.25 times.
Sensitivity sensitivity(const Scenario&, const Space&, const SearchOptions& = {}, std::stop_token = {},
                        const SearchProgress& = {});

// Why one layout beats another, in a sentence:
// "12 % less time: pipeline bubble 1.24 s less, recompute 410 ms less; but tensor-parallel wait 95 ms more":
// of the changes() between two steps the largest, up to three of each sign.
std::string say_changes(Seconds before, Seconds after, const std::vector<PartChange>&);

}  // namespace plimsoll
