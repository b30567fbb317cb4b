#pragma once
// Whether a log is what PROTOCOL.md promises: every line an object with its keys,
// numbers without gaps, phases that add up to their step, a hash that is right.
// Unknown keys and types are let pass; a log of a newer schema is refused.
//
//   return check_file("run.jsonl", std::cout);   // plimsoll-engine --check: 0, or 2 with every problem by line

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace plimsoll::engine {

struct Finding {
    long line;  // from 1
    std::string text;
};

struct LogCheck {
    std::vector<Finding> findings;   // the first ten thousand
    std::size_t found = 0;           // all of them
    std::string status = "partial";  // of the summary; partial without one
    long lines = 0, steps = 0;       // complete lines; step lines among them
};
LogCheck check_log(std::istream&);

// Prints "FILE:12: step without loss" for each finding, then one line with status and counts.
// Exit code 0, or 2 when something was found or the file cannot be read.
int check_file(const std::string& path, std::ostream&);

// Which keys a line of each type has, and what they hold: PROTOCOL.md as a table.
//
//   problems_of_keys({{"type", "warn"}, ...})  ->  "warn without text", "warn: rank is a text, not a count"
//
// Of an object. Keys that are not in the table are let pass, and so are types.
std::vector<std::string> problems_of_keys(const nlohmann::ordered_json& line);

}  // namespace plimsoll::engine
