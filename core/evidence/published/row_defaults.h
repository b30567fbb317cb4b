#pragma once
// Values assumed where a published row is silent, each from the row's own facts.
//
//   const Split split = assumed_split(row.layout, plan);   // plan: model, machine and recipe are filled

#include "core/evidence/published/published_row.h"
#include "core/values/plan/scenario.h"

namespace plimsoll {

int largest_divisor_up_to(int of, int most);
int micro_batch_by_size(double parameters, int sequence_length);

// Tables count the two input branches of a gated layer now as one matrix, now as
// two. The stated parameter count tells: what was stated, unless it misses the
// count by 15 % and the other hits it within 3 %.
bool gated_by_count(const RowModel&, Model, bool stated);

// What is published is taken. Else one each with sharded data parallelism; or
// tensor parallel inside a node first, then the pipeline, until the states of a
// rank take at most 0.6 of its memory.
struct Split {
    int tensor = 1, pipeline = 1;
};
Split assumed_split(const RowLayout&, const Scenario&);

}  // namespace plimsoll
