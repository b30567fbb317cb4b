#pragma once
// What is wrong with a file, for people: file, JSON pointer, what was expected.

#include "core/values/basics/expected.h"

#include <string>
#include <vector>

namespace plimsoll {

enum class Severity { error, warning };

struct Problem {
    Severity severity = Severity::error;
    std::string file;      // name as given by the user; empty for text
    std::string pointer;   // "/layout/tensor_parallel"; empty for the whole file
    std::string message;   // found, expected range, nearest known key
    friend bool operator==(const Problem&, const Problem&) = default;
};
using Problems = std::vector<Problem>;

std::string say(const Problem&);    // "plan.json: /layout/tensor_parallel: found \"x\", expected ..."
std::string say(const Problems&);   // one line each
bool has_errors(const Problems&);

}  // namespace plimsoll
