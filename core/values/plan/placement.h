#pragma once
// Which cluster each pipeline stage lives on, and which network its groups use.
//
// Stages take N/p neighbouring ranks each. Mapping::ordered hands nodes out
// cluster by cluster as they come: a stage may lie across two, and a job whose
// nodes have cards of several families runs on what they have in common, TCP,
// everywhere. Mapping::holmes (Yang et al. 2024, arXiv 2312.03549) gives each
// cluster whole stages: groups inside a stage keep their cluster's own network,
// activations alone cross over.
//
//   span_of(s.machine, {16, 1}, network_of_stage(s, 1))

#include "core/values/plan/scenario.h"

namespace plimsoll {

inline constexpr int no_cluster = -1;   // across clusters, or a machine without any: its outermost level

// Tensor groups lie inside nodes: none has members on two.
bool inside_node(const Scenario&);

// Where all ranks of the stage live; no_cluster where they do not share one.
int cluster_of_stage(const Scenario&, int stage);
// The cluster whose network the stage's groups use where they leave a node.
int network_of_stage(const Scenario&, int stage);
// The cluster whose network carries messages to the next stage, and from the last stage back to the first.
int network_after_stage(const Scenario&, int stage);
// Groups inside a layer are priced once for all stages, on the slowest of the stages' networks.
int network_of_layers(const Scenario&);

// Clusters in use hold whole stages, as Mapping::holmes needs.
bool holds_whole_stages(const Scenario&);
// Speed of the stage's devices against the machine's; of the slowest where they differ.
double stage_speed(const Scenario&, int stage);
// Speed of the fastest stage's devices. Traffic that hides behind a layer there hides on every stage.
double fastest_speed(const Scenario&);
// By what layers are split over stages: the measured rate where all clusters have one, else stage_speed().
double stage_rate(const Scenario&, int stage);

}  // namespace plimsoll
