#pragma once
// The settings that a log prints, as one more source of a plan. Internal to core/files/import.

#include "core/files/import/framework_reading.h"
#include "core/files/measured/training_log.h"

namespace plimsoll::files {

// After the scripts: what they say otherwise is left out, and said.
Expected<bool, Problems> read_log(Reading&, const TrainingLog&, const std::string& file);

}  // namespace plimsoll::files
