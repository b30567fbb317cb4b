// The engine with bugs to choose from, which tst_engine_layouts must see: in the place of engine/run/mutation.cpp.
#include "engine/run/mutation.h"

#include <iterator>

namespace plimsoll::engine {
namespace {

constexpr const char* names[] = {"none", "norm-not-reduced", "sum-for-mean", "bias-twice", "wrong-mask", "stale-shard",
                                 "tied-head-not-reduced", "micro-batch-scale", "last-micro-batch"};
Mutation under_test = Mutation::none;

}  // namespace

bool seeded(Mutation m) { return under_test == m; }
bool seedable() { return true; }

void seed(const std::string& name) {
    under_test = Mutation::none;
    for (std::size_t i = 0; i < std::size(names); ++i)
        if (name == names[i]) under_test = Mutation(i);
}

}  // namespace plimsoll::engine
