#pragma once
// Small files of the kernel's, each opened anew for every look (their numbers are
// made at open), with what went wrong in words.
//
//   const Expected<std::string, Failed> text = contents(root / "sys/cray/pm_counters/energy");
//   if (!text) why(text.error())      // "permission denied"

#include "core/values/basics/expected.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace plimsoll::engine::power {

struct Failed {
    int code;                      // errno
    std::string why() const;       // "No such file or directory"
};

// Without white space at its end.
Expected<std::string, Failed> contents(const std::filesystem::path&);
// The whole number a file begins with; EINVAL when it is none.
Expected<std::uint64_t, Failed> number(const std::filesystem::path&);
// Entries whose names begin with `prefix`, by name, numbers in them by size.
std::vector<std::filesystem::path> entries(const std::filesystem::path& folder, const std::string& prefix);

}  // namespace plimsoll::engine::power
