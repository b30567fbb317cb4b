#pragma once
// A vendor's library that may not be there: opened by name, functions by name.
//
//   Library l("libnvidia-ml.so.1");   if (!l) return l.problem();
//   const auto init = l.function<int()>("nvmlInit_v2");     // null where it has none
//
// It stays open: management libraries keep threads and do not survive unloading.

#include <dlfcn.h>
#include <string>

namespace plimsoll::engine::power {

class Library {
public:
    explicit Library(const std::string& name) : handle_(dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
        if (!handle_) problem_ = name + " is not installed";
    }
    explicit operator bool() const { return handle_ != nullptr; }
    const std::string& problem() const { return problem_; }
    template <class F> F* function(const char* name) const { return reinterpret_cast<F*>(dlsym(handle_, name)); }

private:
    void* handle_;
    std::string problem_;
};

}  // namespace plimsoll::engine::power
