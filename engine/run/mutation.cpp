// Compiled alone: the tests' own engine links the whole library but for this object.
#include "engine/run/mutation.h"

namespace plimsoll::engine {

bool seeded(Mutation) { return false; }
bool seedable() { return false; }
void seed(const std::string&) {}

}  // namespace plimsoll::engine
