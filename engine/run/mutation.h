#pragma once
// Bugs that tests seed on purpose: each must make the layout matrix fail. The product answers every question below with
// no (mutation.cpp); the tests' own engine has the same functions with a bug to choose (tests/engine/mutant.cpp).

#include <cstdint>
#include <string>

namespace plimsoll::engine {

enum class Mutation : std::uint8_t {
    none,
    norm_not_reduced,       // norm gains keep the gradient of their own sequence shard
    sum_for_mean,           // gradients are summed over data ranks, each scaled as if it were alone
    bias_twice,             // a row-parallel bias is added on every tensor rank, before the reduction
    wrong_mask,             // a query sees the key after it
    stale_shard,            // one ZeRO shard is not gathered again after the update
    tied_head_not_reduced,  // first and last stage keep their own gradient of the shared embedding
    micro_batch_scale,      // the loss is not divided by the number of micro-batches
    last_micro_batch,       // the last micro-batch of a step is dropped
};

bool seeded(Mutation);                // whether this bug is in the run
bool seedable();                      // whether there is an option --mutate
void seed(const std::string& name);   // what --mutate says, for the runs that follow

}  // namespace plimsoll::engine
