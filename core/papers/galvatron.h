#pragma once
// A profile of one layer as measured on a machine, and the lines through it that prices are read from.
//
//   const auto profile = read_layer_profile(path, devices);     // core/files/import/layer_profile.h
//   const auto c = at_length(*profile, 8192);
//   c->layer_ms.at(2);                                          // forward pass of two sequences
//
// The quantities are those Galvatron's profilers write (Miao et al. 2022, section 3.4; Hetu-Galvatron, PKU-DAIR).

#include "core/answers/strategies/strategy.h"
#include "core/values/basics/expected.h"
#include "core/values/plan/layout.h"

#include <map>
#include <string>
#include <vector>

namespace plimsoll {

using ByWidth = std::map<int, double>;   // key: ranks that share a layer or a message

struct MeasuredProfile {
    struct Timing { int batch, sequence; double ms_per_sample; };
    std::vector<Timing> layer, ends;              // forward passes: of one layer, of embedding and head
    struct LayerMemory {
        double parameter_MiB = 0;                 // fp32
        ByWidth activation_MiB;                   // of one sequence
        double checkpointed_MiB = 0;              // the same, only the layer's input kept
    };
    struct EndsMemory { ByWidth states_MiB, activation_MiB; };
    std::map<int, LayerMemory> layer_memory;      // key: sequence length, as below
    std::map<int, EndsMemory> alone, first,
        last;  // embedding and head on one stage; on the first and the last of several
    bool splits_activations = false;              // measured with (Megatron's) sequence parallelism
    ByWidth neighbours_GBs, strided_GBs;          // bus bandwidth of all-reduces: of consecutive ranks and of others
    ByWidth message_GBs;                          // between stages, by their number
    double overlap = 1;                           // by which computation and communication slow each other
    std::map<int, ByWidth> all_reduce_ms, all_to_all_ms;   // ranks -> MiB -> time
};

struct Line {
    double slope = 0, intercept = 0;
    double at(double x) const { return slope * x + intercept; }
};
struct MessageTimes {
    ByWidth measured;
    Line line;
    double at(double MiB) const;   // as measured, on the line between
};

// The profile at one sequence length.
struct ProfileAtLength {
    Line layer_ms, ends_ms;   // forward, by the sequences each rank has
    MeasuredProfile::LayerMemory layer;
    MeasuredProfile::EndsMemory alone, first, last;
    bool splits_activations = false;
    ByWidth neighbours_GBs, strided_GBs, message_GBs;
    double overlap = 1;
    std::map<int, MessageTimes> gather, all_to_all;
};

// Or why the profile does not say. Several batch sizes at this length give lines over the batch; else several lengths
// of batch 1 give a parabola for the layer and a line for the ends; else what was measured at this length is taken per
// sample. Memory of several lengths: activations scale from the longest, parameters are the shortest's.
Expected<ProfileAtLength, std::string> at_length(const MeasuredProfile&, int sequence_length);

// Prices of strategies from a measured profile, by the cost model the profile was made for (Miao et al. 2022, section
// 3.4; Hetu-Galvatron's cost model): backward passes take twice the forward's time, computation and gradient reduction
// slow each other by the overlap coefficient, states are 16 bytes per parameter shared out with 0.3 % to spare.
//
//   PriceList prices = profiled_prices(calibration, {.hidden = 4096, .sequence_length = 8192, .devices = 8});
//
// Where this departs from Galvatron's code, unless asked to follow it (`as_galvatron`, to compare):
// - the pipeline is simulated. There, only the first and the last stage bound it, which holds for equal stages alone;
// - handing activations on between strategies takes bytes / bandwidth. There the unit is off by a hundred, which keeps
//   strategies of different width apart;
// - embedding and head reduce their gradients too, and so does (in either case) a Ulysses group without
//   data-parallel copies.

struct ProfiledShape {
    int hidden = 1, sequence_length = 1, devices = 1;
    Schedule schedule = Schedule::one_f_one_b;   // or GPipe, whose stages hold every micro-batch
    bool late_gradients = false;                 // kept in 16 bit until reduced at the step's end, not as an fp32 sum
    bool as_galvatron = false;
};

PriceList profiled_prices(ProfileAtLength, ProfiledShape);

// A step of a pipeline from its stages (their times of one micro-batch): the larger of two bounds, one set by the last
// stage, one by the first with filling and draining hidden behind the others, plus the reduction that sticks out.
Seconds galvatron_step(std::span<const StageSum>, int micro_batches);

// What is left of a device's memory for the search: above 20 GiB a fifth stays with the allocator's cache.
Bytes searched_memory(Bytes device);

}  // namespace plimsoll
