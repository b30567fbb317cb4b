#pragma once
// What settings and the places where they stand are called. Internal to core/files/import.

#include <string>
#include <string_view>

namespace plimsoll::files {

std::string row_name(std::string_view key);               // "num_layers" of "--num-layers"
std::string leaf_of(std::string_view key);                // "num_layers" of "model.num_layers"
std::string place_of(const std::string& file, int line);  // "train.sh:12"
std::string reads_it(const std::string& name);            // a sentence on a configuration that was not given

}  // namespace plimsoll::files
