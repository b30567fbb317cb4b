#pragma once
// What a Hugging Face configuration asks for that the planner leaves out, each
// with its effect. Internal to core/files.

#include "core/files/import/hf_families.h"

namespace plimsoll::files {

void say_what_is_left_out(const HfConfig&, const Model&);

}  // namespace plimsoll::files
