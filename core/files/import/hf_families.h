#pragma once
// What the config.json of each Hugging Face model type means in our terms, one
// row per type. Internal to core/files.

#include "core/files/text/reader.h"
#include "core/values/plan/model.h"

#include <initializer_list>
#include <span>

namespace plimsoll::files {

// The keys of one config.json, by any of the names that generations of it used.
class HfConfig {
public:
    explicit HfConfig(const Reader& root) : root_(root) {}
    int whole(std::initializer_list<const char*> keys) const;                 // has to be there
    int whole(std::initializer_list<const char*> keys, int otherwise) const;
    double number(const char* key, double otherwise) const;
    bool flag(const char* key, bool otherwise) const;
    std::string text(std::initializer_list<const char*> keys, const std::string& otherwise) const;
    bool has(const char* key) const { return root_.member(key).has_value(); }
    const Reader& root() const { return root_; }

private:
    std::optional<Reader> find(std::initializer_list<const char*> keys) const;
    const Reader& root_;
};

struct HfFamily {
    std::string_view model_type;
    std::string_view name;
    void (*read)(const HfConfig&, Model&);  // after the keys all of them share
};
std::span<const HfFamily> hf_families();

void read_shared_keys(const HfConfig&, Model&);

}  // namespace plimsoll::files
