#pragma once
// The only file access in core.

#include "core/files/text/problem.h"

#include <filesystem>
#include <string>

namespace plimsoll {

// Whole file as text. Refuses what is not a regular file or is larger than 64 MiB.
Expected<std::string, Problems> read_text(const std::filesystem::path&);
// Written beside the target and renamed over it, so a crash leaves the old file whole.
Expected<bool, Problems> write_atomically(const std::filesystem::path&, std::string_view text);

}  // namespace plimsoll
