#pragma once
// The command line as options, and what is wrong with them.
//
//   const Parsed parsed = parse(arguments, Options{});
//   for (const std::string& problem : problems(parsed.options, ranks)) ...   // empty: it can be run

#include "core/values/basics/expected.h"
#include "engine/run/options.h"

#include <string>
#include <vector>

namespace plimsoll::engine {

struct Parsed {
    Options options;
    std::string message;              // help, version or what is wrong with the arguments; empty: go on
    bool failed = false;
};
// Arguments without the program's name, on top of `defaults`.
Parsed parse(std::vector<std::string> arguments, const Options& defaults);
// Everything that keeps this from being run on `ranks` ranks, each with the nearest values that would work.
std::vector<std::string> problems(const Options&, int ranks);

// Arguments that lie in a file: a batch script hands them over so, and no shell
// on the way takes them apart.
//
//   const auto words = with_files({"@args", "--steps", "3"});   // the lines of `args`, then the rest
//
// Every word "@FILE" replaced by the lines of FILE, one argument each, spaces and all; empty lines count for
// nothing, and a line that begins with @ is an argument. Otherwise which file cannot be read.
Expected<std::vector<std::string>, std::string> with_files(const std::vector<std::string>& arguments);

}  // namespace plimsoll::engine
