#pragma once
// Which values of a plan are the user's own rather than its presets': each gets a source at its own pointer.
//
//   mark_own(next, plan, library, "yours, set on 2026-11-24")
//
// Afterwards source_of() says so of every value that the edit changed, and says the preset's source again of a value
// that is back at the preset's. core/values/knobs/provenance.h reads it.

#include "core/files/presets/library.h"
#include "core/values/plan/scenario.h"

#include <string>

namespace plimsoll {

// What `after` has changed of the same model, machine and stack. Another preset in place of one is no edit.
void mark_own(Scenario& after, const Scenario& before, const Library&, const std::string& mark);

}  // namespace plimsoll
