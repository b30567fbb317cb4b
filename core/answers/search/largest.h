#pragma once
// The largest model that fits a few devices, by which tiers hold its states.
//
//   for (const LargestModel& m : largest_models(plan, 16)) m.parameters;
//
// The plan gives the shape (its width stays, layers are added), machine, recipe
// and software. Every strategy is an ordinary plan, micro-batch 1, and what fits
// is what estimate() says fits.

#include "core/answers/search/search.h"

#include <string>
#include <vector>

namespace plimsoll {

struct LargestModel {
    std::string strategy;             // "ZeRO-Offload"
    std::vector<Obstacle> obstacles;  // why the strategy cannot be had here; then nothing follows
    int fewest = 1;                   // layers that the model can have: a mixture has one above its dense ones
    int layers = 0;                   // 0: not even so many fit
    double parameters = 0;
    Scenario scenario;                // the plan that fits; with the fewest layers where none does
    Estimate estimate;
};
// Why none fits: "not one layer fits".
std::string say_none_fits(const LargestModel&);

// One per strategy, from everything on the devices to drives. `devices` 0 is one node.
std::vector<LargestModel> largest_models(const Scenario&, int devices = 0, std::stop_token = {},
                                         const SearchProgress& = {});

}  // namespace plimsoll
