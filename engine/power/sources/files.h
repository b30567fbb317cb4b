#pragma once
// Small files of the kernel's, each opened anew for every look (their numbers are
// made at open), with what went wrong in words.
//
//   const Expected<std::string, Failed> text = contents(root / "sys/cray/pm_counters/energy");
//   if (!text) why(text.error())      // "permission denied"

#include "core/values/basics/expected.h"

#include <cstdint>
#include <dlfcn.h>
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

// A vendor's library that may not be there: opened by name, functions by name.
//
//   Library l("libnvidia-ml.so.1");   if (!l) return l.problem();
//   int (*init)() = l["nvmlInit_v2"];     // null where it has none
//
// It stays open: management libraries keep threads and do not survive unloading.
class Library {
public:
    explicit Library(const std::string& name) : handle_(dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
        if (!handle_) problem_ = name + " is not installed";
    }
    explicit operator bool() const { return handle_ != nullptr; }
    const std::string& problem() const { return problem_; }
    // A function is of the type of the pointer that takes it.
    struct Function {
        void* at;
        template <class F> operator F*() const { return reinterpret_cast<F*>(at); }
    };
    Function operator[](const char* name) const { return {dlsym(handle_, name)}; }

private:
    void* handle_;
    std::string problem_;
};

// Several files that are updated together, read so that all belong to one update.
//
//   const auto files = of_one_update([&] { return number(freshness); }, [&] { return read_all(); });
//
// `freshness()` counts updates; `all()` is done again while it moved meanwhile, three times at most: updates come ten
// times a second, and a look takes a thousandth, so a third time means that something else is wrong, and the last
// look stands.
template <class Freshness, class All> auto of_one_update(Freshness freshness, All all) {
    for (int attempt = 1;; ++attempt) {
        const auto before = freshness();
        auto found = all();
        if (freshness() == before || attempt == 3) return found;
    }
}

}  // namespace plimsoll::engine::power
