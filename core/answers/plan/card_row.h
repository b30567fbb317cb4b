#pragma once
// A figure as people read it: window and command line show the same rows.

#include <string>

namespace plimsoll {

struct CardRow {
    std::string id;      // of explain(); empty where there is no tree
    std::string label, value;
};

}  // namespace plimsoll
