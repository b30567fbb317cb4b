#pragma once
// The only file access in core, and the environment.

#include "core/files/text/problem.h"

#include <filesystem>
#include <functional>
#include <string>

namespace plimsoll {

// Whole file as text. Refuses what is not a regular file or is larger than 64 MiB.
Expected<std::string, Problems> read_text(const std::filesystem::path&);
// A file of any size, a piece at a time, until it ends or the taker answers false. Refuses what is not a regular file.
Expected<bool, Problems> read_pieces(const std::filesystem::path&, const std::function<bool(std::string_view)>& take);
// Written beside the target and renamed over it, so a crash leaves the old file whole.
Expected<bool, Problems> write_atomically(const std::filesystem::path&, std::string_view text);

std::string environment(const char* name);   // a variable of it; empty where it is not set

}  // namespace plimsoll
