#pragma once
// The ORNL study's back-of-envelope for a plan, beside the full model's figure.

#include "core/answers/plan/estimate.h"
#include "core/values/basics/units.h"

#include <string>
#include <vector>

namespace plimsoll {

struct PaperRow {
    std::string id, label;
    double printed = 0;    // by the equation as printed
    double corrected = 0;  // by the equation as it has to be read, or by the full model
    std::string unit;
    std::string formula;   // both forms, in symbols
};

// Empty when the plan has obstacles.
std::vector<PaperRow> paper_study(const Scenario&);

}  // namespace plimsoll

// The equations of the ORNL study of Summit and Crusher (Yin et al., J.
// Supercomputing 79, 2023), as printed and as they have to be read, so that its
// tables can be reproduced beside the full model. Mp is one copy of the weights.
//
// None of these is used by estimate().

namespace plimsoll::paper {

struct Plan {
    double parameters = 0;
    int devices = 1, tensor = 1, pipeline = 1, data = 1;
    double weight_bytes = 2, gradient_bytes = 2, optimizer_bytes = 12;
    Bytes weights() const { return weight_bytes * parameters * byte; }  // Mp
};

Flop training_flop(double parameters, double tokens);  // Eq. 1: 6 P D
Flop chinchilla_flop(double parameters);               // Eq. 7: 120 P^2, D = 20 P
Seconds training_time(Flop, FlopRate system);          // Eq. 2
Joules training_energy(Flop, double flop_per_joule);   // Eq. 3, from FLOP/s per watt
double node_hours(Flop, FlopRate per_device, int devices_per_node);

Bytes fsdp_memory_printed(const Plan&);    // 6 Mp / N
Bytes fsdp_memory(const Plan&);            // all states / N
Bytes fsdp_volume_printed(const Plan&);    // 3 Mp
Bytes fsdp_volume(const Plan&);            // 3 (N-1)/N Mp per device
Bytes ddp_volume(const Plan&);             // 2 Mp
// Eq. 5, DeepSpeed-Megatron: 2 (DP + PP TP + 1) / N Mp. It divides the optimizer
// state by DP alone; ZeRO-1 shards the state of the local model shard, so the
// right form is P [(b_p + b_g) / (TP PP) + b_o / N].
Bytes megatron_memory_printed(const Plan&);
Bytes megatron_memory(const Plan&);
Bytes megatron_volume_printed(const Plan&);  // Eq. 6: (TP/N + 1) 2 Mp
// Data-parallel part of the traffic a device really sends: 2 (d-1)/d b_g P/(t p).
Bytes megatron_data_volume(const Plan&);
// Bandwidth at which FSDP traffic hides under compute: b_w R / (2 tau), tau
// tokens per device and step. R at peak and as achieved give the study's 94 and
// 37 GB/s (the text has the two the other way round).
ByteRate required_bandwidth(double weight_bytes, FlopRate per_device, double tokens_per_device);

// Transfers of blocks one product needs on p devices, layers of a depth side by side (Wang
// et al. 2021, Tesseract): Cannon's square grid, the 2.5D algorithm of Solomonik and Demmel
// on a cube, Tesseract on a cube.
double cannon_transfers(double devices);      // 2 p^1.5 - 2 p^0.5
double cube_transfers(double devices);        // 2 p - 2 p^(1/3)
double tesseract_transfers(double devices);   // 2 p^(2/3)

}  // namespace plimsoll::paper
