#pragma once
// Bugs that tests seed on purpose: each must make the layout matrix fail. In the
// product every question below is answered "no" by the compiler.

#include <cstdint>

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
inline constexpr const char* mutation_names[] = {"none", "norm-not-reduced", "sum-for-mean", "bias-twice", "wrong-mask",
                                                 "stale-shard", "tied-head-not-reduced", "micro-batch-scale",
                                                 "last-micro-batch"};

#ifdef PLIMSOLL_MUTATIONS
inline Mutation mutation_under_test = Mutation::none;
inline bool seeded(Mutation m) { return mutation_under_test == m; }
#else
constexpr bool seeded(Mutation) { return false; }
#endif

}  // namespace plimsoll::engine
