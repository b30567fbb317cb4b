#pragma once
// Answers about parts of a plan as JSON values, for estimate_json.h. Internal.

#include "core/files/text/reader.h"
#include "core/values/plan/scenario.h"

namespace plimsoll::files {

OrderedJson compression_json(const Scenario&);
OrderedJson mapping_json(const Scenario&);   // null for a machine of one network

}  // namespace plimsoll::files
