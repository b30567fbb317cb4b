#pragma once
// Where a plan's groups lie on a machine of several clusters, what each of them
// talks over, and what the other mappings and splits of the layers would take.
//
//   const Placement p = placement(scenario);     // empty for a machine of one network
//   p.stages[1].transport == Transport::roce;

#include "core/costs/network/network.h"
#include "core/values/plan/placement.h"
#include "core/values/plan/scenario.h"

#include <string_view>
#include <vector>

namespace plimsoll {

struct StagePlace {
    int stage = 0, layers = 0;
    int cluster = no_cluster;      // where it lies; no_cluster: across several
    Transport transport{};         // the slowest its data-parallel group goes over
    ByteRate rate;                 // each device's achieved share of it
    Seconds reduction;             // of the stage's gradients, nothing hidden
};

struct Handover {
    int after = 0;                 // from this stage to the next
    Transport transport{};
    ByteRate rate;
    Seconds message;               // one micro-batch's activation
};

struct MappingAlternative {
    Mapping mapping{};
    StageSplit split{};
    Seconds step;
    bool present = false;          // the plan's own
};

struct Placement {
    std::vector<StagePlace> stages;
    std::vector<Handover> handovers;
    std::vector<MappingAlternative> alternatives;  // those that can be computed, fastest first
};

// Of a plan without obstacles.
Placement placement(const Scenario&);

std::string_view label_of(Transport);   // "InfiniBand", "TCP"

}  // namespace plimsoll
