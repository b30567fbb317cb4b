#pragma once
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
// - embedding and head reduce their gradients too, and so does (in either case) a Ulysses group without data-parallel copies.

#include "core/papers/galvatron_profile.h"
#include "core/answers/strategies/tables.h"
#include "core/values/plan/layout.h"

namespace plimsoll {

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
